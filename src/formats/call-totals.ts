/**
 * What is counted of the calls of a log beside their score: how many there were, and how many stand in a neighboring turn.
 */
import type { CallRollout, Scope } from '../reward/call.js'
import type { CompiledGolden } from '../reward/golden.js'
import { countShifted, type ShiftCounts } from '../reward/shifted.js'

/** The counts of `ShiftCounts` are there where the reader was asked for them. */
export interface CallTotals extends Partial<ShiftCounts> {
  /** Calls that were tested against golden calls: what `extraCalls` and `malformedCalls` are a part of. */
  readonly testedCalls: number
}

export interface CallTally {
  /** Adds one scored rollout.
   * @param reward - `[T]` r of Eq. 1
   */
  add(golden: CompiledGolden, rollout: CallRollout, scope: Scope, reward: readonly number[]): void
  totals(): CallTotals
}

/** Starts counting.
 * @param shifted - also looks for missed golden calls in the turn before and after; scope `turn` only
 */
export function callTally(shifted: boolean): CallTally {
  const shifts: ShiftCounts = { missedTurns: 0, oneTurnEarly: 0, oneTurnLate: 0 }
  let testedCalls = 0
  return {
    add(golden, rollout, scope, reward) {
      if (rollout.status === 'aborted') return
      const { before, turns } = rollout
      const end = scope === 'rollout' ? turns.length : Math.min(turns.length, golden.numTurns)
      if (scope === 'rollout') testedCalls += before?.length ?? 0
      for (let t = 0; t < end; t++) testedCalls += turns[t]?.length ?? 0
      if (shifted && scope === 'turn') countShifted(golden, rollout, reward, shifts)
    },
    totals: () => ({ testedCalls, ...(shifted && shifts) }),
  }
}
