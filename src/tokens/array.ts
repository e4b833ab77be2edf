/**
 * How the tokens of a batch lie in one array, and the one pass that writes it.
 *
 * `flat`: the sequences one after the other. `padded`: `[numSequences, width]`, row-major. With align
 * `nextToken` entry k of a sequence scores token k + 1, so a sequence has one entry less than tokens.
 * Entries are written front to back, each stretch between spans and each span once: nothing is cleared first.
 */
import { fail } from '../errors.js'
import { aCount, type Check, oneOf, optional, resolveOptions } from '../options.js'
import type { SpanArrays } from './spans.js'

export interface TokenArrayOptions {
  readonly layout: 'flat' | 'padded'
  /** `padded`: where the padding is. */
  readonly side: 'right' | 'left'
  /** `padded`: entries of a row. Default: those of the longest sequence. */
  readonly width: number | undefined
  /** Whether entry k stands for token k or scores token k + 1. */
  readonly align: 'token' | 'nextToken'
}

export interface BroadcastOptions extends TokenArrayOptions {
  /** What every entry outside the trained spans holds, padding included. */
  readonly fill: number
  readonly dtype: 'float32' | 'float64'
}

export const tokenArrayDefaults: Readonly<TokenArrayOptions> = Object.freeze({
  layout: 'flat',
  side: 'right',
  width: undefined,
  align: 'token',
})

export const broadcastDefaults: Readonly<BroadcastOptions> = Object.freeze({
  ...tokenArrayDefaults,
  fill: 0,
  dtype: 'float32',
})

export const tokenArrayChecks: { readonly [Name in keyof TokenArrayOptions]-?: Check } = {
  layout: oneOf('flat', 'padded'),
  side: oneOf('right', 'left'),
  width: optional(aCount),
  align: oneOf('token', 'nextToken'),
}

export const broadcastChecks: { readonly [Name in keyof BroadcastOptions]-?: Check } = {
  ...tokenArrayChecks,
  fill: (value) => (Number.isFinite(value) ? undefined : 'a finite number'),
  dtype: oneOf('float32', 'float64'),
}

/** The shape of a token array: `length` = `rows` × `width`. A flat array is one row. */
export interface TokenArraySize {
  readonly rows: number
  readonly width: number
  readonly length: number
}

/** Largest array that Int32 can index. */
const MAX_ENTRIES = 0x7fffffff

/** Entries of sequence s. */
function entriesOf(spans: SpanArrays, s: number, align: TokenArrayOptions['align']): number {
  const numTokens = spans.tokenPtr[s + 1]! - spans.tokenPtr[s]!
  return align === 'nextToken' ? Math.max(numTokens - 1, 0) : numTokens
}

/** The size under resolved options.
 * @throws TaraError `OPTION` if `width` is below the longest sequence, `TOO_LARGE` from 2^31 entries
 */
export function sizeOf(place: string, spans: SpanArrays, options: TokenArrayOptions): TokenArraySize {
  const numSequences = spans.tokenPtr.length - 1
  let sum = 0
  let longest = 0
  for (let s = 0; s < numSequences; s++) {
    const entries = entriesOf(spans, s, options.align)
    sum += entries
    longest = Math.max(longest, entries)
  }
  if (options.layout === 'flat') return { rows: 1, width: sum, length: sum }
  const width = options.width ?? longest
  if (width < longest)
    fail('OPTION', `${place}: options.width`, `at least ${longest}, the longest sequence`, `${width}`)
  const length = numSequences * width
  if (length > MAX_ENTRIES)
    fail(
      'TOO_LARGE',
      `${place}: options.layout`,
      `at most ${MAX_ENTRIES} entries`,
      `${numSequences} x ${width}`,
    )
  return { rows: numSequences, width, length }
}

/** Says how large an array `broadcast` or `lossMask` writes with the same options, so that `out` can be made once.
 * @param options - those of `broadcast`; `fill` and `dtype` play no part
 * @throws TaraError `OPTION`, `TOO_LARGE`
 */
export function tokenArraySize(spans: SpanArrays, options?: Partial<BroadcastOptions>): TokenArraySize {
  return sizeOf(
    'tokenArraySize',
    spans,
    resolveOptions('tokenArraySize', options, broadcastDefaults, broadcastChecks),
  )
}

/** Stretches of one value each, back to back: stretch k ends at `end[k]`, where stretch k + 1 starts. None is empty. */
export interface Stretches {
  readonly end: Int32Array
  readonly value: Float64Array
}

/** Writes the first `count` stretches, the first of which starts at `from`. May write past their end, within `out`:
 * what follows is written later in the same pass. */
export type Put<Out> = (out: Out, from: number, stretches: Stretches, count: number) => void

/** Stretches that are handed over at once, so that the type of `out` is decided once in a while and not for each. */
const AT_ONCE = 256

/** Writes every entry of `out` once, front to back: gap, span, gap, …
 * @param out - `[size.length]`
 * @param fill - the value between spans and of padding
 * @param turnValue - `[numTurns]` the value of each turn's tokens; 1 for all where it is not given
 */
export function writeTokens<Out>(
  put: Put<Out>,
  out: Out,
  spans: SpanArrays,
  size: TokenArraySize,
  options: TokenArrayOptions,
  fill: number,
  turnValue: Float64Array | undefined,
): void {
  const { spanPtr, spanStart, spanEnd, spanTurn } = spans
  const isPadded = options.layout === 'padded'
  const shift = options.align === 'nextToken' ? 1 : 0
  const end = new Int32Array(AT_ONCE)
  const value = new Float64Array(AT_ONCE)
  const stretches = { end, value }
  let origin = 0 // of the sequence's first entry
  let from = 0 // of the stretches that wait
  let count = 0
  let at = 0
  for (let s = 0; s + 1 < spanPtr.length; s++) {
    const entries = entriesOf(spans, s, options.align)
    if (isPadded) origin = s * size.width + (options.side === 'left' ? size.width - entries : 0)
    for (let k = spanPtr[s]!; k < spanPtr[s + 1]!; k++) {
      if (count > AT_ONCE - 2) {
        put(out, from, stretches, count)
        from = at
        count = 0
      }
      const start = Math.max(origin + spanStart[k]! - shift, origin) // token 0 is scored by no entry
      if (start > at) {
        end[count] = start
        value[count++] = fill
      }
      at = origin + spanEnd[k]! - shift
      if (at > start) {
        end[count] = at
        value[count++] = turnValue === undefined ? 1 : turnValue[spanTurn[k]!]!
      }
    }
    if (!isPadded) origin += entries
  }
  put(out, from, stretches, count)
  end[0] = size.length
  value[0] = fill
  if (size.length > at) put(out, at, stretches, 1)
}
