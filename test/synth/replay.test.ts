import { describe, expect, it } from 'vitest'
import { commutation } from '../../src/synth/commute.js'
import { openEnvironment } from '../../src/synth/environment.js'
import { replay } from '../../src/synth/replay.js'
import { stateHash } from '../../src/synth/state-hash.js'
import type { EnvironmentSource, GroundedCall } from '../../src/synth/types.js'
import { counter } from './counter.js'

async function record(turns: [string, object][][], seed = 0, source = counter): Promise<GroundedCall[][]> {
  const environment = openEnvironment(source, { seed })
  const trace: GroundedCall[][] = []
  for (const turn of turns) {
    const calls: GroundedCall[] = []
    for (const [name, args] of turn) {
      const result = await environment.call(name, args)
      if (!result.ok) throw new Error(result.error.message)
      calls.push({
        name,
        arguments: args as GroundedCall['arguments'],
        output: result.output,
        provenance: {},
      })
    }
    trace.push(calls)
  }
  return trace
}

describe('replay', () => {
  it('gives the outputs that were recorded, under the same seed', async () => {
    const trace = await record(
      [
        [['create', {}]],
        [
          ['inc', {}],
          ['create', {}],
        ],
      ],
      5,
    )
    expect(await replay(counter, trace, { seed: 5 })).toMatchObject({
      ok: true,
      failures: [],
      after: { calls: 3 },
    })
    const other = await replay(counter, trace, { seed: 6 })
    expect(other.failures.map(({ turn, call, kind }) => [turn, call, kind])).toEqual([
      [0, 0, 'output'],
      [1, 1, 'output'],
    ])
    expect(other.failures[0]!.message).toMatch(/^output\.id: expected "thing-.*", got "thing-/)
  })

  it('names the index of every call that fails and goes on', async () => {
    const { ok, failures, results, after } = await replay(counter, [
      [{ name: 'inc' }, { name: 'throws', arguments: {} }],
      [
        { name: 'add', arguments: '{"v":' },
        { name: 'add', arguments: '{"v":3}' },
      ],
    ])
    expect(ok).toBe(false)
    expect(failures).toMatchObject([
      { turn: 0, call: 1, name: 'throws', kind: 'error', message: 'refused: The counter is stuck.' },
      { turn: 1, call: 0, name: 'add', error: { code: 'invalid-arguments' } },
    ])
    expect(results.map((row) => row.map((result) => result.ok))).toEqual([
      [true, false],
      [false, true],
    ])
    expect(after.database).toEqual({ n: 1, items: [3] })
  })

  it('starts where it is told to', async () => {
    const environment = openEnvironment(counter)
    await environment.call('inc', {})
    const from = environment.snapshot()
    const { results } = await replay(counter, [[{ name: 'inc' }]], { from })
    expect(results).toEqual([[{ ok: true, output: { n: 2 } }]])
    expect(environment.snapshot()).toEqual(from)
  })

  it('refuses turns that are no lists', async () => {
    await expect(replay(counter, [null] as never)).rejects.toThrow(
      'replay: turns[0]: expected a list of calls',
    )
  })
})

describe('commutation', () => {
  it('finds an output that depends on the order', async () => {
    const trace = await record([
      [['inc', {}]],
      [
        ['add', { v: 1 }],
        ['add', { v: 2 }],
      ],
    ])
    expect(await commutation(counter, trace)).toEqual([
      { turn: 1, tried: 1, isComplete: true, conflicts: [{ order: [1, 0], call: 1, what: 'output' }] },
    ])
  })

  it('finds a state that depends on the order, unless the list is one whose order does not count', async () => {
    const [add, ...others] = counter.tools.filter(({ name }) => name === 'add')
    const quiet: EnvironmentSource = {
      ...counter,
      tools: [
        ...others,
        {
          ...add!,
          outputSchema: { type: 'object' },
          handler: (database, args) => {
            ;(database.items as unknown[]).push(args.v)
            return {}
          },
        },
      ],
    }
    const trace = await record(
      [
        [
          ['add', { v: 1 }],
          ['add', { v: 2 }],
          ['add', { v: 2 }],
        ],
      ],
      0,
      quiet,
    )
    const [turn] = await commutation(quiet, trace)
    expect(turn).toMatchObject({ tried: 5, isComplete: true })
    expect(turn!.conflicts.map(({ order, what }) => [order.join(''), what])).toEqual([
      ['102', 'state'],
      ['120', 'state'],
      ['201', 'state'],
      ['210', 'state'],
    ])
    expect(await commutation(quiet, trace, { unordered: ['items'] })).toMatchObject([{ conflicts: [] }])
  })

  it('does not count the clock: a call has that of its place in the trace', async () => {
    const trace = await record(
      [
        [
          ['inc', {}],
          ['create', {}],
        ],
        [['create', {}]],
      ],
      2,
    )
    expect(await commutation(counter, trace, { seed: 2 })).toMatchObject([{ turn: 0, conflicts: [] }])
  })

  it('draws orders where there are too many', async () => {
    const calls: [string, object][] = Array.from({ length: 6 }, () => ['read', {}])
    const [report] = await commutation(counter, await record([calls]), { maxOrders: 10 })
    expect(report).toMatchObject({ isComplete: false, conflicts: [] })
    expect(report!.tried).toBeGreaterThan(5)
  })
})

describe('stateHash', () => {
  it('is the same whatever the order of keys, and another for another state', () => {
    expect(stateHash({ a: 1, b: { c: [1, 2] } })).toBe(stateHash({ b: { c: [1, 2] }, a: 1 }))
    const states = [
      {},
      { a: 1 },
      { a: '1' },
      { a: [1] },
      { a: null },
      { a: { b: 1 } },
      { a: [1, 2] },
      { a: [2, 1] },
    ]
    expect(new Set(states.map((state) => stateHash(state))).size).toBe(states.length)
    expect(stateHash({})).toMatch(/^[0-9a-f]{32}$/)
  })

  it('lets the order of named lists be free, at any depth', () => {
    const one = { orders: [{ items: [1, 2] }, { items: [3] }], log: [1, 2] }
    const two = { orders: [{ items: [3] }, { items: [2, 1] }], log: [1, 2] }
    const unordered = ['orders', 'orders[].items']
    expect(stateHash(one, { unordered })).toBe(stateHash(two, { unordered }))
    expect(stateHash(one, { unordered: ['orders'] })).not.toBe(stateHash(two, { unordered: ['orders'] }))
    expect(stateHash(one, { unordered })).not.toBe(stateHash({ ...two, log: [2, 1] }, { unordered }))
    expect(() => stateHash({}, { unordered: ['a..b'] })).toThrow('stateHash: unordered[0]: expected a path')
  })
})
