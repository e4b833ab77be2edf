/**
 * What the laws share: random ragged batches, columns, tolerances, and assertions that are cheap in a loop.
 */
import fc from 'fast-check'
import { it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'

/** A theorem: what it says, over which values, and a check that throws where it does not hold. */
export interface Law {
  readonly says: string
  readonly run: (numRuns: number) => void
}

export function law<Sample>(
  says: string,
  arbitrary: fc.Arbitrary<Sample>,
  holds: (sample: Sample) => void,
): Law {
  return { says, run: (numRuns) => void fc.assert(fc.property(arbitrary, holds), { numRuns }) }
}

/** One test a law, named by its number. */
export function testLaws(laws: Readonly<Record<string, Law>>, numRuns = 100): void {
  for (const [number, { says, run }] of Object.entries(laws)) it(`${number}: ${says}`, () => run(numRuns))
}

// Values

/** K rows of T rewards. */
export type Rows = number[][]

/** Binary rewards, K × T. Rows are often all right, all wrong or alike; columns are often flat. */
export function binaryRows(K: fc.Arbitrary<number>, T: fc.Arbitrary<number>): fc.Arbitrary<Rows> {
  return fc.tuple(K, T).chain(([numRollouts, numTurns]) => {
    const bits = fc.bigInt({ min: 0n, max: 2n ** BigInt(numTurns) - 1n })
    const row = fc.oneof(
      bits,
      fc.tuple(bits, bits).map(([a, b]) => a | b),
      fc.tuple(bits, bits).map(([a, b]) => a & b),
      fc.constantFrom(0n, 2n ** BigInt(numTurns) - 1n),
    )
    const mask = fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: bits })
    return fc
      .tuple(fc.array(row, { minLength: numRollouts, maxLength: numRollouts }), mask, mask)
      .map(([rows, passed, failed]) =>
        rows.map((value) =>
          Array.from({ length: numTurns }, (_, t) =>
            Number((((value | passed) & ~failed) >> BigInt(t)) & 1n),
          ),
        ),
      )
  })
}

const size = (max: number, min = 1): fc.Arbitrary<number> => fc.integer({ min, max })

/** One group; K and T each 1 … 40, or up to the given sizes. */
export const group = (maxK = 40, maxT = 40, minK = 1, minT = 1): fc.Arbitrary<Rows> =>
  binaryRows(size(maxK, minK), size(maxT, minT))

/** One to four groups of any size, large ones among them. */
export const groups: fc.Arbitrary<Rows[]> = fc.oneof(
  fc.array(group(6, 6), { minLength: 1, maxLength: 4 }),
  fc.array(group(40, 40), { minLength: 1, maxLength: 2 }),
)

export const unit: fc.Arbitrary<number> = fc.double({ min: 0, max: 1, noNaN: true, noDefaultInfinity: true })
export const gamma: fc.Arbitrary<number> = fc.oneof(fc.constantFrom(0, 0.1, 0.25, 0.5, 0.9, 1), unit)
export const lambda: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 0.1, 0.5, 0.9),
  fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true, noDefaultInfinity: true }),
)
export const weights: fc.Arbitrary<{ gamma: number; lambda: number }> = fc.record({ gamma, lambda })
export const gate: fc.Arbitrary<'reward' | 'none' | { threshold: number }> = fc.constantFrom(
  'reward' as const,
  'none' as const,
  { threshold: 0.5 },
)

export const batchOf = (...list: Rows[]): TurnBatch => turnBatch(list.map((rewards) => ({ rewards })))

export const realBatchOf = (...list: Rows[]): TurnBatch =>
  turnBatch(
    list.map((rewards) => ({ rewards })),
    { realRewards: true },
  )

// Reading results

/** `values` of group g, nested: a row a rollout. */
export function rowsOf(batch: TurnBatch, values: Float64Array, g = 0): Rows {
  const rows: Rows = []
  for (let i = batch.groupPtr[g]!; i < batch.groupPtr[g + 1]!; i++)
    rows.push(Array.from(values.subarray(batch.turnPtr[i]!, batch.turnPtr[i + 1]!)))
  return rows
}

/** `values` of every turn of every group: a list of K values each. */
export function columnsOf(batch: TurnBatch, values: Float64Array): number[][] {
  const columns: number[][] = []
  for (let g = 0; g + 1 < batch.groupPtr.length; g++) {
    const rows = rowsOf(batch, values, g)
    for (let t = 0; t < (rows[0]?.length ?? 0); t++) columns.push(rows.map((row) => row[t]!))
  }
  return columns
}

export const sum = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0)
export const mean = (x: readonly number[]): number => sum(x) / x.length
/** Population variance. */
export const variance = (x: readonly number[]): number => {
  const mu = mean(x)
  return mean(x.map((value) => (value - mu) ** 2))
}
const rangeOf = (x: readonly number[]): number => Math.max(...x) - Math.min(...x)
/** (x − min) / (max − min): σ of tiny values would be lost to rounding. */
const stretched = (x: readonly number[]): number[] => {
  const [low, range] = [Math.min(...x), rangeOf(x)]
  return x.map((value) => (value - low) / range)
}
/** Population standard deviation, of values of any size. */
export const std = (x: readonly number[]): number =>
  isFlat(x) ? 0 : rangeOf(x) * Math.sqrt(variance(stretched(x)))
export const isFlat = (x: readonly number[]): boolean => x.every((value) => value === x[0])
export const largest = (x: readonly number[]): number => x.reduce((a, b) => Math.max(a, Math.abs(b)), 0)

/** τ64 of one column of values: 1e-12 + 32·K·2⁻⁵³·max|x| / (σ + ε). */
export function tau64(x: readonly number[], epsilon = 1e-6): number {
  if (isFlat(x)) return 1e-12
  const range = rangeOf(x)
  const relative = largest(x) / range / (Math.sqrt(variance(stretched(x))) + epsilon / range)
  return 1e-12 + 32 * x.length * 2 ** -53 * relative
}

// Assertions

export function ensure(condition: boolean, found: () => string): void {
  if (!condition) throw new Error(found())
}

export function near(found: number, wished: number, tolerance: number, what = 'value'): void {
  ensure(
    Math.abs(found - wished) <= tolerance,
    () => `${what}: ${found} is not within ${tolerance} of ${wished}`,
  )
}

/** Equal bit by bit; 0 and −0 differ. */
export function same(found: ArrayLike<number>, wished: ArrayLike<number>, what = 'values'): void {
  ensure(found.length === wished.length, () => `${what}: ${found.length} in place of ${wished.length}`)
  for (let j = 0; j < wished.length; j++)
    ensure(Object.is(found[j], wished[j]), () => `${what}[${j}]: ${found[j]} is not ${wished[j]}`)
}

/** Nothing but +0. */
export const allZero = (values: ArrayLike<number>, what = 'values'): void =>
  same(values, new Float64Array(values.length), what)

/** Neither NaN, nor infinite, nor −0. */
export function clean(values: ArrayLike<number>, what = 'values'): void {
  for (let j = 0; j < values.length; j++)
    ensure(
      Number.isFinite(values[j]) && !Object.is(values[j], -0),
      () => `${what}[${j}] is ${Object.is(values[j], -0) ? '-0' : values[j]}`,
    )
}

/** All groups of binary rewards with K·T ≤ `cells`, shape by shape. */
export function* allGroups(cells: number): Generator<Rows> {
  for (let K = 1; K <= cells; K++)
    for (let T = 1; K * T <= cells; T++)
      for (let bits = 0; bits < 2 ** (K * T); bits++)
        yield Array.from({ length: K }, (_, i) =>
          Array.from({ length: T }, (_, t) => (bits >> (i * T + t)) & 1),
        )
}
