/**
 * Each value against the others: mean and σ are taken without it.
 *
 *     A[i] = (x[i] − μ₋ᵢ) / (σ₋ᵢ + ε)  where σ₋ᵢ > 0,  else x[i] − μ₋ᵢ
 *
 * σ₋ᵢ divides by the number of the others less 1; of a single other it is 0. Whether the others are all equal is decided
 * by comparing them. `baseline: 'leave-one-out'` of the other estimators takes only the mean without x[i].
 */
import { moments } from '../advantage/moments.js'

/** Normalizes `x[0 … n-1]` in place, all +0 where they are equal or fewer than two.
 * @param x - `[≥ n]` finite; left dimensionless where σ₋ᵢ > 0, else in reward units
 */
export function normalizeLeaveOneOut(x: Float64Array, n: number, epsilon: number): void {
  const values = x.slice(0, n)
  if (values.every((value) => value === values[0])) {
    x.fill(0, 0, n)
    return
  }
  const others = values.slice(1)
  for (let i = 0; i < n; i++) {
    if (i > 0) others[i - 1] = values[i - 1]! // all but i, where it was all but i − 1
    const { mean, std } = moments(others, n - 1, 1)
    x[i] = (values[i]! - mean) / (std > 0 ? std + epsilon : 1) + 0
  }
}
