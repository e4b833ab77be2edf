/**
 * Every flag with values that it takes and values that it does not.
 */
import { describe, expect, it } from 'vitest'
import { estimatorFlags } from '../../src/cli/estimator-flags.js'
import { type Flag, kebab } from '../../src/cli/flag.js'
import { creditFlags, policyFlags, readFlags } from '../../src/cli/flags.js'
import { inProcess } from './inProcess.js'
import { rowsOf, run, smallLog, workFolder } from './run.js'

const { write } = workFolder()
const log = write('log.jsonl', smallLog)
const file = write('defaults.json', '{"f":{"n":1}}')
const tasks = write('tasks.jsonl', '{"group":"g","golden":[[],[]]}\n')
const functions = write('functions.json', '[{"name":"f","parameters":{"properties":{"n":{}}}}]')
const broken = write('broken.json', '[{"name":')
const notNumbers = ['', ' ', 'x', 'NaN', '1,5', '--']

/** Values that a flag takes and does not take. */
const values: Readonly<Record<string, { good: readonly string[]; bad: readonly string[]; of?: string }>> = {
  gamma: { good: ['0', '1', '.5', '5e-1'], bad: [...notNumbers, '-0.1', '1.1', 'Infinity'] },
  lambda: { good: ['0', '0.999'], bad: [...notNumbers, '1', '-1', '2'] },
  epsilon: { good: ['0', '1e-9'], bad: [...notNumbers, '-1', 'Infinity'] },
  gate: {
    good: ['reward', 'none', 'threshold:0.5'],
    bad: ['', 'Reward', 'threshold', 'threshold:', 'threshold:x', 'threshold:Infinity'],
  },
  futureIndex: { good: ['eq3', 'eq7'], bad: ['', 'eq4', 'EQ3'] },
  unreached: { good: ['zero', 'exclude'], bad: ['', 'fail'] },
  truncated: { good: ['fail', 'exclude', 'mask'], bad: ['', 'zero'] },
  scale: { good: ['std', 'none'], bad: ['', '1'] },
  correction: { good: ['0', '1'], bad: [...notNumbers, '2', '0.5'] },
  baseline: { good: ['mean', 'leave-one-out'], bad: ['', 'loo'] },
  reward: { good: [], bad: ['', 'sum', 'trace'] }, // of another estimator
  omega: { good: ['0', '2'], bad: [...notNumbers, '-1', '1e7', 'Infinity'], of: 'gigpo' },
  beta: { good: ['0', '2'], bad: [...notNumbers, '-1', 'Infinity'], of: 'turn-credit' },
  weights: { good: ['format=1', 'format=1,calls=0.5'], bad: ['', 'format', '=1', 'format=x'], of: 'gdpo' },
  whiten: { good: ['verl', 'openrlhf', 'nemo', 'rllm'], bad: ['', 'trl'], of: 'reinforce-pp' },
  groupOfOne: { good: ['zero', 'raw', 'refuse'], bad: ['', 'one'], of: 'rloo' },
  lastStep: { good: ['on', 'off'], bad: ['', 'true'], of: 'gdpo' },
  matching: { good: ['multiset', 'set'], bad: ['', 'bag'] },
  args: { good: ['equal', 'subset'], bad: ['', 'superset'] },
  defaults: { good: [file], bad: ['', 'missing.json', log, tasks] },
  tolerance: { good: ['0', '0.5'], bad: [...notNumbers, '-1', 'Infinity'] },
  unordered: { good: ['ids', 'ids, passengers[].bags'], bad: ['', 'ids,', 'a[', 'a..b'] },
  normalizeName: { good: ['.=_', 'a=', '==x'], bad: ['', 'x', '='] },
  unicode: { good: ['nfc'], bad: ['', 'nfd'] },
  emptyGolden: { good: ['vacuous', 'forbid-calls', 'mask'], bad: ['', 'skip'] },
  maxExtraCalls: { good: ['0', '3'], bad: [...notNumbers, '-1', '0.5', 'Infinity'] },
  partial: { good: ['share', 'f1'], bad: ['', 'half'] },
  from: { good: ['openai', 'anthropic'], bad: ['', 'Anthropic', 'gemini'] },
  functions: { good: [functions], bad: ['', 'missing.json', broken] },
  golden: { good: [tasks], bad: ['', 'missing.jsonl'] },
  turns: { good: ['user', 'step'], bad: ['', 'explicit', '0'] },
  workers: { good: ['1', '2', '256'], bad: [...notNumbers, '0', '-1', '1.5', '257', 'Infinity'] },
  maxLine: { good: ['1000', '1e6'], bad: [...notNumbers, '0', '-1', '1.5', 'Infinity'] },
}

const flags: readonly Flag[] = [...estimatorFlags, ...policyFlags, ...creditFlags, ...readFlags]
const withValue = flags.filter((flag) => flag.value !== undefined)
const switches = flags.filter((flag) => flag.value === undefined)

describe('a flag with a value', () => {
  it('has values here, every one', () => {
    expect(withValue.map(({ name }) => name).sort()).toEqual(Object.keys(values).sort())
  })

  for (const { name } of withValue)
    it(`--${kebab(name)} takes what it should and nothing else`, async () => {
      const { good: goods, of = 'tara' } = values[name]!
      for (const good of goods) {
        const { message } = await inProcess('advantages', log, '--estimator', of, `--${kebab(name)}`, good)
        // what an estimator needs of the log may be missing there: then its flags were fine
        expect(message, good).toMatch(
          of === 'tara' ? /^$/ : /^$|expected (named rewards|the state|the score|token)/,
        )
      }
      for (const bad of values[name]?.bad ?? []) {
        const done = await inProcess('advantages', log, '--estimator', of, `--${kebab(name)}`, bad)
        expect(done.fault, `${bad}: ${done.message}`).toBe('usage')
        expect(done.message, bad).toMatch(/expected|invalid|cannot read|not an option|allowed/i)
        expect(done.stdout).toBe('')
      }
    })
})

describe('a switch', () => {
  for (const { name } of switches)
    it(`--${kebab(name)} takes no value`, async () => {
      expect((await inProcess('advantages', log, `--${kebab(name)}`)).message).toBe('')
      expect((await inProcess('advantages', log, `--${kebab(name)}=yes`)).fault).toBe('usage')
    })
})

describe('wrong usage', () => {
  it.each([
    ['an unknown flag', ['--gama', '1']],
    ['a value that is missing', ['--gamma']],
    ['two inputs', [log]],
    ['an unknown estimator', ['--estimator', 'ppo']],
    ['a flag of another estimator', ['--estimator', 'grpo', '--gamma', '1', '--lambda', '0']],
    ['an output without a name', ['-o']],
  ])('%s', async (_name, args) => {
    expect(await inProcess('advantages', log, ...args)).toMatchObject({ fault: 'usage', stdout: '' })
  })

  it('is refused before the input is read', async () => {
    const bad = write('bad.jsonl', 'no JSON')
    for (const args of [
      ['--gamma', '2'],
      ['--lambda', '1'],
      ['--args', 'x'],
      ['-o', '/nowhere/out'],
      ['--estimator', 'grpo', '--gate', 'none'],
    ])
      expect((await inProcess('advantages', bad, ...args)).fault, args.join(' ')).toBe('usage')
  })

  it('ends the program with 2; help and version with 0', async () => {
    for (const args of [
      ['advantages', log, '--gamma', '2'],
      ['advantages', log, '--nothing'],
      ['advantages'],
      ['nothing'],
      [],
      ['explain', log],
    ]) {
      const done = await run(args)
      expect(done.code, args.join(' ')).toBe(2)
      expect(done.stdout).toBe('')
      expect(done.stderr).not.toBe('')
    }
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' })
    expect(await run(['--help'])).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('options do what they say', () => {
  const advantagesOf = async (input: string, ...args: string[]): Promise<unknown[]> => {
    const { stdout, message } = await inProcess('advantages', write('options.jsonl', input), ...args)
    expect(message).toBe('')
    return rowsOf(stdout).map(({ advantages }) =>
      (advantages as number[]).map((value) => Math.round(value * 1e6) / 1e6),
    )
  }
  const three = ['[1,0,1]', '[0,1,1]', '[1,1,0]']
    .map((row, k) => `{"group":"g","rollout":${k},"rewards":${row}}\n`)
    .join('')

  it('one by one, against numbers worked out by hand', async () => {
    const h = Math.round(Math.SQRT1_2 * 1e6) / 1e6
    const d = Math.round(Math.SQRT2 * 1e6) / 1e6
    // Turn 0: r = 1, 0, 1 (mean 2/3, deviation √2/3); turn 1 pays 0, closed, 1 for it.
    expect(await advantagesOf(three, '--lambda', '0', '--epsilon', '0')).toEqual([
      [h, -d, h],
      [-d, h, h],
      [h, h, -d],
    ])
    expect(await advantagesOf(three, '--lambda', '0', '--scale', 'none')).toEqual([
      [0.333333, -0.666667, 0.333333],
      [-0.666667, 0.333333, 0.333333],
      [0.333333, 0.333333, -0.666667],
    ])
    // V of turn 0 with γ = 1: 0 + 1, closed, 1 + 0, so that only the gate tells them apart.
    expect(((await advantagesOf(three, '--gamma', '1', '--epsilon', '0'))[1] as number[])[0]).toBeCloseTo(
      -1.5 * Math.SQRT2,
      5,
    )
    expect(
      ((await advantagesOf(three, '--gamma', '1', '--gate', 'none', '--scale', 'none'))[1] as number[])[0],
    ).toBeCloseTo(-2 / 3 + 0.5 * (2 / 3), 5)
    expect(
      ((await advantagesOf(three, '--lambda', '0', '--correction', '1', '--epsilon', '0'))[0] as number[])[0],
    ).toBeCloseTo(1 / 3 / Math.sqrt(1 / 3), 5)
    expect(
      (
        (
          await advantagesOf(three, '--lambda', '0', '--baseline', 'leave-one-out', '--scale', 'none')
        )[0] as number[]
      )[0],
    ).toBe(0.5)
  })

  it('--gate reward refuses rewards outside [0, 1], with file, line and turn', async () => {
    const input = write(
      'real.jsonl',
      `${smallLog}{"group":"h","rollout":0,"rewards":[1,1.5]}\n{"group":"h","rollout":1,"rewards":[1,-1]}\n`,
    )
    for (const command of ['advantages', 'explain'] as const) {
      const more = command === 'explain' ? ['--group', 'g', '--rollout', '0', '--turn', '0'] : []
      const done = await inProcess(command, input, '--real-rewards', ...more)
      expect(done).toMatchObject({
        fault: 'data',
        message: `${input}:3: rewards[1]: expected a number in [0, 1], as the gate is the reward (--gate none or --gate threshold:NUMBER takes others), got 1.5`,
      })
      for (const gate of ['none', 'threshold:1'])
        expect((await inProcess(command, input, '--real-rewards', '--gate', gate, ...more)).message).toBe('')
    }
    expect((await inProcess('advantages', input, '--real-rewards', '--estimator', 'grpo')).message).toBe('')
    expect((await inProcess('advantages', input)).message).toBe(
      `${input}:3: rewards[1]: expected 0 or 1, got 1.5 (realRewards allows others)`,
    )
  })

  it('--max-extra-calls goes with no record of scope rollout, tokens with none either', async () => {
    const input = write(
      'scope.jsonl',
      '{"group":"g","rollout":0,"scope":"rollout","messages":[],"golden":[[]],"tokens":{"length":1,"turns":[]}}\n',
    )
    expect((await inProcess('advantages', input, '--max-extra-calls', '1')).message).toBe(
      `${input}:1: options.maxExtraCalls: expected none where the scope is "rollout", got 1`,
    )
    expect((await inProcess('advantages', input, '--tokens')).message).toBe(
      `${input}:1: scope: expected "turn" for token output, got "rollout"`,
    )
  })

  it('the rules of matching', async () => {
    const made = (name: string, args: string): string => `{"function":{"name":"${name}","arguments":${args}}}`
    const record = (calls: string, golden: string): string =>
      `{"group":"g","rollout":0,"messages":[{"role":"user"},{"role":"assistant","tool_calls":[${calls}]}],"golden":[${golden}]}`
    const rewards = async (calls: string, golden: string, ...args: string[]): Promise<unknown> => {
      const { stdout, message } = await inProcess(
        'advantages',
        write('match.jsonl', record(calls, golden)),
        ...args,
      )
      expect(message).toBe('')
      return rowsOf(stdout)[0]!.rewards
    }
    const one = made('f', '{"a":1,"b":[1,2]}')
    const twice = '[{"name":"f","arguments":{"a":1,"b":[1,2]}},{"name":"f","arguments":{"a":1,"b":[1,2]}}]'
    expect(await rewards(one, twice)).toEqual([0])
    expect(await rewards(one, twice, '--matching', 'set')).toEqual([1])
    expect(await rewards(one, '[{"name":"f","arguments":{"a":1}}]')).toEqual([0])
    expect(await rewards(one, '[{"name":"f","arguments":{"a":1}}]', '--args', 'subset')).toEqual([1])
    expect(await rewards(one, '[{"name":"f","arguments":{"a":1,"b":[2,1]}}]', '--unordered', 'b')).toEqual([
      1,
    ])
    expect(
      await rewards(one, '[{"name":"f","arguments":{"a":1.25,"b":[1,2]}}]', '--tolerance', '0.25'),
    ).toEqual([1])
    expect(await rewards(one, '[{"name":"f","arguments":{"a":1,"b":[1,2],"n":1}}]')).toEqual([0])
    expect(
      await rewards(one, '[{"name":"f","arguments":{"a":1,"b":[1,2],"n":1}}]', '--defaults', file),
    ).toEqual([1])
    expect(await rewards(made('a.f', '{}'), '[{"name":"a_f"}]', '--normalize-name', '.=_')).toEqual([1])
    expect(await rewards(made('f', '{"s":"e\u0301"}'), '[{"name":"f","arguments":{"s":"é"}}]')).toEqual([0])
    expect(
      await rewards(made('f', '{"s":"e\u0301"}'), '[{"name":"f","arguments":{"s":"é"}}]', '--unicode', 'nfc'),
    ).toEqual([1])
    expect(await rewards(one, '[]')).toEqual([1])
    expect(await rewards(one, '[]', '--empty-golden', 'forbid-calls')).toEqual([0])
    expect(await rewards(one, '[]', '--empty-golden', 'mask')).toEqual([0])
    expect(
      await rewards(
        `${one},${one}`,
        '[{"name":"f","arguments":{"a":1,"b":[1,2]}}]',
        '--max-extra-calls',
        '1',
      ),
    ).toEqual([1])
    expect(
      await rewards(
        `${one},${one}`,
        '[{"name":"f","arguments":{"a":1,"b":[1,2]}}]',
        '--max-extra-calls',
        '0',
      ),
    ).toEqual([0])
  })
})
