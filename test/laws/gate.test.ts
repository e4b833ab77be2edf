import { describe, expect, it } from 'vitest'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { grpo } from '../../src/baselines/grpo.js'
import { turnBatch } from '../../src/batch/build.js'
import * as laws from './gate.js'
import { allGroups, batchOf, columnsOf, ensure, mean, realBatchOf, rowsOf, sum, testLaws } from './support.js'

describe('laws of the gate', () => {
  testLaws(laws)

  it('C14 and C16 hold in every group with K·T ≤ 10, where some distractors are at 0', () => {
    const list = [...allGroups(10)]
    const batch = turnBatch(list.map((rewards) => ({ rewards })))
    const A = tara(batch)
    let distractors = 0
    let zeros = 0
    let j = 0
    for (const rows of list) {
      const first: (number | undefined)[] = [] // the first failer's A, turn by turn
      for (const row of rows)
        for (const [t, r] of row.entries()) {
          const a = A[j++]!
          if (r === 1) continue
          const isMixed = rows.some((other) => other[t] === 1)
          ensure(isMixed ? a < 0 : Object.is(a, 0), () => `A ${a} at turn ${t} of ${JSON.stringify(rows)}`)
          first[t] ??= a
          ensure(Object.is(a, first[t]), () => `failers at ${a} and ${first[t]}`)
          if (!row.slice(t + 1).includes(1)) continue
          distractors++
          if (a === 0) zeros++
        }
    }
    expect(distractors).toBeGreaterThan(10_000)
    expect(zeros).toBeGreaterThan(1000)
    expect(distractors - zeros).toBeGreaterThan(1000)
  })
})

/** Eq. 5 with a λ that `tara` refuses. */
function fuse(rewards: number[], futures: number[], lambda: number, epsilon: number): number[] {
  const batch = realBatchOf(rewards.map((r, i) => [r, futures[i]!]))
  const gate = Float64Array.from(rewards.flatMap((r) => [r, 1]))
  const { local, future } = taraParts(batch, { gate, epsilon })
  return rewards.map((_, i) => local[2 * i]! + lambda * future[2 * i]!)
}

describe('what the gate does not promise', () => {
  it('C15: with λ > 1 and negative futures a failer can win', () => {
    expect(fuse([0, 0, 1, 1], [0, 0, -1, -1], 1.5, 0)[0]).toBeCloseTo(0.5, 12)
  })

  it('C15: at λ = 1 with ε > 0 and large negative futures a failer is just above 0', () => {
    const [A] = fuse([0, 0, 1, 1], [0, 0, -100, -100], 1, 1e-6)
    expect(A).toBeGreaterThan(1e-6)
    expect(A).toBeLessThan(3e-6)
  })

  it('C15: with λ < 0 a failer can win', () => {
    expect(fuse([0, 1, 1, 1], [0, 1, 1, 1], -1.5, 0)[0]).toBeCloseTo(Math.sqrt(3) / 2, 12)
  })

  it('C18: the trajectory estimator does depend on the past', () => {
    const before = batchOf([
      [1, 1],
      [1, 0],
    ])
    const after = batchOf([
      [0, 1],
      [1, 0],
    ])
    expect(grpo(before)[1]).toBeCloseTo(0.999998, 6)
    expect(grpo(after)[1]).toBe(0)
    expect(tara(after)[1]).toBe(tara(before)[1])
  })

  it('C20: a correct turn may be negative', () => {
    const batch = batchOf([
      [1, 0],
      [1, 1],
      [1, 1],
      [1, 1],
    ])
    const first = columnsOf(batch, tara(batch))[0]!
    for (const [i, wished] of [-0.866023403789, 0.28867446793, 0.28867446793, 0.28867446793].entries())
      expect(first[i]).toBeCloseTo(wished, 11)
  })

  it('C21: without a gate a distractor of four is rewarded', () => {
    const batch = batchOf([
      [0, 1],
      [1, 0],
      [0, 0],
      [0, 0],
    ])
    expect(tara(batch, { gate: 'none' })[0]).toBeCloseTo(0.28867446793, 11)
    expect(tara(batch)[0]).toBeCloseTo(-0.577348935859, 11)
  })

  it('B17: without a gate at λ = 0.5, K = 2 cannot reward a distractor, K = 8 can by 0.945', () => {
    const worst = (K: number): number => {
      const rows = Array.from({ length: K }, (_, i) => (i === 0 ? [0, 1] : i === 1 ? [1, 0] : [0, 0]))
      return tara(batchOf(rows), { gate: 'none' })[0]!
    }
    expect(worst(2)).toBeLessThan(0)
    expect(Math.abs(worst(3))).toBeLessThan(1e-6)
    expect(worst(4)).toBeCloseTo(0.2887, 4)
    expect(worst(8)).toBeCloseTo(0.945, 3)
  })

  it('C24: appending a turn that all pass does change what went before', () => {
    const short = batchOf([
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
    ])
    const long = batchOf([
      [1, 0, 1],
      [1, 1, 1],
      [0, 1, 1],
      [0, 0, 1],
    ])
    expect(tara(short)[0]).toBeCloseTo(0.7113, 4)
    expect(tara(long)[0]).toBeCloseTo(1, 4)
  })

  it('C25: the nested gate is another estimator, in 5 of the 16 rows of four turns', () => {
    const rows = Array.from({ length: 16 }, (_, bits) => [0, 1, 2, 3].map((t) => (bits >> t) & 1))
    const batch = batchOf(rows)
    const V = rowsOf(batch, taraParts(batch).futureValue)
    const nested = rows.map((row) => {
      const value = [0, 0, 0, 0]
      for (let t = 2; t >= 0; t--) value[t] = row[t]! * (row[t + 1]! + 0.5 * value[t + 1]!)
      return value
    })
    expect(rows.filter((_, i) => V[i]!.some((value, t) => value !== nested[i]![t]))).toHaveLength(5)
    expect(Array.from(taraParts(batchOf([[1, 0, 1]])).futureValue)).toEqual([0.5, 0, 0])
  })

  it('C26: a gate that is never shut rewards a distractor', () => {
    const rows = Array.from({ length: 8 }, (_, i) => (i === 0 ? [0, 1] : i === 1 ? [1, 0] : [0, 0]))
    const gate = Float64Array.from(rows.flatMap(([r]) => [Math.max(r!, 0.1), 1]))
    expect(tara(batchOf(rows), { gate })[0]).toBeCloseTo(0.945, 3)
  })

  it('C26: a gate that is open for any reward above 0 rewards a half-right turn above a right one', () => {
    const rows = Array.from({ length: 8 }, (_, i) => (i === 0 ? [0.5, 1] : i === 1 ? [1, 0] : [0, 0]))
    const batch = realBatchOf(rows)
    expect(tara(batch, { gate: { threshold: 5e-324 } })[0]).toBeCloseTo(2.22, 2)
  })

  it('B7: with a group of 8 and a success rate of 0.05, two groups in three have nobody to compare with', () => {
    let mixed = 0
    for (let bits = 0; bits < 256; bits++) {
      const rows = Array.from({ length: 8 }, (_, i) => [(bits >> i) & 1])
      const c = sum(rows.flat())
      if (tara(batchOf([...rows, [0]])).some((A) => A < 0)) mixed += 0.05 ** c * 0.95 ** (8 - c)
    }
    expect(mixed).toBeCloseTo(0.337, 3)
  })

  it('B10: a negative advantage need not make the action less likely', () => {
    const batch = batchOf(Array.from({ length: 12 }, (_, i) => [i === 11 ? 1 : 0]))
    const A = tara(batch)
    const action = (i: number): number => (i === 0 ? 0 : i === 11 ? 2 : 1)
    const policy = [0.05, 0.9, 0.05]
    const step = policy.map((p, b) => mean(Array.from(A, (a, i) => a * ((action(i) === b ? 1 : 0) - p))))
    const weight = policy.map((p, b) => p * Math.exp(0.1 * step[b]!))
    expect(A[0]).toBeCloseTo(-0.3015, 4)
    expect(weight[0]! / sum(weight)).toBeCloseTo(0.0509, 3)
    expect(weight[0]! / sum(weight)).toBeGreaterThan(0.05)
  })
})
