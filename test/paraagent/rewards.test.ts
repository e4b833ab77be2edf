import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answerReward,
  type JudgeVerdict,
  type PhaseScores,
  type PlanEmission,
  type PlanState,
  phaseReward,
  planReward,
  stepReward,
} from '../../src/reward/hierarchical.js'
import { dependencyRecall, layeredPlan, type PlanEdge, retrievalGrounding } from '../../src/reward/plan.js'

describe('planReward', () => {
  const emissions: PlanEmission[] = ['none', 'new', 'repeat', 'invalid']

  it.each<[PlanState, number[]]>([
    ['need', [0, 1, 1, 0]],
    ['may', [1, 1, 0, 0]],
    ['no', [1, 0, 0, 0]],
    ['answer', [0, 0, 0, 0]],
  ])('in state %s is %j for none, new, repeat and invalid (C48)', (state, row) => {
    expect(emissions.map((emission) => planReward(state, emission))).toEqual(row)
  })

  it('refuses other states and emissions', () => {
    expect(() => planReward('toString' as never, 'none')).toThrow(
      'planReward: state: expected one of "need", "may", "no", "answer", got "toString"',
    )
    expect(() => planReward('need', 'valid' as never)).toThrow(
      'planReward: emission: expected one of "none", "new", "repeat", "invalid", got "valid"',
    )
  })
})

describe('stepReward', () => {
  it('weighs both scores equally', () => {
    expect([stepReward(1, 1), stepReward(1, 0), stepReward(0, 1), stepReward(0.5, 1)]).toEqual([
      1, 0.5, 0.5, 0.75,
    ])
    expect(Object.is(stepReward(-0, -0), 0)).toBe(true)
  })

  it('is at most one half in the answer state', () => {
    expect(stepReward(1, planReward('answer', 'none'))).toBe(0.5)
  })

  it('refuses scores outside [0, 1]', () => {
    expect(() => stepReward(1.5, 0)).toThrow('stepReward: base: expected a number in [0, 1], got 1.5')
    expect(() => stepReward(0, Number.NaN)).toThrow('stepReward: plan: expected a number in [0, 1], got NaN')
  })
})

describe('phaseReward', () => {
  const score = fc.double({ min: 0, max: 1, noNaN: true })
  const scores = fc.record({ grounding: score, dependencies: score, layers: score, fourth: score })
  const all = (value: number): PhaseScores => ({
    grounding: value,
    dependencies: value,
    layers: value,
    fourth: value,
  })

  it('has the weights 0.1, 0.2, 0.2 and 0.5, exactly', () => {
    const zero = all(0)
    expect(phaseReward({ ...zero, grounding: 1 })).toBe(0.1)
    expect(phaseReward({ ...zero, dependencies: 1 })).toBe(0.2)
    expect(phaseReward({ ...zero, layers: 1 })).toBe(0.2)
    expect(phaseReward({ ...zero, fourth: 1 })).toBe(0.5)
    expect(phaseReward({ ...all(1), fourth: 0 })).toBe(0.5)
    expect(phaseReward(all(1))).toBe(1)
    expect(Object.is(phaseReward(all(-0)), 0)).toBe(true)
  })

  it('lies in [0, 1] and is the weighted sum, with and without the fourth score', () => {
    fc.assert(
      fc.property(scores, ({ fourth, ...named }) => {
        const { grounding, dependencies, layers } = named
        const known = 0.1 * grounding + 0.2 * dependencies + 0.2 * layers
        const whole = phaseReward({ ...named, fourth })
        const rest = phaseReward(named, { renormalize: true })
        expect(whole).toBeCloseTo(known + 0.5 * fourth, 14)
        expect(rest).toBeCloseTo(known / 0.5, 14)
        expect(whole >= 0 && whole <= 1 && rest >= 0 && rest <= 1).toBe(true)
      }),
    )
  })

  it('does not guess the fourth score', () => {
    const { fourth: _, ...named } = all(1)
    expect(() => phaseReward(named)).toThrow(
      'phaseReward: scores.fourth: expected a number in [0, 1], half of the weight',
    )
    expect(phaseReward(named, { renormalize: true })).toBe(1)
    expect(phaseReward({ ...named, fourth: 0 }, { renormalize: true })).toBe(0.5)
  })

  it('refuses other scores and options', () => {
    expect(() => phaseReward({ ...all(1), layers: 2 })).toThrow(
      'phaseReward: scores.layers: expected a number in [0, 1]',
    )
    expect(() => phaseReward({ ...all(1), fourth: -1 })).toThrow('phaseReward: scores.fourth')
    expect(() => phaseReward(null as never)).toThrow('phaseReward: scores: expected an object')
    expect(() => phaseReward(all(1), { weights: [] } as never)).toThrow('phaseReward: options.weights')
  })
})

describe('answerReward', () => {
  const bits = (Q: number, F: number, U: number, no: JudgeVerdict = 'NO'): number =>
    answerReward({
      quality: Q ? 'YES' : no,
      faithfulness: F ? 'YES' : no,
      utility: U ? 'YES' : no,
    })

  it.each([
    [0, 0, 0, -0.5],
    [0, 1, 0, -0.5],
    [1, 0, 0, -0.5],
    [0, 0, 1, 0],
    [1, 0, 1, 0],
    [0, 1, 1, 0.5],
    [1, 1, 0, 0.5],
    [1, 1, 1, 1.5],
  ])('is for Q, F, U = %d, %d, %d what Table 9 has: %d (C47)', (Q, F, U, reward) => {
    expect(bits(Q, F, U)).toBe(reward)
    expect(bits(Q, F, U, 'PARTIAL')).toBe(reward)
    expect(Object.is(bits(Q, F, U), -0)).toBe(false)
  })

  it('never falls when a verdict turns to YES, and is 0.125 in the mean', () => {
    let sum = 0
    for (let pattern = 0; pattern < 8; pattern++) {
      const [Q, F, U] = [pattern & 1, pattern & 2, pattern & 4]
      const reward = bits(Q, F, U)
      sum += reward
      for (const better of [bits(1, F, U), bits(Q, 1, U), bits(Q, F, 1)])
        expect(better).toBeGreaterThanOrEqual(reward)
    }
    expect(sum / 8).toBe(0.125)
  })

  it('refuses other verdicts', () => {
    expect(() => answerReward({ quality: 'YES', faithfulness: 'yes' as never, utility: 'NO' })).toThrow(
      'answerReward: verdicts.faithfulness: expected one of "YES", "PARTIAL", "NO", got "yes"',
    )
    expect(() => answerReward(undefined as never)).toThrow('answerReward: verdicts: expected an object')
  })
})

describe('scores of a plan', () => {
  const edges: PlanEdge[] = [
    ['a', 'c'],
    ['b', 'c'],
  ]

  it('L1 is the share of planned tools that retrieval returned, each counted once', () => {
    expect(retrievalGrounding(['a', 'b', 'a', 'x'], ['b', 'a', 'c'])).toBe(2 / 3)
    expect(retrievalGrounding([], ['a'])).toBe(1)
    expect(retrievalGrounding(['a'], [])).toBe(0)
    expect(() => retrievalGrounding('a' as never, [])).toThrow('retrievalGrounding: planned: expected a list')
  })

  it('L2 is the recall of required dependencies, whatever else is declared', () => {
    expect(dependencyRecall(edges, [...edges, ['c', 'd']])).toBe(1)
    expect(dependencyRecall(edges, [['c', 'a'], edges[1]!, edges[1]!])).toBe(0.5)
    expect(dependencyRecall([], edges)).toBe(1)
    expect(() => dependencyRecall(edges, {} as never)).toThrow(
      'dependencyRecall: declared: expected a list of edges',
    )
  })

  it.each<[string[][], PlanEdge[], 0 | 1]>([
    [[['a', 'b'], ['c']], edges, 1],
    [[['a'], ['b'], ['c']], edges, 1],
    [[['a', 'b', 'c']], edges, 0],
    [[['c'], ['a', 'b']], edges, 0],
    [[['a'], ['c']], edges, 0],
    [
      [
        ['a', 'b'],
        ['c', 'a'],
      ],
      edges,
      0,
    ],
    [[['a', 'b', 'c']], [], 1],
    [[['a', 'b'], ['a']], [], 0],
    [[['a']], [['a', 'a']], 0],
    [[], [], 1],
  ])('L3 of the layers %j is for %j %d', (layers, declared, score) => {
    expect(layeredPlan(layers, declared)).toBe(score)
  })

  it('L3 refuses what are no layers', () => {
    expect(() => layeredPlan(['a'] as never, [])).toThrow(
      'layeredPlan: layers[0]: expected a list of steps, got "a"',
    )
  })
})
