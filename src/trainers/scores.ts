/**
 * One score a rollout, for trainers that carry one beside the advantages: the outcome that the record states, else the
 * product of its rewards.
 */
import { outcomeDefaults, rolloutScores } from '../baselines/outcome.js'
import type { TurnBatch } from '../batch/layout.js'

/** `[numRollouts]`; 0 for an aborted rollout without an outcome.
 * @throws TaraError `RANGE` where a product of real rewards exceeds 1e300 in size
 */
export function scoresOf(place: string, batch: TurnBatch): Float64Array {
  const { score } = rolloutScores(place, batch, { ...outcomeDefaults, realRewards: batch.realRewards })
  for (let i = 0; i < score.length; i++) if (batch.hasOutcome?.[i] === 1) score[i] = batch.outcome![i]!
  return score
}
