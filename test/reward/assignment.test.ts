import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maximumAssignment } from '../../src/reward/assignment.js'

/** The largest sum by trying every assignment, those that leave rows out too. */
function bestSum(weight: readonly (readonly number[])[], row = 0, taken = 0): number {
  if (row === weight.length) return 0
  let best = bestSum(weight, row + 1, taken)
  for (let c = 0; c < weight[row]!.length; c++)
    if (!(taken & (1 << c)))
      best = Math.max(best, weight[row]![c]! + bestSum(weight, row + 1, taken | (1 << c)))
  return best
}

function assign(weight: readonly (readonly number[])[]): number[] {
  return [...maximumAssignment(Float64Array.from(weight.flat()), weight.length, weight[0]?.length ?? 0)]
}

const sumOf = (weight: readonly (readonly number[])[], column: readonly number[]): number =>
  column.reduce((sum, c, r) => (c === -1 ? sum : sum + weight[r]![c]!), 0)

/** Tables of up to 6 × 6 with many ties, zeros and some weights near the limit. */
const table = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })).chain(([n, m]) =>
  fc.array(
    fc.array(fc.oneof(fc.nat(3), fc.nat(100), fc.integer({ min: 2 ** 48 - 9, max: 2 ** 48 })), {
      minLength: m,
      maxLength: m,
    }),
    { minLength: n, maxLength: n },
  ),
)

describe('maximumAssignment', () => {
  it('has exactly the largest sum of all assignments, each column once, no pair of weight 0', () => {
    fc.assert(
      fc.property(table, (weight) => {
        const column = assign(weight)
        const used = column.filter((c) => c !== -1)
        expect(new Set(used).size).toBe(used.length)
        column.forEach((c, r) => {
          if (c !== -1) expect(weight[r]![c]!).toBeGreaterThan(0)
        })
        expect(sumOf(weight, column)).toBe(bestSum(weight))
      }),
      { numRuns: 500 },
    )
  })

  it('beats taking the largest weight first', () => {
    expect(
      assign([
        [3, 2],
        [2, 0],
      ]),
    ).toEqual([1, 0])
  })

  it('has the same sum for rows and columns in any order and the other way round', () => {
    fc.assert(
      fc.property(table, fc.infiniteStream(fc.nat()), (weight, numbers) => {
        const shuffled = <Thing>(things: readonly Thing[]): Thing[] =>
          things
            .map((thing) => ({ thing, key: numbers.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ thing }) => thing)
        const order = shuffled(weight[0]!.map((_, c) => c))
        const mixed = shuffled(weight).map((row) => order.map((c) => row[c]!))
        const turned = weight[0]!.map((_, c) => weight.map((row) => row[c]!))
        const sum = sumOf(weight, assign(weight))
        expect(sumOf(mixed, assign(mixed))).toBe(sum)
        expect(sumOf(turned, assign(turned))).toBe(sum)
      }),
    )
  })

  it('leaves its weights alone and takes tables without rows or columns', () => {
    const weight = Float64Array.of(1, 2, 3, 4)
    maximumAssignment(weight, 2, 2)
    expect([...weight]).toEqual([1, 2, 3, 4])
    expect([...maximumAssignment(new Float64Array(0), 0, 5)]).toEqual([])
    expect([...maximumAssignment(new Float64Array(0), 3, 0)]).toEqual([-1, -1, -1])
  })

  it('moves a long chain of rows', () => {
    const n = 300
    // Row r may have r or r + 1, the last one only 0: every row has to move when it comes.
    const weight = new Float64Array(n * n)
    for (let r = 0; r < n; r++) {
      weight[r * n + (r === n - 1 ? 0 : r)] = 2
      if (r < n - 1) weight[r * n + r + 1] = 2
    }
    const column = maximumAssignment(weight, n, n)
    expect([...column]).toEqual([...Array.from({ length: n - 1 }, (_, r) => r + 1), 0])
  })
})
