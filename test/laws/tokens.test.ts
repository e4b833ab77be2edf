import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { tokenArraySize } from '../../src/tokens/array.js'
import { broadcast } from '../../src/tokens/broadcast.js'
import { lossMask } from '../../src/tokens/mask.js'
import type { RolloutTokens } from '../../src/tokens/read.js'
import { rolloutSequences, tokenSpans } from '../../src/tokens/spans.js'
import { layouts, ragged, tokenArray, truncatedRule, valuesFor } from '../tokens/ragged.js'

/** Values that Float32 can hold, some of which it rounds to −0. */
const values = fc.array(
  fc.oneof(
    fc.double({ min: -1e30, max: 1e30, noNaN: true }),
    fc.constantFrom(-0, -1e-60, 5e-324, 0.1, -3.4028234663852886e38),
  ),
  { minLength: 1, maxLength: 12 },
)
const fills = fc.constantFrom(0, -0, 0.1, -7)
const dtypes = fc.constantFrom('float32' as const, 'float64' as const)

const positive = (value: number): number => (value === 0 ? 0 : value)
const stored = (value: number, dtype: 'float32' | 'float64'): number =>
  positive(dtype === 'float32' ? Math.fround(value) : value)

/** The same tokens with every span cut in two at a place that `cuts` picks. */
function splitSpans(tokens: RolloutTokens | null, cuts: readonly number[]): RolloutTokens | null {
  let n = 0
  const cut = (start: number, end: number): number => start + (cuts[n++ % cuts.length]! % (end - start + 1))
  if (tokens === null) return null
  if ('sequences' in tokens)
    return {
      sequences: tokens.sequences,
      turns: tokens.turns.map((spans) =>
        spans.flatMap(([q, start, end]) => {
          const middle = cut(start, end)
          return [[q, start, middle] as const, [q, middle, end] as const]
        }),
      ),
    }
  return {
    length: tokens.length,
    turns: tokens.turns.map((spans) =>
      spans.flatMap(([start, end]) => {
        const middle = cut(start, end)
        return [[start, middle] as const, [middle, end] as const]
      }),
    ),
  }
}

describe('tokens', () => {
  test.prop([ragged, truncatedRule, layouts, values, fills, dtypes])(
    'hold what a reading one token at a time says, in memory that held garbage (C34)',
    (given, truncated, layout, draw, fill, dtype) => {
      const turnValue = valuesFor(given, truncated, draw)
      const spans = tokenSpans(given.batch, given.rollouts, { truncated })
      const options = { ...layout, fill, dtype }
      const { length } = tokenArraySize(spans, options)
      const out = (dtype === 'float32' ? new Float32Array(length) : new Float64Array(length)).fill(Number.NaN)
      const tokens = broadcast(turnValue, spans, options, out)
      expect(tokens).toBe(out)
      expect([...tokens]).toEqual(
        tokenArray(given, truncated, layout, stored(fill, dtype), (turn) => stored(turnValue[turn]!, dtype)),
      )
      expect(broadcast(turnValue, spans, options)).toEqual(out)
    },
  )

  test.prop([ragged, truncatedRule, layouts])(
    'carry a mask that is 1 exactly where a turn writes its value',
    (given, truncated, layout) => {
      const spans = tokenSpans(given.batch, given.rollouts, { truncated })
      const out = new Uint8Array(tokenArraySize(spans, layout).length).fill(77)
      expect([...lossMask(spans, layout, out)]).toEqual(tokenArray(given, truncated, layout, 0, () => 1))
    },
  )

  test.prop([ragged, truncatedRule, values])(
    'sum to the sum over turns of length times value (C34)',
    (given, truncated, draw) => {
      const turnValue = valuesFor(given, truncated, draw.map(Math.atan))
      const spans = tokenSpans(given.batch, given.rollouts, { truncated })
      const tokens = broadcast(turnValue, spans, { dtype: 'float64' })
      let perTurn = 0
      spans.spanTurn.forEach((turn, k) => {
        perTurn += (spans.spanEnd[k]! - spans.spanStart[k]!) * turnValue[turn]!
      })
      expect(Math.abs(tokens.reduce((sum, value) => sum + value, 0) - perTurn)).toBeLessThan(1e-9)
    },
  )

  test.prop([ragged, truncatedRule, layouts, values, fc.array(fc.nat(), { minLength: 1 })])(
    'do not change when a span is split in two (C35)',
    (given, truncated, layout, draw, cuts) => {
      const turnValue = valuesFor(given, truncated, draw)
      const whole = tokenSpans(given.batch, given.rollouts, { truncated })
      const split = tokenSpans(
        given.batch,
        given.rollouts.map((tokens) => splitSpans(tokens, cuts)),
        { truncated },
      )
      const bits = (array: Float64Array): BigUint64Array => new BigUint64Array(array.buffer)
      const options = { ...layout, dtype: 'float64' as const }
      expect(bits(broadcast(turnValue, split, options))).toEqual(bits(broadcast(turnValue, whole, options)))
      expect(lossMask(split, layout)).toEqual(lossMask(whole, layout))
      expect(split.counts).toEqual(whole.counts)
    },
  )

  test.prop([ragged, truncatedRule])(
    'are each counted once: trained, untrained or surplus',
    (given, truncated) => {
      const spans = tokenSpans(given.batch, given.rollouts, { truncated })
      const { trainedTokens, untrainedTokens, surplusTokens } = spans.counts
      let inSpans = 0
      for (const tokens of given.rollouts)
        for (const span of tokens?.turns.flat() ?? []) inSpans += span.at(-1)! - span.at(-2)!
      expect(trainedTokens + untrainedTokens + surplusTokens).toBe(inSpans)
      expect(lossMask(spans).reduce((sum, bit) => sum + bit, 0)).toBe(trainedTokens)
    },
  )

  test.prop([ragged, values])(
    'of the rollouts, sequence by sequence, are the flat array cut up',
    (given, draw) => {
      const spans = tokenSpans(given.batch, given.rollouts)
      const flat = broadcast(valuesFor(given, 'fail', draw), spans)
      const pieces = given.rollouts.flatMap((_, i) => rolloutSequences(flat, spans, i))
      expect(pieces.flatMap((piece) => [...piece])).toEqual([...flat])
      expect(pieces.map((piece) => piece.length)).toEqual(
        given.rollouts.flatMap((tokens) => {
          if (tokens === null) return []
          return 'sequences' in tokens ? tokens.sequences.map(({ length }) => length) : [tokens.length]
        }),
      )
    },
  )

  test.prop([ragged, layouts, values])('leave what they read as it was (C38)', (given, layout, draw) => {
    const turnValue = valuesFor(given, 'fail', draw)
    const before = structuredClone({ given, turnValue })
    const spans = tokenSpans(given.batch, given.rollouts)
    const spansBefore = structuredClone(spans)
    broadcast(turnValue, spans, layout)
    lossMask(spans, layout)
    expect({ given, turnValue }).toEqual(before)
    expect(spans).toEqual(spansBefore)
  })
})
