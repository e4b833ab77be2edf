/**
 * Messages of the Model Context Protocol.
 */
import { describe, expect, it } from 'vitest'
import { callsOf, namesOf, refused } from './reading.js'

const user = { role: 'user', content: { type: 'text', text: 'x' } }
const said = { role: 'assistant', content: [{ type: 'text', text: 'x' }] }
const call = (name: unknown, given: unknown = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given },
})
const response = { jsonrpc: '2.0', id: 1, result: { content: [], isError: false } }
const fault = { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unknown tool' } }
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: {} }
const start = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

describe('MCP messages', () => {
  const mixed = [
    start,
    response,
    user,
    said,
    call('a'),
    progress,
    call('b'),
    response,
    fault,
    call('c'),
    response,
    said,
    user,
    call('d'),
  ]

  it('have the turns of the user messages that are mixed in', () => {
    expect(namesOf('mcp', mixed).turns).toEqual([['a', 'b', 'c'], ['d']])
  })

  it('are one user turn where nobody has a role', () => {
    const alone = [start, response, list, response, call('a'), response, call('b'), response]
    expect(namesOf('mcp', alone)).toEqual({ turns: [['a', 'b']], before: [] })
    expect(namesOf('mcp', [])).toEqual({ turns: [], before: [] })
    expect(namesOf('mcp', [...alone, said])).toEqual({ turns: [], before: ['a', 'b'] })
  })

  it('begin a step with an assistant message, or with a call after a response', () => {
    expect(namesOf('mcp', mixed, 'step').turns).toEqual([['a', 'b'], ['c'], [], ['d']])
    expect(namesOf('mcp', [call('a'), list, progress, call('b'), response, call('c')], 'step').turns).toEqual(
      [['a', 'b'], ['c']],
    )
    expect(namesOf('mcp', [said, said, call('a')], 'step').turns).toEqual([[], ['a']])
  })

  it('follow marks', () => {
    expect(namesOf('mcp', [call('a'), response, call('b')], [1, 1, 0]).turns).toEqual([['b'], ['a']])
  })

  it('make calls in requests of tools/call only', () => {
    const text = { role: 'assistant', content: { type: 'text', text: '{"method":"tools/call"}' } }
    expect(
      callsOf(
        'mcp',
        text,
        list,
        { jsonrpc: '2.0', id: 3, method: 'prompts/get', params: { name: 'p' } },
        call('a', { n: 1 }),
      ),
    ).toEqual([{ name: 'a', arguments: { n: 1 } }])
    expect(callsOf('mcp', { method: 'tools/call', params: { name: 'a' } })).toEqual([
      { name: 'a', arguments: undefined },
    ])
  })

  it('are refused with the path where a logger wrote something else', () => {
    for (const [message, told] of [
      [
        { jsonrpc: '2.0', id: 1 },
        'messages[1]: expected a message with a role, method, result or error, got none of them',
      ],
      [{ method: 5 }, 'messages[1].method: expected a string, got 5'],
      [
        { method: 'tools/call' },
        'messages[1].params: expected an object with name and arguments, got undefined',
      ],
      [
        { method: 'tools/call', params: [] },
        'messages[1].params: expected an object with name and arguments, got an empty list',
      ],
      [call(undefined), 'messages[1].params.name: expected a string, got undefined'],
      [{ role: 5 }, 'messages[1].role: expected a string, got 5'],
      [{ role: 'user', content: 5 }, 'messages[1].content: expected text, a part or a list of parts, got 5'],
      [{ role: 'user', content: [5] }, 'messages[1].content[0]: expected a part, got 5'],
      [[call('a')], 'messages[1]: expected a message, got a list of 1'],
    ] as const)
      expect(refused('mcp', user, message)).toBe(`in:2: ${told}`)
  })
})
