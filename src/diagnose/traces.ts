/**
 * Whole rollouts, each counted once, however many turns or token sequences it has: how far they got before the first
 * miss, and whether their rewards and their outcome say the same.
 *
 * A miss is a turn whose reward is not 1. Turns that are left out, masked or unreached, say nothing; where an unreached
 * turn counts as 0 it is a miss.
 */
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { excludesUnreached, liveTurnsOf, type UnreachedRule, votersOf } from '../batch/votes.js'
import { mostTurns, type VoteRules } from './columns.js'

export interface Traces {
  /** Rollouts that vote. `success` + `empty` + the sum of `firstMiss`. */
  readonly rollouts: number
  /** Of these, those without a miss. */
  readonly success: number
  /** `[largest T]` those whose first miss is at turn t. */
  readonly firstMiss: readonly number[]
  /** Those without any turn that says something. */
  readonly empty: number
}

/** Two judgments on the valid rollouts that have an outcome: every reward is 1; the outcome is 0.5 or more. */
export interface OutcomeTable {
  readonly rollouts: number
  /** Both true, or both false. */
  readonly agree: number
  /** Every reward is 1, the outcome is below 0.5. */
  readonly traceOnly: number
  /** The outcome is 0.5 or more, not every reward is 1. */
  readonly outcomeOnly: number
}

/** The first miss of rollout i; −1 where there is none, `undefined` where no turn says anything. */
function firstMissOf(
  { turnPtr, reward, reached }: TurnBatch,
  i: number,
  live: readonly number[],
  excludes: boolean,
): number | undefined {
  let isEmpty = true
  for (const t of live) {
    const j = turnPtr[i]! + t
    if (excludes && reached[j] === 0) continue
    if (reward[j] !== 1) return t
    isEmpty = false
  }
  return isEmpty ? undefined : -1
}

/** Finds the first miss of every rollout that votes. */
export function tracesOf(batch: TurnBatch, { unreached, truncated }: VoteRules): Traces {
  const firstMiss: number[] = new Array(mostTurns(batch)).fill(0)
  let rollouts = 0
  let success = 0
  let empty = 0
  for (let g = 0; g < numGroups(batch); g++) {
    const live = liveTurnsOf(batch, g)
    const excludes = excludesUnreached(batch, g, unreached)
    for (const i of votersOf(batch, g, truncated)) {
      const miss = firstMissOf(batch, i, live, excludes)
      rollouts++
      if (miss === undefined) empty++
      else if (miss < 0) success++
      else firstMiss[miss]!++
    }
  }
  return { rollouts, success, firstMiss, empty }
}

/** Sets rewards against outcomes; `undefined` where the batch has no outcomes. */
export function outcomeTable(
  batch: TurnBatch,
  unreached: UnreachedRule | undefined,
): OutcomeTable | undefined {
  const { groupPtr, outcome, hasOutcome } = batch
  if (outcome === undefined) return undefined
  let rollouts = 0
  let traceOnly = 0
  let outcomeOnly = 0
  for (let g = 0; g < numGroups(batch); g++) {
    const live = liveTurnsOf(batch, g)
    const excludes = excludesUnreached(batch, g, unreached)
    for (let i = groupPtr[g]!; i < groupPtr[g + 1]!; i++) {
      if (batch.valid[i] === 0 || hasOutcome?.[i] !== 1) continue
      const isRight = (firstMissOf(batch, i, live, excludes) ?? -1) < 0
      const isGood = outcome[i]! >= 0.5
      rollouts++
      if (isRight && !isGood) traceOnly++
      if (isGood && !isRight) outcomeOnly++
    }
  }
  return { rollouts, agree: rollouts - traceOnly - outcomeOnly, traceOnly, outcomeOnly }
}
