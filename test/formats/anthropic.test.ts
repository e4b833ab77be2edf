/**
 * Anthropic messages.
 */
import { describe, expect, it } from 'vitest'
import { callsOf, namesOf, refused } from './reading.js'

const user = { role: 'user', content: 'x' }
const text = { type: 'text', text: 'x' }
const use = (name: unknown, input: unknown = {}) => ({ type: 'tool_use', id: 't', name, input })
const result = { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'tool_use' }] }
const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content })
const results = { role: 'user', content: [result, result] }

describe('Anthropic messages', () => {
  const messages = [
    user,
    assistant({ type: 'thinking', thinking: 'x', signature: 's' }, text, use('a'), use('b')),
    results,
    assistant({ type: 'redacted_thinking', data: 'x' }, use('c')),
    results,
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: [text, { type: 'image', source: {} }] },
    assistant(use('d')),
    { role: 'user', content: [result, text] },
    assistant(use('e')),
  ]

  it('open a turn with a user message, but not with one of results only', () => {
    expect(namesOf('anthropic', messages).turns).toEqual([['a', 'b', 'c'], ['d'], ['e']])
  })

  it('are a step each where the assistant speaks', () => {
    expect(namesOf('anthropic', messages, 'step').turns).toEqual([['a', 'b'], ['c'], [], ['d'], ['e']])
  })

  it('follow marks', () => {
    const marks = messages.map((_, m) => (m === 1 ? 1 : m === 3 ? 0 : null))
    expect(namesOf('anthropic', messages, marks)).toEqual({ turns: [['c'], ['a', 'b']], before: ['d', 'e'] })
  })

  it('make calls in blocks of tools, servers and MCP, and nowhere else', () => {
    const found = callsOf(
      'anthropic',
      assistant(
        text,
        use('a', { n: 1 }),
        { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
        { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
        { type: 'mcp_tool_use', id: 'm', name: 'b', server_name: 'x', input: {} },
        { type: 'mcp_tool_result', tool_use_id: 'm', content: [] },
        { type: 'text', text: '{"type":"tool_use","name":"no"}' },
      ),
    )
    expect(found).toEqual([
      { name: 'a', arguments: { n: 1 } },
      { name: 'web_search', arguments: { query: 'q' } },
      { name: 'b', arguments: {} },
    ])
  })

  it('pass on what a model wrote as input unread', () => {
    for (const input of ['{"a":1', [1], 5, null, undefined])
      expect(callsOf('anthropic', assistant({ type: 'tool_use', name: 'a', input }))).toEqual([
        { name: 'a', arguments: input },
      ])
  })

  it('of a user who makes calls open no turn, and the calls are the user side’s', () => {
    expect(namesOf('anthropic', [user, { role: 'user', content: [use('a')] }]).turns).toEqual([['a']])
    expect(callsOf('anthropic', assistant(), { role: 'user', content: [use('a')] })).toEqual([
      { name: 'a', arguments: {}, requestor: 'user' },
    ])
  })

  it('are refused with the path where a logger wrote something else', () => {
    for (const [message, told] of [
      [{ content: 'x' }, 'messages[1].role: expected a string, got undefined'],
      [{ role: 5 }, 'messages[1].role: expected a string, got 5'],
      [{ role: 'user', content: 5 }, 'messages[1].content: expected text or a list of blocks, got 5'],
      [assistant('x'), 'messages[1].content[0]: expected a part, got "x"'],
      [assistant(null), 'messages[1].content[0]: expected a part, got null'],
      [assistant({ text: 'x' }), 'messages[1].content[0].type: expected a string, got undefined'],
      [assistant(text, use(undefined)), 'messages[1].content[1].name: expected a string, got undefined'],
      [assistant(use({})), 'messages[1].content[0].name: expected a string, got an object'],
      [5, 'messages[1]: expected a message, got 5'],
    ] as const)
      expect(refused('anthropic', user, message)).toBe(`in:2: ${told}`)
  })
})
