/**
 * `tara advantages --metrics`, and what the closing summary says of the credit.
 */
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rowsOf, run, workFolder } from './run.js'

const { path, write } = workFolder()

const rows = (rewards: readonly number[][], group = 'g'): string =>
  rewards.map((row, rollout) => `${JSON.stringify({ group, rollout, rewards: row })}\n`).join('')

const log = write(
  'log.jsonl',
  rows([
    [1, 1, 1],
    [1, 0, 1],
    [0, 1, 1],
    [1, 1, 0],
  ]),
)

const metricsIn = (file: string): Record<string, number> => JSON.parse(readFileSync(file, 'utf8'))

const turn = (...calls: string[]): object[] => [
  { role: 'user', content: 'go on' },
  { role: 'assistant', tool_calls: calls.map((name) => ({ name, arguments: '{}' })) },
]

describe('--metrics', () => {
  it('writes one JSON object of numbers, and leaves the rows as they are', async () => {
    const file = path('metrics.json')
    const { code, stdout } = await run(['advantages', log, '--metrics', file])
    expect(code).toBe(0)
    expect(rowsOf(stdout)).toHaveLength(4)
    const found = metricsIn(file)
    expect(found).toMatchObject({
      'tara/groups': 1,
      'tara/rollouts': 4,
      'tara/trace_success': 0.25,
      'tara/flat_share': 0,
      'tara/gate_open_share': 0.75,
      'tara/turn_0/mean_reward': 0.75,
      'tara/turn_2/first_miss_share': 0.25,
    })
    expect(Object.keys(found).filter((name) => /filter|call_rate|outcome/.test(name))).toEqual([])
    expect(readFileSync(file, 'utf8').endsWith('\n}\n')).toBe(true)
  })

  it('is written under -q too, and to stdout where the rows go elsewhere', async () => {
    const quiet = await run([
      'advantages',
      log,
      '-q',
      '--metrics',
      path('quiet.json'),
      '-o',
      path('rows.jsonl'),
    ])
    expect(quiet).toMatchObject({ code: 0, stdout: '', stderr: '' })
    const shown = await run(['advantages', log, '-q', '--metrics', '-', '-o', path('rows.jsonl')])
    expect(JSON.parse(shown.stdout)).toEqual(metricsIn(path('quiet.json')))
  })

  it('counts calls, and those of a neighboring turn', async () => {
    const record = (rollout: number, messages: object[]): string =>
      `${JSON.stringify({ group: 'g', rollout, messages, golden: [[{ name: 'a' }], [{ name: 'b' }]] })}\n`
    const calls = write(
      'calls.jsonl',
      record(0, [...turn('a', 'b'), ...turn()]) + record(1, [...turn(), ...turn('a'), ...turn('b')]),
    )
    const file = path('calls.json')
    const { stderr } = await run(['advantages', calls, '--metrics', file])
    // Five calls were tested but the surplus turn's; one of each golden turn's four stands elsewhere.
    expect(metricsIn(file)).toMatchObject({
      'tara/extra_call_rate': 2 / 3,
      'tara/malformed_call_rate': 0,
      'tara/one_turn_early_share': 1 / 3,
      'tara/one_turn_late_share': 2 / 3,
      'tara/surplus_turns': 1,
    })
    expect(stderr).toContain('missed turns whose calls stand one turn early: 1, late: 2, of 3\n')
  })

  it('says nothing of gate and future for other estimators', async () => {
    const file = path('grpo.json')
    const { stderr } = await run(['advantages', log, '--estimator', 'grpo', '--metrics', file])
    expect(Object.keys(metricsIn(file)).filter((name) => /gate|future/.test(name))).toEqual([])
    expect(metricsIn(file)['tara/correct_negative_share']).toBe(6 / 9)
    expect(stderr).not.toContain('gate open')
  })

  it('takes gate and lambda from the flags', async () => {
    const file = path('gate.json')
    await run(['advantages', log, '--gate', 'none', '--lambda', '0', '--metrics', file])
    expect(metricsIn(file)).toMatchObject({ 'tara/gate_open_share': 1, 'tara/future_share': 0 })
  })

  it('refuses the place of the rows and of the input, before it reads', async () => {
    const input = readFileSync(log, 'utf8')
    symlinkSync(path('linked.jsonl'), path('link.json'))
    write('linked.jsonl', 'old\n')
    for (const [flags, message] of [
      [['--metrics', '-'], 'cannot write -: the advantages go there'],
      [['--metrics', path('one'), '-o', path('one')], 'the advantages go there'],
      [['--metrics', path('link.json'), '-o', path('linked.jsonl')], 'the advantages go there'],
      [['--metrics', log, '-o', path('one')], `it is the input ${log}`],
      [['--metrics', path('no/such/folder.json')], 'no such file or folder'],
    ] as const) {
      const { code, stdout, stderr } = await run(['advantages', log, ...flags])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(message)
    }
    expect(existsSync(path('one'))).toBe(false)
    expect(readFileSync(log, 'utf8')).toBe(input)
    expect(await run(['advantages', log, '-q', '--metrics', '/dev/null', '-o', '/dev/null'])).toMatchObject({
      code: 0,
    })
  })

  it('keeps an old file and leaves nothing behind where the run fails', async () => {
    const old = write('old.json', 'old\n')
    const { code } = await run(
      ['advantages', '-', '--metrics', old],
      '{"group":"g","rollout":0,"rewards":[2]}\n',
    )
    expect(code).toBe(1)
    expect(readFileSync(old, 'utf8')).toBe('old\n')
    expect(readdirSync(dirname(old)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('the closing summary', () => {
  it('ends with where rollouts miss and where credit comes from', async () => {
    const { stderr } = await run(['advantages', log, '-o', '/dev/null'])
    expect(stderr.split('\n').slice(-4)).toEqual([
      'mean reward by turn: 0.75 0.75 0.75',
      'first miss by turn: 1 1 1; rollouts without one: 1 of 4',
      'gate open: 6 of 8 turns with a later one; future part of |A|: 26.7%',
      '',
    ])
  })

  it('counts failed turns with a positive advantage where there are any', async () => {
    const distractor = write(
      'distractor.jsonl',
      rows([
        [0, 1],
        [1, 0],
        [0, 0],
        [0, 0],
      ]),
    )
    const ungated = await run(['advantages', distractor, '--gate', 'none', '-o', '/dev/null'])
    expect(ungated.stderr).toContain('failed turns with positive advantage: 1\n')
    expect((await run(['advantages', distractor, '-o', '/dev/null'])).stderr).not.toContain(
      'failed turns with',
    )
  })

  it('lists eight turns and no more', async () => {
    const long = write('long.jsonl', rows([new Array(9).fill(1), new Array(9).fill(0)]))
    const { stderr } = await run(['advantages', long, '-o', '/dev/null'])
    expect(stderr).toContain(`mean reward by turn: ${new Array(8).fill('0.50').join(' ')} …\n`)
    expect(stderr).toContain('first miss by turn: 1 0 0 0 0 0 0 0 …; rollouts without one: 1 of 2\n')
  })
})
