import { describe, expect, it } from 'vitest'
import { TaraError } from '../../src/errors.js'
import type { GoldenTurn, ToolCall } from '../../src/reward/call.js'
import { type Coverage, coverage, type Miss } from '../../src/reward/cover.js'
import type { CoveragePolicy } from '../../src/reward/policy.js'

const call = (name: string, args?: ToolCall['arguments'], requestor?: string): ToolCall => ({
  name,
  arguments: args,
  requestor,
})

/** The one miss of a turn with one golden call. */
function missOf(golden: ToolCall, calls: readonly ToolCall[], policy?: Partial<CoveragePolicy>): Miss {
  const { covered, missed } = coverage([golden], calls, policy)
  expect(covered).toBe(false)
  expect(missed).toHaveLength(1)
  return missed[0]!
}

describe('coverage', () => {
  it('is D7: key order and 2.0 are free, types, extra keys and counts are not', () => {
    const golden = [call('book', { id: '7', n: 2 })]
    const search = call('search', {})
    expect(coverage(golden, [search, call('book', '{"n":2.0,"id":"7"}')])).toEqual({
      covered: true,
      matched: 1,
      golden: 1,
      missed: [],
      extra: 1,
      malformed: 0,
      vacuous: false,
    })
    expect(coverage(golden, [call('book', { id: '7', n: '2' })]).covered).toBe(false)
    const more = [call('book', { id: '7', n: 2, extra: 1 })]
    expect(coverage(golden, more).covered).toBe(false)
    expect(coverage(golden, more, { args: 'subset' }).covered).toBe(true)
    const x = call('x')
    expect(coverage([x, x], [x])).toMatchObject({ covered: false, matched: 1, golden: 2 })
    expect(coverage([x, x], [x], { matching: 'set' })).toMatchObject({ covered: true, matched: 2, extra: 0 })
  })

  it.each([undefined, null, '', ' \n\t', 'null', '{}', {}])('takes arguments %j as {}', (args) => {
    expect(coverage([call('now', {})], [call('now', args)]).covered).toBe(true)
    expect(coverage([call('now', args)], [call('now', {})]).covered).toBe(true)
  })

  it.each([5, 5n, [], true, '5', '[]', 'true', '"{}"', 'prose', '{', '{"a":1}x'])(
    'takes the model arguments %s as malformed, and as extra',
    (args) => {
      expect(coverage([call('now')], [call('now', args)])).toMatchObject({
        covered: false,
        malformed: 1,
        extra: 1,
      })
    },
  )

  it('takes calls that are no calls as malformed', () => {
    const calls = [null, 3, {}, { name: 5 }, { name: null, arguments: {} }] as unknown[] as ToolCall[]
    expect(coverage([call('now')], calls)).toMatchObject({ covered: false, malformed: 5, extra: 5 })
  })

  it('reads golden arguments given as text exactly', () => {
    const golden = [call('f', '{"n":9007199254740993}')]
    expect(coverage(golden, [call('f', '{"n":9007199254740993.0}')]).covered).toBe(true)
    expect(coverage(golden, [call('f', '{"n":9007199254740992}')]).covered).toBe(false)
    expect(coverage(golden, [call('f', { n: 9007199254740993n })]).covered).toBe(true)
  })

  it('handles a hundred thousand identical calls', () => {
    const many = Array.from({ length: 100_000 }, () => call('f', '{"a":1}'))
    expect(coverage(many, many)).toMatchObject({ covered: true, matched: 100_000, extra: 0 })
    expect(coverage(many, many.slice(1))).toMatchObject({ matched: 99_999, missed: [{ index: 99_999 }] })
    const others = many.map(() => call('f', '{"a":2}'))
    expect(coverage(many, others).missed).toHaveLength(100_000)
    const few = many.slice(0, 3)
    expect(coverage(few, many, { args: 'subset' })).toMatchObject({ matched: 3, extra: 99_997 })
    expect(coverage(few, many, { matching: 'set' })).toMatchObject({ matched: 3, extra: 0 })
  })

  it('compares a million levels of nesting', () => {
    const text = `{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`
    expect(coverage([call('f', text)], [call('f', `${text} `)]).covered).toBe(true)
  })

  it('leaves its inputs as they are', () => {
    const golden = Object.freeze([Object.freeze(call('f', Object.freeze({ a: 1 })))])
    expect(coverage(golden, golden).covered).toBe(true)
  })
})

describe('reasons of a miss', () => {
  it('used-by-another: another golden call has the equal call', () => {
    const golden = [call('f', { a: 1 }), call('f', { a: 1 })]
    expect(coverage(golden, [call('f', { a: 1 }), call('f', { a: 2 }), call('f', '{')]).missed).toEqual([
      { index: 1, name: 'f', reason: 'used-by-another', call: 0 },
    ])
    const loose = coverage([call('f', { a: 1 }), call('f', {})], [call('f', { a: 1 })], { args: 'subset' })
    expect(loose.missed).toEqual([{ index: 1, name: 'f', reason: 'used-by-another', call: 0 }])
  })

  it('wrong-arguments: the first difference to the closest call that is free', () => {
    const golden = call('f', { a: 1, b: { c: [1, 2] }, d: 4 })
    const calls = [call('f', { a: 2 }), call('f', '{"a":1,"b":{"c":[1,3]},"d":4}'), call('f', '{')]
    expect(missOf(golden, calls)).toEqual({
      index: 0,
      name: 'f',
      reason: 'wrong-arguments',
      call: 1,
      path: 'b.c[1]',
      expected: 2,
      got: 3,
    })
    expect(missOf(call('f', { a: 1 }), [call('f')])).toEqual({
      index: 0,
      name: 'f',
      reason: 'wrong-arguments',
      call: 0,
      path: 'a',
      expected: 1,
    })
    expect(missOf(call('f'), [call('f', { a: null })])).toMatchObject({ path: 'a', got: null })
  })

  it('malformed-arguments: with the problem and the hint', () => {
    expect(missOf(call('r', { p: 'a' }), [call('q'), call('r', '{"p":"a"}{"p":"b"}')])).toEqual({
      index: 0,
      name: 'r',
      reason: 'malformed-arguments',
      call: 1,
      problem: 'malformed-json',
      hint: 'concatenated-json',
      detail: 'expected the end of the text after one value, got "{" at character 9',
    })
    expect(missOf(call('r'), [call('r', '{"a":1,"a":2}')])).toMatchObject({ problem: 'duplicate-key' })
    expect(missOf(call('r'), [call('r', '"{}"')])).toMatchObject({
      problem: 'not-an-object',
      hint: 'encoded-twice',
    })
    expect(missOf(call('r'), [call('r', [1])])).toMatchObject({
      problem: 'not-an-object',
      detail: 'expected an object, got a list',
    })
  })

  it('other-side: the call is there, but not from the side that had to make it', () => {
    const golden = call('f', { a: 1 })
    expect(missOf(golden, [call('f', { a: 1 }, 'user')])).toEqual({
      index: 0,
      name: 'f',
      reason: 'other-side',
      call: 0,
    })
    expect(missOf(golden, [call('f', { a: 2 }, 'user')])).toMatchObject({ reason: 'other-side', call: 0 })
    expect(missOf(golden, [call('f', { a: 1 }, 'user'), call('f', '{')]).reason).toBe('malformed-arguments')
    expect(missOf(call('f', {}, 'user'), [call('f', {})]).reason).toBe('other-side')
    expect(coverage([call('f', {}, 'user')], [call('f', {}, 'user')]).covered).toBe(true)
    expect(coverage([call('f', {}, 'assistant')], [call('f')]).covered).toBe(true)
  })

  it('no-such-call: nobody made one, or all of that name are for other golden calls', () => {
    expect(missOf(call('f'), [call('g')])).toEqual({ index: 0, name: 'f', reason: 'no-such-call' })
    const golden = [call('f', { a: 1 }), call('f', { a: 2 })]
    expect(coverage(golden, [call('f', { a: 1 })]).missed).toEqual([
      { index: 1, name: 'f', reason: 'no-such-call' },
    ])
  })
})

describe('coverage policies', () => {
  it('subset finds the assignment that greedy matching misses', () => {
    const golden = [call('a', { x: 1 }), call('a', { x: 1, y: 2 })]
    const calls = [call('a', { x: 1, y: 2 }), call('a', { x: 1 })]
    expect(coverage(golden, calls, { args: 'subset' })).toMatchObject({ covered: true, matched: 2, extra: 0 })
    expect(coverage(golden.toReversed(), calls, { args: 'subset' }).covered).toBe(true)
  })

  it('set counts as extra what is equal to no golden call, loosened or not', () => {
    const calls = [call('f', { a: 1 }), call('f', { a: 1 }), call('g'), call('f', { a: 2 })]
    for (const args of ['equal', 'subset'] as const)
      expect(coverage([call('f', { a: 1 })], calls, { matching: 'set', args })).toMatchObject({
        covered: true,
        matched: 1,
        extra: 2,
      })
  })

  it.each([
    ['vacuous', 0, true],
    ['vacuous', 1, true],
    ['forbid-calls', 0, true],
    ['forbid-calls', 1, false],
    ['mask', 1, true],
  ] as const)('an empty golden turn under %s with %i calls is covered: %s', (emptyGolden, extra, covered) => {
    const calls = Array.from({ length: extra }, () => call('delete_all', '{'))
    expect(coverage([], calls, { emptyGolden })).toEqual({
      covered,
      matched: 0,
      golden: 0,
      missed: [],
      extra,
      malformed: extra,
      vacuous: true,
    })
  })

  it('maxExtraCalls makes a turn with more extra calls 0, with nothing missed', () => {
    const golden = [call('f')]
    const calls = [call('g'), call('f'), call('h', '{')]
    expect(coverage(golden, calls, { maxExtraCalls: 2 }).covered).toBe(true)
    expect(coverage(golden, calls, { maxExtraCalls: 1 })).toMatchObject({
      covered: false,
      missed: [],
      extra: 2,
    })
    expect(coverage([], [call('g')], { maxExtraCalls: 0 }).covered).toBe(false)
  })

  it('normalizeName applies to both sides and refuses names that become one', () => {
    const normalizeName = (name: string): string => name.replaceAll('.', '_')
    const golden = [call('math.sum', { v: [1] })]
    const calls = [call('math_sum', { v: [1] })]
    expect(coverage(golden, calls).covered).toBe(false)
    expect(coverage(golden, calls, { normalizeName }).covered).toBe(true)
    expect(coverage([call('math.sum'), call('math.sum')], calls, { normalizeName }).missed[0]?.name).toBe(
      'math.sum',
    )
    expect(() => coverage([call('a.b'), call('a_b')], [], { normalizeName })).toThrow(
      'coverage: golden[1].name: expected names that stay apart under normalizeName, got "a.b" and "a_b", both "a_b"',
    )
    expect(() => coverage(golden, calls, { normalizeName: (() => 1) as () => never })).toThrow(
      'coverage: options.normalizeName: expected a string from the function, got 1',
    )
  })
})

describe('alternatives', () => {
  const golden: GoldenTurn = { any_of: [[call('f'), call('g')], [call('h')]] }
  const told = (calls: readonly ToolCall[], policy?: Partial<CoveragePolicy>): Coverage =>
    coverage(golden, calls, policy)

  it('are covered if one of them is', () => {
    expect(told([call('h')])).toMatchObject({ covered: true, alternative: 1, golden: 1, extra: 0 })
    expect(told([call('g'), call('f')])).toMatchObject({ covered: true, alternative: 0, extra: 0 })
  })

  it('are told of by the covered one with the fewest extra calls', () => {
    expect(told([call('f'), call('g'), call('h')])).toMatchObject({ alternative: 0, extra: 1 })
  })

  it('count only within maxExtraCalls', () => {
    const calls = [call('f'), call('g'), call('h')]
    expect(told(calls, { maxExtraCalls: 1 })).toMatchObject({ covered: true, alternative: 0 })
    expect(told(calls, { maxExtraCalls: 0 })).toMatchObject({ covered: false, alternative: 0, missed: [] })
  })

  it('report the misses of the closest one', () => {
    expect(told([call('x')])).toMatchObject({ covered: false, alternative: 1, missed: [{ name: 'h' }] })
    expect(told([call('f')])).toMatchObject({ alternative: 0, missed: [{ index: 1, name: 'g' }] })
  })

  it('are no empty golden turn, even if one of them is empty', () => {
    const free: GoldenTurn = { any_of: [[call('f')], []] }
    for (const emptyGolden of ['vacuous', 'forbid-calls', 'mask'] as const)
      expect(coverage(free, [call('g')], { emptyGolden })).toMatchObject({
        covered: true,
        vacuous: false,
        alternative: 1,
      })
  })
})

describe('faults in golden calls', () => {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  it.each([
    [3, 'coverage: golden: expected a list of calls or {"any_of": [calls, …]}, got 3'],
    [
      { any_of: [] },
      'coverage: golden.any_of: expected a list of at least one list of calls, got an empty list',
    ],
    [{ any_of: [[call('f')], 1] }, 'coverage: golden.any_of[1]: expected a list of calls, got 1'],
    [{ any_of: [[{ name: 1 }]] }, 'coverage: golden.any_of[0][0].name: expected the name of a tool, got 1'],
    [[null], 'coverage: golden[0]: expected a call with a name and arguments, got null'],
    [[{}], 'coverage: golden[0].name: expected the name of a tool, got undefined'],
    [[{ name: '' }], 'coverage: golden[0].name: expected the name of a tool, got ""'],
    [
      [{ name: 'f', requestor: 1 }],
      'coverage: golden[0].requestor: expected the side that makes the call, got 1',
    ],
    [
      [{ name: 'f', arguments: [1, 2] }],
      'coverage: golden[0].arguments: expected an object, got a list of 2',
    ],
    [[{ name: 'f', arguments: 5 }], 'coverage: golden[0].arguments: expected an object, got 5'],
    [
      [{ name: 'f', arguments: '{"c":' }],
      'coverage: golden[0].arguments: expected JSON text of an object, got malformed-json, cut-off: expected a value, got the end of the text at character 5',
    ],
    [[{ name: 'f', arguments: '[]' }], 'got not-an-object: expected an object, got a list'],
    [[{ name: 'f', arguments: '{"a":1,"a":1}' }], 'got duplicate-key'],
    [
      [{ name: 'f', arguments: { a: [0, undefined] } }],
      'golden[0].arguments.a[1]: expected a JSON value, got undefined',
    ],
    [[{ name: 'f', arguments: { a: Number.NaN } }], 'golden[0].arguments.a: expected a JSON value, got NaN'],
    [
      [{ name: 'f', arguments: { a: new Date(0) } }],
      'golden[0].arguments.a: expected a JSON value, got an object',
    ],
    [
      [{ name: 'f', arguments: cyclic }],
      'golden[0].arguments.self: expected a JSON value, got an object that contains itself',
    ],
  ])('throw with the path: %#', (golden, message) => {
    const run = (): Coverage => coverage(golden as GoldenTurn, [])
    expect(run).toThrow(TaraError)
    expect(run).toThrow(message)
    expect(run).toThrow(expect.objectContaining({ code: 'GOLDEN' }))
  })

  it('throw where calls is no list', () => {
    expect(() => coverage([], 'x' as never)).toThrow('coverage: calls: expected a list of calls, got "x"')
  })
})
