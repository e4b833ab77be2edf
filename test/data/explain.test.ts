/**
 * `tara explain` on the real logs says the same as `tara advantages`.
 */
import { describe, expect, it } from 'vitest'
import { inProcess } from '../cli/inProcess.js'
import { rowsOf } from '../cli/run.js'
import { hasData, logFile, logNames, shuffled } from './logs.js'

interface Explained {
  readonly reached: boolean
  readonly golden: readonly (readonly unknown[])[]
  readonly made: readonly unknown[]
  readonly coverage: {
    readonly covered: boolean
    readonly matched: number
    readonly golden: number
    readonly missed: readonly unknown[]
  } | null
  readonly numbers: {
    readonly reward: number
    readonly advantage: number
    readonly futureValue: number
    readonly terms: readonly { readonly product: number }[]
    readonly sum: number
    readonly gate: number
    readonly local: { readonly z: number }
    readonly future: { readonly z: number }
  }
}

describe.skipIf(!hasData)('tara explain on the shared logs (skipped where they are missing)', () => {
  for (const name of logNames)
    it(`has the numbers of tara advantages for cells of ${name} taken at random`, async () => {
      const rows = rowsOf((await inProcess('advantages', logFile(name))).stdout)
      const cells = rows.flatMap((row) => (row.rewards as number[]).map((_, t) => ({ row, t })))
      for (const k of shuffled(cells.length, 3).slice(0, 12)) {
        const { row, t } = cells[k]!
        const { stdout, message } = await inProcess(
          'explain',
          logFile(name),
          ...['--group', `${row.group}`, '--rollout', `${row.rollout}`, '--turn', `${t}`, '--json'],
        )
        expect(message).toBe('')
        const { numbers, coverage, reached, golden } = JSON.parse(stdout) as Explained
        const of = (field: string): number => (row[field] as number[])[t]!
        expect([
          numbers.reward,
          numbers.local.z,
          numbers.future.z,
          numbers.advantage,
          Number(reached),
        ]).toEqual(['rewards', 'local', 'future', 'advantages', 'reached'].map(of))
        expect(numbers.futureValue).toBe(numbers.gate * numbers.sum)
        expect(numbers.terms.reduce((sum, { product }) => sum + product, 0)).toBeCloseTo(numbers.sum, 12)
        expect(golden).toHaveLength(1)
        if (coverage !== null) {
          expect(Number(coverage.covered)).toBe(numbers.reward)
          expect(coverage.missed).toHaveLength(coverage.golden - coverage.matched)
        }
      }
    })
})
