/**
 * RLOO: each rollout against the mean of the others.
 *
 *     A[i,t] = R_i − mean_{j≠i} R_j = n/(n−1) · (R_i − μ)
 */
import { normalize } from '../advantage/moments.js'
import type { TurnBatch } from '../batch/layout.js'
import { resolveOptions } from '../options.js'
import { type GroupOfOne, groupOfOneCheck, withGroupOfOne } from './groupOfOne.js'
import { type OutcomeOptions, outcomeAdvantage, outcomeChecks, outcomeDefaults } from './outcome.js'

export interface RlooOptions extends OutcomeOptions {
  /** Value of a lone voter: verl and rLLM take its raw scalar. */
  readonly groupOfOne: GroupOfOne
}

export const rlooDefaults: Readonly<RlooOptions> = Object.freeze({ ...outcomeDefaults, groupOfOne: 'zero' })

/** Computes RLOO's advantage: R − mean of the others' R, at each turn of the rollout. arXiv 2402.14740.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `rlooDefaults`
 * @param out - `[numTurns]`, reward units; shares no memory with the rewards
 * @throws TaraError `OPTION`, `RANGE`, `LENGTH`, `TYPE`, `MISMATCH` (shared memory), `SINGLETONS`
 */
export function rloo(batch: TurnBatch, options?: Partial<RlooOptions>, out?: Float64Array): Float64Array {
  const resolved = resolveOptions<RlooOptions>('rloo', options, rlooDefaults, {
    ...outcomeChecks,
    groupOfOne: groupOfOneCheck,
  })
  const formula = withGroupOfOne('rloo', resolved.groupOfOne, (x, n) =>
    normalize(x, n, { scale: 'none', baseline: 'leave-one-out', epsilon: 0, correction: 0 }),
  )
  return outcomeAdvantage('rloo', batch, resolved, formula, out)
}
