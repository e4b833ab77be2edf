/**
 * Formats of whole documents: one parsed file, or one value of a JSONL file, that holds rollouts or tasks.
 *
 * A document format makes neutral records (`tara.rollout/1`) of what a benchmark or an agent framework published; the
 * reader of logs takes them from there. Values may hold `bigint` where an integer is beyond 2^53.
 */
import { fail, show } from '../errors.js'
import type { Fields } from './fields.js'
import type { MessageFormat } from './message-format.js'

/** One function of a document's tools: the order of its properties names positional arguments. */
export interface FunctionDoc {
  readonly name: string
  readonly parameters?: unknown
}

export interface DocumentOptions {
  /** Function docs that name positional arguments: `bfcl` needs them where calls have such. */
  readonly functions?: readonly FunctionDoc[] | undefined
  /** Names the next rollout of a group where the document does not, as in the lines of a result file; without it, 0. */
  readonly nextRollout?: ((group: string | number) => string | number) | undefined
}

/** A neutral record and where it comes from. */
export interface DocumentRecord {
  /** Fields of a `tara.rollout/1` record; `messages` in `format`. */
  readonly fields: Fields
  /** The place in the document: `[3].traj`, `simulations[2]`; empty for the whole document. */
  readonly path: string
  /** Reads `fields.messages`. */
  readonly format: MessageFormat
}

/** A golden trace of a document: `fields` has `group` and `golden`, and `scope` where it is not `turn`. */
export interface DocumentTask {
  readonly fields: Fields
  readonly path: string
}

export interface DocumentFormat {
  /** As `--from` names it: `tau-bench`. */
  readonly name: string
  /** As a message names it: `τ-bench results`. */
  readonly title: string
  /** Whether a value shows that it is such a document, or one entry of one; cheap, and never true of a neutral record. */
  readonly isOne: (value: unknown) => boolean
  /** The rollouts of a document, in order.
   * @throws TaraError with the path inside the document: `[3].info.task.actions[0].name: expected …`
   */
  readonly recordsOf: (value: unknown, options?: DocumentOptions) => Iterable<DocumentRecord>
  /** The tasks of a document, in order, each once; absent where the format has none.
   * @throws TaraError with the path inside the document
   */
  readonly tasksOf?: (value: unknown, options?: DocumentOptions) => Iterable<DocumentTask>
}

/** The path of a field: `[3]` and `trial` are `[3].trial`, and `trial` alone at the root. */
export const under = (path: string, field: string): string => (path === '' ? field : `${path}.${field}`)

/** Checks the reward that a document gives a rollout; null where it gives none. */
export function asReward(place: string, value: unknown): number | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isFinite(value))
    fail('TYPE', place, 'a finite number', show(value))
  return value
}

/** Checks the messages of a document. */
export function asList(place: string, value: unknown, wish: string): readonly unknown[] {
  if (!Array.isArray(value)) fail('TYPE', place, wish, show(value))
  return value
}
