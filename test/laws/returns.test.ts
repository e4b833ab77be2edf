import { describe, expect, it } from 'vitest'
import { tara } from '../../src/advantage/tara.js'
import { gatedReturn, standardReturn } from '../../src/advantage/values.js'
import * as laws from './returns.js'
import { batchOf, columnsOf, type Rows, testLaws, variance } from './support.js'

describe('laws of the returns', () => {
  testLaws(laws)
})

/** Variances of the first turn's returns: [G_std, G_ours]. */
function variances(rows: Rows, gamma: number, lambda: number): [number, number] {
  const batch = batchOf(rows)
  const standard = columnsOf(batch, standardReturn(batch, { gamma }))[0]!
  const ours = columnsOf(batch, gatedReturn(batch, { gamma, lambda }))[0]!
  return [variance(standard), variance(ours)]
}

describe('what Theorem A.2 does not say', () => {
  it('B9: at the defaults Eq. 3 reduces nothing, and with λ > γ it adds variance', () => {
    const batch = batchOf([
      [1, 1],
      [1, 0],
    ])
    const ratio = (lambda: number, gamma: number): number =>
      variance([...gatedReturn(batch, { lambda, gamma, futureIndex: 'eq3' })].filter((_, j) => j % 2 === 0)) /
      variance([...standardReturn(batch, { gamma })].filter((_, j) => j % 2 === 0))
    expect(ratio(0.5, 0.5)).toBe(1)
    expect(ratio(0.9, 0.5)).toBeCloseTo(3.24, 12)
    expect(ratio(0.5, 0.3)).toBeCloseTo(2.78, 2)
  })

  it('C29: over all rollouts the gate can add variance', () => {
    const opposed = [
      [1, 0],
      [0, 1],
    ]
    expect(variances(opposed, 1, 0.5)).toEqual([0, 1 / 4])
    expect(variances(opposed, 0.5, 0.5)).toEqual([1 / 16, 1 / 4])
  })

  it('B9: with independent fair rewards and λ = 0.9 it adds variance, 0.50 to 0.6269', () => {
    const rows = [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]
    const [standard, ours] = variances(rows, 1, 0.9)
    expect(standard).toBeCloseTo(0.5, 12)
    expect(ours).toBeCloseTo(0.6269, 4)
  })

  it('B1, B32: ε damps a far difference, and Eq. 7 more than Eq. 3', () => {
    for (const [T, eq3, eq7] of [
      [16, 2.521, 2.407],
      [20, 1.476, 1.023],
      [24, 0.193, 0.1],
    ] as const) {
      const rows = Array.from({ length: 8 }, (_, i) =>
        Array.from({ length: T }, (_, t) => (t < T - 1 || i === 0 ? 1 : 0)),
      )
      const first = (futureIndex: 'eq3' | 'eq7'): number => 2 * tara(batchOf(rows), { futureIndex })[0]!
      expect(first('eq3')).toBeCloseTo(eq3, 3)
      expect(first('eq7')).toBeCloseTo(eq7, 3)
    }
  })
})
