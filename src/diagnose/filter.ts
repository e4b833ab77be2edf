/**
 * Leaves rollouts and groups out of a batch, with a receipt: what stayed, what went, why, and how many.
 *
 * The filters run in this order, each on what the ones before left:
 *
 *     truncated → minGroupSize → meanReward → flat
 *
 * The first takes single rollouts, the others take whole groups. Who is aborted stays with its group: it has no vote.
 */
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { excludesUnreached, liveTurnsOf } from '../batch/votes.js'
import { aCount, type Check, oneOf, optional, resolveOptions } from '../options.js'
import { ruleChecks, ruleDefaults, type VoteRules } from './columns.js'
import { takeBatch } from './select.js'

export interface GroupFilters {
  /** Drops rollouts that a limit ended. A group that loses all its rollouts goes too. */
  readonly truncated: 'drop' | undefined
  /** Drops groups in which fewer rollouts vote. */
  readonly minGroupSize: number | undefined
  /** Drops groups whose mean reward is outside of [min, max]; a bound that is left out is open. The mean is over the
   * rollouts that vote, each counted once with the mean of its turns. Without any vote there is no mean: dropped. */
  readonly meanReward: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined
  /** Drops groups whose rollouts have all the same rewards at every turn and, where unreached turns are excluded, have
   * reached the same turns: TARA and the rollout-level estimators that compare inside the group are 0 there;
   * process-grpo and gigpo can still learn there. One voter, or none, is flat. */
  readonly flat: 'drop' | undefined
}

export const filterDefaults: Readonly<GroupFilters> = Object.freeze({
  truncated: undefined,
  minGroupSize: undefined,
  meanReward: undefined,
  flat: undefined,
})

/** The filter that something was dropped by. */
export type DropReason = keyof GroupFilters

export interface Dropped {
  /** Index of the group in the given batch. */
  readonly group: number
  /** Index of the rollout in the given batch; `null` for all that was left of the group. */
  readonly rollout: number | null
  readonly reason: DropReason
}

export interface FilterCounts {
  readonly keptGroups: number
  readonly keptRollouts: number
  /** By filter: groups that went, and rollouts, those of the groups included. Kept and dropped make up the given batch. */
  readonly dropped: Readonly<Record<DropReason, { readonly groups: number; readonly rollouts: number }>>
}

export interface Filtered {
  /** What stayed, in the same order, in memory of its own. */
  readonly batch: TurnBatch
  /** `[numRollouts]` of `batch`: the index that each rollout had. `takeRollouts` and `takeTurns` carry others along. */
  readonly kept: Int32Array
  /** `[numGroups]` of `batch`: the index that each group had. */
  readonly keptGroups: Int32Array
  /** In the order of the given batch. */
  readonly dropped: readonly Dropped[]
  readonly counts: FilterCounts
}

const isBound = (bound: unknown): boolean => bound === undefined || Number.isFinite(bound)

const aRange: Check = (value) => {
  const wish = '{ min, max } with finite bounds, min at most max'
  if (typeof value !== 'object' || value === null) return wish
  if (Object.keys(value).some((name) => name !== 'min' && name !== 'max')) return wish
  const { min, max } = value as { readonly min?: unknown; readonly max?: unknown }
  if (!isBound(min) || !isBound(max)) return wish
  return min !== undefined && max !== undefined && (min as number) > (max as number) ? wish : undefined
}

/** The cells of rollout i that count, by flat index. */
function cellsOf(
  { turnPtr, reached }: TurnBatch,
  i: number,
  live: readonly number[],
  excludes: boolean,
): number[] {
  const cells = live.map((t) => turnPtr[i]! + t)
  return excludes ? cells.filter((j) => reached[j] === 1) : cells
}

/** Mean over the rollouts of the mean of their cells; rollouts without a cell are left out. `undefined` where all are.
 * Where all have as many cells it is one sum and one division, so that 1 of 10 is the number 0.1. */
function meanOf({ reward }: TurnBatch, rows: readonly (readonly number[])[]): number | undefined {
  const full = rows.filter((cells) => cells.length > 0)
  if (full.length === 0) return undefined
  const sums = full.map((cells) => cells.reduce((sum, j) => sum + reward[j]!, 0))
  const size = full[0]!.length
  if (full.every((cells) => cells.length === size))
    return sums.reduce((total, sum) => total + sum, 0) / (size * full.length)
  return sums.reduce((total, sum, k) => total + sum / full[k]!.length, 0) / full.length
}

/** Whether all rows are the first one: the same turns, the same rewards. */
function areEqual(
  { reward, turnPtr }: TurnBatch,
  voters: readonly number[],
  rows: readonly (readonly number[])[],
): boolean {
  const first = rows[0] ?? []
  const start = turnPtr[voters[0] ?? 0]!
  return rows.every((cells, k) => {
    const shift = turnPtr[voters[k]!]! - start
    return (
      cells.length === first.length &&
      cells.every((j, n) => j - shift === first[n]! && reward[j] === reward[first[n]!])
    )
  })
}

/** The filter that takes a whole group, of those that are left of it.
 * @param members - rollouts of group g
 */
function reasonOf(
  batch: TurnBatch,
  g: number,
  members: readonly number[],
  { minGroupSize, meanReward, flat }: GroupFilters,
  { unreached, truncated }: VoteRules,
): DropReason | undefined {
  const voters = members.filter(
    (i) => batch.valid[i] === 1 && !(truncated === 'exclude' && batch.truncated?.[i] === 1),
  )
  if (minGroupSize !== undefined && voters.length < minGroupSize) return 'minGroupSize'
  if (meanReward === undefined && flat === undefined) return undefined
  const live = liveTurnsOf(batch, g)
  const excludes = excludesUnreached(batch, g, unreached)
  const rows = voters.map((i) => cellsOf(batch, i, live, excludes))
  if (meanReward !== undefined) {
    const mean = meanOf(batch, rows)
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = meanReward
    if (mean === undefined || mean < min || mean > max) return 'meanReward'
  }
  return flat === 'drop' && areEqual(batch, voters, rows) ? 'flat' : undefined
}

/** Drops rollouts and groups, and says which and why.
 * @param batch - not changed
 * @param filters - see `filterDefaults`: none; the order in which they run is fixed, see `GroupFilters`
 * @param rules - who votes, as for the advantages; see `ruleDefaults`
 * @returns what stayed, as a batch of its own, and the receipt; nothing may have stayed
 * @throws TaraError `OPTION`
 */
export function filterGroups(
  batch: TurnBatch,
  filters: Partial<GroupFilters>,
  rules?: Partial<VoteRules>,
): Filtered {
  const wanted = resolveOptions<GroupFilters>('filterGroups: filters', filters, filterDefaults, {
    truncated: optional(oneOf('drop')),
    minGroupSize: optional(aCount),
    meanReward: optional(aRange),
    flat: optional(oneOf('drop')),
  })
  const votes = resolveOptions<VoteRules>('filterGroups: rules', rules, ruleDefaults, ruleChecks)
  const dropped: Dropped[] = []
  const kept: number[] = []
  const keptGroups: number[] = []
  const none = (): { groups: number; rollouts: number } => ({ groups: 0, rollouts: 0 })
  const counts = { truncated: none(), minGroupSize: none(), meanReward: none(), flat: none() }
  const isCut = (i: number): boolean =>
    wanted.truncated === 'drop' && batch.truncated?.[i] === 1 && batch.valid[i] === 1

  for (let g = 0; g < numGroups(batch); g++) {
    const members: number[] = []
    for (let i = batch.groupPtr[g]!; i < batch.groupPtr[g + 1]!; i++) {
      if (isCut(i)) dropped.push({ group: g, rollout: i, reason: 'truncated' })
      else members.push(i)
    }
    const cut = batch.groupPtr[g + 1]! - batch.groupPtr[g]! - members.length
    counts.truncated.rollouts += cut
    const isGone = cut > 0 && members.length === 0
    const reason = isGone ? 'truncated' : reasonOf(batch, g, members, wanted, votes)
    if (reason === undefined) {
      keptGroups.push(g)
      for (const i of members) kept.push(i)
      continue
    }
    counts[reason].groups++
    counts[reason].rollouts += members.length
    if (!isGone) dropped.push({ group: g, rollout: null, reason })
  }
  const rollouts = Int32Array.from(kept)
  const groups = Int32Array.from(keptGroups)
  return {
    batch: takeBatch(batch, rollouts, groups),
    kept: rollouts,
    keptGroups: groups,
    dropped,
    counts: { keptGroups: groups.length, keptRollouts: rollouts.length, dropped: counts },
  }
}
