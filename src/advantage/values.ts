/**
 * Returns before normalization: what the theorems speak of. No estimator here uses them.
 *
 *     G_std[t]  = r[t] + Σ_{k≥1} γ^k·r[t+k]                            (Eq. 6)
 *     G_ours[t] = r[t] + λ·V[t],  V[t] = δ[t]·Σ_{k≥1} γ^k·r[t+k]        (Eq. 7)
 *
 * Theorem A.2 compares their variances over rollouts with r = 1. With Eq. 7's V the ratio is λ²; with Eq. 3's
 * V, which TARA normalizes, it is (λ/γ)², and that is 1 at the defaults.
 */
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { liveTurnsOf, votersOf } from '../batch/votes.js'
import { aBoolean, between, resolveOptions } from '../options.js'
import { checkGate, checkRewards, turnOut } from './check.js'
import { type FutureOptions, futureRow } from './future.js'
import { futureChecks } from './options.js'

export interface StandardReturnOptions {
  /** γ, 0 … 1. */
  readonly gamma: number
  /** Takes rewards other than 0 and 1. */
  readonly realRewards: boolean
}

export interface GatedReturnOptions extends FutureOptions {
  /** λ, 0 … 1. */
  readonly lambda: number
  /** Takes rewards other than 0 and 1. */
  readonly realRewards: boolean
}

export const standardReturnDefaults: Readonly<StandardReturnOptions> = Object.freeze({
  gamma: 0.5,
  realRewards: false,
})

/** Eq. 7 as it stands; `futureIndex: 'eq3'` puts TARA's V in its place. */
export const gatedReturnDefaults: Readonly<GatedReturnOptions> = Object.freeze({
  gamma: 0.5,
  lambda: 0.5,
  gate: 'reward',
  futureIndex: 'eq7',
  realRewards: false,
})

/** Computes the discounted return-to-go of each turn: G[t] = r[t] + γ·G[t+1]. Eq. 6.
 * @param out - `[numTurns]`, reward units; 0 for invalid rollouts and masked turns; shares no memory with the rewards
 * @throws TaraError `OPTION`, `RANGE`, `LENGTH`, `TYPE`, `MISMATCH`
 */
export function standardReturn(
  batch: TurnBatch,
  options?: Partial<StandardReturnOptions>,
  out?: Float64Array,
): Float64Array {
  const { gamma, realRewards } = resolveOptions('standardReturn', options, standardReturnDefaults, {
    gamma: between(0, 1),
    realRewards: aBoolean,
  })
  checkRewards('standardReturn', batch, realRewards)
  const returns = turnOut('standardReturn: out', out, batch).fill(0)
  for (let g = 0; g < numGroups(batch); g++) {
    const live = liveTurnsOf(batch, g)
    for (const i of votersOf(batch, g, 'fail')) {
      let G = 0
      for (let u = live.length - 1; u >= 0; u--) {
        const j = batch.turnPtr[i]! + live[u]!
        returns[j] = G = batch.reward[j]! + gamma * G + 0
      }
    }
  }
  return returns
}

/** Computes the fused return of each turn: G[t] = r[t] + λ·V[t]. Eq. 7.
 * @param options - see `gatedReturnDefaults`
 * @param out - `[numTurns]`, reward units; 0 for invalid rollouts and masked turns; shares no memory with the rewards or the gate
 * @throws TaraError `OPTION`, `RANGE`, `LENGTH`, `TYPE`, `MISMATCH`
 */
export function gatedReturn(
  batch: TurnBatch,
  options?: Partial<GatedReturnOptions>,
  out?: Float64Array,
): Float64Array {
  const resolved = resolveOptions<GatedReturnOptions>('gatedReturn', options, gatedReturnDefaults, {
    ...futureChecks,
    lambda: between(0, 1),
    realRewards: aBoolean,
  })
  checkRewards('gatedReturn', batch, resolved.realRewards)
  checkGate('gatedReturn', batch, resolved.gate)
  const returns = turnOut('gatedReturn: out', out, batch, { 'options.gate': resolved.gate }).fill(0)
  for (let g = 0; g < numGroups(batch); g++) {
    const live = liveTurnsOf(batch, g)
    for (const i of votersOf(batch, g, 'fail')) {
      const start = batch.turnPtr[i]!
      futureRow(batch.reward, start, live, resolved, returns, start)
      for (const t of live) {
        const j = start + t
        returns[j] = batch.reward[j]! + resolved.lambda * returns[j]! + 0
      }
    }
  }
  return returns
}
