/**
 * What a log of rollouts is read into, and what reads it.
 */
import type { CallRollout, Scope } from '../reward/call.js'
import type { CompiledGolden } from '../reward/golden.js'
import type { AssembledLog, RolloutKey } from './assemble.js'
import type { CallTotals } from './call-totals.js'
import type { ScoredLine } from './line-scorer.js'

/** What was counted while reading. */
export interface LogCounts {
  /** Scored rollouts taken as aborted because of a reward of null, NaN or ±Infinity. */
  invalid: number
  /** Turns beyond the golden trace. */
  surplusTurns: number
  /** Calls before the first turn: they belong to no turn. */
  earlyCalls: number
  /** Calls of a turn that matched no golden call. */
  extraCalls: number
  /** Calls whose arguments cannot be read. */
  malformedCalls: number
}

/** A record whose calls were kept. */
export interface KeptRollout {
  readonly key: RolloutKey
  readonly calls: CallRollout
  readonly scope: Scope
  readonly golden: CompiledGolden
}

export interface RolloutLog extends AssembledLog {
  readonly kept: readonly KeptRollout[]
  readonly counts: Readonly<LogCounts>
  /** Calls of the records with messages. */
  readonly calls: CallTotals
  /** What the user should be told, once each. */
  readonly warnings: readonly string[]
  /** Names rollout i of the batch in errors: `rollouts.jsonl:17`. */
  readonly placeOf: (rollout: number) => string
}

export interface LogReader {
  /** Takes one line of JSONL, the `line`-th of the input; with 0, a text that is the whole input.
   * @throws TaraError with file, line and path
   */
  addLine(text: string, line: number): void
  /** Takes one line of JSONL as it lies in `bytes[start … end-1]`, with its newline behind it: several times as fast.
   * @throws TaraError with file, line and path
   */
  addBytes(bytes: Uint8Array, start: number, end: number, line: number): void
  /** Takes a line as `addBytes` does, scored before by a `lineScorer` with the same options; undefined where it could not.
   * @throws TaraError with file, line and path
   */
  addScored(bytes: Uint8Array, start: number, end: number, line: number, scored: ScoredLine | undefined): void
  /** Takes one record, or a document of records, that is parsed already; integers beyond 2^53 are what they have become.
   * @throws TaraError with the record's number and path
   */
  addRecord(record: unknown): void
  /** Puts the batch together.
   * @throws TaraError `EMPTY` without records, `SINGLETONS` where every group has one rollout, `SPAN`, `LENGTH`
   */
  finish(): RolloutLog
}
