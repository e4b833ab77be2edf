import { describe, expect, it } from 'vitest'
import { moments, type Normalization, normalize } from '../../src/advantage/moments.js'

const rule: Normalization = { epsilon: 1e-6, scale: 'std', correction: 0, baseline: 'mean' }

function z(x: number[], changes: Partial<Normalization> = {}): number[] {
  const copy = Float64Array.from(x)
  normalize(copy, copy.length, { ...rule, ...changes })
  return [...copy]
}

describe('normalize', () => {
  it('gives literal zeros where all are equal, also where their mean is rounded', () => {
    for (const value of [0.1, 1.9, 0.4, -0.7, 1e300, -1e300, 5e-324, 0, -0])
      for (let n = 1; n <= 64; n++)
        for (const changes of [
          {},
          { epsilon: 0 },
          { correction: 1 },
          { scale: 'none' },
          { baseline: 'leave-one-out' },
        ] as const)
          expect(z(new Array<number>(n).fill(value), changes)).toEqual(new Array<number>(n).fill(0))
  })

  it('leaves an empty column alone and gives a single value 0', () => {
    expect(z([])).toEqual([])
    expect(z([0.7])).toEqual([0])
    expect(z([1], { correction: 1 })).toEqual([0])
  })

  it('touches only the first n values', () => {
    const x = Float64Array.of(1, 0, 7)
    normalize(x, 2, rule)
    expect(x[2]).toBe(7)
  })

  it('takes zeros of either sign for equal', () => {
    expect(z([0, -0, 0])).toEqual([0, 0, 0])
    expect(z([-0, 0, 1])).toEqual(z([0, 0, 1]))
  })

  it('does not overflow', () => {
    expect(z([1e200, -1e200])).toEqual([1, -1])
    expect(z([1e300, -1e300, 0], { epsilon: 0 })[0]).toBeCloseTo(Math.sqrt(1.5), 14)
    expect(z([1e300, -1e300], { scale: 'none' })).toEqual([1e300, -1e300])
    expect(z([1e300, 0], { scale: 'none', baseline: 'leave-one-out' })).toEqual([1e300, -1e300])
  })

  it('does not underflow', () => {
    expect(z([5e-324, 0], { epsilon: 0 })).toEqual([1, -1])
    expect(z([1e-200, 0, 1e-200, 0], { epsilon: 0 })).toEqual([1, -1, 1, -1])
    expect(z([1 + 2 ** -52, 1], { epsilon: 0 })).toEqual([1, -1])
    expect(z([5e-324, 0, 0, 0], { epsilon: 0 })[0]).toBeCloseTo(Math.sqrt(3), 14)
    const damped = z([1e-200, 0])
    expect(damped[0]! / 5e-195).toBeCloseTo(1, 12)
  })

  it('never gives −0, however large ε is', () => {
    for (const x of [
      [1, 0],
      [1e-200, 0],
      [0.5, 0.25],
      [5e-324, 0],
    ])
      for (const value of z(x, { epsilon: Number.MAX_VALUE }))
        expect(value === 0 && 1 / value < 0).toBe(false)
  })

  it('keeps its digits where the mean is large', () => {
    expect(z([1e15 + 1, 1e15 - 1, 1e15], { epsilon: 0 })[0]).toBeCloseTo(Math.sqrt(1.5), 14)
  })

  it('gives a binary column the values of the general form', () => {
    for (const correction of [0, 1] as const)
      for (const baseline of ['mean', 'leave-one-out'] as const)
        for (const scale of ['std', 'none'] as const)
          for (let n = 2; n <= 12; n++)
            for (let c = 1; c < n; c++) {
              const changes = { correction, baseline, scale }
              const x: number[] = Array.from({ length: n }, (_, k) => (k < c ? 1 : 0))
              const mu = c / n
              const sigma = Math.sqrt(x.reduce((sum, value) => sum + (value - mu) ** 2, 0) / (n - correction))
              const divisor = scale === 'std' ? sigma + 1e-6 : 1
              for (const [k, value] of z(x, changes).entries()) {
                const others = (c - x[k]!) / (n - 1)
                expect(value).toBeCloseTo((x[k]! - (baseline === 'mean' ? mu : others)) / divisor, 13)
              }
            }
  })

  it('compares a real column with the mean of the others if asked', () => {
    const x = [0.5, 0.25, 2]
    const sigma = moments(Float64Array.from(x), 3, 0).std
    const others = [1.125, 1.25, 0.375]
    for (const [k, value] of z(x, { baseline: 'leave-one-out' }).entries())
      expect(value).toBeCloseTo((x[k]! - others[k]!) / (sigma + 1e-6), 14)
    for (const [k, value] of z(x, { baseline: 'leave-one-out', scale: 'none' }).entries())
      expect(value).toBeCloseTo(x[k]! - others[k]!, 14)
  })
})

describe('moments', () => {
  it('are 0 of nothing, and have no spread where all are equal', () => {
    expect(moments(new Float64Array(3), 0, 0)).toEqual({ mean: 0, std: 0 })
    expect(moments(new Float64Array(7).fill(0.4), 7, 0)).toEqual({ mean: 0.4, std: 0 })
    expect(moments(Float64Array.of(-0, -0), 2, 0)).toEqual({ mean: 0, std: 0 })
  })

  it('leave their input alone', () => {
    const x = Float64Array.of(1, 2, 4)
    expect(moments(x, 3, 0).mean).toBeCloseTo(7 / 3, 15)
    expect([...x]).toEqual([1, 2, 4])
  })

  it('have both divisors', () => {
    const x = Float64Array.of(1, 2, 3, 4)
    expect(moments(x, 4, 0).std).toBeCloseTo(Math.sqrt(1.25), 15)
    expect(moments(x, 4, 1).std).toBeCloseTo(Math.sqrt(5 / 3), 15)
  })

  it('are finite for any rewards', () => {
    expect(moments(Float64Array.of(1e300, -1e300), 2, 0)).toEqual({ mean: 0, std: 1e300 })
    expect(moments(Float64Array.of(1e-200, 0), 2, 0).std).toBeCloseTo(5e-201, 210)
  })
})
