/**
 * The handed cases that speak of files, of the program and of rows that must not vote.
 */
import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { asText, lineSplitter } from '../../src/formats/lines.js'
import { type Row, rowsOf, run, workFolder } from '../cli/run.js'

const file = new URL('../../../shared/cases/cases.jsonl', import.meta.url)
const isHere = existsSync(file)

interface CaseRow {
  readonly group: string
  readonly rollout: string
  readonly reward: number | null
  readonly status?: string
  readonly segment?: number
}

interface Case {
  readonly id: string
  readonly area: string
  readonly input: {
    readonly jsonl: readonly string[]
    readonly bytesHex: string
    readonly bytes: number
    readonly path: string
    readonly rows: readonly CaseRow[]
  }
  readonly expected: {
    readonly records: number
    readonly lineNumbers: readonly number[]
    readonly advantages: readonly number[]
    readonly turnAdvantages: readonly (readonly number[])[]
    readonly lossMaskZero: readonly string[]
    readonly wrong: readonly number[]
    readonly atol: number
    readonly exitCode: number
    readonly outputRows: number
    readonly errorLine: number
    readonly errorMentions: string
    readonly stderrMentions: string
  }
}

const cases = new Map(
  (isHere ? readFileSync(file, 'utf8').trim().split('\n') : [])
    .map((line) => JSON.parse(line) as Case)
    .map((one) => [one.id, one]),
)
const { write, path } = workFolder()
const covered: string[] = []

function theCase(id: string, says: string, check: (one: Case) => Promise<void> | void): void {
  covered.push(id)
  it(`${id}: ${says}`, () => check(cases.get(id)!))
}

/** A record of the neutral form, which has a reward on each turn. */
function asRecord(line: string): string {
  const turns = /"turns":\[(.*)\]/.exec(line)![1]!
  const rewards = [...turns.matchAll(/"reward":([^,}]+)/g)].map(([, reward]) => reward)
  return line.replace(/"turns":\[.*\]/, `"rewards":[${rewards.join(',')}]`)
}

/** Rows of one turn, with a token each so that the mask shows. */
const asLog = (rows: readonly CaseRow[]): string =>
  rows
    .map(({ group, rollout, reward, status }) =>
      JSON.stringify({ group, rollout, rewards: [reward], status, tokens: { length: 1, turns: [[[0, 1]]] } }),
    )
    .join('\n')

function expectRows(rows: readonly Row[], { expected }: Case): void {
  expect(rows).toHaveLength(expected.advantages.length)
  rows.forEach((row, k) => {
    expect(Math.abs((row.advantages as number[])[0]! - expected.advantages[k]!)).toBeLessThanOrEqual(
      expected.atol,
    )
    expect(row.loss_mask).toEqual([expected.lossMaskZero.includes(row.rollout as string) ? 0 : 1])
  })
}

describe.skipIf(!isHere)('handed cases (skipped where they are missing)', () => {
  theCase('B008', 'one rollout alone is a row of zeros, with a warning', async ({ input, expected }) => {
    const done = await run(['advantages', '-'], input.jsonl.map(asRecord).join('\n'))
    expect(done.code).toBe(expected.exitCode)
    expect(rowsOf(done.stdout).map(({ advantages }) => advantages)).toEqual(expected.turnAdvantages)
    expect(rowsOf(done.stdout)).toHaveLength(expected.outputRows)
    expect(done.stderr).toContain('warning: ')
  })

  theCase(
    'B015',
    'a reward of null takes its row out under --allow-invalid, and is refused without',
    async (one) => {
      const log = asLog(one.input.rows)
      const strict = await run(['advantages', '-', '--real-rewards', '--tokens'], log)
      expect(strict).toMatchObject({ code: 1, stdout: '' })
      expect(strict.stderr).toContain('stdin:2: rewards[0]: ')
      const done = await run(['advantages', '-', '--real-rewards', '--tokens', '--allow-invalid'], log)
      expect(done.code, done.stderr).toBe(0)
      expectRows(rowsOf(done.stdout), one)
      expect(done.stderr).toContain('rollouts with an invalid reward, taken as aborted: 1')
    },
  )

  theCase('B018', 'an aborted rollout neither votes nor learns', async (one) => {
    const done = await run(['advantages', '-', '--tokens'], asLog(one.input.rows))
    expect(done.code, done.stderr).toBe(0)
    expectRows(rowsOf(done.stdout), one)
  })

  theCase('B019', 'several sequences of one rollout vote once', async ({ input, expected }) => {
    const rollouts = [...new Set(input.rows.map(({ rollout }) => rollout))]
    const log = rollouts
      .map((rollout) => {
        const rows = input.rows.filter((row) => row.rollout === rollout)
        const tokens = { sequences: rows.map(() => ({ length: 1 })), turns: [rows.map((_, q) => [q, 0, 1])] }
        return JSON.stringify({ group: rows[0]!.group, rollout, rewards: [rows[0]!.reward], tokens })
      })
      .join('\n')
    const done = await run(['advantages', '-', '--tokens'], log)
    expect(done.code, done.stderr).toBe(0)
    const values = rowsOf(done.stdout).flatMap(({ token_advantages }) =>
      (token_advantages as number[][]).flat(),
    )
    expect(values).toHaveLength(expected.advantages.length)
    values.forEach((value, k) => {
      expect(Math.abs(value - expected.advantages[k]!)).toBeLessThanOrEqual(expected.atol)
      expect(Math.abs(value - expected.wrong[k]!)).toBeGreaterThan(0.1)
    })
  })

  theCase(
    'B020',
    'the same rollout twice is refused, whether it agrees with itself or not',
    async ({ input }) => {
      const done = await run(['advantages', '-', '--real-rewards'], asLog(input.rows))
      expect(done).toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'tara: stdin:2: rollout: expected each rollout of a group once, got "r0" again\n',
      })
    },
  )

  for (const [id, says] of [
    ['B093', 'U+2028 in a string ends no line'],
    ['B094', 'CRLF, blank lines and a missing final newline are legal and counted'],
  ] as const)
    theCase(id, says, ({ input, expected }) => {
      const seen: number[] = []
      const lines = lineSplitter(
        'in',
        1000,
        asText('in', (text, line) => {
          JSON.parse(text)
          seen.push(line)
        }),
      )
      lines.push(Buffer.from(input.bytesHex, 'hex'))
      lines.end()
      expect(seen).toHaveLength(expected.records)
      if (expected.lineNumbers !== undefined) expect(seen).toEqual(expected.lineNumbers)
    })

  theCase(
    'B096',
    'one enormous line is refused by its number, without a crash',
    async ({ input, expected }) => {
      const huge = write('huge.jsonl', '')
      truncateSync(huge, input.bytes)
      const done = await run(['advantages', huge])
      rmSync(huge)
      expect(done).toMatchObject({ code: expected.exitCode, signal: null, stdout: '' })
      expect(done.stderr).toBe(
        `tara: ${huge}:1: expected a line of at most 67108864 bytes, got a longer one\n`,
      )
    },
  )

  theCase('B097', 'an input that cannot be read is no row of zeros', async ({ input, expected }) => {
    const done = await run(['advantages', path(input.path)])
    expect(done).toMatchObject({ code: expected.exitCode, stdout: '' })
    expect(done.stderr).toContain(expected.stderrMentions)
  })

  theCase(
    'B098',
    'a bare NaN is named with its line, and read as invalid only under --allow-invalid',
    async ({ input, expected }) => {
      const log = input.jsonl.map(asRecord).join('\n')
      const done = await run(['advantages', '-'], log)
      expect(done).toMatchObject({ code: expected.exitCode, stdout: '' })
      expect(done.stderr).toContain(`stdin:${expected.errorLine}: `)
      expect(done.stderr).toContain(expected.errorMentions)
      const allowed = await run(['advantages', '-', '--allow-invalid'], log)
      expect(allowed.code, allowed.stderr).toBe(0)
      expect(rowsOf(allowed.stdout).map(({ status, advantages }) => [status, advantages])).toEqual([
        ['complete', [0]],
        ['aborted', [0]],
      ])
    },
  )

  it('are all of the area cli', () => {
    const all = [...cases.values()].filter(({ area }) => area === 'cli').map(({ id }) => id)
    expect(all.filter((id) => !covered.includes(id))).toEqual([])
  })
})
