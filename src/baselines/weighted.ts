/**
 * Mean and σ of values that count several times: a rollout's value once for each of its tokens.
 *
 *     μ = Σ w·x / Σ w,   σ² = Σ w·(x − μ)² / (Σ w − correction)
 *
 * Taken of (x − min) / (max − min), so that squares neither overflow nor vanish.
 */
import type { Moments } from '../advantage/moments.js'

export interface WeightedMoments extends Moments {
  /** Whether all values that weigh something are equal, exactly; then σ is 0. None, or one, is flat too. */
  readonly isFlat: boolean
}

/** Computes μ and σ.
 * @param x - finite
 * @param weight - whole numbers, 0 or more; as long as `x`
 */
export function weightedMoments(
  x: Float64Array,
  weight: ArrayLike<number>,
  correction: 0 | 1,
): WeightedMoments {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let total = 0
  for (let k = 0; k < x.length; k++) {
    if (weight[k] === 0) continue
    min = Math.min(min, x[k]!)
    max = Math.max(max, x[k]!)
    total += weight[k]!
  }
  if (!(max > min)) return { mean: total === 0 ? 0 : min, std: 0, isFlat: true }
  const range = max - min
  let sum = 0
  for (let k = 0; k < x.length; k++) if (weight[k] !== 0) sum += weight[k]! * ((x[k]! - min) / range)
  const mean = sum / total
  let squares = 0
  for (let k = 0; k < x.length; k++)
    if (weight[k] !== 0) squares += weight[k]! * ((x[k]! - min) / range - mean) ** 2
  return { mean: min + mean * range, std: range * Math.sqrt(squares / (total - correction)), isFlat: false }
}
