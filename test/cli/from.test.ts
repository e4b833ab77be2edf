/**
 * Logs in other formats from the command line: named with `--from` or found out, whole documents too.
 */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inProcess } from './inProcess.js'
import { rowsOf, workFolder } from './run.js'

const { path, write } = workFolder()

async function read(
  name: string,
  data: string | Uint8Array,
  ...flags: string[]
): Promise<{ rewards: unknown[]; told: string }> {
  const { stdout, stderr, message } = await inProcess('advantages', write(name, data), '-q', ...flags)
  expect(message).toBe('')
  return {
    rewards: rowsOf(stdout).map(({ rewards }) => rewards),
    told: stderr.replaceAll(path(''), '').replace(/^\//, ''),
  }
}

async function refused(name: string, data: string, ...flags: string[]): Promise<string> {
  const { stdout, fault, message } = await inProcess('advantages', write(name, data), ...flags)
  expect(stdout).toBe('')
  expect(fault).toBe('data')
  return message.replace(`${path('')}/`, '').replace(path(''), '')
}

const golden = [[{ name: 'f', arguments: { n: 1 } }]]
const user = { role: 'user', content: 'x' }
const use = (n: number) => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id: 't', name: 'f', input: { n } }],
})
const record = (rollout: number, ...messages: object[]): string =>
  JSON.stringify({ group: 'g', rollout, golden, messages: [user, ...messages] })
const anthropic = `${record(0, use(1))}\n${record(1, use(2))}\n`
const openai = record(0, { role: 'assistant', tool_calls: [{ name: 'f', arguments: '{"n":1}' }] })

const tau = (trial: number, n: number) => ({
  task_id: 3,
  trial,
  reward: 2 - n,
  info: { task: { actions: [{ name: 'f', kwargs: { n: 1 } }] } },
  traj: [user, { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: `{"n":${n}}` } }] }],
})
const document = JSON.stringify([tau(0, 1), tau(1, 2)], null, 2)

describe('the format of a log', () => {
  it('is told on stderr where it was guessed, and not where it is named', async () => {
    const found = await read('log.jsonl', anthropic)
    expect(found.rewards).toEqual([[1], [0]])
    expect(found.told).toMatch(/^warning: .*log\.jsonl: read as Anthropic messages \(--from anthropic\)\n$/)
    expect(await read('log.jsonl', anthropic, '--from', 'anthropic')).toEqual({
      rewards: [[1], [0]],
      told: '',
    })
    expect((await read('log.jsonl', `${openai}\n${openai.replace(':0', ':1')}`)).told).toBe('')
  })

  it('is refused where the file is in another, with file, line and path', async () => {
    expect(await refused('log.jsonl', anthropic, '--from', 'openai')).toBe(
      'log.jsonl:1: messages[1].content[0].type: expected OpenAI chat messages (--from openai), got "tool_use", of Anthropic messages',
    )
    expect(await refused('log.jsonl', anthropic + openai.replace(':0', ':2'))).toContain(
      'log.jsonl:3: messages[1].tool_calls: expected Anthropic messages (as at ',
    )
    expect(await refused('tau.json', document, '--from', 'hermes')).toBe(
      'tau.json: expected Hermes text (--from hermes), got τ-bench results',
    )
  })

  it('has to be known', async () => {
    const { fault, message } = await inProcess(
      'advantages',
      write('log.jsonl', anthropic),
      '--from',
      'gemini',
    )
    expect(fault).toBe('usage')
    expect(message).toContain(
      'Allowed choices are openai, responses, anthropic, hermes, mcp, ai-sdk, tau-bench, tau2-bench, atif, bfcl.',
    )
  })

  it('is found by explain too', async () => {
    const words = [write('log.jsonl', anthropic), '--group', 'g', '--rollout', '1', '--turn', '0']
    expect((await inProcess('explain', ...words)).stdout).toContain('f')
  })
})

describe('a document', () => {
  it('is read over many lines, on one, a line each, with CRLF, and from gzip', async () => {
    for (const data of [
      document,
      document.replaceAll('\n', '\r\n'),
      `\n\n${document}\n\n`,
      JSON.stringify([tau(0, 1), tau(1, 2)]),
      [tau(0, 1), tau(1, 2)].map((one) => JSON.stringify(one)).join('\n'),
      gzipSync(document),
    ])
      for (const flags of [[], ['--from', 'tau-bench']]) {
        const { rewards, told } = await read('tau.json', data, ...flags)
        expect(rewards).toEqual([[1], [0]])
        expect(told.includes('read as τ-bench results')).toBe(flags.length === 0)
      }
  })

  it('is refused with the path in it', async () => {
    expect(
      await refused('tau.json', document.replace(/"name": "f",\n\s*"kwargs"/, '"name": 5, "kwargs"')),
    ).toBe('tau.json: [0].info.task.actions[0].name: expected the name of a tool, got 5')
  })

  it('that is cut off is refused', async () => {
    expect(await refused('tau.json', document.slice(0, 300))).toMatch(
      /^tau\.json: expected JSON \(character \d+\): /,
    )
    expect(await refused('tau.json', '[')).toMatch(/^tau\.json:1: expected JSON \(character 1\): /)
  })

  it('that is longer than a line may be is refused', async () => {
    expect(await refused('tau.json', document, '--max-line', '200')).toBe(
      'tau.json: expected JSONL, or a document of at most 200 characters, got a longer one',
    )
  })

  it('may be one record', async () => {
    const one = JSON.stringify(JSON.parse(openai), null, 2)
    expect((await read('one.json', one)).rewards).toEqual([[1]])
    expect(await refused('one.json', one.replace('"g"', '1.5'))).toBe(
      'one.json: group: expected text or a safe integer, got 1.5',
    )
    expect(await refused('list.json', JSON.stringify([1, 2], null, 2))).toBe(
      'list.json: expected an object, got a list of 2',
    )
  })
})

describe('JSONL whose first line is cut off', () => {
  it('is refused by that line, and not read to its end', async () => {
    const rest = Array.from({ length: 50 }, (_, k) => record(k, use(1))).join('\n')
    const cut = `{"group":"g",\n${rest}`
    expect(await refused('log.jsonl', cut)).toMatch(/^log\.jsonl:1: expected JSON \(character 13\): /)
    expect(await refused('log.jsonl', cut, '--max-line', '500')).toMatch(/^log\.jsonl:1: expected JSON/)
    expect(await refused('log.jsonl', '{"group":"g","rollout":')).toMatch(/^log\.jsonl:1: expected JSON/)
    expect(await refused('log.jsonl', `${record(0, use(1))}\n{"group":`)).toMatch(
      /^log\.jsonl:2: expected JSON/,
    )
  })
})

describe('golden traces of a benchmark', () => {
  const bare = [0, 1].map((rollout) =>
    JSON.stringify({ group: 3, rollout, messages: [user, use(rollout + 1)] }),
  )

  it('are read from its file, with the scope', async () => {
    const found = await read('log.jsonl', bare.join('\n'), '--golden', write('tasks.json', document))
    expect(found.rewards).toEqual([[1], [0]])
  })

  it('get the names of positional arguments from a file of functions', async () => {
    const docs = { name: 'f', parameters: { type: 'dict', properties: { n: { type: 'integer' } } } }
    const answers = write('answers.jsonl', '{"id":"multi_turn_base_0","ground_truth":[["f(1)"]]}\n')
    const results =
      '{"id":"multi_turn_base_0","result":[[["f(1)"]]]}\n{"id":"multi_turn_base_0","result":[[["f(2)"]]]}\n'
    for (const functions of [
      JSON.stringify([docs], null, 1),
      JSON.stringify(docs),
      `${JSON.stringify(docs)}\n{"name":"g"}\n`,
    ]) {
      const flags = ['--golden', answers, '--functions', write('functions.json', functions)]
      expect((await read('results.jsonl', results, ...flags)).rewards).toEqual([[1], [0]])
    }
    expect(await refused('results.jsonl', results, '--golden', answers)).toMatch(
      /answers\.jsonl:1: ground_truth\[0\]\[0\]: /,
    )
    const { fault, message } = await inProcess(
      'advantages',
      write('results.jsonl', results),
      '--functions',
      write('functions.json', '{'),
    )
    expect(fault).toBe('usage')
    expect(message).toContain('functions.json:1: ')
  })
})
