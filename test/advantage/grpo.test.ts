import { describe, expect, it } from 'vitest'
import { type GrpoOptions, grpo, grpoDefaults } from '../../src/baselines/grpo.js'
import { outcomeDefaults, rolloutScores } from '../../src/baselines/outcome.js'
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'

const c = 0.999998000004
const values = (batch: TurnBatch, options?: Partial<GrpoOptions>): number[] => [...grpo(batch, options)]

function near(found: number[], wished: readonly number[]): void {
  expect(found).toHaveLength(wished.length)
  for (const [j, value] of wished.entries()) expect(found[j], `value ${j}`).toBeCloseTo(value, 11)
}

describe('grpoDefaults', () => {
  it('are those of the formula, and frozen', () => {
    expect(grpoDefaults).toEqual({
      reward: 'trace',
      gamma: 0.5,
      epsilon: 1e-6,
      scale: 'std',
      correction: 0,
      baseline: 'mean',
      unreached: undefined,
      truncated: 'fail',
      realRewards: false,
    })
    expect(Object.isFrozen(grpoDefaults)).toBe(true)
  })
})

describe('reward', () => {
  const scores = (rows: number[][], reward: 'trace' | 'mean' | 'discounted', gamma = 0.5): number[] => [
    ...rolloutScores(
      'test',
      turnBatch([{ rewards: rows, numTurns: rows[0]!.length }], { realRewards: true }),
      {
        ...outcomeDefaults,
        reward,
        gamma,
      },
    ).score,
  ]

  it('trace is the product, mean the mean, discounted Σ γ^t·r from t = 0', () => {
    const rows = [
      [1, 1, 1],
      [1, 0, 1],
      [0.5, 0.5, 1],
    ]
    expect(scores(rows, 'trace')).toEqual([1, 0, 0.25])
    expect(scores(rows, 'mean')).toEqual([1, 2 / 3, 2 / 3])
    expect(scores(rows, 'discounted')).toEqual([1.75, 1.25, 1])
    expect(scores(rows, 'discounted', 0)).toEqual([1, 1, 0.5])
    expect(scores(rows, 'discounted', 1)).toEqual([3, 2, 2])
  })

  it('trace of a group is silent where all traces tie, the mean is not', () => {
    const batch = turnBatch([
      {
        rewards: [
          [1, 0],
          [0, 0],
        ],
      },
    ])
    expect(values(batch)).toEqual([0, 0, 0, 0])
    near(
      values(batch, { reward: 'mean' }),
      [0.999996000016, 0.999996000016, -0.999996000016, -0.999996000016],
    )
  })

  it('a product that float64 cannot hold is an error; one with a 0 in it is 0', () => {
    const huge = turnBatch(
      [
        {
          rewards: [
            [1, 1],
            [1e200, 1e200],
          ],
        },
      ],
      { realRewards: true },
    )
    expect(() => grpo(huge)).toThrow(
      'grpo: options.reward: expected rewards whose product is at most 1e+300 in size, got Infinity for rollout 1 of group 0',
    )
    near(values(huge, { reward: 'mean' }), [-1, -1, 1, 1])
    const zero = turnBatch(
      [
        {
          rewards: [
            [1, 1, 1],
            [1e200, 1e200, 0],
          ],
        },
      ],
      { realRewards: true },
    )
    near(values(zero), [c, c, c, -c, -c, -c])
  })
})

describe('turns that were not reached', () => {
  const rewards = [[1, 1], [1], [0, 1]]

  it('fail the trace where a golden trace made them due', () => {
    const [p, n] = [1.414210562379, -0.70710528119]
    near(values(turnBatch([{ rewards, numTurns: 2 }])), [p, p, n, n, n, n])
  })

  it('are left out where only rewards are known', () => {
    const [p, n] = [0.70710528119, -1.414210562379]
    const batch = turnBatch([{ rewards }])
    near(values(batch), [p, p, p, 0, n, n])
    near(values(batch, { reward: 'discounted', gamma: 1, scale: 'none' }), [
      2 / 3,
      2 / 3,
      -1 / 3,
      0,
      -1 / 3,
      -1 / 3,
    ])
  })

  it('take the vote of a rollout that reached nothing', () => {
    near(values(turnBatch([{ rewards: [[1, 1], [], [0, 1]] }])), [c, c, 0, 0, -c, -c])
    expect(values(turnBatch([{ rewards: [[1, 1], []] }]))).toEqual([0, 0, 0, 0])
  })
})

describe('turns and rollouts that do not count', () => {
  it('masked turns leave before γ is applied and get 0', () => {
    const batch = turnBatch([
      {
        rewards: [
          [0, 1, 1],
          [0, 1, 0],
          [0, 0, 1],
        ],
        masked: [true, false, false],
      },
    ])
    const short = turnBatch([
      {
        rewards: [
          [1, 1],
          [1, 0],
          [0, 1],
        ],
      },
    ])
    for (const reward of ['trace', 'mean', 'discounted'] as const) {
      const found = values(batch, { reward })
      expect(found.filter((_, j) => j % 3 > 0)).toEqual(values(short, { reward }))
      expect(found.filter((_, j) => j % 3 === 0)).toEqual([0, 0, 0])
    }
  })

  it('invalid and excluded rollouts have no vote and get 0', () => {
    const aborted = turnBatch([{ rewards: [[1], [0], [1]], valid: [true, true, false] }])
    near(values(aborted), [c, -c, 0])
    const cut = turnBatch([{ rewards: [[1], [0], [1]], truncated: [false, false, true] }])
    near(values(cut, { truncated: 'exclude' }), [c, -c, 0])
    expect(values(cut, { truncated: 'mask' })).toEqual(values(cut))
  })

  it('a group of one is 0', () => {
    expect(values(turnBatch([{ rewards: [[1, 1]] }]))).toEqual([0, 0])
  })
})

describe('an option that grpo does not take', () => {
  const batch = turnBatch([{ rewards: [[1], [0]] }])
  it.each([
    [{ lambda: 0.5 }, /^grpo: options\.lambda: expected one of .*reward.*, got an unknown option$/],
    [{ reward: 'sum' }, /^grpo: options\.reward: expected one of "trace", "mean", "discounted", got "sum"$/],
    [{ gamma: 2 }, /options\.gamma/],
    [{ epsilon: Number.NaN }, /options\.epsilon/],
  ])('%j is an error that names it', (options, message) => {
    expect(() => grpo(batch, options as object)).toThrow(message)
  })
})
