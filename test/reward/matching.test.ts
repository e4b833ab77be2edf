import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalPartners, greedyMatching, maximumMatching } from '../../src/reward/matching.js'

/** The size of the best matching by trying every assignment. */
function bestSize(edges: readonly boolean[][], left = 0, taken = 0): number {
  if (left === edges.length) return 0
  let best = bestSize(edges, left + 1, taken)
  for (let r = 0; r < edges[left]!.length; r++)
    if (edges[left]![r] && !(taken & (1 << r)))
      best = Math.max(best, 1 + bestSize(edges, left + 1, taken | (1 << r)))
  return best
}

const sizeOf = (partner: readonly number[]): number => partner.filter((r) => r !== -1).length

const table = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }))
  .chain(([n, m]) =>
    fc.array(fc.array(fc.boolean(), { minLength: m, maxLength: m }), { minLength: n, maxLength: n }),
  )

describe('maximumMatching', () => {
  it('is as large as the best of all assignments, and uses edges only, each partner once', () => {
    fc.assert(
      fc.property(table, (edges) => {
        const m = edges[0]?.length ?? 0
        const partner = maximumMatching(
          equalPartners(edges.length, m, (l, r) => edges[l]![r]!, edges.length),
          m,
        )
        expect(sizeOf(partner)).toBe(bestSize(edges))
        const used = partner.filter((r) => r !== -1)
        expect(new Set(used).size).toBe(used.length)
        partner.forEach((r, l) => {
          if (r !== -1) expect(edges[l]![r]).toBe(true)
        })
      }),
      { numRuns: 500 },
    )
  })

  it('moves a whole chain of partners without recursion', () => {
    const n = 100_000
    // Thing l may have l or l + 1, and the last one only 0: everyone has to move.
    const partners = Array.from({ length: n }, (_, l) => (l < n - 1 ? [l, l + 1] : [0]))
    const partner = maximumMatching(partners, n)
    expect(sizeOf(partner)).toBe(n)
    expect(partner[n - 1]).toBe(0)
    expect(partner[0]).toBe(1)
  })
})

describe('greedyMatching', () => {
  it('is a maximum matching where equality is an equivalence', () => {
    const marks = fc.array(fc.nat(3), { maxLength: 6 })
    fc.assert(
      fc.property(marks, marks, (left, right) => {
        const edges = left.map((a) => right.map((b) => a === b))
        const partner = greedyMatching(left.length, right.length, (l, r) => left[l] === right[r])
        expect(sizeOf(partner)).toBe(bestSize(edges))
      }),
    )
  })
})
