/**
 * The chat endpoint and what stands on it: agent, judge, writer, cache.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { TaraError } from '../../src/errors.js'
import { fromOpenAI } from '../../src/formats/openai.js'
import { chatAgent } from '../../src/synth/chat-agent.js'
import { type ChatEndpoint, chatEndpoint, retryAfter } from '../../src/synth/chat-endpoint.js'
import { askJson } from '../../src/synth/chat-json.js'
import { chatJudge } from '../../src/synth/chat-judge.js'
import type { ChatOptions, ReplyCache } from '../../src/synth/chat-options.js'
import { chatWriter } from '../../src/synth/chat-writer.js'
import { diskCache } from '../../src/synth/disk-cache.js'
import { openEnvironment } from '../../src/synth/environment.js'
import { passAtK } from '../../src/synth/pass-at-k.js'
import { rollOut } from '../../src/synth/rollouts.js'
import { type Answer, type ChatServer, chatServer, makesCalls, says } from './chatServer.js'
import { desk, deskTask } from './desk.js'

const quick = { model: 'test', timeout: 2_000, retries: 2, wait: 1 }

async function serving(
  answers: readonly Answer[],
  more: Partial<ChatOptions> = {},
): Promise<ChatServer & { readonly endpoint: ChatEndpoint }> {
  const server = await chatServer(...answers)
  return { ...server, endpoint: chatEndpoint({ ...quick, baseUrl: server.baseUrl, ...more }, {}) }
}

/** Asks for any text. */
const ask = (endpoint: ChatEndpoint): Promise<string> =>
  endpoint.ask({ messages: [{ role: 'user', content: 'Hello' }] }, ({ content }) =>
    content === null ? { ok: false, problem: 'there is no text' } : { ok: true, value: content },
  )

async function refusalOf(work: Promise<unknown>): Promise<TaraError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(TaraError)
  return error as TaraError
}

describe('chatEndpoint', () => {
  it('sends model, messages and key, and takes the reply', async () => {
    const { baseUrl, endpoint, asked } = await serving([says('Hi')], { key: 'secret-1' })
    expect(await ask(endpoint)).toBe('Hi')
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({
      path: '/v1/chat/completions',
      body: { model: 'test', messages: [{ role: 'user', content: 'Hello' }] },
    })
    expect(asked[0]!.headers.authorization).toBe('Bearer secret-1')
    const plain = chatEndpoint({ ...quick, baseUrl: `${baseUrl}/` }, {})
    expect(await ask(plain)).toBe('Hi')
    expect(asked[1]!.path).toBe('/v1/chat/completions')
    expect(asked[1]!.headers.authorization).toBeUndefined()
  })

  it('takes address, model and key from the environment where they are not given', async () => {
    const { baseUrl, asked } = await chatServer(says('Hi'))
    const variables = { TARA_CHAT_URL: baseUrl, TARA_CHAT_MODEL: 'env', TARA_CHAT_KEY: 'k' }
    expect(await ask(chatEndpoint({}, variables))).toBe('Hi')
    expect(await ask(chatEndpoint({ model: 'given' }, variables))).toBe('Hi')
    expect(asked.map(({ body }) => body.model)).toEqual(['env', 'given'])
    expect(asked[0]!.headers.authorization).toBe('Bearer k')
  })

  it.each<[string, Partial<ChatOptions>, string]>([
    [
      'no address',
      { baseUrl: undefined },
      'options.baseUrl: expected an address, here or in TARA_CHAT_URL, got none',
    ],
    [
      'no model',
      { model: undefined },
      'options.model: expected a name, here or in TARA_CHAT_MODEL, got none',
    ],
    [
      'a file',
      { baseUrl: 'file:///x' },
      'options.baseUrl: expected an address that starts with http: or https:, got "file:///x"',
    ],
    [
      'a key with a line break',
      { key: 'a\nb' },
      'options.key: expected a key of plain characters, got one with others',
    ],
    ['no time', { timeout: 0 }, 'options.timeout: expected a whole number of milliseconds, 1 or more, got 0'],
    ['half a retry', { retries: 0.5 }, 'options.retries: expected a whole number, 0 or more, got 0.5'],
  ])('refuses %s', (_name, options, message) => {
    const given = { baseUrl: 'http://127.0.0.1:1/v1', ...quick, ...options }
    expect(() => chatEndpoint(given, {})).toThrow(`chatEndpoint: ${message}`)
  })

  it('refuses a password in the address', () => {
    expect(() => chatEndpoint({ ...quick, baseUrl: 'http://me:pw@127.0.0.1/v1' }, {})).toThrow(
      'expected an address without user and password',
    )
  })

  it('asks again after 429 and 5xx, and takes the answer that comes', async () => {
    const { endpoint, asked } = await serving([
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 503, body: 'busy' },
      says('at last'),
    ])
    expect(await ask(endpoint)).toBe('at last')
    expect(asked).toHaveLength(3)
  })

  it('gives up on a rate limit: by attempts, or at once where the wait is too long', async () => {
    const always = await serving([{ status: 429, body: 'slow down' }])
    expect(await refusalOf(ask(always.endpoint))).toMatchObject({
      code: 'MISSING',
      message: `${always.baseUrl}/chat/completions: expected an answer, got status 429: "slow down" in 3 attempts`,
    })
    const long = await serving([{ status: 429, headers: { 'retry-after': '120' } }], { maxWait: 5_000 })
    expect((await refusalOf(ask(long.endpoint))).message).toContain(
      'it asks to wait 120000 ms, longer than 5000 ms',
    )
    expect(long.asked).toHaveLength(1)
  })

  it('says that nobody answers', async () => {
    const server = createServer()
    const port = await new Promise<number>((done) =>
      server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port)),
    )
    await new Promise((done) => server.close(done))
    const endpoint = chatEndpoint({ ...quick, baseUrl: `http://127.0.0.1:${port}/v1` }, {})
    expect(await refusalOf(ask(endpoint))).toMatchObject({
      code: 'MISSING',
      path: `http://127.0.0.1:${port}/v1/chat/completions`,
      detail: 'expected an endpoint that answers, got ECONNREFUSED in 3 attempts',
    })
  })

  it('says that the answer takes too long', async () => {
    const { endpoint, asked } = await serving([{ hangs: true }], { timeout: 50, retries: 1 })
    expect((await refusalOf(ask(endpoint))).detail).toBe(
      'expected an answer within 50 ms, got none in 2 attempts',
    )
    expect(asked).toHaveLength(2)
  })

  it('does not ask again where it is refused, and never shows the key', async () => {
    const { endpoint, asked } = await serving([{ status: 401, body: 'bad key sk-42\n given' }], {
      key: 'sk-42',
    })
    expect(await refusalOf(ask(endpoint))).toMatchObject({
      code: 'OPTION',
      detail: 'expected a question that is taken, got status 401: "bad key *** given"',
    })
    expect(asked).toHaveLength(1)
  })

  it('follows no redirect: the key is for one address', async () => {
    const other = await chatServer(says('there'))
    const { endpoint } = await serving([{ status: 307, headers: { location: other.baseUrl } }], { key: 'k' })
    expect((await refusalOf(ask(endpoint))).detail).toContain('status 307')
    expect(other.asked).toHaveLength(0)
  })

  it.each<[string, unknown, string]>([
    ['no JSON', '<html>', 'expected a JSON reply, got "<html>"'],
    ['no choices', { choices: [] }, 'choices must NOT have fewer than 1 items'],
    [
      'calls without a name',
      { choices: [{ message: { tool_calls: [{ function: {} }] } }] },
      "tool_calls[0].function must have required property 'name'",
    ],
    ['no text', { choices: [{ message: {} }] }, 'one in which there is no text'],
  ])('says what is wrong with a reply: %s', async (_name, body, message) => {
    const { endpoint, asked } = await serving([{ body }])
    const error = await refusalOf(ask(endpoint))
    expect(error.code).toBe('MISMATCH')
    expect(error.detail).toContain(message)
    expect(asked).toHaveLength(3)
  })
})

describe('retryAfter', () => {
  it('reads seconds, and a date from the date of the answer', () => {
    const of = (entries: Record<string, string>): number | undefined => retryAfter(new Headers(entries))
    expect(of({})).toBeUndefined()
    expect(of({ 'retry-after': '2' })).toBe(2_000)
    const date = 'Wed, 21 Oct 2026 07:28:00 GMT'
    expect(of({ date, 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' })).toBe(30_000)
    expect(of({ date, 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT' })).toBe(0)
    expect(of({ 'retry-after': date })).toBeUndefined()
    expect(of({ 'retry-after': 'soon' })).toBeUndefined()
  })
})

describe('askJson', () => {
  const schema = {
    type: 'object',
    required: ['n'],
    properties: { n: { type: 'integer' } },
    additionalProperties: false,
  }
  const number = (endpoint: ChatEndpoint): Promise<{ n: number }> =>
    askJson<{ n: number }>(endpoint, 'number', { messages: [{ role: 'user', content: 'A number' }] }, schema)

  it('tells the model what was wrong and asks again', async () => {
    const { endpoint, asked } = await serving([
      says('sure!'),
      says('{"n":"3"}'),
      says('```json\n{"n": 3}\n```'),
    ])
    expect(await number(endpoint)).toEqual({ n: 3 })
    expect(asked.map(({ body }) => body.messages.map(({ content }) => content))).toEqual([
      ['A number'],
      ['A number', 'sure!', expect.stringContaining('the text is not JSON')],
      ['A number', '{"n":"3"}', expect.stringContaining('n must be integer')],
    ])
    expect(asked[0]!.body.response_format).toMatchObject({ type: 'json_schema' })
  })

  it('gives up on rubbish', async () => {
    const { endpoint } = await serving([says('{"m":1}')])
    expect((await refusalOf(number(endpoint))).detail).toBe(
      "expected a reply of the form asked for, got one in which the whole must have required property 'n' in 3 attempts",
    )
  })
})

describe('diskCache', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tara-cache-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('keeps a reply by the content of the question: asked once, also by another process', async () => {
    const path = join(folder, 'deep', 'er')
    const { baseUrl, asked, endpoint } = await serving([says('1'), says('2')], { cache: diskCache(path) })
    expect(await ask(endpoint)).toBe('1')
    const again = chatEndpoint({ ...quick, baseUrl, cache: diskCache(path) }, {})
    expect(await ask(again)).toBe('1')
    expect(asked).toHaveLength(1)
    expect(await ask(chatEndpoint({ ...quick, baseUrl, model: 'other', cache: diskCache(path) }, {}))).toBe(
      '2',
    )
    expect(readdirSync(path).filter((name) => !/^[0-9a-f]{64}\.json$/.test(name))).toEqual([])
    expect(readdirSync(path)).toHaveLength(2)
  })

  it('keeps no key, and nothing that was not what was asked for', async () => {
    const path = join(folder, 'checked')
    const { endpoint } = await serving([says('?'), says('[1]')], { cache: diskCache(path), key: 'sk-hidden' })
    const list = (): Promise<unknown> =>
      askJson(endpoint, 'list', { messages: [{ role: 'user', content: 'A list' }] }, { type: 'array' })
    expect(await list()).toEqual([1])
    expect(readdirSync(path)).toHaveLength(1)
    const text = readFileSync(join(path, readdirSync(path)[0]!), 'utf8')
    expect(text).toContain('[1]')
    expect(text).not.toContain('sk-hidden')
  })

  it('takes a broken file as not there', async () => {
    const cache = diskCache(join(folder, 'broken'))
    await cache.set('q', 'r')
    const file = join(folder, 'broken', readdirSync(join(folder, 'broken'))[0]!)
    for (const text of ['', '{"question":"other","reply":"r"}', '{"question":"q"}']) {
      writeFileSync(file, text)
      expect(await cache.get('q')).toBeUndefined()
    }
  })

  it('says that the folder cannot be used', async () => {
    writeFileSync(join(folder, 'file'), '')
    const cache: ReplyCache = diskCache(join(folder, 'file'))
    expect((await refusalOf(cache.set('q', 'r'))).message).toContain(
      `diskCache: ${join(folder, 'file')}: expected`,
    )
  })
})

describe('chatAgent', () => {
  const fresh = (): ReturnType<typeof openEnvironment> => openEnvironment(desk, { seed: deskTask.seed })
  const solves: readonly Answer[] = [
    makesCalls(['find_guest', '{"name":"Mina Okafor"}'], ['list_rooms', '']),
    says('Found her; 101 and 102 are free.'),
    makesCalls(['checkIn', '{"guest_id":"guest-7","room":102,"bed":"single"}']),
    says('Done.'),
  ]

  it('makes the calls of each turn on the environment and shows their results to the model', async () => {
    const { endpoint, asked } = await serving(solves)
    const environment = fresh()
    const record = await rollOut(deskTask, environment, chatAgent(endpoint), 3)
    expect(record).toMatchObject({ schema: 'tara.rollout/1', group: 'desk-0', rollout: 3 })
    expect(record.messages.map(({ role }) => role).join(' ')).toBe(
      'system user assistant tool tool assistant user assistant tool assistant',
    )
    expect(fromOpenAI(record.messages).turns).toEqual([
      [
        { name: 'find_guest', arguments: '{"name":"Mina Okafor"}' },
        { name: 'list_rooms', arguments: '' },
      ],
      [{ name: 'checkIn', arguments: '{"guest_id":"guest-7","room":102,"bed":"single"}' }],
    ])
    expect(asked[1]!.body.messages.at(-1)!.content).toBe('{"rooms":[101,102]}')
    expect(asked[0]!.body).toMatchObject({ seed: 3 })
    expect(asked[0]!.body.tools).toHaveLength(3)
    expect((environment.snapshot().database.guests as { room: number }[])[0]!.room).toBe(102)
  })

  it('never shows the golden trace to the model', async () => {
    const { endpoint, asked } = await serving([says('I cannot.')])
    await chatAgent(endpoint).solve(deskTask, fresh(), 0)
    expect(JSON.stringify(asked)).not.toContain('guest-7')
  })

  it('is counted by Pass@k', async () => {
    const { endpoint } = await serving([says('No.'), says('No.'), ...solves, says('No.')])
    const open = fresh
    expect(await passAtK(deskTask, open, chatAgent(endpoint), { k: 3, stopEarly: false })).toEqual({
      attempts: 3,
      passed: 1,
    })
  })

  it('tells the model of bad arguments, unknown tools and refusals, and goes on', async () => {
    const { endpoint, asked } = await serving([
      makesCalls(
        ['find_guest', '{"name":'],
        ['find_guest', '{"nam":1}'],
        ['fly', '{}'],
        ['find_guest', '{"name":"X"}'],
      ),
      says('Sorry.'),
    ])
    const [calls] = await chatAgent(endpoint).solve(deskTask, fresh(), 0)
    expect(calls).toHaveLength(4)
    const told = asked[1]!.body.messages
      .slice(-4)
      .map(({ content }) => JSON.parse(content) as { error: string })
    expect(told[0]!.error).toContain('expected JSON')
    expect(told[2]!.error).toContain('"fly"')
    expect(told[3]!.error).toBe('no guest is called X')
    for (const { error } of told) expect(error).not.toBe('')
  })

  it('ends a turn that does not end', async () => {
    const { endpoint, asked } = await serving([makesCalls(['list_rooms', '{}'])])
    const turns = await chatAgent(endpoint, { maxSteps: 3 }).solve(deskTask, fresh(), 0)
    expect(turns.map((calls) => calls.length)).toEqual([3, 3])
    expect(asked).toHaveLength(6)
  })
})

describe('chatJudge', () => {
  it('shows the tools and takes the edges', async () => {
    const edges = [
      {
        from: 'find_guest',
        to: 'checkIn',
        kind: 'parameter',
        confidence: 0.9,
        bindings: [['guest_id', 'guest_id']],
      },
      { from: 'list_rooms', to: 'checkIn', kind: 'semantic' },
    ]
    const { endpoint, asked } = await serving([
      says('{"edges":[{"from":"a"}]}'),
      says(JSON.stringify({ edges })),
    ])
    expect(await chatJudge(endpoint).infer(desk.tools, 2)).toEqual(edges)
    expect(asked[0]!.body.seed).toBe(2)
    expect(asked[0]!.body.messages[1]!.content).toContain('"find_guest"')
    expect(asked[1]!.body.messages.at(-1)!.content).toContain("edges[0] must have required property 'to'")
  })
})

describe('chatWriter', () => {
  it('asks again where a dependent value is given away or a turn is missing', async () => {
    const reply = (...requests: string[]): Answer => says(JSON.stringify({ requests }))
    const good = ['Look up Mina Okafor, and which rooms are free?', 'Put her in 102, single bed.']
    const { endpoint, asked } = await serving([
      reply('One'),
      reply('Find her', 'Check in guest-7'),
      reply(...good),
    ])
    expect(await chatWriter(endpoint).write(deskTask.trace, desk.tools)).toEqual(good)
    expect(asked[1]!.body.messages.at(-1)!.content).toContain('requests must NOT have fewer than 2 items')
    expect(asked[2]!.body.messages.at(-1)!.content).toContain(
      'requests[1] states the dependent value "guest-7"',
    )
  })
})
