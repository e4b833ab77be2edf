/**
 * The turn core for groups of any size and any rewards: four rollouts at a time, as `wide.ts`.
 *
 *     S ← r + γ·S backwards;   V = δ·w·S;   A = A_local + λ·A_future      (Eq. 2–5, 7)
 *
 * Both parts are normalized by their moments, or counted where a column happens to be zeros and ones.
 */
import { ROUGH_HIGH, ROUGH_LOW } from '../moments.js'
import { isBinaryColumn, type Job } from './job.js'

/** Computes groups of K rollouts each. See `Kernel`. */
export function wideRealKernel(job: Job, K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, out, nextWeight } = job
  const { slope, level } = job.gate
  const { S, R, V } = job.column
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const start = turnPtr[i]!
    const T = turnPtr[i + 1]! - start
    S.fill(0)
    for (let t = T - 1; t >= 0; t--) {
      let j = start + t
      for (let k = 0; k < K; k++, j += T) {
        const r = reward[j]!
        R[k] = r
        V[k] = (slope * r + level) * (nextWeight * S[k]!)
        S[k] = r + gamma * S[k]!
      }
      if (!standardize(R, K, job) || !standardize(V, K, job)) return g
      j = start + t
      for (let k = 0; k < K; k++, j += T) out[j] = R[k]! + lambda * V[k]!
    }
  }
  return end
}

/** Replaces a column by its scores, as `normalize` does; says false, and may leave it changed, where squares need scaling. */
function standardize(x: Float64Array, n: number, { table, epsilon, correction }: Job): boolean {
  const base = x[0]!
  const fours = n & ~3
  let size = 0
  let sum = 0
  let squares = 0
  let k = 0
  for (; k < fours; k += 4) {
    const a = x[k]! - base
    const b = x[k + 1]! - base
    const c = x[k + 2]! - base
    const d = x[k + 3]! - base
    size = size + Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(d)
    sum = sum + a + b + c + d
    squares = squares + a * a + b * b + c * c + d * d
  }
  for (; k < n; k++) {
    const d = x[k]! - base
    size += Math.abs(d)
    sum += d
    squares += d * d
  }
  if (size === 0) {
    for (k = 0; k < n; k++) x[k] = 0
    return true
  }
  if (!(size >= ROUGH_LOW && size <= ROUGH_HIGH)) return false
  if (squares === size && isBinaryColumn(x, n)) {
    let c = 0
    for (k = 0; k < n; k++) c += x[k]!
    const passed = table[c]!
    const failed = table[n + 1 + c]!
    for (k = 0; k < n; k++) x[k] = x[k]! * passed + (1 - x[k]!) * failed
    return true
  }
  const mean = sum / n
  const divisor = Math.sqrt((squares - sum * mean) / (n - correction)) + epsilon
  for (k = 0; k < n; k++) x[k] = (x[k]! - base - mean) / divisor + 0
  return true
}
