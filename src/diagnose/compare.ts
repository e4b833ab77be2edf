/**
 * Estimators side by side on the same rollouts: where they agree on a turn's sign, where they are silent, and where their
 * sign speaks against the reward.
 *
 * All are read at the cells that vote; see `columns.ts`. What an estimator gives to other cells is not looked at.
 */
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import { resolveOptions } from '../options.js'
import { eachColumn, isSilent, mostTurns, ruleChecks, ruleDefaults, type VoteRules } from './columns.js'
import { type Centered, centered, correlationOf, varianceOf } from './correlation.js'
import { checkAdvantage } from './summary.js'
import type { Signs } from './turns.js'

export interface NamedAdvantage {
  readonly name: string
  /** `[numTurns]` */
  readonly advantage: Float64Array
}

/** One estimator against the rewards. */
export interface EstimatorFacts extends Signs {
  readonly name: string
  /** Groups in which every advantage is 0. */
  readonly silentGroups: number
  /** Columns in which every voter's advantage is 0. */
  readonly silentTurns: number
  /** Mean over the cells that vote; `undefined` where there are none. */
  readonly mean: number | undefined
  /** Variance over the cells that vote, the population's; `undefined` where there are none, or float64 cannot hold it. */
  readonly variance: number | undefined
}

/** How often two advantages have the same sign: both above 0, both below, or both 0. */
export interface SignCount {
  readonly votes: number
  readonly sameSign: number
}

/** An estimator against the reference. */
export interface PairFacts extends SignCount {
  readonly name: string
  /** `[largest T]` */
  readonly turns: readonly SignCount[]
  /** Pearson's, over the cells that vote; `undefined` where one of the two is the same everywhere. */
  readonly correlation: number | undefined
}

export interface Comparison {
  readonly groups: number
  /** Columns: turns of groups. */
  readonly turns: number
  /** Cells that vote: turns of rollouts. */
  readonly votes: number
  /** The first estimator. */
  readonly reference: string
  readonly estimators: readonly EstimatorFacts[]
  /** Each of the others against the reference. */
  readonly pairs: readonly PairFacts[]
}

/** The cells that vote, a column after the other. */
interface Cells {
  readonly index: Int32Array
  /** Turn of each cell. */
  readonly turn: Int32Array
  /** `[turns+1]` */
  readonly columnPtr: number[]
}

function votingCells(batch: TurnBatch, rules: VoteRules): Cells {
  const index = new Int32Array(batch.reward.length)
  const turn = new Int32Array(batch.reward.length)
  const columnPtr = [0]
  let n = 0
  eachColumn(batch, rules, (_, t, cells) => {
    index.set(cells, n)
    turn.fill(t, n, n + cells.length)
    n += cells.length
    columnPtr.push(n)
  })
  return { index: index.subarray(0, n), turn: turn.subarray(0, n), columnPtr }
}

function signsOf({ reward, reached }: TurnBatch, index: Int32Array, advantage: Float64Array): Signs {
  const signs = { correct: 0, correctNegative: 0, failed: 0, failedPositive: 0 }
  for (const j of index) {
    if (reached[j] === 0) continue
    if (reward[j] === 1) {
      signs.correct++
      if (advantage[j]! < 0) signs.correctNegative++
    } else if (reward[j] === 0) {
      signs.failed++
      if (advantage[j]! > 0) signs.failedPositive++
    }
  }
  return signs
}

function factsOf(
  batch: TurnBatch,
  { index, columnPtr }: Cells,
  { name, advantage }: NamedAdvantage,
  values: Centered | undefined,
): EstimatorFacts {
  let silentGroups = 0
  for (let g = 0; g < numGroups(batch); g++) if (isSilent(batch, advantage, g)) silentGroups++
  let silentTurns = 0
  for (let c = 0; c + 1 < columnPtr.length; c++)
    if (index.subarray(columnPtr[c]!, columnPtr[c + 1]!).every((j) => advantage[j] === 0)) silentTurns++
  return {
    name,
    silentGroups,
    silentTurns,
    ...signsOf(batch, index, advantage),
    mean: values?.mean,
    variance: values && varianceOf(values),
  }
}

function pairOf(
  { index, turn }: Cells,
  reference: NamedAdvantage,
  other: NamedAdvantage,
  numTurns: number,
  correlation: number | undefined,
): PairFacts {
  const turns = Array.from({ length: numTurns }, () => ({ votes: 0, sameSign: 0 }))
  let sameSign = 0
  for (let k = 0; k < index.length; k++) {
    const j = index[k]!
    const isSame = Math.sign(reference.advantage[j]!) === Math.sign(other.advantage[j]!) ? 1 : 0
    const count = turns[turn[k]!]!
    count.votes++
    count.sameSign += isSame
    sameSign += isSame
  }
  return { name: other.name, votes: index.length, sameSign, turns, correlation }
}

/** Checks that there are estimators, of different names, with one finite number a turn. */
function checkNamed(batch: TurnBatch, named: readonly NamedAdvantage[]): void {
  if (!Array.isArray(named) || named.length === 0)
    fail('MISSING', 'compareEstimators: named', 'a list of one estimator or more', show(named))
  named.forEach(({ name, advantage }: NamedAdvantage, e) => {
    const place = `compareEstimators: named[${e}]`
    if (typeof name !== 'string') fail('TYPE', `${place}.name`, 'a name', show(name))
    if (named.findIndex((other: NamedAdvantage) => other.name === name) < e)
      fail('DUPLICATE', `${place}.name`, 'a name of its own', show(name))
    checkAdvantage(`${place}.advantage`, advantage, batch)
    const broken = advantage.findIndex((value) => !Number.isFinite(value))
    if (broken >= 0)
      fail('RANGE', `${place}.advantage[${broken}]`, 'a finite number', show(advantage[broken]))
  })
}

/** Sets estimators side by side.
 * @param batch - not changed
 * @param named - the advantages of each, all computed of this batch; the first is the reference
 * @param options - who votes, as for the advantages; see `ruleDefaults`
 * @throws TaraError `OPTION`, `MISSING` (no estimator), `DUPLICATE` (a name), `TYPE`, `LENGTH`, `RANGE`
 */
export function compareEstimators(
  batch: TurnBatch,
  named: readonly NamedAdvantage[],
  options?: Partial<VoteRules>,
): Comparison {
  const rules = resolveOptions<VoteRules>('compareEstimators', options, ruleDefaults, ruleChecks)
  checkNamed(batch, named)
  const cells = votingCells(batch, rules)
  const values = named.map(({ advantage }) => centered(Float64Array.from(cells.index, (j) => advantage[j]!)))
  const correlationWith = (e: number): number | undefined =>
    values[0] && values[e] && correlationOf(values[0], values[e])
  const [reference, ...others] = named as readonly [NamedAdvantage, ...NamedAdvantage[]]
  return {
    groups: numGroups(batch),
    turns: cells.columnPtr.length - 1,
    votes: cells.index.length,
    reference: reference.name,
    estimators: named.map((one, e) => factsOf(batch, cells, one, values[e])),
    pairs: others.map((other, e) =>
      pairOf(cells, reference, other, mostTurns(batch), correlationWith(e + 1)),
    ),
  }
}
