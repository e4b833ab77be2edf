/**
 * The summary of a batch and its advantages: how much of it taught anything. Plain counts, no text.
 *
 * A *column* is one turn of one group, a *cell* one turn of one rollout. Masked columns take no part, as nothing is
 * computed for them. The voters of a column are those whose rewards are compared there.
 */
import { checkLength } from '../batch/check.js'
import { numGroups, numRollouts, type TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import { resolveOptions } from '../options.js'
import { eachColumn, isSilent, ruleChecks, ruleDefaults, type VoteRules } from './columns.js'
import { type OutcomeTable, outcomeTable } from './traces.js'

/** Smallest and largest; both 0 where there is nothing to count. */
export interface Extent {
  readonly min: number
  readonly max: number
}

export interface Summary {
  readonly groups: number
  readonly rollouts: number
  /** Rollouts lost to an outside cause. */
  readonly aborted: number
  /** Rollouts that a limit ended. */
  readonly truncated: number
  /** Rollouts of a group, aborted ones included. */
  readonly K: Extent
  /** Turns of a group, masked ones included; of groups with rollouts. */
  readonly T: Extent
  /** Columns. */
  readonly turns: number
  /** Columns in which all voters have the same reward: no local advantage. A lone voter, or none, counts too. */
  readonly flatTurns: number
  /** Flat columns with reward 1. */
  readonly flatAllRight: number
  /** Flat columns with reward 0. */
  readonly flatAllWrong: number
  /** Groups of one rollout. */
  readonly singletonGroups: number
  /** Groups in which every advantage is 0. */
  readonly zeroVarianceGroups: number
  /** Cells that a voter reached and got reward 0. */
  readonly failedTurns: number
  /** Cells that a voter reached and got reward 1, with a negative advantage. */
  readonly correctNegative: number
  /** Cells that a valid rollout did not reach, masked columns included. */
  readonly unreached: number
  /** Present where the batch has outcomes. */
  readonly outcome?: Pick<OutcomeTable, 'rollouts' | 'agree'>
}

export interface SummaryOptions extends VoteRules {}

export const summaryDefaults: Readonly<SummaryOptions> = ruleDefaults

const noExtent: Extent = { min: 0, max: 0 }

function widen(extent: Extent | undefined, value: number): Extent {
  return { min: Math.min(extent?.min ?? value, value), max: Math.max(extent?.max ?? value, value) }
}

/** Counts what the groups, their rewards and their advantages are like.
 * @param batch - not changed
 * @param advantage - `[numTurns]` from any estimator, run with the same options
 * @param options - see `summaryDefaults`
 * @throws TaraError `OPTION`, `TYPE`, `LENGTH`
 */
export function summarize(
  batch: TurnBatch,
  advantage: Float64Array,
  options?: Partial<SummaryOptions>,
): Summary {
  const rules = resolveOptions('summarize', options, summaryDefaults, ruleChecks)
  checkAdvantage('summarize: advantage', advantage, batch)

  const { groupPtr, turnPtr } = batch
  const columns = { flatTurns: 0, flatAllRight: 0, flatAllWrong: 0, failedTurns: 0, correctNegative: 0 }
  let K: Extent | undefined
  let T: Extent | undefined
  let turns = 0
  let singletonGroups = 0
  let zeroVarianceGroups = 0
  for (let g = 0; g < numGroups(batch); g++) {
    const first = groupPtr[g]!
    const size = groupPtr[g + 1]! - first
    K = widen(K, size)
    if (size > 0) T = widen(T, turnPtr[first + 1]! - turnPtr[first]!)
    if (size === 1) singletonGroups++
    if (isSilent(batch, advantage, g)) zeroVarianceGroups++
  }
  eachColumn(batch, rules, (_g, _t, cells) => {
    turns++
    countColumn(columns, batch, advantage, cells)
  })
  const outcome = outcomeTable(batch, rules.unreached)
  return {
    groups: numGroups(batch),
    rollouts: numRollouts(batch),
    ...endings(batch),
    K: K ?? noExtent,
    T: T ?? noExtent,
    turns,
    ...columns,
    singletonGroups,
    zeroVarianceGroups,
    ...(outcome && { outcome: { rollouts: outcome.rollouts, agree: outcome.agree } }),
  }
}

/** Checks that there is one advantage a turn.
 * @throws TaraError `TYPE`, `LENGTH`
 */
export function checkAdvantage(place: string, advantage: Float64Array, batch: TurnBatch): void {
  if (!(advantage instanceof Float64Array)) fail('TYPE', place, 'a Float64Array', show(advantage))
  checkLength(place, advantage, batch.reward.length, 'turn')
}

type ColumnCounts = 'flatTurns' | 'flatAllRight' | 'flatAllWrong' | 'failedTurns' | 'correctNegative'

/** Adds one column to the counts.
 * @param cells - flat indices of those who vote in it
 */
function countColumn(
  counts: Record<ColumnCounts, number>,
  { reward, reached }: TurnBatch,
  advantage: Float64Array,
  cells: Int32Array,
): void {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const j of cells) {
    const r = reward[j]!
    low = Math.min(low, r)
    high = Math.max(high, r)
    if (reached[j] === 0) continue
    if (r === 0) counts.failedTurns++
    if (r === 1 && advantage[j]! < 0) counts.correctNegative++
  }
  if (low < high) return
  counts.flatTurns++
  if (low === 1) counts.flatAllRight++
  if (low === 0) counts.flatAllWrong++
}

/** How rollouts ended: an aborted one is not counted as truncated too, and its turns not as unreached. */
function endings(batch: TurnBatch): Pick<Summary, 'aborted' | 'truncated' | 'unreached'> {
  let aborted = 0
  let truncated = 0
  let unreached = 0
  for (let i = 0; i < numRollouts(batch); i++) {
    if (batch.valid[i] === 0) {
      aborted++
      continue
    }
    if (batch.truncated?.[i] === 1) truncated++
    for (let j = batch.turnPtr[i]!; j < batch.turnPtr[i + 1]!; j++) if (batch.reached[j] === 0) unreached++
  }
  return { aborted, truncated, unreached }
}
