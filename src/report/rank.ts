/**
 * The groups of a batch, each in a line, most informative first.
 *
 * A group teaches by what differs in it: its σ is the mean over its turns of σ of the rewards, as in `sigmaDeciles` of a
 * diagnosis. Equal groups stand in the order of the log.
 */
import { moments } from '../advantage/moments.js'
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { eachColumn, isSilent, type VoteRules } from '../diagnose/columns.js'
import type { RolloutKey } from '../formats/assemble.js'
import type { GroupRow } from './model-types.js'

export interface RankedGroup extends GroupRow {
  /** Index of the group in the batch. */
  readonly index: number
}

/** Sums of one group. */
interface Sums {
  votes: number
  reward: number
  sigma: number
  columns: number
  size: number
  disagree: number
}

/** Makes the line of every group, sorted.
 * @param keys - `[numRollouts]`; not read for a group without rollouts
 * @param advantage - `[numTurns]` of TARA
 * @param other - `[numTurns]` of the estimator that it is compared with
 * @param rules - who votes, as for the advantages
 */
export function rankGroups(
  batch: TurnBatch,
  keys: readonly RolloutKey[],
  advantage: Float64Array,
  other: Float64Array,
  rules: VoteRules,
): RankedGroup[] {
  const sums: Sums[] = Array.from({ length: numGroups(batch) }, () => ({
    votes: 0,
    reward: 0,
    sigma: 0,
    columns: 0,
    size: 0,
    disagree: 0,
  }))
  const column = new Float64Array(batch.turnPtr.length)
  eachColumn(batch, rules, (g, _t, cells) => {
    const sum = sums[g]!
    if (cells.length === 0) return
    for (let k = 0; k < cells.length; k++) {
      const j = cells[k]!
      column[k] = batch.reward[j]!
      sum.reward += batch.reward[j]!
      sum.size += Math.abs(advantage[j]!)
      if (Math.sign(advantage[j]!) !== Math.sign(other[j]!)) sum.disagree++
    }
    sum.votes += cells.length
    sum.sigma += moments(column, cells.length, 0).std
    sum.columns++
  })
  const ranked = sums.map((sum, g) => rowOf(batch, keys, advantage, sum, g))
  return ranked.sort((a, b) => b.sigma - a.sigma || a.index - b.index)
}

function rowOf(
  batch: TurnBatch,
  keys: readonly RolloutKey[],
  advantage: Float64Array,
  { votes, reward, sigma, columns, size, disagree }: Sums,
  g: number,
): RankedGroup {
  const { groupPtr, turnPtr } = batch
  const first = groupPtr[g]!
  const K = groupPtr[g + 1]! - first
  const { group, role } = keys[first] ?? { group: '', role: undefined }
  return {
    index: g,
    group,
    ...(role !== undefined && { role }),
    K,
    T: K === 0 ? 0 : turnPtr[first + 1]! - turnPtr[first]!,
    reward: votes === 0 ? 0 : reward / votes,
    sigma: columns === 0 ? 0 : sigma / columns,
    size: votes === 0 ? 0 : size / votes,
    disagree,
    silent: isSilent(batch, advantage, g),
  }
}
