/**
 * The summary of a batch and its advantages: how much of it taught anything. Plain counts, no text.
 *
 * A *column* is one turn of one group, a *cell* one turn of one rollout. Masked columns take no part, as nothing is
 * computed for them. The voters of a column are those whose rewards are compared there.
 */
import { checkLength } from '../batch/check.js'
import { numGroups, numRollouts, type TurnBatch } from '../batch/layout.js'
import {
  excludesUnreached,
  liveTurnsOf,
  type TruncatedRule,
  type UnreachedRule,
  votersOf,
} from '../batch/votes.js'
import { fail, show } from '../errors.js'
import { oneOf, optional, resolveOptions } from '../options.js'

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
  readonly outcome?: {
    /** Valid rollouts with an outcome. */
    readonly rollouts: number
    /** Of these, those for which "every reward is 1" and "the outcome is 0.5 or more" are both true or both false. */
    readonly agree: number
  }
}

export interface SummaryOptions {
  /** As for the advantages. `undefined`: `zero` where a golden trace says a turn was due, else `exclude`. */
  readonly unreached: UnreachedRule | undefined
  /** As for the advantages. */
  readonly truncated: TruncatedRule
}

export const summaryDefaults: Readonly<SummaryOptions> = Object.freeze({
  unreached: undefined,
  truncated: 'fail',
})

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
  const { unreached, truncated } = resolveOptions('summarize', options, summaryDefaults, {
    unreached: optional(oneOf('zero', 'exclude')),
    truncated: oneOf('fail', 'exclude', 'mask'),
  })
  if (!(advantage instanceof Float64Array))
    fail('TYPE', 'summarize: advantage', 'a Float64Array', show(advantage))
  checkLength('summarize: advantage', advantage, batch.reward.length, 'turn')

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
    if (advantage.subarray(turnPtr[first]!, turnPtr[first + size]!).every((value) => value === 0))
      zeroVarianceGroups++
    const live = liveTurnsOf(batch, g)
    turns += live.length
    const voters = votersOf(batch, g, truncated)
    const excludes = excludesUnreached(batch, g, unreached)
    for (const t of live) {
      const cells = voters.map((i) => turnPtr[i]! + t).filter((j) => !excludes || batch.reached[j] === 1)
      countColumn(columns, batch, advantage, cells)
    }
  }
  const outcome = agreement(batch, unreached)
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
    ...(outcome && { outcome }),
  }
}

type ColumnCounts = 'flatTurns' | 'flatAllRight' | 'flatAllWrong' | 'failedTurns' | 'correctNegative'

/** Adds one column to the counts.
 * @param cells - flat indices of those who vote in it
 */
function countColumn(
  counts: Record<ColumnCounts, number>,
  { reward, reached }: TurnBatch,
  advantage: Float64Array,
  cells: readonly number[],
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

/** How often the rewards and the outcome say the same. Turns that are left out, masked or unreached, say nothing. */
function agreement(batch: TurnBatch, unreached: UnreachedRule | undefined): Summary['outcome'] {
  const { groupPtr, turnPtr, reward, reached, outcome, hasOutcome } = batch
  if (outcome === undefined) return undefined
  let rollouts = 0
  let agree = 0
  for (let g = 0; g < numGroups(batch); g++) {
    const live = liveTurnsOf(batch, g)
    const excludes = excludesUnreached(batch, g, unreached)
    for (let i = groupPtr[g]!; i < groupPtr[g + 1]!; i++) {
      if (batch.valid[i] === 0 || hasOutcome?.[i] !== 1) continue
      const isRight = live.every((t) => {
        const j = turnPtr[i]! + t
        return reward[j] === 1 || (excludes && reached[j] === 0)
      })
      rollouts++
      if (isRight === outcome[i]! >= 0.5) agree++
    }
  }
  return { rollouts, agree }
}
