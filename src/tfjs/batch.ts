/**
 * TARA of a `TurnBatch` on tensors, float64 in and out: float32 where that is good enough, the core where it is not.
 *
 *     |A₃₂ − A₆₄| ≤ 1e-6·√K + 32·2⁻²⁴·max|x| / (σ + ε)     per part and turn, x = r or V
 *
 * A group one of whose turns has a bound above the tolerance is computed by the core; so is one where float32 sees equal
 * values that float64 may tell apart. Zeros are therefore those of the core.
 */

import { turnOut } from '../advantage/check.js'
import { resolveTara, type TaraOptions, taraDefaults } from '../advantage/options.js'
import { taraParts } from '../advantage/tara.js'
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import { type Bucket, type BucketArrays, bucketsOf, cellOf, readBucket } from './buckets.js'
import { doubtful } from './doubt.js'
import { coreGroups, type FusedParts } from './groups.js'
import { columnBound, taraKernel } from './kernel.js'
import type { Voters } from './normalize.js'
import { checkTf, type Tensor, type Tf } from './ops.js'

export interface BatchOptions extends TaraOptions {
  /** `tfjs`: on tensors. `core`: not. `auto`: on tensors where the backend is a GPU and the batch has at least `AUTO_CELLS`
   * turns; on a CPU the core is faster at any size. */
  readonly backend: 'core' | 'tfjs' | 'auto'
  /** Largest error bound of a part that is left to float32, dimensionless; 0 leaves nothing to it. */
  readonly tolerance: number
}

export const batchDefaults: Readonly<BatchOptions> = Object.freeze({
  ...taraDefaults,
  backend: 'tfjs',
  tolerance: 1e-4,
})

/** Turns from which on `auto` uses a GPU. Copying to it and back costs more below. */
export const AUTO_CELLS: number = 2 ** 20

export interface BatchRun extends FusedParts {
  /** What was used. */
  readonly ranOn: 'core' | 'tfjs'
  /** Groups that the core computed. */
  readonly coreGroups: number
}

/** Backends whose memory is a GPU's. tfjs-node calls itself `tensorflow` with and without one: it counts as a CPU. */
const gpus = ['webgpu', 'webgl']

const outNames = ['advantage', 'local', 'future'] as const

/** Computes TARA of a batch, on tensors where the backend says so. Same options, same zeros and same places as `taraParts`.
 *
 * @param tf - tfjs with a backend that is ready; not touched where the core is used
 * @param options - those of `tara`, `backend` and `tolerance`; see `batchDefaults`
 * @param out - any of the parts, `[numTurns]` float64 each, sharing no memory with one another, the rewards or the gate
 * @throws TaraError as `taraParts`
 */
export async function taraOnTensors(
  tf: Tf,
  batch: TurnBatch,
  options: Partial<BatchOptions> = {},
  out: Partial<FusedParts> = {},
): Promise<BatchRun> {
  const place = 'taraOnTensors'
  if (typeof options !== 'object' || options === null)
    fail('OPTION', `${place}: options`, 'an object', show(options))
  const { backend = batchDefaults.backend, tolerance = batchDefaults.tolerance, ...rest } = options
  if (backend !== 'core' && backend !== 'tfjs' && backend !== 'auto')
    fail('OPTION', `${place}: options.backend`, 'one of "core", "tfjs", "auto"', show(backend))
  if (!(Number.isFinite(tolerance) && tolerance >= 0))
    fail('OPTION', `${place}: options.tolerance`, 'a finite number, 0 or more', show(tolerance))
  const resolved = resolveTara(place, batch, rest)
  const parts = outParts(place, batch, resolved, out)
  if (backend !== 'core') checkTf(place, tf)
  const isAuto = backend === 'auto'
  if (
    backend === 'core' ||
    (isAuto && !(gpus.includes(tf.getBackend()) && batch.reward.length >= AUTO_CELLS))
  ) {
    taraParts(batch, rest, parts)
    return { ...parts, ranOn: 'core', coreGroups: numGroups(batch) }
  }
  for (const name of outNames) parts[name].fill(0)
  const { buckets, unfit } = bucketsOf(batch, resolved)
  const toCore = [...unfit]
  for (const bucket of buckets)
    toCore.push(...(await runBucket(tf, batch, bucket, resolved, tolerance, parts)))
  if (toCore.length > 0) coreGroups(batch, toCore, rest, parts)
  return { ...parts, ranOn: 'tfjs', coreGroups: toCore.length }
}

function outParts(
  place: string,
  batch: TurnBatch,
  { gate }: TaraOptions,
  out: Partial<FusedParts>,
): FusedParts {
  if (typeof out !== 'object' || out === null) fail('TYPE', `${place}: out`, 'an object of arrays', show(out))
  for (const name of Object.keys(out))
    if (!outNames.some((part) => part === name))
      fail('OPTION', `${place}: out.${name}`, `one of ${outNames.join(', ')}`, 'an unknown part')
  const taken: Record<string, unknown> = { 'options.gate': gate }
  const part = (name: (typeof outNames)[number]): Float64Array => {
    taken[`out.${name}`] = turnOut(`${place}: out.${name}`, out[name], batch, taken)
    return taken[`out.${name}`] as Float64Array
  }
  return { advantage: part('advantage'), local: part('local'), future: part('future') }
}

/** Runs the kernel on a bucket and writes what it found.
 * @returns the groups that float32 cannot vouch for
 */
async function runBucket(
  tf: Tf,
  batch: TurnBatch,
  bucket: Bucket,
  options: TaraOptions,
  tolerance: number,
  out: FusedParts,
): Promise<number[]> {
  const arrays = readBucket(batch, bucket, options)
  const [local, future, localBound, futureBound] = await readAll(launch(tf, bucket, arrays, options), tf)
  const { K, T, rows } = bucket
  const limit = tolerance - 1e-6 * Math.sqrt(K)
  const toCore: number[] = []
  rows.forEach((row, g) => {
    const isDoubtful = doubtful(batch, row, options, {
      local: localBound!.subarray(g * T, (g + 1) * T),
      future: futureBound!.subarray(g * T, (g + 1) * T),
      limit,
    })
    if (isDoubtful) {
      toCore.push(row.group)
      return
    }
    let at = g * T * K
    for (let u = 0; u < T; u++)
      for (let k = 0; k < K; k++, at++) {
        const j = cellOf(batch, row, u, k)
        out.local[j] = local![at]!
        out.future[j] = future![at]!
        out.advantage[j] = local![at]! + options.lambda * future![at]!
      }
  })
  return toCore
}

/** Starts the kernel: local, future and the two bounds. */
function launch(tf: Tf, { K, T, rows }: Bucket, arrays: BucketArrays, options: TaraOptions): Tensor[] {
  const shape: [number, number, number] = [rows.length, T, K]
  return tf.tidy(() => {
    const reward = tf.tensor(arrays.reward, shape, 'float32')
    const gate = arrays.gate && tf.tensor(arrays.gate, shape, 'float32')
    const mask = arrays.votes && tf.tensor(arrays.votes, shape, 'bool')
    const voters: Voters =
      mask === undefined ? { count: K } : { mask, count: tf.sum(tf.cast(mask, 'float32'), 2, true) }
    const input = { reward, gate: options.gate === 'reward' ? reward : gate, voters }
    const { local, future } = taraKernel(tf, input, options)
    return [local.z, future.z, columnBound(tf, local, options), columnBound(tf, future, options)]
  })
}

/** Reads tensors back and disposes of them, also where reading fails. */
async function readAll(tensors: Tensor[], tf: Tf): Promise<Float32Array[]> {
  try {
    return await Promise.all(tensors.map(async (tensor) => (await tensor.data()) as Float32Array))
  } finally {
    tf.dispose(tensors)
  }
}
