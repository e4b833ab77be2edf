/**
 * Items of the OpenAI Responses API.
 */
import { describe, expect, it } from 'vitest'
import { callsOf, namesOf, refused } from './reading.js'

const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] }
const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] }
const reasoning = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'e' }
const call = (name: string) => ({ type: 'function_call', call_id: name, name, arguments: '{}' })
const output = (name: string) => ({ type: 'function_call_output', call_id: name, output: 'ok' })

describe('items of the Responses API', () => {
  const items = [
    { role: 'developer', content: 'x' },
    user,
    reasoning,
    call('a'),
    call('b'),
    output('a'),
    output('b'),
    reasoning,
    said,
    call('c'),
    output('c'),
    said,
    { role: 'user', content: 'y' },
    said,
  ]

  it('are in the turn of the user message before them', () => {
    expect(namesOf('responses', items)).toEqual({ turns: [['a', 'b', 'c'], []], before: [] })
  })

  it('of the assistant that stand together are one step', () => {
    expect(namesOf('responses', items, 'step').turns).toEqual([['a', 'b'], ['c'], [], []])
  })

  it('follow marks, one an item', () => {
    const marks = items.map((_, m) => (m < 2 ? null : m < 7 ? 0 : 2))
    expect(namesOf('responses', items, marks).turns).toEqual([['a', 'b'], null, ['c']])
  })

  it('may be referred to: that makes no call and parts no step', () => {
    const reference = { type: 'item_reference', id: 'rs' }
    const list = [user, reasoning, reference, call('a'), output('a'), reference, said]
    expect(namesOf('responses', list, 'step').turns).toEqual([['a'], []])
    expect(refused('responses', user, reference)).toMatch(/messages\[1\]\.id: expected the id of an item/)
  })

  it('keep arguments and the input of custom tools as they are', () => {
    expect(
      callsOf(
        'responses',
        { type: 'function_call', name: 'f', arguments: '{"a": 1}' },
        { type: 'function_call', name: 'f', arguments: { a: 1 } },
        { type: 'custom_tool_call', name: 'g', input: 'SELECT 1' },
        { type: 'mcp_call', server_label: 's', name: 'h', arguments: '{}', output: 'ok' },
      ),
    ).toEqual([
      { name: 'f', arguments: '{"a": 1}' },
      { name: 'f', arguments: { a: 1 } },
      { name: 'g', arguments: 'SELECT 1' },
      { name: 'h', arguments: '{}' },
    ])
  })

  it('of tools of the API are calls by the name of the tool', () => {
    expect(
      callsOf(
        'responses',
        { type: 'web_search_call', action: { type: 'search', query: 'q' } },
        { type: 'file_search_call', queries: ['q'], results: null },
        { type: 'code_interpreter_call', code: '1', outputs: [] },
        { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'p' } },
        { type: 'image_generation_call', result: 'r' },
      ),
    ).toEqual([
      { name: 'web_search', arguments: { type: 'search', query: 'q' } },
      { name: 'file_search', arguments: { queries: ['q'] } },
      { name: 'code_interpreter', arguments: { code: '1' } },
      { name: 'apply_patch', arguments: { type: 'delete_file', path: 'p' } },
      { name: 'image_generation', arguments: undefined },
    ])
  })

  it('are refused with the path where a logger wrote something else', () => {
    for (const [item, message] of [
      [{ type: 'function_call', arguments: '{}' }, 'messages[1].name: expected a string, got undefined'],
      [{ type: 'function_call', name: 5 }, 'messages[1].name: expected a string, got 5'],
      [{ type: 'custom_tool_call', input: '' }, 'messages[1].name: expected a string, got undefined'],
      [
        { type: 'item_reference', id: 'x' },
        'messages[1].id: expected the id of an item in the list, got "x"',
      ],
      [{ type: 'picture' }, 'messages[1].type: expected an item of the Responses API, got "picture"'],
      [{ type: 1 }, 'messages[1].type: expected an item of the Responses API, got 1'],
      [{}, 'messages[1].type: expected an item of the Responses API, got undefined'],
      [{ type: 'message', content: 'x' }, 'messages[1].role: expected a string, got undefined'],
      [{ role: 'user', content: 5 }, 'messages[1].content: expected text or a list of parts, got 5'],
      [{ role: 'user', content: ['x'] }, 'messages[1].content[0]: expected a part, got "x"'],
      [
        { role: 'user', content: [{ text: 'x' }] },
        'messages[1].content[0].type: expected a string, got undefined',
      ],
      ['x', 'messages[1]: expected a message, got "x"'],
      [null, 'messages[1]: expected a message, got null'],
      [[], 'messages[1]: expected a message, got an empty list'],
    ] as const)
      expect(refused('responses', user, item)).toBe(`in:2: ${message}`)
  })
})
