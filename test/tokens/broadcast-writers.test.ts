import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import { type Stretches, tokenArraySize, writeTokens } from '../../src/tokens/array.js'
import { broadcast } from '../../src/tokens/broadcast.js'
import { lossMask } from '../../src/tokens/mask.js'
import { type TokenSpans, tokenSpans } from '../../src/tokens/spans.js'

/** Lengths around every one at which a writer changes its way. */
const run = fc.oneof(
  fc.integer({ min: 0, max: 34 }),
  fc.constantFrom(47, 48, 49, 63, 64, 65, 127, 128, 129, 190, 191, 192, 193, 194, 255, 256, 257, 600),
)
const runs = fc.oneof(
  fc.array(fc.tuple(run, run), { maxLength: 12 }),
  fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })), {
    minLength: 120,
    maxLength: 300,
  }),
)
const value = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 1e-46, -1e-46, 3.4028234e38, 1 / 3),
  fc.double({ min: -10, max: 10, noNaN: true, noDefaultInfinity: true }),
)

/** One sequence a rollout, its runs as [gap, span] pairs, a turn a span. */
function spansOf(sequences: readonly (readonly [number, number])[][], tail: number): TokenSpans {
  const T = Math.max(0, ...sequences.map((pairs) => pairs.length))
  const batch = turnBatch([{ rewards: sequences.map((pairs) => pairs.map(() => 1)), numTurns: T }])
  return tokenSpans(
    batch,
    sequences.map((pairs) => {
      let at = 0
      const turns = pairs.map(([gap, length]) => {
        const start = at + gap
        at = start + length
        return [[start, at]] as [number, number][]
      })
      return { length: at + tail, turns }
    }),
  )
}

/** One token at a time. */
function obvious(values: Float64Array, spans: TokenSpans, fill: number): number[] {
  const tokens = new Array<number>(spans.tokenPtr.at(-1)!).fill(fill)
  for (let s = 0; s + 1 < spans.tokenPtr.length; s++)
    for (let k = spans.spanPtr[s]!; k < spans.spanPtr[s + 1]!; k++)
      tokens.fill(
        values[spans.spanTurn[k]!]!,
        spans.tokenPtr[s]! + spans.spanStart[k]!,
        spans.tokenPtr[s]! + spans.spanEnd[k]!,
      )
  return tokens
}

/** The middle of memory that starts at any entry, with what lies around it. */
function surrounded<Out extends Float32Array | Float64Array | Uint8Array>(all: Out, offset: number): Out {
  all.fill(77)
  return all.subarray(offset, all.length - 40) as Out
}

const isUntouched = (all: Float32Array | Float64Array | Uint8Array, offset: number): boolean =>
  all.subarray(0, offset).every((x) => x === 77) && all.subarray(all.length - 40).every((x) => x === 77)

/** Bit for bit; `expect` would take its time with each of a few thousand tokens. */
function expectSame(found: ArrayLike<number>, wished: ArrayLike<number>): void {
  expect(found.length).toBe(wished.length)
  for (let k = 0; k < wished.length; k++)
    if (!Object.is(found[k], wished[k])) expect({ k, value: found[k] }).toEqual({ k, value: wished[k] })
}

describe('the writers of tokens', () => {
  it('write what a loop over tokens writes and nothing beyond the array, wherever its memory starts', () => {
    fc.assert(
      fc.property(
        fc.array(runs, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 3 }),
        fc.array(value, { minLength: 1, maxLength: 5 }),
        value,
        (sequences, tail, offset, few, fill) => {
          const spans = spansOf(sequences, tail)
          const values = Float64Array.from({ length: spans.numTurns }, (_, j) => few[j % few.length]!)
          const { length } = tokenArraySize(spans)
          const wished = obvious(values, spans, fill)

          const singles = new Float32Array(length + offset + 40)
          const float32 = broadcast(values, spans, { fill }, surrounded(singles, offset))
          expect(isUntouched(singles, offset)).toBe(true)
          const wished32 = Float32Array.from(wished, (x) => Math.fround(x) + 0)
          expectSame(float32, wished32)
          expectSame(broadcast(values, spans, { fill }), wished32)

          const doubles = new Float64Array(length + offset + 40)
          const float64 = broadcast(values, spans, { fill, dtype: 'float64' }, surrounded(doubles, offset))
          expect(isUntouched(doubles, offset)).toBe(true)
          const wished64 = Float64Array.from(wished, (x) => x + 0)
          expectSame(float64, wished64)
          expectSame(broadcast(values, spans, { fill, dtype: 'float64' }), wished64)

          const bytes = new Uint8Array(length + offset + 40)
          const mask = lossMask(spans, {}, surrounded(bytes, offset))
          expect(isUntouched(bytes, offset)).toBe(true)
          expectSame(mask, obvious(new Float64Array(spans.numTurns).fill(1), spans, 0))
        },
      ),
      { numRuns: 150 },
    )
  })

  it('are handed stretches up to the last index an Int32 holds', () => {
    const length = 2 ** 30
    const batch = turnBatch([{ rewards: [[1], [1]] }])
    const spans = tokenSpans(batch, [
      { length, turns: [[[length - 2, length]]] },
      { length: length - 1, turns: [[[length - 2, length - 1]]] },
    ])
    const size = tokenArraySize(spans)
    expect(size.length).toBe(2 ** 31 - 1)
    const found: [number, number, number][] = []
    const record = (_out: unknown, from: number, { end, value }: Stretches, count: number): void => {
      for (let s = 0; s < count; s++) {
        found.push([from, end[s]!, value[s]!])
        from = end[s]!
      }
    }
    const options = { layout: 'flat', side: 'right', width: undefined, align: 'token' } as const
    writeTokens(record, undefined, spans, size, options, 9, Float64Array.of(1, 2))
    expect(found).toEqual([
      [0, 2 ** 30 - 2, 9],
      [2 ** 30 - 2, 2 ** 30, 1],
      [2 ** 30, 2 ** 31 - 2, 9],
      [2 ** 31 - 2, 2 ** 31 - 1, 2],
    ])
  })

  it('are not asked for more turns or tokens than an Int32 counts', () => {
    const tooLarge = expect.objectContaining({ code: 'TOO_LARGE' })
    expect(() => turnBatch([{ rewards: [[1], [1]], numTurns: 2 ** 30 }])).toThrow(tooLarge)
    const batch = turnBatch([{ rewards: [[1], [1]] }])
    expect(() => tokenSpans(batch, new Array(2).fill({ length: 2 ** 30, turns: [[]] }))).toThrow(tooLarge)
  })
})
