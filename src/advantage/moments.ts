/**
 * Normalization of one turn over the rollouts that vote at it.
 *
 *     z = (x − μ) / (σ + ε),   z = 0 where all x are equal            (Eq. 2, 4, 19–26)
 *
 * "All equal" is `max === min`, exactly; σ and ε never decide it. Moments are two-pass and taken of
 * x − min, scaled by a power of two where squares would overflow or underflow. A column of zeros and ones
 * is counted, not summed, so that its result does not depend on the order of the rollouts.
 */

/** How a turn is centered and scaled. */
export interface Normalization {
  /** ε, added to σ. Finite, ≥ 0. */
  readonly epsilon: number
  /** Divide by σ + ε, or only center. */
  readonly scale: 'std' | 'none'
  /** σ divides by n − correction: 0 population, 1 sample. */
  readonly correction: 0 | 1
  /** Center on the mean of all voters, or on the mean of the others. */
  readonly baseline: 'mean' | 'leave-one-out'
}

/** Mean and standard deviation of a turn, in reward units. */
export interface Moments {
  readonly mean: number
  readonly std: number
}

/** Normalizes `x[0 … n-1]` in place: (x − μ) / (σ + ε), all +0 where they are equal or fewer than two.
 * @param x - `[≥ n]` finite, a range of max − min that is finite; left dimensionless, without −0
 */
export function normalize(x: Float64Array, n: number, rule: Normalization): void {
  const c = countOnes(x, n)
  if (c >= 0) normalizeBinary(x, n, c, rule)
  else normalizeReal(x, n, rule)
}

/** How many are 1 where all are 0 or 1; −1 where one is neither. */
function countOnes(x: Float64Array, n: number): number {
  let c = 0
  for (let k = 0; k < n; k++) {
    const value = x[k]!
    if (value * (1 - value) !== 0) return -1 // 0 only for 0 and 1
    c += value
  }
  return c
}

/** c ones among n: (n − c)/(√(c(n−c)) + εn), and zeros −c/(√(c(n−c)) + εn). Both sides of the fraction are times n. */
function normalizeBinary(x: Float64Array, n: number, c: number, rule: Normalization): void {
  if (c === 0 || c === n) {
    x.fill(0, 0, n)
    return
  }
  const { epsilon, scale, correction, baseline } = rule
  let divisor = n
  if (scale === 'std') {
    const square = c * (n - c) // n²σ², for a divisor of n
    divisor = Math.sqrt(correction === 0 ? square : (square * n) / (n - 1)) + epsilon * n
  }
  if (baseline === 'leave-one-out') divisor *= (n - 1) / n
  const passed = (n - c) / divisor
  const failed = -c / divisor
  for (let k = 0; k < n; k++) x[k] = x[k]! * passed + (1 - x[k]!) * failed // one of the two is 0
}

function normalizeReal(x: Float64Array, n: number, rule: Normalization): void {
  let min = x[0]!
  let max = min
  for (let k = 1; k < n; k++) {
    min = Math.min(min, x[k]!)
    max = Math.max(max, x[k]!)
  }
  if (max === min) {
    x.fill(0, 0, n)
    return
  }
  const { epsilon, scale, correction, baseline } = rule
  const unit = unitOf(max - min)
  center(x, n, min, unit)
  const divisor = scale === 'std' ? deviation(x, n, correction) + epsilon * unit : unit
  const stretch = baseline === 'mean' ? 1 : n / (n - 1) // x − μ₋ᵢ = (x − μ)·n/(n−1)
  for (let k = 0; k < n; k++) x[k] = (x[k]! * stretch) / divisor + 0
}

/** A power of two: a range of 5e-324 … 1.8e308 times it has squares that are neither 0 nor infinite. */
function unitOf(range: number): number {
  if (range > 2 ** 500) return 2 ** -600
  if (range < 2 ** -500) return 2 ** 600
  return 1
}

/** Replaces x by its deviation from the mean, times `unit`; returns the mean of (x − min)·unit. */
function center(x: Float64Array, n: number, min: number, unit: number): number {
  let sum = 0
  for (let k = 0; k < n; k++) sum += x[k] = (x[k]! - min) * unit
  const mean = sum / n
  for (let k = 0; k < n; k++) x[k] = x[k]! - mean
  return mean
}

/** σ of n deviations from their mean: √(Σ d² / (n − correction)). */
function deviation(d: Float64Array, n: number, correction: 0 | 1): number {
  let sum = 0
  for (let k = 0; k < n; k++) sum += d[k]! * d[k]!
  return Math.sqrt(sum / (n - correction))
}

/** Computes the mean and σ that `normalize` uses; σ is exactly 0 where all are equal, both are 0 where there are none. */
export function moments(x: Float64Array, n: number, correction: 0 | 1): Moments {
  if (n === 0) return { mean: 0, std: 0 }
  const d = x.slice(0, n)
  const min = d.reduce((a, b) => Math.min(a, b))
  const max = d.reduce((a, b) => Math.max(a, b))
  if (max === min) return { mean: min + 0, std: 0 }
  const unit = unitOf(max - min)
  const mean = min + center(d, n, min, unit) / unit
  return { mean: mean + 0, std: deviation(d, n, correction) / unit }
}
