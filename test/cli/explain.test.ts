/**
 * `tara explain`: one turn, from its calls to its advantage.
 */
import { describe, expect, it } from 'vitest'
import { assistant, call, type Fields, record, scored, user } from '../formats/records.js'
import { inProcess, type Outcome } from './inProcess.js'
import { rowsOf, run, workFolder } from './run.js'

const { write } = workFolder()
let logs = 0
const log = (lines: readonly Fields[]): string =>
  write(`log-${logs++}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))

const explain = (
  file: string,
  group: unknown,
  rollout: unknown,
  turn: unknown,
  ...more: string[]
): Promise<Outcome> =>
  inProcess(
    'explain',
    file,
    '--group',
    String(group),
    '--rollout',
    String(rollout),
    '--turn',
    String(turn),
    ...more,
  )

const golden = [
  [{ name: 'find', arguments: { from: 'LIS', seats: 2 } }],
  [{ name: 'book' }, { name: 'pay', arguments: { sum: 12.5 } }],
]
const find = call('find', '{"from":"LIS","seats":2}')
const book = [call('book'), call('pay', '{"sum":12.50}')]
const small = log([
  record([user(), assistant(find), user(), assistant(...book)], golden),
  record([user(), assistant(call('find', '{"from":"OPO","seats":2}')), user(), assistant(...book)], golden, {
    rollout: 1,
  }),
  record(
    [user(), assistant(find, call('look')), user(), assistant(call('book'), call('pay', '{"sum":12.5'))],
    golden,
    { rollout: 2 },
  ),
  record([user(), assistant(find)], golden, { rollout: 3, status: 'aborted' }),
  record([user(), assistant()], golden, { rollout: 4 }),
])

describe('the text', () => {
  it('tells of a turn that is covered', async () => {
    expect((await explain(small, 'g', 0, 0)).stdout).toMatchInlineSnapshot(`
      "group g, rollout 0, turn 0 (complete, reached)

      golden calls:
        0  covered: find({"from":"LIS","seats":2})
      calls made:
        0  find({"from":"LIS","seats":2})
      matched 1 of 1; extra calls 0, malformed 0

      reward r = 1
      future sum  = 1·1 = 1
      gate δ = 1, future value V = δ · sum = 1

                 value  mean μ           std σ  voters               z
      local, r       1     0.5             0.5       4  0.999998000004
      future, V      1    0.25  0.433012701892       4   1.73204680758

      advantage = 0.999998000004 + 0.5 · 1.73204680758 = 1.86602140379
      "
    `)
  })

  it('tells of a wrong argument', async () => {
    const { stdout } = await explain(small, 'g', 1, 0)
    expect(stdout).toContain(
      '0  missed, wrong arguments (call 0): from should be "LIS", is "OPO": find({"from":"LIS","seats":2})',
    )
    expect(stdout).toContain('reward r = 0\n')
    expect(stdout).toContain('gate δ = 0, future value V = δ · sum = 0\n')
  })

  it('tells of arguments that cannot be read, and of extra calls', async () => {
    expect((await explain(small, 'g', 2, 1)).stdout).toMatch(
      /1 {2}missed, malformed arguments \(call 1\): .+: expected .+: pay\(\{"sum":12\.5\}\)/,
    )
    expect((await explain(small, 'g', 2, 0)).stdout).toContain('matched 1 of 1; extra calls 1, malformed 0')
  })

  it('tells of a turn that was not reached, and of a rollout that does not vote', async () => {
    const unreached = await explain(small, 'g', 4, 1)
    expect(unreached.stdout).toContain('group g, rollout 4, turn 1 (complete, not reached)')
    expect(unreached.stdout).toContain('reward r = 0\n')
    const out = await explain(small, 'g', 4, 1, '--unreached', 'exclude')
    expect(out.stdout).toContain('the rollout does not vote at this turn: its advantage is 0')
    const aborted = await explain(small, 'g', 3, 0)
    expect(aborted.stdout).toContain('group g, rollout 3, turn 0 (aborted, not reached)')
    expect(aborted.stdout).toContain('the rollout does not vote at this turn: its advantage is 0')
  })

  it('tells of alternatives, and of a turn that is taken out', async () => {
    const either = [{ any_of: [[{ name: 'a' }, { name: 'b' }], [{ name: 'c' }]] }, []]
    const file = log([record([user(), assistant(call('c')), user()], either)])
    const { stdout } = await explain(file, 'g', 0, 0)
    expect(stdout).toContain(
      'golden calls, alternative 0:\n  0  a({})\n  1  b({})\ngolden calls, alternative 1:\n  0  covered: c({})\n',
    )
    expect((await explain(file, 'g', 0, 1, '--empty-golden', 'mask')).stdout).toContain(
      'the turn is taken out before anything is computed: its advantage is 0',
    )
    expect((await explain(file, 'g', 0, 1)).stdout).toContain('golden calls:\n  none\ncalls made:\n  none\n')
  })

  it('of a scored record has numbers only', async () => {
    const file = log([scored(0, [1, 1]), scored(1, [0, 1])])
    const { stdout } = await explain(file, 'g', 0, 0)
    expect(stdout).not.toContain('calls')
    expect(stdout).toContain('future sum  = 1·1 = 1\n')
    expect(stdout).toContain('advantage = 0.999998000004 + 0.5 · 0.999998000004 = 1.49999700001\n')
  })

  it('under scope rollout shows all calls', async () => {
    const file = log([
      record([assistant(call('a')), user(), assistant(call('b'))], [[{ name: 'b' }], [{ name: 'c' }]], {
        scope: 'rollout',
      }),
    ])
    expect((await explain(file, 'g', 0, 1)).stdout).toContain(
      '0  missed, not made: c({})\ncalls made:\n  0  a({})\n  1  b({})\n',
    )
  })
})

describe('the JSON', () => {
  it('has every number and the calls, exactly', async () => {
    const big = '{"n":9007199254740993}'
    const line = `{"group":"g","rollout":0,"messages":[{"role":"user"},{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":${big}}}]}],"golden":[[{"name":"f","arguments":${big}}]]}\n`
    const { stdout } = await explain(write('big.jsonl', line), 'g', 0, 0, '--json')
    expect(stdout.match(/9007199254740993/g)).toHaveLength(2)
    expect(rowsOf(stdout)).toEqual([
      expect.objectContaining({
        group: 'g',
        rollout: 0,
        turn: 0,
        reached: true,
        status: 'complete',
        lambda: 0.5,
      }),
    ])
  })

  it('is the same turn as the text', async () => {
    const rows = rowsOf((await inProcess('advantages', small)).stdout)
    for (const [i, row] of rows.entries())
      for (const t of [0, 1]) {
        const [found] = rowsOf((await explain(small, 'g', i, t, '--json')).stdout)
        const { advantage, local, future } = found!.numbers as {
          advantage: number
          local: { z: number }
          future: { z: number }
        }
        expect([advantage, local.z, future.z]).toEqual(
          ['advantages', 'local', 'future'].map((field) => (row[field] as number[])[t]),
        )
      }
  })
})

describe('what is asked for', () => {
  it.each([
    ['h', 0, 0, 'group h, rollout 0: not in the log'],
    ['g', 9, 0, 'group g, rollout 9: not in the log'],
    ['g', 0, 2, '--turn: expected 0 to 1, got 2'],
  ])('may not be missing: %s %s %s', async (group, rollout, turn, message) => {
    expect(await explain(small, group, rollout, turn)).toMatchObject({ fault: 'usage', message, stdout: '' })
  })

  it.each(['-1', '1.5', 'x', '', '1e3'])('may not be turn %j', async (turn) => {
    expect((await explain(small, 'g', 0, turn)).fault).toBe('usage')
  })

  it('ends the program with 2 where it is not there', async () => {
    const file = log([scored(0, [])])
    expect(await run(['explain', file, '--group', 'g', '--rollout', '0', '--turn', '0'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('tara: --turn: expected a rollout with turns, got one without\n'),
    })
  })

  it('needs a role where there are several, and may ask for none', async () => {
    const file = log(
      ['solver', 'judge', undefined].flatMap((role, r) =>
        [0, 1].map((k) => scored(k, [k ^ (r & 1)], role === undefined ? {} : { role })),
      ),
    )
    expect(await explain(file, 'g', 0, 0)).toMatchObject({
      fault: 'usage',
      message: 'group g, rollout 0: in 3 roles (solver; judge; none, which is ""); choose one with --role',
    })
    expect((await explain(file, 'g', 0, 0, '--role', 'judge')).stdout).toContain(
      'group g, rollout 0, role judge, turn 0',
    )
    expect((await explain(file, 'g', 0, 0, '--role', '')).stdout).toContain('group g, rollout 0, turn 0')
    expect((await explain(file, 'g', 0, 0, '--role', 'other')).message).toBe(
      'group g, rollout 0: not in the log',
    )
  })

  it('tells the number 5 from the text "5", with the calls of the one', async () => {
    const made = (name: string): Fields[] => [user(), assistant(call(name))]
    const file = log([
      record(made('text'), [[{ name: 'text' }]], { group: '5' }),
      record(made('number'), [[{ name: 'number' }]], { group: 5 }),
      record(made('x'), [[{ name: 'text' }]], { group: '5', rollout: 1 }),
      record(made('x'), [[{ name: 'number' }]], { group: 5, rollout: 1 }),
    ])
    expect((await explain(file, '5', 0, 0)).stdout).toContain('covered: number({})')
    expect((await explain(file, '"5"', 0, 0)).stdout).toContain('covered: text({})')
  })
})

describe('text of a model', () => {
  const evil = '\u001b]0;x\u0007\u009b2J\u2028\u202e\u200f\u007f\r\n'
  const file = log([
    record(
      [
        user(),
        assistant(call(`f${evil}`, `{"a":"${evil}"`), call('f', JSON.stringify({ [evil]: evil })), {
          ...call('f'),
          requestor: evil,
        }),
      ],
      [[{ name: 'f', arguments: { a: 1 } }]],
      { role: `solver${evil}` },
    ),
    scored(0, [1], { group: `h${evil}`, role: `judge${evil}` }),
    scored(0, [1], { group: `h${evil}`, role: `other${evil}` }),
  ])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200f\u2028\u202e]/

  it.each([[[]], [['--json']]])('brings no control character to the terminal, with %j', async (more) => {
    const done = await run([
      'explain',
      file,
      '--group',
      'g',
      '--rollout',
      '0',
      '--turn',
      '0',
      '--allow-singletons',
      ...more,
    ])
    expect(done.code, done.stderr).toBe(0)
    expect(done.stdout + done.stderr).not.toMatch(controls)
    expect(done.stdout).toContain('\\u001b')
    if (more.length > 0)
      expect(JSON.stringify(rowsOf(done.stdout)[0])).toContain(JSON.stringify(evil).slice(1, -1))
  })

  it('brings none in an error', async () => {
    const done = await run([
      'explain',
      file,
      '--group',
      `h${evil}`,
      '--rollout',
      '0',
      '--turn',
      '0',
      '--allow-singletons',
    ])
    expect(done.code).toBe(2)
    expect(done.stderr.trimEnd().split('\n').at(-1)).toMatch(
      /in 2 roles \(judge.+; other.+\); choose one with --role$/,
    )
    expect(done.stderr).not.toMatch(controls)
  })

  it('is cut where it is long', async () => {
    const long = log([
      record([user(), assistant(call('f', `{"a":"${'x'.repeat(1e6)}"}`))], [[{ name: 'f' }]]),
    ])
    expect((await explain(long, 'g', 0, 0)).stdout.length).toBeLessThan(20000)
  })
})
