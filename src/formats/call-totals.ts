/**
 * What is counted of the calls of a log beside their score: how many there were, and how many stand in a neighboring turn.
 */
import type { CallRollout, Scope } from '../reward/call.js'
import type { CompiledGolden, RolloutScore } from '../reward/golden.js'
import { countShifted, type ShiftCounts } from '../reward/shifted.js'
import type { ScoredCalls } from './scored-calls.js'

/** The counts of `ShiftCounts` are there where the reader was asked for them. */
export interface CallTotals extends Partial<ShiftCounts> {
  /** Calls that were tested against golden calls: what `extraCalls` and `malformedCalls` are a part of. */
  readonly testedCalls: number
}

export interface CallTally {
  /** Adds one scored rollout.
   * @param calls - builds what the rollout did, if it must be looked at again
   * @param score - what the rollout earned
   */
  add(golden: CompiledGolden, calls: () => CallRollout, scope: Scope, score: RolloutScore): void
  /** Adds what was counted before. */
  addScored(scored: ScoredCalls): void
  totals(): CallTotals
}

/** Starts counting.
 * @param shifted - also looks for missed golden calls in the turn before and after; scope `turn` only
 */
export function callTally(shifted: boolean): CallTally {
  const shifts: ShiftCounts = { missedTurns: 0, oneTurnEarly: 0, oneTurnLate: 0 }
  let testedCalls = 0
  return {
    add(golden, calls, scope, { reward, reached, tested }) {
      testedCalls += tested
      if (shifted && scope === 'turn' && reward.includes(0) && reached.includes(1))
        countShifted(golden, calls(), reward, shifts)
    },
    addScored({ score, shifts: found }) {
      testedCalls += score.tested
      shifts.missedTurns += found.missedTurns
      shifts.oneTurnEarly += found.oneTurnEarly
      shifts.oneTurnLate += found.oneTurnLate
    },
    totals: () => ({ testedCalls, ...(shifted && shifts) }),
  }
}
