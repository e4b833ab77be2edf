/**
 * The filters of `tara advantages`: what they drop is not written, and the receipt says why.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rowsOf, run, workFolder } from './run.js'

const { path, write } = workFolder()

const line = (group: string, rollout: number, rewards: number[], more: object = {}): string =>
  JSON.stringify({
    group,
    rollout,
    rewards,
    tokens: { length: 9, turns: rewards.map((_, t) => [[3 * t, 3 * t + rollout + 1]]) },
    ...more,
  })

/** Groups are interleaved: `flat` all right, `mixed` and `cut`, of which a limit ended one. */
const lines = [
  line('flat', 0, [1, 1]),
  line('mixed', 0, [1, 0]),
  line('cut', 0, [1, 1]),
  line('cut', 1, [0, 0], { status: 'truncated' }),
  line('mixed', 1, [0, 1]),
  line('flat', 1, [1, 1]),
  line('cut', 2, [1, 1]),
]
const log = write('log.jsonl', `${lines.join('\n')}\n`)

const names = (stdout: string): string[] => rowsOf(stdout).map(({ group, rollout }) => `${group}.${rollout}`)

describe('filters', () => {
  it('drop flat groups from the output, which stays in input order', async () => {
    const { code, stdout, stderr } = await run(['advantages', log, '--drop-flat'])
    expect(code).toBe(0)
    expect(names(stdout)).toEqual(['mixed.0', 'cut.0', 'cut.1', 'mixed.1', 'cut.2'])
    expect(stderr).toContain(
      'kept 5 rollouts of 2 groups\ndropped by --drop-flat: 2 rollouts, 1 whole group\n',
    )
    expect(stderr).toContain('2 groups, 5 rollouts: K 2 to 3, T 2\n')
  })

  it('write the rows that a log of the kept groups alone gives, tokens too', async () => {
    const filtered = await run(['advantages', log, '--drop-flat', '--tokens', '-q'])
    const alone = await run(
      ['advantages', '-', '--tokens', '-q'],
      lines.filter((text) => !text.includes('"flat"')).join('\n'),
    )
    expect(filtered).toEqual(alone)
    expect(filtered.stderr).toBe('')
  })

  it('drop rollouts that a limit ended before they look at the groups', async () => {
    const { stdout, stderr } = await run(['advantages', log, '--drop-flat', '--drop-truncated'])
    expect(names(stdout)).toEqual(['mixed.0', 'mixed.1'])
    expect(stderr).toContain(
      'kept 2 rollouts of 1 group\n' +
        'dropped by --drop-truncated: 1 rollout, 0 whole groups\n' +
        'dropped by --drop-flat: 4 rollouts, 2 whole groups\n',
    )
  })

  it('drop groups by mean reward and by size', async () => {
    const keptBy = async (...flags: string[]): Promise<string[]> => {
      const { stdout } = await run(['advantages', log, '-q', ...flags])
      return [...new Set(rowsOf(stdout).map(({ group }) => String(group)))]
    }
    expect(await keptBy('--mean-reward', '0.1..0.9')).toEqual(['mixed', 'cut'])
    expect(await keptBy('--mean-reward', '0.6..')).toEqual(['flat', 'cut'])
    expect(await keptBy('--mean-reward', '..0.5')).toEqual(['mixed'])
    expect(await keptBy('--min-group-size', '3')).toEqual(['cut'])
    expect(await keptBy('--min-group-size', '3', '--truncated', 'exclude')).toEqual([])
  })

  it('put the receipt in the metrics', async () => {
    const file = path('metrics.json')
    await run([
      'advantages',
      log,
      '-q',
      '--drop-flat',
      '--drop-truncated',
      '--metrics',
      file,
      '-o',
      '/dev/null',
    ])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      'tara/groups': 1,
      'tara/rollouts': 2,
      'tara/filter/kept_groups': 1,
      'tara/filter/kept_rollouts': 2,
      'tara/filter/truncated_groups': 0,
      'tara/filter/truncated_rollouts': 1,
      'tara/filter/min_group_size_groups': 0,
      'tara/filter/flat_groups': 2,
      'tara/filter/flat_rollouts': 4,
    })
  })

  it('name the line of a kept rollout in errors', async () => {
    const broken = write(
      'broken.jsonl',
      `${[line('flat', 0, [1]), line('flat', 1, [1]), line('g', 0, [2]), line('g', 1, [0])].join('\n')}\n`,
    )
    const { code, stderr } = await run(['advantages', broken, '--real-rewards', '--drop-flat'])
    expect(code).toBe(1)
    expect(stderr).toContain('broken.jsonl:3: rewards[0]: expected a number in [0, 1]')
  })

  it('may leave nothing', async () => {
    const { code, stdout, stderr } = await run(['advantages', log, '--min-group-size', '4', '--tokens'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain(
      'kept 0 rollouts of 0 groups\ndropped by --min-group-size: 7 rollouts, 3 whole groups\n',
    )
  })

  it('refuse what is no range and no size', async () => {
    for (const [flag, value, message] of [
      ['--mean-reward', '0.5', 'expected MIN..MAX, as in 0.1..0.9'],
      ['--mean-reward', '..', 'expected MIN..MAX'],
      ['--mean-reward', 'a..b', 'expected a number'],
      ['--mean-reward', '0.9..0.1', 'expected MIN at most MAX'],
      ['--min-group-size', '-1', 'expected a whole number, 0 to 999999999'],
      ['--min-group-size', '1.5', 'expected a whole number, 0 to 999999999'],
    ] as const) {
      const { code, stdout, stderr } = await run(['advantages', 'missing.jsonl', flag, value])
      expect({ code, stdout }, value).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(message)
    }
  })
})
