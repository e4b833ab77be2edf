import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import { tokenArraySize } from '../../src/tokens/array.js'
import { lossMask } from '../../src/tokens/mask.js'
import { tokenSpans } from '../../src/tokens/spans.js'
import { type LossWeightsOptions, lossWeights } from '../../src/tokens/weights.js'
import { layouts, type Ragged, ragged, tokenArray, truncatedRule } from './ragged.js'

const runs = { numRuns: 100 }
const spansOf = ({ batch, rollouts }: Ragged, truncated: 'fail' | 'exclude' | 'mask') =>
  tokenSpans(batch, rollouts, { truncated })

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)

/** Turn 0 has tokens 0 and 1 of sequence 0, and 0 of sequence 1; turn 1 has 4 of sequence 0; turn 2 is not reached. */
const batch = turnBatch([{ numTurns: 3, rewards: [[1, 1]] }])
const spans = tokenSpans(batch, [
  {
    sequences: [{ length: 5 }, { length: 2 }],
    turns: [
      [
        [0, 0, 2],
        [1, 0, 1],
      ],
      [[0, 4, 5]],
    ],
  },
])

describe('lossWeights', () => {
  it.each<[Partial<LossWeightsOptions>, number[]]>([
    [{}, [1, 1, 0, 0, 1, 1, 0]],
    [{ reduction: 'token' }, [1, 1, 0, 0, 1, 1, 0]],
    [{ reduction: 'turn-mean' }, [1 / 3, 1 / 3, 0, 0, 1, 1 / 3, 0]],
    [{ reduction: 'sequence-mean' }, [1 / 3, 1 / 3, 0, 0, 1 / 3, 1, 0]],
    [{ reduction: 'constant', constant: 8 }, [1 / 8, 1 / 8, 0, 0, 1 / 8, 1 / 8, 0]],
    [{ reduction: 'turn-mean', align: 'nextToken' }, [1, 0, 0, 1, 0]],
    [{ reduction: 'sequence-mean', align: 'nextToken' }, [1 / 2, 0, 0, 1 / 2, 0]],
    [
      { reduction: 'sequence-mean', layout: 'padded', side: 'left' },
      [1 / 3, 1 / 3, 0, 0, 1 / 3, 0, 0, 0, 1, 0],
    ],
  ])('%o', (options, expected) => {
    expect(lossWeights(spans, { ...options, dtype: 'float64' })).toEqual(Float64Array.from(expected))
    expect(lossWeights(spans, options)).toEqual(Float32Array.from(expected))
  })

  it('writes into out and refuses one of another length', () => {
    const out = new Float32Array(7).fill(Number.NaN)
    expect(lossWeights(spans, {}, out)).toBe(out)
    expect(sum(out)).toBe(4)
    expect(() => lossWeights(spans, {}, new Float32Array(6))).toThrow('lossWeights: out: expected 7 values')
    expect(() => lossWeights(spans, {}, new Float64Array(7))).toThrow(
      'lossWeights: out: expected a Float32Array',
    )
    expect(() => lossWeights(spans, { layout: 'padded', width: 4 })).toThrow('lossWeights: options.width')
  })

  it.each<[object, string]>([
    [{ reduction: 'mean' }, 'lossWeights: options.reduction: expected one of "token", "turn-mean"'],
    [{ reduction: 'constant' }, 'lossWeights: options.constant: expected a number above 0'],
    [{ reduction: 'constant', constant: 0 }, 'lossWeights: options.constant: expected a number in [1e-30'],
    [{ reduction: 'constant', constant: Number.NaN }, 'lossWeights: options.constant: expected a number in'],
    [{ constant: 4 }, 'lossWeights: options.constant: expected nothing, as only the reduction "constant"'],
    [{ fill: 1 }, 'lossWeights: options.fill'],
  ])('refuses %o', (options, message) => {
    expect(() => lossWeights(spans, options)).toThrow(message)
  })
})

describe('loss weights sum up', () => {
  test.prop([ragged, truncatedRule, layouts], runs)(
    'to 1 over the entries of each turn under turn-mean',
    (given, truncated, layout) => {
      const own = spansOf(given, truncated)
      const weights = lossWeights(own, { ...layout, reduction: 'turn-mean', dtype: 'float64' })
      const turns = tokenArray(given, truncated, layout, -1, (turn) => turn)
      const total = new Map<number, number>()
      turns.forEach((turn, k) => {
        total.set(turn, (total.get(turn) ?? 0) + weights[k]!)
      })
      for (const [turn, value] of total) expect(value).toBeCloseTo(turn < 0 ? 0 : 1, 9)
    },
  )

  test.prop([ragged, truncatedRule], runs)(
    'to 1 over each sequence with trained tokens under sequence-mean',
    (given, truncated) => {
      const own = spansOf(given, truncated)
      const weights = lossWeights(own, { reduction: 'sequence-mean', dtype: 'float64' })
      for (let s = 0; s + 1 < own.tokenPtr.length; s++) {
        const total = sum(weights.subarray(own.tokenPtr[s], own.tokenPtr[s + 1]))
        expect(total).toBeCloseTo(own.spanPtr[s + 1]! > own.spanPtr[s]! ? 1 : 0, 9)
      }
    },
  )

  test.prop([ragged, truncatedRule, fc.constantFrom(1, 2, 1024)], runs)(
    'to the trained tokens under token, and to them over c under constant',
    (given, truncated, constant) => {
      const own = spansOf(given, truncated)
      const { trainedTokens } = own.counts
      expect(sum(lossWeights(own))).toBe(trainedTokens)
      expect(sum(lossWeights(own, { reduction: 'constant', constant }))).toBe(trainedTokens / constant)
    },
  )

  test.prop([ragged, truncatedRule, layouts, fc.constantFrom('turn-mean', 'sequence-mean', 'token')], runs)(
    'of nothing outside the mask: above 0 exactly where it is 1',
    (given, truncated, layout, reduction) => {
      const own = spansOf(given, truncated)
      const weights = lossWeights(own, { ...layout, reduction })
      expect(weights.length).toBe(tokenArraySize(own, layout).length)
      expect(Array.from(weights, (weight) => (weight > 0 ? 1 : 0))).toEqual([...lossMask(own, layout)])
    },
  )
})
