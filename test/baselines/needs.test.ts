/**
 * What an estimator says to a batch that it cannot serve.
 */
import { describe, expect, it } from 'vitest'
import { type EstimatorNeed, estimators } from '../../src/baselines/estimators.js'
import { gdpo } from '../../src/baselines/gdpo.js'
import { gigpo } from '../../src/baselines/gigpo.js'
import { maxRl } from '../../src/baselines/maxRl.js'
import { mtGrpo } from '../../src/baselines/mtGrpo.js'
import { opo } from '../../src/baselines/opo.js'
import { reinforcePp, reinforcePpBaseline } from '../../src/baselines/reinforcePp.js'
import { turnCredit } from '../../src/baselines/turnCredit.js'
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'
import { TaraError, type TaraErrorCode } from '../../src/errors.js'
import { entries } from './samples.js'

const plain = turnBatch([{ rewards: [[1, 0], [0]] }])
const turnTokens = [2, 3, 4, 0]
const stateScores = new Float64Array(4)

describe('an estimator without what it needs', () => {
  it.each<[TaraErrorCode, string, () => unknown]>([
    [
      'MISSING',
      'opo: options.turnTokens: expected the number of trained tokens of each turn, or token spans, got undefined',
      () => opo(plain),
    ],
    ['MISSING', 'reinforcePp: options.turnTokens: expected the number', () => reinforcePp(plain)],
    ['MISSING', 'reinforcePpBaseline: options.turnTokens: expected', () => reinforcePpBaseline(plain)],
    [
      'MISSING',
      'turnCredit: options.turnTokens: expected',
      () => turnCredit(plain, { stateScores, reward: 'mean' }),
    ],
    [
      'MISSING',
      'turnCredit: options.stateScores: expected the score of the state after each turn, got undefined',
      () => turnCredit(plain, { turnTokens }),
    ],
    [
      'MISSING',
      'turnCredit: batch.outcome: expected a score of each rollout (the option reward makes one of its turns: "trace", "mean", "discounted"), got none for rollout 0 of group 0',
      () => turnCredit(plain, { turnTokens, stateScores }),
    ],
    ['MISSING', 'mtGrpo: batch.outcome: expected a score of each rollout', () => mtGrpo(plain)],
    [
      'MISSING',
      'got none for rollout 1 of group 0',
      () => mtGrpo(turnBatch([{ rewards: [[1], [0]], outcome: [1, null] }])),
    ],
    ['MISSING', 'gdpo: batch.columns: expected named rewards, got undefined', () => gdpo(plain)],
    [
      'MISSING',
      'gigpo: options.states: expected the state that each turn started from, got undefined',
      () => gigpo(plain),
    ],
  ])('%s: %s', (code, message, work) => {
    expect(work).toThrow(message)
    expect(work).toThrow(expect.objectContaining({ code }) as TaraError)
  })

  it('an aborted rollout needs no outcome', () => {
    const batch = turnBatch([{ rewards: [[1], [0], [0]], outcome: [1, 0, null], valid: [true, true, false] }])
    expect([...mtGrpo(batch)]).toEqual([2, -2, 0])
  })
})

describe('token counts', () => {
  const given =
    (value: unknown): (() => Float64Array) =>
    () =>
      opo(plain, { turnTokens: value as number[] })

  it.each<[string, unknown]>([
    [
      'opo: options.turnTokens: expected a list, an Int32Array or a Float64Array with one count a turn, or token spans, got 3',
      3,
    ],
    ['opo: options.turnTokens: expected 4 values, one a turn, got 2', [1, 2]],
    ['opo: options.turnTokens[1]: expected a whole number from 0 to 2147483647, got 1.5', [1, 1.5, 1, 0]],
    ['opo: options.turnTokens[0]: expected a whole number from 0 to 2147483647, got -1', [-1, 1, 1, 0]],
    [
      'opo: options.turnTokens[2]: expected a whole number from 0 to 2147483647, got NaN',
      [1, 1, Number.NaN, 0],
    ],
    ['opo: options.turnTokens[3]: expected 0, as the turn is not reached, got 5', [1, 1, 1, 5]],
  ])('%s', (message, value) => {
    expect(given(value)).toThrow(message)
  })

  it('come as lists or typed arrays', () => {
    const found = opo(plain, { turnTokens })
    expect(opo(plain, { turnTokens: Int32Array.from(turnTokens) })).toEqual(found)
    expect(opo(plain, { turnTokens: Float64Array.from(turnTokens) })).toEqual(found)
  })

  it('of masked turns do not count', () => {
    const batch = turnBatch([
      {
        rewards: [
          [1, 1],
          [0, 1],
        ],
        masked: [false, true],
      },
    ])
    expect([...opo(batch, { turnTokens: [1, 99, 3, 7] })]).toEqual([0.75, 0, -0.25, 0])
  })

  it('that are all 0 leave nothing to train', () => {
    expect([...opo(plain, { turnTokens: [0, 0, 0, 0] })]).toEqual([0, 0, 0, 0])
    expect([...reinforcePp(plain, { turnTokens: [0, 0, 0, 0] })]).toEqual([0, 0, 0, 0])
  })
})

describe('an option out of place', () => {
  it.each<[string, () => unknown]>([
    [
      'reinforcePp: options.gamma: expected 1, or reward "discounted" to read it (a discount per token gives one turn several values: reinforcePpTokens), got 0.9',
      () => reinforcePp(plain, { gamma: 0.9, turnTokens }),
    ],
    [
      'reinforcePpBaseline: options.gamma: expected 1',
      () => reinforcePpBaseline(plain, { gamma: 0.5, turnTokens }),
    ],
    [
      'gdpo: options.weights.c: expected one of a, b, got an unknown column',
      () => gdpo(columns, { weights: { a: 1, b: 1, c: 1 } }),
    ],
    [
      'gdpo: options.weights.b: expected a weight for each column, got undefined',
      () => gdpo(columns, { weights: { a: 1 } }),
    ],
    [
      'gdpo: options.weights: expected an object with a number',
      () => gdpo(columns, { weights: { a: Number.NaN, b: 1 } }),
    ],
    ['gdpo: options.dialect: expected one of "trl"', () => gdpo(columns, { dialect: 'art' as 'trl' })],
    ['gdpo: options.turnTokens: expected the number', () => gdpo(columns, { dialect: 'verl' })],
    ['gigpo: options.states: expected 4 values, one a turn, got 1', () => gigpo(plain, { states: ['a'] })],
    [
      'gigpo: options.states[1]: expected a string or a finite number, got NaN',
      () => gigpo(plain, { states: [1, Number.NaN, 1, 1] }),
    ],
    ['gigpo: options.omega: expected a number in [0, 1000000], got -1', () => gigpo(plain, { omega: -1 })],
    [
      'mtGrpo: options.lambda: expected a number in [0, 1000000]',
      () => mtGrpo(plain, { lambda: Number.NaN }),
    ],
    [
      'turnCredit: options.stateScores[2]: expected a number of at most 1e+300 in size, or NaN, got Infinity',
      () =>
        turnCredit(plain, { turnTokens, stateScores: Float64Array.of(0, 0, Number.POSITIVE_INFINITY, 0) }),
    ],
    [
      'turnCredit: options.stateScores: expected 4 values',
      () => turnCredit(plain, { turnTokens, stateScores: new Float64Array(1) }),
    ],
    ['rms', () => gdpo(columns, { rms: 1 } as object)],
  ])('%s', (message, work) => {
    expect(work).toThrow(message)
  })

  const columns = turnBatch([{ columns: { a: [[1], [0]], b: [[0], [0]] } }], { realRewards: true })

  it('γ is read by a discounted scalar', () => {
    expect(reinforcePp(plain, { reward: 'discounted', gamma: 0.9, turnTokens })).toHaveLength(4)
    expect(reinforcePp(plain, { gamma: 1, turnTokens })).toEqual(reinforcePp(plain, { turnTokens }))
  })

  it('GDPO without its last step needs no token counts', () => {
    expect(gdpo(columns, { dialect: 'verl', lastStep: false })).toHaveLength(2)
  })

  it('a column made by hand is checked', () => {
    const broken: TurnBatch = { ...columns, columns: { a: Float64Array.of(1, Number.NaN) } }
    expect(() => gdpo(broken)).toThrow('gdpo: batch.columns.a[1]: expected a finite number')
    expect(() => gdpo(columns, {}, columns.columns!.a)).toThrow('memory that batch.columns.a uses')
  })
})

describe('maxRl', () => {
  const ofScalars = (...R: number[]): TurnBatch =>
    turnBatch([{ rewards: [[1]] }, { rewards: R.map((value) => [value]) }], { realRewards: true })

  it.each([[[-0.25, -0.75]], [[1, -1]], [[-1, -1]], [[-1]]])(
    'refuses %j, whose mean is not positive',
    (R) => {
      expect(() => maxRl(ofScalars(...R))).toThrow(
        'maxRl: group 1: expected a mean above 0, or rewards that are all 0, got a mean of',
      )
    },
  )

  it('is 0 where all are 0', () => {
    expect([...maxRl(ofScalars(0, 0, 0))]).toEqual([0, 0, 0, 0])
  })

  it('refuses what would not be finite', () => {
    expect(() => maxRl(ofScalars(1e300, -1e300, 1e-300), { epsilon: 0 })).toThrow(TaraError)
  })
})

describe('the list of estimators', () => {
  it('is frozen and has each estimator once, by its function', () => {
    expect(Object.isFrozen(estimators)).toBe(true)
    for (const one of estimators) {
      expect(Object.isFrozen(one)).toBe(true)
      expect(Object.isFrozen(one.needs)).toBe(true)
    }
    expect(estimators.map((one) => one.function).sort()).toEqual(entries.map(({ name }) => name).sort())
    expect(estimators.map(({ name }) => name)).toEqual([
      'grpo',
      'dr-grpo',
      'rloo',
      'reinforce',
      'reinforce-pp',
      'reinforce-pp-baseline',
      'opo',
      'maxrl',
      'gdpo',
      'mt-grpo',
      'return-to-go',
      'process-grpo',
      'gigpo',
      'turn-credit',
    ])
  })

  it.each(estimators.map((one) => [one.name, one] as const))(
    'says what %s needs',
    (_name, { function: own, needs }) => {
      const { run } = entries.find(({ name }) => name === own)!
      const missing = new Set<EstimatorNeed>()
      const full: Record<EstimatorNeed, unknown> = {
        turnTokens,
        states: ['a', 'b', 'a', 'b'],
        stateScores,
        outcome: { outcome: Float64Array.of(1, 0), hasOutcome: Uint8Array.of(1, 1) },
        columns: { columns: { a: Float64Array.of(1, 0, 0, 0) } },
      }
      for (const need of Object.keys(full) as EstimatorNeed[]) {
        const have = { ...full, [need]: undefined } as typeof full
        const batch = { ...plain, ...(have.outcome as object), ...(have.columns as object) }
        try {
          run({ batch, ...have } as never)
        } catch (error) {
          expect((error as TaraError).code).toBe('MISSING')
          expect((error as TaraError).path).toContain(need)
          missing.add(need)
        }
      }
      expect([...missing].sort()).toEqual([...needs].sort())
    },
  )
})
