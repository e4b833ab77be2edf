/**
 * The clipped surrogate, with one advantage a token.
 *
 *     L = −(1/D) Σ_k w[k]·min(ρ[k]·A[k], clip(ρ[k], 1 − low, 1 + high)·A[k])          (PPO; high ≠ low: DAPO)
 *
 *     token     ρ[k] = π(k) / π_old(k)
 *     turn      ρ[k] = (Π_{j in turn of k} π(j) / π_old(j))^(1/n), n tokens with a weight
 *     sequence  the same over the whole row                                             (GSPO, Eq. 7)
 *
 * The gradient is written out and handed to tfjs as a custom one: tfjs-core alone brings no gradients of its own ops, and
 * a derivative by parts would multiply 0 by infinity where a ratio overflows.
 */
import { fail, show } from '../errors.js'
import { aNonNegative, between, oneOf, optional, resolveOptions } from '../options.js'
import { asShape, checkTf, type Scalar, type Tensor, type Tf } from './ops.js'

/** What the loss is made of, `[B, L]` each: B rows of L tokens, prompt and padding included. */
export interface LossInput {
  /** log π of the tokens, from the model that is trained; float32. The gradient is taken by it. Where it or `oldLogProb` is not
   * finite at a trained token, the loss is NaN, and so is the gradient of all that share its ratio. */
  readonly logProb: Tensor
  /** log π of the model that made the rollouts. */
  readonly oldLogProb: Tensor
  /** A of every token; `tokenTensor` makes it from turns. */
  readonly advantage: Tensor
  /** Not 0 where a token is trained. Default: where it has a weight. What the other tensors hold elsewhere is never used. */
  readonly mask?: Tensor
  /** w ≥ 0, as from `lossWeights`. Default: 1 for all. */
  readonly weights?: Tensor
  /** The turn of each token within its row, which the ratio `turn` needs: 0 … numTurns − 1. Tokens of no turn, −1, are not
   * trained, whatever the ratio. With the ratio `turn` a trained token of a turn from `numTurns` on makes the loss NaN. */
  readonly turn?: Tensor
}

export interface LossOptions {
  readonly ratio: 'token' | 'turn' | 'sequence'
  /** The ratio counts for no less than 1 − clipLow, 0 … 1. */
  readonly clipLow: number
  /** The ratio counts for no more than 1 + clipHigh. */
  readonly clipHigh: number
  /** D > 0: what the sum is divided by. Default: the sum of the weights of trained tokens, which makes a mean. */
  readonly divisor: number | undefined
  /** Turns a row, at most; for the ratio `turn`. */
  readonly numTurns: number | undefined
}

/** The paper names no clip; these are PPO's. GSPO clips at 3e-4 and 4e-4, as a mean of many tokens moves little. */
export const lossDefaults: Readonly<LossOptions> = Object.freeze({
  ratio: 'token',
  clipLow: 0.2,
  clipHigh: 0.2,
  divisor: undefined,
  numTurns: undefined,
})

/** Log ratios beyond it count as it, with a gradient of 0: eᴸ stays finite. */
const MAX_LOG_RATIO = 20

/** Means over the tokens that share a ratio, and back. */
interface Pool {
  /** `[B, L]` → one value a ratio. Sums. */
  readonly gather: (x: Tensor) => Tensor
  /** One value a ratio → `[B, L]`. */
  readonly spread: (x: Tensor) => Tensor
}

function poolOf(tf: Tf, ratio: 'turn' | 'sequence', turn: Tensor | undefined, numTurns: number): Pool {
  if (ratio === 'sequence') return { gather: (x) => tf.sum(x, 1, true), spread: (x) => x }
  const [B, L] = turn!.shape as [number, number]
  const isOf = tf.cast(
    tf.equal(
      tf.reshape(tf.cast(turn!, 'float32'), [B, L, 1]),
      tf.reshape(tf.range(0, numTurns), [1, 1, numTurns]),
    ),
    'float32',
  ) // [B, L, numTurns]
  return {
    gather: (x) => tf.matMul(tf.reshape(x, [B, 1, L]), isOf),
    spread: (x) => tf.reshape(tf.matMul(x, isOf, false, true), [B, L]),
  }
}

const inputNames = ['logProb', 'oldLogProb', 'advantage', 'mask', 'weights', 'turn'] as const

/** Largest tensor of the ratio `turn`, `[B, L, numTurns]`: 1 GB. */
const MAX_POOL = 2 ** 28

const product = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

const aSize = (value: unknown): string | undefined =>
  Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'a whole number above 0'

const aDivisor = (value: unknown): string | undefined =>
  Number.isFinite(value) && (value as number) > 0 ? undefined : 'a finite number above 0'

/** Computes the clipped surrogate loss and its gradient by `logProb`.
 *
 * Log ratios are held within ±20. With ratio `turn` or `sequence` the gradient of a ratio reaches every token that it is the
 * mean of. A batch without a trained token has loss 0.
 * @param input - tensors of one shape `[B, L]`
 * @param options - see `lossDefaults`
 * @returns a scalar; differentiable by `logProb` only
 * @throws TaraError `TYPE`, `LENGTH` (shapes), `OPTION`, `MISSING` (`turn`), `TOO_LARGE` (B·L·numTurns)
 */
export function policyLoss(tf: Tf, input: LossInput, options?: Partial<LossOptions>): Scalar {
  checkTf('policyLoss', tf)
  const resolved = resolveOptions<LossOptions>('policyLoss', options, lossDefaults, {
    ratio: oneOf('token', 'turn', 'sequence'),
    clipLow: between(0, 1),
    clipHigh: aNonNegative,
    divisor: optional(aDivisor),
    numTurns: optional(aSize),
  })
  checkInput(input, resolved)
  const surrogate = tf.customGrad((logProb, save) => {
    const { loss, gradient } = lossAndGradient(tf, logProb as Tensor, input, resolved)
    ;(save as (tensors: Tensor[]) => void)([gradient])
    return {
      value: loss,
      gradFunc: (dy: Tensor, saved: Tensor[]) => tf.mul(dy, saved[0]!),
    }
  })
  return tf.tidy(() => surrogate(input.logProb) as Scalar)
}

function checkInput(input: LossInput, { ratio, numTurns }: LossOptions): void {
  for (const name of Object.keys(input ?? {}))
    if (!inputNames.some((known) => known === name))
      fail('OPTION', `policyLoss: ${name}`, `one of ${inputNames.join(', ')}`, 'an unknown field')
  const shape = asShape('policyLoss: logProb', input?.logProb, [undefined, undefined]).shape
  if (input.logProb.dtype !== 'float32')
    fail('TYPE', 'policyLoss: logProb', 'a float32 tensor', input.logProb.dtype)
  asShape('policyLoss: oldLogProb', input.oldLogProb, shape)
  asShape('policyLoss: advantage', input.advantage, shape)
  for (const name of ['mask', 'weights', 'turn'] as const)
    if (input[name] !== undefined) asShape(`policyLoss: ${name}`, input[name], shape)
  if (product(shape) === 0) fail('LENGTH', 'policyLoss: logProb', 'at least one token', show([]))
  if (ratio === 'turn') {
    if (input.turn === undefined)
      fail('MISSING', 'policyLoss: turn', 'a tensor for the ratio "turn"', show(undefined))
    if (numTurns === undefined)
      fail(
        'OPTION',
        'policyLoss: options.numTurns',
        'the turns of a row for the ratio "turn"',
        show(undefined),
      )
    if (product(shape) * numTurns > MAX_POOL)
      fail('TOO_LARGE', 'policyLoss: options.numTurns', `at most ${MAX_POOL} over all tokens`, `${numTurns}`)
  }
}

/** L, and ∂L/∂log π of every token. */
function lossAndGradient(
  tf: Tf,
  logProb: Tensor,
  input: LossInput,
  { ratio, clipLow, clipHigh, divisor, numTurns }: LossOptions,
): { loss: Tensor; gradient: Tensor } {
  const zeros = tf.zerosLike(logProb)
  const given = input.weights ?? input.mask
  const raw = given === undefined ? tf.add(zeros, 1) : tf.cast(given, 'float32')
  let isTrained = tf.logicalNot(tf.equal(raw, 0))
  if (input.mask !== undefined)
    isTrained = tf.logicalAnd(isTrained, tf.logicalNot(tf.equal(tf.cast(input.mask, 'float32'), 0)))
  if (input.turn !== undefined)
    isTrained = tf.logicalAnd(isTrained, tf.greaterEqual(tf.cast(input.turn, 'float32'), 0))
  const trained = tf.cast(isTrained, 'float32')
  const of = (x: Tensor): Tensor => tf.where(isTrained, x, zeros)
  const weight = input.weights === undefined ? trained : of(raw)

  const gap = of(tf.sub(logProb, tf.cast(input.oldLogProb, 'float32')))
  const pool = ratio === 'token' ? undefined : poolOf(tf, ratio, input.turn, numTurns ?? 1)
  const count = pool && tf.maximum(pool.gather(trained), 1)
  const logRatio = pool === undefined ? gap : tf.div(pool.gather(gap), count!)
  // 0, or NaN for a log ratio that is not finite, which clipping may swallow, and for a turn that is none of the row's
  let broken = tf.mul(tf.add(zeros, pool === undefined ? logRatio : pool.spread(logRatio)), 0)
  if (ratio === 'turn')
    broken = tf.where(tf.less(tf.cast(input.turn!, 'float32'), numTurns!), broken, tf.add(zeros, Number.NaN))
  const held = tf.clipByValue(logRatio, -MAX_LOG_RATIO, MAX_LOG_RATIO)
  const one = tf.exp(held)
  const rho = pool === undefined ? one : tf.add(zeros, pool.spread(one))

  const advantage = of(tf.cast(input.advantage, 'float32'))
  const free = tf.mul(rho, advantage)
  const clipped = tf.mul(tf.clipByValue(rho, 1 - clipLow, 1 + clipHigh), advantage)
  const total = tf.sum(weight)
  const over = divisor ?? tf.add(total, tf.cast(tf.equal(total, 0), 'float32'))
  const loss = tf.div(tf.sub(0, tf.sum(tf.mul(weight, of(tf.add(tf.minimum(free, clipped), broken))))), over)

  // ∂min/∂ρ = A where the free term is the smaller, else 0; ∂ρ/∂log π(j) = ρ/n for each of its n tokens
  const isFree = tf.cast(tf.lessEqual(free, clipped), 'float32')
  const slope = tf.mul(tf.mul(weight, isFree), advantage)
  const isHeld = tf.cast(tf.equal(held, logRatio), 'float32')
  const perRatio = tf.mul(
    isHeld,
    tf.mul(one, pool === undefined ? slope : tf.div(pool.gather(slope), count!)),
  )
  const perToken = of(tf.add(pool === undefined ? perRatio : pool.spread(perRatio), broken))
  return { loss, gradient: tf.div(tf.sub(0, perToken), over) }
}
