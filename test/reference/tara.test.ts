import fc from 'fast-check'
import { describe, it } from 'vitest'
import { taraParts } from '../../src/advantage/tara.js'
import { grpo } from '../../src/baselines/grpo.js'
import {
  batchOf,
  columnsOf,
  group,
  lambda,
  near,
  type Rows,
  realBatchOf,
  rowsOf,
  tau64,
} from '../laws/support.js'
import { exact, exactGrpo, exactScores, exactTara } from './oracle.js'

const gamma = fc.constantFrom(0, 0.1, 0.25, 0.5, 0.9, 1, 1 / 3, (Math.sqrt(5) - 1) / 2)
const real = fc
  .double({ min: 0, max: 1, noNaN: true, noDefaultInfinity: true })
  .map((x) => Math.round(x * 1024) / 1024)

/** Holds every part of every group against the oracle, within τ64 of its turn. */
function agree(
  list: Rows[],
  options: { gamma: number; lambda: number; epsilon: number },
  gate?: 'none',
): void {
  const batch = realBatchOf(...list)
  const parts = taraParts(batch, { ...options, ...(gate && { gate }) })
  list.forEach((rows, g) => {
    const wished = exactTara(rows, {
      ...options,
      ...(gate && { gates: rows.map((row) => row.map(() => 1)) }),
    })
    for (const part of ['futureValue', 'local', 'future', 'advantage'] as const) {
      const found = rowsOf(batch, parts[part], g)
      for (let t = 0; t < rows[0]!.length; t++) {
        const r = rows.map((row) => row[t]!)
        const V = wished.futureValue.map((row) => row[t]!)
        const tolerance = tau64(r, options.epsilon) + tau64(V, options.epsilon)
        for (let i = 0; i < rows.length; i++)
          near(found[i]![t]!, wished[part][i]![t]!, tolerance, `${part}[${g}][${i}][${t}]`)
      }
    }
  })
}

const realRows = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 }))
  .chain(([K, T]) => fc.array(fc.array(real, { minLength: T, maxLength: T }), { minLength: K, maxLength: K }))

describe('tara agrees with exact arithmetic', () => {
  it('on ragged batches of binary rewards', () => {
    fc.assert(
      fc.property(
        fc.array(group(8, 7), { minLength: 1, maxLength: 3 }),
        gamma,
        lambda,
        (list, gamma, lambda) => agree(list, { gamma, lambda, epsilon: 1e-6 }),
      ),
      { numRuns: 60 },
    )
  })

  it('on ragged batches of rewards in [0, 1], with and without the gate', () => {
    fc.assert(
      fc.property(
        fc.array(realRows, { minLength: 1, maxLength: 3 }),
        gamma,
        lambda,
        fc.constantFrom(undefined, 'none' as const),
        (list, gamma, lambda, gate) => agree(list, { gamma, lambda, epsilon: 1e-6 }, gate),
      ),
      { numRuns: 40 },
    )
  })

  it('on wide and long groups', () => {
    const rows = (K: number, T: number): Rows =>
      Array.from({ length: K }, (_, i) =>
        Array.from({ length: T }, (_, t) => ((i * 7 + t * 5 + i * t) % 3 ? 1 : 0)),
      )
    agree([rows(40, 12), rows(3, 40), rows(40, 3)], { gamma: 0.9, lambda: 0.5, epsilon: 1e-6 })
    agree([rows(8, 40), rows(40, 5)], { gamma: 0.5, lambda: 0.5, epsilon: 0 })
  })
})

describe('grpo agrees with exact arithmetic', () => {
  it('for every reward', () => {
    fc.assert(
      fc.property(
        group(8, 7),
        gamma,
        fc.constantFrom('trace' as const, 'mean' as const, 'discounted' as const),
        (rows, gamma, reward) => {
          const batch = batchOf(rows)
          const wished = exactGrpo(rows, reward, gamma, 1e-6)
          const found = rowsOf(batch, grpo(batch, { reward, gamma }))
          const tolerance = tau64(wished.scalar)
          for (const [i, row] of found.entries())
            for (const value of row) near(value, wished.advantage[i]!, tolerance)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('the sample σ agrees with exact arithmetic', () => {
  it('turn by turn', () => {
    fc.assert(
      fc.property(realRows, (rows) => {
        const batch = realBatchOf(rows)
        const found = columnsOf(batch, taraParts(batch, { correction: 1 }).local)
        found.forEach((column, t) => {
          const x = rows.map((row) => row[t]!)
          const wished = exactScores(x.map(exact), 1e-6, 'unbiased')
          for (const [i, value] of column.entries()) near(value, wished[i]!, tau64(x))
        })
      }),
      { numRuns: 40 },
    )
  })
})
