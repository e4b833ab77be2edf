/**
 * What holds for the estimators of a family, and where one becomes another.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { drGrpo } from '../../src/baselines/drGrpo.js'
import { estimators } from '../../src/baselines/estimators.js'
import { gdpo } from '../../src/baselines/gdpo.js'
import { gigpo } from '../../src/baselines/gigpo.js'
import { type GrpoOptions, grpo } from '../../src/baselines/grpo.js'
import { maxRl } from '../../src/baselines/maxRl.js'
import { mtGrpo } from '../../src/baselines/mtGrpo.js'
import { opo } from '../../src/baselines/opo.js'
import { processGrpo } from '../../src/baselines/processGrpo.js'
import { reinforcePp, reinforcePpBaseline } from '../../src/baselines/reinforcePp.js'
import { reinforcePpTokens } from '../../src/baselines/reinforcePpTokens.js'
import { returnToGo } from '../../src/baselines/returnToGo.js'
import { rloo } from '../../src/baselines/rloo.js'
import { turnCredit } from '../../src/baselines/turnCredit.js'
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'
import { allZero, batchOf, columnsOf, group, near, realBatchOf, rowsOf, same, sum } from '../laws/support.js'
import { type Group, groups, sampleOf, square } from './samples.js'

const check = <T>(arbitrary: fc.Arbitrary<T>, holds: (sample: T) => void): void =>
  fc.assert(fc.property(arbitrary, holds), { numRuns: 100 })

const allNear = (found: ArrayLike<number>, wished: ArrayLike<number>, tolerance = 1e-9): void => {
  expect(found).toHaveLength(wished.length)
  for (let j = 0; j < wished.length; j++) near(found[j]!, wished[j]!, tolerance, `value ${j}`)
}

const times = (x: Float64Array, factor: number): Float64Array => x.map((value) => value * factor + 0)

/** The same group with other rewards. */
const mapped = (one: Group, change: (r: number) => number): Group => ({
  ...one,
  rollouts: one.rollouts.map((r) => ({
    ...r,
    outcome: change(r.outcome),
    cells: r.cells.map((c) => ({ ...c, reward: change(c.reward) })),
  })),
})

/** The first turn of every rollout, and the tokens of the whole rollout. */
function perRollout(batch: TurnBatch, values: ArrayLike<number>): number[] {
  return Array.from({ length: batch.turnPtr.length - 1 }, (_, i) => values[batch.turnPtr[i]!]!)
}
function tokensOf(batch: TurnBatch, turnTokens: readonly number[]): number[] {
  return perRollout(batch, turnTokens).map((_, i) =>
    sum(turnTokens.slice(batch.turnPtr[i]!, batch.turnPtr[i + 1]!)),
  )
}

describe('shift and scale', () => {
  const shifted = fc.record({ one: square, by: fc.constantFrom(-1, 0.5, 2) })

  it('adding a constant to every reward changes nothing where a mean is subtracted', () => {
    check(shifted, ({ one, by }) => {
      const [a, b] = [sampleOf([one]), sampleOf([mapped(one, (r) => r + by)])]
      const mean = { reward: 'mean' } as const
      for (const dialect of ['paper', 'verl', 'trl', 'openrlhf', 'nemo'] as const)
        allNear(grpo(b.batch, { ...mean, dialect }), grpo(a.batch, { ...mean, dialect }), 1e-6)
      for (const estimate of [drGrpo, rloo]) allNear(estimate(b.batch, mean), estimate(a.batch, mean))
      const counted = { ...mean, turnTokens: a.turnTokens }
      for (const estimate of [opo, reinforcePp, reinforcePpBaseline])
        allNear(estimate(b.batch, counted), estimate(a.batch, counted), 1e-6)
      for (const estimate of [mtGrpo, returnToGo, processGrpo])
        allNear(estimate(b.batch, { epsilon: 1e-6 }), estimate(a.batch, { epsilon: 1e-6 }), 1e-6)
      const { stateScores, turnTokens } = a
      allNear(
        turnCredit(b.batch, { stateScores, turnTokens }),
        turnCredit(a.batch, { stateScores, turnTokens }),
      )
    })
  })

  it('a factor passes through where nothing is divided, and leaves the rest without ε alone', () => {
    check(groups, (list) => {
      const factor = 4 // a power of two: exact
      const [a, b] = [sampleOf(list), sampleOf(list.map((one) => mapped(one, (r) => r * factor)))]
      const mean = { reward: 'mean' } as const
      const { turnTokens, states, stateScores } = a
      for (const estimate of [drGrpo, rloo])
        same(estimate(b.batch, mean), times(estimate(a.batch, mean), factor))
      allNear(opo(b.batch, { ...mean, turnTokens }), times(opo(a.batch, { ...mean, turnTokens }), factor))
      allNear(gigpo(b.batch, { ...mean, states }), times(gigpo(a.batch, { ...mean, states }), factor))
      allNear(
        turnCredit(b.batch, { turnTokens, stateScores: stateScores.map((score) => score * factor) }),
        times(turnCredit(a.batch, { turnTokens, stateScores }), factor),
      )
      for (const estimate of [grpo, maxRl])
        allNear(estimate(b.batch, { ...mean, epsilon: 0 }), estimate(a.batch, { ...mean, epsilon: 0 }))
      for (const estimate of [mtGrpo, returnToGo, processGrpo])
        allNear(estimate(b.batch, { epsilon: 0 }), estimate(a.batch, { epsilon: 0 }))
    })
  })
})

describe('sums to zero', () => {
  it('over the rollouts of a group: GRPO but for leave-one-out σ, Dr. GRPO, RLOO, MaxRL', () => {
    check(groups, (list) => {
      const { batch } = sampleOf(list)
      const found = (['paper', 'trl', 'art'] as const).map((dialect) => grpo(batch, { dialect }))
      for (const values of [...found, drGrpo(batch), rloo(batch), maxRl(batch)])
        for (const g of list.keys()) near(sum(rowsOf(batch, values, g).map((row) => row[0]!)), 0, 1e-9)
    })
  })

  it('over the tokens of a group: OPO; of the batch: REINFORCE++ of both kinds', () => {
    check(groups, (list) => {
      const { batch, turnTokens } = sampleOf(list)
      const tokens = tokensOf(batch, turnTokens)
      const total = (values: Float64Array, first: number, end: number): number =>
        sum(perRollout(batch, values).map((value, i) => (first <= i && i < end ? value * tokens[i]! : 0)))
      const values = opo(batch, { turnTokens })
      for (const g of list.keys()) near(total(values, batch.groupPtr[g]!, batch.groupPtr[g + 1]!), 0, 1e-8)
      for (const whiten of ['verl', 'openrlhf'] as const)
        for (const estimate of [reinforcePp, reinforcePpBaseline])
          near(total(estimate(batch, { turnTokens, whiten }), 0, tokens.length), 0, 1e-7)
    })
  })

  it('over those who reached a turn: return-to-go, MT-GRPO without outcome', () => {
    check(groups, (list) => {
      const { batch } = sampleOf(list)
      for (const values of [returnToGo(batch), mtGrpo(batch, { lambda: 0 })])
        for (const column of columnsOf(batch, values)) near(sum(column), 0, 1e-9)
    })
  })

  it('inside a rollout: what turn credit adds to the centered score, over tokens', () => {
    check(groups, (list) => {
      const { batch, turnTokens, stateScores } = sampleOf(list)
      const all = turnCredit(batch, { turnTokens, stateScores })
      const base = turnCredit(batch, { turnTokens, stateScores, beta: 0 })
      for (let i = 0; i + 1 < batch.turnPtr.length; i++) {
        let total = 0
        for (let j = batch.turnPtr[i]!; j < batch.turnPtr[i + 1]!; j++)
          total += turnTokens[j]! * (all[j]! - base[j]!)
        near(total, 0, 1e-9)
      }
    })
  })
})

describe('reductions', () => {
  it('with one turn TARA, return-to-go and GRPO of the paper are one, bit by bit', () => {
    check(group(12, 1), (rows) => {
      const batch = batchOf(rows)
      for (const estimate of [returnToGo, (b: TurnBatch) => grpo(b, { dialect: 'paper' })])
        same(estimate(batch), tara(batch))
      same(processGrpo(batch, { epsilon: 1e-6 }), tara(batch))
    })
  })

  it('MT-GRPO with λ = 0, and return-to-go with γ = 0, are the local part of TARA, bit by bit', () => {
    check(group(8, 6), (rows) => {
      const batch = {
        ...batchOf(rows),
        outcome: new Float64Array(rows.length),
        hasOutcome: new Uint8Array(rows.length).fill(1),
      }
      const { local } = taraParts(batch)
      same(mtGrpo(batch, { lambda: 0, epsilon: 1e-6 }), local)
      same(mtGrpo(batch, { epsilon: 1e-6 }), local) // a flat outcome adds 0
      same(returnToGo(batch, { gamma: 0 }), local)
    })
  })

  it('RLOO is n/(n−1) Dr. GRPO; MaxRL is Dr. GRPO over μ + ε', () => {
    check(group(12, 3, 2), (rows) => {
      const batch = batchOf(rows)
      const n = rows.length
      const centered = drGrpo(batch, { reward: 'mean' })
      allNear(rloo(batch, { reward: 'mean' }), times(centered, n / (n - 1)), 1e-14)
      const mean = sum(rows.map((row) => sum(row) / row.length)) / n
      allNear(maxRl(batch, { reward: 'mean' }), times(centered, 1 / (mean + 1e-6)), 1e-9)
    })
  })

  it('GRPO of verl, TRL, ART … is plain GRPO with their constants, bit by bit', () => {
    check(group(8, 3, 2), (rows) => {
      const batch = batchOf(rows)
      const plain: [NonNullable<GrpoOptions['dialect']>, Partial<GrpoOptions>][] = [
        ['paper', {}],
        ['art', {}],
        ['verl', { correction: 1 }],
        ['skyrl', { correction: 1 }],
        ['trl', { correction: 1, epsilon: 1e-4 }],
        ['openrlhf', { correction: 1, epsilon: 1e-9 }],
      ]
      for (const [dialect, options] of plain) same(grpo(batch, { dialect }), grpo(batch, options))
    })
  })

  it('OPO with equal lengths is Dr. GRPO', () => {
    check(square, (one) => {
      const { batch } = sampleOf([one])
      allNear(opo(batch, { turnTokens: new Array(batch.reward.length).fill(3) }), drGrpo(batch), 1e-12)
    })
  })

  it('REINFORCE++-baseline over the rollouts of one group is GRPO of the paper', () => {
    check(square, (one) => {
      const { batch } = sampleOf([one])
      allNear(reinforcePpBaseline(batch, { whiten: 'rllm' }), grpo(batch), 1e-9)
    })
  })

  it('REINFORCE++ of turns is REINFORCE++ of tokens with the outcome on the last one and γ = 1', () => {
    check(groups, (list) => {
      const { batch, turnTokens } = sampleOf(list)
      const tokenPtr = [0]
      const ownTurn: number[] = []
      const R = tokensOf(batch, turnTokens).map((tokens, i) => {
        tokenPtr.push(tokenPtr.at(-1)! + tokens)
        let product = 1
        for (let j = batch.turnPtr[i]!; j < batch.turnPtr[i + 1]!; j++) {
          ownTurn.push(...new Array<number>(turnTokens[j]!).fill(j))
          if (batch.reached[j] === 1) product *= batch.reward[j]!
        }
        return product
      })
      const reward = new Float64Array(ownTurn.length)
      for (const [i, value] of R.entries()) reward[tokenPtr[i + 1]! - 1] = value
      for (const whiten of ['verl', 'openrlhf'] as const) {
        const tokens = reinforcePpTokens(reward, new Uint8Array(reward.length).fill(1), { tokenPtr, whiten })
        const turns = reinforcePp(batch, { turnTokens, whiten })
        allNear(
          tokens,
          ownTurn.map((j) => turns[j]!),
          1e-9,
        )
      }
    })
  })

  it('GDPO of one column without the last step is GRPO of its dialect, bit by bit', () => {
    check(group(8, 3), (rows) => {
      const batch = turnBatch([{ columns: { only: rows } }])
      for (const dialect of ['paper', 'verl', 'trl', 'nemo'] as const)
        same(gdpo(batch, { dialect, lastStep: false }), grpo(batchOf(rows), { dialect }))
    })
  })

  it('GDPO of r and V with the weights 1 and λ, without the last step, is TARA at each turn', () => {
    check(group(8, 4), (rows) => {
      const batch = batchOf(rows)
      const V = rowsOf(batch, taraParts(batch).futureValue)
      const A = rowsOf(batch, tara(batch))
      for (const t of rows[0]!.keys()) {
        const at = (table: number[][]): number[][] => table.map((row) => [row[t]!])
        const columns = turnBatch([{ rewards: at(rows), columns: { r: at(rows), V: at(V) } }], {
          realRewards: true,
        })
        same(
          gdpo(columns, { dialect: 'paper', weights: { r: 1, V: 0.5 }, lastStep: false }),
          A.map((row) => row[t]!),
        )
      }
    })
  })

  it('GDPO with reward weight 0 does not see the column', () => {
    check(square, (one) => {
      const { batch } = sampleOf([one])
      const { a } = batch.columns!
      const alone = { ...batch, columns: { a: a! } }
      allNear(gdpo(batch, { weights: { a: 1, b: 0 } }), gdpo(alone), 1e-12)
    })
  })

  it('GiGPO is Dr. GRPO where ω = 0 or no state occurs twice', () => {
    check(groups, (list) => {
      const { batch, states } = sampleOf(list)
      same(gigpo(batch, { states, omega: 0 }), drGrpo(batch))
      same(gigpo(batch, { states: states.map((_, j) => j) }), drGrpo(batch))
    })
  })

  it('GiGPO of one turn from one state is 1 + ω times Dr. GRPO', () => {
    check(group(8, 1), (rows) => {
      const batch = batchOf(rows)
      const states = new Array(rows.length).fill('start')
      allNear(gigpo(batch, { states, omega: 0.5 }), times(drGrpo(batch), 1.5), 1e-14)
    })
  })

  it('turn credit where the state never changes is Dr. GRPO of the outcome', () => {
    check(groups, (list) => {
      const { batch, turnTokens } = sampleOf(list)
      const stateScores = new Float64Array(turnTokens.length).fill(0.3)
      same(turnCredit(batch, { turnTokens, stateScores, reward: 'trace' }), drGrpo(batch))
    })
  })
})

describe('turn counts that the policy decides', () => {
  // A rollout stops at turn 0 and earns 1, or goes on (probability 0.4), earns 0 and then 1.5: the true gradient of the
  // logit of going on is 0.4·0.6·0.5 = 0.12, and 0.10 where each of 6 rollouts is part of its own baseline.
  const [K, p] = [6, 0.4]
  const choose = [1, 6, 15, 20, 15, 6, 1]

  function gradient(estimate: (batch: TurnBatch) => Float64Array): number {
    return sum(
      choose.map((ways, going) => {
        const rows = Array.from({ length: K }, (_, i) => (i < going ? [0, 1.5] : [1]))
        const A = perRollout(realBatchOf(rows), estimate(realBatchOf(rows)))
        const score = A.map((value, i) => value * ((i < going ? 1 : 0) - p))
        return (ways * p ** going * (1 - p) ** (K - going) * sum(score)) / K
      }),
    )
  }

  it('bias what is normalized and then accumulated, and nothing that is accumulated first', () => {
    expect(gradient((batch) => returnToGo(batch, { gamma: 1, scale: 'none' }))).toBeCloseTo(0.1, 12)
    expect(gradient((batch) => processGrpo(batch, { scale: 'none' }))).toBeCloseTo(-0.0707, 4) // the wrong sign
    expect(gradient((batch) => processGrpo(batch))).toBeLessThan(-0.1)
    expect(gradient((batch) => mtGrpo(batch, { lambda: 0, scale: 'none', reward: 'mean' }))).toBeCloseTo(
      -0.2,
      12,
    )
    expect(
      gradient((batch) =>
        tara(batch, { gate: 'none', scale: 'none', gamma: 1, lambda: 1, allowLambdaOne: true }),
      ),
    ).toBeCloseTo(0.1, 12)
  })

  it('do not bias the process form where T is fixed and unreached turns count as 0', () => {
    const options = { unreached: 'zero', scale: 'none' } as const
    expect(gradient((batch) => processGrpo(batch, options))).toBeCloseTo(0.1, 12)
  })

  it('are warned of for the estimators that the list marks', () => {
    expect(estimators.filter((one) => one.accumulatesNormalized).map(({ name }) => name)).toEqual([
      'process-grpo',
    ])
  })
})

it('MT-GRPO has no NaN where σ is 0 and there is no ε', () => {
  const batch = turnBatch([
    {
      rewards: [
        [1, 0],
        [1, 0],
      ],
      outcome: [1, 1],
    },
  ])
  allZero(mtGrpo(batch))
})
