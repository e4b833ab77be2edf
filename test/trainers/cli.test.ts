/**
 * `tara advantages --to TRAINER`.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { kebab } from '../../src/cli/flag.js'
import { exportFlags } from '../../src/cli/to.js'
import { trainers } from '../../src/trainers/trainers.js'
import { inProcess, type Outcome } from '../cli/inProcess.js'
import { type Row, rowsOf, workFolder } from '../cli/run.js'
import { scored } from '../formats/records.js'

const { path, write } = workFolder()

const ids = (...list: number[]): { length: number; ids: number[] } => ({ length: list.length, ids: list })

const lines = [
  scored(0, [1], { tokens: { ...ids(5, 6, 7), turns: [[[1, 3]]] } }),
  scored(0, [0], { group: 'h', tokens: { ...ids(8), turns: [[[0, 1]]] } }),
  scored(1, [0], { tokens: { ...ids(9, 10), turns: [[[1, 2]]] } }),
  scored(1, [1], { group: 'h', status: 'aborted' }),
]

async function exported(
  records: readonly object[],
  ...args: readonly string[]
): Promise<Outcome & { readonly rows: Row[] }> {
  const log = write('log.jsonl', records.map((line) => JSON.stringify(line)).join('\n'))
  const output = path(`out-${args.join('-')}.jsonl`)
  const outcome = await inProcess('advantages', log, '-q', '-o', output, ...args)
  return { ...outcome, rows: outcome.fault === undefined ? rowsOf(readFileSync(output, 'utf8')) : [] }
}

describe('tara advantages --to', () => {
  it('writes rows in input order, with the names of the log', async () => {
    const { rows, message } = await exported(lines, '--to', 'prime-rl')
    expect(message).toBe('')
    expect(rows).toEqual([
      {
        group: 'g',
        rollout: 0,
        sequence: 0,
        reward: 1,
        token_ids: [5, 6, 7],
        mask: [0, 1, 1],
        advantages: [0, Math.fround(0.999998000004), Math.fround(0.999998000004)],
      },
      { group: 'h', rollout: 0, sequence: 0, reward: 0, token_ids: [8], mask: [1], advantages: [0] },
      {
        group: 'g',
        rollout: 1,
        sequence: 0,
        reward: 0,
        token_ids: [9, 10],
        mask: [0, 1],
        advantages: [0, -Math.fround(0.999998000004)],
      },
    ])
  })

  it.each(trainers.map(({ name }) => name))('%s takes loss weights and float64', async (name) => {
    const { rows, message } = await exported(
      lines,
      '--to',
      name,
      '--loss-weights',
      'constant',
      '--constant',
      '4',
      '--dtype',
      'float64',
      '--tokens',
    )
    expect(message).toBe('')
    const weights = rows.flatMap((row) => (row.loss_weights ?? row.rl_weights) as number[])
    expect(new Set(weights.filter((weight) => weight !== 0))).toEqual(new Set([0.25]))
    const all = rows.flatMap((row) => row.token_advantages ?? row.advantages ?? row.advantage) as number[]
    expect(all.some((value) => value === 0.999998000004)).toBe(true)
  })

  it('pads as it is told', async () => {
    const args = ['--side', 'left', '--width', '4', '--prompt-width', '2', '--pad-id', '77']
    const { rows } = await exported(lines, '--to', 'trl', ...args)
    expect(rows.map((row) => row.completion_ids)).toEqual([
      [77, 77, 6, 7],
      [77, 77, 77, 8],
      [77, 77, 77, 10],
    ])
    expect(rows.map((row) => row.prompt_ids)).toEqual([
      [77, 5],
      [77, 77],
      [77, 9],
    ])
  })

  it('writes the plain table without tokens where they are not asked for', async () => {
    const { rows } = await exported(lines, '--to', 'turns')
    expect(Object.keys(rows[0]!)).toEqual([
      'group',
      'rollout',
      'status',
      'rewards',
      'reached',
      'local',
      'future',
      'advantages',
    ])
    expect(rows.map((row) => row.status)).toEqual(['complete', 'complete', 'complete', 'aborted'])
  })

  it('counts the trained tokens in the summary', async () => {
    const log = write('log.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
    const { stderr } = await inProcess('advantages', log, '--to', 'verl', '-o', path('verl.jsonl'))
    expect(stderr).toContain('tokens trained: 4 of 6')
  })

  const bare = [scored(0, [1], { tokens: { length: 2, turns: [[[1, 2]]] } }), scored(1, [0])]

  it.each<[string, object[], string[], string, 'usage' | 'data']>([
    [
      'no ids',
      bare.slice(0, 1),
      ['--to', 'tinker'],
      'log.jsonl:1: tokens.ids: expected a list of token ids',
      'data',
    ],
    ['no tokens', bare, ['--to', 'verl'], 'log.jsonl:2: tokens: expected token spans', 'data'],
    ['another trainer', lines, ['--to', 'ppo'], 'Allowed choices are tinker, verl', 'usage'],
    ['weights without an export', lines, ['--loss-weights', 'token'], '--loss-weights needs --to', 'usage'],
    [
      'weights of a table without tokens',
      lines,
      ['--to', 'turns', '--loss-weights', 'turn-mean'],
      '--loss-weights needs --tokens',
      'usage',
    ],
    [
      'padding of lists',
      lines,
      ['--to', 'rllm', '--pad-id', '1'],
      '--pad-id is not an option of --to rllm',
      'usage',
    ],
    [
      'a constant that is missing',
      lines,
      ['--to', 'verl', '--loss-weights', 'constant'],
      'options.constant',
      'usage',
    ],
    [
      'a width below the longest',
      lines,
      ['--to', 'verl', '--width', '1'],
      'options.width: expected at least 2',
      'usage',
    ],
  ])('refuses %s', async (_what, records, args, message, fault) => {
    const outcome = await exported(records, ...args)
    expect(outcome.message).toContain(message)
    expect(outcome.fault).toBe(fault)
  })

  const badValues: Readonly<Record<string, readonly string[]>> = {
    to: ['', 'Verl', 'ppo'],
    lossWeights: ['', 'turn', 'mean'],
    constant: ['', 'x', '0', '-1', 'Infinity', '1e-40'],
    dtype: ['', 'float16'],
    side: ['', 'both'],
    width: ['', '-1', '1.5', 'x'],
    promptWidth: ['', '-1', '1.5', 'x'],
    padId: ['', '-1', '0.5', 'x'],
  }

  it.each(exportFlags.map(({ name }) => name))(
    '--%s refuses what it does not take, before the log is read',
    async (name) => {
      const log = write('bad.jsonl', 'no JSON')
      expect(badValues[name]?.length).toBeGreaterThan(0)
      for (const bad of badValues[name]!) {
        const weights = name === 'constant' ? ['--loss-weights', 'constant'] : []
        const outcome = await inProcess(
          'advantages',
          log,
          '--to',
          'verl',
          ...weights,
          `--${kebab(name)}=${bad}`,
        )
        expect([bad, outcome.fault]).toEqual([bad, 'usage'])
      }
    },
  )

  it('says in a binary file which estimator and options made it', async () => {
    const log = write('log.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
    const output = path('out.safetensors')
    await inProcess('advantages', log, '-q', '--to', 'verl', '--gamma', '0.25', '-o', output)
    const bytes = readFileSync(output)
    const header = JSON.parse(bytes.toString('utf8', 8, 8 + Number(bytes.readBigUInt64LE(0)))) as {
      __metadata__: Record<string, string>
    }
    const { estimator, options, trainer } = header.__metadata__
    expect([estimator, trainer]).toEqual(['tara', 'verl'])
    expect(JSON.parse(options!)).toMatchObject({ gamma: 0.25, lambda: 0.5, truncated: 'fail' })
  })
})
