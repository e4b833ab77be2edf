/**
 * REINFORCE: the rollout's own scalar, compared with nothing.
 *
 *     A[i,t] = R_i
 *
 * Not 0 where all rollouts of a group are equal, nor for a group of one, as nothing is compared.
 */
import type { TurnBatch } from '../batch/layout.js'
import { resolveOptions } from '../options.js'
import { type OutcomeOptions, outcomeAdvantage, outcomeChecks, outcomeDefaults } from './outcome.js'

export type ReinforceOptions = OutcomeOptions

export const reinforceDefaults: Readonly<ReinforceOptions> = outcomeDefaults

/** Gives each turn the scalar of its rollout. Williams 1992.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `reinforceDefaults`
 * @param out - `[numTurns]`, reward units; shares no memory with the rewards
 * @throws TaraError `OPTION`, `RANGE`, `LENGTH`, `TYPE`, `MISMATCH` (shared memory)
 */
export function reinforce(
  batch: TurnBatch,
  options?: Partial<ReinforceOptions>,
  out?: Float64Array,
): Float64Array {
  const resolved = resolveOptions<ReinforceOptions>('reinforce', options, reinforceDefaults, outcomeChecks)
  return outcomeAdvantage('reinforce', batch, resolved, () => {}, out)
}
