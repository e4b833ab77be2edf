import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { grpo } from '../../src/baselines/grpo.js'
import { turnBatch } from '../../src/batch/build.js'
import type { GoldenTurn, JsonObject, ToolCall } from '../../src/reward/call.js'
import { coverage } from '../../src/reward/cover.js'
import { partialCoverage } from '../../src/reward/partial.js'
import type { CoveragePolicy } from '../../src/reward/policy.js'
import { type GoldenGroup, scoreGroups } from '../../src/reward/score.js'

const f = (args: JsonObject = {}): ToolCall => ({ name: 'f', arguments: args })
const g = (args: JsonObject = {}): ToolCall => ({ name: 'g', arguments: args })

/** Arguments of up to 5 keys with two values, so that many pairs have something in common. */
const args: fc.Arbitrary<JsonObject> = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(1))
const call: fc.Arbitrary<ToolCall> = fc.record({
  name: fc.constantFrom('f', 'f', 'g'),
  arguments: args,
  requestor: fc.constantFrom('assistant', 'assistant', 'assistant', 'user'),
})
const calls = fc.array(call, { maxLength: 5 })

/** Credit of a pair in 60ths, which are whole for up to 5 keys. */
function credit60(golden: ToolCall, made: ToolCall): number {
  if (golden.name !== made.name || golden.requestor !== made.requestor) return 0
  const a = golden.arguments as JsonObject
  const b = made.arguments as JsonObject
  const right = Object.keys(a).filter((key) => a[key] === b[key]).length
  const of = Math.max(Object.keys(a).length, Object.keys(b).length)
  return of === 0 ? 60 : (60 * right) / of
}

/** The most credit of all one-to-one assignments, tried one by one. */
function best60(golden: readonly ToolCall[], made: readonly ToolCall[]): number {
  const [first, ...rest] = golden
  if (first === undefined) return 0
  const without = best60(rest, made)
  return made.reduce(
    (best, one, j) => Math.max(best, credit60(first, one) + best60(rest, made.toSpliced(j, 1))),
    without,
  )
}

describe('partialCoverage', () => {
  it('has exactly the credit of the best of all one-to-one assignments', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 5 }), calls, (golden, made) => {
        const { share, recall, precision, f1 } = partialCoverage(golden, made)
        const credit = best60(golden, made)
        expect(share).toBe(credit / (60 * golden.length))
        expect(recall).toBe(share)
        expect(precision).toBe(made.length === 0 ? 1 : credit / (60 * made.length))
        expect(f1).toBe((2 * credit) / (60 * (golden.length + made.length)))
      }),
      { numRuns: 300 },
    )
  })

  it('lists pairs that add up, each golden call and each call once', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 5 }), calls, (golden, made) => {
        const { share, pairs } = partialCoverage(golden, made)
        for (const { golden: k, call: j, credit } of pairs)
          expect(credit).toBeCloseTo(credit60(golden[k]!, made[j]!) / 60, 14)
        expect(new Set(pairs.map((pair) => pair.golden)).size).toBe(pairs.length)
        expect(new Set(pairs.map((pair) => pair.call)).size).toBe(pairs.length)
        const sum = pairs.reduce((total, { credit }) => total + credit, 0)
        expect(sum / golden.length).toBeCloseTo(share, 14)
      }),
    )
  })

  it('is bitwise the same for calls in any order', () => {
    fc.assert(
      fc.property(calls, calls, fc.array(fc.nat(), { minLength: 5, maxLength: 5 }), (golden, made, keys) => {
        const order = made.map((_, j) => j).sort((a, b) => keys[a]! - keys[b]!)
        const moved = order.map((j) => made[j]!)
        for (const matching of ['multiset', 'set'] as const)
          for (const maxExtraCalls of [undefined, 1]) {
            const { pairs: _, ...one } = partialCoverage(golden, made, { matching, maxExtraCalls })
            const { pairs: __, ...other } = partialCoverage(golden, moved, { matching, maxExtraCalls })
            expect(other).toEqual(one)
          }
      }),
    )
  })

  it('moves a call to where it is worth more in all, which taking the best pair first would not', () => {
    const golden = [f({ a: 1, b: 1, c: 1, d: 1 }), f({ a: 1, b: 1, c: 8, d: 8 })]
    const made = [f({ a: 1, b: 1, c: 1, d: 9 }), f({ a: 9, b: 9, c: 1, d: 1 })]
    expect(partialCoverage(golden, made)).toEqual({
      share: 0.5,
      f1: 0.5,
      precision: 0.5,
      recall: 0.5,
      pairs: [
        { golden: 0, call: 1, credit: 0.5 },
        { golden: 1, call: 0, credit: 0.5 },
      ],
    })
  })

  const policy: fc.Arbitrary<Partial<CoveragePolicy>> = fc.record(
    {
      matching: fc.constantFrom('multiset' as const, 'set' as const),
      args: fc.constantFrom('equal' as const, 'subset' as const),
      tolerance: fc.constantFrom(0, 1),
      defaults: fc.constant({ f: { a: 0, b: 1 } }),
      emptyGolden: fc.constantFrom('vacuous' as const, 'forbid-calls' as const, 'mask' as const),
      maxExtraCalls: fc.nat(2),
      equal: fc.constantFrom(
        (x: unknown, y: unknown) => (x === 0 && y === 1 ? true : undefined),
        (_x: unknown, _y: unknown, { path }: { path: string }) => (path === '' ? false : undefined),
        (_x: unknown, _y: unknown, { path }: { path: string }) => (path === 'a' ? false : undefined),
      ),
    },
    { requiredKeys: [] },
  )
  const turn: fc.Arbitrary<GoldenTurn> = fc.oneof(
    calls,
    fc.record({ any_of: fc.array(calls, { minLength: 1, maxLength: 3 }) }),
  )

  it('has share 1 exactly where the turn is covered, under every policy', () => {
    let covered = 0
    fc.assert(
      fc.property(
        turn,
        calls,
        fc.boolean(),
        policy,
        fc.boolean(),
        (golden, made, repeats, rules, exactOnly) => {
          const wanted = repeats && Array.isArray(golden) ? [...golden, ...made] : made
          const isCovered = coverage(golden, wanted, rules).covered
          if (isCovered) covered++
          const { share, f1 } = partialCoverage(golden, wanted, rules, { exactOnly })
          expect(share === 1).toBe(isCovered)
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1)
          expect(f1 >= 0 && f1 <= 1).toBe(true)
        },
      ),
      { numRuns: 1000 },
    )
    expect(covered).toBeGreaterThan(100)
  })

  it('counts the golden calls of Eq. 1 where only equal pairs count', () => {
    fc.assert(
      fc.property(
        calls,
        calls,
        fc.constantFrom('multiset' as const, 'set' as const),
        (golden, made, matching) => {
          const { matched } = coverage(golden, made, { matching })
          const { share } = partialCoverage(golden, made, { matching }, { exactOnly: true })
          expect(share).toBe(golden.length === 0 ? 1 : matched / golden.length)
        },
      ),
    )
  })

  it.each<[JsonObject, ToolCall, Partial<CoveragePolicy>, number]>([
    [{ a: 1, b: 2 }, f({ b: 2, a: 1 }), {}, 1],
    [{ a: 1, b: 2 }, f({ a: 1, b: 3 }), {}, 1 / 2],
    [{ a: 1, b: 2 }, f({ a: 1 }), {}, 1 / 2],
    [{ a: 1 }, f({ a: 1, b: 2, c: 3 }), {}, 1 / 3],
    [{ a: 1 }, f({ a: 1, b: 2, c: 3 }), { args: 'subset' }, 1],
    [{ a: 1, b: 2 }, f({ a: 1, x: 2, y: 3 }), { args: 'subset' }, 1 / 2],
    [{ a: 1 }, f({ a: 9, b: 2 }), { args: 'subset', defaults: { f: { b: 2 } } }, 0],
    [{ a: 1 }, f(), {}, 0],
    [{}, f(), {}, 1],
    [{}, f({ a: 1 }), {}, 0],
    [{ a: null }, f(), {}, 0],
    [{ a: 1, b: 2 }, f({ a: 9 }), { defaults: { f: { b: 2 } } }, 1 / 2],
    [{ a: 1 }, f({ a: 9, b: 2 }), { defaults: { f: { b: 2 } } }, 1 / 2],
    [{ a: 1 }, f({ a: 1, b: 3 }), { defaults: { f: { b: 2 } } }, 1 / 2],
    [{ a: 1, b: null }, f({ a: 9 }), { defaults: { f: { b: 2 } } }, 0],
    [{ a: 1, b: [1, 2] }, f({ a: 2, b: [2, 1] }), {}, 0],
    [{ a: 1, b: [1, 2] }, f({ a: 2, b: [2, 1] }), { unordered: ['b'] }, 1 / 2],
    [{ a: 1, b: 2 }, f({ a: 1.25, b: 5 }), { tolerance: 0.5 }, 1 / 2],
    [{ a: 1, b: 'é' }, f({ a: 2, b: 'e\u0301' }), { unicode: 'nfc' }, 1 / 2],
    [{ a: 1, b: { c: 1, d: 2 } }, f({ a: 1, b: { c: 1, d: 3 } }), {}, 1 / 2],
    [{ a: 9007199254740993n, b: 1 }, f({ a: 9007199254740992, b: 1 }), {}, 1 / 2],
    [JSON.parse('{"__proto__":1,"b":2}'), { name: 'f', arguments: '{"__proto__":1,"b":3}' }, {}, 1 / 2],
    [{ a: 1 }, { name: 'f', arguments: '{"a":1' }, {}, 0],
    [{ a: 1 }, { name: 'F', arguments: { a: 1 } }, {}, 0],
    [
      { a: 1, b: 1 },
      { name: 'F', arguments: { a: 1 } },
      { normalizeName: (name) => name.toLowerCase() },
      1 / 2,
    ],
    [{ a: 1 }, { name: 'f', arguments: { a: 1 }, requestor: 'user' }, {}, 0],
  ])('gives %o and %o under %o a credit of %d', (golden, made, rules, credit) => {
    expect(partialCoverage([f(golden)], [made], rules).share).toBe(credit)
  })

  it('asks an equality of the user about the whole arguments and about each value', () => {
    const asked: string[] = []
    const { share } = partialCoverage([f({ a: { x: 1 }, b: 1 })], [f({ a: { x: 2 }, b: 2 })], {
      equal: (golden, made, { path }) => {
        asked.push(path)
        if (path === '')
          expect([golden, made]).toEqual([
            { a: { x: 1 }, b: 1 },
            { a: { x: 2 }, b: 2 },
          ])
        return path === 'a.x' ? true : undefined
      },
    })
    expect(share).toBe(0.5)
    expect([...new Set(asked)].sort()).toEqual(['', 'a', 'a.x', 'b'])
  })

  it('lets one call stand for several golden ones under set, and only there', () => {
    const golden = [f({ a: 1, b: 1 }), f({ a: 1, b: 2 })]
    const made = [f({ a: 1, b: 3 })]
    expect(partialCoverage(golden, made)).toMatchObject({ share: 0.25, precision: 0.5 })
    expect(partialCoverage(golden, made, { matching: 'set' })).toMatchObject({
      share: 0.5,
      precision: 0.5,
      f1: 0.5,
    })
  })

  it('lets extra calls lower F1 and not the share, until the policy refuses the turn', () => {
    const made = [f(), g(), g({ a: 1 })]
    expect(partialCoverage([f()], made)).toMatchObject({ share: 1, f1: 0.5, precision: 1 / 3 })
    expect(partialCoverage([f()], made, { maxExtraCalls: 1 })).toMatchObject({ share: 0, f1: 0, recall: 1 })
    expect(partialCoverage([f({ a: 1, b: 2 })], [f({ a: 1 })], { maxExtraCalls: 0 }).share).toBe(0.5)
  })

  it('prefers more pairs where the credit is the same, so that fewer calls are extra', () => {
    const golden = [f({ a: 1, b: 1 }), f({ a: 2, b: 1 })]
    const made = [f({ a: 1, b: 1 }), f({ a: 1, b: 2 })]
    for (const calls of [made, made.toReversed()])
      for (const wanted of [golden, golden.toReversed()]) {
        const { share, pairs } = partialCoverage(wanted, calls, { maxExtraCalls: 0 })
        expect(share).toBe(0.5)
        expect(pairs.map(({ credit }) => credit)).toEqual([0.5, 0.5])
      }
  })

  it('takes an empty golden turn as the policy says', () => {
    const one = [f()]
    expect(partialCoverage([], one)).toEqual({ share: 1, f1: 1, precision: 0, recall: 1, pairs: [] })
    expect(partialCoverage([], [])).toMatchObject({ share: 1, f1: 1, precision: 1, recall: 1 })
    expect(partialCoverage([], one, { emptyGolden: 'forbid-calls' })).toMatchObject({ share: 0, f1: 0 })
    expect(partialCoverage([], [], { emptyGolden: 'forbid-calls' })).toMatchObject({ share: 1, f1: 1 })
    expect(partialCoverage([], one, { maxExtraCalls: 0 })).toMatchObject({ share: 0, f1: 0 })
  })

  it('tells of the alternative that is best by the reward asked for, the first of equal ones', () => {
    const golden = { any_of: [[f(), g(), g({ a: 1 })], [f()]] }
    const made = [f(), g(), f({ z: 1 }), f({ z: 2 })]
    const byShare = partialCoverage(golden, made)
    expect(byShare).toMatchObject({ alternative: 1, share: 1, f1: 0.4 })
    expect(partialCoverage(golden, made, {}, { by: 'f1' })).toMatchObject({
      alternative: 0,
      share: 2 / 3,
      f1: 4 / 7,
    })
    expect(partialCoverage({ any_of: [[g()], [f()], [f()]] }, [f()])).toMatchObject({ alternative: 1 })
    expect(partialCoverage({ any_of: [[f()], [f(), g()]] }, [f(), g()])).toMatchObject({
      alternative: 1,
      f1: 1,
    })
    expect(partialCoverage([f()], made)).not.toHaveProperty('alternative')
  })

  it('keeps to its order where credits have no common denominator that float64 could hold', () => {
    const primes = [11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53]
    const withKeys = (n: number): ToolCall =>
      f(Object.fromEntries(Array.from({ length: n }, (_, k) => [`k${k}`, k === 0 ? 1 : n])))
    const golden = primes.map(withKeys)
    const made = primes.map((n) => f({ ...(withKeys(n).arguments as JsonObject), k1: -1 }))
    const share = partialCoverage(golden, made).share
    expect(share).toBeCloseTo(primes.reduce((sum, n) => sum + (n - 1) / n, 0) / primes.length, 10)
    expect(partialCoverage(golden.toReversed(), made).share).toBe(share)
    expect(partialCoverage(golden, [...golden].reverse()).share).toBe(1)
    expect(partialCoverage(golden, [...golden.slice(1), made[0]!]).share).toBeLessThan(1)
  })

  it('refuses what is no golden turn, no list of calls and no option', () => {
    expect(() => partialCoverage([{ name: '' }], [])).toThrow('partialCoverage: golden[0].name')
    expect(() => partialCoverage([], 1 as never)).toThrow(
      'partialCoverage: calls: expected a list of calls, got 1',
    )
    expect(() => partialCoverage([], [], {}, { by: 'recall' as never })).toThrow(
      'partialCoverage: options.by',
    )
    expect(() => partialCoverage([], [], {}, { greedy: true } as never)).toThrow('options.greedy')
  })
})

describe('scoreGroups with partial credit', () => {
  const golden = [[f({ a: 1, b: 2 }), g()], [], [f()]]
  const groups: GoldenGroup[] = [
    {
      golden,
      rollouts: [
        { turns: [[f({ a: 1, b: 2 }), g()], [], [f(), g()]] },
        { turns: [[f({ a: 1, b: 3 })], [g()]] },
        { turns: [[g()], [], [g()]], status: 'aborted' },
      ],
    },
  ]

  it('puts the share or F1 of each turn into a batch of real rewards', () => {
    const rewards = (reward: 'binary' | 'share' | 'f1'): number[] => [
      ...scoreGroups(groups, {}, { reward }).batch.reward,
    ]
    expect(rewards('binary')).toEqual([1, 1, 1, 0, 1, 0, 0, 0, 0])
    expect(rewards('share')).toEqual([1, 1, 1, 0.25, 1, 0, 0, 0, 0])
    expect(rewards('f1')).toEqual([1, 1, 2 / 3, 1 / 3, 1, 0, 0, 0, 0])
    const { batch, coverage: reasons } = scoreGroups(groups, {}, { reward: 'share' })
    expect(batch.realRewards).toBe(true)
    expect([...batch.reached]).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0])
    expect(reasons).toEqual(scoreGroups(groups).coverage)
    expect(scoreGroups(groups).batch.realRewards).toBe(false)
  })

  it('leaves masked turns at 0 and counts equal pairs only where asked', () => {
    const { batch } = scoreGroups(groups, { emptyGolden: 'mask' }, { reward: 'share', exactOnly: true })
    expect([...batch.reward]).toEqual([1, 0, 1, 0, 0, 0, 0, 0, 0])
  })

  it('serves every estimator that takes real rewards', () => {
    const { batch } = scoreGroups(groups, {}, { reward: 'share' })
    expect(tara(batch)[0]).toBeGreaterThan(1)
    expect(grpo(batch, { reward: 'mean' })[0]).toBeGreaterThan(0.99)
  })

  it('has a share under scope rollout but no F1, as calls of other turns would be extra', () => {
    const whole: GoldenGroup[] = [
      { golden, scope: 'rollout', rollouts: [{ turns: [[f({ a: 1, b: 3 })], [g(), f()]] }] },
    ]
    expect([...scoreGroups(whole, {}, { reward: 'share' }).batch.reward]).toEqual([0.75, 1, 1])
    expect(() => scoreGroups(whole, {}, { reward: 'f1' })).toThrow(
      'scoreGroups: options.reward: expected "binary" or "share", as scoreGroups: groups[0].scope is "rollout", got "f1"',
    )
  })

  it('refuses other rewards', () => {
    expect(() => scoreGroups(groups, {}, { reward: 'recall' as never })).toThrow(
      'scoreGroups: options.reward',
    )
    expect(() => scoreGroups(groups, {}, { exactOnly: 1 as never })).toThrow('scoreGroups: options.exactOnly')
  })
})

describe('theorems under rewards in [0, 1]', () => {
  const share = fc.tuple(fc.nat(6), fc.integer({ min: 1, max: 6 })).map(([n, d]) => Math.min(n, d) / d)
  const table = fc
    .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 1, max: 4 }))
    .chain(([K, T]) =>
      fc.array(fc.array(share, { minLength: T, maxLength: T }), { minLength: K, maxLength: K }),
    )
  const batchOf = (rewards: number[][]) => turnBatch([{ rewards }], { realRewards: true })
  const gamma = fc.double({ min: 0, max: 1, noNaN: true })
  const lambda = fc.double({ min: 0, max: 0.99, noNaN: true })

  it('A.4: a turn without any credit is never above 0, and below 0 iff another has some', () => {
    fc.assert(
      fc.property(table, gamma, lambda, (rewards, gamma, lambda) => {
        const A = tara(batchOf(rewards), { gamma, lambda })
        const T = rewards[0]!.length
        rewards.forEach((row, i) => {
          row.forEach((r, t) => {
            if (r !== 0) return
            expect(A[i * T + t]!).toBeLessThanOrEqual(0)
            expect(A[i * T + t]! < 0).toBe(rewards.some((other) => other[t]! > 0))
          })
        })
      }),
    )
  })

  it('with the gate open at 1 only, an incomplete turn gains nothing from its future', () => {
    fc.assert(
      fc.property(table, gamma, lambda, (rewards, gamma, lambda) => {
        const { future } = taraParts(batchOf(rewards), { gamma, lambda, gate: { threshold: 1 } })
        rewards.flat().forEach((r, j) => {
          if (r < 1) expect(future[j]!).toBeLessThanOrEqual(0)
        })
      }),
    )
  })

  it('with the gate of the reward, an incomplete turn below the mean can be above 0', () => {
    const batch = batchOf([
      [0.5, 1],
      [0.25, 0],
      [1, 0],
      [0.5, 0],
    ])
    const { local, advantage } = taraParts(batch)
    expect(local[0]!).toBeLessThan(0)
    expect(advantage[0]!).toBeGreaterThan(0.6)
    expect(tara(batch, { gate: { threshold: 1 } })[0]!).toBe(local[0])
  })

  it('TARA is silent iff all rollouts have the same rewards', () => {
    fc.assert(
      fc.property(table, fc.boolean(), gamma, (rewards, alike, gamma) => {
        const rows = alike ? rewards.map(() => rewards[0]!) : rewards
        const isFlat = rows.every((row) => row.every((r, t) => r === rows[0]![t]))
        expect(tara(batchOf(rows), { gamma }).every((a) => Object.is(a, 0))).toBe(isFlat)
      }),
    )
  })

  it('C15: where a turn is right or wrong, a wrong one is at most 0 whatever real rewards follow', () => {
    const rows = fc.array(fc.tuple(fc.nat(1), fc.double({ min: -100, max: 100, noNaN: true })), {
      minLength: 2,
      maxLength: 6,
    })
    fc.assert(
      fc.property(rows, lambda, (rewards, lambda) => {
        const gate = Float64Array.from(rewards.flatMap(([r]) => [r, 1]))
        const A = tara(batchOf(rewards), { lambda, gate })
        rewards.forEach(([r], i) => {
          if (r === 0) expect(A[2 * i]!).toBeLessThanOrEqual(0)
        })
      }),
      { numRuns: 300 },
    )
  })
})
