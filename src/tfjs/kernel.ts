/**
 * TARA on float32 tensors with the rollouts along the last axis, `[G, T, K]`. Checks nothing.
 *
 *     A_local = z(r),   A_future = z(V),   A = A_local + λ·A_future       (Eq. 2–5)
 *
 * How far a column may be off: `columnBound`.
 */
import type { Normalization } from '../advantage/moments.js'
import { futureValue } from './future.js'
import { type NormalColumns, normalizeColumns, type Voters } from './normalize.js'
import type { Tensor, Tf } from './ops.js'

export interface KernelOptions extends Normalization {
  readonly gamma: number
  readonly lambda: number
  readonly futureIndex: 'eq3' | 'eq7'
}

export interface KernelInput {
  /** `[G, T, K]` float32; 0 for who was not reached or does not count. */
  readonly reward: Tensor
  /** δ, `[G, T, K]` float32; all 1 where it is not given. */
  readonly gate: Tensor | undefined
  readonly voters: Voters
}

export interface KernelResult {
  readonly advantage: Tensor
  readonly local: NormalColumns
  readonly future: NormalColumns
}

/** Computes both parts and their sum. Call it inside `tf.tidy`. */
export function taraKernel(
  tf: Tf,
  { reward, gate, voters }: KernelInput,
  options: KernelOptions,
): KernelResult {
  const V = futureValue(tf, reward, gate, options.gamma, options.futureIndex)
  const local = normalizeColumns(tf, reward, voters, options)
  const future = normalizeColumns(tf, V, voters, options)
  return { advantage: tf.add(local.z, tf.mul(future.z, options.lambda)), local, future }
}

/** Half the distance of float32 numbers next to 1. */
const U32 = 2 ** -24

/** In place of a bound: the column is flat in float32 though not all 0. Whether it is in float64 is not known here. */
export const FLAT = -1

/** Bounds the float32 error of a column but for rounding of the result itself: 32·u·max|x| / (σ + ε); 0 where all is 0.
 * @returns `[G, T, 1]`, dimensionless (reward units where the scale is `none`); `FLAT` where all are equal and not 0
 */
export function columnBound(tf: Tf, { size, std, isFlat }: NormalColumns, rule: Normalization): Tensor {
  const error = tf.mul(size, 32 * U32)
  const bound = rule.scale === 'std' ? tf.div(error, tf.add(std, rule.epsilon)) : error
  const ofFlat = tf.mul(tf.cast(tf.less(0, size), 'float32'), FLAT)
  return tf.where(isFlat, ofFlat, bound)
}
