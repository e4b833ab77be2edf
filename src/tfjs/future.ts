/**
 * Gated future value on tensors.
 *
 *     S[t] = Σ_{k≥0} γ^k·r[t+k+1];   V[t] = δ[t]·S[t]            (Eq. 3)
 *
 * The sum is taken by doubling, in ⌈log₂ T⌉ steps: S₁[t] = r[t+1], S₂ₙ[t] = Sₙ[t] + γⁿ·Sₙ[t+n]. Every element goes
 * through the same additions in the same order, so that rollouts with the same rewards after t have bit by bit
 * the same S[t]; a matrix product promises no such thing.
 */
import type { Tensor, Tf } from './ops.js'

/** x moved n turns to the front, zeros behind it. */
function ahead(tf: Tf, x: Tensor, n: number): Tensor {
  const [G, T, K] = x.shape as [number, number, number]
  if (n >= T) return tf.zerosLike(x)
  return tf.concat([tf.slice(x, [0, n, 0], [G, T - n, K]), tf.zeros([G, n, K])], 1)
}

/** Computes V. Eq. 3, or Eq. 7's V. Call it inside `tf.tidy`.
 * @param reward - `[G, T, K]` float32
 * @param gate - δ, `[G, T, K]` float32 in [0, 1]; all 1 where it is not given
 */
export function futureValue(
  tf: Tf,
  reward: Tensor,
  gate: Tensor | undefined,
  gamma: number,
  index: 'eq3' | 'eq7',
): Tensor {
  const T = reward.shape[1]!
  let sum = ahead(tf, reward, 1)
  let weight = gamma
  for (let n = 1; n < T - 1 && weight > 0; n *= 2) {
    sum = tf.add(sum, tf.mul(ahead(tf, sum, n), weight))
    weight *= weight
  }
  const first = index === 'eq3' ? sum : tf.mul(sum, gamma)
  return gate === undefined ? first : tf.mul(gate, first)
}
