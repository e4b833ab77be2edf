import { describe, expect, it } from 'vitest'
import { type TaraOptions, taraDefaults } from '../../src/advantage/options.js'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { gatedReturn, standardReturn } from '../../src/advantage/values.js'
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'

const batch = turnBatch([
  {
    rewards: [
      [1, 1, 1],
      [1, 0, 1],
      [0, 1, 1],
      [1, 1, 0],
    ],
  },
])
const values = (options: Partial<TaraOptions>, of: TurnBatch = batch): number[] => [...tara(of, options)]
/** A table of values that TypeScript would refuse. */
const wrong = (options: object): Partial<TaraOptions> => options

describe('taraDefaults', () => {
  it('are the paper’s, and frozen', () => {
    expect(taraDefaults).toEqual({
      gamma: 0.5,
      lambda: 0.5,
      epsilon: 1e-6,
      gate: 'reward',
      futureIndex: 'eq3',
      unreached: undefined,
      truncated: 'fail',
      scale: 'std',
      correction: 0,
      baseline: 'mean',
      realRewards: false,
      allowLambdaOne: false,
    })
    expect(Object.isFrozen(taraDefaults)).toBe(true)
    expect(values({})).toEqual(values(taraDefaults))
    expect(values({})).toEqual([...tara(batch)])
  })
})

describe('an option that tara does not take', () => {
  it.each([
    [{ gama: 0.5 }, /^tara: options\.gama: expected one of .*gamma.*, got an unknown option$/],
    [{ gamma: -0.1 }, /^tara: options\.gamma: expected a number in \[0, 1\], got -0\.1$/],
    [{ gamma: 1.1 }, /options\.gamma/],
    [{ gamma: Number.NaN }, /options\.gamma/],
    [{ lambda: -0.1 }, /options\.lambda/],
    [
      { lambda: 1 },
      /^tara: options\.lambda: expected a number in \[0, 1\) \(allowLambdaOne allows 1\), got 1$/,
    ],
    [{ lambda: 1.5, allowLambdaOne: true }, /options\.lambda/],
    [{ epsilon: -1e-9 }, /options\.epsilon/],
    [{ epsilon: Number.POSITIVE_INFINITY }, /options\.epsilon/],
    [
      { gate: 'open' },
      /^tara: options\.gate: expected "reward", "none", \{ threshold: a finite number \} or a Float64Array/,
    ],
    [{ gate: { threshold: Number.NaN } }, /options\.gate/],
    [{ gate: { threshold: 1, other: 1 } }, /options\.gate/],
    [{ gate: null }, /options\.gate/],
    [{ gate: [1, 0] }, /options\.gate/],
    [{ gate: new Float64Array(3) }, /^tara: options\.gate: expected 12 values, one a turn, got 3$/],
    [
      { gate: new Float64Array(12).fill(1.5) },
      /^tara: options\.gate\[0\]: expected a number in \[0, 1\], got 1\.5 at turn 0/,
    ],
    [{ gate: new Float64Array(12).fill(Number.NaN) }, /options\.gate\[0\]/],
    [{ futureIndex: 'eq5' }, /options\.futureIndex: expected one of "eq3", "eq7", got "eq5"/],
    [{ unreached: 'skip' }, /options\.unreached/],
    [{ truncated: 'zero' }, /options\.truncated/],
    [{ scale: 'max' }, /options\.scale/],
    [{ correction: 2 }, /options\.correction/],
    [{ baseline: 'median' }, /options\.baseline/],
    [{ realRewards: 1 }, /options\.realRewards/],
    [{ allowLambdaOne: 'yes' }, /options\.allowLambdaOne/],
  ])('%j is an error that names it', (options, message) => {
    expect(() => tara(batch, wrong(options))).toThrow(message)
  })
})

describe('gamma and lambda', () => {
  it('take both ends, λ = 1 only if allowed', () => {
    for (const gamma of [0, 1]) expect(values({ gamma }).every(Number.isFinite)).toBe(true)
    const { local, future } = taraParts(batch)
    const one = values({ lambda: 1, allowLambdaOne: true })
    expect(one).toEqual([...local].map((a, j) => a + future[j]!))
    expect(values({ lambda: 0 })).toEqual([...local])
  })
})

describe('gate', () => {
  it('of the paper is the reward itself', () => {
    expect(values({ gate: batch.reward.slice() })).toEqual(values({ gate: 'reward' }))
    expect(values({ gate: { threshold: 1 } })).toEqual(values({ gate: 'reward' }))
  })

  it('none, a threshold that all reach and ones all leave it open', () => {
    expect(values({ gate: { threshold: 0 } })).toEqual(values({ gate: 'none' }))
    expect(values({ gate: new Float64Array(12).fill(1) })).toEqual(values({ gate: 'none' }))
  })

  it('opens at its threshold, not above it', () => {
    const real = turnBatch(
      [
        {
          rewards: [
            [0.5, 1],
            [0.4, 1],
          ],
        },
      ],
      { realRewards: true },
    )
    expect([...taraParts(real, { gate: { threshold: 0.5 } }).futureValue]).toEqual([1, 0, 0, 0])
  })

  it('in [0, 1] weighs the future', () => {
    const gate = new Float64Array(12).fill(0.25)
    const open = taraParts(batch, { gate: 'none' }).futureValue
    expect([...taraParts(batch, { gate }).futureValue]).toEqual([...open].map((value) => value / 4))
  })

  it('reward refuses rewards outside [0, 1], with the place', () => {
    const real = turnBatch(
      [
        { rewards: [[1]] },
        {
          rewards: [
            [1, 0],
            [0, 2],
          ],
        },
      ],
      { realRewards: true },
    )
    expect(() => tara(real)).toThrow(
      'tara: batch.reward[4]: expected a number in [0, 1], got 2 at turn 1 of rollout 1 of group 1 ' +
        '(gate "reward" is the reward itself; choose another gate)',
    )
    expect(() => taraParts(real)).toThrow(/^taraParts: batch\.reward\[4\]/)
    expect(tara(real, { gate: 'none' }).every(Number.isFinite)).toBe(true)
  })
})

describe('unreached', () => {
  const rewards = [[1, 1], [1, 0], [0]]
  const due = turnBatch([{ rewards, numTurns: 2 }])
  const known = turnBatch([{ rewards }])

  it('is zero where a golden trace made the turn due, and exclude where only rewards are known', () => {
    expect(values({}, due)).toEqual(values({ unreached: 'zero' }, due))
    expect(values({}, known)).toEqual(values({ unreached: 'exclude' }, known))
    expect(values({ unreached: 'zero' }, known)).toEqual(values({}, due))
    expect(values({ unreached: 'exclude' }, due)).toEqual(values({}, known))
  })

  it('zero votes as 0 and shows what it computes', () => {
    const second = values({}, due).filter((_, j) => j % 2 === 1)
    for (const [i, value] of [1.414210562379, -0.70710528119, -0.70710528119].entries())
      expect(second[i]).toBeCloseTo(value, 11)
  })

  it('exclude takes statistics over those who reached the turn and shows 0 for the others', () => {
    const second = values({}, known).filter((_, j) => j % 2 === 1)
    for (const [i, value] of [0.999998000004, -0.999998000004, 0].entries())
      expect(second[i]).toBeCloseTo(value, 11)
    expect(Object.is(second[2], 0)).toBe(true)
  })

  it('exclude adds 0 for later turns that were not reached', () => {
    const { futureValue } = taraParts(known, { gate: 'none' })
    expect([...futureValue]).toEqual([1, 0, 0, 0, 0, 0])
  })

  it('exclude gives a turn that one voter reached 0', () => {
    expect(values({}, turnBatch([{ rewards: [[1, 1], [0]] }]))[1]).toBe(0)
  })

  it('is decided group by group', () => {
    const both = turnBatch([{ rewards, numTurns: 2 }, { rewards }])
    expect(values({}, both)).toEqual([...values({}, due), ...values({}, known)])
  })
})

describe('invalid rollouts', () => {
  it('neither vote nor learn', () => {
    const some = turnBatch([
      {
        rewards: [
          [1, 1],
          [1, 1],
          [0, 1],
          [1, 0],
        ],
        valid: [true, false, true, true],
      },
    ])
    const others = turnBatch([
      {
        rewards: [
          [1, 1],
          [0, 1],
          [1, 0],
        ],
      },
    ])
    const found = values({}, some)
    expect(found.toSpliced(2, 2)).toEqual(values({}, others))
    expect(found.slice(2, 4)).toEqual([0, 0])
  })

  it('leave a group without voters at 0', () => {
    expect(values({}, turnBatch([{ rewards: [[1], [0]], valid: [false, false] }]))).toEqual([0, 0])
  })
})

describe('truncated', () => {
  const rewards = [
    [1, 1],
    [1, 0],
    [0, 0],
  ]
  const cut = turnBatch([{ rewards, truncated: [false, false, true] }])
  const whole = turnBatch([{ rewards }])

  it('fail and mask vote like any other rollout', () => {
    expect(values({}, cut)).toEqual(values({}, whole))
    expect(values({ truncated: 'mask' }, cut)).toEqual(values({}, whole))
  })

  it('exclude is the same as aborted', () => {
    const aborted = turnBatch([{ rewards, valid: [true, true, false] }])
    expect(values({ truncated: 'exclude' }, cut)).toEqual(values({}, aborted))
  })
})

describe('masked turns', () => {
  it('leave before γ is applied', () => {
    const masked = turnBatch([
      {
        rewards: [
          [1, 0, 1, 1],
          [1, 1, 0, 1],
          [1, 0, 1, 0],
        ],
        masked: [false, true, false, false],
      },
    ])
    const short = turnBatch([
      {
        rewards: [
          [1, 1, 1],
          [1, 0, 1],
          [1, 1, 0],
        ],
      },
    ])
    const found = values({}, masked)
    expect(found.filter((_, j) => j % 4 !== 1)).toEqual(values({}, short))
    expect(found.filter((_, j) => j % 4 === 1)).toEqual([0, 0, 0])
  })

  it('may be all of them', () => {
    expect(values({}, turnBatch([{ rewards: [[1], [0]], masked: [true] }]))).toEqual([0, 0])
  })
})

describe('scale, correction and baseline', () => {
  const group = turnBatch([
    {
      rewards: [
        [1, 1],
        [1, 0],
        [0, 0],
      ],
    },
  ])
  const parts = taraParts(group)

  it('none only centers', () => {
    const { local, future } = taraParts(group, { scale: 'none' })
    expect(local[0]).toBeCloseTo(1 / 3, 15)
    expect(future[0]).toBeCloseTo(2 / 3, 15)
  })

  it('1 divides by K − 1', () => {
    const factor = taraParts(group, { correction: 1 }).local[0]! / parts.local[0]!
    expect(factor).toBeCloseTo(Math.sqrt(2 / 3), 5)
  })

  it('leave-one-out stretches by K/(K−1)', () => {
    const other = taraParts(group, { baseline: 'leave-one-out' })
    for (const part of ['local', 'future'] as const)
      for (const [j, value] of other[part].entries()) expect(value).toBeCloseTo(1.5 * parts[part][j]!, 14)
  })
})

describe('realRewards', () => {
  const reward = Float64Array.of(0.5, 0.25)
  const made: TurnBatch = { ...turnBatch([{ rewards: [[1], [0]] }]), reward }

  it('are refused in a batch made by hand, unless batch or options say so', () => {
    expect(() => tara(made)).toThrow(
      'tara: batch.reward[0]: expected 0 or 1, got 0.5 at turn 0 of rollout 0 of group 0 (realRewards allows others)',
    )
    expect(values({ realRewards: true }, made)).toEqual(values({}, { ...made, realRewards: true }))
  })

  it('are still finite and at most 1e300 in size', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1e301]) {
      const broken = { ...made, reward: Float64Array.of(1, bad) }
      expect(() => tara(broken)).toThrow(/batch\.reward\[1\]: expected 0 or 1, got/)
      expect(() => tara(broken, { gate: 'none', realRewards: true })).toThrow(
        /batch\.reward\[1\]: expected a finite number of at most 1e\+300 in size, got/,
      )
    }
  })

  it('may be −0 going in and are never −0 coming out', () => {
    const zeros: TurnBatch = {
      ...turnBatch([
        {
          rewards: [
            [1, 0],
            [0, 0],
          ],
        },
      ]),
      reward: Float64Array.of(1, -0, -0, -0),
    }
    for (const gate of ['reward', 'none', { threshold: 0 }, Float64Array.of(-0, 1, -0, 1)] as const)
      for (const array of Object.values(taraParts(zeros, { gate, scale: 'none' })))
        for (const value of array) expect(Object.is(value, -0)).toBe(false)
    const debts = turnBatch(
      [
        {
          rewards: [
            [0, -1],
            [1, -1],
          ],
        },
      ],
      { realRewards: true },
    )
    expect([...taraParts(debts, { gate: { threshold: 1 } }).futureValue]).toEqual([0, 0, -1, 0])
    for (const value of [...standardReturn(zeros), ...gatedReturn(zeros)])
      expect(Object.is(value, -0)).toBe(false)
  })

  it('of any size give finite advantages', () => {
    const huge = turnBatch(
      [
        {
          rewards: [
            [1e300, 1e300, -1e300],
            [-1e300, 1e300, 5e-324],
            [0, 5e-324, 0],
          ],
        },
      ],
      {
        realRewards: true,
      },
    )
    for (const scale of ['std', 'none'] as const)
      for (const array of Object.values(taraParts(huge, { gate: 'none', gamma: 1, epsilon: 0, scale })))
        for (const value of array) expect(Number.isFinite(value)).toBe(true)
  })
})
