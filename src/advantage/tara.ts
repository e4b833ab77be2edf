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
import type { TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import { turnOut } from './check.js'
import { runKernels } from './kernels/run.js'
import { resolveTara, type TaraOptions } from './options.js'
import { plainGroups } from './plain.js'

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
  runKernels(batch, resolved, resolved.isBinary, advantage)
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
  plainGroups(batch, resolved, parts)
  return parts
}
