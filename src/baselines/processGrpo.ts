/**
 * GRPO with process rewards: all turn rewards of a group in one pool, normalized, then added up.
 *
 *     z = (r − μ_pool) / (σ_pool + ε),   A[i,t] = Σ_{u≥t} γ^{u−t}·z[i,u]
 *
 * Normalize-then-accumulate: how many baselines a turn is charged depends on how many turns follow. Where the policy decides
 * that, the gradient is biased: another turn costs the mean of what turns earn. With a fixed T all rollouts are charged alike.
 */
import { checkRewards, turnOut } from '../advantage/check.js'
import { type Normalization, normalize } from '../advantage/moments.js'
import { normalizationChecks, type VoteOptions, voteChecks } from '../advantage/options.js'
import type { TurnBatch } from '../batch/layout.js'
import { between, resolveOptions } from '../options.js'
import { groupVotes, sumsToGo, votingTurns } from './turns.js'

export interface ProcessGrpoOptions extends Normalization, VoteOptions {
  /** γ, 0 … 1. */
  readonly gamma: number
}

/** The paper states neither the divisor of σ nor an ε: population and none, as Atropos has them. */
export const processGrpoDefaults: Readonly<ProcessGrpoOptions> = Object.freeze({
  gamma: 1,
  epsilon: 0,
  scale: 'std',
  correction: 0,
  baseline: 'mean',
  unreached: undefined,
  truncated: 'fail',
  realRewards: false,
})

/** Computes the process form of GRPO: pooled turn rewards, normalized, summed from each turn on. arXiv 2402.03300.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `processGrpoDefaults`
 * @param out - `[numTurns]`, dimensionless; shares no memory with the rewards
 * @throws TaraError `OPTION`, `RANGE`, `LENGTH`, `TYPE`, `MISMATCH` (shared memory)
 */
export function processGrpo(
  batch: TurnBatch,
  options?: Partial<ProcessGrpoOptions>,
  out?: Float64Array,
): Float64Array {
  const resolved = resolveOptions<ProcessGrpoOptions>('processGrpo', options, processGrpoDefaults, {
    ...normalizationChecks,
    ...voteChecks,
    gamma: between(0, 1),
  })
  checkRewards('processGrpo', batch, resolved.realRewards)
  const advantage = turnOut('processGrpo: out', out, batch)
  const votes = groupVotes(batch, resolved)
  for (const group of votes) {
    const index = group.voters.flatMap((i) => votingTurns(batch, group, i))
    const pool = Float64Array.from(index, (j) => batch.reward[j]!)
    normalize(pool, pool.length, resolved)
    for (const [k, j] of index.entries()) advantage[j] = pool[k]!
  }
  sumsToGo(batch, votes, advantage, resolved.gamma, advantage)
  return advantage
}
