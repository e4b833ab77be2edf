/**
 * Whitening: the last step of estimators that normalize over the whole batch.
 *
 *     A = (x − μ) / d,   d = √(σ² + ε) ("root"), √max(σ², ε) ("floor") or σ + ε ("std"),  1 where that is 0
 *
 * μ and σ run over all trained tokens of the batch, so that long rollouts weigh more, or over its rollouts. Where all
 * values are equal, the result is exactly 0.
 */
import { numRollouts, type TurnBatch } from '../batch/layout.js'
import type { RolloutScores } from './outcome.js'
import { readTurnTokens, rolloutTokens, type TurnTokens } from './turnTokens.js'
import { weightedMoments } from './weighted.js'

export interface Whitening {
  /** What counts once. */
  readonly over: 'tokens' | 'rollouts'
  readonly correction: 0 | 1
  readonly epsilon: number
  /** Where ε stands. */
  readonly form: 'root' | 'floor' | 'std'
}

export type WhiteningName = 'verl' | 'openrlhf' | 'nemo' | 'rllm'

/** The last steps of public trainers. */
export const whitenings: Readonly<Record<WhiteningName, Whitening>> = Object.freeze({
  verl: Object.freeze({ over: 'tokens', correction: 1, epsilon: 1e-8, form: 'root' }),
  openrlhf: Object.freeze({ over: 'tokens', correction: 0, epsilon: 1e-8, form: 'floor' }),
  nemo: Object.freeze({ over: 'tokens', correction: 0, epsilon: 1e-8, form: 'floor' }),
  rllm: Object.freeze({ over: 'rollouts', correction: 0, epsilon: 1e-6, form: 'std' }),
})

function divisorOf(std: number, { epsilon, form }: Whitening): number {
  const divisor = {
    root: Math.hypot(std, Math.sqrt(epsilon)),
    floor: Math.max(std, Math.sqrt(epsilon)),
    std: std + epsilon,
  }[form]
  return divisor === 0 ? 1 : divisor
}

/** Bound on the rounding error of a computed mean: (n + 4)·2⁻⁵²·max|x|, as each of n additions and of the four other steps
 * errs by at most 2⁻⁵³ of the range, and the range is at most 2·max|x|. A mean inside of it cannot be told from 0. */
function meanError(x: Float64Array, weight: ArrayLike<number>): number {
  let n = 0
  let size = 0
  for (let k = 0; k < x.length; k++) {
    if (weight[k] === 0) continue
    n++
    size = Math.max(size, Math.abs(x[k]!))
  }
  return (n + 4) * Number.EPSILON * size
}

/** Whitens `x` in place. A mean that is rounding noise is not subtracted, so that a 0 stays 0 among centered values.
 * @param x - finite; left dimensionless, without −0
 * @param weight - as long as `x`: how often each value counts; a value that counts 0 times is changed like the others
 */
export function whiten(x: Float64Array, weight: ArrayLike<number>, rule: Whitening): void {
  const { mean: computed, std, isFlat } = weightedMoments(x, weight, rule.correction)
  const mean = Math.abs(computed) <= meanError(x, weight) ? 0 : computed
  const divisor = divisorOf(std, rule)
  for (let k = 0; k < x.length; k++) x[k] = isFlat ? 0 : (x[k]! - mean) / divisor + 0
}

/** How often each rollout counts in the last step, `[numRollouts]`.
 * @throws TaraError as `readTurnTokens` where the step runs over tokens
 */
export function countsOf(
  place: string,
  batch: TurnBatch,
  { over }: Whitening,
  turnTokens: TurnTokens | undefined,
): Float64Array {
  if (over === 'rollouts') return new Float64Array(numRollouts(batch)).fill(1)
  return rolloutTokens(batch, readTurnTokens(place, batch, turnTokens))
}

/** Whitens the values of the voters in place. */
export function whitenRollouts({ score, votes }: RolloutScores, rule: Whitening, counts: Float64Array): void {
  whiten(
    score,
    counts.map((count, i) => count * votes[i]!),
    rule,
  )
}
