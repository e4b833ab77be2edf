/**
 * The scalar of a rollout where it may be a score of its own: the outcome that the batch records, or one read from the
 * rewards of its turns.
 */
import { asScore } from '../batch/check.js'
import { numGroups, numRollouts, type TurnBatch } from '../batch/layout.js'
import { votersOf } from '../batch/votes.js'
import { fail } from '../errors.js'
import { type Check, oneOf } from '../options.js'
import {
  type OutcomeOptions,
  outcomeChecks,
  type RolloutReward,
  type RolloutScores,
  rolloutScores,
} from './outcome.js'

/** `outcome`: `batch.outcome`, which then every voter must have. */
export type RecordedReward = RolloutReward | 'outcome'

export interface RecordedOptions extends Omit<OutcomeOptions, 'reward'> {
  readonly reward: RecordedReward
}

export const recordedChecks: { readonly [Name in keyof RecordedOptions]-?: Check } = {
  ...outcomeChecks,
  reward: oneOf('outcome', 'trace', 'mean', 'discounted'),
}

/** Reads the scalar of every rollout.
 * @throws TaraError `MISSING` where the outcome of a voter is asked for and not there, `RANGE` where it is not finite; as
 *   `rolloutScores`
 */
export function recordedScores(place: string, batch: TurnBatch, options: RecordedOptions): RolloutScores {
  const { reward } = options
  if (reward !== 'outcome') return rolloutScores(place, batch, { ...options, reward })
  const { outcome, hasOutcome } = batch
  const score = new Float64Array(numRollouts(batch))
  const votes = new Uint8Array(numRollouts(batch))
  for (let g = 0; g < numGroups(batch); g++)
    for (const i of votersOf(batch, g, options.truncated)) {
      if (outcome === undefined || hasOutcome?.[i] !== 1)
        fail(
          'MISSING',
          `${place}: batch.outcome`,
          'a score of each rollout (the option reward makes one of its turns: "trace", "mean", "discounted")',
          `none for rollout ${i - batch.groupPtr[g]!} of group ${g}`,
        )
      score[i] = asScore(`${place}: batch.outcome[${i}]`, outcome[i])
      votes[i] = 1
    }
  return { score, votes }
}
