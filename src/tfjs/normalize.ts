/**
 * Normalization of turns over their voters, on float32 tensors: what `advantage/moments.ts` does in float64.
 *
 *     z = (x − μ) / (σ + ε),   z = +0 where max = min                       (Eq. 2, 4, 19–26)
 *
 * The rollouts lie along the last axis: `[G, T, K]`. The minimum is subtracted before the mean is taken, and squares are
 * taken of deviations over the range, so that they neither overflow nor vanish; for rewards of 0 and 1 both change
 * nothing. Whether a column is flat is decided by max and min alone, never by σ.
 */
import type { Normalization } from '../advantage/moments.js'
import type { Tensor, Tf } from './ops.js'

/** Who votes. Without a mask all K do. */
export interface Voters {
  /** `[G, T, K]` bool. */
  readonly mask?: Tensor
  /** K, or `[G, T, 1]` float32 where there is a mask. */
  readonly count: number | Tensor
}

export interface NormalColumns {
  /** `[G, T, K]` dimensionless; +0 for who does not vote. */
  readonly z: Tensor
  /** `[G, T, 1]` largest |x| of the voters, reward units. */
  readonly size: Tensor
  /** `[G, T, 1]` σ, reward units. */
  readonly std: Tensor
  /** `[G, T, 1]` bool: max = min, or nobody votes. */
  readonly isFlat: Tensor
}

/** Beyond every reward, and the difference of two is still finite. */
const FAR = 1e38

/** The least and the largest voter of each turn, `[G, T, 1]`. */
function extremes(tf: Tf, x: Tensor, mask: Tensor | undefined): { min: Tensor; max: Tensor } {
  if (mask === undefined) return { min: tf.min(x, 2, true), max: tf.max(x, 2, true) }
  const far = tf.add(tf.zerosLike(x), FAR)
  return {
    min: tf.min(tf.where(mask, x, far), 2, true),
    max: tf.max(tf.where(mask, x, tf.sub(0, far)), 2, true),
  }
}

/** Normalizes each turn over its voters. Call it inside `tf.tidy`.
 * @param x - `[G, T, K]` float32, finite, below 1e37/K in size
 */
export function normalizeColumns(tf: Tf, x: Tensor, voters: Voters, rule: Normalization): NormalColumns {
  const { epsilon, scale, correction, baseline } = rule
  const { mask, count } = voters
  const { min, max } = extremes(tf, x, mask)
  const isFlat = tf.lessEqual(max, min)
  const range = tf.add(tf.sub(max, min), tf.cast(isFlat, 'float32')) // 1 where flat: nothing is divided by 0
  const of = (values: Tensor): Tensor =>
    mask === undefined ? values : tf.mul(values, tf.cast(mask, 'float32'))
  const less = (by: number): number | Tensor =>
    typeof count === 'number' ? Math.max(count - by, 1) : tf.maximum(tf.sub(count, by), 1)

  const above = of(tf.sub(x, min))
  const deviation = tf.sub(above, tf.div(tf.sum(above, 2, true), less(0)))
  const share = tf.div(deviation, range) // −1 … 1
  const sigma = tf.sqrt(tf.div(tf.sum(of(tf.square(share)), 2, true), less(correction)))
  const stretch = baseline === 'mean' ? 1 : tf.div(less(0), less(1)) // x − μ₋ᵢ = (x − μ)·n/(n − 1)
  const scaled = scale === 'std' ? tf.div(share, tf.add(sigma, tf.div(epsilon, range))) : deviation
  const z = tf.mul(scaled, stretch)

  const isNothing = tf.logicalOr(isFlat, tf.equal(z, 0)) // −0 equals 0
  const isZero = mask === undefined ? isNothing : tf.logicalOr(isNothing, tf.logicalNot(mask))
  return {
    z: tf.where(isZero, tf.zerosLike(z), z),
    size: tf.maximum(max, tf.sub(0, min)),
    std: tf.mul(sigma, range),
    isFlat,
  }
}
