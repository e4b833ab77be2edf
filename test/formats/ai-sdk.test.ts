/**
 * Model messages and UI messages of the Vercel AI SDK.
 */
import { describe, expect, it } from 'vitest'
import { callsOf, namesOf, refused } from './reading.js'

const user = { role: 'user', content: [{ type: 'text', text: 'x' }] }
const call = (toolName: unknown, more: object = { input: {} }) => ({
  type: 'tool-call',
  toolCallId: 'c',
  toolName,
  ...more,
})
const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content })
const tool = {
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'a', output: { type: 'text', value: 'ok' } }],
}
const ui = (...parts: readonly unknown[]) => ({ id: 'm', role: 'assistant', parts })
const start = { type: 'step-start' }
const text = { type: 'text', text: 'x' }

describe('model messages', () => {
  const messages = [
    { role: 'system', content: 'x' },
    user,
    assistant({ type: 'reasoning', text: 'x' }, text, call('a'), call('b')),
    tool,
    assistant(call('c')),
    tool,
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'y' },
    assistant(text),
  ]

  it('have the turns of users, steps and marks', () => {
    expect(namesOf('ai-sdk', messages).turns).toEqual([['a', 'b', 'c'], []])
    expect(namesOf('ai-sdk', messages, 'step').turns).toEqual([['a', 'b'], ['c'], [], []])
    expect(namesOf('ai-sdk', [user, assistant(call('a'))], [null, 1]).turns).toEqual([null, ['a']])
  })

  it('have arguments as input, as args in older versions, and as text where the SDK could not read it', () => {
    expect(
      callsOf(
        'ai-sdk',
        assistant(
          call('a', { input: { n: 1 } }),
          call('b', { args: { n: 2 } }),
          call('c', { input: '{"n":' }),
        ),
      ),
    ).toEqual([
      { name: 'a', arguments: { n: 1 } },
      { name: 'b', arguments: { n: 2 } },
      { name: 'c', arguments: '{"n":' },
    ])
  })

  it('count calls that the provider ran, and no results', () => {
    const ran = { ...call('a'), providerExecuted: true }
    expect(
      namesOf('ai-sdk', [user, assistant(ran, ...tool.content, { type: 'tool-approval-request' })]).turns,
    ).toEqual([['a']])
  })
})

describe('UI messages', () => {
  const question = { id: 'u', role: 'user', parts: [text] }
  const named = (name: string, more: object = { input: {} }) => ({
    type: `tool-${name}`,
    toolCallId: 'c',
    state: 'output-available',
    ...more,
  })
  const dynamic = (toolName: unknown) => ({
    type: 'dynamic-tool',
    toolName,
    toolCallId: 'c',
    state: 'input-available',
    input: {},
  })
  const messages = [
    question,
    ui(start, text, named('a'), dynamic('b'), start, named('c'), start, text),
    question,
    ui(text),
  ]

  it('hold the calls of a turn', () => {
    expect(namesOf('ai-sdk', messages).turns).toEqual([['a', 'b', 'c'], []])
    expect(namesOf('ai-sdk', messages, [null, 0, 0, 1]).turns).toEqual([['a', 'b', 'c'], []])
  })

  it('are split into steps by step-start', () => {
    expect(namesOf('ai-sdk', messages, 'step').turns).toEqual([['a', 'b'], ['c'], [], []])
  })

  it('have no step without a part, save that a message is one step at least', () => {
    const source = { type: 'source-url', url: 'x' }
    expect(
      namesOf('ai-sdk', [ui(start, start, source, { type: 'data-x', data: 1 }, start, named('a'))], 'step')
        .turns,
    ).toEqual([['a']])
    expect(namesOf('ai-sdk', [ui(), ui(start), ui(text, start, named('a'))], 'step').turns).toEqual([
      [],
      [],
      [],
      ['a'],
    ])
  })

  it('have what the model wrote where its input could not be read', () => {
    const part = named('a', { state: 'output-error', input: undefined, rawInput: '{"n":', errorText: 'x' })
    expect(callsOf('ai-sdk', ui(part))).toEqual([{ name: 'a', arguments: '{"n":' }])
  })

  it('of older versions hold invocations', () => {
    const toolInvocation = {
      state: 'result',
      step: 0,
      toolCallId: 'c',
      toolName: 'a',
      args: { n: 1 },
      result: 'ok',
    }
    const found = [{ name: 'a', arguments: { n: 1 } }]
    expect(
      callsOf('ai-sdk', { ...ui(start, { type: 'tool-invocation', toolInvocation }), content: '' }),
    ).toEqual(found)
    expect(callsOf('ai-sdk', { role: 'assistant', content: 'x', toolInvocations: [toolInvocation] })).toEqual(
      found,
    )
  })

  it('may have a tool of any name', () => {
    for (const name of ['call', 'result', 'invocation', 'a-b', 'x.y'])
      expect(callsOf('ai-sdk', ui(named(name)))).toEqual([{ name, arguments: {} }])
  })

  it('of a user who makes calls open no turn', () => {
    expect(namesOf('ai-sdk', [question, { role: 'user', parts: [named('a')] }]).turns).toEqual([['a']])
    expect(callsOf('ai-sdk', ui(), { role: 'user', parts: [named('a')] })).toEqual([
      { name: 'a', arguments: {}, requestor: 'user' },
    ])
  })
})

describe('messages of the AI SDK', () => {
  it('are refused with the path where a logger wrote something else', () => {
    for (const [message, told] of [
      [{ content: 'x' }, 'messages[1].role: expected a string, got undefined'],
      [{ role: 'user', content: 5 }, 'messages[1].content: expected text or a list of parts, got 5'],
      [assistant('x'), 'messages[1].content[0]: expected a part, got "x"'],
      [assistant({ text: 'x' }), 'messages[1].content[0].type: expected a string, got undefined'],
      [assistant(text, call(undefined)), 'messages[1].content[1].toolName: expected a string, got undefined'],
      [{ role: 'assistant', parts: {} }, 'messages[1].parts: expected a list of parts, got an object'],
      [ui(null), 'messages[1].parts[0]: expected a part, got null'],
      [ui({ functionCall: { name: 'a' } }), 'messages[1].parts[0].type: expected a string, got undefined'],
      [
        ui(start, { type: 'dynamic-tool' }),
        'messages[1].parts[1].toolName: expected a string, got undefined',
      ],
      [
        ui({ type: 'tool-invocation', toolInvocation: {} }),
        'messages[1].parts[0].toolInvocation.toolName: expected a string, got undefined',
      ],
      [
        ui({ type: 'tool-invocation', toolInvocation: [] }),
        'messages[1].parts[0].toolInvocation: expected an object with toolName and args, got an empty list',
      ],
      [5, 'messages[1]: expected a message, got 5'],
    ] as const)
      expect(refused('ai-sdk', user, message)).toBe(`in:2: ${told}`)
  })
})
