/**
 * Golden calls that look at some of their arguments only (`compare`).
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, ToolCall } from '../../src/reward/call.js'
import { coverage } from '../../src/reward/cover.js'
import { compileGolden, scoreRollout } from '../../src/reward/golden.js'
import { partialCoverage } from '../../src/reward/partial.js'
import { type CoveragePolicy, resolveCoveragePolicy } from '../../src/reward/policy.js'
import { sameGolden } from '../../src/reward/sameGolden.js'
import { scoreGroups } from '../../src/reward/score.js'

const golden = (args: JsonObject, compare?: readonly string[] | null): ToolCall => ({
  name: 'f',
  arguments: args,
  compare,
})
const made = (args: unknown): ToolCall => ({ name: 'f', arguments: JSON.stringify(args) })

describe('compare', () => {
  it('names the arguments that count, on both sides', () => {
    const wanted = [golden({ id: 7, note: 'x' }, ['id'])]
    expect(coverage(wanted, [made({ id: 7, note: 'other', more: true })])).toMatchObject({
      covered: true,
      extra: 0,
    })
    expect(coverage(wanted, [made({ id: 7 })]).covered).toBe(true)
    expect(coverage(wanted, [made({ id: 8, note: 'x' })]).missed).toMatchObject([
      { reason: 'wrong-arguments', path: 'id', expected: 7, got: 8 },
    ])
    expect(coverage(wanted, [made({ note: 'x' })]).missed).toMatchObject([{ path: 'id', expected: 7 }])
  })

  it('of a name that the golden call has not asks that the call has not either', () => {
    const wanted = [golden({ id: 7 }, ['id', 'force'])]
    expect(coverage(wanted, [made({ id: 7 })]).covered).toBe(true)
    expect(coverage(wanted, [made({ free: 1, id: 7, force: null })]).missed).toMatchObject([
      { reason: 'wrong-arguments', path: 'force', got: null },
    ])
    expect(coverage(wanted, [made({ id: 7, force: 1 })], { args: 'subset' }).covered).toBe(true)
  })

  it('empty lets the name alone count, null and absent all arguments', () => {
    expect(coverage([golden({ id: 7 }, [])], [made({ x: 1 })]).covered).toBe(true)
    expect(coverage([golden({ id: 7 }, [])], [{ name: 'g' }]).covered).toBe(false)
    expect(coverage([golden({ id: 7 }, [])], [{ name: 'f', arguments: '{"x":' }]).covered).toBe(false)
    for (const compare of [null, undefined])
      expect(coverage([golden({ id: 7 }, compare)], [made({ id: 7, x: 1 })]).covered).toBe(false)
  })

  it('leaves keys that objects inherit elsewhere to themselves', () => {
    const wanted = [golden(JSON.parse('{"__proto__":1,"toString":2}'), ['__proto__'])]
    expect(coverage(wanted, [{ name: 'f', arguments: '{"__proto__":1}' }]).covered).toBe(true)
    expect(coverage(wanted, [{ name: 'f', arguments: '{"toString":2}' }]).covered).toBe(false)
  })

  it('finds the pairs that cover all golden calls, though one call may be for several', () => {
    // The free golden call must not take the call that the strict one needs.
    const wanted = [golden({}, []), golden({ id: 1 })]
    for (const calls of [
      [made({ id: 1 }), made({ id: 2 })],
      [made({ id: 2 }), made({ id: 1 })],
    ]) {
      expect(coverage(wanted, calls)).toMatchObject({ covered: true, matched: 2, extra: 0 })
      const compiled = compileGolden('golden', [wanted], resolveCoveragePolicy('test'))
      expect(scoreRollout(compiled, { turns: [calls] }, 'turn')).toMatchObject({ reward: [1], extra: 0 })
    }
    expect(coverage(wanted, [made({ id: 1 })])).toMatchObject({ matched: 1 })
    expect(coverage(wanted, [made({ id: 1 })], { matching: 'set' })).toMatchObject({ covered: true })
  })

  it('lowers no credit for an argument that does not count', () => {
    const wanted = [golden({ a: 1, b: 2, c: 3 }, ['a', 'b'])]
    expect(partialCoverage(wanted, [made({ a: 1, b: 0, x: 0, y: 0 })]).share).toBe(0.5)
    expect(partialCoverage(wanted, [made({ a: 1, b: 2, x: 0 })]).share).toBe(1)
  })

  it('is part of what a golden trace asks for', () => {
    const one = [[golden({ a: 1 }, ['a', 'b'])]]
    expect(sameGolden(one, [[golden({ a: 1 }, ['b', 'a'])]])).toBe(true)
    expect(sameGolden(one, [[golden({ a: 1 }, ['a'])]])).toBe(false)
    expect(sameGolden([[golden({ a: 1 }, null)]], [[golden({ a: 1 })]])).toBe(true)
    expect(sameGolden([[golden({ a: 1 }, [])]], [[golden({ a: 1 })]])).toBe(false)
  })

  it('that is no list of names is refused with its place', () => {
    const wrong = (compare: unknown): ToolCall[] => [golden({}), golden({}, compare as readonly string[])]
    expect(() => coverage(wrong('id'), [])).toThrow(
      'coverage: golden[1].compare: expected a list of argument names or null, got "id"',
    )
    expect(() => coverage(wrong(['id', 3]), [])).toThrow(
      'coverage: golden[1].compare[1]: expected the name of an argument, got 3',
    )
  })

  it('is equality of the arguments that it names, under every policy', () => {
    const args = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(0, 1, 'x'))
    const names = fc.subarray(['a', 'b', 'c', 'd'])
    const policy = fc.constantFrom<Partial<CoveragePolicy>>(
      {},
      { tolerance: 0.1 },
      { unicode: 'nfc' },
      { matching: 'set' },
      { maxExtraCalls: 0 },
    )
    fc.assert(
      fc.property(args, args, names, policy, (left, right, compare, how) => {
        const only = (from: Record<string, unknown>): unknown =>
          Object.fromEntries(Object.entries(from).filter(([key]) => compare.includes(key)))
        const wanted = coverage([golden(only(left) as JsonObject)], [made(only(right))], how).covered
        expect(coverage([golden(left, compare)], [made(right)], how).covered).toBe(wanted)
        expect(partialCoverage([golden(left, compare)], [made(right)], how).share === 1).toBe(wanted)
      }),
    )
  })
})

describe('a call that a reader says is none', () => {
  it('is malformed, whatever its arguments are', () => {
    const call: ToolCall = { name: 'f', arguments: {}, problem: 'not-a-call' }
    expect(coverage([golden({})], [call])).toMatchObject({ covered: false, malformed: 1, extra: 1 })
    const rollouts = [{ turns: [[call]] }]
    expect([...scoreGroups([{ golden: [[golden({})]], rollouts }]).batch.reward]).toEqual([0])
  })
})
