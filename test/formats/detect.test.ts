/**
 * Which format a log is in: what shows it, what it is told, and what does not fit.
 */
import { describe, expect, it } from 'vitest'
import { type FormatName, formatNames } from '../../src/formats/formats.js'
import { goldenTable } from '../../src/formats/golden-table.js'
import { rolloutLog } from '../../src/formats/log.js'
import { assistant, call, type Fields, readLog, record, refusal, rewardsOf, user } from './records.js'

const part = (role: string, one: Fields): Fields => ({ role, content: [one] })
const said = (content: unknown): Fields => ({ role: 'assistant', content })
const tagged = said('<tool_call>{"name":"f"}</tool_call>')
const use = part('assistant', { type: 'tool_use', id: 't', name: 'f', input: {} })
const item = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
const toolCall = part('assistant', { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} })
const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'f' } }

/** Messages that show a format, and what an error calls it. */
const shows: readonly [FormatName, string, string, Fields][] = [
  ['openai', '.tool_calls: ', 'got one, of OpenAI chat messages', assistant(call('f'))],
  [
    'openai',
    '.function_call: ',
    'got one, of OpenAI chat messages',
    { role: 'assistant', function_call: { name: 'f' } },
  ],
  ['responses', '.type: ', 'got "function_call", of OpenAI Responses items', item],
  ['responses', '.type: ', 'got "reasoning", of OpenAI Responses items', { type: 'reasoning' }],
  [
    'responses',
    '.content[0].type: ',
    'got "output_text", of OpenAI Responses items',
    part('assistant', { type: 'output_text' }),
  ],
  ['anthropic', '.content[0].type: ', 'got "tool_use", of Anthropic messages', use],
  [
    'anthropic',
    '.content[0].type: ',
    'got "tool_result", of Anthropic messages',
    part('user', { type: 'tool_result' }),
  ],
  [
    'anthropic',
    '.content[0].type: ',
    'got "thinking", of Anthropic messages',
    part('assistant', { type: 'thinking', thinking: 'x' }),
  ],
  [
    'anthropic',
    '.content[0].type: ',
    'got "server_tool_use", of Anthropic messages',
    part('assistant', { type: 'server_tool_use', name: 'f' }),
  ],
  ['mcp', ': ', 'got a JSON-RPC message, of MCP messages', rpc],
  ['mcp', ': ', 'got a JSON-RPC message, of MCP messages', { jsonrpc: '2.0', id: 1, result: {} }],
  ['mcp', '.content: ', 'got a single part, of MCP messages', said({ type: 'text', text: 'x' })],
  ['ai-sdk', '.content[0].type: ', 'got "tool-call", of AI SDK messages', toolCall],
  [
    'ai-sdk',
    '.content[0].type: ',
    'got "tool-result", of AI SDK messages',
    part('tool', { type: 'tool-result' }),
  ],
  ['ai-sdk', '.parts: ', 'got one, of AI SDK messages', { role: 'assistant', parts: [] }],
]

const plain = [user(), said('x'), said([{ type: 'text', text: 'x' }]), { role: 'tool', content: 'x' }]

/** A log of two rollouts. */
const two = (a: readonly Fields[], b: readonly Fields[]): Fields[] => [
  record(a, [[]]),
  record(b, [[]], { rollout: 1 }),
]

const told = (lines: readonly Fields[]): string[] =>
  readLog(lines).warnings.filter((warning) => !warning.includes('have one rollout'))

describe('the format of a log', () => {
  it('is told where it is not OpenAI, by its first record that shows it', () => {
    for (const [name, , , message] of shows) {
      const guess = told(two(plain, [user(), message]))
      if (name === 'openai') expect(guess).toEqual([])
      else expect(guess).toEqual([expect.stringMatching(new RegExp(`^in: read as .* \\(--from ${name}\\)$`))])
    }
    expect(told(two(plain, [user(), use]))).toEqual(['in: read as Anthropic messages (--from anthropic)'])
    expect(told(two(plain, [user(), tagged]))).toEqual(['in: read as Hermes text (--from hermes)'])
  })

  it('is not shown by plain text, by reasoning, or by what a tool or a user wrote', () => {
    for (const message of [
      ...plain,
      part('assistant', { type: 'reasoning', text: 'x' }),
      part('assistant', { type: 'thinking', thinking: [{ type: 'text', text: 'x' }] }),
      part('user', { type: 'image_url', image_url: {} }),
      { role: 'tool', content: '<tool_call>{"name":"f"}</tool_call>' },
      user('<tool_call>{"name":"f"}</tool_call>'),
      { role: 'assistant', content: null, tool_calls: [], function_call: null },
    ])
      expect(told(two(plain, [user(), message]))).toEqual([])
  })

  it('has to be one: another is refused with its place', () => {
    for (const [name, , , first] of shows)
      for (const [other, path, fact, second] of shows) {
        const message = refusal(two([user(), first], [user(), second]))
        if (name === other) expect(message, `${name}, ${fact}`).toBe('read')
        else {
          expect(message).toContain(`in:2: messages[1]${path}expected `)
          expect(message).toContain(' (as at in:1; --from takes another guess), ')
          expect(message.endsWith(fact), message).toBe(true)
        }
      }
  })

  it('has to be one within a record, and within a message', () => {
    expect(refusal([record([user(), assistant(call('f')), use])])).toBe(
      'in:1: messages[2].content[0].type: expected OpenAI chat messages (as at in:1; --from takes another guess), got "tool_use", of Anthropic messages',
    )
    expect(refusal([record([user(), { ...use, tool_calls: [call('f')] }])])).toBe(
      'in:1: messages[1].content[0].type: expected OpenAI chat messages (as at in:1; --from takes another guess), got "tool_use", of Anthropic messages',
    )
  })

  it('is the one that is named: what shows another is refused, plain text is read', () => {
    for (const from of formatNames.slice(0, 6)) {
      expect(refusal(two(plain, plain), { from })).toBe('read')
      for (const [other, path, fact, message] of shows) {
        const isRead = from === other || (from === 'hermes' && other === 'openai')
        const said = refusal(two([user(), message], plain), { from })
        if (isRead) expect(said, `${from}, ${fact}`).toBe('read')
        else {
          expect(said).toContain(`in:1: messages[1]${path}expected `)
          expect(said).toContain(` (--from ${from}), ${fact}`)
        }
      }
    }
  })

  it('has to have a name that is known', () => {
    expect(() => rolloutLog('in', { from: 'gemini' as never })).toThrow(
      'rolloutLog: options.from: expected one of "openai", "responses", "anthropic", "hermes", "mcp", "ai-sdk", "tau-bench", "tau2-bench", "atif", "bfcl", got "gemini"',
    )
  })
})

describe('calls in text', () => {
  const golden = [[{ name: 'f' }]]
  const structured = [user(), assistant(call('f'))]
  const text = [user(), tagged]

  it('decide where nothing else does, also not later in the record', () => {
    expect(rewardsOf(readLog([record(text, golden)]))).toEqual([[1]])
    expect(rewardsOf(readLog([record([user(), tagged, assistant(call('g'))], golden)]))).toEqual([[0]])
    expect(
      rewardsOf(
        readLog([record([user(), part('assistant', { type: 'text', text: tagged.content })], golden)]),
      ),
    ).toEqual([[1]])
  })

  it('are text in an OpenAI log, and told once', () => {
    const log = readLog([
      record(structured, golden),
      record(text, golden, { rollout: 1 }),
      record(text, golden, { rollout: 2 }),
    ])
    expect(rewardsOf(log)).toEqual([[1], [0], [0]])
    expect(log.warnings).toEqual([
      'in:2: messages[1].content: "<tool_call>" in text makes no call here (--from hermes reads it)',
    ])
    expect(
      readLog([record(structured, golden), record(text, golden, { rollout: 1 })], { from: 'openai' })
        .warnings,
    ).toEqual([])
  })

  it('were a wrong guess where structured calls follow', () => {
    expect(refusal([record(text, golden), record(structured, golden, { rollout: 1 })])).toBe(
      'in:2: messages[1].tool_calls: expected Hermes text (as at in:1; --from takes another guess), got one, of OpenAI chat messages',
    )
    const lines = [record(text, golden), record(structured, golden, { rollout: 1 })]
    expect(rewardsOf(readLog(lines, { from: 'hermes' }))).toEqual([[1], [1]])
  })
})

const tau = (task: number, trial: number, name: string): Fields => ({
  task_id: task,
  trial,
  reward: 1,
  info: { task: { actions: [{ name: 'f', kwargs: {} }] } },
  traj: [user(), assistant(call(name))],
})
const answer = (id: string, ...calls: string[]): Fields => ({ id, ground_truth: [calls] })
const result = (id: string, ...calls: string[]): Fields => ({ id, result: [[calls]] })

describe('documents', () => {
  it('are found, whole or a line each, and told', () => {
    for (const lines of [
      [JSON.stringify([tau(0, 0, 'f'), tau(0, 1, 'g')])],
      [JSON.stringify([tau(0, 0, 'f'), tau(0, 1, 'g')], null, 2)],
      [tau(0, 0, 'f'), tau(0, 1, 'g')],
    ]) {
      const log = readLog(lines)
      expect(rewardsOf(log)).toEqual([[1], [0]])
      expect(log.warnings).toEqual(['in: read as τ-bench results (--from tau-bench)'])
      expect(readLog(lines, { from: 'tau-bench' }).warnings).toEqual([])
    }
    const log = rolloutLog('in')
    log.addRecord([tau(0, 0, 'f'), tau(0, 1, 'g')])
    expect(rewardsOf(log.finish())).toEqual([[1], [0]])
  })

  it('name their rollouts by the place in the document', () => {
    const whole = rolloutLog('in')
    whole.addLine(JSON.stringify([tau(0, 0, 'f'), tau(1, 0, 'f'), tau(0, 1, 'f')]), 0)
    const log = whole.finish()
    expect([0, 1, 2].map(log.placeOf)).toEqual(['in: [0].traj', 'in: [2].traj', 'in: [1].traj'])
    expect(readLog([[tau(0, 0, 'f'), tau(0, 1, 'f')]].map((one) => JSON.stringify(one))).placeOf(1)).toBe(
      'in:1: [1].traj',
    )
    expect(
      readLog([result('a', 'f()'), result('a', 'f()')], { golden: tasks(answer('a', 'f()')) }).placeOf(1),
    ).toBe('in:2')
  })

  it('are refused with the path inside them', () => {
    const broken = {
      ...tau(0, 1, 'f'),
      traj: [user(), { role: 'assistant', tool_calls: [{ function: {} }] }],
    }
    expect(refusal([JSON.stringify([tau(0, 0, 'f'), broken])])).toBe(
      'in:1: [1].traj: messages[1].tool_calls[0].function.name: expected a string, got undefined',
    )
    expect(refusal([JSON.stringify([tau(0, 0, 'f'), tau(0, 0, 'f')])])).toBe(
      'in:1: [1].traj: rollout: expected each rollout of a group once, got 0 again',
    )
    expect(refusal([JSON.stringify([tau(0, 0, 'f'), { task_id: 0 }])])).toContain('in:1: [1].')
  })

  it('keep integers and repeated keys', () => {
    const [big, near] = ['12345678901234567890', '12345678901234567891']
    const text = (golden: string, made: string): string =>
      `[{"task_id":0,"trial":0,"reward":1,"info":{"task":{"actions":[{"name":"f","kwargs":${golden}}]}},` +
      `"traj":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":${made}}}]}]}]`
    expect(rewardsOf(readLog([text(`{"n":${big}}`, `{"n":${big}}`)]))).toEqual([[1]])
    expect(rewardsOf(readLog([text(`{"n":${big}}`, `{"n":${near}}`)]))).toEqual([[0]])
    expect(rewardsOf(readLog([text('{"n":1}', '{"n":1,"n":1}')]))).toEqual([[0]])
    expect(refusal([text('{"n":1,"n":1}', '{"n":1}')])).toBe(
      'in:1: [0].traj: golden: expected each key of an object once, got one again',
    )
  })

  it('and records do not mix', () => {
    expect(refusal([record([user()]), JSON.stringify([tau(0, 0, 'f')])])).toBe(
      'in:2: expected a record with a group, as the ones before, got τ-bench results',
    )
    expect(refusal([tau(0, 0, 'f'), record([user()])])).toBe(
      'in:2: expected τ-bench results (as at in:1; --from takes another guess), got a record with a group',
    )
    expect(refusal([tau(0, 0, 'f'), result('a', 'f()')])).toBe(
      'in:2: expected τ-bench results (as at in:1; --from takes another guess), got BFCL multi-turn results',
    )
    expect(refusal([tau(0, 0, 'f')], { from: 'anthropic' })).toBe(
      'in:1: expected Anthropic messages (--from anthropic), got τ-bench results',
    )
    expect(refusal([record([user()])], { from: 'bfcl' })).toBe(
      'in:1: expected BFCL multi-turn results (--from bfcl), got a record with a group',
    )
    expect(refusal([{ x: 1 }], { from: 'bfcl' })).toBe(
      'in:1: expected BFCL multi-turn results, got an object',
    )
    expect(refusal(['[1,2]'])).toBe('in:1: expected an object, got a list of 2')
  })

  it('that do not number their rollouts are numbered as they come', () => {
    const log = readLog([result('a', 'f()'), result('b', 'g()'), result('a', 'g()'), result('b', 'g()')], {
      golden: tasks(answer('a', 'f()'), answer('b', 'g()')),
    })
    expect(log.keys.map(({ group, rollout }) => `${group} ${rollout}`)).toEqual(['a 0', 'a 1', 'b 0', 'b 1'])
    expect(rewardsOf(log)).toEqual([[1], [1], [0], [1]])
  })

  it('name positional arguments from function docs', () => {
    const functions = [{ name: 'f', parameters: { properties: { a: {}, b: {} } } }]
    const golden = tasks(answer('a', 'f(a=1, b=2)'))
    const lines = [result('a', 'f(1, 2)'), result('a', 'f(2, 1)')]
    expect(rewardsOf(readLog(lines, { golden, functions }))).toEqual([[1], [0]])
    expect(rewardsOf(readLog(lines, { golden }))).toEqual([[0], [0]])
  })
})

/** A table of golden traces. */
function tasks(...lines: readonly (Fields | string)[]): ReturnType<typeof goldenTable> {
  const table = goldenTable(() => {})
  lines.forEach((line, k) => {
    table.addLine(typeof line === 'string' ? line : JSON.stringify(line), `tasks:${k + 1}`)
  })
  return table
}

const tasksRefusal = (...lines: readonly (Fields | string)[]): string => {
  try {
    tasks(...lines)
    return 'read'
  } catch (error) {
    return (error as Error).message
  }
}

describe('golden traces of a file', () => {
  it('may be conversations, in their own format', () => {
    const anthropic = { group: 'g', golden: { messages: [user(), use, user(), said('x')] } }
    const messages = [user(), assistant(call('f')), user(), assistant(call('g'))]
    expect(rewardsOf(readLog([record(messages, null)], { golden: tasks(anthropic) }))).toEqual([[1, 1]])
    const steps = {
      group: 'g',
      golden: { messages: [item, { type: 'function_call_output' }, item], turns: 'step' },
    }
    expect(rewardsOf(readLog([record(messages, null, { turns: 'step' })], { golden: tasks(steps) }))).toEqual(
      [[1, 0]],
    )
  })

  it('are compared with those in the records', () => {
    const own = { messages: [user(), assistant(call('f'))] }
    const table = tasks({ group: 'g', golden: [[{ name: 'f' }]] })
    expect(refusal([record([user()], own)], { golden: table })).toBe('read')
    expect(refusal([record([user()], { messages: [user()] })], { golden: table })).toBe(
      'in:1: golden: expected the golden trace of tasks:1, got another',
    )
    const lines = [record([user()], own), record([user()], [[{ name: 'f' }]], { rollout: 1 })]
    expect(refusal(lines)).toBe('read')
    expect(refusal([...lines, record([user()], [[]], { rollout: 2 })])).toBe(
      "in:3: golden: expected the golden trace of the group's first record at in:1, got another",
    )
  })

  it('may come from a benchmark, and give the scope', () => {
    const table = tasks(JSON.stringify([tau(0, 0, 'f'), tau(1, 0, 'f')], null, 1))
    const messages = [assistant(call('f')), user()]
    expect(rewardsOf(readLog([record(messages, null, { group: 0 })], { golden: table }))).toEqual([[1]])
    expect(refusal([record(messages, null, { group: 2 })], { golden: table })).toBe(
      'in:1: golden: expected a golden trace, here or by group in a file of tasks, got undefined',
    )
    expect(refusal([record(messages, null, { group: 0, scope: 'turn' })], { golden: table })).toBe('read')
  })

  it('are refused with their place', () => {
    expect(tasksRefusal({ group: 'g', golden: { messages: [{}] } })).toBe(
      'tasks:1: golden.messages[0].role: expected a string, got undefined',
    )
    expect(tasksRefusal({ group: 'g', golden: { messages: 5 } })).toBe(
      'tasks:1: golden.messages: expected a list of messages, got 5',
    )
    expect(tasksRefusal({ group: 'g', golden: { messages: [user()], turns: [0, 1] } })).toBe(
      'tasks:1: golden.turns: expected 1 entries, one a message, got 2',
    )
    expect(tasksRefusal({ group: 'g', golden: { messages: [user()], turns: 'all' } })).toBe(
      'tasks:1: golden.turns: expected "user", "step" or one turn index a message, got "all"',
    )
    expect(tasksRefusal({ group: 'g', golden: { messages: [assistant(call('f')), user()] } })).toBe(
      'tasks:1: golden.messages: expected no calls outside the turns, got 1, the first of "f"',
    )
    expect(
      tasksRefusal({ group: 'g', golden: { messages: [use] } }, { group: 'h', golden: { messages: [item] } }),
    ).toContain('tasks:1: golden.messages: expected no calls outside the turns')
    expect(
      tasksRefusal(
        { group: 'g', golden: { messages: [user(), use] } },
        { group: 'h', golden: { messages: [user(), item] } },
      ),
    ).toBe(
      'tasks:2: golden.messages[1].type: expected Anthropic messages (as at tasks:1; --from takes another guess), got "function_call", of OpenAI Responses items',
    )
    expect(tasksRefusal(answer('a', 'f('))).toContain('tasks:1: ground_truth[0][0]: expected')
    expect(tasksRefusal(answer('a', 'f()'), answer('a', 'g()'))).toBe(
      'tasks:2: group: expected one golden trace a group, got "a" again, first at tasks:1',
    )
  })

  it('need a unit of their own where the record has marks', () => {
    const golden = { messages: [user(), assistant(call('f'))] }
    const messages = [user(), assistant(call('f'))]
    expect(refusal([record(messages, golden, { turns: [0, 0] })])).toBe(
      'in:1: golden.turns: expected what a turn of the golden trace is, as the record has marks, got undefined',
    )
    expect(
      rewardsOf(readLog([record(messages, { ...golden, turns: [null, 1] }, { turns: [0, 1] })])),
    ).toEqual([[1, 1]])
  })
})
