/**
 * Which groups float32 cannot vouch for.
 *
 * Two things can go wrong. Values that differ little are normalized to something large, rounding with them: the error
 * bound of the turn says so. And float32 may see equal values where float64 sees none: then 0 is the wrong answer. Where
 * rewards and γ make every value exact in float32 the second cannot happen.
 */
import { gateAt } from '../advantage/future.js'
import type { TaraOptions } from '../advantage/options.js'
import type { TurnBatch } from '../batch/layout.js'
import { cellOf, type GroupRows } from './buckets.js'
import { FLAT } from './kernel.js'

/** Turns for which Σ γ^k·r of rewards 0 and 1 fits the 24 bits of float32, γ a half. */
const EXACT_TURNS = 24

/** Whether rewards and future values of a group are the same numbers in float32 and float64. Asks the float64 rewards: once
 * rounded, 1 − 2⁻⁵³ is a 1 as well.
 */
function isExact(batch: TurnBatch, row: GroupRows, { gamma, gate }: TaraOptions): boolean {
  const T = row.live.length
  if (gate instanceof Float64Array || T > EXACT_TURNS) return false
  if (gamma !== 0 && gamma !== 0.5 && gamma !== 1) return false
  for (let u = 0; u < T; u++)
    for (let k = 0; k < row.voters.length; k++) {
      const r = batch.reward[cellOf(batch, row, u, k)]
      if (r !== 0 && r !== 1) return false
    }
  return true
}

/** What the kernel says about a group. */
export interface Bounds {
  /** `[T]` of r, and of V: an error bound, or `FLAT`. */
  readonly local: Float32Array
  readonly future: Float32Array
  /** Largest bound that will do. */
  readonly limit: number
}

/** Whether a group has to be computed in float64. */
export function doubtful(batch: TurnBatch, row: GroupRows, options: TaraOptions, bounds: Bounds): boolean {
  const { local, future, limit } = bounds
  const flatIsFlat = isExact(batch, row, options)
  if (limit < 0) return true
  for (let u = 0; u < local.length; u++) {
    if (local[u]! > limit || future[u]! > limit) return true
    if (flatIsFlat) continue
    if (local[u] === FLAT && !sameFrom(batch, row, u, 1, options)) return true
    if (future[u] === FLAT && !sameFrom(batch, row, u, row.live.length, options)) return true
  }
  return false
}

/** Whether turn u, or it and everything after it, is the same for all voters, bit by bit: rewards, votes and gates. Then V is
 * the same in any arithmetic.
 */
function sameFrom(
  batch: TurnBatch,
  row: GroupRows,
  u: number,
  numTurns: number,
  { gate }: TaraOptions,
): boolean {
  const { reward, reached } = batch
  const end = Math.min(u + numTurns, row.live.length)
  for (let v = u; v < end; v++) {
    const first = cellOf(batch, row, v, 0)
    for (let k = 1; k < row.voters.length; k++) {
      const j = cellOf(batch, row, v, k)
      if (reward[j] !== reward[first] || (row.hasGaps && reached[j] !== reached[first])) return false
      if (gateAt(gate, reward, j) !== gateAt(gate, reward, first)) return false
    }
  }
  return true
}
