/**
 * Batches that every estimator can serve, and a table of the estimators, for rules that all of them keep.
 */
import fc from 'fast-check'
import { drGrpo, drGrpoDefaults } from '../../src/baselines/drGrpo.js'
import { gdpo, gdpoDefaults } from '../../src/baselines/gdpo.js'
import { gigpo, gigpoDefaults } from '../../src/baselines/gigpo.js'
import { grpo, grpoDefaults } from '../../src/baselines/grpo.js'
import { maxRl, maxRlDefaults } from '../../src/baselines/maxRl.js'
import { mtGrpo, mtGrpoDefaults } from '../../src/baselines/mtGrpo.js'
import { opo, opoDefaults } from '../../src/baselines/opo.js'
import { processGrpo, processGrpoDefaults } from '../../src/baselines/processGrpo.js'
import { reinforce, reinforceDefaults } from '../../src/baselines/reinforce.js'
import {
  reinforcePp,
  reinforcePpBaseline,
  reinforcePpBaselineDefaults,
  reinforcePpDefaults,
} from '../../src/baselines/reinforcePp.js'
import { returnToGo, returnToGoDefaults } from '../../src/baselines/returnToGo.js'
import { rloo, rlooDefaults } from '../../src/baselines/rloo.js'
import { turnCredit, turnCreditDefaults } from '../../src/baselines/turnCredit.js'
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'

/** One turn of one rollout, with all that an estimator may ask of it. */
export interface Cell {
  readonly reward: number
  readonly a: number
  readonly b: number
  readonly tokens: number
  readonly state: string
  readonly score: number
}

export interface Rollout {
  readonly cells: readonly Cell[]
  readonly outcome: number
  readonly valid?: boolean
  readonly truncated?: boolean
}

export interface Group {
  readonly rollouts: readonly Rollout[]
  readonly numTurns?: number
  readonly masked?: readonly boolean[]
}

/** A batch and what stands beside it, turn by turn. */
export interface Sample {
  readonly batch: TurnBatch
  readonly turnTokens: number[]
  readonly states: string[]
  readonly stateScores: Float64Array
}

export function sampleOf(groups: readonly Group[]): Sample {
  const table = (rollouts: readonly Rollout[], key: 'reward' | 'a' | 'b'): number[][] =>
    rollouts.map(({ cells }) => cells.map((cell) => cell[key]))
  const batch = turnBatch(
    groups.map(({ rollouts, numTurns, masked }) => ({
      rewards: table(rollouts, 'reward'),
      columns: { a: table(rollouts, 'a'), b: table(rollouts, 'b') },
      outcome: rollouts.map(({ outcome }) => outcome),
      valid: rollouts.map(({ valid }) => valid ?? true),
      truncated: rollouts.map(({ truncated }) => truncated ?? false),
      ...(numTurns !== undefined && { numTurns }),
      ...(masked && { masked }),
    })),
    { realRewards: true },
  )
  const flat = groups.flatMap(({ rollouts, numTurns, masked }) => {
    const T = numTurns ?? masked?.length ?? Math.max(0, ...rollouts.map(({ cells }) => cells.length))
    return rollouts.flatMap(({ cells }) => Array.from({ length: T }, (_, t) => cells[t]))
  })
  return {
    batch,
    turnTokens: flat.map((cell) => cell?.tokens ?? 0),
    states: flat.map((cell) => cell?.state ?? ''),
    stateScores: Float64Array.from(flat, (cell) => cell?.score ?? Number.NaN),
  }
}

type Options = Record<string, unknown>

export interface Entry {
  readonly name: string
  readonly defaults: object
  /** Runs it with what it needs of the sample. */
  readonly run: (sample: Sample, options?: Options, out?: Float64Array) => Float64Array
  /** Rollout-level ones give all turns of a rollout one value. */
  readonly level: 'rollout' | 'turn'
  /** Whether a group's values depend on the other groups. */
  readonly overBatch?: boolean
}

type Side = 'turnTokens' | 'states' | 'stateScores'

function entry<Own extends object>(
  estimate: (batch: TurnBatch, options?: Partial<Own>, out?: Float64Array) => Float64Array,
  defaults: Own,
  level: Entry['level'],
  needs: readonly Side[] = [],
  overBatch = false,
): Entry {
  return {
    name: estimate.name,
    defaults,
    level,
    overBatch,
    run: (sample, options, out) => {
      const own = Object.fromEntries(needs.map((need) => [need, sample[need]]))
      return estimate(sample.batch, { ...own, ...options } as Partial<Own>, out)
    },
  }
}

export const entries: readonly Entry[] = [
  entry(grpo, grpoDefaults, 'rollout'),
  entry(drGrpo, drGrpoDefaults, 'rollout'),
  entry(rloo, rlooDefaults, 'rollout'),
  entry(reinforce, reinforceDefaults, 'rollout'),
  entry(maxRl, maxRlDefaults, 'rollout'),
  entry(reinforcePp, reinforcePpDefaults, 'rollout', ['turnTokens'], true),
  entry(reinforcePpBaseline, reinforcePpBaselineDefaults, 'rollout', ['turnTokens'], true),
  entry(opo, opoDefaults, 'rollout', ['turnTokens']),
  entry(gdpo, gdpoDefaults, 'rollout', [], true),
  entry(mtGrpo, mtGrpoDefaults, 'turn'),
  entry(returnToGo, returnToGoDefaults, 'turn'),
  entry(processGrpo, processGrpoDefaults, 'turn'),
  entry(gigpo, gigpoDefaults, 'turn', ['states']),
  entry(turnCredit, turnCreditDefaults, 'turn', ['stateScores', 'turnTokens']),
]

/** A sample of rewards alone; every turn has one token, a state of its own and no score. */
export function ofRewards(...groups: number[][][]): Sample {
  return sampleOf(
    groups.map((rows, g) => ({
      rollouts: rows.map((row, i) => ({
        outcome: row[0] ?? 0,
        cells: row.map((reward, t) => ({
          reward,
          a: reward,
          b: 0,
          tokens: 1,
          state: `${g} ${i} ${t}`,
          score: Number.NaN,
        })),
      })),
    })),
  )
}

// Arbitrary samples. Rewards are quarters, and positive, so that all estimators are defined.

const quarter = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max: 4 * max }).map((n) => n / 4)

export const cell: fc.Arbitrary<Cell> = fc.record({
  reward: quarter(2),
  a: quarter(1),
  b: fc.constantFrom(0, 1),
  tokens: fc.integer({ min: 1, max: 9 }),
  state: fc.constantFrom('x', 'y', 'z'),
  score: fc.constantFrom(Number.NaN, 0, 0.5, 1, -1),
})

/** At least one turn a rollout, so that every rollout has a scalar. */
const rollout = (maxT: number, minT = 1): fc.Arbitrary<Rollout> =>
  fc.record({
    cells: fc.array(cell, { minLength: minT, maxLength: maxT }),
    outcome: fc.constantFrom(0, 0.5, 1),
  })

const group: fc.Arbitrary<Group> = fc.record({
  rollouts: fc.array(rollout(4), { minLength: 1, maxLength: 6 }),
})

/** Ragged groups; what was not reached is left out. */
export const groups: fc.Arbitrary<Group[]> = fc.array(group, { minLength: 1, maxLength: 3 })

/** One group of K ≥ 2 rollouts with T turns each. */
export const square: fc.Arbitrary<Group> = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 1, max: 4 }))
  .chain(([K, T]) => fc.record({ rollouts: fc.array(rollout(T, T), { minLength: K, maxLength: K }) }))
