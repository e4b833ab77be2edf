import { describe, expect, it } from 'vitest'
import { openEnvironment } from '../../src/synth/environment.js'
import type { CallResult, EnvironmentSource, Tool } from '../../src/synth/types.js'
import { counter, makeTool, record, string } from './counter.js'

const errorOf = (result: CallResult): string =>
  result.ok ? 'no error' : `${result.error.code}: ${result.error.message}`

describe('openEnvironment', () => {
  it('makes every fault a result and leaves the state as it was', async () => {
    const environment = openEnvironment(counter, { timeout: 20 })
    const faults: [string, unknown, RegExp][] = [
      ['nope', {}, /^unknown-tool: there is no tool "nope"; there are inc, add/],
      ['__proto__', {}, /^unknown-tool/],
      ['add', {}, /^invalid-arguments: arguments must have required property 'v'/],
      ['add', { v: 1.5 }, /^invalid-arguments: arguments\.v must be integer/],
      ['add', { v: 1, w: 2 }, /^invalid-arguments: arguments must NOT have additional properties: w/],
      ['add', 'text', /^invalid-arguments: arguments: expected an object, got text/],
      ['add', [1], /^invalid-arguments: arguments: expected an object, got a list/],
      ['add', { v: 1n }, /^invalid-arguments: arguments\.v: expected a JSON value/],
      ['throws', {}, /^refused: The counter is stuck\.$/],
      ['hangs', {}, /^timeout: hangs gave no answer in 20 ms/],
      ['wrong', {}, /^invalid-output: output\.n must be integer/],
      ['dates', {}, /^invalid-output: database\.when: expected a JSON value, got a Date/],
    ]
    for (const [name, args, message] of faults)
      expect(errorOf(await environment.call(name, args))).toMatch(message)
    const { database, counts } = environment.snapshot()
    expect(database).toEqual(counter.database)
    expect(counts).toEqual({})
    expect(environment.snapshot().calls).toBe(faults.length)
  })

  it('loses what a handler does after its time', async () => {
    const environment = openEnvironment(counter, { timeout: 10 })
    expect(errorOf(await environment.call('late', { ms: 30 }))).toMatch(/^timeout/)
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(environment.snapshot().database.n).toBe(0)
    const patient = openEnvironment(counter)
    expect((await patient.call('late', { ms: 1 })).ok).toBe(true)
    expect(patient.snapshot().database.n).toBe(7)
  })

  it('takes null and nothing for no arguments', async () => {
    const environment = openEnvironment(counter)
    expect(await environment.call('inc', undefined)).toEqual({ ok: true, output: { n: 1 } })
    expect(await environment.call('inc', null)).toEqual({ ok: true, output: { n: 2 } })
  })

  it('shares nothing with source, caller, output or snapshot', async () => {
    const environment = openEnvironment(counter)
    const held = environment.snapshot()
    const result = await environment.call('read', {})
    if (result.ok) (result.output.items as number[]).push(5)
    ;(held.database.items as number[]).push(6)
    environment.restore(held)
    ;(held.database.items as number[]).push(7)
    expect(environment.snapshot().database).toEqual({ n: 0, items: [6] })
    expect(counter.database).toEqual({ n: 0, items: [] })
    await environment.call('inc', {})
    expect(openEnvironment(counter).snapshot().database).toEqual({ n: 0, items: [] })
  })

  it('goes on from a snapshot exactly as the first time', async () => {
    const environment = openEnvironment(counter, { seed: 3 })
    await environment.call('create', {})
    const held = environment.snapshot()
    const first = [await environment.call('create', {}), await environment.call('create', {})]
    environment.restore(held)
    expect([await environment.call('create', {}), await environment.call('create', {})]).toEqual(first)
    const other = openEnvironment(counter, { seed: 3 })
    other.restore(held)
    expect(await other.call('create', {})).toEqual(first[0])
  })

  it('takes ids, time and random numbers from the seed', async () => {
    const made = async (seed: number): Promise<unknown> =>
      openEnvironment(counter, { seed }).call('create', {})
    expect(await made(1)).toEqual(await made(1))
    expect(await made(1)).not.toEqual(await made(2))
    expect(await made(1)).toMatchObject({
      output: { id: expect.stringMatching(/^thing-[0-9a-f]{6}$/), at: expect.stringMatching(/^2026-03-02T/) },
    })
  })

  it('gives an id no other call of the state had, whatever other tools were called between', async () => {
    const environment = openEnvironment(counter, { seed: 4 })
    const busy = openEnvironment(counter, { seed: 4 })
    const ids = new Set<unknown>()
    for (let k = 0; k < 40; k++) {
      await busy.call('inc', {})
      await busy.call('throws', {})
      const [quiet, other] = [await environment.call('create', {}), await busy.call('create', {})]
      if (!quiet.ok || !other.ok) throw new Error('no id')
      expect(other.output.id).toBe(quiet.output.id)
      expect(other.output.luck).toBe(quiet.output.luck)
      ids.add(quiet.output.id)
    }
    expect(ids.size).toBe(40)
  })

  it('does calls that are made at once one after the other', async () => {
    const environment = openEnvironment(counter)
    const results = await Promise.all([
      environment.call('late', { ms: 5 }),
      environment.call('inc', {}),
      environment.call('inc', {}),
    ])
    expect(results).toEqual([7, 8, 9].map((n) => ({ ok: true, output: { n } })))
  })

  it('lets a call that was under way change nothing after a restore', async () => {
    const environment = openEnvironment(counter)
    const start = environment.snapshot()
    const late = environment.call('late', { ms: 5 })
    await Promise.resolve()
    environment.restore(start)
    expect((await late).ok).toBe(true)
    expect(environment.snapshot()).toEqual(start)
  })

  const bad = (tool: Partial<Tool> | object, rest: object = {}): (() => unknown) => {
    const first = makeTool('first', 'query', record({ a: string }), record({}), () => ({}))
    const tools = [first, { ...first, name: 'second', ...tool }]
    return () =>
      openEnvironment({ name: 'x', description: '', database: {}, tools, ...rest } as EnvironmentSource)
  }

  it.each<[string, object, string]>([
    [
      'a type that does not exist',
      { inputSchema: { type: 'objekt' } },
      'tools[1].inputSchema: expected a valid JSON Schema',
    ],
    [
      'a list for arguments',
      { inputSchema: { type: 'array' } },
      'tools[1].inputSchema.type: expected "object", got "array"',
    ],
    [
      'a reference that leads nowhere',
      { outputSchema: { $ref: '#/$defs/x' } },
      'tools[1].outputSchema: expected a valid',
    ],
    ['an asynchronous schema', { inputSchema: { $async: true } }, 'tools[1].inputSchema.$async'],
    ['a name given twice', { name: 'first' }, 'tools[1].name: expected a name of its own, got "first"'],
    ['a name with spaces', { name: 'a b' }, 'tools[1].name: expected letters'],
    ['a kind that is none', { kind: 'read' }, 'tools[1].kind: expected "query" or "update", got "read"'],
    ['no handler', { handler: 'x' }, 'tools[1].handler: expected a function, got "x"'],
    [
      'a hint that names no tool',
      { after: ['third'] },
      'tools[1].after[0]: expected the name of a tool, got "third"',
    ],
    [
      'an inert argument that is none',
      { inert: ['b'] },
      'tools[1].inert[0]: expected the name of an argument, got "b"',
    ],
  ])('refuses %s with its place', (_, tool, message) => {
    expect(bad(tool)).toThrow(`openEnvironment: source.${message}`)
  })

  it('refuses a database that is not JSON, and options that are none', () => {
    expect(bad({}, { database: { a: [1, Number.NaN] } })).toThrow(
      'openEnvironment: source.database.a[1]: expected a JSON value, got NaN',
    )
    expect(() => openEnvironment(counter, { seed: -1 })).toThrow('openEnvironment: options.seed')
    expect(() => openEnvironment(counter, { timeout: 0 })).toThrow('openEnvironment: options.timeout')
  })

  it('reads schemas of draft 7 where they say so', async () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    const items = [{ type: 'string' }]
    const inputSchema = {
      $schema,
      type: 'object',
      properties: { a: { type: 'array', items, additionalItems: false } },
    }
    const tool = makeTool('t', 'query', inputSchema, { type: 'object' }, () => ({}))
    const environment = openEnvironment({ name: 'x', description: '', database: {}, tools: [tool] })
    expect((await environment.call('t', { a: ['x'] })).ok).toBe(true)
    expect((await environment.call('t', { a: ['x', 1] })).ok).toBe(false)
  })
})
