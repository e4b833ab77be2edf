/**
 * Rounding noise: what is 0 on paper is +0.
 */

import { describe, expect, it } from 'vitest'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { exactSum } from '../../src/baselines/exactSum.js'
import { gigpo } from '../../src/baselines/gigpo.js'
import { grpo } from '../../src/baselines/grpo.js'
import { reinforcePpBaseline } from '../../src/baselines/reinforcePp.js'
import { reinforcePpTokens } from '../../src/baselines/reinforcePpTokens.js'
import { rloo } from '../../src/baselines/rloo.js'
import { turnCredit } from '../../src/baselines/turnCredit.js'
import { whiten, whitenings } from '../../src/baselines/whiten.js'
import { turnBatch } from '../../src/batch/build.js'
import { ofRewards } from './samples.js'

const third = [[1], [0], [0]]
const seventh = [[1], [0], [1], [0], [0], [0], [0]]

describe('a value that is 0 on paper', () => {
  it.each(['rllm', 'verl'] as const)('stays +0 in a flat group beside centered ones under %s', (rule) => {
    const { batch } = ofRewards(third, seventh, [[1], [1], [1]], [[0], [0], [0], [1], [1], [0]])
    const turnTokens = new Float64Array(batch.reward.length).fill(3)
    const found = reinforcePpBaseline(batch, { whiten: rule, turnTokens })
    for (let j = 10; j < 13; j++) expect(Object.is(found[j], 0)).toBe(true)
  })

  it('stays +0 where the mean of the centered values is rounding noise only', () => {
    const x = Float64Array.of(0.1, 0.2, -0.3, 0, 0.7, -0.4, -0.3)
    whiten(
      x,
      x.map(() => 1),
      whitenings.rllm,
    )
    expect(Object.is(x[3], 0)).toBe(true)
  })

  it('is +0 for turn credit where all paths lead from and to the same scores', () => {
    const { batch } = ofRewards([
      [0, 0, 0],
      [0, 0, 0],
    ])
    for (let k = 1; k < 20; k++) {
      const stateScores = Float64Array.of(0, k / 20, 0.3, 0, 0.2, 0.3)
      const found = turnCredit(batch, {
        reward: 'mean',
        beta: 0,
        stateScores,
        turnTokens: [1, 1, 1, 1, 1, 1],
      })
      for (const value of found) expect(Object.is(value, 0)).toBe(true)
    }
  })
})

describe('order and memory', () => {
  it('sums exactly, whatever the order', () => {
    expect(exactSum([1e16, 1, -1e16])).toBe(1)
    expect(exactSum([0.1, 0.2, 0.3])).toBe(exactSum([0.3, 0.2, 0.1]))
    expect(exactSum([1, 2 ** -53, 2 ** -106])).toBe(1 + 2 ** -52)
  })

  it.each(['mean', 'trace'] as const)('gives permuted rewards the same %s scalar', (reward) => {
    const { batch } = ofRewards([
      [0.1, 0.2, 0.3],
      [0.3, 0.2, 0.1],
      [0.2, 0.3, 0.1],
    ])
    for (const value of rloo(batch, { reward, realRewards: true })) expect(Object.is(value, 0)).toBe(true)
  })

  it('refuses an out that is the outcome', () => {
    const { batch } = ofRewards([[1], [0]])
    const outcome = new Float64Array(2)
    expect(() => rloo({ ...batch, outcome }, {}, outcome)).toThrow('batch.outcome')
  })

  it.each(['1', null, true, 1n, Symbol('x')])('refuses a token count that is no number: %s', (count) => {
    const { batch } = ofRewards([[1], [0]])
    const turnTokens = JSON.parse('[1, 1]')
    turnTokens[1] = count
    expect(() => reinforcePpBaseline(batch, { turnTokens })).toThrow('turnTokens[1]: expected a number')
  })
})

describe('numbers too large for a sum', () => {
  it('are refused, not turned into NaN or Infinity', () => {
    const mask = Uint8Array.of(1, 1)
    expect(() =>
      reinforcePpTokens(Float64Array.of(1.7e308, -1.7e308), mask, { tokenPtr: [0, 1, 2] }),
    ).toThrow(
      'reinforcePpTokens: tokenReward[0]: expected a finite number, and sums of at most 1e+300 in size, got 1.7e+308',
    )
    const rewards = [Array.from({ length: 300 }, () => 1e300), Array.from({ length: 300 }, () => -1e300)]
    const batch = turnBatch([{ rewards }], { realRewards: true })
    const states = Array.from({ length: 600 }, () => 's')
    expect(() => gigpo(batch, { states, omega: 1e6, gamma: 1, reward: 'mean' })).toThrow(
      /expected rewards whose sums/,
    )
  })
})

describe('what is no batch', () => {
  it.each([undefined, null, {}, 5])('is refused: %s', (batch) => {
    for (const estimator of [tara, taraParts, grpo, rloo])
      expect(() => estimator(batch as never)).toThrow(
        /batch: expected a TurnBatch, from turnBatch or scoreGroups/,
      )
  })
})
