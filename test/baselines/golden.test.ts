/**
 * Values worked out by hand, and those of the literature.
 */
import { describe, expect, it } from 'vitest'
import { type GrpoDialectName, grpoDialectNames, grpoDialects } from '../../src/baselines/dialects.js'
import { drGrpo } from '../../src/baselines/drGrpo.js'
import { gdpo } from '../../src/baselines/gdpo.js'
import { gigpo } from '../../src/baselines/gigpo.js'
import { grpo } from '../../src/baselines/grpo.js'
import { maxRl } from '../../src/baselines/maxRl.js'
import { mtGrpo } from '../../src/baselines/mtGrpo.js'
import { opo } from '../../src/baselines/opo.js'
import { processGrpo } from '../../src/baselines/processGrpo.js'
import { reinforce } from '../../src/baselines/reinforce.js'
import { reinforcePp, reinforcePpBaseline } from '../../src/baselines/reinforcePp.js'
import { reinforcePpTokens } from '../../src/baselines/reinforcePpTokens.js'
import { returnToGo } from '../../src/baselines/returnToGo.js'
import { rloo } from '../../src/baselines/rloo.js'
import { turnCredit } from '../../src/baselines/turnCredit.js'
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'
import { tokenSpans } from '../../src/tokens/spans.js'

/** One group of one turn. */
const ofScalars = (...R: number[]): TurnBatch =>
  turnBatch([{ rewards: R.map((value) => [value]) }], { realRewards: true })
const ofRows = (...rewards: number[][]): TurnBatch => turnBatch([{ rewards }], { realRewards: true })

function near(found: ArrayLike<number>, wished: readonly number[], digits = 6): void {
  expect(found).toHaveLength(wished.length)
  for (const [j, value] of wished.entries()) expect(found[j], `value ${j}`).toBeCloseTo(value, digits)
}

const R8 = [1, 0, 0, 1, 1, 0, 0, 0]
const eight = (passed: number, failed: number): number[] => R8.map((r) => (r === 1 ? passed : failed))
const L = [10, 20, 30, 40, 10, 20, 30, 40]

describe('dialects of GRPO', () => {
  it('are these, and frozen', () => {
    const own = ({
      correction,
      epsilon,
      groupOfOne,
      baseline,
      deviationOf,
    }: (typeof grpoDialects)['paper']) => [correction, epsilon, groupOfOne, baseline, deviationOf]
    expect(Object.fromEntries(Object.entries(grpoDialects).map(([name, one]) => [name, own(one)]))).toEqual({
      paper: [0, 1e-6, 'zero', 'mean', 'all'],
      verl: [1, 1e-6, 'raw', 'mean', 'all'],
      trl: [1, 1e-4, 'zero', 'mean', 'all'],
      openrlhf: [1, 1e-9, 'refuse', 'mean', 'all'],
      nemo: [1, 1e-6, 'zero', 'leave-one-out', 'others'],
      art: [0, 1e-6, 'zero', 'mean', 'all'],
      skyrl: [1, 1e-6, 'raw', 'mean', 'all'],
    })
    for (const table of [grpoDialects, ...Object.values(grpoDialects)])
      expect(Object.isFrozen(table)).toBe(true)
  })

  it.each<[GrpoDialectName, number, number]>([
    ['paper', 1.290992, -0.774595],
    ['verl', 1.207612, -0.724567],
    ['trl', 1.207381, -0.724429],
    ['openrlhf', 1.207615, -0.724569],
    ['nemo', 1.463847, -0.801782],
    ['art', 1.290992, -0.774595],
    ['skyrl', 1.207612, -0.724567],
  ])('%s: 3 of 8 passed', (dialect, passed, failed) => {
    near(grpo(ofScalars(...R8), { dialect }), eight(passed, failed))
  })

  it('leave-one-out: [0.95 × 7, 0] leaves the 0 with others that are all equal', () => {
    // of a 0.95: μ₋ = 0.95·6/7, σ₋ = 0.95/√7, so 1/√7 up to ε; of the 0: σ₋ = 0, so 0 − 0.95
    const found = grpo(ofScalars(...new Array(7).fill(0.95), 0), { dialect: 'nemo' })
    const s = 0.95 / Math.sqrt(7)
    near(found.subarray(0, 7), new Array(7).fill(0.95 / 7 / (s + 1e-6)), 12)
    expect(found[7]).toBe(-0.95)
  })

  it('leave-one-out: [1, 1, 1, 1.0078125]', () => {
    const h = 0.0078125
    const found = grpo(ofScalars(1, 1, 1, 1 + h), { dialect: 'nemo' })
    near(found, [...new Array(3).fill(-h / 3 / (h / Math.sqrt(3) + 1e-6)), h], 12)
    expect(found[3]).toBe(h)
    near(grpo(ofScalars(1, 1, 1, 1 + h), { dialect: 'verl' }), [-0.499872, -0.499872, -0.499872, 1.499616])
  })

  it('leave-one-out of two is the raw difference', () => {
    expect([...grpo(ofScalars(3, 1), { dialect: 'nemo' })]).toEqual([2, -2])
    expect([...grpo(ofScalars(0, 1), { dialect: 'nemo' })]).toEqual([-1, 1])
  })

  it.each(grpoDialectNames)('%s is exactly 0 where all are equal, whatever the mean rounds to', (dialect) => {
    for (const R of [[0.1, 0.1, 0.1], new Array(7).fill(0.1), [1, 1], [0, 0, 0], new Array(10).fill(-0.3)])
      for (const value of grpo(ofScalars(...R), { dialect })) expect(value).toBe(0)
  })

  it.each<[GrpoDialectName, number]>([
    ['paper', 0],
    ['verl', 0.75],
    ['trl', 0],
    ['nemo', 0],
    ['art', 0],
    ['skyrl', 0.75],
  ])('%s gives a group of one %s', (dialect, value) => {
    expect([...grpo(ofScalars(0.75), { dialect })]).toEqual([value])
  })

  it('openrlhf refuses a group of one', () => {
    const batch = turnBatch([{ rewards: [[1], [0]] }, { rewards: [[1], [1]], valid: [true, false] }])
    expect(() => grpo(batch, { dialect: 'openrlhf' })).toThrow(
      'grpo: group 1: expected two rollouts or more with a vote, got 1',
    )
  })

  it('keep their constants, and take the options that are not theirs', () => {
    const batch = ofScalars(1, 0.5)
    expect(() => grpo(batch, { dialect: 'verl', epsilon: 1e-4 })).toThrow(
      'grpo: options.epsilon: expected 0.000001, as the dialect "verl" has it, got 0.0001',
    )
    expect(() => grpo(batch, { dialect: 'trl', correction: 0 })).toThrow('options.correction: expected 1')
    expect(() => grpo(batch, { dialect: 'nemo', baseline: 'mean' })).toThrow(
      'options.baseline: expected "leave-one-out", as the dialect "nemo" has it, got "mean"',
    )
    expect(() => grpo(batch, { dialect: 'art', scale: 'none' })).toThrow('options.scale: expected "std"')
    expect(() => grpo(batch, { dialect: 'tinker' as GrpoDialectName })).toThrow(
      'grpo: options.dialect: expected one of',
    )
    expect(grpo(batch, { dialect: 'verl', epsilon: 1e-6, correction: 1 })).toEqual(
      grpo(batch, { dialect: 'verl' }),
    )
    const rows = ofRows([1, 0], [1, 1])
    expect(grpo(rows, { dialect: 'art', reward: 'mean' })).toEqual(grpo(rows, { reward: 'mean' }))
  })
})

describe('one scalar a rollout', () => {
  it('drGrpo, rloo, maxRl and reinforce: 3 of 8 passed', () => {
    near(drGrpo(ofScalars(...R8)), eight(0.625, -0.375), 15)
    near(rloo(ofScalars(...R8)), eight(5 / 7, -3 / 7), 15)
    near(maxRl(ofScalars(...R8)), eight(1.666662, -0.999997))
    near(maxRl(ofScalars(...R8), { epsilon: 0 }), eight(5 / 3, -1), 15)
    expect([...reinforce(ofScalars(...R8))]).toEqual(R8)
  })

  it('opo: the baseline is 0.3, as the passed ones have 60 of 200 tokens', () => {
    near(opo(ofScalars(...R8), { turnTokens: L }), eight(0.7, -0.3), 15)
  })

  it('opo: token spans count as their lengths', () => {
    const batch = ofRows([1, 1], [0, 1])
    const spans = tokenSpans(batch, [
      {
        length: 9,
        turns: [
          [[0, 2]],
          [
            [3, 5],
            [6, 8],
          ],
        ],
      }, // 2 + 4
      { length: 4, turns: [[[0, 1]], [[2, 3]]] }, // 1 + 1
    ])
    near(opo(batch, { turnTokens: spans }), [0.25, 0.25, -0.75, -0.75], 15)
  })

  it('reinforcePp: mean 0.3 and variance 0.21 of 200 tokens', () => {
    const variance = (0.21 * 200) / 199
    near(
      reinforcePp(ofScalars(...R8), { turnTokens: L }),
      eight(0.7 / Math.sqrt(variance + 1e-8), -0.3 / Math.sqrt(variance + 1e-8)),
      13,
    )
    const openrlhf = reinforcePp(ofScalars(...R8), { turnTokens: L, whiten: 'openrlhf' })
    near(openrlhf, eight(0.7 / Math.sqrt(0.21), -0.3 / Math.sqrt(0.21)), 13)
    expect(reinforcePp(ofScalars(...R8), { turnTokens: L, whiten: 'nemo' })).toEqual(openrlhf)
  })

  it('reinforcePp: a variance below 1e-8 is that much in the floor', () => {
    near(reinforcePp(ofScalars(1e-5, -1e-5), { turnTokens: [1, 1], whiten: 'openrlhf' }), [0.1, -0.1], 13)
  })

  it('reinforcePpBaseline: centered in the group, then over tokens or rollouts', () => {
    // R − μ = ±0.5; 1 and 3 tokens: mean −0.25, variance (0.75² + 3·0.25²)/3 = 0.25
    const batch = ofScalars(1, 0)
    near(
      reinforcePpBaseline(batch, { turnTokens: [1, 3] }),
      [0.75 / Math.sqrt(0.25 + 1e-8), -0.25 / Math.sqrt(0.25 + 1e-8)],
      13,
    )
    near(reinforcePpBaseline(batch, { whiten: 'rllm' }), [0.5 / 0.500001, -0.5 / 0.500001], 13)
  })

  it('groups of one are 0, or by option raw or refused', () => {
    const one = ofScalars(0.75)
    for (const estimate of [drGrpo, rloo, maxRl]) expect([...estimate(one)]).toEqual([0])
    expect([...rloo(one, { groupOfOne: 'raw' })]).toEqual([0.75])
    expect([...opo(one, { turnTokens: [3] })]).toEqual([0])
    expect([...opo(one, { turnTokens: [3], groupOfOne: 'raw' })]).toEqual([0.75])
    expect(() => rloo(one, { groupOfOne: 'refuse' })).toThrow(
      'rloo: group 0: expected two rollouts or more with a vote, got 1',
    )
    const lone = turnBatch([{ rewards: [[1]] }, { rewards: [[1], [0]] }])
    const options = { whiten: 'rllm' } as const
    near(reinforcePpBaseline(lone, options), [0, 1.224743, -1.224743], 5)
    const std = Math.sqrt(1.5 / 3 - (1 / 3) ** 2) // of 1, 0.5, −0.5
    near(
      reinforcePpBaseline(lone, { ...options, groupOfOne: 'raw' }),
      [2 / 3, 1 / 6, -5 / 6].map((d) => d / (std + 1e-6)),
      13,
    )
  })

  it('gdpo: TRL normalizes twice, a flat column adds nothing', () => {
    const batch = turnBatch([{ columns: { a: [[1], [0]], b: [[0], [0]] } }])
    const z = 0.5 / (Math.SQRT1_2 + 1e-4)
    const last = z / (z * Math.SQRT2 + 1e-4)
    near(gdpo(batch), [last, -last], 13)
    near(gdpo(batch, { lastStep: false }), [z, -z], 13)
    near(gdpo(batch, { weights: { a: 2, b: 1 }, lastStep: false }), [2 * z, -2 * z], 13)
    near(gdpo(batch, { dialect: 'nemo' }), [Math.SQRT1_2, -Math.SQRT1_2], 13)
    near(gdpo(batch, { dialect: 'nemo', lastStep: false }), [1, -1], 13)
  })

  it('gdpo tells mixtures apart that a sum does not', () => {
    const batch = turnBatch([{ columns: { a: [[1], [0], [0]], b: [[0], [1], [1]] } }], { realRewards: true })
    expect([...grpo(batch)]).toEqual([0, 0, 0])
    const found = gdpo(batch, { weights: { a: 1, b: 0.5 } })
    expect(found[0]).toBeGreaterThan(0)
    expect(found[1]).toBeLessThan(0)
  })
})

describe('a value for each turn', () => {
  it('mtGrpo: turn plus λ times outcome, no ε', () => {
    const batch = turnBatch([
      {
        rewards: [
          [1, 0],
          [0, 0],
        ],
        outcome: [1, 0],
      },
    ])
    expect([...mtGrpo(batch)]).toEqual([2, 1, -2, -1])
    expect([...mtGrpo(batch, { lambda: 0.5 })]).toEqual([1.5, 0.5, -1.5, -0.5])
    expect([...mtGrpo(batch, { reward: 'trace' })]).toEqual([1, 0, -1, 0])
    const original = mtGrpo(batch, { lambda: 0, correction: 1, epsilon: 1e-4 })
    near(original, [0.5 / (Math.SQRT1_2 + 1e-4), 0, -0.5 / (Math.SQRT1_2 + 1e-4), 0], 13)
  })

  it('returnToGo: a first turn is paid for what follows', () => {
    near(
      returnToGo(ofRows([0, 1], [0, 0])),
      [0.25 / 0.250001, 0.5 / 0.500001, -0.25 / 0.250001, -0.5 / 0.500001],
      12,
    )
    near(returnToGo(ofRows([0, 1], [0, 0]), { scale: 'none' }), [0.25, 0.5, -0.25, -0.5], 15)
  })

  it('returnToGo: who did not reach a turn does not vote there', () => {
    near(
      returnToGo(ofRows([0, 1], [0, 0], [1]), { scale: 'none', gamma: 1 }),
      [1 / 3, 0.5, -2 / 3, -0.5, 1 / 3, 0],
      15,
    )
  })

  it('processGrpo: pooled, then summed', () => {
    const z = Math.sqrt(3) // of the 1 among 1, 0, 0, 0; the others −1/√3
    near(processGrpo(ofRows([1, 0], [0, 0])), [z - 1 / z, -1 / z, -2 / z, -1 / z], 13)
    near(processGrpo(ofRows([1, 0], [0, 0]), { gamma: 0.5 }), [z - 0.5 / z, -1 / z, -1.5 / z, -1 / z], 13)
  })

  it('gigpo: rollout, plus turns from the same state', () => {
    // G = (0.5, 1), (0, 0); state s: 0.5, 0, 0; state a occurs once
    const batch = ofRows([0, 1], [0, 0])
    const options = { states: ['s', 'a', 's', 's'], gamma: 0.5 }
    near(gigpo(batch, options), [1 / 3, 0, -1 / 6, -1 / 6], 15)
    near(
      gigpo(batch, { ...options, reward: 'mean', omega: 2 }),
      [0.25 + 2 / 3, 0.25, -0.25 - 1 / 3, -0.25 - 1 / 3],
      15,
    )
    const s = Math.sqrt(1 / 12) // sample σ of 0.5, 0, 0
    near(
      gigpo(batch, { ...options, scale: 'std' }),
      [1 / 3, 0, -1 / 6, -1 / 6].map((d) => d / (s + 1e-6)),
      13,
    )
  })

  it('gigpo: the states 1 and "1" differ', () => {
    near(gigpo(ofRows([1], [0]), { states: [1, '1'] }), [0.5, -0.5], 15)
    near(gigpo(ofRows([1], [0]), { states: [1, 1] }), [1, -1], 15)
  })

  it('turnCredit: a change is shared out over the turns up to it', () => {
    // d = 0 1 0; Z of the second turn 1.5: c = 1/3 2/3 0; mean over 1 + 1 + 2 tokens 0.25; R + Σd = 2 and 0
    const batch = turnBatch([
      {
        rewards: [
          [1, 1, 1],
          [0, 0, 0],
        ],
        outcome: [1, 0],
      },
    ])
    const stateScores = Float64Array.of(0, 1, 1, 0, 0, 0)
    const turnTokens = [1, 1, 2, 1, 1, 1]
    near(turnCredit(batch, { stateScores, turnTokens }), [13 / 12, 17 / 12, 0.75, -1, -1, -1], 14)
    near(turnCredit(batch, { stateScores, turnTokens, beta: 0 }), [1, 1, 1, -1, -1, -1], 15)
    near(turnCredit(batch, { stateScores, turnTokens, gamma: 0 }), [0.75, 1.75, 0.75, -1, -1, -1], 14)
    near(turnCredit(batch, { stateScores, turnTokens, gamma: 1 }), [1.25, 1.25, 0.75, -1, -1, -1], 14)
  })

  it('turnCredit: a turn without a score leaves its change to the next', () => {
    const batch = turnBatch([
      {
        rewards: [
          [1, 1, 1],
          [0, 0, 0],
        ],
      },
    ])
    const stateScores = Float64Array.of(0, Number.NaN, 1, Number.NaN, 5, Number.NaN)
    const found = turnCredit(batch, {
      stateScores,
      turnTokens: [1, 1, 1, 1, 1, 1],
      gamma: 0,
      reward: 'trace',
    })
    near(found, [2 / 3, 2 / 3, 5 / 3, -1, -1, -1], 14) // a first score changes nothing
  })
})

describe('what stands at a turn that was not reached', () => {
  // Rollout 1 stops after its first turn; the golden trace has two.
  const due = (columns?: object): TurnBatch => ({
    ...turnBatch([{ rewards: [[1, 1], [1]], numTurns: 2 }]),
    ...columns,
  })

  it('is no state: gigpo compares only turns that were reached', () => {
    // R = 1, 0 centered; G = 2, 1 and 1, 0 with γ = 1: the first two compared, the last not in state b
    const found = gigpo(due(), { states: ['a', 'b', 'a', 'b'], gamma: 1 })
    near(found, [1, 0.5, -1, -0.5], 15)
  })

  it('is no score: turnCredit reads only turns that were reached', () => {
    const options = { turnTokens: [1, 1, 1, 0], reward: 'trace' } as const
    const found = turnCredit(due(), { ...options, stateScores: Float64Array.of(0, 1, 0, 9) })
    expect(found).toEqual(
      turnCredit(due(), { ...options, stateScores: Float64Array.of(0, 1, 0, Number.NaN) }),
    )
  })

  it('is no reward: gdpo takes it as 0', () => {
    const columns = (last: number): object => ({ columns: { a: Float64Array.of(1, 1, 1, last) } })
    expect(gdpo(due(columns(1)))).toEqual(gdpo(due(columns(0))))
    expect(gdpo(due(columns(1)))[0]).toBeGreaterThan(0)
  })
})

describe('reinforcePpTokens', () => {
  const mask = Uint8Array.of(1, 1, 0, 0, 1)
  const outcome = Float64Array.of(0, 0, 0, 0, 1)

  it('carries the return through masked tokens', () => {
    expect([...reinforcePpTokens(outcome, mask, { whiten: 'none' })]).toEqual([1, 1, 0, 0, 1])
    expect([...reinforcePpTokens(outcome, mask, { whiten: 'none', gamma: 0.5 })]).toEqual([
      0.25, 0.5, 0, 0, 1,
    ])
    expect([...reinforcePpTokens(outcome, mask, { whiten: 'none', gamma: 0 })]).toEqual([0, 0, 0, 0, 1])
  })

  it('stops at the end of each sequence', () => {
    const tokenPtr = [0, 2, 5]
    const reward = Float64Array.of(0, 2, 0, 0, 1)
    const all = new Uint8Array(5).fill(1)
    expect([...reinforcePpTokens(reward, all, { whiten: 'none', tokenPtr })]).toEqual([2, 2, 1, 1, 1])
  })

  it('whitens over the trained tokens and leaves the others 0', () => {
    const found = reinforcePpTokens(outcome, mask, { gamma: 0.5 })
    const mean = 1.75 / 3
    const variance = ((0.25 - mean) ** 2 + (0.5 - mean) ** 2 + (1 - mean) ** 2) / 2
    near(
      found,
      [0.25 - mean, 0.5 - mean, 0, 0, 1 - mean].map((d) => d / Math.sqrt(variance + 1e-8)),
      13,
    )
    expect([...reinforcePpTokens(outcome, mask)]).toEqual([0, 0, 0, 0, 0]) // all returns are 1
  })

  it('writes out, which may be the rewards', () => {
    const reward = outcome.slice()
    expect(reinforcePpTokens(reward, mask, { whiten: 'none' }, reward)).toBe(reward)
    expect([...reward]).toEqual([1, 1, 0, 0, 1])
  })

  it.each<[string, () => unknown]>([
    [
      'reinforcePpTokens: mask: expected 5 values, one a token, got 2',
      () => reinforcePpTokens(outcome, mask.slice(3)),
    ],
    [
      'reinforcePpTokens: mask[1]: expected 0 or 1, got 2',
      () => reinforcePpTokens(outcome, Uint8Array.of(1, 2, 0, 0, 1)),
    ],
    [
      'reinforcePpTokens: tokenReward[3]: expected 0, as the token is masked, got 1',
      () => reinforcePpTokens(Float64Array.of(0, 0, 0, 1, 0), mask),
    ],
    [
      'reinforcePpTokens: tokenReward[4]: expected a finite number, and sums of at most 1e+300 in size, got NaN',
      () => reinforcePpTokens(Float64Array.of(0, 0, 0, 0, Number.NaN), mask),
    ],
    [
      'reinforcePpTokens: options.gamma: expected a number in [0, 1], got 2',
      () => reinforcePpTokens(outcome, mask, { gamma: 2 }),
    ],
    [
      'reinforcePpTokens: options.tokenPtr[1]: expected 5',
      () => reinforcePpTokens(outcome, mask, { tokenPtr: [0, 4] }),
    ],
    [
      'reinforcePpTokens: out: expected 5 values',
      () => reinforcePpTokens(outcome, mask, {}, new Float64Array(2)),
    ],
  ])('says %s', (message, work) => {
    expect(work).toThrow(message)
  })
})
