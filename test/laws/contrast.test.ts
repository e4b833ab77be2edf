import { describe, expect, it } from 'vitest'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { grpo } from '../../src/baselines/grpo.js'
import { turnBatch } from '../../src/batch/build.js'
import * as laws from './contrast.js'
import { allGroups, batchOf, type Law, rowsOf, sum, testLaws } from './support.js'

const { C40, C41, FUTURE, summedLocals } = laws

describe('laws of contrast', () => {
  testLaws({ C40, C41, FUTURE } satisfies Record<string, Law>)

  it('C40: the share of silent groups is q^K + (1−q)^K, 28 of the 64 groups with K = 3 and T = 2', () => {
    const shape = [...allGroups(6)].filter((rows) => rows.length === 3 && rows[0]!.length === 2)
    const silent = shape.filter((rows) => grpo(batchOf(rows)).every((A) => A === 0))
    expect(shape).toHaveLength(64)
    expect(silent).toHaveLength(64 * (0.25 ** 3 + 0.75 ** 3))
  })

  it('C41 holds in every group with K·T ≤ 9, for several γ and λ', () => {
    const list = [...allGroups(9)]
    const batch = turnBatch(list.map((rewards) => ({ rewards })))
    for (const [gamma, lambda] of [
      [0.5, 0.5],
      [0, 0.9],
      [1, 0],
      [0.3, 0.7],
    ] as const) {
      const A = tara(batch, { gamma, lambda })
      let j = 0
      for (const rows of list) {
        const silent = A.subarray(j, (j += rows.length * rows[0]!.length)).every((value) => value === 0)
        const isSame = rows.every((row) => row.join() === rows[0]!.join())
        if (silent !== isSame) expect.fail(`${JSON.stringify(rows)} is ${silent ? '' : 'not '}silent`)
      }
    }
  })
})

describe('A_future', () => {
  it('is never a discounted sum of normalized rewards', () => {
    const rows = [
      [1, 1, 0],
      [1, 1, 1],
      [1, 0, 0],
      [1, 1, 0],
    ]
    const batch = batchOf(rows)
    for (const gate of ['reward', 'none'] as const) {
      const future = rowsOf(batch, taraParts(batch, { gate }).future)
      const summed = summedLocals(rows, 0.5)
      expect(future.some((row, i) => Math.abs(row[0]! - summed[i]![0]!) > 0.1)).toBe(true)
    }
  })

  /**
   * Six rollouts choose to stop (reward 1) or, with chance 0.4, to go on (reward 0, then 1.5).
   * The gradient of the expected reward is p(1−p)·0.5 = 0.12; comparing with a group that holds oneself leaves 5/6.
   */
  function gradient(advantageOfChoice: (rows: number[][]) => number[]): number {
    const p = 0.4
    let expected = 0
    for (let bits = 0; bits < 64; bits++) {
      const went = Array.from({ length: 6 }, (_, i) => (bits >> i) & 1)
      const rows = went.map((go) => (go ? [0, 1.5] : [1]))
      const chance = p ** sum(went) * (1 - p) ** (6 - sum(went))
      const A = advantageOfChoice(rows)
      expected += (chance * sum(A.map((a, i) => a * (went[i]! - p)))) / 6
    }
    return expected
  }
  const real = { realRewards: true }
  const centered = { gate: 'none', gamma: 1, lambda: 1, allowLambdaOne: true, scale: 'none' } as const

  it('keeps the gradient right where rollouts choose how long they are, in both readings of the missing turns', () => {
    for (const unreached of ['zero', 'exclude'] as const) {
      const found = gradient((rewards) => {
        const batch = turnBatch([{ rewards }], real)
        return rowsOf(batch, tara(batch, { ...centered, unreached })).map((row) => row[0]!)
      })
      expect(found).toBeCloseTo((0.12 * 5) / 6, 12)
    }
  })

  it('would have the wrong sign as a sum of normalized rewards', () => {
    const found = gradient((rewards) => {
      const batch = turnBatch([{ rewards }], real)
      return rowsOf(batch, taraParts(batch, { ...centered, unreached: 'exclude' }).local).map(sum)
    })
    expect(found).toBeCloseTo(-0.2, 2)
  })
})
