/**
 * Every field of a record with values of every other type: refused by the reader with the path, and by the schema.
 */
import { describe, expect, it } from 'vitest'
import { assistant, call, type Fields, record, refusal, scored, user } from './records.js'
import { schemaFault } from './schema.js'

const spans = { length: 9, turns: [[[0, 4]]] }
const severalSpans = { sequences: [{ length: 9 }], turns: [[[0, 0, 4]]] }
const withMessages = (more: Fields = {}): Fields => record([user(), assistant(call('f'))], undefined, more)
const message = (more: Fields): Fields => record([user(), { ...assistant(call('f')), ...more }])
const made = (more: Fields): Fields => record([user(), assistant({ ...call('f'), ...more })])
const body = (more: Fields): Fields => made({ function: { name: 'f', arguments: '{}', ...more } })
const custom = (value: unknown): Fields => made({ type: 'custom', custom: value, function: undefined })
const legacy = (value: unknown): Fields =>
  record([user(), { role: 'assistant', content: null, function_call: value }])
const golden = (value: unknown): Fields => record([user()], value)
const goldenCall = (more: Fields): Fields => golden([[{ name: 'f', arguments: {}, ...more }]])

const samples: Readonly<Record<string, unknown>> = {
  number: 3,
  fraction: 0.5,
  negative: -1,
  text: 'x',
  true: true,
  null: null,
  list: [1],
  'list of lists': [[1]],
  object: { x: 1 },
}

/** A place in a record, how to put a value there, and the samples that may stand there. */
interface Place {
  readonly path: string
  readonly put: (value: unknown) => Fields
  readonly fits: readonly string[]
  /** Where the error points, if not at the place itself. */
  readonly points?: RegExp
}

const places: readonly Place[] = [
  { path: 'schema', put: (schema) => scored(0, [1], { schema }), fits: [] },
  { path: 'group', put: (group) => scored(0, [1], { group }), fits: ['number', 'negative', 'text'] },
  { path: 'rollout', put: (rollout) => scored(rollout, [1]), fits: ['number', 'negative', 'text'] },
  { path: 'role', put: (role) => scored(0, [1], { role }), fits: ['text', 'null'] },
  { path: 'status', put: (status) => scored(0, [1], { status }), fits: ['null'] },
  { path: 'scope', put: (scope) => withMessages({ scope }), fits: ['null'] },
  {
    path: 'outcome',
    put: (outcome) => scored(0, [1], { outcome }),
    fits: ['number', 'fraction', 'negative', 'null'],
  },
  {
    path: 'turns',
    put: (turns) => withMessages({ turns }),
    fits: ['null'],
    points: /^in:1: turns(\[0\])?: /,
  },
  { path: 'turns[0]', put: (mark) => withMessages({ turns: [mark, 0] }), fits: ['number', 'null'] },
  {
    path: 'messages',
    put: (messages) => ({ ...withMessages(), messages }),
    fits: [],
    points: /^in:1: messages(\[0\])?: /,
  },
  {
    path: 'messages[1]',
    put: (value) => record([user(), value as Fields]),
    fits: [],
    points: /^in:1: messages\[1\](\.role)?: /,
  },
  { path: 'messages[1].role', put: (role) => message({ role }), fits: ['text'] },
  {
    path: 'messages[1].content',
    put: (content) => message({ content }),
    fits: ['text', 'null'],
    points: /content(\[0\])?: /,
  },
  { path: 'messages[1].content[0]', put: (part) => message({ content: [part] }), fits: ['text', 'object'] },
  {
    path: 'messages[1].tool_calls',
    put: (calls) => message({ tool_calls: calls }),
    fits: ['null'],
    points: /tool_calls(\[0\])?: /,
  },
  {
    path: 'messages[1].tool_calls[0]',
    put: (value) => record([user(), assistant(value as Fields)]),
    fits: [],
    points: /tool_calls\[0\](\.function)?: /,
  },
  {
    path: 'messages[1].tool_calls[0].requestor',
    put: (requestor) => made({ requestor }),
    fits: ['text', 'null'],
    points: /tool_calls\[0\].*\.requestor: /,
  },
  {
    path: 'messages[1].tool_calls[0].function',
    put: (value) => made({ function: value }),
    fits: [],
    points: /function(\.name)?: /,
  },
  { path: 'messages[1].tool_calls[0].function.name', put: (name) => body({ name }), fits: ['text'] },
  {
    path: 'messages[1].tool_calls[0].function.arguments',
    put: (args) => body({ arguments: args }),
    fits: Object.keys(samples),
  },
  {
    path: 'messages[1].tool_calls[0].name',
    put: (name) => record([user(), assistant({ name })]),
    fits: ['text'],
  },
  { path: 'messages[1].tool_calls[0].custom', put: custom, fits: [], points: /custom(\.name)?: / },
  {
    path: 'messages[1].tool_calls[0].custom.name',
    put: (name) => custom({ name, input: '{}' }),
    fits: ['text'],
  },
  {
    path: 'messages[1].tool_calls[0].custom.input',
    put: (input) => custom({ name: 'f', input }),
    fits: Object.keys(samples),
  },
  { path: 'messages[1].function_call', put: legacy, fits: ['null'], points: /function_call(\.name)?: / },
  {
    path: 'messages[1].function_call.name',
    put: (name) => legacy({ name, arguments: '{}' }),
    fits: ['text'],
  },
  { path: 'golden', put: golden, fits: [], points: /golden(\[0\])?(\[0\])?: / },
  { path: 'golden[0]', put: (turn) => golden([turn]), fits: [], points: /golden\[0\](\[0\])?: / },
  {
    path: 'golden[0].any_of',
    put: (any_of) => golden([{ any_of }]),
    fits: [],
    points: /golden\[0\]\.any_of(\[0\])?(\[0\])?: /,
  },
  {
    path: 'golden[0].any_of[0]',
    put: (calls) => golden([{ any_of: [calls] }]),
    fits: [],
    points: /any_of\[0\](\[0\])?: /,
  },
  {
    path: 'golden[0][0]',
    put: (value) => golden([[value]]),
    fits: [],
    points: /golden\[0\]\[0\](\.name)?: /,
  },
  { path: 'golden[0][0].name', put: (name) => goldenCall({ name }), fits: ['text'] },
  // Text must be JSON of an object: no fault of type, so the schema takes it.
  {
    path: 'golden[0][0].arguments',
    put: (args) => goldenCall({ arguments: args === 'x' ? '{}' : args }),
    fits: ['text', 'null', 'object'],
  },
  { path: 'golden[0][0].requestor', put: (requestor) => goldenCall({ requestor }), fits: ['text', 'null'] },
  {
    path: 'rewards',
    put: (rewards) => scored(0, rewards),
    fits: ['list'],
    points: /in:1: (rewards(\[0\]|\.x)?|messages): /,
  },
  { path: 'rewards[0]', put: (reward) => scored(0, [reward === 3 ? 1 : reward]), fits: ['number'] },
  { path: 'rewards.x', put: (row) => scored(0, { x: row }), fits: ['list'], points: /rewards\.x(\[0\])?: / },
  {
    path: 'tokens',
    put: (tokens) => scored(0, [1], { tokens }),
    fits: ['null'],
    points: /in:1: tokens(\.length)?: /,
  },
  {
    path: 'tokens.length',
    put: (length) => scored(0, [1], { tokens: { length, turns: [[]] } }),
    fits: ['number'],
  },
  {
    path: 'tokens.turns',
    put: (turns) => scored(0, [1], { tokens: { ...spans, turns } }),
    fits: [],
    points: /tokens\.turns(\[0\])?(\[0\])?: /,
  },
  {
    path: 'tokens.turns[0]',
    put: (turn) => scored(0, [1], { tokens: { ...spans, turns: [turn] } }),
    fits: [],
    points: /tokens\.turns\[0\](\[0\])?: /,
  },
  {
    path: 'tokens.turns[0][0]',
    put: (span) => scored(0, [1], { tokens: { ...spans, turns: [[span]] } }),
    fits: [],
  },
  {
    path: 'tokens.turns[0][0][0]',
    put: (start) => scored(0, [1], { tokens: { ...spans, turns: [[[start, 4]]] } }),
    fits: ['number'],
    points: /tokens\.turns\[0\]\[0\]: /,
  },
  {
    path: 'tokens.sequences',
    put: (sequences) => scored(0, [1], { tokens: { sequences, turns: [] } }),
    fits: [],
    points: /tokens\.sequences(\[0\])?(\.length)?: /,
  },
  {
    path: 'tokens.sequences[0]',
    put: (one) => scored(0, [1], { tokens: { ...severalSpans, sequences: [one] } }),
    fits: [],
    points: /tokens\.sequences\[0\](\.length)?: /,
  },
  {
    path: 'tokens.sequences[0].length',
    put: (length) => scored(0, [1], { tokens: { sequences: [{ length }], turns: [[]] } }),
    fits: ['number'],
  },
  {
    path: 'tokens.turns[0][0] of several',
    put: (span) => scored(0, [1], { tokens: { ...severalSpans, turns: [[span]] } }),
    fits: [],
    points: /tokens\.turns\[0\]\[0\]: /,
  },
]

/** Refused by the reader for its size or where it stands, not for its type: the schema cannot know, or need not. */
const beyondTypes = new Set([
  'turns list',
  'golden null',
  'rewards[0] fraction',
  'rewards[0] negative',
  'rewards[0] null',
])

describe.each(places)('$path', ({ path, put, fits, points }) => {
  it.each(Object.entries(samples).filter(([name]) => !fits.includes(name)))(
    'is refused with its path when it is %s',
    (name, value) => {
      const line = put(value)
      const message = refusal([line])
      expect(message).toMatch(points ?? new RegExp(`^in:1: ${path.replace(/[[\].]/g, '\\$&')}: `))
      expect(message).toMatch(/: expected .+, got .+$/)
      if (!beyondTypes.has(`${path} ${name}`)) expect(schemaFault(line)).not.toBe('none')
    },
  )

  it.each(Object.entries(samples).filter(([name]) => fits.includes(name)))('may be %s', (_name, value) => {
    const line = put(value)
    expect(refusal([line])).toBe('read')
    expect(schemaFault(line)).toBe('none')
  })
})

describe('a record', () => {
  it.each([[[]], ['x'], [3], [null], [true]])('is no %j', (value) => {
    expect(refusal([JSON.stringify(value)])).toMatch(/^in:1: expected an object, got /)
    expect(schemaFault(value)).not.toBe('none')
  })

  it.each(['group', 'rollout', 'golden', 'messages'])('without %s is refused', (field) => {
    const line = { ...withMessages(), [field]: undefined }
    expect(refusal([line])).toMatch(new RegExp(`^in:1: ${field}: expected .+, got (undefined|neither)$`))
    // A golden trace may come from a file of tasks.
    expect(schemaFault(JSON.parse(JSON.stringify(line))) === 'none').toBe(field === 'golden')
  })

  it('with all of its fields is read, and validates', () => {
    const all = {
      schema: 'tara.rollout/1',
      role: 'solver',
      turns: [0, 0],
      scope: 'turn',
      outcome: 1,
      status: 'truncated',
      tokens: spans,
    }
    expect(refusal([withMessages(all)], { strict: true })).toBe('read')
    expect(schemaFault(withMessages(all))).toBe('none')
    expect(refusal([scored('a', { format: [1], calls: [0] }, { tokens: severalSpans })])).toBe('read')
    expect(schemaFault(scored('a', { format: [1], calls: [0] }, { tokens: severalSpans }))).toBe('none')
  })

  it('has messages or rewards, not both and not neither', () => {
    expect(refusal([withMessages({ rewards: [1] })])).toBe(
      'in:1: rewards: expected messages or rewards, got both',
    )
    expect(schemaFault(withMessages({ rewards: [1] }))).not.toBe('none')
    expect(refusal([{ group: 'g', rollout: 0 }])).toBe(
      'in:1: messages: expected messages or rewards, got neither',
    )
    expect(refusal([withMessages({ rewards: null })])).toBe('read')
    expect(schemaFault(withMessages({ rewards: null }))).toBe('none')
    expect(refusal([scored(0, [1], { messages: null })])).toBe('read')
    expect(schemaFault(scored(0, [1], { messages: null }))).toBe('none')
  })

  it('has an id that is a safe integer, or text', () => {
    expect(refusal(['{"group":9007199254740993,"rollout":0,"rewards":[1]}'])).toBe(
      'in:1: group: expected text or a safe integer, got 9007199254740992',
    )
    expect(schemaFault({ group: 2 ** 53, rollout: 0, rewards: [1] })).not.toBe('none')
    expect(refusal([scored('', [1], { group: '' })])).toBe('read')
  })

  it('has tokens in one sequence or in several, not both', () => {
    const both = scored(0, [1], { tokens: { ...spans, ...severalSpans } })
    expect(refusal([both])).toBe('in:1: tokens: expected either length or sequences, got both')
    expect(schemaFault(both)).not.toBe('none')
  })
})
