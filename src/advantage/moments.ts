/**
 * Normalization of one turn over the rollouts that vote at it.
 *
 *     z = (x − μ) / (σ + ε),   z = 0 where all x are equal            (Eq. 2, 4, 19–26)
 *
 * "All equal" is Σ|x − x₀| = 0, which holds exactly where max = min; σ and ε never decide it. Moments are taken of
 * d = x − x₀, scaled by a power of two where squares would overflow or underflow:
 *
 *     nσ² = Σ d² − (Σ d)²/n
 *
 * The shift keeps Σ d² below n²σ², so that the difference loses at most a factor of n; above `ONE_PASS` values
 * a second pass takes the squares of d − mean. A column of zeros and ones is counted, not summed, so that its
 * result does not depend on the order of the rollouts. `kernels/` does the same, operation by operation.
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

/** What one value of a column of c ones among n becomes. */
export interface BinaryScores {
  readonly passed: number
  readonly failed: number
}

/** c ones among n: (n − c)/(√(c(n−c)) + εn), and zeros −c/(√(c(n−c)) + εn). Both sides of the fraction are times n. */
export function binaryScores(n: number, c: number, rule: Normalization): BinaryScores {
  if (c === 0 || c === n) return { passed: 0, failed: 0 }
  const { epsilon, scale, correction, baseline } = rule
  let divisor = n
  if (scale === 'std') {
    const square = c * (n - c) // n²σ², for a divisor of n
    divisor = Math.sqrt(correction === 0 ? square : (square * n) / (n - 1)) + epsilon * n
  }
  if (baseline === 'leave-one-out') divisor *= (n - 1) / n
  return { passed: (n - c) / divisor, failed: -c / divisor }
}

function normalizeBinary(x: Float64Array, n: number, c: number, rule: Normalization): void {
  const { passed, failed } = binaryScores(n, c, rule)
  for (let k = 0; k < n; k++) x[k] = x[k]! * passed + (1 - x[k]!) * failed // one of the two is 0
}

function normalizeReal(x: Float64Array, n: number, rule: Normalization): void {
  const { epsilon, scale, correction, baseline } = rule
  const { unit, mean, squares } = shift(x, n)
  if (unit === 0) {
    x.fill(0, 0, n)
    return
  }
  const divisor = scale === 'std' ? Math.sqrt(squares / (n - correction)) + epsilon * unit : unit
  const stretch = baseline === 'mean' ? 1 : n / (n - 1) // x − μ₋ᵢ = (x − μ)·n/(n−1)
  for (let k = 0; k < n; k++) x[k] = ((x[k]! - mean) * stretch) / divisor + 0
}

/** Most values of which one pass takes the squares. */
export const ONE_PASS = 4096

/** Σ|d| in this range: neither squares nor their sum overflow or lose digits. */
export const ROUGH_LOW: number = 2 ** -440
export const ROUGH_HIGH: number = 2 ** 440

/** A power of two: d times it has squares that are neither 0 nor infinite. */
function unitOf(size: number): number {
  if (size > ROUGH_HIGH) return 2 ** -600
  if (size < ROUGH_LOW) return 2 ** 600
  return 1
}

interface Shifted {
  /** A power of two; 0 where all are equal. */
  readonly unit: number
  /** Mean of (x − x₀)·unit. */
  readonly mean: number
  /** nσ², times unit². */
  readonly squares: number
}

/** Replaces x by (x − x₀)·unit and takes its moments; leaves x alone where all are equal. */
function shift(x: Float64Array, n: number): Shifted {
  const first = x[0]!
  let size = 0
  for (let k = 0; k < n; k++) size += Math.abs(x[k]! - first)
  if (size === 0) return { unit: 0, mean: 0, squares: 0 }
  const unit = unitOf(size)
  let sum = 0
  let squares = 0
  for (let k = 0; k < n; k++) {
    const d = (x[k]! - first) * unit
    sum += d
    squares += d * d
    x[k] = d
  }
  const mean = sum / n
  if (n <= ONE_PASS) return { unit, mean, squares: squares - sum * mean }
  squares = 0
  for (let k = 0; k < n; k++) squares += (x[k]! - mean) ** 2
  return { unit, mean, squares }
}

/** Computes the mean and σ that `normalize` uses; σ is exactly 0 where all are equal, both are 0 where there are none. */
export function moments(x: Float64Array, n: number, correction: 0 | 1): Moments {
  if (n === 0) return { mean: 0, std: 0 }
  const first = x[0]!
  const { unit, mean, squares } = shift(x.slice(0, n), n)
  if (unit === 0) return { mean: first + 0, std: 0 }
  return { mean: first + mean / unit + 0, std: Math.sqrt(squares / (n - correction)) / unit }
}
