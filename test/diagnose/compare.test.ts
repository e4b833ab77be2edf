import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { grpo } from '../../src/baselines/grpo.js'
import { turnBatch } from '../../src/batch/build.js'
import { compareEstimators } from '../../src/diagnose/compare.js'
import { centered, correlationOf, varianceOf } from '../../src/diagnose/correlation.js'
import { diagnose } from '../../src/diagnose/diagnose.js'
import { anyBatch, anyRules } from './anyBatch.js'

const worked = turnBatch([
  {
    rewards: [
      [1, 1, 1],
      [1, 0, 1],
      [0, 1, 1],
      [1, 1, 0],
    ],
  },
])

const values = (...numbers: number[]): Float64Array => Float64Array.from(numbers)

describe('compareEstimators', () => {
  it('finds the worked figures of the shipped example', () => {
    // TARA's signs: + + +, + − +, − + +, + + −. GRPO's: + for the first rollout, − for the others.
    const found = compareEstimators(worked, [
      { name: 'tara', advantage: tara(worked) },
      { name: 'grpo', advantage: grpo(worked, { epsilon: 0 }) },
    ])
    expect(found).toMatchObject({ groups: 1, turns: 3, votes: 12, reference: 'tara' })
    expect(found.estimators[0]).toMatchObject({
      name: 'tara',
      silentGroups: 0,
      silentTurns: 0,
      correct: 9,
      correctNegative: 0,
      failed: 3,
      failedPositive: 0,
    })
    // Each of the three rollouts that fail one turn has two right ones, which GRPO blames too.
    expect(found.estimators[1]).toMatchObject({ correctNegative: 6, failedPositive: 0 })
    expect(found.estimators[1]!.mean).toBeCloseTo(0, 14)
    expect(found.estimators[1]!.variance).toBeCloseTo(1, 14)
    expect(found.pairs).toEqual([
      {
        name: 'grpo',
        votes: 12,
        sameSign: 6,
        turns: new Array(3).fill({ votes: 4, sameSign: 2 }),
        correlation: expect.closeTo(0.4393, 4),
      },
    ])
  })

  it('works out mean, variance and correlation by hand', () => {
    const batch = turnBatch([{ rewards: [[1], [1], [0], [0]] }])
    const { estimators, pairs } = compareEstimators(batch, [
      { name: 'x', advantage: values(1, 2, 3, 4) },
      { name: 'y', advantage: values(1, 3, 2, 4) },
      { name: 'minus', advantage: values(-1, -2, -3, -4) },
      { name: 'still', advantage: values(2, 2, 2, 2) },
    ])
    // Deviations −1.5 −0.5 0.5 1.5 and −1.5 0.5 −0.5 1.5: Σxy = 4, Σx² = Σy² = 5.
    expect(estimators.map(({ mean, variance }) => [mean, variance])).toEqual([
      [2.5, expect.closeTo(1.25, 14)],
      [2.5, expect.closeTo(1.25, 14)],
      [-2.5, expect.closeTo(1.25, 14)],
      [2, 0],
    ])
    expect(pairs.map(({ correlation }) => correlation)).toEqual([expect.closeTo(0.8, 14), -1, undefined])
    expect(pairs.map(({ sameSign }) => sameSign)).toEqual([4, 0, 4])
    expect(
      estimators.map(({ correctNegative, failedPositive }) => [correctNegative, failedPositive]),
    ).toEqual([
      [0, 2],
      [0, 2],
      [2, 0],
      [0, 2],
    ])
  })

  it('counts 0 as a sign of its own, and turns and groups in which all are 0 as silent', () => {
    const batch = turnBatch([
      {
        rewards: [
          [1, 1],
          [1, 0],
        ],
      },
      { rewards: [[1], [0]] },
      { rewards: [] },
    ])
    const { estimators, pairs, turns } = compareEstimators(batch, [
      { name: 'a', advantage: values(0, 1, 0, -1, 0, 0) },
      { name: 'b', advantage: values(0, 0, 1, -1, 0, 0) },
    ])
    expect(turns).toBe(3)
    expect(estimators.map(({ silentGroups, silentTurns }) => [silentGroups, silentTurns])).toEqual([
      [2, 2],
      [2, 1],
    ])
    expect(pairs[0]).toMatchObject({
      votes: 6,
      sameSign: 4,
      turns: [
        { votes: 4, sameSign: 3 },
        { votes: 2, sameSign: 1 },
      ],
    })
  })

  it('looks at cells that vote alone, and at signs only where the turn was reached', () => {
    const batch = turnBatch([
      { rewards: [[1, 1], [0], [1, 1]], numTurns: 2, valid: [true, true, false], masked: [false, false] },
    ])
    const advantage = values(1, 1, -1, 1, 9, 9)
    const zero = compareEstimators(batch, [{ name: 'a', advantage }])
    expect(zero).toMatchObject({
      votes: 4,
      estimators: [{ correct: 2, failed: 1, failedPositive: 0, mean: 0.5 }],
    })
    const exclude = compareEstimators(batch, [{ name: 'a', advantage }], { unreached: 'exclude' })
    expect(exclude.votes).toBe(3)
    expect(exclude.pairs).toEqual([])
  })

  it('takes an empty batch', () => {
    const batch = turnBatch([])
    const named = ['a', 'b'].map((name) => ({ name, advantage: tara(batch) }))
    expect(compareEstimators(batch, named)).toMatchObject({
      votes: 0,
      estimators: [{ mean: undefined, variance: undefined }, {}],
      pairs: [{ votes: 0, turns: [], correlation: undefined }],
    })
  })

  it('refuses no estimators, a name twice, and numbers that are not there or not finite', () => {
    const advantage = tara(worked)
    const refused = (named: unknown): string => {
      try {
        compareEstimators(worked, named as never)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(refused([])).toContain('compareEstimators: named: expected a list of one estimator or more')
    expect(
      refused([
        { name: 'a', advantage },
        { name: 'a', advantage },
      ]),
    ).toContain('named[1].name: expected a name of its own')
    expect(refused([{ name: 'a', advantage: values(1) }])).toContain('named[0].advantage: expected 12 values')
    expect(refused([{ name: 1, advantage }])).toContain('named[0].name: expected a name')
    expect(refused([{ name: 'a', advantage: advantage.map(() => Number.NaN) }])).toContain(
      'named[0].advantage[0]: expected a finite number, got NaN',
    )
  })

  test.prop([anyBatch, anyRules], { numRuns: 200 })(
    'an estimator agrees with itself: all signs, correlation 1 or none where nothing varies',
    (batch, rules) => {
      const advantage = tara(batch, rules)
      const { estimators, pairs } = compareEstimators(
        batch,
        [
          { name: 'one', advantage },
          { name: 'other', advantage: advantage.slice() },
        ],
        rules,
      )
      const pair = pairs[0]!
      expect(pair.sameSign).toBe(pair.votes)
      for (const turn of pair.turns) expect(turn.sameSign).toBe(turn.votes)
      const varies = (estimators[0]!.variance ?? 0) > 0
      expect(pair.correlation).toBe(varies ? 1 : undefined)
    },
  )

  test.prop([anyBatch, anyRules], { numRuns: 200 })(
    'is the same both ways, adds up over the turns, and counts signs as a diagnosis does',
    (batch, rules) => {
      const a = { name: 'a', advantage: tara(batch, rules) }
      const b = { name: 'b', advantage: grpo(batch, rules) }
      const found = compareEstimators(batch, [a, b], rules)
      const pair = found.pairs[0]!
      const back = compareEstimators(batch, [b, a], rules).pairs[0]!
      expect({ ...back, name: 'b' }).toEqual(pair)
      expect(pair.turns.reduce((sum, { sameSign }) => sum + sameSign, 0)).toBe(pair.sameSign)
      expect(pair.turns.reduce((sum, { votes }) => sum + votes, 0)).toBe(found.votes)
      if (pair.correlation !== undefined) expect(Math.abs(pair.correlation)).toBeLessThanOrEqual(1)
      const { total, summary } = diagnose(batch, taraParts(batch, rules), rules)
      const { correct, correctNegative, failed, failedPositive, silentGroups } = found.estimators[0]!
      expect({ correct, correctNegative, failed, failedPositive }).toEqual({
        correct: total.correct,
        correctNegative: total.correctNegative,
        failed: total.failed,
        failedPositive: total.failedPositive,
      })
      expect(silentGroups).toBe(summary.zeroVarianceGroups)
    },
  )
})

describe('correlation', () => {
  it('holds for numbers of any size', () => {
    for (const size of [5e-324, 1e-300, 1, 1e300, 8e307]) {
      const x = centered(values(size, -size, size, -size))!
      const y = centered(values(1, 0, 1, 0))!
      expect(correlationOf(x, y)).toBe(1)
      expect(x.mean).toBe(0)
    }
    expect(varianceOf(centered(values(1e300, -1e300))!)).toBeUndefined()
    expect(centered(values(1.7e308, -1.7e308))).toMatchObject({ mean: 0, range: Number.POSITIVE_INFINITY })
    expect(centered(values())).toBeUndefined()
  })

  const small = fc.integer({ min: -9, max: 9 })

  test.prop([
    fc.array(fc.tuple(small, small), { minLength: 2, maxLength: 20 }),
    fc.integer({ min: 1, max: 9 }),
    small,
  ])(
    'does not change when one side is scaled and moved, and turns when it is turned',
    (pairs, scale, move) => {
      const x = centered(values(...pairs.map(([x]) => x)))!
      const y = centered(values(...pairs.map(([, y]) => y)))!
      const moved = (factor: number): ReturnType<typeof correlationOf> =>
        correlationOf(x, centered(values(...pairs.map(([, y]) => factor * y + move)))!)
      const found = correlationOf(x, y)
      expect(moved(scale)).toEqual(found === undefined ? undefined : expect.closeTo(found, 12))
      expect(moved(-scale)).toEqual(found === undefined ? undefined : expect.closeTo(-found, 12))
    },
  )
})
