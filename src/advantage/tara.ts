/**
 * TARA: turn-aware relative advantage. Each turn is compared with the same turn of the group's other rollouts.
 *
 *     A_local  = (r − μ) / (σ + ε)            (Eq. 2)
 *     A_future = (V − μ_V) / (σ_V + ε)        (Eq. 4; V: Eq. 3, `future.ts`)
 *     A        = A_local + λ·A_future         (Eq. 5)
 *
 * A_future is the normalized future *value*. A discounted sum of normalized rewards is another estimator,
 * and a biased one where the number of turns varies.
 */
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { excludesUnreached, liveTurnsOf, votersOf } from '../batch/votes.js'
import { fail, show } from '../errors.js'
import { turnOut } from './check.js'
import { futureRow } from './future.js'
import { normalize } from './moments.js'
import { resolveTara, type TaraOptions } from './options.js'

/** The parts of TARA, `[numTurns]` each. */
export interface TaraParts {
  /** A, dimensionless. Eq. 5. */
  readonly advantage: Float64Array
  /** A_local, dimensionless. Eq. 2. */
  readonly local: Float64Array
  /** A_future, dimensionless, before λ. Eq. 4. */
  readonly future: Float64Array
  /** V, reward units. Eq. 3. */
  readonly futureValue: Float64Array
}

/** Computes one advantage a turn: A = A_local + λ·A_future. Eq. 2–5.
 *
 * 0 where nothing is computed: rollouts without a vote, masked turns, and unreached ones where these are excluded.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `taraDefaults`
 * @param out - `[numTurns]`, dimensionless; shares no memory with the rewards or the gate
 * @throws TaraError `OPTION`, `RANGE` (a reward or a gate), `LENGTH`, `TYPE`, `MISMATCH` (shared memory)
 */
export function tara(batch: TurnBatch, options?: Partial<TaraOptions>, out?: Float64Array): Float64Array {
  const resolved = resolveTara('tara', batch, options)
  const advantage = turnOut('tara: out', out, batch, { 'options.gate': resolved.gate })
  compute(batch, resolved, { advantage })
  return advantage
}

const partNames = ['advantage', 'local', 'future', 'futureValue'] as const

/** Computes TARA and the parts it is made of; `advantage` is the same as from `tara`.
 * @param out - any of the parts, `[numTurns]` each, sharing no memory with one another, the rewards or the gate
 * @throws TaraError as `tara`
 */
export function taraParts(
  batch: TurnBatch,
  options?: Partial<TaraOptions>,
  out: Partial<TaraParts> = {},
): TaraParts {
  const resolved = resolveTara('taraParts', batch, options)
  if (typeof out !== 'object' || out === null)
    fail('TYPE', 'taraParts: out', 'an object of arrays', show(out))
  for (const name of Object.keys(out))
    if (!partNames.some((part) => part === name))
      fail('OPTION', `taraParts: out.${name}`, `one of ${partNames.join(', ')}`, 'an unknown part')
  const taken: Record<string, unknown> = { 'options.gate': resolved.gate }
  const part = (name: (typeof partNames)[number]): Float64Array => {
    const array = turnOut(`taraParts: out.${name}`, out[name], batch, taken)
    taken[`out.${name}`] = array
    return array
  }
  const parts = {
    advantage: part('advantage'),
    local: part('local'),
    future: part('future'),
    futureValue: part('futureValue'),
  }
  compute(batch, resolved, parts)
  return parts
}

type Sink = Pick<TaraParts, 'advantage'> & Partial<TaraParts>

/** Eq. 2–5, group after group and turn after turn; writes every element of every array. */
function compute(batch: TurnBatch, options: TaraOptions, out: Sink): void {
  const { turnPtr, reward, reached } = batch
  const { lambda } = options
  const { advantage, local, future, futureValue } = out
  advantage.fill(0)
  local?.fill(0)
  future?.fill(0)
  futureValue?.fill(0)

  const { rollouts, turns } = largestGroup(batch)
  const V = new Float64Array(turns) // of one group, a row a voter
  const index = new Int32Array(rollouts) // of one turn: flat indices of those who vote at it
  const r = new Float64Array(rollouts)
  const v = new Float64Array(rollouts)

  for (let g = 0; g < numGroups(batch); g++) {
    const voters = votersOf(batch, g, options.truncated)
    const live = liveTurnsOf(batch, g)
    const excludes = excludesUnreached(batch, g, options.unreached)
    const first = batch.groupPtr[g]!
    const T = voters.length === 0 ? 0 : turnPtr[first + 1]! - turnPtr[first]!
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
}

/** Most rollouts of a group, and most turns of all its rollouts together. */
function largestGroup(batch: TurnBatch): { rollouts: number; turns: number } {
  const { groupPtr, turnPtr } = batch
  let rollouts = 0
  let turns = 0
  for (let g = 0; g < numGroups(batch); g++) {
    rollouts = Math.max(rollouts, groupPtr[g + 1]! - groupPtr[g]!)
    turns = Math.max(turns, turnPtr[groupPtr[g + 1]!]! - turnPtr[groupPtr[g]!]!)
  }
  return { rollouts, turns }
}
