/**
 * A tool on trial: its calls are watched, and what is wrong with them is noted.
 */
import type { JsonObject, JsonValue } from '../reward/call.js'
import type { CheckedFor, CheckProblem } from './check-report.js'
import { breakOf } from './fault.js'
import type { CallResult, Environment, EnvironmentSource, Snapshot, Tool } from './types.js'
import type { CompiledTool } from './validators.js'

/** A call that was accepted, and the state it was made in. */
interface Accepted {
  readonly state: Snapshot
  readonly args: JsonObject
  readonly output: JsonObject
}

export interface Trial {
  readonly tool: Tool
  readonly compiled: CompiledTool
  readonly accepted: Accepted[]
  readonly problems: Map<string, CheckProblem>
  refused: number
  invalid: number
  changes: boolean
  hangs: boolean
  lastRefusal: string | undefined
}

/** What the last call threw, seen behind the environment's back. */
export interface Seen {
  thrown: unknown
}

const MOST_SHOWN = 100

export function shown(name: string, args: JsonValue): string {
  const text = JSON.stringify(args)
  return `${name}(${text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 3)}...` : text})`
}

export const equal = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Notes a problem; the first of each kind is kept. */
export function note(trial: Trial, test: CheckedFor, kind: string, message: string): void {
  const key = `${test} ${kind}`
  if (!trial.problems.has(key)) trial.problems.set(key, { test, message })
}

/** The same tools, watched. */
export function watched(source: EnvironmentSource, seen: Seen): EnvironmentSource {
  return {
    ...source,
    tools: source.tools.map((tool) => ({
      ...tool,
      handler: async (database, args, context) => {
        try {
          return await tool.handler(database, args, context)
        } catch (error) {
          seen.thrown = error
          throw error
        }
      },
    })),
  }
}

/** A refusal must say why. Says what is wrong with what was thrown. */
function unclear(thrown: unknown): string | undefined {
  const fault = breakOf(thrown)
  if (fault !== undefined) return fault
  return (thrown as Error).message.trim() === '' ? 'throws an Error without a message' : undefined
}

/** Looks at what a valid call gave. */
function judge(trial: Trial, args: JsonObject, result: CallResult, seen: Seen): void {
  if (result.ok) return
  const call = shown(trial.tool.name, args)
  const { code, message } = result.error
  if (code === 'refused') {
    trial.refused++
    trial.lastRefusal = message
    const fault = unclear(seen.thrown)
    if (fault !== undefined) note(trial, 'valid calls', 'fault', `${call} ${fault}`)
  } else if (code === 'timeout') {
    trial.hangs = true
    note(trial, 'valid calls', 'timeout', `${call} hangs: ${message}`)
  } else if (code === 'invalid-output')
    note(trial, 'valid calls', 'output', `${call} does not give what the output schema says: ${message}`)
}

export async function callFrom(
  environment: Environment,
  state: Snapshot,
  trial: Trial,
  args: JsonObject,
  seen: Seen,
): Promise<CallResult> {
  environment.restore(state)
  seen.thrown = undefined
  const result = await environment.call(trial.tool.name, args)
  judge(trial, args, result, seen)
  return result
}
