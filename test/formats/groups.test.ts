/**
 * What the records of a group must share, and what makes a group.
 */
import { describe, expect, it } from 'vitest'
import { tara } from '../../src/advantage/tara.js'
import { goldenTable } from '../../src/formats/golden-table.js'
import { assistant, call, type Fields, readLog, record, refusal, rewardsOf, scored, user } from './records.js'

const right = [user(), assistant(call('f'))]
const first = record(right)
const second = (more: Fields): Fields => ({ ...record(right), rollout: 1, ...more })

describe('records of one group', () => {
  it.each<[string, Fields, string]>([
    ['the same rollout twice', first, 'rollout: expected each rollout of a group once, got 0 again'],
    [
      'rewards after messages',
      scored(1, [1]),
      "messages: expected messages, as in the group's first record at in:1, got rewards",
    ],
    [
      'another scope',
      second({ scope: 'rollout' }),
      "scope: expected turn, as in the group's first record at in:1, got rollout",
    ],
    [
      'another unit of turns',
      second({ turns: 'step' }),
      "turns: expected user, as in the group's first record at in:1, got step",
    ],
    [
      'turn marks after a unit',
      second({ turns: [0, 0] }),
      "turns: expected user, as in the group's first record at in:1, got explicit",
    ],
    [
      'another golden trace',
      second({ golden: [[{ name: 'g' }]] }),
      "golden: expected the golden trace of the group's first record at in:1, got another",
    ],
    [
      'a golden trace of another length',
      second({ golden: [[{ name: 'f' }], []] }),
      "golden: expected the golden trace of the group's first record at in:1, got another",
    ],
    [
      'no golden trace',
      second({ golden: undefined }),
      "golden: expected the golden trace, as in the group's first record at in:1, got undefined",
    ],
  ])('may not have %s', (_name, line, message) => {
    expect(refusal([first, line])).toBe(`in:2: ${message}`)
  })

  const aborted = { group: 'g', rollout: 1, messages: [], status: 'aborted' }

  it('that are aborted need no golden trace where another has one, in any order', () => {
    for (const golden of [[[{ name: 'f' }]], [[{ name: 'f' }], []]]) {
      const whole = record(right, golden)
      const rest = golden.slice(1).map(() => 0)
      expect(rewardsOf(readLog([whole, aborted]))).toEqual([
        [1, ...rest],
        [0, ...rest],
      ])
      const log = readLog([aborted, whole, { ...aborted, rollout: 2 }], { keep: () => true })
      expect(rewardsOf(log)).toEqual([
        [0, ...rest],
        [1, ...rest],
        [0, ...rest],
      ])
      expect([...log.batch.valid]).toEqual([0, 1, 0])
      expect(log.kept.map(({ golden: { numTurns } }) => numTurns)).toEqual(Array(3).fill(golden.length))
    }
  })

  it('that are aborted need a golden trace where no other has one', () => {
    const message = 'golden: expected a golden trace, here or by group in a file of tasks, got undefined'
    expect(refusal([aborted])).toBe(`in:1: ${message}`)
    expect(refusal([aborted, { ...record(right), golden: undefined }])).toBe(`in:2: ${message}`)
    expect(refusal([aborted, record(right), { ...second({ golden: [[]] }), rollout: 2 }])).toBe(
      'in:3: golden: expected the golden trace of the record at in:2, got another',
    )
  })

  it('may not gain a golden trace later', () => {
    expect(refusal([scored(0, [1]), scored(1, [1], { golden: [[]] })])).toBe(
      "in:2: golden: expected none, as in the group's first record at in:1, got one",
    )
  })

  it('may write the same golden trace in another way', () => {
    const golden = [[{ name: 'f', arguments: { a: 1, b: [1.5, 'x'] } }]]
    const again = [[{ arguments: '{"b":[1.50,"\\u0078"],"a":1.0}', requestor: 'assistant', name: 'f' }]]
    expect(refusal([record(right, golden), { ...record(right, again), rollout: 1 }])).toBe('read')
  })

  it('are told apart by group and role, and 5 is not "5"', () => {
    const log = readLog([
      scored(0, [1], { group: 5 }),
      scored(0, [0], { group: '5' }),
      scored(0, [0, 1], { group: 5, role: 'solver' }),
      scored('0', [0], { group: 5 }),
      scored(1, [1], { group: '5' }),
      scored(1, [1, 1], { group: 5, role: 'solver' }),
    ])
    expect([...log.batch.groupPtr]).toEqual([0, 2, 4, 6])
    expect(log.keys.map(({ group, role, rollout }) => [group, role, rollout])).toEqual([
      [5, undefined, 0],
      [5, undefined, '0'],
      ['5', undefined, 0],
      ['5', undefined, 1],
      [5, 'solver', 0],
      [5, 'solver', 1],
    ])
    expect([...log.inputOrder]).toEqual([0, 2, 4, 1, 3, 5])
    expect(rewardsOf(log)).toEqual([[1], [0], [0, 1], [0], [1], [1, 1]])
  })

  it('may be named like members of Object.prototype', () => {
    const log = readLog(
      ['__proto__', 'constructor', 'toString'].flatMap((group) =>
        [0, 1].map((k) => scored(k, [k], { group })),
      ),
    )
    expect([...log.batch.groupPtr]).toEqual([0, 2, 4, 6])
  })

  it('give the same numbers however groups interleave', () => {
    const lines = [
      scored(0, [1, 0], { group: 'a' }),
      scored(1, [0, 1], { group: 'a' }),
      scored(0, [1], { group: 'b' }),
      scored(1, [0], { group: 'b' }),
      scored(2, [1], { group: 'b' }),
    ]
    const numbers = (order: readonly number[]): unknown[] => {
      const log = readLog(order.map((k) => lines[k]!))
      const advantage = tara(log.batch)
      return log.keys
        .map(({ group, rollout }, i) => [
          group,
          rollout,
          ...advantage.subarray(log.batch.turnPtr[i]!, log.batch.turnPtr[i + 1]!),
        ])
        .sort((a, b) => (String(a.slice(0, 2)) < String(b.slice(0, 2)) ? -1 : 1))
    }
    expect(numbers([2, 0, 3, 1, 4])).toEqual(numbers([0, 1, 2, 3, 4]))
  })
})

describe('groups of one rollout', () => {
  const singles = [scored(0, [1], { group: 'a' }), scored(0, [0], { group: 'b' })]

  it('are refused where there are several and no others', () => {
    expect(refusal(singles)).toBe(
      'in: expected groups of several rollouts (allowSingletons takes single ones), got 2 groups of one; is "group" the task?',
    )
  })

  it('pass with allowSingletons, beside larger ones, or as the only group: zeros, with a warning', () => {
    const allowed = readLog(singles, { allowSingletons: true })
    expect([...tara(allowed.batch)]).toEqual([0, 0])
    expect(allowed.warnings).toEqual(['in: 2 of 2 groups have one rollout; their advantages are 0'])
    expect(readLog([...singles, scored(1, [1], { group: 'b' })]).warnings).toHaveLength(1)
    const only = readLog([singles[0]!])
    expect([...tara(only.batch)]).toEqual([0])
    expect(only.warnings).toEqual(['in: 1 of 1 groups have one rollout; their advantages are 0'])
  })

  it('are no reason to warn where there are none', () => {
    expect(readLog([scored(0, [1]), scored(1, [0])]).warnings).toEqual([])
  })
})

describe('golden traces by group', () => {
  const bare = (rollout: number, more: Fields = {}): Fields => ({
    group: 'g',
    rollout,
    messages: right,
    ...more,
  })

  function table(...tasks: readonly Fields[]): ReturnType<typeof goldenTable> {
    const made = goldenTable(() => {})
    tasks.forEach((task, k) => {
      made.addLine(JSON.stringify(task), `tasks:${k + 1}`)
    })
    return made
  }
  const task = { group: 'g', golden: [[{ name: 'f' }]] }

  it('are joined to records that have none', () => {
    expect(rewardsOf(readLog([bare(0), bare(1)], { golden: table(task) }))).toEqual([[1], [1]])
  })

  it('are missing where neither the record nor the table has one', () => {
    const message =
      'in:1: golden: expected a golden trace, here or by group in a file of tasks, got undefined'
    expect(refusal([bare(0, { group: 'other' })], { golden: table(task) })).toBe(message)
    expect(refusal([bare(0, { group: 5 })], { golden: table({ ...task, group: '5' }) })).toBe(message)
  })

  it('may be given by the record too, if it is the same one', () => {
    const golden = table(task)
    expect(refusal([{ ...first, golden: [[{ name: 'f', arguments: '{}' }]] }], { golden })).toBe('read')
    expect(refusal([{ ...first, golden: [[{ name: 'h' }]] }], { golden })).toBe(
      'in:1: golden: expected the golden trace of tasks:1, got another',
    )
    expect(refusal([bare(0), second({ golden: [[{ name: 'h' }]] })], { golden })).toMatch(
      /^in:2: golden: expected the golden trace .+, got another$/,
    )
  })

  it('do for the records that have none, whichever comes first', () => {
    const golden = table(task)
    expect(rewardsOf(readLog([first, bare(1)], { golden }))).toEqual([[1], [1]])
    expect(rewardsOf(readLog([bare(1), first], { golden }))).toEqual([[1], [1]])
  })

  it('may be told by several lines of results, if they are the same', () => {
    const result = (trial: number, name: string): string =>
      JSON.stringify({
        task_id: 'g',
        trial,
        reward: 0,
        traj: [],
        info: { task: { actions: [{ name, kwargs: {} }] } },
      })
    const made = goldenTable(() => {})
    made.addLine(result(0, 'f'), 'tasks:1')
    made.addLine(result(1, 'f'), 'tasks:2')
    expect(made.find('g', undefined)?.place).toBe('tasks:1')
    expect(() => made.addLine(result(2, 'h'), 'tasks:3')).toThrow(/^tasks:3: .*one golden trace a group/)
  })

  it('are chosen by role first, then by group alone', () => {
    const golden = table(task, { group: 'g', role: 'solver', golden: [[{ name: 'h' }]] })
    const log = readLog([bare(0), bare(1), bare(0, { role: 'solver' }), bare(0, { role: 'judge' })], {
      golden,
    })
    expect(rewardsOf(log)).toEqual([[1], [1], [0], [1]])
  })

  it('may stand in the table once', () => {
    expect(() => table(task, task)).toThrow(
      'tasks:2: group: expected one golden trace a group, got "g" again, first at tasks:1',
    )
    expect(() => table(task, { ...task, role: 'solver' }, { ...task, group: 5 })).not.toThrow()
  })

  it('with a fault are refused with their place', () => {
    expect(
      refusal([bare(0)], { golden: table({ group: 'g', golden: [[{ name: 'f', arguments: [] }]] }) }),
    ).toBe('in:1: tasks:1: golden[0][0].arguments: expected an object, got an empty list')
    expect(() => goldenTable(() => {}).addLine('{"group":"g"', 'tasks:1')).toThrow(/^tasks:1: expected /)
    expect(() => table({ golden: [] })).toThrow(/^tasks:1: group: expected text or a safe integer/)
    expect(() => table({ group: 'g' })).toThrow('tasks:1: golden: expected a golden trace, got undefined')
    expect(() =>
      goldenTable(() => {}).addLine(
        '{"group":"g","golden":[[{"name":"f","arguments":{"a":1,"a":2}}]]}',
        't:1',
      ),
    ).toThrow(/^t:1: expected .*each key once/)
  })
})
