/**
 * The turn core for any batch and any options, one turn of one group at a time. `kernels/` gives the same, bit for bit.
 */
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { excludesUnreached, liveTurnsOf, votersOf } from '../batch/votes.js'
import { futureRow } from './future.js'
import { normalize } from './moments.js'
import type { TaraOptions } from './options.js'

/** The arrays to write, `[numTurns]` each. */
export interface Sink {
  readonly advantage: Float64Array
  readonly local?: Float64Array
  readonly future?: Float64Array
  readonly futureValue?: Float64Array
}

/** Memory for one group; see `plainScratch`. */
export interface PlainScratch {
  /** V of one group, a row a voter. */
  readonly V: Float64Array
  /** Of one turn: flat indices of those who vote at it, their r and their V. */
  readonly index: Int32Array
  readonly r: Float64Array
  readonly v: Float64Array
}

/** Makes scratch for the largest group of a batch. */
export function plainScratch({ groupPtr, turnPtr }: TurnBatch): PlainScratch {
  let rollouts = 0
  let turns = 0
  for (let g = 0; g + 1 < groupPtr.length; g++) {
    rollouts = Math.max(rollouts, groupPtr[g + 1]! - groupPtr[g]!)
    turns = Math.max(turns, turnPtr[groupPtr[g + 1]!]! - turnPtr[groupPtr[g]!]!)
  }
  return {
    V: new Float64Array(turns),
    index: new Int32Array(rollouts),
    r: new Float64Array(rollouts),
    v: new Float64Array(rollouts),
  }
}

/** Writes every element of every array: Eq. 2–5, group after group. */
export function plainGroups(batch: TurnBatch, options: TaraOptions, out: Sink): void {
  const scratch = plainScratch(batch)
  for (let g = 0; g < numGroups(batch); g++) plainGroup(batch, g, options, out, scratch)
}

/** Writes every element of group g, turn after turn; 0 where nothing is computed. */
export function plainGroup(
  batch: TurnBatch,
  g: number,
  options: TaraOptions,
  out: Sink,
  { V, index, r, v }: PlainScratch,
): void {
  const { groupPtr, turnPtr, reward, reached } = batch
  const { lambda } = options
  const { advantage, local, future, futureValue } = out
  const first = groupPtr[g]!
  const start = turnPtr[first]!
  const end = turnPtr[groupPtr[g + 1]!]!
  advantage.fill(0, start, end)
  local?.fill(0, start, end)
  future?.fill(0, start, end)
  futureValue?.fill(0, start, end)

  const voters = votersOf(batch, g, options.truncated)
  if (voters.length === 0) return
  const live = liveTurnsOf(batch, g)
  const excludes = excludesUnreached(batch, g, options.unreached)
  const T = turnPtr[first + 1]! - start
  for (let k = 0; k < voters.length; k++) futureRow(reward, turnPtr[voters[k]!]!, live, options, V, k * T)

  for (let u = 0; u < live.length; u++) {
    const t = live[u]!
    let n = 0
    for (let k = 0; k < voters.length; k++) {
      const j = turnPtr[voters[k]!]! + t
      if (excludes && reached[j] === 0) continue
      index[n] = j
      r[n] = reward[j]!
      v[n] = V[k * T + t]!
      n++
    }
    if (futureValue) for (let k = 0; k < n; k++) futureValue[index[k]!] = v[k]!
    normalize(r, n, options)
    normalize(v, n, options)
    for (let k = 0; k < n; k++) advantage[index[k]!] = r[k]! + lambda * v[k]!
    if (local) for (let k = 0; k < n; k++) local[index[k]!] = r[k]!
    if (future) for (let k = 0; k < n; k++) future[index[k]!] = v[k]!
  }
}
