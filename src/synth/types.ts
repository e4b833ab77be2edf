/**
 * Tools, the environment they act on, and what a call gives: the words of `tara-rl/synth`.
 */
import type { JsonObject, JsonValue } from '../reward/call.js'

/** A JSON Schema, draft 2020-12 or draft 7. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A tool as MCP describes it, with what a graph needs to know beside. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** Of an object: the arguments. */
  readonly inputSchema: JsonSchema
  /** Of an object: what a call gives. */
  readonly outputSchema: JsonSchema
  /** A query leaves the database as it is, an update changes it. */
  readonly kind: 'query' | 'update'
  /** Tools that the scenario's logic puts before this one, though it takes nothing from them. */
  readonly after?: readonly string[]
  /** Arguments that change neither output nor database. */
  readonly inert?: readonly string[]
}

/** What a handler may use: everything that is not its arguments and database comes from the seed. */
export interface ToolContext {
  /** A number in [0, 1). */
  readonly random: () => number
  /** A new identifier: `booking-7f3a`. */
  readonly newId: (prefix: string) => string
  /** The environment's time, ISO 8601; it moves by a fixed step a call. */
  readonly now: () => string
}

/** Does the work of a tool. Throws an `Error` whose message tells the agent why the call cannot be done.
 * @param database - may be changed in place by an update
 * @param args - conform to the input schema
 * @returns what conforms to the output schema
 */
export type Handler = (
  database: Record<string, JsonValue>,
  args: JsonObject,
  context: ToolContext,
) => JsonObject | Promise<JsonObject>

export interface Tool extends ToolDefinition {
  readonly handler: Handler
}

/** Tools and the data they start from: what a folder or a module gives. */
export interface EnvironmentSource {
  readonly name: string
  readonly description: string
  readonly tools: readonly Tool[]
  readonly database: JsonObject
}

/** Why a call was refused: what the model is told. */
export interface CallError {
  readonly code: 'unknown-tool' | 'invalid-arguments' | 'refused' | 'timeout' | 'invalid-output'
  readonly message: string
}

export type CallResult =
  | { readonly ok: true; readonly output: JsonObject }
  | { readonly ok: false; readonly error: CallError }

/** All that a later call can see: database, ids, time, random numbers. */
export interface Snapshot {
  readonly database: JsonObject
  /** Calls made since the start: the clock moves one step a call. */
  readonly calls: number
  /** How often each tool did its work (`tool:NAME`) and how many ids of each prefix were made (`id:PREFIX`): random
   * numbers and ids follow from these, so that calls of other tools do not change them. Absent: none. */
  readonly counts?: Readonly<Record<string, number>>
}

/** One isolated state of an environment: that of one rollout. */
export interface Environment {
  readonly source: EnvironmentSource
  readonly seed: number
  /** Calls a tool. A fault of the caller or of the tool is a result, never an exception. */
  call(name: string, args: unknown): Promise<CallResult>
  /** A copy of the state; later calls do not change it. */
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
}

/** A call of a golden trace, with its output when it was made. */
export interface GroundedCall {
  readonly name: string
  readonly arguments: JsonObject
  readonly output: JsonObject
  /** Where each argument came from. */
  readonly provenance: Readonly<Record<string, Provenance>>
}

export type Provenance =
  /** Copied from the output of an earlier call: `turns[turn][call].output` at `path`. */
  | { readonly from: 'edge'; readonly turn: number; readonly call: number; readonly path: string }
  | { readonly from: 'database'; readonly path: string }
  | { readonly from: 'default' }

export interface ToolEdge {
  readonly from: string
  readonly to: string
  readonly kind: 'parameter' | 'semantic'
  /** In [0, 1]. */
  readonly confidence?: number
  /** Output paths of `from` → arguments of `to`. */
  readonly bindings?: readonly (readonly [output: string, argument: string])[]
}

export interface ToolGraph {
  readonly nodes: readonly string[]
  /** `from` must come before `to`. */
  readonly edges: readonly ToolEdge[]
}

/** One line of a file of tasks: the fields `group` and `golden` are what `--golden` joins. */
export interface Task {
  readonly group: string
  readonly environment: string
  readonly seed: number
  /** One request a turn, as the user writes it. */
  readonly requests: readonly string[]
  /** The golden trace: one list of calls a turn. */
  readonly golden: readonly (readonly { readonly name: string; readonly arguments: JsonObject }[])[]
  /** The same with outputs and provenance. */
  readonly trace: readonly (readonly GroundedCall[])[]
  readonly graph: ToolGraph
  /** Turns whose calls, made in another order, give other outputs or leave another state. Absent: none. */
  readonly orderMatters?: readonly number[]
  /** Attempts of the Pass@k filter, and those that got trace score 1. */
  readonly attempts: number
  readonly passed: number
}
