import { describe, expect, it } from 'vitest'
import { tara, taraParts } from '../../src/advantage/tara.js'
import * as laws from './normalizer.js'
import { batchOf, realBatchOf, rowsOf, testLaws } from './support.js'

describe('laws of the normalizer', () => {
  testLaws(laws, 80)
})

describe('what the normalizer does not promise', () => {
  it('C9: with the sample σ a doubled group has other advantages, by 1.118 from 3 to 6 rollouts', () => {
    const once = batchOf([[1], [0], [0]])
    const twice = batchOf([[1], [0], [0], [1], [0], [0]])
    const factor = tara(twice, { correction: 1 })[0]! / tara(once, { correction: 1 })[0]!
    expect(factor).toBeCloseTo(Math.sqrt(1.25), 5)
  })

  it('C10: a success of one rollout can lift another one', () => {
    const before = batchOf([
      [1, 1, 1],
      [1, 1, 0],
      [1, 0, 0],
    ])
    const after = batchOf([
      [1, 1, 1],
      [1, 1, 0],
      [1, 0, 1],
    ])
    const old = rowsOf(before, tara(before))[0]![0]!
    const now = rowsOf(after, tara(after))[0]![0]!
    expect(old).toBeCloseTo(0.5345, 4)
    expect(now).toBeCloseTo(0.6124, 4)
  })

  it('C8: with ε > 0 a small scale shrinks the advantage', () => {
    const values = [0.5, -0.5]
    const big = tara(realBatchOf(values.map((x) => [x])), { gate: 'none' })
    const small = tara(realBatchOf(values.map((x) => [x * 1e-6])), { gate: 'none' })
    expect(small[0]! / big[0]!).toBeCloseTo((1e-6 * (0.5 + 1e-6)) / (1e-6 * 0.5 + 1e-6), 12)
  })

  it('B8: a future mean near zero does not make the future part small', () => {
    const eight = realBatchOf([[1, 1e-4], ...Array.from({ length: 7 }, () => [0, 0])])
    expect(taraParts(eight).future[2]).toBeCloseTo(-0.367, 3)
    const two = realBatchOf([
      [1, 0.01],
      [0, 0],
    ])
    expect(taraParts(two).future[2]).toBeCloseTo(-0.9998, 4)
  })

  it('B13: the sample σ multiplies by √((K−1)/K), 0.935 for K = 8', () => {
    const batch = batchOf(Array.from({ length: 8 }, (_, i) => [i < 3 ? 1 : 0]))
    const factor = tara(batch, { correction: 1 })[0]! / tara(batch)[0]!
    expect(factor).toBeCloseTo(Math.sqrt(7 / 8), 6)
  })
})
