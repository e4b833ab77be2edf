/**
 * What the kernels of the turn core share: their arguments, and the table that local advantages are read from.
 *
 * A kernel takes groups of K voters who reached every turn, with no turn masked, and gives what `plain.ts` gives,
 * bit for bit. Reward rows are read where they lie.
 */
import type { Offsets } from '../../batch/layout.js'
import { binaryScores, type Normalization } from '../moments.js'

/** Arguments of a kernel: divisor σ + ε, centered on the mean of all. */
export interface Job {
  readonly reward: Float64Array
  readonly groupPtr: Offsets
  readonly turnPtr: Offsets
  readonly gamma: number
  readonly lambda: number
  readonly epsilon: number
  readonly correction: 0 | 1
  /** `[numTurns]` A of each turn. */
  readonly out: Float64Array
  /** δ = slope·r + level: (1, 0) the reward, (0, 1) always open, (0, 0) always closed. */
  readonly gate: { readonly slope: 0 | 1; readonly level: 0 | 1 }
  /** Weight of the next turn: 1 (Eq. 3) or γ (Eq. 7). */
  readonly nextWeight: number
  /** `[2K+2]` for the K of the groups: the value of a pass where c passed at c, that of a failure at K + 1 + c. */
  readonly table: Float64Array
  /** `[K]` each: scratch. */
  readonly column: { readonly S: Float64Array; readonly R: Float64Array; readonly V: Float64Array }
}

/** Computes groups `first … end-1`, which have K rollouts each.
 * @returns the first group that was not computed: one with a column whose squares need scaling, or `end`. What
 *   was written of that group is to be written again
 */
export type Kernel = (job: Job, K: number, first: number, end: number) => number

/** The value of a pass and of a failure for every count of passes, from none to all K. */
export function countTable(K: number, rule: Normalization): Float64Array {
  const table = new Float64Array(2 * K + 2)
  for (let c = 0; c <= K; c++) {
    const { passed, failed } = binaryScores(K, c, rule)
    table[c] = passed
    table[K + 1 + c] = failed
  }
  return table
}

/** Whether the first n values are 0 or 1. */
export function isBinaryColumn(x: Float64Array, n: number): boolean {
  for (let k = 0; k < n; k++) if (x[k]! * (1 - x[k]!) !== 0) return false
  return true
}
