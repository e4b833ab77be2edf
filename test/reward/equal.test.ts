import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../src/reward/call.js'
import { firstDifference, jsonEqual } from '../../src/reward/equal.js'
import { parseJson } from '../../src/reward/json.js'
import type { Looseness } from '../../src/reward/looseness.js'
import { type CoveragePolicy, resolveCoveragePolicy } from '../../src/reward/policy.js'

const loose = (policy: Partial<CoveragePolicy>, tool = 'f'): Looseness =>
  resolveCoveragePolicy('test', policy).loosenessOf(tool)

function read(text: string): JsonValue {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error(parsed.detail)
  return parsed.value
}

/** Equality by both ways, which must agree. */
function same(a: JsonValue, b: JsonValue): boolean {
  const equal = jsonEqual(a, b)
  expect(jsonEqual(b, a)).toBe(equal)
  expect(firstDifference(a, b) === null).toBe(equal)
  expect(firstDifference(b, a) === null).toBe(equal)
  return equal
}

describe('equality of JSON values', () => {
  it.each([
    ['{"a":1,"b":[1,2]}', '{"b":[1,2],"a":1}', true],
    ['[1,2]', '[2,1]', false],
    ['1', '1.0', true],
    ['1', '1e0', true],
    ['0', '-0', true],
    ['1', '"1"', false],
    ['1', 'true', false],
    ['0', 'false', false],
    ['0', 'null', false],
    ['""', 'null', false],
    ['{"a":null}', '{}', false],
    ['{}', '[]', false],
    ['{"0":1}', '[1]', false],
    ['9007199254740993', '9007199254740992', false],
    ['9007199254740993', '9007199254740993.0', true],
    ['1e400', '1e401', false],
    ['0.1', '0.10000000000000001', true],
    ['0.1', '0.2', false],
    ['"\\u0061"', '"a"', true],
    ['"é"', '"e\\u0301"', false],
    ['"\\ud800"', '"\\ufffd"', false],
    ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}', true],
    ['{"__proto__":{"x":1}}', '{"__proto__":{"x":2}}', false],
    ['{"__proto__":1}', '{}', false],
    ['{"constructor":1}', '{"toString":1}', false],
  ])('%s and %s: %s', (a, b, equal) => {
    expect(same(read(a), read(b))).toBe(equal)
    if (!/\d{16}|e4/.test(a + b)) {
      expect(same(JSON.parse(a), read(b))).toBe(equal)
      expect(same(JSON.parse(a), JSON.parse(b))).toBe(equal)
    }
  })

  it('takes a number beyond 2^53 as exactly the integer it is', () => {
    expect(same(2 ** 53, read('9007199254740992'))).toBe(true)
    expect(same(1e23, read('99999999999999991611392'))).toBe(true)
    expect(same(1e23, read('1e23'))).toBe(false)
    expect(same(5n, 5)).toBe(true)
    expect(same(5n, 5.5)).toBe(false)
    expect(same(Number.POSITIVE_INFINITY, 10n ** 400n)).toBe(false)
  })

  it('takes a member that is undefined as not there', () => {
    const holed = { a: 1, u: undefined } as object as JsonValue
    expect(same(holed, { a: 1 })).toBe(true)
    expect(same(holed, { a: 1, v: 1 })).toBe(false)
    expect(same(holed, { a: 1, u: null })).toBe(false)
  })

  it('compares a million levels', () => {
    const list = (leaf: string): JsonValue => read('['.repeat(1_000_000) + leaf + ']'.repeat(1_000_000))
    expect(jsonEqual(list('1'), list('1'))).toBe(true)
    expect(firstDifference(list('1'), list('2'))?.path.length).toBe(3_000_000)
  })
})

describe('firstDifference', () => {
  it.each([
    [{ a: 1 }, { a: 2 }, { path: 'a', expected: 1, got: 2 }],
    [{ a: 1 }, {}, { path: 'a', expected: 1 }],
    [{}, { b: null }, { path: 'b', got: null }],
    [{ p: [{ dob: 'x' }] }, { p: [{ dob: 'y' }] }, { path: 'p[0].dob', expected: 'x', got: 'y' }],
    [{ ids: [1, 2] }, { ids: [1] }, { path: 'ids[1]', expected: 2 }],
    [{ ids: [1] }, { ids: [1, null] }, { path: 'ids[1]', got: null }],
    [{ 'a b': { '1': 2 } }, { 'a b': { '1': 3 } }, { path: '["a b"]["1"]', expected: 2, got: 3 }],
    [
      { a: { b: 1 }, z: 1 },
      { z: 2, a: { b: 2 } },
      { path: 'a.b', expected: 1, got: 2 },
    ],
    [{ a: [] }, { a: {} }, { path: 'a', expected: [], got: {} }],
    [1, 2, { path: '', expected: 1, got: 2 }],
  ] as [JsonValue, JsonValue, object][])('of %j and %j is %j', (golden, call, difference) => {
    expect(firstDifference(golden, call)).toEqual(difference)
  })

  it('tells missing from null', () => {
    expect(Object.keys(firstDifference({ a: 1 }, {})!)).not.toContain('got')
    expect(firstDifference({ a: 1 }, { a: null })).toHaveProperty('got', null)
  })
})

describe('loosened equality', () => {
  const equal = (
    golden: JsonValue,
    call: JsonValue,
    policy: Partial<CoveragePolicy>,
    tool?: string,
  ): boolean => firstDifference(golden, call, loose(policy, tool)) === null

  it('subset frees keys of the top level only', () => {
    expect(equal({ a: 1 }, { a: 1, b: 2 }, { args: 'subset' })).toBe(true)
    expect(equal({ a: 1, b: 2 }, { a: 1 }, { args: 'subset' })).toBe(false)
    expect(equal({ a: { x: 1 } }, { a: { x: 1, y: 2 } }, { args: 'subset' })).toBe(false)
  })

  it('defaults stand for a key left out on either side, of their tool and of the top level', () => {
    const defaults = { f: { n: 1, list: [] } }
    expect(equal({ n: 1 }, {}, { defaults })).toBe(true)
    expect(equal({}, { n: 1.0 }, { defaults })).toBe(true)
    expect(equal({}, { n: 2 }, { defaults })).toBe(false)
    expect(equal({}, { list: [], n: 1 }, { defaults })).toBe(true)
    expect(equal({ n: 1 }, {}, { defaults }, 'g')).toBe(false)
    expect(equal({ o: { n: 1 } }, { o: {} }, { defaults })).toBe(false)
    expect(equal({}, { n: null }, { defaults })).toBe(false)
    expect(equal({}, { n: 2 }, { defaults, args: 'subset' })).toBe(true)
    expect(firstDifference({}, { n: 2 }, loose({ defaults }))).toEqual({ path: 'n', expected: 1, got: 2 })
  })

  it('tolerance is an absolute difference, exact for integers', () => {
    expect(equal({ x: 1.5 }, { x: 1.75 }, { tolerance: 0.25 })).toBe(true)
    expect(equal({ x: 1.5 }, { x: 1.76 }, { tolerance: 0.25 })).toBe(false)
    expect(equal({ x: 2n ** 60n }, { x: 2n ** 60n + 1n }, { tolerance: 1 })).toBe(true)
    expect(equal({ x: 2n ** 60n }, { x: 2n ** 60n + 2n }, { tolerance: 1.5 })).toBe(false)
    expect(equal({ x: 10n ** 400n }, { x: 0.5 }, { tolerance: 1 })).toBe(false)
    expect(equal({ x: 1 }, { x: '1' }, { tolerance: 5 })).toBe(false)
    expect(equal({ x: 1 }, { x: true }, { tolerance: 5 })).toBe(false)
  })

  it('unordered frees the order of the named lists, for all tools or one', () => {
    expect(equal({ ids: ['a', 'b', 'a'] }, { ids: ['b', 'a', 'a'] }, { unordered: ['ids'] })).toBe(true)
    expect(equal({ ids: ['a', 'b', 'b'] }, { ids: ['b', 'a', 'a'] }, { unordered: ['ids'] })).toBe(false)
    expect(equal({ ids: ['a'] }, { ids: ['a', 'a'] }, { unordered: ['ids'] })).toBe(false)
    expect(equal({ ids: [1, 2] }, { ids: [2, 1] }, { unordered: ['other'] })).toBe(false)
    expect(equal({ ids: [1, 2] }, { ids: [2, 1] }, { unordered: { f: ['ids'] } })).toBe(true)
    expect(equal({ ids: [1, 2] }, { ids: [2, 1] }, { unordered: { f: ['ids'] } }, 'g')).toBe(false)
    const unordered = ['p[].bags', 'o["a b"].c']
    expect(equal({ p: [{ bags: [1, 2] }] }, { p: [{ bags: [2, 1] }] }, { unordered })).toBe(true)
    expect(equal({ p: [{ bags: [1, 2] }, 0] }, { p: [0, { bags: [1, 2] }] }, { unordered })).toBe(false)
    expect(equal({ o: { 'a b': { c: [1, 2] } } }, { o: { 'a b': { c: [2, 1] } } }, { unordered })).toBe(true)
    const nested = { unordered: ['p', 'p[].bags'] }
    expect(equal({ p: [{ bags: [1, 2] }, 0] }, { p: [0, { bags: [2, 1] }] }, nested)).toBe(true)
    expect(firstDifference({ ids: [1, 2] }, { ids: [1, 3] }, loose({ unordered: ['ids'] }))).toEqual({
      path: 'ids[1]',
      expected: 2,
    })
  })

  it('unordered lists under a tolerance are matched as a whole', () => {
    // 1 may have 1.5 or 0.5, 2 only 1.5: taking the first partner would fail.
    const policy = { unordered: ['x'], tolerance: 0.5 }
    expect(equal({ x: [1, 2] }, { x: [1.5, 0.5] }, policy)).toBe(true)
    expect(equal({ x: [1, 2] }, { x: [1.5, 3.5] }, policy)).toBe(false)
  })

  it('nfc compares string values in one normal form', () => {
    expect(equal({ s: 'é' }, { s: 'e\u0301' }, { unicode: 'nfc' })).toBe(true)
    expect(equal({ é: 1 }, { 'e\u0301': 1 }, { unicode: 'nfc' })).toBe(false)
  })

  it("the user's rule is asked at every pair, and undefined lets the built-in rule go on", () => {
    const asked: string[] = []
    const policy: Partial<CoveragePolicy> = {
      equal: (golden, call, { path, tool }) => {
        asked.push(`${tool}:${path}`)
        if (typeof golden === 'string' && typeof call === 'string')
          return golden.toLowerCase() === call.toLowerCase()
        return undefined
      },
    }
    expect(equal({ a: 'X', b: [{ c: 1 }] }, { a: 'x', b: [{ c: 1 }] }, policy)).toBe(true)
    expect(asked).toEqual(['f:', 'f:a', 'f:b', 'f:b[0]', 'f:b[0].c'])
    expect(equal({ a: 'X', n: 1 }, { a: 'x', n: 2 }, policy)).toBe(false)
    expect(equal({ a: 1 }, { b: 2 }, { equal: () => true })).toBe(true)
    const broken = { equal: (() => 1) as () => never }
    expect(() => equal({}, {}, broken)).toThrow('expected true, false or undefined from the rule, got 1')
  })
})
