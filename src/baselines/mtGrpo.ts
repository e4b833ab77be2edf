/**
 * MT-GRPO: each turn compared with the same turn of the group, and the whole rollout with the other rollouts.
 *
 *     A[i,t] = (r[i,t] − μ_t) / σ_t + λ·(R_i − μ_R) / σ_R
 *
 * A turn is credited for itself and for the outcome, but not for what follows it. λ = 0 is TARA's local part.
 */
import { checkRewards, turnOut } from '../advantage/check.js'
import { type Normalization, normalize } from '../advantage/moments.js'
import { normalizationChecks } from '../advantage/options.js'
import type { TurnBatch } from '../batch/layout.js'
import { resolveOptions } from '../options.js'
import { compareInGroups, outcomeDefaults } from './outcome.js'
import { type RecordedOptions, recordedChecks, recordedScores } from './recorded.js'
import { compareAtTurns, groupVotes, votingTurns } from './turns.js'
import { aWeight } from './weight.js'

export interface MtGrpoOptions extends RecordedOptions, Normalization {
  /** Weight of the outcome part, 0 … 1e6. */
  readonly lambda: number
}

/** Those of Atropos: population σ, no ε, λ = 1. The original's are `correction` 1 and `epsilon` 1e-4. */
export const mtGrpoDefaults: Readonly<MtGrpoOptions> = Object.freeze({
  ...outcomeDefaults,
  reward: 'outcome',
  lambda: 1,
  epsilon: 0,
  scale: 'std',
  correction: 0,
  baseline: 'mean',
})

/** Computes MT-GRPO: the normalized turn reward plus λ times the normalized outcome. arXiv 2505.11821.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `mtGrpoDefaults`; R is `batch.outcome` unless `reward` makes it of the turns
 * @param out - `[numTurns]`, dimensionless; shares no memory with the rewards or the outcome
 * @throws TaraError `MISSING` without an outcome; `OPTION`, `RANGE`, `LENGTH`, `TYPE`, `MISMATCH` (shared memory)
 */
export function mtGrpo(batch: TurnBatch, options?: Partial<MtGrpoOptions>, out?: Float64Array): Float64Array {
  const resolved = resolveOptions<MtGrpoOptions>('mtGrpo', options, mtGrpoDefaults, {
    ...recordedChecks,
    ...normalizationChecks,
    lambda: aWeight,
  })
  const { lambda } = resolved
  checkRewards('mtGrpo', batch, resolved.realRewards)
  const advantage = turnOut('mtGrpo: out', out, batch, { 'batch.outcome': batch.outcome })
  const scores = recordedScores('mtGrpo', batch, resolved)
  compareInGroups(batch, scores, (x, n) => normalize(x, n, resolved))

  const votes = groupVotes(batch, resolved)
  const local = batch.reward.slice()
  compareAtTurns(batch, votes, local, (x, n) => normalize(x, n, resolved))
  advantage.fill(0)
  for (const group of votes)
    for (const i of group.voters)
      for (const j of votingTurns(batch, group, i)) advantage[j] = local[j]! + lambda * scores.score[i]!
  return advantage
}
