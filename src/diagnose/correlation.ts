/**
 * Variance and correlation of two columns of numbers, taken of (x − min) / (max − min): squares neither overflow nor vanish.
 *
 *     ρ = Σ (x − μ_x)(y − μ_y) / √(Σ (x − μ_x)² · Σ (y − μ_y)²)
 */

/** Deviations from the mean in units of the range, and what they were made of. */
export interface Centered {
  /** `[n]` (x − μ) / range. */
  readonly deviation: Float64Array
  /** Σ deviation². At least 1/2 where the range is not 0. */
  readonly squares: number
  readonly mean: number
  /** max − min; 0 where all are equal, exactly; Infinity where float64 cannot hold it. */
  readonly range: number
}

/** Centers values; `undefined` where there are none.
 * @param x - finite
 */
export function centered(x: Float64Array): Centered | undefined {
  if (x.length === 0) return undefined
  let min = x[0]!
  let max = min
  for (let k = 1; k < x.length; k++) {
    min = Math.min(min, x[k]!)
    max = Math.max(max, x[k]!)
  }
  const range = max - min
  const deviation = new Float64Array(x.length)
  if (range === 0) return { deviation, squares: 0, mean: min + 0, range }
  let sum = 0
  const unit = Number.isFinite(range) ? 1 : 0.5
  const span = max * unit - min * unit
  for (let k = 0; k < x.length; k++) sum += deviation[k] = (x[k]! * unit - min * unit) / span
  const mean = sum / x.length
  let squares = 0
  for (let k = 0; k < x.length; k++) {
    deviation[k] = deviation[k]! - mean
    squares += deviation[k]! ** 2
  }
  return { deviation, squares, mean: min * (1 - mean) + max * mean + 0, range }
}

/** Variance, the population's; `undefined` where float64 cannot hold it. */
export function varianceOf({ deviation, squares, range }: Centered): number | undefined {
  const variance = (squares / deviation.length) * range * range
  return Number.isFinite(variance) ? variance : undefined
}

/** Pearson's correlation, in [−1, 1]; `undefined` where one of the two does not vary. */
export function correlationOf(x: Centered, y: Centered): number | undefined {
  if (x.range === 0 || y.range === 0) return undefined
  let sum = 0
  for (let k = 0; k < x.deviation.length; k++) sum += x.deviation[k]! * y.deviation[k]!
  return Math.max(-1, Math.min(1, sum / Math.sqrt(x.squares * y.squares))) + 0
}
