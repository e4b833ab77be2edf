/**
 * Rounding noise: what is 0 on paper is +0.
 */
import { describe, expect, it } from 'vitest'
import { exactSum } from '../../src/baselines/exactSum.js'
import { reinforcePpBaseline } from '../../src/baselines/reinforcePp.js'
import { rloo } from '../../src/baselines/rloo.js'
import { turnCredit } from '../../src/baselines/turnCredit.js'
import { whiten, whitenings } from '../../src/baselines/whiten.js'
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
    const stateScores = Float64Array.of(0.1, 0.7, 0.9, 0.1, 0.3, 0.9)
    const found = turnCredit(batch, { reward: 'mean', beta: 0, stateScores, turnTokens: [1, 1, 1, 1, 1, 1] })
    for (const value of found) expect(Object.is(value, 0)).toBe(true)
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
