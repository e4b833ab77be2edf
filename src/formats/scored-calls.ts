/**
 * What the calls of a rollout earned, where that was found out before its record is read.
 */
import type { RolloutScore } from '../reward/golden.js'
import type { ShiftCounts } from '../reward/shifted.js'

/** What the calls of a rollout earned. */
export interface ScoredCalls {
  readonly score: RolloutScore
  /** All 0 where they were not asked for. */
  readonly shifts: ShiftCounts
}
