/**
 * Turn by turn: the ground of estimators that give each turn of a rollout its own value.
 */
import type { VoteOptions } from '../advantage/options.js'
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { excludesUnreached, liveTurnsOf, votersOf } from '../batch/votes.js'

/** Who votes in a group, and where. */
export interface GroupVotes {
  /** Index of the group. */
  readonly group: number
  /** Rollouts that vote, as indices into the batch. */
  readonly voters: readonly number[]
  /** Turns that are not masked, in order. */
  readonly live: readonly number[]
  /** Whether turns that were not reached have no vote. */
  readonly excludes: boolean
}

/** The votes of all groups. */
export function groupVotes(batch: TurnBatch, { unreached, truncated }: VoteOptions): GroupVotes[] {
  return Array.from({ length: numGroups(batch) }, (_, group) => ({
    group,
    voters: votersOf(batch, group, truncated),
    live: liveTurnsOf(batch, group),
    excludes: excludesUnreached(batch, group, unreached),
  }))
}

/** Flat indices of the turns of rollout i that vote, in order. */
export function votingTurns(batch: TurnBatch, { live, excludes }: GroupVotes, i: number): number[] {
  const start = batch.turnPtr[i]!
  const all = live.map((t) => start + t)
  return excludes ? all.filter((j) => batch.reached[j] === 1) : all
}

/** Replaces the values of each turn by what the formula makes of them, over those who vote at it.
 * @param value - `[numTurns]`, changed in place; what has no vote stays
 * @param formula - changes the first n values in place
 */
export function compareAtTurns(
  batch: TurnBatch,
  votes: readonly GroupVotes[],
  value: Float64Array,
  formula: (x: Float64Array, n: number) => void,
): void {
  for (const { voters, live, excludes } of votes) {
    const x = new Float64Array(voters.length)
    const index = new Int32Array(voters.length)
    for (const t of live) {
      let n = 0
      for (const i of voters) {
        const j = batch.turnPtr[i]! + t
        if (excludes && batch.reached[j] === 0) continue
        index[n] = j
        x[n++] = value[j]!
      }
      formula(x, n)
      for (let k = 0; k < n; k++) value[index[k]!] = x[k]!
    }
  }
}

/** Writes the discounted sum from each turn on, G[t] = x[t] + γ·G[t+1], over the turns that vote; 0 elsewhere.
 * @param x - `[numTurns]`
 * @param out - `[numTurns]`, same units; may be `x`
 */
export function sumsToGo(
  batch: TurnBatch,
  votes: readonly GroupVotes[],
  x: Float64Array,
  gamma: number,
  out: Float64Array,
): void {
  const source = out === x ? x.slice() : x
  out.fill(0)
  for (const group of votes)
    for (const i of group.voters) {
      let G = 0
      for (const j of votingTurns(batch, group, i).reverse()) out[j] = G = source[j]! + gamma * G + 0
    }
}
