/**
 * Tokens of records: told in any form, or rendered where the record tells none.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadTokenizer } from '../../src/formats/chat-tokenizer.js'
import { rolloutLog } from '../../src/formats/log.js'
import type { LogOptions } from '../../src/formats/log-options.js'
import type { RolloutLog } from '../../src/formats/log-types.js'
import type { Tokenize } from '../../src/formats/record-tokens.js'
import { tokenize } from '../../src/formats/tokenize.js'
import { END, filesOf, sequencesIn, textsOf } from './qwen.js'
import { schemaFault } from './schema.js'

type Tokenizer = Awaited<ReturnType<typeof loadTokenizer>>

function read(lines: readonly (string | object)[], options: Partial<LogOptions> = {}): RolloutLog {
  const log = rolloutLog('in', { tokens: true, ...options })
  lines.forEach((line, k) => {
    log.addLine(typeof line === 'string' ? line : JSON.stringify(line), k + 1)
  })
  return log.finish()
}

const messages = [
  { role: 'user', content: 'a' },
  { role: 'assistant', content: 'b' },
  { role: 'user', content: 'c' },
  { role: 'assistant', content: 'd' },
]
const golden = [[], []]
const record = (tokens: unknown, more: object = {}): object => ({
  group: 'g',
  rollout: 0,
  messages,
  golden,
  tokens,
  ...more,
})
const scored = (tokens: unknown): object => ({ group: 'g', rollout: 0, rewards: [1, 0], tokens })

function refusal(line: string | object, options?: Partial<LogOptions>): string {
  try {
    read([line], options)
  } catch (error) {
    return (error as Error).message
  }
  return 'read'
}

const forms = {
  spans: { ids: [1, 2, 3, 4], turns: [[[1, 2]], [[3, 4]]] },
  turnIds: { turnIds: [null, 0, null, 1], ids: [1, 2, 3, 4] },
  mask: { mask: [0, 1, 0, 1], messages: [1, 1, 1, 1], ids: [1, 2, 3, 4] },
  messageIds: { messageIds: [[1], [2], [3], [4]] },
  steps: {
    steps: [
      { prompt: [1], completion: [2] },
      { prompt: [1, 2, 3], completion: [4] },
    ],
  },
}

describe('tokens of a record', () => {
  it.each(Object.entries(forms))('may be told as %s', (_name, tokens) => {
    expect(schemaFault(record(tokens))).toBe('none')
    expect(read([record(tokens)]).tokens).toEqual([
      { length: 4, ids: [1, 2, 3, 4], turns: [[[1, 2]], [[3, 4]]] },
    ])
    expect(read([record(tokens)], { tokens: false }).tokens).toBe(undefined)
  })

  it('may be told as several sequences, and step by step, where the record has rewards only', () => {
    const several = { sequences: [{ turnIds: [null, 0] }, { turnIds: [1], ids: [5] }] }
    const steps = {
      steps: [
        { prompt: [1], completion: [2], turn: 0 },
        { prompt: [7], completion: [4], turn: 1, newSequence: true, logprobs: null },
      ],
    }
    for (const tokens of [several, steps]) {
      expect(schemaFault(scored(tokens))).toBe('none')
      expect(read([scored(tokens)]).tokens![0]!.turns).toMatchObject([[[0, 1, 2]], [{ 0: 1 }]])
    }
    expect(refusal(scored(forms.messageIds))).toBe(
      'in:1: tokens: expected messages in the record, which messageIds speaks of, got none',
    )
  })

  it('have one list a turn, also where turn ids name fewer', () => {
    expect(read([scored({ turnIds: [0] })]).tokens).toEqual([{ length: 1, turns: [[[0, 1]], []] }])
    expect(refusal(record({ turnIds: [2] }))).toBe(
      'in:1: tokens.turnIds[0]: expected a turn index from 0 to 1, or null, got 2',
    )
  })

  it('are refused at the first id that is not what was sampled so far, with file and line', () => {
    const drift = {
      steps: [
        { prompt: [11], completion: [12, 13] },
        { prompt: [11, 99, 13, 14], completion: [15] },
      ],
    }
    expect(refusal(record(drift))).toMatch(/^in:1: tokens\.steps\[1\]\.prompt\[1\]: expected 12, .*, got 99$/)
  })

  it('follow the marks and the unit of the turns', () => {
    const marked = record(forms.messageIds, { turns: [null, 1, null, 1], golden: [[], []] })
    expect(read([marked]).tokens![0]!.turns).toEqual([
      [],
      [
        [1, 2],
        [3, 4],
      ],
    ])
    const steps = record({ turnIds: [0, 1] }, { turns: 'step' })
    expect(read([steps]).tokens![0]!.turns).toEqual([[[0, 1]], [[1, 2]]])
  })

  it.each([
    ['ids', { ids: ['1'], turns: [] }],
    ['turnIds', { turnIds: [-1] }],
    ['mask', { mask: [2], messages: [1] }],
    ['messages', { mask: [], messages: [-1] }],
    ['messageIds', { messageIds: [3] }],
    ['steps', { steps: [{}] }],
    ['completion', { steps: [{ prompt: [], completion: [1.5] }] }],
    ['newSequence', { steps: [{ prompt: [], completion: [], newSequence: 1 }] }],
    ['logprobs', { ids: [1], logprobs: ['x'], turns: [] }],
  ])('are refused by the schema too where %s are wrong', (_name, tokens) => {
    expect(schemaFault(record(tokens))).not.toBe('none')
    expect(refusal(record(tokens))).not.toBe('read')
  })
})

describe('tokens of items', () => {
  const spoken = (from: LogOptions['from'], items: unknown[], tokens: unknown): unknown =>
    read([{ group: 'g', rollout: 0, messages: items, golden: [[]], tokens }], { from }).tokens![0]!.turns
  const q = { role: 'user', content: 'q' }

  it('of the Responses API are the assistant’s in each item of its step', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
    const items = [q, { type: 'reasoning' }, call, call, { type: 'function_call_output', output: '3' }]
    expect(spoken('responses', items, { messageIds: [[1], [2], [3], [4, 5], [6]] })).toEqual([
      [
        [1, 2],
        [2, 3],
        [3, 5],
      ],
    ])
    expect(spoken('responses', items, { mask: [0, 1, 1, 1, 0], messages: [1, 1, 1, 1, 1] })).toEqual([
      [[1, 4]],
    ])
    expect(spoken('responses', items, { steps: [{ prompt: [1], completion: [2, 3] }] })).toEqual([[[1, 3]]])
  })

  it('of MCP are the assistant’s in a call after its text', () => {
    const rpc = { jsonrpc: '2.0', id: 1 }
    const items = [
      q,
      { role: 'assistant', content: 'let me' },
      { ...rpc, method: 'tools/call', params: { name: 'f', arguments: {} } },
      { ...rpc, result: {} },
    ]
    expect(spoken('mcp', items, { messageIds: [[1], [2], [3, 4], [5]] })).toEqual([
      [
        [1, 2],
        [2, 4],
      ],
    ])
  })

  it('of a UI message with several steps are told by steps, where each is a turn', () => {
    const parts = ['f', 'g'].flatMap((name) => [
      { type: 'step-start' },
      { type: `tool-${name}`, toolCallId: name, state: 'output-available', input: {}, output: 1 },
    ])
    const ui = (tokens: unknown): object => ({
      group: 'g',
      rollout: 0,
      turns: 'step',
      golden: [[], []],
      messages: [
        { role: 'user', parts: [] },
        { role: 'assistant', parts },
      ],
      tokens,
    })
    expect(refusal(ui({ messageIds: [[1], [2, 3]] }), { from: 'ai-sdk' })).toBe(
      'in:1: tokens.messageIds[1]: expected the form steps, which tells the steps of a message apart (messageIds does not), got tokens of message 1, which holds several steps',
    )
    const steps = [
      { prompt: [1], completion: [2] },
      { prompt: [1, 2], completion: [3] },
    ]
    expect(read([ui({ steps })], { from: 'ai-sdk' }).tokens![0]!.turns).toEqual([[[1, 2]], [[2, 3]]])
  })
})

describe('rendered tokens of a record', () => {
  let tokenizer: Tokenizer
  let render: Tokenize

  beforeAll(async () => {
    tokenizer = await loadTokenizer(filesOf('qwen2_5'))
    render = (one) => tokenize(tokenizer, one)
  })

  const idsOf = (log: RolloutLog): readonly number[] => sequencesIn(log.tokens![0]!)[0]!.ids!
  const texts = (log: RolloutLog): string[][] => textsOf(tokenizer, log.tokens![0]!)

  it('are there where the record tells none, and not asked for where it does', () => {
    expect(texts(read([record(undefined)], { tokenize: render }))).toEqual([[`b${END}`], [`d${END}`]])
    expect(read([record(forms.spans)], { tokenize: render }).tokens).toEqual([{ length: 4, ...forms.spans }])
    expect(refusal(record(undefined))).toBe('in:1: tokens: expected token spans, got undefined')
    expect(refusal({ ...scored(undefined) }, { tokenize: render })).toMatch(
      /^in:1: tokens: expected token spans/,
    )
  })

  it('fall into turns as the format of the record has them', () => {
    const said = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'
    const spoken = {
      group: 'g',
      rollout: 0,
      golden: [[]],
      messages: [
        messages[0],
        { role: 'assistant', content: said },
        { role: 'user', content: '<tool_response>\n3\n</tool_response>' },
        messages[3],
      ],
    }
    expect(texts(read([spoken], { tokenize: render, from: 'hermes' }))).toEqual([[said + END, `d${END}`]])
  })

  it('must be the sampled ids, where the record has these alone', () => {
    const ids = idsOf(read([record(undefined)], { tokenize: render }))
    expect(schemaFault(record({ ids }))).toBe('none')
    expect(texts(read([record({ ids })], { tokenize: render }))).toEqual([[`b${END}`], [`d${END}`]])
    expect(texts(read([record({ sequences: [{ ids }] })], { tokenize: render }))).toEqual([
      [`b${END}`],
      [`d${END}`],
    ])
    expect(refusal(record({ ids: ids.with(3, 7) }), { tokenize: render })).toMatch(
      /^in:1: tokens\.ids\[3\]: expected [0-9]+, as the messages are rendered .*, got 7$/,
    )
    expect(refusal(record({ ids }))).toMatch(/^in:1: tokens: expected what tells the turns .*, got ids only$/)
    expect(refusal(record({ ids }), { tokens: false })).toBe('read')
    expect(refusal(record({ ids: ['x'] }), { tokens: false })).toMatch(/^in:1: tokens\.ids\[0\]: /)
  })

  it('are none for an aborted rollout, and end without an end token for a truncated one', () => {
    const other = { ...record(undefined), rollout: 1 }
    const log = read([{ ...record(undefined), status: 'aborted' }, other], { tokenize: render })
    expect(log.tokens![0]).toBe(null)
    expect(texts(read([record(undefined, { status: 'truncated' })], { tokenize: render }))).toEqual([
      [`b${END}`],
      ['d'],
    ])
  })

  it('have the numbers of arguments and tools as the line has them', () => {
    const line = (args: string): string =>
      `{"group":"g","rollout":0,"outcome":1.0,"golden":[[]],"tools":[{"type":"function","function":{"name":"f","parameters":{"default":2.0}}}],"messages":[{"role":"user","content":"1.0"},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":${args}}}]}]}`
    const call = `<tool_call>\n{"name": "f", "arguments": {"a": 1.0, "10": 12345678901234567890, "2": 0}}\n</tool_call>${END}`
    for (const args of [
      '{"a":1.0,"10":12345678901234567890,"2":0}',
      JSON.stringify('{"a": 1.0, "10": 12345678901234567890, "2": 0}'),
    ]) {
      const log = read([line(args)], { tokenize: render })
      expect(texts(log)).toEqual([[call]])
      expect(tokenizer.decode(idsOf(log))).toContain('{"default": 2.0}')
    }
  })

  it('ask for arguments as text where the line is not at hand', () => {
    const log = rolloutLog('in', { tokens: true, tokenize: render })
    const call = { function: { name: 'f', arguments: { a: 1 } } }
    const asked = {
      ...record(undefined),
      golden: [[]],
      messages: [messages[0], { role: 'assistant', tool_calls: [call] }],
    }
    expect(() => log.addRecord(asked)).toThrow(
      'in:1: messages[1].tool_calls: expected arguments as JSON text, as a number in an object may have been written otherwise, got an object with numbers',
    )
  })

  it('are refused for messages of another format, and with tools that are no list', () => {
    expect(refusal(record(undefined), { tokenize: render, from: 'anthropic' })).toBe(
      'in:1: messages: expected OpenAI chat messages, which chat templates take, got anthropic messages',
    )
    expect(refusal(record(undefined, { tools: 3 }), { tokenize: render })).toMatch(
      /^in:1: tools: expected a list of tools/,
    )
  })
})
