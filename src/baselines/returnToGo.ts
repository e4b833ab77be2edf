/**
 * Return-to-go, compared turn by turn: add up first, center once.
 *
 *     G[i,t] = Σ_{k≥0} γ^k·r[i,t+k],   A[i,t] = (G[i,t] − μ_t) / (σ_t + ε)
 *
 * μ and σ are those of the rollouts that reached the turn; who did is decided before the turn is played, so that A is unbiased
 * where the number of turns varies (self-inclusion and σ aside). It has no gate: a turn that failed is paid for later success.
 */
import { checkRewards, turnOut } from '../advantage/check.js'
import { type Normalization, normalize } from '../advantage/moments.js'
import { normalizationChecks, type VoteOptions, voteChecks } from '../advantage/options.js'
import type { TurnBatch } from '../batch/layout.js'
import { between, resolveOptions } from '../options.js'
import { compareAtTurns, groupVotes, sumsToGo } from './turns.js'

export interface ReturnToGoOptions extends Normalization, VoteOptions {
  /** γ, 0 … 1. */
  readonly gamma: number
}

export const returnToGoDefaults: Readonly<ReturnToGoOptions> = Object.freeze({
  gamma: 0.5,
  epsilon: 1e-6,
  scale: 'std',
  correction: 0,
  baseline: 'mean',
  unreached: undefined,
  truncated: 'fail',
  realRewards: false,
})

/** Computes the discounted return-to-go of each turn, normalized over the rollouts that vote at it.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `returnToGoDefaults`
 * @param out - `[numTurns]`, dimensionless; shares no memory with the rewards
 * @throws TaraError `OPTION`, `RANGE`, `LENGTH`, `TYPE`, `MISMATCH` (shared memory)
 */
export function returnToGo(
  batch: TurnBatch,
  options?: Partial<ReturnToGoOptions>,
  out?: Float64Array,
): Float64Array {
  const resolved = resolveOptions<ReturnToGoOptions>('returnToGo', options, returnToGoDefaults, {
    ...normalizationChecks,
    ...voteChecks,
    gamma: between(0, 1),
  })
  checkRewards('returnToGo', batch, resolved.realRewards)
  const advantage = turnOut('returnToGo: out', out, batch)
  const votes = groupVotes(batch, resolved)
  sumsToGo(batch, votes, batch.reward, resolved.gamma, advantage)
  compareAtTurns(batch, votes, advantage, (x, n) => normalize(x, n, resolved))
  return advantage
}
