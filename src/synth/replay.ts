/**
 * Making the calls of a trace once more, in a state of its own.
 *
 * Nothing is thrown for a call that fails and nothing ends early: each call has its result, each failure its index.
 * The state that is replayed in is never that of an agent.
 */
import { fail, show } from '../errors.js'
import { argumentMemo, readArguments } from '../reward/arguments.js'
import type { JsonObject, ToolCall } from '../reward/call.js'
import { firstDifference } from '../reward/equal.js'
import { openEnvironment } from './environment.js'
import type { CallError, CallResult, Environment, EnvironmentSource, Snapshot } from './types.js'

export interface ReplayOptions {
  /** Of the environment. */
  readonly seed?: number
  readonly timeout?: number
  /** Throws where a tool hangs, breaks or gives the wrong shape, in place of a failure. */
  readonly throwFaults?: boolean
  /** The state to start from. Default: that in which the environment opens. */
  readonly from?: Snapshot
}

/** A call to make again; with an output, that has to come out again. */
export interface ReplayedCall extends ToolCall {
  readonly output?: JsonObject
}

export interface ReplayFailure {
  readonly turn: number
  readonly call: number
  readonly name: string
  /** `error`: the call was refused. `output`: it gave something else than when the trace was made. */
  readonly kind: 'error' | 'output'
  readonly message: string
  readonly error?: CallError
}

export interface Replay {
  readonly ok: boolean
  readonly results: readonly (readonly CallResult[])[]
  /** In the order of the calls. */
  readonly failures: readonly ReplayFailure[]
  /** The state after the last call. */
  readonly after: Snapshot
}

/** Makes a call whose arguments may be text. */
async function callAsWritten(environment: Environment, call: ToolCall): Promise<CallResult> {
  const read = readArguments(call.arguments, argumentMemo())
  // A name that is unknown is the first thing to say of a call.
  if (read.ok || !environment.source.tools.some(({ name }) => name === call.name))
    return environment.call(call.name, read.ok ? read.value : {})
  return {
    ok: false,
    error: { code: 'invalid-arguments', message: `arguments: ${read.problem}, ${read.detail}` },
  }
}

function failureOf(
  result: CallResult,
  call: ReplayedCall,
): Pick<ReplayFailure, 'kind' | 'message' | 'error'> | undefined {
  if (!result.ok)
    return { kind: 'error', message: `${result.error.code}: ${result.error.message}`, error: result.error }
  if (call.output === undefined) return undefined
  const difference = firstDifference(call.output, result.output)
  if (difference === null) return undefined
  const { path, expected, got } = difference
  return { kind: 'output', message: `output.${path}: expected ${show(expected)}, got ${show(got)}` }
}

/** Replays the calls of a trace in order.
 *
 * A tool that does not exist gives an error result and the replay goes on.
 * @param turns - one list of calls a turn; recorded outputs must come out again
 * @throws TaraError for a source or an option that will not do; for a call only with `throwFaults`
 */
export async function replay(
  source: EnvironmentSource,
  turns: readonly (readonly ReplayedCall[])[],
  options: ReplayOptions = {},
): Promise<Replay> {
  if (!Array.isArray(turns)) fail('TYPE', 'replay: turns', 'one list of calls a turn', show(turns))
  const { from, ...settings } = options
  const environment = openEnvironment(source, settings)
  if (from !== undefined) environment.restore(from)
  const results: CallResult[][] = []
  const failures: ReplayFailure[] = []
  for (const [turn, calls] of turns.entries()) {
    if (!Array.isArray(calls)) fail('TYPE', `replay: turns[${turn}]`, 'a list of calls', show(calls))
    const row: CallResult[] = []
    for (const [k, call] of calls.entries()) {
      const result = await callAsWritten(environment, call)
      const failure = failureOf(result, call)
      if (failure !== undefined) failures.push({ turn, call: k, name: call.name, ...failure })
      row.push(result)
    }
    results.push(row)
  }
  return { ok: failures.length === 0, results, failures, after: environment.snapshot() }
}
