import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { grpo } from '../../src/baselines/grpo.js'
import { turnBatch } from '../../src/batch/build.js'
import { numRollouts, type TurnBatch } from '../../src/batch/layout.js'
import type { RewardGroup } from '../../src/batch/shape.js'
import { type DiagnoseOptions, type Diagnosis, diagnose } from '../../src/diagnose/diagnose.js'
import { metrics } from '../../src/diagnose/metrics.js'
import { quantile } from '../../src/diagnose/sigma.js'
import { anyBatch, anyRules, realBatch } from './anyBatch.js'

/** The shipped example: each rollout but the first fails one turn. */
const worked: RewardGroup = {
  rewards: [
    [1, 1, 1],
    [1, 0, 1],
    [0, 1, 1],
    [1, 1, 0],
  ],
}

function diagnosisOf(groups: readonly RewardGroup[], options: Partial<DiagnoseOptions> = {}): Diagnosis {
  const batch = turnBatch(groups, { realRewards: true })
  return diagnose(batch, taraParts(batch, { gate: 'none', ...options }), { gate: 'none', ...options })
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

describe('diagnose', () => {
  it('finds the worked figures of the shipped example', () => {
    const batch = turnBatch([worked])
    const { turns, total, traces, sigmaDeciles, outcome } = diagnose(batch, taraParts(batch, { epsilon: 0 }))
    const root3 = Math.sqrt(3)
    // Columns of 3 right of 4: σ = √3/4, z = 1/√3 and −√3, so Σ|z| = 2√3.
    for (const turn of turns) {
      expect(turn).toMatchObject({
        columns: 1,
        flat: 0,
        votes: 4,
        meanReward: 0.75,
        correct: 3,
        correctNegative: 0,
        failed: 1,
        failedPositive: 0,
        due: 4,
        unreached: 0,
      })
      expect(turn.sigma).toBeCloseTo(root3 / 4, 14)
      expect(turn.credit!.localSize).toBeCloseTo(2 * root3, 13)
    }
    // V of turn 0 is 1.5, 0.5, 0, 1: Σ|V − 0.75| = 2, σ = √0.3125. V of turn 1 is 1, 0, 1, 0: Σ|z| = 4. λ = 1/2.
    expect(turns.map(({ credit }) => credit!.futureSize)).toEqual([
      expect.closeTo(1 / Math.sqrt(0.3125), 13),
      expect.closeTo(2, 13),
      0,
    ])
    expect(turns.map(({ credit }) => [credit!.gateOpen, credit!.gated])).toEqual([
      [3, 4],
      [3, 4],
      [0, 0],
    ])
    expect(traces).toEqual({ rollouts: 4, success: 1, firstMiss: [1, 1, 1], empty: 0 })
    expect(sigmaDeciles).toEqual(new Array(11).fill(expect.closeTo(root3 / 4, 14)))
    expect(total).toMatchObject({ columns: 3, votes: 12, correct: 9, failed: 3 })
    expect(outcome).toBeUndefined()
  })

  it('splits flat groups into all right, all wrong and neither', () => {
    const { turns } = diagnosisOf([
      {
        rewards: [
          [1, 0.5],
          [1, 0.5],
        ],
      },
      { rewards: [[0], [0]] },
      { rewards: [[0], [1]] },
    ])
    expect(turns[0]).toMatchObject({ columns: 3, flat: 2, flatAllRight: 1, flatAllWrong: 1, meanReward: 0.5 })
    expect(turns[1]).toMatchObject({ columns: 1, flat: 1, flatAllRight: 0, flatAllWrong: 0, meanReward: 0.5 })
  })

  it('averages σ over the groups that have the turn, and takes deciles over all groups', () => {
    // σ of turn 0: 0.5 and 0; of turn 1, in the first group alone: 0. σ of the groups: 0.25 and 0.
    const { turns, sigmaDeciles } = diagnosisOf([
      {
        rewards: [
          [0, 1],
          [1, 1],
        ],
      },
      { rewards: [[1], [1]] },
      { rewards: [] },
    ])
    expect(turns.map(({ sigma }) => sigma)).toEqual([0.25, 0])
    expect(sigmaDeciles!.map((sigma) => Number(sigma.toFixed(3)))).toEqual([
      0, 0.025, 0.05, 0.075, 0.1, 0.125, 0.15, 0.175, 0.2, 0.225, 0.25,
    ])
  })

  it('counts correct turns with a negative advantage and failed ones with a positive', () => {
    // C20: at turn 0 all pass, and the one that fails later is below the mean of the future there.
    const late = {
      rewards: [
        [1, 0],
        [1, 1],
        [1, 1],
        [1, 1],
      ],
    }
    expect(diagnosisOf([late]).turns[0]).toMatchObject({ correct: 4, correctNegative: 1 })
    // C21: without the gate a distractor at turn 0 is paid for what comes after it, from K = 4 on.
    const distractor = {
      rewards: [
        [0, 1],
        [1, 0],
        [0, 0],
        [0, 0],
      ],
    }
    expect(diagnosisOf([distractor]).turns[0]).toMatchObject({ failed: 3, failedPositive: 1 })
    expect(diagnosisOf([distractor], { gate: 'reward' }).turns[0]).toMatchObject({ failedPositive: 0 })
  })

  it('tells the gate from its value: above 0 is open, and the last turn has nothing to let through', () => {
    const groups = [
      {
        rewards: [
          [0.4, 1, 0.4],
          [0.6, 1, 0],
        ],
        masked: [false, false, true],
      },
    ]
    expect(diagnosisOf(groups, { gate: 'reward' }).turns.map(({ credit }) => credit)).toMatchObject([
      { gated: 2, gateOpen: 2 },
      { gated: 0, gateOpen: 0 },
      { gated: 0, gateOpen: 0 },
    ])
    expect(diagnosisOf(groups, { gate: { threshold: 0.5 } }).turns[0]!.credit).toMatchObject({ gateOpen: 1 })
  })

  it('puts a rollout in one place of the histogram: its first miss, none, or nothing to say', () => {
    const groups = [
      { rewards: [[1, 0, 0], [0, 0, 0], [1, 1, 1], [1], []], valid: [true, true, true, true, true] },
      { rewards: [[1], [0]], valid: [true, false] },
    ]
    expect(diagnosisOf(groups, { unreached: 'exclude' }).traces).toEqual({
      rollouts: 6,
      success: 3,
      firstMiss: [1, 1, 0],
      empty: 1,
    })
    expect(diagnosisOf(groups, { unreached: 'zero' }).traces).toEqual({
      rollouts: 6,
      success: 2,
      firstMiss: [2, 2, 0],
      empty: 0,
    })
  })

  it('says on which side rewards and outcome disagree', () => {
    const rewards = [[1], [1], [0], [0], [1]]
    const { outcome } = diagnosisOf([{ rewards, outcome: [1, 0, 1, 0, null] }])
    expect(outcome).toEqual({ rollouts: 4, agree: 2, traceOnly: 1, outcomeOnly: 1 })
  })

  it('says nothing of gate and future where only advantages are known', () => {
    const batch = turnBatch([worked])
    const { turns, total } = diagnose(batch, { advantage: grpo(batch) })
    expect(turns.map(({ credit }) => credit)).toEqual([undefined, undefined, undefined])
    expect(total.credit).toBeUndefined()
    expect(total).toMatchObject({ correct: 9, correctNegative: 6, failed: 3, failedPositive: 0 })
  })

  it('takes an empty batch', () => {
    const { turns, traces, sigmaDeciles } = diagnosisOf([])
    expect({ turns, traces, sigmaDeciles }).toEqual({
      turns: [],
      traces: { rollouts: 0, success: 0, firstMiss: [], empty: 0 },
      sigmaDeciles: undefined,
    })
  })

  it('refuses arrays of another length or type, counts that are none and options it does not take', () => {
    const batch = turnBatch([worked])
    const parts = taraParts(batch)
    const short = new Float64Array(2)
    expect(() => diagnose(batch, { advantage: short })).toThrow(
      'diagnose: parts.advantage: expected 12 values',
    )
    expect(() => diagnose(batch, { ...parts, future: short })).toThrow('diagnose: parts.future: expected 12')
    expect(() => diagnose(batch, { advantage: [1] as never })).toThrow('expected a Float64Array')
    expect(() => diagnose(batch, parts, { gate: short })).toThrow(
      'diagnose: options.gate: expected 12 values',
    )
    expect(() => diagnose(batch, parts, { gamma: 1 } as never)).toThrow('an unknown option')
    expect(() => diagnose(batch, parts, {}, { extraCalls: 0.5 })).toThrow(
      'diagnose: counts.extraCalls: expected a whole number, 0 or more, got 0.5',
    )
    expect(() => diagnose(batch, parts, {}, null as never)).toThrow('diagnose: counts: expected an object')
  })

  test.prop([fc.oneof(anyBatch, realBatch), anyRules], { numRuns: 200 })(
    'adds up: turns to the summary, rollouts to the batch, each counted once',
    (batch, rules) => {
      const { summary, turns, total, traces } = diagnose(batch, taraParts(batch, rules), rules)
      const over = (of: (turn: Diagnosis['turns'][number]) => number): number => sum(turns.map(of))
      expect({
        turns: over((turn) => turn.columns),
        flatTurns: over((turn) => turn.flat),
        flatAllRight: over((turn) => turn.flatAllRight),
        flatAllWrong: over((turn) => turn.flatAllWrong),
        failedTurns: over((turn) => turn.failed),
        correctNegative: over((turn) => turn.correctNegative),
        unreached: over((turn) => turn.unreached),
      }).toEqual({
        turns: summary.turns,
        flatTurns: summary.flatTurns,
        flatAllRight: summary.flatAllRight,
        flatAllWrong: summary.flatAllWrong,
        failedTurns: summary.failedTurns,
        correctNegative: summary.correctNegative,
        unreached: summary.unreached,
      })
      expect(total.votes).toBe(over((turn) => turn.votes))
      expect(traces.success + traces.empty + sum(traces.firstMiss)).toBe(traces.rollouts)
      expect(traces.rollouts).toBe(numVoters(batch, rules.truncated === 'exclude'))
    },
  )

  test.prop([anyBatch, anyRules])(
    'finds σ 0 exactly in the groups whose turns are all flat',
    (batch, rules) => {
      const { sigmaDeciles, summary } = diagnose(batch, taraParts(batch, rules), rules)
      if (summary.flatTurns === summary.turns && sigmaDeciles) expect(sigmaDeciles[10]).toBe(0)
      if (sigmaDeciles) expect([...sigmaDeciles].sort((a, b) => a - b)).toEqual(sigmaDeciles)
    },
  )
})

function numVoters(batch: TurnBatch, excludesTruncated: boolean): number {
  let voters = 0
  for (let i = 0; i < numRollouts(batch); i++)
    if (batch.valid[i] === 1 && !(excludesTruncated && batch.truncated?.[i] === 1)) voters++
  return voters
}

describe('quantile', () => {
  it('is linear between the two nearest values', () => {
    const sorted = Float64Array.of(0, 1, 3)
    expect([0, 0.25, 0.5, 0.75, 1].map((q) => quantile(sorted, q))).toEqual([0, 0.5, 1, 2, 3])
    expect(quantile(Float64Array.of(7), 0.3)).toBe(7)
  })
})

describe('metrics', () => {
  it('has these names and values for the shipped example', () => {
    const batch = turnBatch([{ ...worked, outcome: [1, 0, 1, 0] }])
    const counts = {
      testedCalls: 20,
      extraCalls: 5,
      malformedCalls: 1,
      earlyCalls: 2,
      surplusTurns: 3,
      missedTurns: 4,
      oneTurnEarly: 1,
      oneTurnLate: 2,
    }
    const found = metrics(diagnose(batch, taraParts(batch), {}, counts))
    expect(
      Object.fromEntries(Object.entries(found).map(([name, value]) => [name, Number(value.toFixed(4))])),
    ).toMatchInlineSnapshot(`
      {
        "tara/aborted_rollouts": 0,
        "tara/correct_negative_share": 0,
        "tara/early_calls": 2,
        "tara/extra_call_rate": 0.25,
        "tara/failed_positive_share": 0,
        "tara/flat_all_right_share": 0,
        "tara/flat_all_wrong_share": 0,
        "tara/flat_share": 0,
        "tara/future_share": 0.2672,
        "tara/gate_open_share": 0.75,
        "tara/group_sigma_p0": 0.433,
        "tara/group_sigma_p10": 0.433,
        "tara/group_sigma_p100": 0.433,
        "tara/group_sigma_p20": 0.433,
        "tara/group_sigma_p30": 0.433,
        "tara/group_sigma_p40": 0.433,
        "tara/group_sigma_p50": 0.433,
        "tara/group_sigma_p60": 0.433,
        "tara/group_sigma_p70": 0.433,
        "tara/group_sigma_p80": 0.433,
        "tara/group_sigma_p90": 0.433,
        "tara/groups": 1,
        "tara/malformed_call_rate": 0.05,
        "tara/one_turn_early_share": 0.25,
        "tara/one_turn_late_share": 0.5,
        "tara/outcome_agreement": 0.75,
        "tara/outcome_only_share": 0.25,
        "tara/rollouts": 4,
        "tara/silent_group_share": 0,
        "tara/singleton_group_share": 0,
        "tara/surplus_turns": 3,
        "tara/trace_only_share": 0,
        "tara/trace_success": 0.25,
        "tara/truncated_rollouts": 0,
        "tara/turn_0/correct_negative_share": 0,
        "tara/turn_0/failed_positive_share": 0,
        "tara/turn_0/first_miss_share": 0.25,
        "tara/turn_0/flat_all_right_share": 0,
        "tara/turn_0/flat_all_wrong_share": 0,
        "tara/turn_0/flat_share": 0,
        "tara/turn_0/future_share": 0.3405,
        "tara/turn_0/gate_open_share": 0.75,
        "tara/turn_0/mean_reward": 0.75,
        "tara/turn_0/sigma": 0.433,
        "tara/turn_0/unreached_share": 0,
        "tara/turn_1/correct_negative_share": 0,
        "tara/turn_1/failed_positive_share": 0,
        "tara/turn_1/first_miss_share": 0.25,
        "tara/turn_1/flat_all_right_share": 0,
        "tara/turn_1/flat_all_wrong_share": 0,
        "tara/turn_1/flat_share": 0,
        "tara/turn_1/future_share": 0.366,
        "tara/turn_1/gate_open_share": 0.75,
        "tara/turn_1/mean_reward": 0.75,
        "tara/turn_1/sigma": 0.433,
        "tara/turn_1/unreached_share": 0,
        "tara/turn_2/correct_negative_share": 0,
        "tara/turn_2/failed_positive_share": 0,
        "tara/turn_2/first_miss_share": 0.25,
        "tara/turn_2/flat_all_right_share": 0,
        "tara/turn_2/flat_all_wrong_share": 0,
        "tara/turn_2/flat_share": 0,
        "tara/turn_2/future_share": 0,
        "tara/turn_2/mean_reward": 0.75,
        "tara/turn_2/sigma": 0.433,
        "tara/turn_2/unreached_share": 0,
        "tara/unreached_share": 0,
      }
    `)
  })

  it('leaves out what has no data', () => {
    expect(metrics(diagnosisOf([]))).toEqual({
      'tara/groups': 0,
      'tara/rollouts': 0,
      'tara/aborted_rollouts': 0,
      'tara/truncated_rollouts': 0,
    })
    const batch = turnBatch([worked])
    const names = Object.keys(metrics(diagnose(batch, { advantage: tara(batch) })))
    expect(names.filter((name) => /gate|future|outcome|call|surplus|early/.test(name))).toEqual([])
  })

  test.prop([fc.oneof(anyBatch, realBatch), anyRules], { numRuns: 200 })(
    'are finite, and shares and rates lie in [0, 1]',
    (batch, rules) => {
      for (const [name, value] of Object.entries(metrics(diagnose(batch, taraParts(batch, rules), rules)))) {
        expect(Number.isFinite(value) && !Object.is(value, -0), name).toBe(true)
        expect(value, name).toBeGreaterThanOrEqual(0)
        if (/(share|rate|success|agreement|mean_reward)$/.test(name))
          expect(value, name).toBeLessThanOrEqual(1)
      }
    },
  )
})
