/**
 * One turn index over all groups: how often it is right, how much there is to compare, and where its credit comes from.
 *
 * A turn index gathers the columns of the groups that have such a turn. Rates are over cells that vote, each once.
 */
import { type Gate, gateAt } from '../advantage/future.js'
import type { TaraParts } from '../advantage/tara.js'
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { liveTurnsOf } from '../batch/votes.js'

/** Cells that a voter reached, by what they earned and what they got. */
export interface Signs {
  /** Reward 1. */
  readonly correct: number
  /** Reward 1 and a negative advantage. */
  readonly correctNegative: number
  /** Reward 0. */
  readonly failed: number
  /** Reward 0 and a positive advantage. */
  readonly failedPositive: number
}

/** Where credit comes from. Only known where the parts of TARA are. */
export interface Credit {
  /** Cells that vote and have a turn after them. */
  readonly gated: number
  /** Of these, those whose gate δ is above 0. */
  readonly gateOpen: number
  /** Σ |A_local| over the cells that vote. */
  readonly localSize: number
  /** Σ |λ·A_future| over the cells that vote. */
  readonly futureSize: number
}

export interface TurnCounts extends Signs {
  /** Groups that compare at the turn: its columns. */
  readonly columns: number
  /** Columns in which all voters have the same reward; a lone voter, or none, counts too. */
  readonly flat: number
  /** Flat columns with reward 1. */
  readonly flatAllRight: number
  /** Flat columns with reward 0. */
  readonly flatAllWrong: number
  /** Cells that vote. */
  readonly votes: number
  /** Cells of valid rollouts, masked columns included. */
  readonly due: number
  /** Of these, those that were not reached. */
  readonly unreached: number
  readonly credit: Credit | undefined
}

export interface TurnDiagnosis extends TurnCounts {
  readonly turn: number
  /** Mean reward of the cells that vote; `undefined` where there are none. */
  readonly meanReward: number | undefined
  /** Mean over the columns with voters of σ, the population's; `undefined` where there are none. */
  readonly sigma: number | undefined
}

/** Advantages, and the parts that TARA makes them of. */
export type Parts = Pick<TaraParts, 'advantage'> & Partial<TaraParts>

export interface CreditOptions {
  /** δ, as for the advantages. Read only where `local` and `future` are given. */
  readonly gate: Gate
  /** λ, as for the advantages. Read only where `local` and `future` are given. */
  readonly lambda: number
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** The sums that a turn index gathers. */
interface Sums extends Mutable<Omit<TurnCounts, 'credit'>> {
  reward: number
  sigma: number
  columnsWithVoters: number
  readonly credit: Mutable<Credit>
}

const noSums = (): Sums => ({
  columns: 0,
  flat: 0,
  flatAllRight: 0,
  flatAllWrong: 0,
  votes: 0,
  correct: 0,
  correctNegative: 0,
  failed: 0,
  failedPositive: 0,
  due: 0,
  unreached: 0,
  reward: 0,
  sigma: 0,
  columnsWithVoters: 0,
  credit: { gated: 0, gateOpen: 0, localSize: 0, futureSize: 0 },
})

const countNames = [
  'columns',
  'flat',
  'flatAllRight',
  'flatAllWrong',
  'votes',
  'correct',
  'correctNegative',
  'failed',
  'failedPositive',
  'due',
  'unreached',
] as const

const creditNames = ['gated', 'gateOpen', 'localSize', 'futureSize'] as const

export interface TurnTally {
  /** Adds one column; `sigma` is that of its rewards. */
  readonly add: (g: number, t: number, cells: Int32Array, sigma: number) => void
  /** One entry a turn index. */
  readonly finish: () => TurnDiagnosis[]
}

/** Counts the cells of the valid rollouts of every turn index, masked columns included. */
function countReach({ groupPtr, turnPtr, valid, reached }: TurnBatch, sums: readonly Sums[]): void {
  for (let i = 0; i < groupPtr[groupPtr.length - 1]!; i++) {
    if (valid[i] === 0) continue
    for (let j = turnPtr[i]!; j < turnPtr[i + 1]!; j++) {
      const sum = sums[j - turnPtr[i]!]!
      sum.due++
      if (reached[j] === 0) sum.unreached++
    }
  }
}

/** Starts the sums of all turn indices.
 * @param numTurns - most turns of a group
 */
export function turnTally(
  batch: TurnBatch,
  { advantage, local, future }: Parts,
  { gate, lambda }: CreditOptions,
  numTurns: number,
): TurnTally {
  const { reward, reached } = batch
  const sums = Array.from({ length: numTurns }, noSums)
  const lastTurn = Int32Array.from({ length: numGroups(batch) }, (_, g) => liveTurnsOf(batch, g).at(-1) ?? -1)
  countReach(batch, sums)

  function addCell(sum: Sums, j: number, isLast: boolean): void {
    const r = reward[j]!
    sum.votes++
    sum.reward += r
    if (reached[j] === 1 && r === 1) {
      sum.correct++
      if (advantage[j]! < 0) sum.correctNegative++
    }
    if (reached[j] === 1 && r === 0) {
      sum.failed++
      if (advantage[j]! > 0) sum.failedPositive++
    }
    if (local === undefined || future === undefined) return
    sum.credit.localSize += Math.abs(local[j]!)
    sum.credit.futureSize += Math.abs(lambda * future[j]!)
    if (isLast) return
    sum.credit.gated++
    if (gateAt(gate, reward, j) > 0) sum.credit.gateOpen++
  }

  return {
    add(g, t, cells, sigma) {
      const sum = sums[t]!
      let low = Number.POSITIVE_INFINITY
      let high = Number.NEGATIVE_INFINITY
      for (const j of cells) {
        low = Math.min(low, reward[j]!)
        high = Math.max(high, reward[j]!)
        addCell(sum, j, t === lastTurn[g])
      }
      sum.columns++
      if (cells.length > 0) sum.columnsWithVoters++
      sum.sigma += sigma
      if (low < high) return
      sum.flat++
      if (low === 1) sum.flatAllRight++
      if (low === 0) sum.flatAllWrong++
    },
    finish: () =>
      sums.map(({ reward: total, sigma, columnsWithVoters, credit, ...counts }, turn) => ({
        turn,
        ...counts,
        meanReward: counts.votes === 0 ? undefined : total / counts.votes,
        sigma: columnsWithVoters === 0 ? undefined : sigma / columnsWithVoters,
        credit: local === undefined || future === undefined ? undefined : credit,
      })),
  }
}

/** Adds up all turn indices. */
export function totalsOf(turns: readonly TurnDiagnosis[]): TurnCounts {
  const { reward: _reward, sigma: _sigma, columnsWithVoters: _columns, ...total } = noSums()
  for (const turn of turns) {
    for (const name of countNames) total[name] += turn[name]
    for (const name of creditNames) total.credit[name] += turn.credit?.[name] ?? 0
  }
  return turns.some(({ credit }) => credit !== undefined) ? total : { ...total, credit: undefined }
}
