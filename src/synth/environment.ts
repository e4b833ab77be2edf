/**
 * One isolated state of an environment: tools that are called, a database that they read and change.
 *
 * Everything a later call can see follows from the source, the seed and the calls so far. A handler works on a copy of
 * the database; the copy becomes the state when the call is done, and only if all went well: a handler that throws,
 * hangs or gives the wrong shape leaves the state as it was, and what it still does later is lost.
 *
 * A tool that refuses is a fact about the call; one that hangs, gives the wrong shape or breaks is a fault of the
 * environment. To an agent both are results; `throwFaults` is for those who judge or use the environment itself.
 */
import { fail, show } from '../errors.js'
import { aBoolean, aCount, type Check, resolveOptions } from '../options.js'
import type { JsonObject, JsonValue } from '../reward/call.js'
import { copyObject } from './copy.js'
import { type Draw, drawFrom, hashParts } from './draw.js'
import { breakOf } from './fault.js'
import type { CallError, CallResult, Environment, EnvironmentSource, Snapshot, ToolContext } from './types.js'
import { type CompiledTool, compiledTools } from './validators.js'

export interface EnvironmentOptions {
  /** Ids, time and random numbers follow from it. */
  readonly seed: number
  /** How long a handler that answers later may take, in milliseconds. One that never gives control back cannot be
   * stopped. */
  readonly timeout: number
  /** Whether `call` throws where the tool is at fault: it hangs, breaks or gives what its schema does not say. By default
   * that is a result, as agents are told. */
  readonly throwFaults: boolean
}

export const environmentDefaults: Readonly<EnvironmentOptions> = Object.freeze({
  seed: 0,
  timeout: 10_000,
  throwFaults: false,
})

export const aTimeout: Check = (value) =>
  typeof value === 'number' && value > 0 && value <= 0x7fffffff ? undefined : 'milliseconds, more than 0'

const checks = { seed: aCount, timeout: aTimeout, throwFaults: aBoolean }

/** The day on which every environment starts, and the step of its clock. */
const START = Date.UTC(2026, 2, 2, 8)
const MINUTE = 60_000

/** Ids of one prefix are all different up to this many. */
const IDS = 0x1000000

type Counts = Record<string, number>

interface State {
  readonly database: Record<string, JsonValue>
  readonly calls: number
  readonly counts: Counts
}

function countUp(counts: Counts, key: string): number {
  const count = counts[key] ?? 0
  counts[key] = count + 1
  return count
}

/** What a handler may use. `counts` is the caller's copy; it is changed. */
function contextOf(seed: number, tool: string, state: State, counts: Counts): ToolContext {
  const made = countUp(counts, `tool:${tool}`)
  let draw: Draw | undefined
  let text: string | undefined
  return {
    random: () => {
      draw ??= drawFrom(seed, 'random', tool, made)
      return draw.unit()
    },
    newId: (prefix) => {
      text ??= JSON.stringify(state.database)
      for (;;) {
        const count = countUp(counts, `id:${prefix}`)
        const digits = (hashParts(seed, 'id', prefix) + count * 0x9e3779b1) % IDS
        const id = `${prefix}-${digits.toString(16).padStart(6, '0')}`
        if (!text.includes(`"${id}"`)) return id
      }
    },
    now: () =>
      new Date(START + (hashParts(seed, 'clock') % 480) * MINUTE + state.calls * MINUTE).toISOString(),
  }
}

function refusal(code: CallError['code'], message: string): CallResult {
  return { ok: false, error: { code, message } }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : show(error)
}

function isPromise<Value>(answer: Value | Promise<Value>): answer is Promise<Value> {
  return typeof (answer as { then?: unknown } | null | undefined)?.then === 'function'
}

/** Waits for an answer, but not for ever; `undefined` where none came in time. */
async function inTime<Value>(
  answer: Value | Promise<Value>,
  ms: number,
): Promise<{ value: Value } | undefined> {
  if (!isPromise(answer)) return { value: answer }
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  try {
    return await Promise.race([Promise.resolve(answer).then((value) => ({ value })), late])
  } finally {
    clearTimeout(timer)
  }
}

function invalidOutput(why: string): { readonly result: CallResult; readonly fault: string } {
  return { result: refusal('invalid-output', why), fault: `gave what it does not promise: ${why}` }
}

/** Makes one call on a copy of the state.
 * @returns the result, the state after it where it went well, and what is wrong with the tool where it did not
 */
async function perform(
  tools: ReadonlyMap<string, CompiledTool>,
  { seed, timeout }: EnvironmentOptions,
  state: State,
  name: string,
  args: unknown,
): Promise<{ readonly result: CallResult; readonly next?: State; readonly fault?: string | undefined }> {
  const compiled = tools.get(name)
  if (compiled === undefined)
    return {
      result: refusal(
        'unknown-tool',
        `there is no tool ${show(name)}; there are ${[...tools.keys()].join(', ')}`,
      ),
    }
  let given: JsonObject
  try {
    given = copyObject(args ?? {}, 'arguments')
  } catch (error) {
    return { result: refusal('invalid-arguments', messageOf(error)) }
  }
  const wrong = compiled.input(given)
  if (wrong !== undefined) return { result: refusal('invalid-arguments', wrong) }
  const database = copyObject(state.database, 'database')
  const counts = { ...state.counts }
  let answer: { value: JsonObject } | undefined
  try {
    const context = contextOf(seed, name, state, counts)
    answer = await inTime(compiled.tool.handler(database, given, context), timeout)
  } catch (error) {
    return { result: refusal('refused', messageOf(error)), fault: breakOf(error) }
  }
  if (answer === undefined) {
    const fault = `gave no answer in ${timeout} ms`
    return { result: refusal('timeout', `${name} ${fault}`), fault }
  }
  try {
    const output = copyObject(answer.value, 'output')
    const shape = compiled.output(output)
    if (shape !== undefined) return invalidOutput(shape)
    const next = { database: copyObject(database, 'database'), calls: state.calls + 1, counts }
    return { result: { ok: true, output }, next }
  } catch (error) {
    return invalidOutput(messageOf(error))
  }
}

function asState({ database, calls, counts = {} }: Snapshot): State {
  if (aCount(calls) !== undefined)
    fail('RANGE', 'restore: snapshot.calls', 'a whole number, 0 or more', show(calls))
  return { database: copyObject(database, 'restore: snapshot.database'), calls, counts: { ...counts } }
}

/** Opens a state of its own of an environment.
 *
 * Calls that are made at the same time are done one after the other. A refused call moves the clock, nothing else.
 * @param source - checked once: schemas, names, hints, database; must not be changed afterwards
 * @throws TaraError with the place for a source or an option that will not do; with `throwFaults`, `call` rejects with
 *   `MISMATCH` and `environment.tool` as the place
 */
export function openEnvironment(
  source: EnvironmentSource,
  options?: Partial<EnvironmentOptions>,
): Environment {
  const settings = resolveOptions('openEnvironment', options, environmentDefaults, checks)
  const tools = compiledTools(source)
  let state: State = asState({ database: source.database, calls: 0 })
  let restored = 0
  let last: Promise<unknown> = Promise.resolve()

  async function callNow(name: string, args: unknown): Promise<CallResult> {
    const began = restored
    const { result, next, fault } = await perform(tools, settings, state, name, args)
    if (settings.throwFaults && fault !== undefined)
      fail('MISMATCH', `${source.name}.${name}`, 'an output or an honest refusal', `a tool that ${fault}`)
    if (began === restored) state = next ?? { ...state, calls: state.calls + 1 }
    return result
  }
  return {
    source,
    seed: settings.seed,
    call: (name, args) => {
      const result = last.then(() => callNow(name, args))
      last = result
      return result
    },
    snapshot: () => ({
      database: copyObject(state.database, 'database'),
      calls: state.calls,
      counts: { ...state.counts },
    }),
    restore: (snapshot) => {
      state = asState(snapshot)
      restored++
    },
  }
}
