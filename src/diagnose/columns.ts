/**
 * The columns of a batch, one turn of one group each, with the cells that are compared there.
 *
 * What a diagnosis counts is what an estimator saw: the same voters, the same turns. Masked turns are no columns.
 */
import { voteChecks } from '../advantage/options.js'
import { numGroups, numRollouts, type TurnBatch } from '../batch/layout.js'
import {
  excludesUnreached,
  liveTurnsOf,
  type TruncatedRule,
  type UnreachedRule,
  votersOf,
} from '../batch/votes.js'
import type { Check } from '../options.js'

/** Who votes: the two options that every estimator shares. */
export interface VoteRules {
  /** As for the advantages. `undefined`: `zero` where a golden trace says a turn was due, else `exclude`. */
  readonly unreached: UnreachedRule | undefined
  /** As for the advantages. */
  readonly truncated: TruncatedRule
}

export const ruleDefaults: Readonly<VoteRules> = Object.freeze({ unreached: undefined, truncated: 'fail' })

export const ruleChecks: { readonly [Name in keyof VoteRules]-?: Check } = {
  unreached: voteChecks.unreached,
  truncated: voteChecks.truncated,
}

/** Takes one column: group, turn, and the flat indices of those who vote in it, which hold during the call only. */
export type OnColumn = (g: number, t: number, cells: Int32Array) => void

/** Visits the columns of all groups, in order. A column in which nobody votes is visited too. */
export function eachColumn(batch: TurnBatch, { unreached, truncated }: VoteRules, onColumn: OnColumn): void {
  const { turnPtr, reached } = batch
  const cells = new Int32Array(numRollouts(batch))
  for (let g = 0; g < numGroups(batch); g++) {
    const voters = votersOf(batch, g, truncated)
    const excludes = excludesUnreached(batch, g, unreached)
    for (const t of liveTurnsOf(batch, g)) {
      let n = 0
      for (const i of voters) {
        const j = turnPtr[i]! + t
        if (!excludes || reached[j] === 1) cells[n++] = j
      }
      onColumn(g, t, cells.subarray(0, n))
    }
  }
}

/** Whether every advantage of group g is 0. */
export function isSilent(batch: TurnBatch, advantage: Float64Array, g: number): boolean {
  const { groupPtr, turnPtr } = batch
  for (let j = turnPtr[groupPtr[g]!]!; j < turnPtr[groupPtr[g + 1]!]!; j++)
    if (advantage[j] !== 0) return false
  return true
}

/** Most turns of a group. */
export function mostTurns({ groupPtr, turnPtr }: TurnBatch): number {
  let most = 0
  for (let g = 0; g + 1 < groupPtr.length; g++) {
    const i = groupPtr[g]!
    if (i < groupPtr[g + 1]!) most = Math.max(most, turnPtr[i + 1]! - turnPtr[i]!)
  }
  return most
}
