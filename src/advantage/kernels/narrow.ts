/**
 * The turn core for groups of few rollouts with the rollouts unrolled. Written by scripts/make-kernels.ts.
 *
 *     S ← r + γ·S backwards;   V = r·S;   A = A_local + λ·A_future        (Eq. 2–5)
 *
 * Eq. 3, binary rewards under the gate `reward`. See `moments.ts` for the moments and `job.ts` for the table.
 */
import { ROUGH_HIGH, ROUGH_LOW } from '../moments.js'
import type { Job, Kernel } from './job.js'

function binary2(job: Job, _K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, epsilon, table, out } = job
  const divisorOfSquares = 2 - job.correction
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const p0 = turnPtr[i]!
    const T = turnPtr[i + 1]! - p0
    const p1 = p0 + T
    let S0 = 0
    let S1 = 0
    for (let t = T - 1; t >= 0; t--) {
      const r0 = reward[p0 + t]!
      const r1 = reward[p1 + t]!
      const V0 = r0 * S0
      const V1 = r1 * S1
      S0 = r0 + gamma * S0
      S1 = r1 + gamma * S1

      const c = r0 + r1
      const passed = table[c]!
      const failed = table[3 + c]!
      const d1 = V1 - V0
      const size = Math.abs(d1)
      if (!(size >= ROUGH_LOW)) {
        if (size !== 0) return g
        out[p0 + t] = r0 * passed + (1 - r0) * failed
        out[p1 + t] = r1 * passed + (1 - r1) * failed
        continue
      }
      const squares = d1 * d1
      if (squares === size && Math.abs(V0 * (1 - V0)) + Math.abs(V1 * (1 - V1)) === 0) {
        const n = V0 + V1
        const up = table[n]!
        const down = table[3 + n]!
        out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * (V0 * up + (1 - V0) * down)
        out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * (V1 * up + (1 - V1) * down)
        continue
      }
      const sum = d1
      const mean = sum / 2
      const divisor = Math.sqrt((squares - sum * mean) / divisorOfSquares) + epsilon
      out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * ((0 - mean) / divisor)
      out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * ((d1 - mean) / divisor)
    }
  }
  return end
}

function binary3(job: Job, _K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, epsilon, table, out } = job
  const divisorOfSquares = 3 - job.correction
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const p0 = turnPtr[i]!
    const T = turnPtr[i + 1]! - p0
    const p1 = p0 + T
    const p2 = p1 + T
    let S0 = 0
    let S1 = 0
    let S2 = 0
    for (let t = T - 1; t >= 0; t--) {
      const r0 = reward[p0 + t]!
      const r1 = reward[p1 + t]!
      const r2 = reward[p2 + t]!
      const V0 = r0 * S0
      const V1 = r1 * S1
      const V2 = r2 * S2
      S0 = r0 + gamma * S0
      S1 = r1 + gamma * S1
      S2 = r2 + gamma * S2

      const c = r0 + r1 + r2
      const passed = table[c]!
      const failed = table[4 + c]!
      const d1 = V1 - V0
      const d2 = V2 - V0
      const size = Math.abs(d1) + Math.abs(d2)
      if (!(size >= ROUGH_LOW)) {
        if (size !== 0) return g
        out[p0 + t] = r0 * passed + (1 - r0) * failed
        out[p1 + t] = r1 * passed + (1 - r1) * failed
        out[p2 + t] = r2 * passed + (1 - r2) * failed
        continue
      }
      const squares = d1 * d1 + d2 * d2
      if (
        squares === size &&
        Math.abs(V0 * (1 - V0)) + Math.abs(V1 * (1 - V1)) + Math.abs(V2 * (1 - V2)) === 0
      ) {
        const n = V0 + V1 + V2
        const up = table[n]!
        const down = table[4 + n]!
        out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * (V0 * up + (1 - V0) * down)
        out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * (V1 * up + (1 - V1) * down)
        out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * (V2 * up + (1 - V2) * down)
        continue
      }
      const sum = d1 + d2
      const mean = sum / 3
      const divisor = Math.sqrt((squares - sum * mean) / divisorOfSquares) + epsilon
      out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * ((0 - mean) / divisor)
      out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * ((d1 - mean) / divisor)
      out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * ((d2 - mean) / divisor)
    }
  }
  return end
}

function binary4(job: Job, _K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, epsilon, table, out } = job
  const divisorOfSquares = 4 - job.correction
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const p0 = turnPtr[i]!
    const T = turnPtr[i + 1]! - p0
    const p1 = p0 + T
    const p2 = p1 + T
    const p3 = p2 + T
    let S0 = 0
    let S1 = 0
    let S2 = 0
    let S3 = 0
    for (let t = T - 1; t >= 0; t--) {
      const r0 = reward[p0 + t]!
      const r1 = reward[p1 + t]!
      const r2 = reward[p2 + t]!
      const r3 = reward[p3 + t]!
      const V0 = r0 * S0
      const V1 = r1 * S1
      const V2 = r2 * S2
      const V3 = r3 * S3
      S0 = r0 + gamma * S0
      S1 = r1 + gamma * S1
      S2 = r2 + gamma * S2
      S3 = r3 + gamma * S3

      const c = r0 + r1 + r2 + r3
      const passed = table[c]!
      const failed = table[5 + c]!
      const d1 = V1 - V0
      const d2 = V2 - V0
      const d3 = V3 - V0
      const size = Math.abs(d1) + Math.abs(d2) + Math.abs(d3)
      if (!(size >= ROUGH_LOW)) {
        if (size !== 0) return g
        out[p0 + t] = r0 * passed + (1 - r0) * failed
        out[p1 + t] = r1 * passed + (1 - r1) * failed
        out[p2 + t] = r2 * passed + (1 - r2) * failed
        out[p3 + t] = r3 * passed + (1 - r3) * failed
        continue
      }
      const squares = d1 * d1 + d2 * d2 + d3 * d3
      if (
        squares === size &&
        Math.abs(V0 * (1 - V0)) +
          Math.abs(V1 * (1 - V1)) +
          Math.abs(V2 * (1 - V2)) +
          Math.abs(V3 * (1 - V3)) ===
          0
      ) {
        const n = V0 + V1 + V2 + V3
        const up = table[n]!
        const down = table[5 + n]!
        out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * (V0 * up + (1 - V0) * down)
        out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * (V1 * up + (1 - V1) * down)
        out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * (V2 * up + (1 - V2) * down)
        out[p3 + t] = r3 * passed + (1 - r3) * failed + lambda * (V3 * up + (1 - V3) * down)
        continue
      }
      const sum = d1 + d2 + d3
      const mean = sum / 4
      const divisor = Math.sqrt((squares - sum * mean) / divisorOfSquares) + epsilon
      out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * ((0 - mean) / divisor)
      out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * ((d1 - mean) / divisor)
      out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * ((d2 - mean) / divisor)
      out[p3 + t] = r3 * passed + (1 - r3) * failed + lambda * ((d3 - mean) / divisor)
    }
  }
  return end
}

function binary5(job: Job, _K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, epsilon, table, out } = job
  const divisorOfSquares = 5 - job.correction
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const p0 = turnPtr[i]!
    const T = turnPtr[i + 1]! - p0
    const p1 = p0 + T
    const p2 = p1 + T
    const p3 = p2 + T
    const p4 = p3 + T
    let S0 = 0
    let S1 = 0
    let S2 = 0
    let S3 = 0
    let S4 = 0
    for (let t = T - 1; t >= 0; t--) {
      const r0 = reward[p0 + t]!
      const r1 = reward[p1 + t]!
      const r2 = reward[p2 + t]!
      const r3 = reward[p3 + t]!
      const r4 = reward[p4 + t]!
      const V0 = r0 * S0
      const V1 = r1 * S1
      const V2 = r2 * S2
      const V3 = r3 * S3
      const V4 = r4 * S4
      S0 = r0 + gamma * S0
      S1 = r1 + gamma * S1
      S2 = r2 + gamma * S2
      S3 = r3 + gamma * S3
      S4 = r4 + gamma * S4

      const c = r0 + r1 + r2 + r3 + r4
      const passed = table[c]!
      const failed = table[6 + c]!
      const d1 = V1 - V0
      const d2 = V2 - V0
      const d3 = V3 - V0
      const d4 = V4 - V0
      const size = Math.abs(d1) + Math.abs(d2) + Math.abs(d3) + Math.abs(d4)
      if (!(size >= ROUGH_LOW)) {
        if (size !== 0) return g
        out[p0 + t] = r0 * passed + (1 - r0) * failed
        out[p1 + t] = r1 * passed + (1 - r1) * failed
        out[p2 + t] = r2 * passed + (1 - r2) * failed
        out[p3 + t] = r3 * passed + (1 - r3) * failed
        out[p4 + t] = r4 * passed + (1 - r4) * failed
        continue
      }
      const squares = d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4
      if (
        squares === size &&
        Math.abs(V0 * (1 - V0)) +
          Math.abs(V1 * (1 - V1)) +
          Math.abs(V2 * (1 - V2)) +
          Math.abs(V3 * (1 - V3)) +
          Math.abs(V4 * (1 - V4)) ===
          0
      ) {
        const n = V0 + V1 + V2 + V3 + V4
        const up = table[n]!
        const down = table[6 + n]!
        out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * (V0 * up + (1 - V0) * down)
        out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * (V1 * up + (1 - V1) * down)
        out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * (V2 * up + (1 - V2) * down)
        out[p3 + t] = r3 * passed + (1 - r3) * failed + lambda * (V3 * up + (1 - V3) * down)
        out[p4 + t] = r4 * passed + (1 - r4) * failed + lambda * (V4 * up + (1 - V4) * down)
        continue
      }
      const sum = d1 + d2 + d3 + d4
      const mean = sum / 5
      const divisor = Math.sqrt((squares - sum * mean) / divisorOfSquares) + epsilon
      out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * ((0 - mean) / divisor)
      out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * ((d1 - mean) / divisor)
      out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * ((d2 - mean) / divisor)
      out[p3 + t] = r3 * passed + (1 - r3) * failed + lambda * ((d3 - mean) / divisor)
      out[p4 + t] = r4 * passed + (1 - r4) * failed + lambda * ((d4 - mean) / divisor)
    }
  }
  return end
}

function binary6(job: Job, _K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, epsilon, table, out } = job
  const divisorOfSquares = 6 - job.correction
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const p0 = turnPtr[i]!
    const T = turnPtr[i + 1]! - p0
    const p1 = p0 + T
    const p2 = p1 + T
    const p3 = p2 + T
    const p4 = p3 + T
    const p5 = p4 + T
    let S0 = 0
    let S1 = 0
    let S2 = 0
    let S3 = 0
    let S4 = 0
    let S5 = 0
    for (let t = T - 1; t >= 0; t--) {
      const r0 = reward[p0 + t]!
      const r1 = reward[p1 + t]!
      const r2 = reward[p2 + t]!
      const r3 = reward[p3 + t]!
      const r4 = reward[p4 + t]!
      const r5 = reward[p5 + t]!
      const V0 = r0 * S0
      const V1 = r1 * S1
      const V2 = r2 * S2
      const V3 = r3 * S3
      const V4 = r4 * S4
      const V5 = r5 * S5
      S0 = r0 + gamma * S0
      S1 = r1 + gamma * S1
      S2 = r2 + gamma * S2
      S3 = r3 + gamma * S3
      S4 = r4 + gamma * S4
      S5 = r5 + gamma * S5

      const c = r0 + r1 + r2 + r3 + r4 + r5
      const passed = table[c]!
      const failed = table[7 + c]!
      const d1 = V1 - V0
      const d2 = V2 - V0
      const d3 = V3 - V0
      const d4 = V4 - V0
      const d5 = V5 - V0
      const size = Math.abs(d1) + Math.abs(d2) + Math.abs(d3) + Math.abs(d4) + Math.abs(d5)
      if (!(size >= ROUGH_LOW)) {
        if (size !== 0) return g
        out[p0 + t] = r0 * passed + (1 - r0) * failed
        out[p1 + t] = r1 * passed + (1 - r1) * failed
        out[p2 + t] = r2 * passed + (1 - r2) * failed
        out[p3 + t] = r3 * passed + (1 - r3) * failed
        out[p4 + t] = r4 * passed + (1 - r4) * failed
        out[p5 + t] = r5 * passed + (1 - r5) * failed
        continue
      }
      const squares = d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5
      if (
        squares === size &&
        Math.abs(V0 * (1 - V0)) +
          Math.abs(V1 * (1 - V1)) +
          Math.abs(V2 * (1 - V2)) +
          Math.abs(V3 * (1 - V3)) +
          Math.abs(V4 * (1 - V4)) +
          Math.abs(V5 * (1 - V5)) ===
          0
      ) {
        const n = V0 + V1 + V2 + V3 + V4 + V5
        const up = table[n]!
        const down = table[7 + n]!
        out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * (V0 * up + (1 - V0) * down)
        out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * (V1 * up + (1 - V1) * down)
        out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * (V2 * up + (1 - V2) * down)
        out[p3 + t] = r3 * passed + (1 - r3) * failed + lambda * (V3 * up + (1 - V3) * down)
        out[p4 + t] = r4 * passed + (1 - r4) * failed + lambda * (V4 * up + (1 - V4) * down)
        out[p5 + t] = r5 * passed + (1 - r5) * failed + lambda * (V5 * up + (1 - V5) * down)
        continue
      }
      const sum = d1 + d2 + d3 + d4 + d5
      const mean = sum / 6
      const divisor = Math.sqrt((squares - sum * mean) / divisorOfSquares) + epsilon
      out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * ((0 - mean) / divisor)
      out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * ((d1 - mean) / divisor)
      out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * ((d2 - mean) / divisor)
      out[p3 + t] = r3 * passed + (1 - r3) * failed + lambda * ((d3 - mean) / divisor)
      out[p4 + t] = r4 * passed + (1 - r4) * failed + lambda * ((d4 - mean) / divisor)
      out[p5 + t] = r5 * passed + (1 - r5) * failed + lambda * ((d5 - mean) / divisor)
    }
  }
  return end
}

function binary7(job: Job, _K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, epsilon, table, out } = job
  const divisorOfSquares = 7 - job.correction
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const p0 = turnPtr[i]!
    const T = turnPtr[i + 1]! - p0
    const p1 = p0 + T
    const p2 = p1 + T
    const p3 = p2 + T
    const p4 = p3 + T
    const p5 = p4 + T
    const p6 = p5 + T
    let S0 = 0
    let S1 = 0
    let S2 = 0
    let S3 = 0
    let S4 = 0
    let S5 = 0
    let S6 = 0
    for (let t = T - 1; t >= 0; t--) {
      const r0 = reward[p0 + t]!
      const r1 = reward[p1 + t]!
      const r2 = reward[p2 + t]!
      const r3 = reward[p3 + t]!
      const r4 = reward[p4 + t]!
      const r5 = reward[p5 + t]!
      const r6 = reward[p6 + t]!
      const V0 = r0 * S0
      const V1 = r1 * S1
      const V2 = r2 * S2
      const V3 = r3 * S3
      const V4 = r4 * S4
      const V5 = r5 * S5
      const V6 = r6 * S6
      S0 = r0 + gamma * S0
      S1 = r1 + gamma * S1
      S2 = r2 + gamma * S2
      S3 = r3 + gamma * S3
      S4 = r4 + gamma * S4
      S5 = r5 + gamma * S5
      S6 = r6 + gamma * S6

      const c = r0 + r1 + r2 + r3 + r4 + r5 + r6
      const passed = table[c]!
      const failed = table[8 + c]!
      const d1 = V1 - V0
      const d2 = V2 - V0
      const d3 = V3 - V0
      const d4 = V4 - V0
      const d5 = V5 - V0
      const d6 = V6 - V0
      const size = Math.abs(d1) + Math.abs(d2) + Math.abs(d3) + Math.abs(d4) + Math.abs(d5) + Math.abs(d6)
      if (!(size >= ROUGH_LOW)) {
        if (size !== 0) return g
        out[p0 + t] = r0 * passed + (1 - r0) * failed
        out[p1 + t] = r1 * passed + (1 - r1) * failed
        out[p2 + t] = r2 * passed + (1 - r2) * failed
        out[p3 + t] = r3 * passed + (1 - r3) * failed
        out[p4 + t] = r4 * passed + (1 - r4) * failed
        out[p5 + t] = r5 * passed + (1 - r5) * failed
        out[p6 + t] = r6 * passed + (1 - r6) * failed
        continue
      }
      const squares = d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5 + d6 * d6
      if (
        squares === size &&
        Math.abs(V0 * (1 - V0)) +
          Math.abs(V1 * (1 - V1)) +
          Math.abs(V2 * (1 - V2)) +
          Math.abs(V3 * (1 - V3)) +
          Math.abs(V4 * (1 - V4)) +
          Math.abs(V5 * (1 - V5)) +
          Math.abs(V6 * (1 - V6)) ===
          0
      ) {
        const n = V0 + V1 + V2 + V3 + V4 + V5 + V6
        const up = table[n]!
        const down = table[8 + n]!
        out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * (V0 * up + (1 - V0) * down)
        out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * (V1 * up + (1 - V1) * down)
        out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * (V2 * up + (1 - V2) * down)
        out[p3 + t] = r3 * passed + (1 - r3) * failed + lambda * (V3 * up + (1 - V3) * down)
        out[p4 + t] = r4 * passed + (1 - r4) * failed + lambda * (V4 * up + (1 - V4) * down)
        out[p5 + t] = r5 * passed + (1 - r5) * failed + lambda * (V5 * up + (1 - V5) * down)
        out[p6 + t] = r6 * passed + (1 - r6) * failed + lambda * (V6 * up + (1 - V6) * down)
        continue
      }
      const sum = d1 + d2 + d3 + d4 + d5 + d6
      const mean = sum / 7
      const divisor = Math.sqrt((squares - sum * mean) / divisorOfSquares) + epsilon
      out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * ((0 - mean) / divisor)
      out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * ((d1 - mean) / divisor)
      out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * ((d2 - mean) / divisor)
      out[p3 + t] = r3 * passed + (1 - r3) * failed + lambda * ((d3 - mean) / divisor)
      out[p4 + t] = r4 * passed + (1 - r4) * failed + lambda * ((d4 - mean) / divisor)
      out[p5 + t] = r5 * passed + (1 - r5) * failed + lambda * ((d5 - mean) / divisor)
      out[p6 + t] = r6 * passed + (1 - r6) * failed + lambda * ((d6 - mean) / divisor)
    }
  }
  return end
}

function binary8(job: Job, _K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, epsilon, table, out } = job
  const divisorOfSquares = 8 - job.correction
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const p0 = turnPtr[i]!
    const T = turnPtr[i + 1]! - p0
    const p1 = p0 + T
    const p2 = p1 + T
    const p3 = p2 + T
    const p4 = p3 + T
    const p5 = p4 + T
    const p6 = p5 + T
    const p7 = p6 + T
    let S0 = 0
    let S1 = 0
    let S2 = 0
    let S3 = 0
    let S4 = 0
    let S5 = 0
    let S6 = 0
    let S7 = 0
    for (let t = T - 1; t >= 0; t--) {
      const r0 = reward[p0 + t]!
      const r1 = reward[p1 + t]!
      const r2 = reward[p2 + t]!
      const r3 = reward[p3 + t]!
      const r4 = reward[p4 + t]!
      const r5 = reward[p5 + t]!
      const r6 = reward[p6 + t]!
      const r7 = reward[p7 + t]!
      const V0 = r0 * S0
      const V1 = r1 * S1
      const V2 = r2 * S2
      const V3 = r3 * S3
      const V4 = r4 * S4
      const V5 = r5 * S5
      const V6 = r6 * S6
      const V7 = r7 * S7
      S0 = r0 + gamma * S0
      S1 = r1 + gamma * S1
      S2 = r2 + gamma * S2
      S3 = r3 + gamma * S3
      S4 = r4 + gamma * S4
      S5 = r5 + gamma * S5
      S6 = r6 + gamma * S6
      S7 = r7 + gamma * S7

      const c = r0 + r1 + r2 + r3 + r4 + r5 + r6 + r7
      const passed = table[c]!
      const failed = table[9 + c]!
      const d1 = V1 - V0
      const d2 = V2 - V0
      const d3 = V3 - V0
      const d4 = V4 - V0
      const d5 = V5 - V0
      const d6 = V6 - V0
      const d7 = V7 - V0
      const size =
        Math.abs(d1) + Math.abs(d2) + Math.abs(d3) + Math.abs(d4) + Math.abs(d5) + Math.abs(d6) + Math.abs(d7)
      if (!(size >= ROUGH_LOW)) {
        if (size !== 0) return g
        out[p0 + t] = r0 * passed + (1 - r0) * failed
        out[p1 + t] = r1 * passed + (1 - r1) * failed
        out[p2 + t] = r2 * passed + (1 - r2) * failed
        out[p3 + t] = r3 * passed + (1 - r3) * failed
        out[p4 + t] = r4 * passed + (1 - r4) * failed
        out[p5 + t] = r5 * passed + (1 - r5) * failed
        out[p6 + t] = r6 * passed + (1 - r6) * failed
        out[p7 + t] = r7 * passed + (1 - r7) * failed
        continue
      }
      const squares = d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5 + d6 * d6 + d7 * d7
      if (
        squares === size &&
        Math.abs(V0 * (1 - V0)) +
          Math.abs(V1 * (1 - V1)) +
          Math.abs(V2 * (1 - V2)) +
          Math.abs(V3 * (1 - V3)) +
          Math.abs(V4 * (1 - V4)) +
          Math.abs(V5 * (1 - V5)) +
          Math.abs(V6 * (1 - V6)) +
          Math.abs(V7 * (1 - V7)) ===
          0
      ) {
        const n = V0 + V1 + V2 + V3 + V4 + V5 + V6 + V7
        const up = table[n]!
        const down = table[9 + n]!
        out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * (V0 * up + (1 - V0) * down)
        out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * (V1 * up + (1 - V1) * down)
        out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * (V2 * up + (1 - V2) * down)
        out[p3 + t] = r3 * passed + (1 - r3) * failed + lambda * (V3 * up + (1 - V3) * down)
        out[p4 + t] = r4 * passed + (1 - r4) * failed + lambda * (V4 * up + (1 - V4) * down)
        out[p5 + t] = r5 * passed + (1 - r5) * failed + lambda * (V5 * up + (1 - V5) * down)
        out[p6 + t] = r6 * passed + (1 - r6) * failed + lambda * (V6 * up + (1 - V6) * down)
        out[p7 + t] = r7 * passed + (1 - r7) * failed + lambda * (V7 * up + (1 - V7) * down)
        continue
      }
      const sum = d1 + d2 + d3 + d4 + d5 + d6 + d7
      const mean = sum / 8
      const divisor = Math.sqrt((squares - sum * mean) / divisorOfSquares) + epsilon
      out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * ((0 - mean) / divisor)
      out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * ((d1 - mean) / divisor)
      out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * ((d2 - mean) / divisor)
      out[p3 + t] = r3 * passed + (1 - r3) * failed + lambda * ((d3 - mean) / divisor)
      out[p4 + t] = r4 * passed + (1 - r4) * failed + lambda * ((d4 - mean) / divisor)
      out[p5 + t] = r5 * passed + (1 - r5) * failed + lambda * ((d5 - mean) / divisor)
      out[p6 + t] = r6 * passed + (1 - r6) * failed + lambda * ((d6 - mean) / divisor)
      out[p7 + t] = r7 * passed + (1 - r7) * failed + lambda * ((d7 - mean) / divisor)
    }
  }
  return end
}

function binary16(job: Job, _K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, epsilon, table, out } = job
  const divisorOfSquares = 16 - job.correction
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const p0 = turnPtr[i]!
    const T = turnPtr[i + 1]! - p0
    const p1 = p0 + T
    const p2 = p1 + T
    const p3 = p2 + T
    const p4 = p3 + T
    const p5 = p4 + T
    const p6 = p5 + T
    const p7 = p6 + T
    const p8 = p7 + T
    const p9 = p8 + T
    const p10 = p9 + T
    const p11 = p10 + T
    const p12 = p11 + T
    const p13 = p12 + T
    const p14 = p13 + T
    const p15 = p14 + T
    let S0 = 0
    let S1 = 0
    let S2 = 0
    let S3 = 0
    let S4 = 0
    let S5 = 0
    let S6 = 0
    let S7 = 0
    let S8 = 0
    let S9 = 0
    let S10 = 0
    let S11 = 0
    let S12 = 0
    let S13 = 0
    let S14 = 0
    let S15 = 0
    for (let t = T - 1; t >= 0; t--) {
      const r0 = reward[p0 + t]!
      const r1 = reward[p1 + t]!
      const r2 = reward[p2 + t]!
      const r3 = reward[p3 + t]!
      const r4 = reward[p4 + t]!
      const r5 = reward[p5 + t]!
      const r6 = reward[p6 + t]!
      const r7 = reward[p7 + t]!
      const r8 = reward[p8 + t]!
      const r9 = reward[p9 + t]!
      const r10 = reward[p10 + t]!
      const r11 = reward[p11 + t]!
      const r12 = reward[p12 + t]!
      const r13 = reward[p13 + t]!
      const r14 = reward[p14 + t]!
      const r15 = reward[p15 + t]!
      const V0 = r0 * S0
      const V1 = r1 * S1
      const V2 = r2 * S2
      const V3 = r3 * S3
      const V4 = r4 * S4
      const V5 = r5 * S5
      const V6 = r6 * S6
      const V7 = r7 * S7
      const V8 = r8 * S8
      const V9 = r9 * S9
      const V10 = r10 * S10
      const V11 = r11 * S11
      const V12 = r12 * S12
      const V13 = r13 * S13
      const V14 = r14 * S14
      const V15 = r15 * S15
      S0 = r0 + gamma * S0
      S1 = r1 + gamma * S1
      S2 = r2 + gamma * S2
      S3 = r3 + gamma * S3
      S4 = r4 + gamma * S4
      S5 = r5 + gamma * S5
      S6 = r6 + gamma * S6
      S7 = r7 + gamma * S7
      S8 = r8 + gamma * S8
      S9 = r9 + gamma * S9
      S10 = r10 + gamma * S10
      S11 = r11 + gamma * S11
      S12 = r12 + gamma * S12
      S13 = r13 + gamma * S13
      S14 = r14 + gamma * S14
      S15 = r15 + gamma * S15

      const c = r0 + r1 + r2 + r3 + r4 + r5 + r6 + r7 + r8 + r9 + r10 + r11 + r12 + r13 + r14 + r15
      const passed = table[c]!
      const failed = table[17 + c]!
      const d1 = V1 - V0
      const d2 = V2 - V0
      const d3 = V3 - V0
      const d4 = V4 - V0
      const d5 = V5 - V0
      const d6 = V6 - V0
      const d7 = V7 - V0
      const d8 = V8 - V0
      const d9 = V9 - V0
      const d10 = V10 - V0
      const d11 = V11 - V0
      const d12 = V12 - V0
      const d13 = V13 - V0
      const d14 = V14 - V0
      const d15 = V15 - V0
      const size =
        Math.abs(d1) +
        Math.abs(d2) +
        Math.abs(d3) +
        Math.abs(d4) +
        Math.abs(d5) +
        Math.abs(d6) +
        Math.abs(d7) +
        Math.abs(d8) +
        Math.abs(d9) +
        Math.abs(d10) +
        Math.abs(d11) +
        Math.abs(d12) +
        Math.abs(d13) +
        Math.abs(d14) +
        Math.abs(d15)
      if (!(size >= ROUGH_LOW)) {
        if (size !== 0) return g
        out[p0 + t] = r0 * passed + (1 - r0) * failed
        out[p1 + t] = r1 * passed + (1 - r1) * failed
        out[p2 + t] = r2 * passed + (1 - r2) * failed
        out[p3 + t] = r3 * passed + (1 - r3) * failed
        out[p4 + t] = r4 * passed + (1 - r4) * failed
        out[p5 + t] = r5 * passed + (1 - r5) * failed
        out[p6 + t] = r6 * passed + (1 - r6) * failed
        out[p7 + t] = r7 * passed + (1 - r7) * failed
        out[p8 + t] = r8 * passed + (1 - r8) * failed
        out[p9 + t] = r9 * passed + (1 - r9) * failed
        out[p10 + t] = r10 * passed + (1 - r10) * failed
        out[p11 + t] = r11 * passed + (1 - r11) * failed
        out[p12 + t] = r12 * passed + (1 - r12) * failed
        out[p13 + t] = r13 * passed + (1 - r13) * failed
        out[p14 + t] = r14 * passed + (1 - r14) * failed
        out[p15 + t] = r15 * passed + (1 - r15) * failed
        continue
      }
      const squares =
        d1 * d1 +
        d2 * d2 +
        d3 * d3 +
        d4 * d4 +
        d5 * d5 +
        d6 * d6 +
        d7 * d7 +
        d8 * d8 +
        d9 * d9 +
        d10 * d10 +
        d11 * d11 +
        d12 * d12 +
        d13 * d13 +
        d14 * d14 +
        d15 * d15
      if (
        squares === size &&
        Math.abs(V0 * (1 - V0)) +
          Math.abs(V1 * (1 - V1)) +
          Math.abs(V2 * (1 - V2)) +
          Math.abs(V3 * (1 - V3)) +
          Math.abs(V4 * (1 - V4)) +
          Math.abs(V5 * (1 - V5)) +
          Math.abs(V6 * (1 - V6)) +
          Math.abs(V7 * (1 - V7)) +
          Math.abs(V8 * (1 - V8)) +
          Math.abs(V9 * (1 - V9)) +
          Math.abs(V10 * (1 - V10)) +
          Math.abs(V11 * (1 - V11)) +
          Math.abs(V12 * (1 - V12)) +
          Math.abs(V13 * (1 - V13)) +
          Math.abs(V14 * (1 - V14)) +
          Math.abs(V15 * (1 - V15)) ===
          0
      ) {
        const n = V0 + V1 + V2 + V3 + V4 + V5 + V6 + V7 + V8 + V9 + V10 + V11 + V12 + V13 + V14 + V15
        const up = table[n]!
        const down = table[17 + n]!
        out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * (V0 * up + (1 - V0) * down)
        out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * (V1 * up + (1 - V1) * down)
        out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * (V2 * up + (1 - V2) * down)
        out[p3 + t] = r3 * passed + (1 - r3) * failed + lambda * (V3 * up + (1 - V3) * down)
        out[p4 + t] = r4 * passed + (1 - r4) * failed + lambda * (V4 * up + (1 - V4) * down)
        out[p5 + t] = r5 * passed + (1 - r5) * failed + lambda * (V5 * up + (1 - V5) * down)
        out[p6 + t] = r6 * passed + (1 - r6) * failed + lambda * (V6 * up + (1 - V6) * down)
        out[p7 + t] = r7 * passed + (1 - r7) * failed + lambda * (V7 * up + (1 - V7) * down)
        out[p8 + t] = r8 * passed + (1 - r8) * failed + lambda * (V8 * up + (1 - V8) * down)
        out[p9 + t] = r9 * passed + (1 - r9) * failed + lambda * (V9 * up + (1 - V9) * down)
        out[p10 + t] = r10 * passed + (1 - r10) * failed + lambda * (V10 * up + (1 - V10) * down)
        out[p11 + t] = r11 * passed + (1 - r11) * failed + lambda * (V11 * up + (1 - V11) * down)
        out[p12 + t] = r12 * passed + (1 - r12) * failed + lambda * (V12 * up + (1 - V12) * down)
        out[p13 + t] = r13 * passed + (1 - r13) * failed + lambda * (V13 * up + (1 - V13) * down)
        out[p14 + t] = r14 * passed + (1 - r14) * failed + lambda * (V14 * up + (1 - V14) * down)
        out[p15 + t] = r15 * passed + (1 - r15) * failed + lambda * (V15 * up + (1 - V15) * down)
        continue
      }
      const sum = d1 + d2 + d3 + d4 + d5 + d6 + d7 + d8 + d9 + d10 + d11 + d12 + d13 + d14 + d15
      const mean = sum / 16
      const divisor = Math.sqrt((squares - sum * mean) / divisorOfSquares) + epsilon
      out[p0 + t] = r0 * passed + (1 - r0) * failed + lambda * ((0 - mean) / divisor)
      out[p1 + t] = r1 * passed + (1 - r1) * failed + lambda * ((d1 - mean) / divisor)
      out[p2 + t] = r2 * passed + (1 - r2) * failed + lambda * ((d2 - mean) / divisor)
      out[p3 + t] = r3 * passed + (1 - r3) * failed + lambda * ((d3 - mean) / divisor)
      out[p4 + t] = r4 * passed + (1 - r4) * failed + lambda * ((d4 - mean) / divisor)
      out[p5 + t] = r5 * passed + (1 - r5) * failed + lambda * ((d5 - mean) / divisor)
      out[p6 + t] = r6 * passed + (1 - r6) * failed + lambda * ((d6 - mean) / divisor)
      out[p7 + t] = r7 * passed + (1 - r7) * failed + lambda * ((d7 - mean) / divisor)
      out[p8 + t] = r8 * passed + (1 - r8) * failed + lambda * ((d8 - mean) / divisor)
      out[p9 + t] = r9 * passed + (1 - r9) * failed + lambda * ((d9 - mean) / divisor)
      out[p10 + t] = r10 * passed + (1 - r10) * failed + lambda * ((d10 - mean) / divisor)
      out[p11 + t] = r11 * passed + (1 - r11) * failed + lambda * ((d11 - mean) / divisor)
      out[p12 + t] = r12 * passed + (1 - r12) * failed + lambda * ((d12 - mean) / divisor)
      out[p13 + t] = r13 * passed + (1 - r13) * failed + lambda * ((d13 - mean) / divisor)
      out[p14 + t] = r14 * passed + (1 - r14) * failed + lambda * ((d14 - mean) / divisor)
      out[p15 + t] = r15 * passed + (1 - r15) * failed + lambda * ((d15 - mean) / divisor)
    }
  }
  return end
}

function real4(job: Job, _K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, epsilon, table, out } = job
  const divisorOfSquares = 4 - job.correction
  const { slope, level } = job.gate
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const p0 = turnPtr[i]!
    const T = turnPtr[i + 1]! - p0
    const p1 = p0 + T
    const p2 = p1 + T
    const p3 = p2 + T
    let S0 = 0
    let S1 = 0
    let S2 = 0
    let S3 = 0
    for (let t = T - 1; t >= 0; t--) {
      const r0 = reward[p0 + t]!
      const r1 = reward[p1 + t]!
      const r2 = reward[p2 + t]!
      const r3 = reward[p3 + t]!
      const V0 = (slope * r0 + level) * S0
      const V1 = (slope * r1 + level) * S1
      const V2 = (slope * r2 + level) * S2
      const V3 = (slope * r3 + level) * S3
      S0 = r0 + gamma * S0
      S1 = r1 + gamma * S1
      S2 = r2 + gamma * S2
      S3 = r3 + gamma * S3

      const f1 = r1 - r0
      const f2 = r2 - r0
      const f3 = r3 - r0
      const rSize = Math.abs(f1) + Math.abs(f2) + Math.abs(f3)
      let l0 = 0
      let l1 = 0
      let l2 = 0
      let l3 = 0
      if (rSize !== 0) {
        if (!(rSize >= ROUGH_LOW && rSize <= ROUGH_HIGH)) return g
        const rSquares = f1 * f1 + f2 * f2 + f3 * f3
        if (
          rSquares === rSize &&
          Math.abs(r0 * (1 - r0)) +
            Math.abs(r1 * (1 - r1)) +
            Math.abs(r2 * (1 - r2)) +
            Math.abs(r3 * (1 - r3)) ===
            0
        ) {
          const c = r0 + r1 + r2 + r3
          const passed = table[c]!
          const failed = table[5 + c]!
          l0 = r0 * passed + (1 - r0) * failed
          l1 = r1 * passed + (1 - r1) * failed
          l2 = r2 * passed + (1 - r2) * failed
          l3 = r3 * passed + (1 - r3) * failed
        } else {
          const rSum = f1 + f2 + f3
          const rMean = rSum / 4
          const rDivisor = Math.sqrt((rSquares - rSum * rMean) / divisorOfSquares) + epsilon
          l0 = (0 - rMean) / rDivisor + 0
          l1 = (f1 - rMean) / rDivisor + 0
          l2 = (f2 - rMean) / rDivisor + 0
          l3 = (f3 - rMean) / rDivisor + 0
        }
      }
      const d1 = V1 - V0
      const d2 = V2 - V0
      const d3 = V3 - V0
      const size = Math.abs(d1) + Math.abs(d2) + Math.abs(d3)
      if (!(size >= ROUGH_LOW && size <= ROUGH_HIGH)) {
        if (size !== 0) return g
        out[p0 + t] = l0
        out[p1 + t] = l1
        out[p2 + t] = l2
        out[p3 + t] = l3
        continue
      }
      const squares = d1 * d1 + d2 * d2 + d3 * d3
      if (
        squares === size &&
        Math.abs(V0 * (1 - V0)) +
          Math.abs(V1 * (1 - V1)) +
          Math.abs(V2 * (1 - V2)) +
          Math.abs(V3 * (1 - V3)) ===
          0
      ) {
        const n = V0 + V1 + V2 + V3
        const up = table[n]!
        const down = table[5 + n]!
        out[p0 + t] = l0 + lambda * (V0 * up + (1 - V0) * down)
        out[p1 + t] = l1 + lambda * (V1 * up + (1 - V1) * down)
        out[p2 + t] = l2 + lambda * (V2 * up + (1 - V2) * down)
        out[p3 + t] = l3 + lambda * (V3 * up + (1 - V3) * down)
        continue
      }
      const sum = d1 + d2 + d3
      const mean = sum / 4
      const divisor = Math.sqrt((squares - sum * mean) / divisorOfSquares) + epsilon
      out[p0 + t] = l0 + lambda * ((0 - mean) / divisor)
      out[p1 + t] = l1 + lambda * ((d1 - mean) / divisor)
      out[p2 + t] = l2 + lambda * ((d2 - mean) / divisor)
      out[p3 + t] = l3 + lambda * ((d3 - mean) / divisor)
    }
  }
  return end
}

function real8(job: Job, _K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, epsilon, table, out } = job
  const divisorOfSquares = 8 - job.correction
  const { slope, level } = job.gate
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const p0 = turnPtr[i]!
    const T = turnPtr[i + 1]! - p0
    const p1 = p0 + T
    const p2 = p1 + T
    const p3 = p2 + T
    const p4 = p3 + T
    const p5 = p4 + T
    const p6 = p5 + T
    const p7 = p6 + T
    let S0 = 0
    let S1 = 0
    let S2 = 0
    let S3 = 0
    let S4 = 0
    let S5 = 0
    let S6 = 0
    let S7 = 0
    for (let t = T - 1; t >= 0; t--) {
      const r0 = reward[p0 + t]!
      const r1 = reward[p1 + t]!
      const r2 = reward[p2 + t]!
      const r3 = reward[p3 + t]!
      const r4 = reward[p4 + t]!
      const r5 = reward[p5 + t]!
      const r6 = reward[p6 + t]!
      const r7 = reward[p7 + t]!
      const V0 = (slope * r0 + level) * S0
      const V1 = (slope * r1 + level) * S1
      const V2 = (slope * r2 + level) * S2
      const V3 = (slope * r3 + level) * S3
      const V4 = (slope * r4 + level) * S4
      const V5 = (slope * r5 + level) * S5
      const V6 = (slope * r6 + level) * S6
      const V7 = (slope * r7 + level) * S7
      S0 = r0 + gamma * S0
      S1 = r1 + gamma * S1
      S2 = r2 + gamma * S2
      S3 = r3 + gamma * S3
      S4 = r4 + gamma * S4
      S5 = r5 + gamma * S5
      S6 = r6 + gamma * S6
      S7 = r7 + gamma * S7

      const f1 = r1 - r0
      const f2 = r2 - r0
      const f3 = r3 - r0
      const f4 = r4 - r0
      const f5 = r5 - r0
      const f6 = r6 - r0
      const f7 = r7 - r0
      const rSize =
        Math.abs(f1) + Math.abs(f2) + Math.abs(f3) + Math.abs(f4) + Math.abs(f5) + Math.abs(f6) + Math.abs(f7)
      let l0 = 0
      let l1 = 0
      let l2 = 0
      let l3 = 0
      let l4 = 0
      let l5 = 0
      let l6 = 0
      let l7 = 0
      if (rSize !== 0) {
        if (!(rSize >= ROUGH_LOW && rSize <= ROUGH_HIGH)) return g
        const rSquares = f1 * f1 + f2 * f2 + f3 * f3 + f4 * f4 + f5 * f5 + f6 * f6 + f7 * f7
        if (
          rSquares === rSize &&
          Math.abs(r0 * (1 - r0)) +
            Math.abs(r1 * (1 - r1)) +
            Math.abs(r2 * (1 - r2)) +
            Math.abs(r3 * (1 - r3)) +
            Math.abs(r4 * (1 - r4)) +
            Math.abs(r5 * (1 - r5)) +
            Math.abs(r6 * (1 - r6)) +
            Math.abs(r7 * (1 - r7)) ===
            0
        ) {
          const c = r0 + r1 + r2 + r3 + r4 + r5 + r6 + r7
          const passed = table[c]!
          const failed = table[9 + c]!
          l0 = r0 * passed + (1 - r0) * failed
          l1 = r1 * passed + (1 - r1) * failed
          l2 = r2 * passed + (1 - r2) * failed
          l3 = r3 * passed + (1 - r3) * failed
          l4 = r4 * passed + (1 - r4) * failed
          l5 = r5 * passed + (1 - r5) * failed
          l6 = r6 * passed + (1 - r6) * failed
          l7 = r7 * passed + (1 - r7) * failed
        } else {
          const rSum = f1 + f2 + f3 + f4 + f5 + f6 + f7
          const rMean = rSum / 8
          const rDivisor = Math.sqrt((rSquares - rSum * rMean) / divisorOfSquares) + epsilon
          l0 = (0 - rMean) / rDivisor + 0
          l1 = (f1 - rMean) / rDivisor + 0
          l2 = (f2 - rMean) / rDivisor + 0
          l3 = (f3 - rMean) / rDivisor + 0
          l4 = (f4 - rMean) / rDivisor + 0
          l5 = (f5 - rMean) / rDivisor + 0
          l6 = (f6 - rMean) / rDivisor + 0
          l7 = (f7 - rMean) / rDivisor + 0
        }
      }
      const d1 = V1 - V0
      const d2 = V2 - V0
      const d3 = V3 - V0
      const d4 = V4 - V0
      const d5 = V5 - V0
      const d6 = V6 - V0
      const d7 = V7 - V0
      const size =
        Math.abs(d1) + Math.abs(d2) + Math.abs(d3) + Math.abs(d4) + Math.abs(d5) + Math.abs(d6) + Math.abs(d7)
      if (!(size >= ROUGH_LOW && size <= ROUGH_HIGH)) {
        if (size !== 0) return g
        out[p0 + t] = l0
        out[p1 + t] = l1
        out[p2 + t] = l2
        out[p3 + t] = l3
        out[p4 + t] = l4
        out[p5 + t] = l5
        out[p6 + t] = l6
        out[p7 + t] = l7
        continue
      }
      const squares = d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5 + d6 * d6 + d7 * d7
      if (
        squares === size &&
        Math.abs(V0 * (1 - V0)) +
          Math.abs(V1 * (1 - V1)) +
          Math.abs(V2 * (1 - V2)) +
          Math.abs(V3 * (1 - V3)) +
          Math.abs(V4 * (1 - V4)) +
          Math.abs(V5 * (1 - V5)) +
          Math.abs(V6 * (1 - V6)) +
          Math.abs(V7 * (1 - V7)) ===
          0
      ) {
        const n = V0 + V1 + V2 + V3 + V4 + V5 + V6 + V7
        const up = table[n]!
        const down = table[9 + n]!
        out[p0 + t] = l0 + lambda * (V0 * up + (1 - V0) * down)
        out[p1 + t] = l1 + lambda * (V1 * up + (1 - V1) * down)
        out[p2 + t] = l2 + lambda * (V2 * up + (1 - V2) * down)
        out[p3 + t] = l3 + lambda * (V3 * up + (1 - V3) * down)
        out[p4 + t] = l4 + lambda * (V4 * up + (1 - V4) * down)
        out[p5 + t] = l5 + lambda * (V5 * up + (1 - V5) * down)
        out[p6 + t] = l6 + lambda * (V6 * up + (1 - V6) * down)
        out[p7 + t] = l7 + lambda * (V7 * up + (1 - V7) * down)
        continue
      }
      const sum = d1 + d2 + d3 + d4 + d5 + d6 + d7
      const mean = sum / 8
      const divisor = Math.sqrt((squares - sum * mean) / divisorOfSquares) + epsilon
      out[p0 + t] = l0 + lambda * ((0 - mean) / divisor)
      out[p1 + t] = l1 + lambda * ((d1 - mean) / divisor)
      out[p2 + t] = l2 + lambda * ((d2 - mean) / divisor)
      out[p3 + t] = l3 + lambda * ((d3 - mean) / divisor)
      out[p4 + t] = l4 + lambda * ((d4 - mean) / divisor)
      out[p5 + t] = l5 + lambda * ((d5 - mean) / divisor)
      out[p6 + t] = l6 + lambda * ((d6 - mean) / divisor)
      out[p7 + t] = l7 + lambda * ((d7 - mean) / divisor)
    }
  }
  return end
}

/** By K; for batches of rewards 0 and 1. */
export const binaryKernels: readonly (Kernel | undefined)[] = [
  undefined,
  undefined,
  binary2,
  binary3,
  binary4,
  binary5,
  binary6,
  binary7,
  binary8,
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  undefined,
  binary16,
]

/** By K. */
export const realKernels: readonly (Kernel | undefined)[] = [
  undefined,
  undefined,
  undefined,
  undefined,
  real4,
  undefined,
  undefined,
  undefined,
  real8,
]
