/**
 * TARA for a trainer that holds its rewards in tensors.
 */
import { taraKernel } from './kernel.js'
import type { Voters } from './normalize.js'
import { asShape, checkTf, isTensor, type Tensor, type Tf } from './ops.js'
import { resolveTensors, type TensorOptions } from './options.js'

/** TARA and its parts, `[G, K, T]` float32 each, dimensionless. The caller disposes of them. */
export interface TensorParts {
  /** A. Eq. 5. */
  readonly advantage: Tensor
  /** A_local. Eq. 2. */
  readonly local: Tensor
  /** A_future, before λ. Eq. 4. */
  readonly future: Tensor
}

/** `[G, K, T]` to `[G, T, K]`, and back. */
const turned = (tf: Tf, x: Tensor): Tensor => tf.transpose(x, [0, 2, 1])

/** Where a turn votes, `[G, T, K]` bool; `undefined` where all do. */
function both(tf: Tf, a: Tensor | undefined, b: Tensor | undefined): Tensor | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return tf.logicalAnd(a, b)
}

/** Computes TARA on tensors: A = A_local + λ·A_future. Eq. 2–5, in float32.
 *
 * Only ops that cpu, wasm, webgpu and tfjs-node have. Nothing is read back, and so no value is checked: rewards have to be
 * finite and below 1e37/K in size, and in [0, 1] for the gate `reward`. The result is within
 * 1e-6·√K + 32·2⁻²⁴·max|x| / (σ + ε) of float64 in each part, x being r or V of a turn: little for rewards of 0 and 1, much
 * where values differ in their last digits only. All K equal give exactly +0; equal means equal in float32. For long
 * traces, or where that matters, `taraOnTensors` sends the columns in doubt to the float64 core.
 *
 * @param tf - tfjs with a backend that is ready
 * @param rewards - `[G, K, T]` groups, rollouts, turns; any dtype
 * @param options - see `tensorDefaults`; what `tara` takes, and the masks `reached` and `valid`
 * @returns new tensors; those given are left alone
 * @throws TaraError `TYPE`, `LENGTH` (shapes), `OPTION`
 */
export function taraTensors(tf: Tf, rewards: Tensor, options?: Partial<TensorOptions>): TensorParts {
  checkTf('taraTensors', tf)
  const shape = asShape('taraTensors: rewards', rewards, [undefined, undefined, undefined]).shape
  const resolved = resolveTensors('taraTensors', shape, options)
  const [G, K, T] = shape as [number, number, number]
  if (G * K * T === 0) return { advantage: tf.zeros(shape), local: tf.zeros(shape), future: tf.zeros(shape) }
  const { gate, reached, valid, unreached } = resolved
  return tf.tidy(() => {
    const given = turned(tf, tf.cast(rewards, 'float32'))
    const zeros = tf.zerosLike(given)
    const full = (mask: Tensor): Tensor => tf.logicalNot(tf.equal(tf.add(zeros, tf.cast(mask, 'float32')), 0))
    const isReached = reached && full(turned(tf, reached))
    const isValid = valid && full(tf.reshape(valid, [G, 1, K]))
    const counts = both(tf, isReached, isValid)
    const reward = counts === undefined ? given : tf.where(counts, given, zeros)
    const mask = unreached === 'exclude' ? counts : isValid
    const voters: Voters =
      mask === undefined ? { count: K } : { mask, count: tf.sum(tf.cast(mask, 'float32'), 2, true) }
    const result = taraKernel(tf, { reward, gate: gateOf(tf, gate, reward), voters }, resolved)
    return {
      advantage: turned(tf, result.advantage),
      local: turned(tf, result.local.z),
      future: turned(tf, result.future.z),
    }
  })
}

/** δ of every turn, `[G, T, K]`; `undefined` where all are open. */
function gateOf(tf: Tf, gate: TensorOptions['gate'], reward: Tensor): Tensor | undefined {
  if (gate === 'none') return undefined
  if (gate === 'reward') return reward
  if (isTensor(gate)) return turned(tf, tf.cast(gate, 'float32'))
  return tf.cast(tf.greaterEqual(reward, gate.threshold), 'float32')
}
