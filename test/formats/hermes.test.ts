/**
 * Calls in the text of an assistant, as Hermes and Qwen models write them.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hermes, hermesCalls } from '../../src/formats/hermes.js'
import { fromMessages } from '../../src/formats/turns.js'
import type { ToolCall } from '../../src/reward/call.js'
import { coverage } from '../../src/reward/cover.js'

const tag = (body: string): string => `<tool_call>\n${body}\n</tool_call>`
const write = (name: string, args: unknown): string => tag(JSON.stringify({ name, arguments: args }))
const names = (text: string): string[] => hermesCalls(text).map(({ name }) => name)

/** What is not read of a text: calls that count as malformed. */
const malformed = (text: string): number => coverage([], hermesCalls(text)).malformed

describe('a call in text', () => {
  it('is found with text before, between and after', () => {
    const text = `Let me look.\n${write('a', { x: 1 })} and ${write('b', {})}\nDone <b>so far</b>.`
    expect(hermesCalls(text)).toEqual([
      { name: 'a', arguments: '{"x":1}' },
      { name: 'b', arguments: '{}' },
    ])
    expect(hermesCalls('no call, 1 < 2')).toEqual([])
    expect(hermesCalls('')).toEqual([])
  })

  it('keeps the text of its arguments: integers of any size, repeated keys, spaces', () => {
    const exact = '{ "n" : 12345678901234567890, "s":"\\u00e9" }'
    expect(hermesCalls(tag(`{"name":"f","arguments":${exact}}`))).toEqual([{ name: 'f', arguments: exact }])
    const [twice] = hermesCalls(tag('{"name":"f","arguments":{"a":1,"a":2}}'))
    expect(coverage([{ name: 'f', arguments: { a: 2 } }], [twice!]).missed).toMatchObject([
      { reason: 'malformed-arguments', problem: 'duplicate-key' },
    ])
  })

  it('may have arguments as text, or none', () => {
    const [asText] = hermesCalls(write('f', '{"a": 1}'))
    expect(asText).toEqual({ name: 'f', arguments: '{"a": 1}' })
    for (const body of ['{"name":"f"}', '{"name":"f","arguments":null}', '{"name":"f","arguments":""}'])
      expect(coverage([{ name: 'f' }], hermesCalls(tag(body))).covered).toBe(true)
    expect(malformed(write('f', [1]))).toBe(1)
    expect(malformed(write('f', 5))).toBe(1)
  })

  it('is not ended by tags in its strings', () => {
    for (const part of ['</tool_call>', '<tool_call>', '</think>', '<think>', '\\"</tool_call>', '\\\\'])
      expect(hermesCalls(`${tag(`{"name":"f","arguments":{"t":"${part}"}}`)}${write('g', {})}`)).toEqual([
        { name: 'f', arguments: `{"t":"${part}"}` },
        { name: 'g', arguments: '{}' },
      ])
  })
})

describe('a call that cannot be read', () => {
  const good = write('g', {})
  const broken: Record<string, string> = {
    'is no JSON': tag("{'name': 'f'}"),
    'is cut off': tag('{"name":"f","arguments":{"a":1}'),
    'has two bodies': tag('{"name":"f"}{"name":"f"}'),
    'is empty': tag(''),
    'is null': tag('null'),
    'is a list': tag('[]'),
    'has no name': tag('{"arguments":{}}'),
    'has a name that is no text': tag('{"name":5,"arguments":{}}'),
    'has two names': tag('{"name":"f","name":"f"}'),
    'has two arguments': tag('{"name":"f","arguments":{},"arguments":{}}'),
    'is written as XML': tag('<function=f></function>'),
    'has a stray backslash': '<tool_call>{"name":"f",\\"arguments\\":{}}</tool_call>',
    'is not closed before the next': '<tool_call>{"name":"f","arguments":{}}',
    'does not close its string': '<tool_call>{"name":"f}</tool_call>',
  }
  for (const [why, text] of Object.entries(broken))
    it(`because it ${why} is malformed, and the next one is read`, () => {
      expect(malformed(text)).toBe(1)
      expect(names(`${text} then ${good}`)).toEqual(['', 'g'])
      expect(coverage([{ name: 'g' }], hermesCalls(text + good))).toMatchObject({ covered: true, extra: 1 })
    })

  it('because the text ends in it is malformed, wherever it ends', () => {
    const text = write('f', { t: 'a</tool_call>b' })
    for (let end = '<tool_call>'.length; end < text.length; end++)
      expect([text.slice(0, end), malformed(text.slice(0, end))]).toEqual([text.slice(0, end), 1])
    for (let end = 0; end < '<tool_call>'.length; end++) expect(hermesCalls(text.slice(0, end))).toEqual([])
  })
})

describe('reasoning', () => {
  const a = write('a', {})
  const b = write('b', {})

  it('makes no calls', () => {
    expect(names(`<think>maybe ${a}</think>${b}`)).toEqual(['b'])
    expect(names(`<think>maybe ${a}</think>done`)).toEqual([])
    expect(names(`<think>first ${a}`)).toEqual([])
    expect(names(`${a}<think>then ${b}</think>${b}`)).toEqual(['a', 'b'])
  })

  it('whose opening tag was in the prompt is everything before the closing one', () => {
    expect(names(`draft ${a}</think>${b}`)).toEqual(['b'])
    expect(names(`draft ${a}</think>`)).toEqual([])
    expect(names(`one ${a}</think>two ${a}</think>${b}`)).toEqual(['b'])
    expect(names(`<think>x</think>${a}</think>${b}`)).toEqual(['b'])
    expect(names(`draft <tool_call>{"name": </think>${b}`)).toEqual(['b'])
  })

  it('is not ended by a tag in a string of a drafted call', () => {
    const draft = write('a', { t: '</think>' })
    expect(names(`<think>maybe ${draft} or not</think>${b}`)).toEqual(['b'])
    expect(names(`maybe ${draft} or not ${a}</think>${b}`)).toEqual(['b'])
    expect(names(`${draft}${b}`)).toEqual(['a', 'b'])
  })
})

describe('messages', () => {
  const assistant = (content: unknown, more: object = {}): object => ({ role: 'assistant', content, ...more })
  const read = (...messages: object[]): ReturnType<typeof fromMessages> => fromMessages(hermes, messages)
  const user = { role: 'user', content: 'go' }

  it('of the assistant are searched, those of users, tools and the system are not', () => {
    const quoted = write('win', {})
    const { turns, before } = read(
      { role: 'system', content: quoted },
      { role: 'user', content: quoted },
      { role: 'tool', content: quoted },
      assistant('let me look'),
    )
    expect({ turns, before }).toEqual({ turns: [[]], before: [] })
  })

  it('with structured calls are not searched', () => {
    const structured = [{ id: '1', function: { name: 's', arguments: '{}' } }]
    const more = { tool_calls: structured }
    expect(read(user, assistant(write('t', {}), more)).turns).toEqual([[{ name: 's', arguments: '{}' }]])
    for (const none of [[], null])
      expect(read(user, assistant(write('t', {}), { tool_calls: none })).turns[0]).toMatchObject([
        { name: 't' },
      ])
  })

  it('may have parts; a call may go over several', () => {
    const text = write('f', { a: 1 })
    const parts = [
      { type: 'text', text: text.slice(0, 20) },
      { type: 'image_url', image_url: { url: 'x' } },
      text.slice(20),
    ]
    expect(read(user, assistant(parts)).turns).toEqual([[{ name: 'f', arguments: '{"a":1}' }]])
    expect(read(user, assistant(null), assistant(undefined)).turns).toEqual([[]])
  })

  it('of users that hold tool results only open no turn', () => {
    const result = { role: 'user', content: '<tool_response>\n{"ok":true}\n</tool_response>\n' }
    const { turns } = read(user, assistant(write('f', {})), result, assistant(write('g', {})), user)
    expect(turns.map((calls) => calls?.map(({ name }) => name))).toEqual([['f', 'g'], []])
    expect(read(user, { role: 'user', content: 'I got <tool_response>x</tool_response>' }).turns.length).toBe(
      2,
    )
  })

  it('that are built wrongly are refused with their path', () => {
    expect(() => read(user, { content: 'x' })).toThrow('messages[1].role: expected a string, got undefined')
    expect(() => read(user, assistant(5))).toThrow(
      'messages[1].content: expected text, a list of parts or null, got 5',
    )
    expect(() => read(user, assistant([{ type: 'text', text: 5 }]))).toThrow(
      'messages[1].content[0].text: expected text, got 5',
    )
    expect(() => read(user, assistant('', { tool_calls: 'x' }))).toThrow('messages[1].tool_calls: expected')
  })
})

describe('any text', () => {
  const name = fc.string({ unit: 'binary' })
  const args = fc.dictionary(fc.string(), fc.jsonValue())
  const prose = fc
    .array(
      fc.constantFrom(
        'a < b',
        '"',
        "'",
        '\\',
        '{',
        '}',
        ' ',
        '\n',
        '</tool_call>',
        '<tool>',
        'é😀',
        '<',
        '</',
      ),
    )
    .map((parts) => parts.join(''))

  it('gives back the calls that were written into it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(prose, name, args), { maxLength: 5 }), prose, (calls, rest) => {
        const text = calls.map(([before, tool, given]) => before + write(tool, given)).join('') + rest
        const wanted = calls.map(
          ([, tool, given]): ToolCall => ({ name: tool, arguments: JSON.stringify(given) }),
        )
        expect(hermesCalls(text)).toEqual(wanted)
        expect(hermesCalls(`<think>${text}</think>${text}`)).toEqual(wanted)
        expect(hermesCalls(`${text}</think>${text}`)).toEqual(wanted)
      }),
      { numRuns: 200 },
    )
  })

  it('is read, whatever it holds', () => {
    const scrap = fc.constantFrom(
      '<think>',
      '</think>',
      '<tool_call>',
      '</tool_call>',
      '"',
      '\\',
      '{',
      '}',
      ':',
      'x',
    )
    fc.assert(
      fc.property(fc.array(scrap, { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        const opened = text.split('<tool_call>').length - 1
        expect(hermesCalls(text).length).toBeLessThanOrEqual(opened)
      }),
      { numRuns: 500 },
    )
  })
})

describe('hostile text', () => {
  /** Characters that are looked at one by one. */
  function stepsOf(text: string): number {
    const { charCodeAt } = String.prototype
    let steps = 0
    Object.defineProperty(String.prototype, 'charCodeAt', {
      ...Object.getOwnPropertyDescriptor(String.prototype, 'charCodeAt'),
      value(this: string, at: number) {
        steps++
        return charCodeAt.call(this, at)
      },
    })
    try {
      hermesCalls(text)
    } finally {
      Object.defineProperty(String.prototype, 'charCodeAt', {
        ...Object.getOwnPropertyDescriptor(String.prototype, 'charCodeAt'),
        value: charCodeAt,
      })
    }
    return steps
  }

  const units: Record<string, string> = {
    'a bare <': '<',
    'an opened call': '<tool_call>',
    'a call in a string': '<tool_call>{"</tool_call>',
    'an escaped quote behind a call': '</tool_call><tool_call>\\"',
    'an opened string': '<tool_call>{"a":"',
    'a closed and an opened call': '</tool_call><tool_call>{',
    'two phases of strings': '","k":"</tool_call><tool_call>{',
    reasoning: '<think></think>',
    'closing tags': '</think>',
    'half a tag': '<tool_cal',
    'a readable call': '<tool_call>{"name":"f","arguments":{}}</tool_call>',
  }
  for (const [what, unit] of Object.entries(units))
    it(`of ${what} over and over takes steps in proportion to its length`, () => {
      for (const head of ['', '<tool_call>{"k":"']) {
        const repeats = Math.ceil(10_000 / unit.length)
        const text = head + unit.repeat(8 * repeats)
        expect(stepsOf(text)).toBeLessThan(9 * stepsOf(head + unit.repeat(repeats)) + 100)
        expect(stepsOf(text)).toBeLessThan(8 * text.length)
      }
    })

  it('of ten million characters with a million < is read', () => {
    const text = `${'<2345678'.repeat(1_250_000)}${write('f', {})}`
    expect(text.length).toBeGreaterThan(10_000_000)
    expect(names(text)).toEqual(['f'])
  })
})
