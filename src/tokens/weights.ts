/**
 * Loss weights: how much each trained token counts when a loss is summed over tokens.
 *
 *     L = Σ_k w[k]·ℓ[k]
 *
 *     token          w[k] = 1                  Σ w = trained tokens
 *     turn-mean      w[k] = 1 / |turn of k|      Σ w = turns with trained tokens: 1 a turn
 *     sequence-mean  w[k] = 1 / |sequence of k|  Σ w = sequences with trained tokens: 1 a sequence
 *     constant       w[k] = 1 / c              Σ w = trained tokens / c
 *
 * |·| counts trained tokens that have an entry: with align `nextToken` the first token of a sequence has none. Under `token` a wordy turn weighs more than a short one of the same advantage; under
 * `turn-mean` all turns weigh the same. A turn may lie in several sequences: it still has one weight in all.
 * The advantage is left alone. Which sum a trainer divides by afterwards is its own affair.
 */
import { checkLength } from '../batch/check.js'
import { fail, show } from '../errors.js'
import { between, type Check, oneOf, optional, resolveOptions } from '../options.js'
import {
  type BroadcastOptions,
  broadcastChecks,
  broadcastDefaults,
  sizeOf,
  type TokenArrayOptions,
  tokenArrayChecks,
  tokenArrayDefaults,
} from './array.js'
import { broadcast } from './broadcast.js'
import type { SpanArrays } from './spans.js'

/** What the weights of the tokens of one turn, one sequence, or the whole batch come to. */
export type LossReduction = 'token' | 'turn-mean' | 'sequence-mean' | 'constant'

export interface LossWeightsOptions extends TokenArrayOptions {
  readonly reduction: LossReduction
  /** c > 0, 1e-30 … 1e30, for `constant` only: the length that every sequence is divided by, as in Dr. GRPO. */
  readonly constant: number | undefined
  readonly dtype: BroadcastOptions['dtype']
}

export const lossReduction: Check = oneOf('token', 'turn-mean', 'sequence-mean', 'constant')

/** What the weights are divided by under `constant`: its inverse is a normal float32. */
export const aDivisor: Check = between(1e-30, 1e30)

export const lossWeightsDefaults: Readonly<LossWeightsOptions> = Object.freeze({
  ...tokenArrayDefaults,
  reduction: 'token',
  constant: undefined,
  dtype: broadcastDefaults.dtype,
})

/** Refuses a reduction `constant` without its number, and the number without the reduction.
 * @param place - `lossWeights: options.constant`
 */
export function checkConstant(
  place: string,
  reduction: LossReduction | undefined,
  constant: number | undefined,
): void {
  if (reduction === 'constant' && constant === undefined)
    fail('OPTION', place, 'a number above 0 for the reduction "constant"', show(constant))
  if (reduction !== 'constant' && constant !== undefined)
    fail('OPTION', place, 'nothing, as only the reduction "constant" reads it', show(constant))
}

/** Who shares a weight of 1, and what each of its tokens gets: values for `broadcast`. */
export interface OwnerWeights {
  /** The spans, their turn replaced by the owner. */
  readonly spans: SpanArrays
  /** `[numOwners]`; 0 where an owner has no trained token. */
  readonly weight: Float64Array
}

/** `[numSpans]` the sequence of each span. */
function sequenceOfSpans({ spanPtr, spanTurn }: SpanArrays): Int32Array {
  const sequence = new Int32Array(spanTurn.length)
  for (let s = 0; s + 1 < spanPtr.length; s++) sequence.fill(s, spanPtr[s]!, spanPtr[s + 1]!)
  return sequence
}

/** The spans with sequences in place of turns. */
function bySequence(spans: SpanArrays): SpanArrays {
  return { ...spans, spanTurn: sequenceOfSpans(spans), numTurns: spans.spanPtr.length - 1 }
}

/** Computes the weight of each owner's tokens.
 * @param firstToken - tokens of a sequence before this one have no entry and do not count: 1 for next-token targets
 */
export function ownerWeights(
  spans: SpanArrays,
  reduction: LossReduction,
  constant: number | undefined,
  firstToken: 0 | 1,
): OwnerWeights {
  const owned = reduction === 'sequence-mean' ? bySequence(spans) : spans
  const { spanTurn, spanStart, spanEnd, numTurns } = owned
  if (reduction === 'token' || reduction === 'constant')
    return { spans, weight: new Float64Array(numTurns).fill(reduction === 'token' ? 1 : 1 / constant!) }
  const weight = new Float64Array(numTurns)
  for (let k = 0; k < spanTurn.length; k++)
    weight[spanTurn[k]!]! += spanEnd[k]! - Math.max(spanStart[k]!, firstToken)
  for (let o = 0; o < numTurns; o++) if (weight[o]! > 0) weight[o] = 1 / weight[o]!
  return { spans: owned, weight }
}

/** Gives every trained token its weight in a loss that is summed over tokens; 0 everywhere else.
 *
 * @param spans - from `tokenSpans`
 * @param options - `reduction` and `constant`; layout, side, width, align and dtype as for `broadcast`
 * @param out - as long as `tokenArraySize` says, of the type `dtype` names; all of it is written
 * @returns `out`: entry for entry above 0 where `lossMask` is 1, else 0
 * @throws TaraError `OPTION`, `TYPE`, `LENGTH`, `TOO_LARGE`
 */
export function lossWeights(
  spans: SpanArrays,
  options?: Partial<LossWeightsOptions> & { readonly dtype?: 'float32' },
  out?: Float32Array,
): Float32Array
export function lossWeights(
  spans: SpanArrays,
  options: Partial<LossWeightsOptions> & { readonly dtype: 'float64' },
  out?: Float64Array,
): Float64Array
export function lossWeights(
  spans: SpanArrays,
  options?: Partial<LossWeightsOptions>,
  out?: Float32Array | Float64Array,
): Float32Array | Float64Array
export function lossWeights(
  spans: SpanArrays,
  options?: Partial<LossWeightsOptions>,
  out?: Float32Array | Float64Array,
): Float32Array | Float64Array {
  const { reduction, constant, ...array } = resolveOptions('lossWeights', options, lossWeightsDefaults, {
    ...tokenArrayChecks,
    reduction: lossReduction,
    constant: optional(aDivisor),
    dtype: broadcastChecks.dtype,
  })
  checkConstant('lossWeights: options.constant', reduction, constant)
  const size = sizeOf('lossWeights', spans, array)
  if (out !== undefined) {
    if (!(out instanceof (array.dtype === 'float32' ? Float32Array : Float64Array)))
      fail(
        'TYPE',
        'lossWeights: out',
        `a ${array.dtype === 'float32' ? 'Float32Array' : 'Float64Array'}`,
        show(out),
      )
    checkLength('lossWeights: out', out, size.length, 'token')
  }
  const owners = ownerWeights(spans, reduction, constant, array.align === 'nextToken' ? 1 : 0)
  return broadcast(owners.weight, owners.spans, array, out)
}
