/**
 * The real logs through the command line, against an independent reference.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Row, type Run, rowsOf, run, workFolder } from '../cli/run.js'
import { type Expected, expectedOf, hasData, logFile, logLines, logNames, shuffled } from './logs.js'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function farthest(found: readonly number[], wanted: readonly number[]): number {
  expect(found).toHaveLength(wanted.length)
  return Math.max(0, ...found.map((value, k) => Math.abs(value - wanted[k]!)))
}

describe.skipIf(!hasData)('tara advantages on the shared logs (skipped where they are missing)', () => {
  const { write } = workFolder()

  for (const name of logNames)
    for (const seed of [undefined, 7])
      describe(`${name}${seed === undefined ? '' : ', its lines shuffled'}`, () => {
        let done: Run
        let rows: Row[]
        let expected: Map<string, Expected>
        let keys: string[]

        beforeAll(async () => {
          const lines = logLines(name)
          const order = seed === undefined ? lines.map((_, k) => k) : shuffled(lines.length, seed)
          const input = order.map((k) => lines[k]!)
          keys = input.map((line) => {
            const { group, rollout } = JSON.parse(line) as { group: string; rollout: number }
            return `${group} ${rollout}`
          })
          expected = expectedOf(name)
          const file = seed === undefined ? logFile(name) : write(`${name}.jsonl`, `${input.join('\n')}\n`)
          const flags = name === 'bfcl_sample' ? ['--tokens'] : []
          done = await run(['advantages', file, ...flags, ...(seed === undefined ? [] : ['-o', '-'])])
          rows = rowsOf(done.stdout)
        })

        it('ends well, with the summary and a word on fields that are not read', () => {
          expect(done.code, done.stderr).toBe(0)
          expect(done.stderr.match(/^warning: .*$/gm) ?? []).toEqual(
            name === 'tau_airline'
              ? [expect.stringMatching(/^warning: .*:1: field "meta" is not read$/)]
              : [],
          )
          expect(done.stderr).toContain(
            name === 'bfcl_sample' ? '64 groups, 482 rollouts' : '50 groups, 200 rollouts',
          )
        })

        it('keeps the order of the input, every rollout once', () => {
          expect(rows.map(({ group, rollout }) => `${group} ${rollout}`)).toEqual(keys)
          expect(new Set(keys).size).toBe(expected.size)
        })

        it('has the rewards of the reference exactly', () => {
          for (const [k, row] of rows.entries())
            expect(row.rewards, keys[k]).toEqual(expected.get(keys[k]!)!.rewards)
        })

        for (const field of ['local', 'future', 'advantages'] as const)
          it(`has the ${field} of the reference within 1e-9`, () => {
            for (const [k, row] of rows.entries())
              expect(farthest(row[field] as number[], expected.get(keys[k]!)![field]), keys[k]).toBeLessThan(
                1e-9,
              )
          })

        it.runIf(name === 'bfcl_sample')(
          'has token advantages that add up to the reference within 1e-6',
          () => {
            for (const [k, row] of rows.entries()) {
              const tokens = row.token_advantages as number[]
              expect(Math.abs(sum(tokens) - expected.get(keys[k]!)!.token_sum!), keys[k]).toBeLessThan(1e-6)
              const mask = row.loss_mask as number[]
              expect(mask).toHaveLength(tokens.length)
              expect(tokens.every((value, j) => value === 0 || mask[j] === 1)).toBe(true)
            }
          },
        )
      })
})
