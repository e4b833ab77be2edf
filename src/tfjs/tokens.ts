/**
 * Turn tensors → token tensors, by flat indices.
 *
 *     A[token] = A[turn of the token];   fill where there is none
 *
 * One gather over the flat turns. `tf.gather` with `batchDims` is left alone: the wasm backend returns wrong numbers.
 */
import { fail } from '../errors.js'
import { resolveOptions } from '../options.js'
import { type TokenArrayOptions, tokenArrayChecks, tokenArrayDefaults } from '../tokens/array.js'
import { broadcast } from '../tokens/broadcast.js'
import type { SpanArrays } from '../tokens/spans.js'
import { asShape, checkTf, type Tensor, type Tf } from './ops.js'

export interface TokenTurns {
  /** The turn of each token as an index into `batch.reward`; `numTurns` where no trained turn owns it. */
  readonly turn: Int32Array
  /** The same counted within the rollout, −1 where there is none: what `policyLoss` takes as `turn`. */
  readonly rolloutTurn: Int32Array
  /** Turns of the batch. */
  readonly numTurns: number
}

/** `[numTurns]` turns counted within their rollout. */
function countedInRollout(spans: SpanArrays, turnPtr: Int32Array): Float64Array {
  const within = new Float64Array(spans.numTurns)
  for (let i = 0; i + 1 < turnPtr.length; i++)
    for (let j = turnPtr[i]!; j < turnPtr[i + 1]!; j++) within[j] = j - turnPtr[i]!
  return within
}

/** Lists the turn of every token, laid out as `broadcast` lays out its values.
 * @param batch - the one that `spans` come from
 * @param options - layout, side, width and align of `broadcast`
 * @throws TaraError `OPTION`, `MISMATCH` (spans of another batch), `TOO_LARGE`
 */
export function tokenTurns(
  batch: { readonly turnPtr: Int32Array },
  spans: SpanArrays,
  options?: Partial<TokenArrayOptions>,
): TokenTurns {
  const array = resolveOptions('tokenTurns', options, tokenArrayDefaults, tokenArrayChecks)
  const { numTurns } = spans
  const turnsOfBatch = batch.turnPtr[batch.turnPtr.length - 1]
  if (turnsOfBatch !== numTurns)
    fail('MISMATCH', 'tokenTurns: spans', `those of a batch of ${turnsOfBatch} turns`, `${numTurns} turns`)
  const all = Float64Array.from({ length: numTurns }, (_, j) => j)
  const within = countedInRollout(spans, batch.turnPtr)
  return {
    turn: Int32Array.from(broadcast(all, spans, { ...array, fill: numTurns, dtype: 'float64' })),
    rolloutTurn: Int32Array.from(broadcast(within, spans, { ...array, fill: -1, dtype: 'float64' })),
    numTurns,
  }
}

/** Gives every token the value of its turn.
 * @param turnValue - any shape, float32, `numTurns` values in the order of the batch: `[G, K, T]` where all groups are
 *   of one size
 * @param turn - any shape, int32: 0 … numTurns − 1, or numTurns for `fill`
 * @returns a tensor of `turn`'s shape
 * @throws TaraError `TYPE`
 */
export function tokenTensor(tf: Tf, turnValue: Tensor, turn: Tensor, fill = 0): Tensor {
  checkTf('tokenTensor', tf)
  asShape('tokenTensor: turn', turn, turn?.shape ?? [])
  asShape('tokenTensor: turnValue', turnValue, turnValue?.shape ?? [])
  return tf.tidy(() => {
    const values = tf.concat([tf.reshape(turnValue, [-1]), tf.tensor([fill], [1], 'float32')], 0)
    const flat = tf.gather(values, tf.cast(tf.reshape(turn, [-1]), 'int32'))
    return tf.reshape(flat, turn.shape)
  })
}
