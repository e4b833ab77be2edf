import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalize } from '../../src/advantage/moments.js'
import { type FlatLevels, type LevelBatch, levelBatch, stepTurns } from '../../src/baselines/levels.js'
import { multilevelAdvantage, multilevelDefaults } from '../../src/baselines/multilevel.js'
import { broadcast } from '../../src/tokens/broadcast.js'
import { lossMask } from '../../src/tokens/mask.js'
import { tokenSpans } from '../../src/tokens/spans.js'

/** A rollout as [reward, phases], a phase as [reward, rewards of its steps]; null is no reward. */
type Reward = number | null
type Rollout = readonly [Reward, readonly (readonly [Reward, readonly Reward[]])[]]

function flat(groups: readonly (readonly Rollout[])[], valid?: readonly number[]): FlatLevels {
  const rollouts = groups.flat()
  const phases = rollouts.flatMap(([, phases]) => phases)
  const steps = phases.flatMap(([, steps]) => steps)
  const ptr = (counts: readonly number[]): number[] => {
    const offsets = [0]
    for (const count of counts) offsets.push(offsets.at(-1)! + count)
    return offsets
  }
  const rewards = (values: readonly Reward[]): Float64Array =>
    Float64Array.from(values, (value) => value ?? 0)
  const has = (values: readonly Reward[]): Uint8Array =>
    Uint8Array.from(values, (value) => (value === null ? 0 : 1))
  return {
    groupPtr: ptr(groups.map((group) => group.length)),
    phasePtr: ptr(rollouts.map(([, phases]) => phases.length)),
    stepPtr: ptr(phases.map(([, steps]) => steps.length)),
    trajectoryReward: rewards(rollouts.map(([reward]) => reward)),
    phaseReward: rewards(phases.map(([reward]) => reward)),
    stepReward: rewards(steps),
    hasTrajectoryReward: has(rollouts.map(([reward]) => reward)),
    hasPhaseReward: has(phases.map(([reward]) => reward)),
    hasStepReward: has(steps),
    ...(valid && { valid: Uint8Array.from(valid) }),
  }
}

const levels = (groups: readonly (readonly Rollout[])[], valid?: readonly number[]): LevelBatch =>
  levelBatch(flat(groups, valid))

/** z of a list of numbers, by the textbook. */
function z(values: readonly number[], epsilon = 1e-6): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const std = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  return values.map((value) =>
    values.every((other) => other === values[0]) ? 0 : (value - mean) / (std + epsilon),
  )
}

const only = (level: 'trajectory' | 'phase' | 'step') => ({
  trajectoryWeight: level === 'trajectory' ? 1 : 0,
  phaseWeight: level === 'phase' ? 1 : 0,
  stepWeight: level === 'step' ? 1 : 0,
})

const reward = fc.oneof(fc.constantFrom(0, 0.5, 1, -0.5), fc.double({ min: -10, max: 10, noNaN: true }))
const maybe = fc.option(reward, { freq: 5 })
const phase = fc.tuple(maybe, fc.array(maybe, { maxLength: 3 }))
const rollout: fc.Arbitrary<Rollout> = fc.tuple(maybe, fc.array(phase, { maxLength: 3 }))
const group = fc.array(rollout, { maxLength: 4 })
const groups = fc.array(group, { maxLength: 3 })
const over = fc.constantFrom('group' as const, 'index' as const, 'rollout' as const)

/** Three rollouts of 1 to 2 phases. */
const three: Rollout[] = [
  [
    1.5,
    [
      [1, [1, 0.5]],
      [0.25, [0]],
    ],
  ],
  [0, [[0.5, [0.5]]]],
  [
    -0.5,
    [
      [0.25, [1, 1]],
      [1, [0.25, 0]],
    ],
  ],
]

describe('multilevelAdvantage', () => {
  it('adds the three levels, each normalized on its own over the group', () => {
    const [t0, t1, t2] = z([1.5, 0, -0.5])
    const p = z([1, 0.25, 0.5, 0.25, 1])
    const s = z([1, 0.5, 0, 0.5, 1, 1, 0.25, 0])
    const owners = [t0, t0, t0, t1, t2, t2, t2, t2]
    const phases = [0, 0, 1, 2, 3, 3, 4, 4]
    const expected = owners.map((t, k) => t! + 0.5 * p[phases[k]!]! + 0.25 * s[k]!)
    const A = multilevelAdvantage(levels([three]))
    expect(A).toHaveLength(8)
    A.forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k]!, 12)
    })
  })

  it('compares phases and steps at the same place, or those of one rollout, where asked', () => {
    const at = (level: 'phase' | 'step', over: 'index' | 'rollout'): Float64Array =>
      multilevelAdvantage(levels([three]), { ...only(level), over })
    const close = (values: Float64Array, expected: number[]): void => {
      expect(values).toHaveLength(expected.length)
      values.forEach((value, k) => {
        expect(value).toBeCloseTo(expected[k]!, 12)
      })
    }
    const [p0, p1, p2] = z([1, 0.5, 0.25]) as [number, number, number]
    const [q0, q2] = z([0.25, 1]) as [number, number]
    close(at('phase', 'index'), [p0, p0, q0, p1, p2, p2, q2, q2])
    const [r0, r1] = z([1, 0.25]) as [number, number]
    close(at('phase', 'rollout'), [r0, r0, r1, 0, r1, r1, r0, r0])
    const [a0, a1, a2] = z([1, 0.5, 1]) as [number, number, number]
    const [b0, b2] = z([0.5, 1]) as [number, number]
    const [c0, c2] = z([0, 0.25]) as [number, number]
    close(at('step', 'index'), [a0, b0, c0, a1, a2, b2, c2, 0])
    close(at('step', 'rollout'), [...z([1, 0.5, 0]), 0, ...z([1, 1, 0.25, 0])])
  })

  it('is not the normalized sum of weighted rewards', () => {
    const pair: Rollout[] = [
      [1, [[0, [0, 100]]]],
      [0, [[0, [0, 0]]]],
    ]
    const decoupled = multilevelAdvantage(levels([pair]))
    const sums = Float64Array.of(1 + 0.25 * 0, 1 + 0.25 * 100, 0, 0)
    normalize(sums, 4, multilevelDefaults)
    expect(decoupled[0]!).toBeGreaterThan(0.8) // its trajectory was the better one
    expect(sums[0]!).toBeLessThan(-0.5) // its step 1 drowns that
  })

  it('is λ_τ·z(R_τ) where phases and steps are all alike (C49)', () => {
    const rewards = fc.array(reward, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(
        rewards,
        reward,
        reward,
        over,
        fc.double({ min: 0, max: 3, noNaN: true }),
        (R, p, s, over, weight) => {
          const batch = levels([
            R.map(
              (r): Rollout => [
                r,
                [
                  [p, [s, s]],
                  [p, [s]],
                ],
              ],
            ),
          ])
          const A = multilevelAdvantage(batch, { over, trajectoryWeight: weight })
          const x = Float64Array.from(R)
          normalize(x, R.length, multilevelDefaults)
          A.forEach((value, k) => {
            expect(Object.is(value, weight * x[Math.floor(k / 3)]! + 0)).toBe(true)
          })
        },
      ),
    )
  })

  it('sums to zero at each level over what is compared', () => {
    const whole = fc.array(
      fc.tuple(
        reward,
        fc.array(fc.tuple(reward, fc.array(reward, { minLength: 1, maxLength: 3 })), {
          minLength: 1,
          maxLength: 3,
        }),
      ),
      { minLength: 1, maxLength: 4 },
    )
    fc.assert(
      fc.property(whole, over, (rollouts: Rollout[], over) => {
        const batch = levels([rollouts])
        const firstStep = (starts: Iterable<number>, A: Float64Array): number =>
          Array.from(starts, (s) => A[s]!).reduce((sum, value) => sum + value, 0)
        const { phasePtr, stepPtr } = batch
        const A = (level: 'trajectory' | 'phase' | 'step') =>
          multilevelAdvantage(batch, { ...only(level), over })
        const ofRollouts = Array.from(phasePtr.subarray(0, -1), (p) => stepPtr[p]!)
        expect(firstStep(ofRollouts, A('trajectory'))).toBeCloseTo(0, 9)
        expect(firstStep(stepPtr.subarray(0, -1), A('phase'))).toBeCloseTo(0, 9)
        expect(A('step').reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 9)
      }),
    )
  })

  it('is at most Σ λ·√(n − 1) in size', () => {
    fc.assert(
      fc.property(group, over, (rollouts, over) => {
        const batch = levels([rollouts])
        const bound = (n: number): number => Math.sqrt(Math.max(0, n - 1))
        const limit =
          bound(rollouts.length) +
          0.5 * bound(batch.phaseReward.length) +
          0.25 * bound(batch.stepReward.length)
        for (const value of multilevelAdvantage(batch, { over }))
          expect(Math.abs(value)).toBeLessThanOrEqual(limit)
      }),
    )
  })

  it('with one weight alone is that level, and their weighted sum is the whole', () => {
    fc.assert(
      fc.property(groups, over, (given, over) => {
        const batch = levels(given)
        const [t, p, s] = (['trajectory', 'phase', 'step'] as const).map((level) =>
          multilevelAdvantage(batch, { ...only(level), over }),
        )
        const A = multilevelAdvantage(batch, { over })
        A.forEach((value, k) => {
          expect(value).toBe(t![k]! + 0.5 * p![k]! + 0.25 * s![k]! + 0)
        })
        const none = multilevelAdvantage(batch, { over, trajectoryWeight: 0, phaseWeight: 0, stepWeight: 0 })
        expect(none.every((value) => Object.is(value, 0))).toBe(true)
      }),
    )
  })

  it('is exactly +0 where all rewards of each level are equal, as for one rollout of one phase and step', () => {
    for (const value of [0.1, -0, -1.9])
      for (const over of ['group', 'index', 'rollout'] as const) {
        const alike = Array.from({ length: 7 }, (): Rollout => [value, [[value, [value, value]]]])
        expect(multilevelAdvantage(levels([alike]), { over }).every((a) => Object.is(a, 0))).toBe(true)
        expect([...multilevelAdvantage(levels([[[value, [[1, [1]]]]]]), { over })]).toEqual([0])
      }
  })

  it('never lets −0, NaN or infinity out, nor one group see another', () => {
    fc.assert(
      fc.property(groups, over, fc.constantFrom('std' as const, 'none' as const), (given, over, scale) => {
        const A = multilevelAdvantage(levels(given), { over, scale })
        expect(A.every((a) => Number.isFinite(a) && !Object.is(a, -0))).toBe(true)
        const apart = given.flatMap((one) => [...multilevelAdvantage(levels([one]), { over, scale })])
        expect([...A]).toEqual(apart)
      }),
    )
    const wide: Rollout[] = [
      [1e300, [[1e300, [1e300]]]],
      [-1e300, [[-1e300, [-1e300]]]],
    ]
    const heavy = { trajectoryWeight: 1e6, phaseWeight: 1e6, stepWeight: 1e6 }
    for (const rule of [{ scale: 'none' }, { baseline: 'leave-one-out', scale: 'none' }, {}] as const)
      expect(multilevelAdvantage(levels([wide]), { ...heavy, ...rule }).every(Number.isFinite)).toBe(true)
  })

  it('leaves out rollouts that are not valid, and gives what has no reward the other levels only', () => {
    const lost: Rollout = [9, [[9, [9]]]]
    const A = multilevelAdvantage(levels([[three[0]!, lost, three[1]!, three[2]!]], [1, 0, 1, 1]))
    const without = multilevelAdvantage(levels([three]))
    expect([...A]).toEqual([...without.subarray(0, 3), 0, ...without.subarray(3)])

    const silent: Rollout[] = [
      [
        1,
        [
          [null, [null, 0]],
          [1, [1]],
        ],
      ],
      [0, [[0, [null]]]],
    ]
    const unit = 0.5 / (0.5 + 1e-6)
    expect(Array.from(multilevelAdvantage(levels([silent])), (value) => value / unit)).toEqual(
      [1, 1 - 0.25, 1 + 0.5 + 0.25, -1 - 0.5].map((value) => expect.closeTo(value, 12)),
    )
    expect(multilevelAdvantage(levels([[[null, [[null, [null]]]]]]))).toEqual(Float64Array.of(0))
  })

  it('writes into out, which may be the rewards', () => {
    const batch = levels([three])
    const fresh = multilevelAdvantage(batch)
    const out = new Float64Array(8).fill(7)
    expect(multilevelAdvantage(batch, {}, out)).toBe(out)
    expect(out).toEqual(fresh)
    expect(multilevelAdvantage(batch, {}, batch.stepReward)).toEqual(fresh)
    expect(() => multilevelAdvantage(batch, {}, new Float64Array(7))).toThrow('multilevelAdvantage: out')
  })

  it('refuses other options', () => {
    expect(() => multilevelAdvantage(levels([three]), { stepWeight: -1 })).toThrow(
      'multilevelAdvantage: options.stepWeight',
    )
    expect(() => multilevelAdvantage(levels([three]), { over: 'batch' as never })).toThrow('options.over')
    expect(() => multilevelAdvantage(levels([three]), { gamma: 1 } as never)).toThrow('options.gamma')
  })
})

describe('levelBatch', () => {
  const good = flat([three])

  it.each<[Partial<Record<keyof FlatLevels | 'steps', unknown>>, string]>([
    [{ groupPtr: [0, 2] }, 'levelBatch: groupPtr[1]: expected 3, the number of children, got 2'],
    [{ phasePtr: [0, 2, 1, 5] }, 'levelBatch: phasePtr[2]: expected a whole number, 2 or more, got 1'],
    [{ stepPtr: [1, 2] }, 'levelBatch: stepPtr[0]: expected 0, got 1'],
    [{ stepReward: new Float64Array(7) }, 'levelBatch: stepReward: expected 8 values, one a step, got 7'],
    [{ phaseReward: [1] }, 'levelBatch: phaseReward: expected a Float64Array, got a list of 1'],
    [
      { trajectoryReward: Float64Array.of(0, Number.NaN, 0) },
      'levelBatch: trajectoryReward[1]: expected a finite number',
    ],
    [
      { hasStepReward: new Uint8Array(8) },
      'levelBatch: stepReward[0]: expected 0 where the step has no reward, got 1',
    ],
    [{ hasPhaseReward: new Uint8Array(5).fill(2) }, 'levelBatch: hasPhaseReward[0]: expected 0 or 1, got 2'],
    [{ valid: [1, 1, 1] }, 'levelBatch: valid: expected a Uint8Array, got a list of 3'],
    [{ steps: [] }, 'levelBatch: steps: expected one of groupPtr'],
  ])('refuses what does not fit together: %#', (change, message) => {
    expect(() => levelBatch({ ...good, ...change } as FlatLevels)).toThrow(message)
  })

  it('takes all as valid and rewarded where nothing is said', () => {
    const { valid: _, hasTrajectoryReward: __, hasPhaseReward: ___, hasStepReward: ____, ...least } = good
    expect(multilevelAdvantage(levelBatch(least))).toEqual(multilevelAdvantage(levels([three])))
    expect(() => levelBatch(null as never)).toThrow('levelBatch: expected an object of arrays, got null')
  })
})

describe('stepTurns', () => {
  it('lets every token of a step have the value of the step', () => {
    const batch = levels([three], [1, 0, 1])
    const A = multilevelAdvantage(batch)
    const spans = tokenSpans(stepTurns(batch), [
      { length: 9, turns: [[[1, 3]], [[4, 5]], [[6, 9]]] },
      null,
      { length: 6, turns: [[[0, 1]], [[1, 2]], [[3, 4]], [[4, 6]]] },
    ])
    expect([...broadcast(A, spans, { dtype: 'float64' })]).toEqual(
      [null, 0, 0, null, 1, null, 2, 2, 2, 4, 5, null, 6, 7, 7].map((s) => (s === null ? 0 : A[s])),
    )
    expect([...lossMask(spans)]).toEqual([0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1])
  })

  it('holds the spans to the steps', () => {
    const batch = levels([[[1, [[1, [1, 1]]]]]])
    expect(() => tokenSpans(stepTurns(batch), [{ length: 3, turns: [[[0, 1]]] }])).toThrow(
      'turn 1, which is reached',
    )
    expect(stepTurns(levels([])).reward).toHaveLength(0)
  })
})
