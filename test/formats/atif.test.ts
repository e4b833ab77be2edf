/**
 * Trajectories of ATIF.
 */
import { describe, expect, it } from 'vitest'
import { atif } from '../../src/formats/atif.js'
import { callsOf, recordsOf, refusal, rewardsOf } from './document.js'

type Fields = Record<string, unknown>

const call = (name: string, args: unknown): Fields => ({
  tool_call_id: `call_${name}`,
  function_name: name,
  arguments: args,
})

const agent = (calls: unknown, more: Fields = {}): Fields => ({
  source: 'agent',
  message: 'thinking aloud',
  tool_calls: calls,
  observation: { results: [{ source_call_id: 'call_a', content: 'ok' }] },
  ...more,
})

const trajectory = (steps: unknown, more: Fields = {}): Fields => ({
  schema_version: 'ATIF-v1.7',
  session_id: 's1',
  agent: { name: 'terminus-2', version: '2.0' },
  steps: Array.isArray(steps) ? steps.map((step, n) => ({ step_id: n + 1, ...step })) : steps,
  final_metrics: { total_steps: 3 },
  ...more,
})

const steps = [
  { source: 'system', message: 'You are an agent.' },
  { source: 'user', message: 'list the files' },
  agent([call('bash', { command: 'ls' }), call('note', { n: 12345678901234567890n })]),
  agent([call('dispatch', {})], { llm_call_count: 0 }),
  agent(null, { message: [{ type: 'text', text: 'two files' }] }),
  { source: 'user', message: 'remove one' },
  agent([call('bash', { command: 'rm a' })]),
]

describe('an ATIF trajectory', () => {
  it('has user turns with the calls of agent steps, those that a model made', () => {
    const [record] = recordsOf(atif, trajectory(steps))
    expect(callsOf(record!).turns).toEqual([
      [
        { name: 'bash', arguments: { command: 'ls' } },
        { name: 'note', arguments: { n: 12345678901234567890n } },
      ],
      [{ name: 'bash', arguments: { command: 'rm a' } }],
    ])
    expect(callsOf(record!, 'step').turns.map((calls) => calls?.length)).toEqual([2, 0, 1])
    expect([record!.path, record!.format.name]).toEqual(['', 'atif'])
  })

  it('takes its names from the ids, or stands beside the fields of a record', () => {
    const named = (more: Fields): unknown[] => {
      const { fields } = recordsOf(atif, trajectory(steps, more))[0]!
      return [fields.group, fields.rollout]
    }
    expect(named({})).toEqual(['s1', 's1'])
    expect(named({ trajectory_id: 't9' })).toEqual(['s1', 't9'])
    expect(named({ session_id: null, trajectory_id: 't9' })).toEqual(['t9', 't9'])
    const golden = [[{ name: 'bash', arguments: { command: 'ls' } }], [{ name: 'rm' }]]
    const record = { group: 'task-1', rollout: 4, golden, outcome: 0.5, status: 'truncated', messages: null }
    const records = recordsOf(atif, [{ record, trajectory: trajectory(steps) }])
    expect(records[0]!.path).toBe('[0]')
    expect(records[0]!.fields).toMatchObject({
      group: 'task-1',
      rollout: 4,
      outcome: 0.5,
      status: 'truncated',
    })
    expect(rewardsOf(records)).toEqual([[1, 0]])
  })

  it('is known by its version, and only by that', () => {
    for (const one of [trajectory([]), [trajectory([])], { record: {}, trajectory: trajectory([]) }])
      expect(atif.isOne(one)).toBe(true)
    for (const other of [
      { steps: [] },
      { schema_version: 2 },
      [],
      null,
      { group: 1, messages: [] },
      { trajectory: {} },
    ])
      expect(atif.isOne(other)).toBe(false)
  })
})

describe('the token ids of a trajectory', () => {
  const sampled = (prompt: unknown, completion: unknown, more: Fields = {}): Fields =>
    agent(null, { metrics: { prompt_token_ids: prompt, completion_token_ids: completion, ...more } })
  const tokens = (...own: Fields[]): unknown =>
    recordsOf(atif, trajectory([{ source: 'user', message: 'go' }, ...own]))[0]!.fields.tokens

  it('are the steps of the sampler', () => {
    expect(tokens(sampled([1, 2], [3]), sampled([1, 2, 3, 4], [5, 6], { logprobs: [-0.5, -1] }))).toEqual({
      steps: [
        { prompt: [1, 2], completion: [3] },
        { prompt: [1, 2, 3, 4], completion: [5, 6], logprobs: [-0.5, -1] },
      ],
    })
  })

  it('begin another sequence where a prompt does not go on from the ids before', () => {
    for (const prompt of [[1, 2], [1, 2, 9, 4], []])
      expect(tokens(sampled([1, 2], [3]), sampled(prompt, [5]), sampled([...prompt, 5, 6], [7]))).toEqual({
        steps: [
          { prompt: [1, 2], completion: [3] },
          { prompt, completion: [5], newSequence: true },
          { prompt: [...prompt, 5, 6], completion: [7] },
        ],
      })
  })

  it('are left out where a step has none or was copied from another trajectory', () => {
    expect(tokens()).toBeUndefined()
    expect(tokens(sampled([1], [2]), agent(null))).toBeUndefined()
    expect(tokens(sampled(null, [2]))).toBeUndefined()
    expect(tokens({ ...sampled([1], [2]), is_copied_context: true })).toBeUndefined()
    expect(tokens(sampled([1], [2]), agent(null, { llm_call_count: 0 }))).toEqual({
      steps: [{ prompt: [1], completion: [2] }],
    })
  })

  it('that are no lists are refused with their path', () => {
    expect(refusal(atif, trajectory([sampled('x', [1])]))).toBe(
      'steps[0].metrics.prompt_token_ids: expected a list of token ids or null, got "x"',
    )
    expect(refusal(atif, trajectory([sampled([1], 5)]))).toBe(
      'steps[0].metrics.completion_token_ids: expected a list of token ids or null, got 5',
    )
  })
})

describe('a wrong trajectory', () => {
  const step = (more: Fields): Fields => trajectory([steps[1], { source: 'agent', message: '', ...more }])
  const wrong: readonly (readonly [unknown, string])[] = [
    [5, 'expected a trajectory, or one with a record beside it, got 5'],
    [[trajectory([]), 5], '[1]: expected a trajectory, or one with a record beside it, got 5'],
    [
      trajectory([], { schema_version: 'ATIF-v2.0' }),
      'schema_version: expected "ATIF-v1.0" or a later version 1, got "ATIF-v2.0"',
    ],
    [trajectory('x'), 'steps: expected a list of steps, got "x"'],
    [{ ...trajectory([]), steps: [5] }, 'steps[0]: expected a step, got 5'],
    [step({ source: 'tool' }), 'steps[1].source: expected "user", "agent" or "system", got "tool"'],
    [step({ tool_calls: {} }), 'steps[1].tool_calls: expected a list of calls or null, got an object'],
    [step({ tool_calls: [5] }), 'steps[1].tool_calls[0]: expected a call, got 5'],
    [
      step({ tool_calls: [{ name: 'f' }] }),
      'steps[1].tool_calls[0].function_name: expected a string, got undefined',
    ],
    [
      step({ source: 'user', tool_calls: [call('f', {})] }),
      'steps[1].tool_calls: expected calls of agent steps only, got "user"',
    ],
    [trajectory([], { session_id: null }), 'session_id: expected text or a safe integer, got undefined'],
    [
      { trajectory: trajectory([]) },
      'record: expected the fields of a record: group, rollout, golden, …, got undefined',
    ],
    [
      [{ record: { messages: [] }, trajectory: trajectory([]) }],
      '[0].record.messages: expected a trajectory or messages, got both',
    ],
    [
      { record: { group: 1 }, trajectory: trajectory([{}]) },
      'trajectory.steps[0].source: expected "user", "agent" or "system", got undefined',
    ],
  ]
  for (const [value, message] of wrong)
    it(`is refused: ${message}`, () => {
      expect(refusal(atif, value)).toBe(message)
    })
})
