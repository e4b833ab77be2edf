/**
 * Tool calls and golden traces, as the rest of `reward/` sees them.
 */
import type { Status } from '../batch/layout.js'

/** A JSON value in which integers of any size are exact: beyond ±2^53 they are `bigint`. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject

export interface JsonObject {
  readonly [key: string]: JsonValue
}

export interface ToolCall {
  readonly name: string
  /** JSON text as the model wrote it, or the value. Blank text, null and absent all mean `{}`. */
  readonly arguments?: string | JsonValue | undefined
  /** The side that makes the call. Default `assistant`. */
  readonly requestor?: string | undefined
  /** What a reader saw wrong with the call, where `arguments` cannot show it. The call then covers nothing. */
  readonly problem?: 'duplicate-key' | 'not-a-call' | undefined
  /** Of a golden call: the top-level arguments that count, on both sides; the others are free. `[]`: the name alone
   * counts. Default, and null: all of them. */
  readonly compare?: readonly string[] | null | undefined
}

/** The calls a turn needs, or alternatives of which one is enough. Only `[]` is an empty golden turn. */
export type GoldenTurn = readonly ToolCall[] | { readonly any_of: readonly (readonly ToolCall[])[] }

/** What one rollout did, turn by turn. */
export interface CallRollout {
  /** The calls of each logged turn; `null` for a turn that was not reached though a later one was. Turns after the
   * last were not reached; turns beyond the golden trace are surplus. */
  readonly turns: readonly (readonly ToolCall[] | null)[]
  /** Calls before the first turn. They belong to no turn and count only under scope `rollout`. */
  readonly before?: readonly ToolCall[] | undefined
  /** How the rollout ended. Default `complete`. */
  readonly status?: Status | undefined
  /** A score of the whole rollout. */
  readonly outcome?: number | undefined
}

/** `turn`: a golden turn is tested against the calls of its turn. `rollout`: every golden turn counts as reached and
 * is tested against all calls of the rollout. */
export type Scope = 'turn' | 'rollout'
