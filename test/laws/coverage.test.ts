/**
 * C31–C33: coverage of Eq. 1 as laws, and against a reference that tries every assignment.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue, ToolCall } from '../../src/reward/call.js'
import { type Coverage, coverage } from '../../src/reward/cover.js'
import { jsonText } from '../../src/reward/jsonText.js'
import type { CoveragePolicy } from '../../src/reward/policy.js'

type Policy = Partial<CoveragePolicy>

const numRuns = 200

/** Few values, so that equal and nearly equal calls are common. */
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(1, 1, 1, 1, 0, 1.5, 2, 2.5, 3n, 2n ** 60n, 2n ** 60n + 1n, '1', true, null, {}),
  fc.array(fc.constantFrom<JsonValue>(0, 1, 1.5, 2), { maxLength: 3 }),
  fc.record({ x: fc.constant(1), y: fc.constant('1') }, { requiredKeys: [] }),
)
const args = fc.dictionary(fc.constantFrom('x', 'y', '__proto__'), value, {
  maxKeys: 3,
  noNullPrototype: false,
})

/** The same arguments as a value or as text. */
const call: fc.Arbitrary<ToolCall> = fc
  .tuple(
    fc.constantFrom('f', 'f', 'f', 'g'),
    args,
    fc.boolean(),
    fc.constantFrom('assistant', 'assistant', 'user'),
  )
  .map(([name, given, asText, requestor]) => ({
    name,
    arguments: asText ? jsonText(given) : given,
    requestor,
  }))
const calls = (maxLength = 5): fc.Arbitrary<ToolCall[]> => fc.array(call, { maxLength })

/** What a model may write besides. */
const anyCall: fc.Arbitrary<ToolCall> = fc.oneof(
  { weight: 4, arbitrary: call },
  { weight: 1, arbitrary: fc.string().map((text) => ({ name: 'f', arguments: text })) },
)

const policy: fc.Arbitrary<Policy> = fc.record(
  {
    matching: fc.constantFrom('multiset', 'set'),
    args: fc.constantFrom('equal', 'subset'),
    tolerance: fc.constantFrom(0, 0.5, 1),
    unordered: fc.constantFrom<string[]>([], ['x']),
    defaults: fc.constantFrom({ f: { x: 1 } }),
    unicode: fc.constantFrom('nfc'),
  },
  { requiredKeys: [] },
)

function law(
  says: string,
  run: (golden: ToolCall[], made: ToolCall[], policy: Policy, seed: number) => void,
): void {
  it(says, () => {
    fc.assert(fc.property(calls(), fc.array(anyCall, { maxLength: 5 }), policy, fc.nat(), run), { numRuns })
  })
}

function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const left = [...items]
  const out: Item[] = []
  for (let state = seed + 1; left.length > 0; state = (state * 48271) % 2147483647)
    out.push(left.splice(state % left.length, 1)[0]!)
  return out
}

function reversedKeys(made: ToolCall): ToolCall {
  const given = made.arguments
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return made
  return { ...made, arguments: Object.fromEntries(Object.entries(given).reverse()) }
}

describe('coverage', () => {
  law('C31: is reflexive, whatever else is called', (golden, made, policy, seed) => {
    const all = shuffled([...golden, ...made], seed)
    expect(coverage(golden, all, policy)).toMatchObject({ covered: true, matched: golden.length, missed: [] })
  })

  law('C31: is monotone in the calls', (golden, made, policy, seed) => {
    const fewer = made.slice(seed % (made.length + 1))
    const before = coverage(golden, fewer, policy)
    const after = coverage(golden, made, policy)
    expect(after.matched).toBeGreaterThanOrEqual(before.matched)
    expect(after.covered || !before.covered).toBe(true)
  })

  law('C31: is antitone in the golden calls', (golden, made, policy, seed) => {
    const fewer = golden.slice(seed % (golden.length + 1))
    const whole = coverage(golden, made, policy)
    expect(coverage(fewer, made, policy).covered || !whole.covered).toBe(true)
  })

  law('C31: of an empty golden turn is 1', (_, made, policy) => {
    expect(coverage([], made, policy)).toMatchObject({ covered: true, vacuous: true, extra: made.length })
  })

  law('C31: does not depend on the order of calls, golden calls or keys', (golden, made, policy, seed) => {
    const { covered, matched, extra, malformed } = coverage(golden, made, policy)
    const other = coverage(shuffled(golden, seed), shuffled(made, seed + 1).map(reversedKeys), policy)
    expect(other).toMatchObject({ covered, matched, extra, malformed })
  })

  law('C32: as multiset implies coverage as set, not the other way round', (golden, made, policy) => {
    const multiset = coverage(golden, made, { ...policy, matching: 'multiset' })
    const set = coverage(golden, made, { ...policy, matching: 'set' })
    expect(set.covered || !multiset.covered).toBe(true)
    expect(set.matched).toBeGreaterThanOrEqual(multiset.matched)
    const x: ToolCall = { name: 'x' }
    expect(coverage([x, x], [x], { matching: 'multiset' }).covered).toBe(false)
    expect(coverage([x, x], [x], { matching: 'set' }).covered).toBe(true)
  })

  law('has one miss for every golden call without a call, and no call twice', (golden, made, policy) => {
    const told = coverage(golden, made, policy)
    expect(told.missed.length).toBe(golden.length - told.matched)
    expect(told.covered).toBe(told.missed.length === 0)
    expect(told.missed.map(({ index }) => index)).toEqual([...new Set(told.missed.map(({ index }) => index))])
    if ((policy.matching ?? 'multiset') === 'multiset') expect(told.extra).toBe(made.length - told.matched)
    for (const { call } of told.missed) if (call !== undefined) expect(made[call]).toBeDefined()
  })

  law('of a turn with alternatives is that of its best one', (golden, made, policy, seed) => {
    const sets = [golden, golden.slice(1), made.slice(seed % (made.length + 1)).filter(isReadable)]
    const each = sets.map((set) => coverage(set, made, policy))
    const told = coverage({ any_of: sets }, made, policy)
    expect(told.covered).toBe(each.some(({ covered }) => covered))
    const best = each[told.alternative!]!
    expect(told).toMatchObject({ matched: best.matched, golden: best.golden, extra: best.extra })
    expect(told.missed.length).toBe(Math.min(...each.map(({ missed }) => missed.length)))
  })
})

function isReadable(made: ToolCall): boolean {
  return coverage([{ name: 'none' }], [made]).malformed === 0
}

// The reference: recursive equality and every assignment.

const num = (x: JsonValue): x is number | bigint => typeof x === 'number' || typeof x === 'bigint'
const isMap = (x: JsonValue): x is Record<string, JsonValue> =>
  typeof x === 'object' && x !== null && !Array.isArray(x)

function slowEqual(g: JsonValue, c: JsonValue, policy: Policy, path: string): boolean {
  if (num(g) && num(c)) {
    // All numbers here are halves.
    const twice = (x: number | bigint): bigint => (typeof x === 'bigint' ? x * 2n : BigInt(x * 2))
    const gap = twice(g) - twice(c)
    return (gap < 0n ? -gap : gap) <= BigInt((policy.tolerance ?? 0) * 2)
  }
  if (Array.isArray(g) && Array.isArray(c)) {
    if (g.length !== c.length) return false
    if (!(policy.unordered as readonly string[] | undefined)?.includes(path))
      return g.every((item: JsonValue, k: number) => slowEqual(item, c[k], policy, `${path}[]`))
    if (g.length === 0) return true
    return c.some(
      (item: JsonValue, k: number) =>
        slowEqual(g[0], item, policy, `${path}[]`) && slowEqual(g.slice(1), c.toSpliced(k, 1), policy, path),
    )
  }
  if (isMap(g) && isMap(c)) {
    const isTop = path === ''
    const keys = new Set([...Object.keys(g), ...(isTop && policy.args === 'subset' ? [] : Object.keys(c))])
    const member = (object: Record<string, JsonValue>, key: string): JsonValue | undefined =>
      Object.hasOwn(object, key) ? object[key] : isTop && key === 'x' && policy.defaults ? 1 : undefined
    return [...keys].every((key) => {
      const left = member(g, key)
      const right = member(c, key)
      if (left === undefined || right === undefined) return left === right
      return slowEqual(left, right, policy, isTop ? key : `${path}.${key}`)
    })
  }
  return g === c
}

/** The most golden calls that can have a call of their own: every assignment is tried. */
function mostMatched(edges: readonly boolean[][], g = 0, taken: readonly number[] = []): number {
  if (g === edges.length) return 0
  const choices = edges[g]!.flatMap((equal, j) => (equal && !taken.includes(j) ? [j] : []))
  const rest = mostMatched(edges, g + 1, taken)
  return Math.max(rest, ...choices.map((j) => 1 + mostMatched(edges, g + 1, [...taken, j])))
}

const plainCall = fc.record({ name: fc.constantFrom('f', 'f', 'g'), arguments: args })
const oracleRow = fc.tuple(
  fc.array(
    plainCall.map((made) => (made.name === 'g' ? { ...made, arguments: {} } : made)),
    { maxLength: 4 },
  ),
  fc.array(
    plainCall.map((made) => (made.name === 'g' ? { ...made, arguments: {} } : made)),
    { maxLength: 4 },
  ),
  policy,
)

describe('coverage and a reference that tries every assignment', () => {
  it('agree for every loosened equality', () => {
    let partial = 0
    fc.assert(
      fc.property(oracleRow, ([golden, made, policy]) => {
        const edges = golden.map((g) =>
          made.map(
            (c) => g.name === c.name && slowEqual(g.arguments, c.arguments, g.name === 'f' ? policy : {}, ''),
          ),
        )
        const isSet = policy.matching === 'set'
        const matched = isSet ? edges.filter((row) => row.includes(true)).length : mostMatched(edges)
        const extra = isSet
          ? made.filter((_, j) => edges.every((row) => !row[j])).length
          : made.length - matched
        const asText = made.map((c) => ({ ...c, arguments: jsonText(c.arguments) }))
        const told: Coverage = coverage(golden, asText, policy)
        expect(told).toMatchObject({ covered: matched === golden.length, matched, extra })
        if (matched > 0 && matched < golden.length) partial++
      }),
      { numRuns: 1000 },
    )
    expect(partial).toBeGreaterThan(20)
  })
})

describe('C33: types are strict', () => {
  it.each([
    ['1', '1.0', true],
    ['1', '1e0', true],
    ['0', '-0', true],
    ['9007199254740993', '9007199254740993.0', true],
    ['9007199254740993', '9007199254740992', false],
    ['1', '"1"', false],
    ['1', 'true', false],
    ['null', '"none"', false],
    ['null', 'false', false],
    ['[1,2]', '[2,1]', false],
    ['"10"', '"100"', false],
  ])('%s and %s as an argument: %s', (golden, made, equal) => {
    const asCall = (text: string): ToolCall => ({ name: 'f', arguments: `{"v":${text}}` })
    expect(coverage([asCall(golden)], [asCall(made)]).covered).toBe(equal)
    expect(coverage([asCall(made)], [asCall(golden)]).covered).toBe(equal)
    expect(coverage([asCall('null')], [{ name: 'f', arguments: '{}' }]).covered).toBe(false)
  })
})
