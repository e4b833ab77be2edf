/**
 * The turn core for groups of any size, rewards of 0 and 1, both indices: four rollouts at a time.
 *
 *     S ← r + γ·S backwards;   V = δ·w·S;   A = A_local + λ·A_future      (Eq. 2–5, 7)
 *
 * Sums run over the rollouts in order, as in `moments.ts`; only what does not depend on the order is done in fours.
 * One turn of one group at a time: the column lies in scratch between the pass that reads and the one that writes.
 */
import { ROUGH_LOW } from '../moments.js'
import { isBinaryColumn, type Job } from './job.js'

/** Computes groups of K rollouts each. See `Kernel`. */
export function wideKernel(job: Job, K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, epsilon, table, out, nextWeight } = job
  const { slope, level } = job.gate
  const fours = K & ~3
  const { S, R, V } = job.column
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const start = turnPtr[i]!
    const T = turnPtr[i + 1]! - start
    S.fill(0)
    for (let t = T - 1; t >= 0; t--) {
      let j = start + t
      const base = (slope * reward[j]! + level) * (nextWeight * S[0]!)
      let c = 0
      let size = 0
      let sum = 0
      let squares = 0
      let k = 0
      for (; k < fours; k += 4) {
        const r0 = reward[j]!
        const r1 = reward[j + T]!
        const r2 = reward[j + 2 * T]!
        const r3 = reward[j + 3 * T]!
        j += 4 * T
        const S0 = S[k]!
        const S1 = S[k + 1]!
        const S2 = S[k + 2]!
        const S3 = S[k + 3]!
        const V0 = (slope * r0 + level) * (nextWeight * S0)
        const d0 = V0 - base
        const V1 = (slope * r1 + level) * (nextWeight * S1)
        const d1 = V1 - base
        const V2 = (slope * r2 + level) * (nextWeight * S2)
        const d2 = V2 - base
        const V3 = (slope * r3 + level) * (nextWeight * S3)
        const d3 = V3 - base
        S[k] = r0 + gamma * S0
        S[k + 1] = r1 + gamma * S1
        S[k + 2] = r2 + gamma * S2
        S[k + 3] = r3 + gamma * S3
        R[k] = r0
        R[k + 1] = r1
        R[k + 2] = r2
        R[k + 3] = r3
        V[k] = V0
        V[k + 1] = V1
        V[k + 2] = V2
        V[k + 3] = V3
        c += r0 + r1 + (r2 + r3) // whole numbers
        size = size + Math.abs(d0) + Math.abs(d1) + Math.abs(d2) + Math.abs(d3)
        sum = sum + d0 + d1 + d2 + d3
        squares = squares + d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3
      }
      for (; k < K; k++) {
        const r = reward[j]!
        j += T
        const value = (slope * r + level) * (nextWeight * S[k]!)
        const d = value - base
        S[k] = r + gamma * S[k]!
        R[k] = r
        V[k] = value
        c += r
        size += Math.abs(d)
        sum += d
        squares += d * d
      }
      const passed = table[c]!
      const failed = table[K + 1 + c]!
      j = start + t
      if (!(size >= ROUGH_LOW)) {
        if (size !== 0) return g
        for (k = 0; k < K; k++, j += T) out[j] = R[k]! * passed + (1 - R[k]!) * failed
        continue
      }
      if (squares === size && isBinaryColumn(V, K)) {
        let n = 0
        for (k = 0; k < K; k++) n += V[k]!
        const up = table[n]!
        const down = table[K + 1 + n]!
        for (k = 0; k < K; k++, j += T)
          out[j] = R[k]! * passed + (1 - R[k]!) * failed + lambda * (V[k]! * up + (1 - V[k]!) * down)
        continue
      }
      const mean = sum / K
      const divisor = Math.sqrt((squares - sum * mean) / (K - job.correction)) + epsilon
      for (k = 0; k < fours; k += 4) {
        const r0 = R[k]!
        const r1 = R[k + 1]!
        const r2 = R[k + 2]!
        const r3 = R[k + 3]!
        out[j] = r0 * passed + (1 - r0) * failed + lambda * ((V[k]! - base - mean) / divisor)
        out[j + T] = r1 * passed + (1 - r1) * failed + lambda * ((V[k + 1]! - base - mean) / divisor)
        out[j + 2 * T] = r2 * passed + (1 - r2) * failed + lambda * ((V[k + 2]! - base - mean) / divisor)
        out[j + 3 * T] = r3 * passed + (1 - r3) * failed + lambda * ((V[k + 3]! - base - mean) / divisor)
        j += 4 * T
      }
      for (; k < K; k++, j += T)
        out[j] = R[k]! * passed + (1 - R[k]!) * failed + lambda * ((V[k]! - base - mean) / divisor)
    }
  }
  return end
}
