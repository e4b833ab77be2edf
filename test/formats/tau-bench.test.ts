/**
 * Result files of τ-bench.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tauBench } from '../../src/formats/tau-bench.js'
import { callsOf, recordsOf, refusal, rewardsOf } from './document.js'
import { readLog } from './records.js'

type Fields = Record<string, unknown>

const cancel = { name: 'cancel_reservation', kwargs: { reservation_id: 'Q69X3R' } }
const book = { name: 'book_reservation', kwargs: { user_id: 'mia_1', baggages: 3, price: 5.0 } }

const toolCall = (name: string, args: string): Fields => ({
  id: 'call_1',
  type: 'function',
  function: { name, arguments: args },
})

const said = (...calls: Fields[]): Fields => ({ role: 'assistant', content: null, tool_calls: calls })

const trial = (n: number, traj: Fields[], more: Fields = {}): Fields => ({
  task_id: 3,
  reward: n === 0 ? 1.0 : 0.0,
  info: {
    task: { user_id: 'mia_1', actions: [cancel, book], instruction: '…', outputs: ['327'] },
    source: 'user',
    user_cost: 0.0035,
    reward_info: { reward: 1.0, info: { r_actions: 1.0, gt_data_hash: 'ea14' }, actions: [] },
  },
  traj: [{ role: 'system', content: '# Policy' }, { role: 'user', content: 'Hi' }, ...traj],
  trial: n,
  ...more,
})

const results = [
  trial(0, [
    said(toolCall('cancel_reservation', '{"reservation_id":"Q69X3R"}')),
    { role: 'tool', tool_call_id: 'call_1', name: 'cancel_reservation', content: 'ok' },
    { role: 'user', content: 'and book' },
    said(toolCall('book_reservation', '{"price":5,"baggages":3,"user_id":"mia_1"}')),
    { role: 'user', content: '###STOP###' },
  ]),
  trial(1, [said(toolCall('book_reservation', '{"user_id":"mia_1","baggages":3,"price":5}'))]),
  trial(2, [], { info: { error: 'timeout', traceback: '…' }, traj: [] }),
]

describe('results of τ-bench', () => {
  const records = recordsOf(tauBench, results)

  it('are one rollout a trial, with one golden turn an action and the reward as the outcome', () => {
    expect(records.map(({ path, format }) => [path, format.name])).toEqual([
      ['[0].traj', 'openai'],
      ['[1].traj', 'openai'],
      ['[2].traj', 'openai'],
    ])
    const golden = [cancel, book].map(({ name, kwargs }) => [{ name, arguments: kwargs }])
    expect(records.map(({ fields: { messages, ...others } }) => others)).toEqual([
      { group: 3, rollout: 0, scope: 'rollout', golden, status: 'complete', outcome: 1 },
      { group: 3, rollout: 1, scope: 'rollout', golden, status: 'complete', outcome: 0 },
      { group: 3, rollout: 2, scope: 'rollout', golden, status: 'aborted', outcome: null },
    ])
    expect(rewardsOf(records)).toEqual([
      [1, 1],
      [0, 1],
      [0, 0],
    ])
    expect(callsOf(records[0]!).turns.map((calls) => calls?.length)).toEqual([1, 1, 0])
  })

  it('tell their tasks, each once', () => {
    const tasks = [...tauBench.tasksOf!(results)]
    expect(tasks).toEqual([
      { path: '[0]', fields: { group: 3, golden: records[0]!.fields.golden, scope: 'rollout' } },
    ])
  })

  it('with nothing to do have one empty golden turn; an answer is no call', () => {
    const respond = { name: 'respond', kwargs: { content: 'no' } }
    for (const actions of [[], [respond]]) {
      const [one] = recordsOf(tauBench, [trial(0, [], { info: { task: { actions } } })])
      expect(one!.fields.golden).toEqual([[]])
      expect(rewardsOf([one!])).toEqual([[1]])
    }
  })

  it('without a task are left to a file of tasks', () => {
    const [one] = recordsOf(tauBench, [trial(0, [], { info: {} })])
    expect(one!.fields.golden).toBeUndefined()
    expect([...tauBench.tasksOf!([trial(0, [], { info: {} })])]).toEqual([])
  })

  it('may be one a line', () => {
    const [one] = recordsOf(tauBench, results[1])
    expect([one!.path, one!.fields.rollout]).toEqual(['traj', 1])
    expect(refusal(tauBench, { ...results[1], traj: 5 })).toBe('traj: expected a list of messages, got 5')
  })

  it('may be one a line where a trial failed, before or after the others', () => {
    const lines = results.map((one) => JSON.stringify(one))
    const read = (order: readonly number[]): unknown[] => {
      const log = readLog(order.map((k) => lines[k]!))
      return log.keys.map(({ rollout }, i) => [rollout, log.status[i]]).sort()
    }
    const trials = [
      [0, 'complete'],
      [1, 'complete'],
      [2, 'aborted'],
    ]
    expect(read([0, 1, 2])).toEqual(trials)
    expect(read([2, 0, 1])).toEqual(trials)
  })

  it('are known by their fields', () => {
    expect(tauBench.isOne(results)).toBe(true)
    expect(tauBench.isOne(results[0])).toBe(true)
    for (const other of [[], [[]], {}, null, 5, 'x', { group: 1, rollout: 0, messages: [] }, { tasks: [] }])
      expect(tauBench.isOne(other)).toBe(false)
  })
})

describe('a wrong result of τ-bench', () => {
  const actions = (list: unknown): Fields => ({ info: { task: { actions: list } } })
  const wrong: readonly (readonly [Fields, string])[] = [
    [{ task_id: undefined }, '[0].task_id: expected text or a safe integer, got undefined'],
    [{ task_id: [1] }, '[0].task_id: expected text or a safe integer, got a list of 1'],
    [{ trial: null }, '[0].trial: expected text or a safe integer, got null'],
    [{ reward: 'high' }, '[0].reward: expected a finite number, got "high"'],
    [{ traj: {} }, '[0].traj: expected a list of messages, got an object'],
    [{ traj: [{ content: 'x' }] }, 'messages[0].role: expected a string, got undefined'],
    [{ info: 5 }, '[0].info: expected an object, got 5'],
    [{ info: { task: 'x' } }, '[0].info.task: expected a task with actions, got "x"'],
    [actions('x'), '[0].info.task.actions: expected a list of actions, got "x"'],
    [actions([5]), '[0].info.task.actions[0]: expected an action with name and kwargs, got 5'],
    [actions([{ kwargs: {} }]), '[0].info.task.actions[0].name: expected the name of a tool, got undefined'],
    [
      actions([cancel, { name: 'f', kwargs: [1] }]),
      '[0].info.task.actions[1].kwargs: expected an object of arguments, got a list of 1',
    ],
  ]
  for (const [more, message] of wrong)
    it(`is refused: ${message}`, () => {
      expect(refusal(tauBench, [trial(0, [], more)])).toBe(message)
    })

  it('is refused where it is no object', () => {
    expect(refusal(tauBench, [5])).toBe(
      '[0]: expected a result with task_id, trial, reward, info and traj, got 5',
    )
  })
})

const data = new URL('../../../shared/data/', import.meta.url)

describe.skipIf(!existsSync(data))('the recorded airline trials (skipped without ../shared/data)', () => {
  const linesOf = (name: string): Fields[] =>
    existsSync(data)
      ? readFileSync(new URL(name, data), 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : []

  it('have the rewards that they have as records', () => {
    const trials = linesOf('tau_airline.jsonl').map(({ group, rollout, messages, golden }) => {
      const actions = (golden as { name: string; arguments: object }[][]).flat()
      const task = { actions: actions.map(({ name, arguments: kwargs }) => ({ name, kwargs })) }
      return { task_id: group, trial: rollout, reward: 0, traj: messages, info: { task } }
    })
    const records = recordsOf(tauBench, trials)
    for (const { group, rewards } of linesOf('tau_airline.expected.jsonl')) {
      const own = records.filter(({ fields }) => fields.group === group)
      expect([group, rewardsOf(own)]).toEqual([group, rewards])
    }
  })
})
