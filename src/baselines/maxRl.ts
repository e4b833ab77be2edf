/**
 * MaxRL: the group's success rate as the divisor, so that the rare success of a hard task weighs more.
 *
 *     A[i,t] = (R_i − μ) / (μ + ε)
 *
 * Undefined for μ ≤ 0, where dividing would turn every sign around: an error, unless all R are 0. It asks before the zero
 * rule does: two equal negative rewards are an error too.
 */
import { moments } from '../advantage/moments.js'
import type { TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import { aNonNegative, resolveOptions } from '../options.js'
import { center } from './drGrpo.js'
import { type OutcomeOptions, outcomeAdvantage, outcomeChecks, outcomeDefaults } from './outcome.js'

export interface MaxRlOptions extends OutcomeOptions {
  /** ε, added to μ: 1e-6 as SkyRL has it; prime-rl adds none. */
  readonly epsilon: number
}

export const maxRlDefaults: Readonly<MaxRlOptions> = Object.freeze({ ...outcomeDefaults, epsilon: 1e-6 })

/** Computes MaxRL's advantage: (R − μ) / (μ + ε) of the rollout, at each of its turns.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `maxRlDefaults`
 * @param out - `[numTurns]`, dimensionless; shares no memory with the rewards
 * @throws TaraError `RANGE` for a group whose mean is not positive, unless all are 0; `OPTION`, `LENGTH`, `TYPE`,
 *   `MISMATCH` (shared memory)
 */
export function maxRl(batch: TurnBatch, options?: Partial<MaxRlOptions>, out?: Float64Array): Float64Array {
  const resolved = resolveOptions<MaxRlOptions>('maxRl', options, maxRlDefaults, {
    ...outcomeChecks,
    epsilon: aNonNegative,
  })
  return outcomeAdvantage(
    'maxRl',
    batch,
    resolved,
    (x, n, _rollouts, group) => {
      if (x.subarray(0, n).every((value) => value === 0)) return
      const { mean } = moments(x, n, 0)
      if (!(mean > 0))
        fail(
          'RANGE',
          `maxRl: group ${group}`,
          'a mean above 0, or rewards that are all 0',
          `a mean of ${show(mean)}`,
        )
      center(x, n)
      for (let k = 0; k < n; k++) {
        x[k] = x[k]! / (mean + resolved.epsilon)
        if (!Number.isFinite(x[k]))
          fail('RANGE', `maxRl: group ${group}`, 'a mean that the rewards can be divided by', show(mean))
      }
    },
    out,
  )
}
