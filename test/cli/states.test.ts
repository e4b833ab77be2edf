/**
 * `--states`: what gigpo and turn-credit need beside rewards, and what is refused.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { gigpo } from '../../src/baselines/gigpo.js'
import { turnBatch } from '../../src/batch/build.js'
import { rowsOf, run, workFolder } from './run.js'

const { path } = workFolder()

const lines = (...records: object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

const rewards = [
  [1, 1],
  [1, 0],
  [0, 1],
]
const log = path('rewards.jsonl')
writeFileSync(log, lines(...rewards.map((row, rollout) => ({ group: 'g', rollout, rewards: row }))))

const states = [
  ['start', 'a'],
  ['start', 'b'],
  ['start', 'a'],
]
const right = states.map((own, rollout) => ({ group: 'g', rollout, states: own, state_scores: [0, 1] }))

let files = 0
const file = (...records: object[]): string => {
  const name = path(`states-${files++}.jsonl`)
  writeFileSync(name, lines(...records))
  return name
}
const gigpoOf = (states: string, ...more: string[]): ReturnType<typeof run> =>
  run(['advantages', log, '-q', '--estimator', 'gigpo', '--states', states, ...more])

describe('--states', () => {
  it('gives gigpo what the library would be given', async () => {
    const { stdout } = await gigpoOf(file(...right))
    const expected = gigpo(turnBatch([{ rewards }]), { states: states.flat() })
    expect(rowsOf(stdout).flatMap(({ advantages }) => advantages)).toEqual([...expected])
  })

  it('may come in any order and tell of rollouts that are not in the log', async () => {
    const { stdout } = await gigpoOf(file({ group: 'h', rollout: 9, states: [] }, ...[...right].reverse()))
    expect(stdout).toBe((await gigpoOf(file(...right))).stdout)
  })

  it.each<[string, object[], RegExp]>([
    ['a rollout without an entry', right.slice(1), /rewards\.jsonl:1: expected an entry for the rollout/],
    [
      'an entry without states',
      [{ group: 'g', rollout: 0, state_scores: [0, 1] }, ...right.slice(1)],
      /:1: states: expected a list, as in other lines/,
    ],
    [
      'states that are null',
      [{ group: 'g', rollout: 0, states: null }, ...right.slice(1)],
      /:1: states: expected a list, as in other lines/,
    ],
    [
      'too few states',
      [{ ...right[0], states: ['start'] }, ...right.slice(1)],
      /:1: states: expected 2 to 2 entries, one a turn, got 1/,
    ],
    [
      'too many scores',
      [{ ...right[0], state_scores: [0, 1, 2] }, ...right.slice(1)],
      /:1: state_scores: expected 2 to 2 entries, one a turn, got 3/,
    ],
    [
      'a state of another type',
      [{ ...right[0], states: ['start', null] }, ...right.slice(1)],
      /:1: states\[1\]: expected text or a number, got null/,
    ],
    [
      'a misspelled field',
      [{ ...right[0], state_score: [0, 1] }, ...right.slice(1)],
      /:1: state_score: expected group, rollout, role, states or state_scores/,
    ],
    ['a rollout twice', [...right, right[0]!], /:4: rollout: expected each rollout once/],
  ])('refuses %s', async (_name, records, message) => {
    const { code, stderr } = await gigpoOf(file(...records))
    expect(stderr).toMatch(message)
    expect(code).toBe(1)
  })

  it('is refused where no estimator reads it, and is never written over', async () => {
    const own = file(...right)
    expect(await run(['advantages', log, '--states', own])).toMatchObject({ code: 2, stdout: '' })
    const before = readFileSync(own, 'utf8')
    for (const flag of ['-o', '--metrics'])
      expect((await gigpoOf(own, flag, own)).stderr).toMatch(/^tara: cannot write .*: it is the input/)
    expect(readFileSync(own, 'utf8')).toBe(before)
  })
})

describe('tara compare', () => {
  it('says which flags go to some of the estimators only', async () => {
    const { stderr, code } = await run([
      'compare',
      log,
      '--estimators',
      'tara,grpo:verl,rloo',
      '--epsilon',
      '1e-8',
    ])
    expect({ stderr, code }).toEqual({ stderr: '--epsilon goes to tara only\n', code: 0 })
  })

  it('refuses a value that none of them takes, and a flag that none of them has', async () => {
    const none = await run(['compare', log, '--estimators', 'tara,grpo', '--gamma', '3'])
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(' --gamma: expected a number in [0, 1], got 3'),
    })
    const unknown = await run(['compare', log, '--estimators', 'tara,grpo', '--omega', '1'])
    expect(unknown).toMatchObject({
      code: 2,
      stderr: 'tara: --omega is not an option of the estimators tara, grpo\n',
    })
  })
})
