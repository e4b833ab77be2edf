/**
 * Result files of τ²-bench.
 */
import { describe, expect, it } from 'vitest'
import { tau2Bench } from '../../src/formats/tau2-bench.js'
import { callsOf, recordsOf, refusal, rewardsOf } from './document.js'

type Fields = Record<string, unknown>

const action = (name: string, args: unknown, more: Fields = {}): Fields => ({
  action_id: `${name}_0`,
  requestor: 'assistant',
  name,
  arguments: args,
  info: null,
  compare_args: null,
  ...more,
})

const task = (id: unknown, actions: unknown): Fields => ({
  id,
  description: null,
  user_scenario: { persona: null, instructions: '…' },
  evaluation_criteria: { actions, reward_basis: ['DB', 'COMMUNICATE'] },
})

const tasks = [
  task('a', [
    action('get_user', { user_id: 'u1' }),
    action('toggle_data', {}, { requestor: 'user' }),
    action('transfer', { summary: 'cannot fix it' }, { compare_args: [] }),
    action('refund', { amount: 5, reason: 'late' }, { compare_args: ['amount'] }),
  ]),
  task('b', []),
  { id: 'c', user_scenario: {}, evaluation_criteria: null },
]

const call = (name: string, args: unknown, requestor = 'assistant'): Fields => ({
  id: 'x',
  name,
  arguments: args,
  requestor,
})

const simulation = (id: string, trial: number, messages: unknown, more: Fields = {}): Fields => ({
  id: `${id}-${trial}`,
  task_id: id,
  timestamp: '…',
  termination_reason: 'user_stop',
  reward_info: { reward: 1.0, db_check: null },
  messages,
  trial,
  seed: 300,
  ...more,
})

const all = [
  { role: 'assistant', content: 'Hi! How can I help?', tool_calls: null, turn_idx: 0 },
  { role: 'user', content: 'my data is off', tool_calls: null },
  { role: 'assistant', content: null, tool_calls: [call('get_user', { user_id: 'u1' })] },
  { id: 'x', role: 'tool', content: '{}', requestor: 'assistant', error: false },
  { role: 'assistant', content: 'please toggle it', tool_calls: null },
  { role: 'user', content: null, tool_calls: [call('toggle_data', {}, 'user')] },
  { id: 'x', role: 'tool', content: 'on', requestor: 'user', error: false },
  { role: 'user', content: 'done', tool_calls: null },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      call('transfer', { summary: 'all new words' }),
      call('refund', { amount: 5.0, reason: 'other' }),
    ],
  },
  { role: 'tool', tool_messages: [{ id: 'x', role: 'tool', content: 'ok' }] },
]

const bySelf = [
  { role: 'user', content: 'my data is off' },
  { role: 'assistant', content: null, tool_calls: [call('toggle_data', {}), call('refund', { amount: 6 })] },
]

const results = {
  timestamp: '…',
  info: { git_commit: '…', num_trials: 2 },
  tasks,
  simulations: [
    simulation('a', 0, all),
    simulation('a', 1, bySelf, { termination_reason: 'max_steps', reward_info: { reward: 0.0 } }),
    simulation('b', 0, [], { trial: null }),
    simulation('c', 0, null, { termination_reason: 'infrastructure_error', reward_info: null }),
  ],
}

describe('results of τ²-bench', () => {
  const records = recordsOf(tau2Bench, results)

  it('are one rollout a simulation, with status, outcome and the golden trace of its task', () => {
    expect(
      records.map(({ path, fields: { group, rollout, scope, status, outcome } }) => [
        path,
        group,
        rollout,
        scope,
        status,
        outcome,
      ]),
    ).toEqual([
      ['simulations[0]', 'a', 0, 'rollout', 'complete', 1],
      ['simulations[1]', 'a', 1, 'rollout', 'truncated', 0],
      ['simulations[2]', 'b', 'b-0', 'rollout', 'complete', 1],
      ['simulations[3]', 'c', 0, 'rollout', 'aborted', null],
    ])
    expect(records.map(({ fields }) => (fields.golden as unknown[]).length)).toEqual([4, 4, 1, 1])
    expect(records[3]!.fields.golden).toEqual([[]])
  })

  it('compare the arguments that count, and calls of the same side only', () => {
    expect(rewardsOf(records.slice(0, 2))).toEqual([
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ])
    expect(callsOf(records[0]!).turns.map((calls) => calls?.map(({ name }) => name))).toEqual([
      ['get_user', 'toggle_data'],
      ['transfer', 'refund'],
    ])
    expect(records[0]!.fields.golden).toEqual([
      [{ name: 'get_user', arguments: { user_id: 'u1' }, requestor: 'assistant', compare: null }],
      [{ name: 'toggle_data', arguments: {}, requestor: 'user', compare: null }],
      [{ name: 'transfer', arguments: { summary: 'cannot fix it' }, requestor: 'assistant', compare: [] }],
      [
        {
          name: 'refund',
          arguments: { amount: 5, reason: 'late' },
          requestor: 'assistant',
          compare: ['amount'],
        },
      ],
    ])
  })

  it('keep integers that are bigint', () => {
    const big = 12345678901234567890n
    const golden = task('a', [action('f', { n: big })])
    const messages = (n: unknown): Fields[] => [{ role: 'assistant', tool_calls: [call('f', { n })] }]
    const simulations = [simulation('a', 0, messages(big)), simulation('a', 1, messages(big + 1n))]
    expect(rewardsOf(recordsOf(tau2Bench, { tasks: [golden], simulations }))).toEqual([[1], [0]])
  })

  it('say how each ended', () => {
    const statusOf = (reason: unknown): unknown =>
      recordsOf(tau2Bench, simulation('a', 0, all, { termination_reason: reason }))[0]!.fields.status
    for (const reason of ['user_stop', 'agent_stop', 'agent_error', null])
      expect(statusOf(reason)).toBe('complete')
    for (const reason of ['max_steps', 'timeout', 'too_many_errors', 'context_window_exceeded'])
      expect(statusOf(reason)).toBe('truncated')
    for (const reason of ['user_error', 'infrastructure_error', 'unexpected_error'])
      expect(statusOf(reason)).toBe('aborted')
  })

  it('may be a simulation by itself, or tasks by themselves', () => {
    const [one] = recordsOf(tau2Bench, results.simulations[0])
    expect([one!.path, one!.fields.golden]).toEqual(['', undefined])
    const golden = [...tau2Bench.tasksOf!(results)].map(({ fields }) => fields)
    expect(golden.map(({ group, scope }) => [group, scope])).toEqual([
      ['a', 'rollout'],
      ['b', 'rollout'],
      ['c', 'rollout'],
    ])
    expect([...tau2Bench.tasksOf!(tasks)].map(({ fields }) => fields)).toEqual(golden)
    expect([...tau2Bench.tasksOf!(tasks[0])].map(({ fields }) => fields)).toEqual(golden.slice(0, 1))
    expect(recordsOf(tau2Bench, tasks)).toEqual([])
    expect([...tau2Bench.tasksOf!(results.simulations[0])]).toEqual([])
  })

  it('are known by their fields', () => {
    for (const one of [results, tasks, tasks[0], results.simulations[0]])
      expect(tau2Bench.isOne(one)).toBe(true)
    for (const other of [[], {}, null, 'x', { group: 1, messages: [] }, [{ task_id: 1, trial: 0, traj: [] }]])
      expect(tau2Bench.isOne(other)).toBe(false)
  })
})

describe('a wrong result of τ²-bench', () => {
  const withTask = (one: unknown): unknown => ({ tasks: [one], simulations: [] })
  const withActions = (...actions: unknown[]): unknown => withTask(task('a', actions))
  const withSimulation = (more: Fields): unknown => ({
    tasks,
    simulations: [simulation('a', 0, all), simulation('a', 1, all, more)],
  })
  const at = 'tasks[0].evaluation_criteria'
  const wrong: readonly (readonly [unknown, string])[] = [
    [withTask(5), 'tasks[0]: expected a task, got 5'],
    [withTask(task(null, [])), 'tasks[0].id: expected text or a safe integer, got null'],
    [{ tasks: [tasks[1], tasks[1]], simulations: [] }, 'tasks[1].id: expected each task once, got "b" again'],
    [withTask({ id: 'a', evaluation_criteria: 5 }), `${at}: expected an object or null, got 5`],
    [withTask(task('a', 'x')), `${at}.actions: expected a list of actions or null, got "x"`],
    [withActions(5), `${at}.actions[0]: expected an action with name and arguments, got 5`],
    [withActions(action('f', {}, { name: 5 })), `${at}.actions[0].name: expected the name of a tool, got 5`],
    [withActions(action('f', 'x')), `${at}.actions[0].arguments: expected an object of arguments, got "x"`],
    [
      withActions(action('f', {}), action('f', {}, { requestor: 5 })),
      `${at}.actions[1].requestor: expected "assistant" or "user", got 5`,
    ],
    [
      withActions(action('f', {}, { compare_args: 'x' })),
      `${at}.actions[0].compare_args: expected a list of argument names or null, got "x"`,
    ],
    [withSimulation({ task_id: 'z' }), 'simulations[1].task_id: expected a task of the document, got "z"'],
    [
      withSimulation({ termination_reason: 'bored' }),
      'simulations[1].termination_reason: expected one of user_stop, agent_stop, agent_error, max_steps, timeout, ' +
        'too_many_errors, context_window_exceeded, user_error, infrastructure_error, unexpected_error, got "bored"',
    ],
    [
      withSimulation({ messages: null, ticks: [] }),
      'simulations[1].messages: expected a list of messages (ticks of voice runs are not read), got undefined',
    ],
    [withSimulation({ messages: [{}] }), 'messages[0].role: expected a string, got undefined'],
    [withSimulation({ reward_info: 1 }), 'simulations[1].reward_info: expected an object or null, got 1'],
    [
      withSimulation({ reward_info: { reward: '1' } }),
      'simulations[1].reward_info.reward: expected a finite number, got "1"',
    ],
    [withSimulation({ trial: {} }), 'simulations[1].trial: expected text or a safe integer, got an object'],
    [{ results: [] }, 'expected results with tasks and simulations, a simulation or tasks, got an object'],
  ]
  for (const [value, message] of wrong)
    it(`is refused: ${message.slice(0, 90)}`, () => {
      expect(refusal(tau2Bench, value)).toBe(message)
    })
})
