/**
 * From messages to turns: units, marks, scopes, and every way in which logs write a call.
 */
import { describe, expect, it } from 'vitest'
import { fromOpenAI } from '../../src/formats/openai.js'
import {
  assistant,
  call,
  type Fields,
  reachedOf,
  readLog,
  record,
  refusal,
  rewardsOf,
  user,
} from './records.js'

const tool = { role: 'tool', content: 'ok' }
const f = call('f')
const g = call('g')
const F = { name: 'f' }
const G = { name: 'g' }

/** Rewards of one record. */
const scoreOf = (messages: readonly Fields[], golden: unknown, more: Fields = {}): number[] =>
  rewardsOf(readLog([record(messages, golden, more)]))[0]!
const reachOf = (messages: readonly Fields[], golden: unknown, more: Fields = {}): number[] =>
  reachedOf(readLog([record(messages, golden, more)]))[0]!

describe('turns of users', () => {
  const messages = [user(), assistant(f), tool, assistant(g), user(), assistant(), user(), assistant(g)]

  it('hold everything until the next user message', () => {
    expect(scoreOf(messages, [[F, G], [], [G]])).toEqual([1, 1, 1])
    expect(scoreOf(messages, [[G], [F], [F]])).toEqual([1, 0, 0])
  })

  it('are not reached where the log has fewer, and surplus where it has more', () => {
    expect(scoreOf(messages, [[F], [], [G], []])).toEqual([1, 1, 1, 0])
    expect(reachOf(messages, [[F], [], [G], []])).toEqual([1, 1, 1, 0])
    const log = readLog([record(messages, [[F]])])
    expect(rewardsOf(log)).toEqual([[1]])
    expect(log.counts.surplusTurns).toBe(2)
  })

  it('need no assistant message to be reached', () => {
    expect(scoreOf([user(), user()], [[], [F]])).toEqual([1, 0])
    expect(reachOf([user(), user()], [[], [F]])).toEqual([1, 1])
  })

  it('begin with the first user message: calls before it are counted and belong to none', () => {
    const log = readLog([
      record([{ role: 'system', content: 'x' }, assistant(f, g), user(), assistant()], [[F]]),
    ])
    expect(rewardsOf(log)).toEqual([[0]])
    expect(log.counts.earlyCalls).toBe(2)
  })

  it('are none where no user speaks', () => {
    expect(reachOf([assistant(f)], [[F]])).toEqual([0])
    expect(reachOf([], [[F]])).toEqual([0])
  })

  it('are not opened by a user who makes calls, and those calls are of the user side', () => {
    const log = [
      user(),
      assistant(f),
      { ...user(), tool_calls: [g] },
      tool,
      assistant(f),
      user(),
      assistant(g),
    ]
    expect(scoreOf(log, [[F, F], [G]])).toEqual([1, 1])
    expect(scoreOf(log, [[G], [G]])).toEqual([0, 1])
    expect(scoreOf(log, [[{ ...G, requestor: 'user' }], [G]])).toEqual([1, 1])
    expect(scoreOf(log, [[{ ...F, requestor: 'user' }], [G]])).toEqual([0, 1])
    expect(reachOf([user(), { ...user(), function_call: g.function }], [[], []])).toEqual([1, 0])
    expect(reachOf([user(), { ...user(), tool_calls: [] }], [[], []])).toEqual([1, 1])
  })

  it('take the side that a call names', () => {
    const named = [user(), assistant({ ...f, requestor: 'user' })]
    expect(scoreOf(named, [[F]])).toEqual([0])
    expect(scoreOf(named, [[{ ...F, requestor: 'user' }]])).toEqual([1])
  })
})

describe('turns of steps', () => {
  const messages = [user(), assistant(f), tool, assistant(g), tool, user(), assistant()]

  it('are assistant messages', () => {
    expect(scoreOf(messages, [[F], [G], []], { turns: 'step' })).toEqual([1, 1, 1])
    expect(scoreOf(messages, [[F, G]], { turns: 'step' })).toEqual([0])
    expect(reachOf(messages, [[], [], [], []], { turns: 'step' })).toEqual([1, 1, 1, 0])
  })

  it('are what the option says where records do not, and not where they do', () => {
    const lines = [record(messages, [[F], [G]]), record(messages, [[F, G]], { group: 'h', turns: 'user' })]
    expect(rewardsOf(readLog(lines, { turns: 'step', allowSingletons: true }))).toEqual([[1, 1], [1]])
  })
})

describe('turns by marks', () => {
  const messages = [user(), assistant(f), user(), assistant(g), user(), assistant(f)]

  it('belong where the marks say, null to none', () => {
    expect(scoreOf(messages, [[F], [G, F]], { turns: [0, 0, 1, 1, 1, 1] })).toEqual([1, 1])
    expect(scoreOf(messages, [[F], [G]], { turns: [0, null, 1, 1, null, null] })).toEqual([0, 1])
    expect(
      readLog([record(messages, [[F], [G]], { turns: [0, null, 1, 1, null, null] })]).counts.earlyCalls,
    ).toBe(2)
  })

  it('may go back, and may leave a gap that is not reached', () => {
    expect(scoreOf(messages, [[F, F], [G]], { turns: [0, 0, 1, 1, 0, 0] })).toEqual([1, 1])
    expect(scoreOf(messages, [[F], [], [G, F]], { turns: [0, 0, 2, 2, 2, 2] })).toEqual([1, 0, 1])
    expect(reachOf(messages, [[F], [], [G, F]], { turns: [0, 0, 2, 2, 2, 2] })).toEqual([1, 0, 1])
    expect(reachOf(messages, [[], []], { turns: [null, null, null, null, null, null] })).toEqual([0, 0])
  })

  it('must be one a message', () => {
    expect(refusal([record(messages, [[F]], { turns: [0, 0] })])).toBe(
      'in:1: turns: expected 6 entries, one a message, got 2',
    )
    expect(refusal([record(messages, [[F]], { turns: [0, 0, 0, 0, 0, 1e6] })])).toBe(
      'in:1: turns[5]: expected a turn index from 0 to 999999, or null, got 1000000',
    )
  })

  it('cannot be on a scored record', () => {
    expect(refusal([{ group: 'g', rollout: 0, rewards: [1], turns: [0] }])).toBe(
      'in:1: turns: expected messages with turn marks, got rewards',
    )
  })
})

describe('scope rollout', () => {
  const messages = [assistant(f), user(), assistant(g)]

  it('tests every golden turn against all calls, those before the first turn too', () => {
    expect(scoreOf(messages, [[G], [F], [], [F, G], [F, F]], { scope: 'rollout' })).toEqual([1, 1, 1, 1, 0])
    expect(reachOf([], [[F], []], { scope: 'rollout' })).toEqual([1, 1])
    const log = readLog([record(messages, [[G]], { scope: 'rollout' })])
    expect(log.counts).toMatchObject({ extraCalls: 1, earlyCalls: 0, surplusTurns: 0 })
  })

  it('goes with no bound of extra calls and with no token output', () => {
    const line = record(messages, [[G]], { scope: 'rollout', tokens: { length: 5, turns: [] } })
    expect(refusal([line])).toBe('read')
    expect(refusal([line], { policy: { maxExtraCalls: 1 } })).toBe(
      'in:1: options.maxExtraCalls: expected none where the scope is "rollout", got 1',
    )
    expect(refusal([line], { tokens: true })).toBe(
      'in:1: scope: expected "turn" for token output, got "rollout"',
    )
  })
})

describe('a call', () => {
  const golden = [[{ name: 'f', arguments: { a: 1 } }]]
  const scoreCall = (message: Fields): number => scoreOf([user(), message], golden)[0]!

  it.each<[string, Fields]>([
    ['with argument text', assistant(call('f', '{"a":1}'))],
    ['with an object', assistant(call('f', { a: 1 }))],
    ['without a type', assistant({ function: { name: 'f', arguments: '{"a":1}' } })],
    ['without a wrapping', assistant({ name: 'f', arguments: '{"a":1}' })],
    [
      'of the older kind',
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
    ],
    ['of a custom tool', assistant({ type: 'custom', custom: { name: 'f', input: '{"a":1}' } })],
    ['beside text', { ...assistant(call('f', '{"a":1}')), content: 'I will call f.' }],
    ['beside parts', { ...assistant(call('f', '{"a":1}')), content: [{ type: 'text', text: 'x' }, 'y'] }],
    ['without content', { role: 'assistant', tool_calls: [call('f', '{"a":1}')] }],
    ['with the id of another', assistant(call('g'), call('f', '{"a":1}'))],
  ])('is read %s', (_name, message) => {
    expect(scoreCall(message)).toBe(1)
  })

  it('is never searched for in text, and never taken from tool results', () => {
    const text = '{"name":"f","arguments":{"a":1}}'
    expect(scoreCall({ role: 'assistant', content: text })).toBe(0)
    expect(scoreCall({ role: 'tool', content: text, tool_calls: [call('f', { a: 1 })] })).toBe(0)
  })

  it.each(['', ' \n', 'null', null, undefined, '{}', {}])('with the arguments %j has none', (args) => {
    expect(scoreOf([user(), assistant(call('f', args))], [[{ name: 'f' }]])).toEqual([1])
    expect(scoreOf([user(), assistant(call('f', args))], [[{ name: 'f', arguments: { a: null } }]])).toEqual([
      0,
    ])
  })

  it.each([
    '[1]',
    '3',
    'true',
    '"{}"',
    '"{\\"a\\":1}"',
    '{"a":1',
    '{"a":1}{"a":1}',
    "{'a':1}",
    [1],
    3,
    true,
    'sure, calling it',
  ])('with the arguments %j is a miss, counted and no error', (args) => {
    const log = readLog([record([user(), assistant(call('f', args))], golden)])
    expect(rewardsOf(log)).toEqual([[0]])
    expect(log.counts).toMatchObject({ malformedCalls: 1, extraCalls: 1 })
  })

  it('may be one of several that will do', () => {
    const either = [{ any_of: [[F, F], [G]] }]
    expect(scoreOf([user(), assistant(g)], either)).toEqual([1])
    expect(scoreOf([user(), assistant(f)], either)).toEqual([0])
    expect(scoreOf([user(), assistant(f, f)], either)).toEqual([1])
    expect(scoreOf([user()], [{ any_of: [[F], []] }])).toEqual([1])
  })
})

describe('fromOpenAI', () => {
  it('gives the calls of each turn and those before', () => {
    expect(fromOpenAI([assistant(f), user(), assistant(g)])).toEqual({
      before: [{ name: 'f', arguments: {} }],
      turns: [[{ name: 'g', arguments: {} }]],
    })
    expect(fromOpenAI([user(), assistant(g)], [null, 1])).toEqual({
      before: [],
      turns: [null, [{ name: 'g', arguments: {} }]],
    })
  })

  it('names what it cannot take', () => {
    expect(() => fromOpenAI({} as [])).toThrow('messages: expected a list of messages, got an object')
    expect(() => fromOpenAI([], 'turn' as 'user')).toThrow(
      'turns: expected "user", "step" or a list of turn indices',
    )
  })
})
