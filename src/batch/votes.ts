/**
 * Who votes where: the readings of "not reached", "cut off" and "taken out" that every estimator shares.
 */
import type { TurnBatch } from './layout.js'

/** What an unreached turn counts as: a vote of 0, or no vote. */
export type UnreachedRule = 'zero' | 'exclude'

/** What a rollout that a limit ended counts as: a failure like any other, an aborted one, or a vote that is not trained. */
export type TruncatedRule = 'fail' | 'exclude' | 'mask'

/** Whether group g leaves unreached turns out of its statistics. Default: only where no golden trace made them due. */
export function excludesUnreached(batch: TurnBatch, g: number, rule: UnreachedRule | undefined): boolean {
  return rule === undefined ? batch.hasGolden[g] === 0 : rule === 'exclude'
}

/** Rollouts of group g that vote: valid, and not cut off where that excludes. */
export function votersOf(batch: TurnBatch, g: number, truncated: TruncatedRule): number[] {
  const voters: number[] = []
  for (let i = batch.groupPtr[g]!; i < batch.groupPtr[g + 1]!; i++)
    if (batch.valid[i] === 1 && !(truncated === 'exclude' && batch.truncated?.[i] === 1)) voters.push(i)
  return voters
}

/** Turns of group g that are computed, in order: all but the masked ones. */
export function liveTurnsOf(batch: TurnBatch, g: number): number[] {
  const first = batch.groupPtr[g]!
  const live: number[] = []
  if (first === batch.groupPtr[g + 1]) return live
  const start = batch.turnPtr[first]!
  for (let j = start; j < batch.turnPtr[first + 1]!; j++) if (batch.masked?.[j] !== 1) live.push(j - start)
  return live
}
