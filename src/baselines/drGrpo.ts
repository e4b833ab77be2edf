/**
 * Dr. GRPO: GRPO that only centers.
 *
 *     A[i,t] = R_i − μ
 *
 * Dividing by σ gives easy and hard tasks more weight than those in between; this does not. Its loss also divides the sum
 * over tokens by a constant in place of each rollout's own length. That is a matter of token weights, not of A.
 */
import { normalize } from '../advantage/moments.js'
import type { TurnBatch } from '../batch/layout.js'
import { resolveOptions } from '../options.js'
import { type OutcomeOptions, outcomeAdvantage, outcomeChecks, outcomeDefaults } from './outcome.js'

export type DrGrpoOptions = OutcomeOptions

export const drGrpoDefaults: Readonly<DrGrpoOptions> = outcomeDefaults

/** Computes Dr. GRPO's advantage: R − μ of the rollout, at each of its turns. arXiv 2503.20783.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `drGrpoDefaults`
 * @param out - `[numTurns]`, reward units; shares no memory with the rewards
 * @throws TaraError `OPTION`, `RANGE`, `LENGTH`, `TYPE`, `MISMATCH` (shared memory)
 */
export function drGrpo(batch: TurnBatch, options?: Partial<DrGrpoOptions>, out?: Float64Array): Float64Array {
  const resolved = resolveOptions<DrGrpoOptions>('drGrpo', options, drGrpoDefaults, outcomeChecks)
  return outcomeAdvantage('drGrpo', batch, resolved, center, out)
}

/** Subtracts the mean of `x[0 … n-1]` in place; all +0 where they are equal. */
export function center(x: Float64Array, n: number): void {
  normalize(x, n, { scale: 'none', baseline: 'mean', epsilon: 0, correction: 0 })
}
