import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { taraParts } from '../../src/advantage/tara.js'
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'
import { explainTurn } from '../../src/diagnose/explain.js'
import { group, near, unit } from '../laws/support.js'

const batch = turnBatch([
  { rewards: [[0], [1]] },
  {
    rewards: [
      [1, 1, 1],
      [1, 0, 1],
      [0, 1, 1],
      [1, 1, 0],
    ],
  },
])

describe('explainTurn', () => {
  it('takes the worked example apart', () => {
    const found = explainTurn(batch, 1, 2, 0)
    expect(found.terms).toEqual([
      { turn: 1, reward: 1, weight: 1, product: 1 },
      { turn: 2, reward: 1, weight: 0.5, product: 0.5 },
    ])
    expect(found).toMatchObject({ votes: true, reward: 1, gate: 1, sum: 1.5, futureValue: 1.5 })
    expect(found.local).toMatchObject({ mean: 0.75, voters: 4 })
    expect(found.local.std).toBeCloseTo(0.433012701892, 12)
    expect(found.future.mean).toBe(0.75)
    expect(found.future.std).toBeCloseTo(Math.sqrt(5) / 4, 15)
    expect(found.advantage).toBeCloseTo(1.248168129111, 11)
  })

  it('shows the future that a shut gate drops', () => {
    const distractor = explainTurn(batch, 1, 4, 0)
    expect(distractor).toMatchObject({ reward: 0, gate: 0, sum: 1.5, futureValue: 0 })
  })

  it('starts one power of γ later with Eq. 7', () => {
    const found = explainTurn(batch, 1, 2, 0, { futureIndex: 'eq7' })
    expect(found.terms.map(({ weight }) => weight)).toEqual([0.5, 0.25])
    expect(found).toMatchObject({ sum: 0.75, futureValue: 0.75 })
  })

  it('has the very numbers of taraParts, turn by turn, whatever the options', () => {
    const anyBatch: fc.Arbitrary<TurnBatch> = fc
      .tuple(
        group(6, 5),
        fc.array(fc.array(unit, { maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        fc.nat(31),
      )
      .map(([rows, ragged, bits]) =>
        turnBatch(
          [
            { rewards: ragged, valid: ragged.map((_, i) => ((bits >> i) & 1) === 0) },
            { rewards: rows, numTurns: rows[0]!.length, masked: rows[0]!.map((_, t) => t === 1) },
          ],
          { realRewards: true },
        ),
      )
    const anyOptions = fc.record({
      gamma: fc.constantFrom(0, 0.5, 0.9),
      lambda: fc.constantFrom(0, 0.5),
      gate: fc.constantFrom('reward' as const, 'none' as const, { threshold: 0.5 }),
      futureIndex: fc.constantFrom('eq3' as const, 'eq7' as const),
      scale: fc.constantFrom('std' as const, 'none' as const),
      correction: fc.constantFrom(0 as const, 1 as const),
      baseline: fc.constantFrom('mean' as const, 'leave-one-out' as const),
      unreached: fc.constantFrom(undefined, 'zero' as const, 'exclude' as const),
    })
    fc.assert(
      fc.property(anyBatch, anyOptions, ({ ...made }, { unreached, ...rest }) => {
        const options = { ...rest, ...(unreached && { unreached }) }
        const parts = taraParts(made, options)
        for (let g = 0; g < 2; g++)
          for (let i = made.groupPtr[g]!; i < made.groupPtr[g + 1]!; i++)
            for (let j = made.turnPtr[i]!; j < made.turnPtr[i + 1]!; j++) {
              const found = explainTurn(made, g, i, j - made.turnPtr[i]!, options)
              expect(found.futureValue).toBe(parts.futureValue[j])
              expect(found.local.z).toBe(parts.local[j])
              expect(found.future.z).toBe(parts.future[j])
              expect(found.advantage).toBe(parts.advantage[j])
              if (!found.votes) continue
              const total = found.terms.reduce((sum, { product }) => sum + product, 0)
              near(found.sum, total, 1e-14)
              near(found.futureValue, found.gate * found.sum, 0)
            }
      }),
      { numRuns: 60 },
    )
  })

  it('says where a rollout or a turn does not vote', () => {
    const some = turnBatch([
      { rewards: [[1, 1], [0], [1, 0], [0, 1]], valid: [true, true, true, false], masked: [false, false] },
    ])
    const missing = explainTurn(some, 0, 1, 1)
    expect(missing).toMatchObject({ votes: false, reward: 0, gate: 0, terms: [], sum: 0, futureValue: 0 })
    expect(missing.local).toEqual({ mean: 0.5, std: 0.5, voters: 2, z: 0 })
    expect(explainTurn(some, 0, 3, 0)).toMatchObject({ votes: false, reward: 0, advantage: 0 })
    expect(explainTurn(some, 0, 3, 0).local.voters).toBe(3)
  })

  it('refuses a turn that is not there, and a rollout of another group', () => {
    expect(() => explainTurn(batch, 2, 0, 0)).toThrow(
      'explainTurn: g: expected a whole number, 0 or more and below 2, got 2',
    )
    expect(() => explainTurn(batch, 1, 0, 0)).toThrow(
      'explainTurn: i: expected a whole number, 2 or more and below 6, got 0',
    )
    expect(() => explainTurn(batch, 1, 2, 3)).toThrow(
      'explainTurn: t: expected a whole number, 0 or more and below 3, got 3',
    )
    expect(() => explainTurn(batch, 0, 0, 0.5)).toThrow('explainTurn: t')
    expect(() => explainTurn(batch, 0, 0, 0, { lambda: 2 })).toThrow('explainTurn: options.lambda')
  })
})
