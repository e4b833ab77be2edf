/**
 * A ragged batch as tensors: groups of the same K voters and T turns go together, and what float32 cannot carry stays out.
 */
import { gateAt } from '../advantage/future.js'
import type { TaraOptions } from '../advantage/options.js'
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { excludesUnreached, liveTurnsOf, votersOf } from '../batch/votes.js'

/** Who is computed in a group. */
export interface GroupRows {
  readonly group: number
  /** Rollouts that vote. */
  readonly voters: readonly number[]
  /** Turns that are not masked. */
  readonly live: readonly number[]
  /** Some turn is unreached and has no vote. */
  readonly hasGaps: boolean
}

/** Groups with as many voters and live turns, with or without gaps. */
export interface Bucket {
  readonly K: number
  readonly T: number
  readonly hasGaps: boolean
  readonly rows: readonly GroupRows[]
}

/** Cells of one bucket: keeps a tensor far below the buffer limits of GPUs. */
const MAX_CELLS = 2 ** 22

/** Above this the error of a float32 sum over voters is no longer small. */
const MAX_VOTERS = 4096

function rowsOf(batch: TurnBatch, g: number, options: TaraOptions): GroupRows {
  const voters = votersOf(batch, g, options.truncated)
  const live = liveTurnsOf(batch, g)
  const hasGaps =
    excludesUnreached(batch, g, options.unreached) &&
    voters.some((i) => live.some((t) => batch.reached[batch.turnPtr[i]! + t] === 0))
  return { group: g, voters, live, hasGaps }
}

/** Puts groups of one shape together, in the order of the batch. Groups that are all zeros (fewer than two voters, no turn) are
 * left out; those that float32 cannot carry are listed apart.
 */
export function bucketsOf(batch: TurnBatch, options: TaraOptions): { buckets: Bucket[]; unfit: number[] } {
  const open = new Map<string, GroupRows[]>()
  const buckets: Bucket[] = []
  const unfit: number[] = []
  for (let g = 0; g < numGroups(batch); g++) {
    const row = rowsOf(batch, g, options)
    const [K, T] = [row.voters.length, row.live.length]
    if (K < 2 || T === 0) continue
    if (K > MAX_VOTERS || K * T > MAX_CELLS || !fitsFloat32(batch, row, options)) {
      unfit.push(g)
      continue
    }
    const key = `${K},${T},${row.hasGaps}`
    const rows = open.get(key) ?? []
    rows.push(row)
    open.set(key, rows)
    if ((rows.length + 1) * K * T <= MAX_CELLS) continue
    buckets.push({ K, T, hasGaps: row.hasGaps, rows })
    open.delete(key)
  }
  for (const rows of open.values()) {
    const { voters, live, hasGaps } = rows[0]!
    buckets.push({ K: voters.length, T: live.length, hasGaps, rows })
  }
  return { buckets, unfit }
}

/** Sizes between which products of r, δ and γ^T stay normal float32 numbers. */
const LEAST = 2 ** -100
const MOST = 2 ** 100

/** Whether no reward or future value of a group overflows in float32, or vanishes though it is not 0. */
function fitsFloat32(batch: TurnBatch, { voters, live }: GroupRows, { gamma, gate }: TaraOptions): boolean {
  let least = 1
  let most = 1
  let leastGate = 1
  for (const i of voters)
    for (const t of live) {
      const j = batch.turnPtr[i]! + t
      const size = Math.abs(batch.reward[j]!)
      if (size > 0) least = Math.min(least, size)
      most = Math.max(most, size)
      const open = gateAt(gate, batch.reward, j)
      if (open > 0) leastGate = Math.min(leastGate, open)
    }
  const decay = gamma === 0 ? 1 : gamma ** live.length
  return least * leastGate * decay >= LEAST && most * live.length <= MOST
}

/** The rewards of a bucket, δ, and who votes, `[G, T, K]` each. */
export interface BucketArrays {
  readonly reward: Float32Array
  /** Where it is not the reward and not 1 everywhere. */
  readonly gate: Float32Array | undefined
  readonly votes: Uint8Array | undefined
}

/** The flat index of turn u of voter k of a group. */
export const cellOf = (batch: TurnBatch, { voters, live }: GroupRows, u: number, k: number): number =>
  batch.turnPtr[voters[k]!]! + live[u]!

/** Reads a bucket. A gate by threshold is decided here, in float64. */
export function readBucket(
  batch: TurnBatch,
  { K, T, hasGaps, rows }: Bucket,
  options: TaraOptions,
): BucketArrays {
  const length = rows.length * T * K
  const isGiven = options.gate !== 'reward' && options.gate !== 'none'
  const reward = new Float32Array(length)
  const gate = isGiven ? new Float32Array(length) : undefined
  const votes = hasGaps ? new Uint8Array(length) : undefined
  let at = 0
  for (const row of rows)
    for (let u = 0; u < T; u++)
      for (let k = 0; k < K; k++) {
        const j = cellOf(batch, row, u, k)
        reward[at] = batch.reward[j]!
        if (gate !== undefined) gate[at] = gateAt(options.gate, batch.reward, j)
        if (votes !== undefined) votes[at] = batch.reached[j]!
        at++
      }
  return { reward, gate, votes }
}
