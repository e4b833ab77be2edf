/**
 * The peers: TARA and trajectory GRPO as others compute them, on the same data, each answer checked against ours first.
 *
 * Ours is float64 on one thread into reused memory, from rewards in the order of the rollouts (`[G, K, T]`). Peers get their
 * rewards as float32 in the layout that the row names, converted before the clock starts, and make their temporaries afresh.
 * torch has as many threads as serve it best. A row's ratio is our time over theirs.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { broadcast, grpo, type TurnBatch, tara, tokenSpans, turnBatchFromFlat } from 'tara-rl'
import { type Comparison, check, compare } from '../measure.js'
import { random } from '../random.js'
import { compared, milliseconds, type Result, type Target } from '../result.js'
import { nest, taraNested } from './nested.js'
import { against, againstBest, type Python, startPython } from './python.js'

interface Shape {
  readonly G: number
  readonly K: number
  readonly T: number
}

const shapeOf = (cells: number, K: number, T: number): Shape => ({ G: Math.ceil(cells / (K * T)), K, T })

function batchOf({ G, K, T }: Shape, seed: number): TurnBatch {
  const next = random(seed)
  return turnBatchFromFlat({
    groupPtr: Int32Array.from({ length: G + 1 }, (_, g) => g * K),
    turnPtr: Int32Array.from({ length: G * K + 1 }, (_, i) => i * T),
    reward: Float64Array.from({ length: G * K * T }, () => (next() < 0.7 ? 1 : 0)),
  })
}

const perCell =
  (cells: number) =>
  (time: number): string =>
    `${((1e6 * time) / cells).toFixed(2)} ns`

/** What each must be beaten by, and aims: our time over theirs. */
const targets: Readonly<Record<string, Target>> = {
  'numpy, K innermost': { must: 0.25, aim: 0.167 },
  'torch, K innermost': { must: 0.125, aim: 0.071 },
  'numpy, groups innermost': { must: 1, aim: 0.333 },
  'torch, groups innermost': { must: 1, aim: 0.333 },
}

function near(found: ArrayLike<number>, wished: ArrayLike<number>): boolean {
  for (let j = 0; j < wished.length; j++) if (!(Math.abs(found[j]! - wished[j]!) < 1e-3)) return false
  return found.length === wished.length
}

async function pythonTurnCore(python: Python, folder: string, shape: Shape, runs: number): Promise<Result[]> {
  const { G, K, T } = shape
  const batch = batchOf(shape, 1)
  const out = new Float64Array(batch.reward.length)
  const ours = (): Float64Array => tara(batch, undefined, out)
  const [rewards, answer] = [join(folder, 'rewards'), join(folder, 'answer')]
  writeFileSync(rewards, Uint8Array.from(batch.reward))
  writeFileSync(answer, ours())
  const { names } = await python.ask({ load: 'tara', rewards, answer, shape: [G, K, T] })
  const results: Result[] = []
  const size = `K ${K}, T ${T}, ${out.length} cells`
  const row = (comparison: Comparison, limit: string, target?: Target): void => {
    results.push(compared('turn core, peers', size, comparison, limit, target, perCell(out.length)))
  }
  for (const name of names as string[]) {
    if (!name.startsWith('torch')) {
      const kind = name === 'dict loop' ? 'Python dict loop' : `${name.replace('numpy', 'numpy f32')}, fresh`
      row(await against(python, name, ours, { runs }), kind, targets[name])
      continue
    }
    const { comparison, threads } = await againstBest(python, name, ours, { runs })
    row(comparison, `${name.replace('torch', 'torch f32')}, fresh, ${threads} thr`, targets[name])
  }
  return results
}

/** In this process: nested arrays, and our kernel on tfjs. */
async function javascriptTurnCore(shape: Shape, runs: number): Promise<Result[]> {
  const { G, K, T } = shape
  const batch = batchOf(shape, 1)
  const out = new Float64Array(batch.reward.length)
  const ours = (): Float64Array => tara(batch, undefined, out)
  const expected = Float64Array.from(ours())
  const size = `K ${K}, T ${T}, ${out.length} cells`
  const results: Result[] = []
  const row = (comparison: Comparison, limit: string): void => {
    results.push(compared('turn core, peers', size, comparison, limit, undefined, perCell(out.length)))
  }
  const lists = nest(batch.reward, K, T)
  check(near(taraNested(lists).flat(2), expected), 'nested arrays')
  row(
    compare(ours, () => taraNested(lists), runs),
    'nested arrays, fresh',
  )
  const { loadTfjs, taraTensors } = await tensorKernel()
  for (const name of ['wasm', 'cpu'] as const) {
    const loaded = await loadTfjs({ prefer: name })
    if (loaded.name !== name) continue
    const { tf } = loaded
    const rewards = tf.tensor(Float32Array.from(batch.reward), [G, K, T])
    const theirs = (): ArrayLike<number> => {
      const parts = taraTensors(tf, rewards)
      const values = parts.advantage.dataSync()
      tf.dispose([parts.advantage, parts.local, parts.future])
      return values
    }
    check(near(theirs(), expected), `tfjs ${name}`)
    row(compare(ours, theirs, runs), `tfjs ${name} f32, [G, K, T] tensor to array`)
    tf.dispose(rewards)
  }
  return results
}

/** The built kernel, with the types of its source. */
function tensorKernel(): Promise<typeof import('../../src/tfjs/index.js')> {
  return import(new URL('../../dist/tfjs/index.js', import.meta.url).href)
}

const GROUP = 8
const TURNS = 6
const SPAN = 512

/** verl's constants on both sides: spans in and tokens out, a padded matrix with a mask for the peers. */
async function trajectoryGrpo(
  python: Python,
  folder: string,
  megabytes: number,
  runs: number,
): Promise<Result[]> {
  const L = 2 * SPAN * TURNS
  const B = GROUP * Math.ceil((megabytes * 1e6) / 4 / L / GROUP)
  const next = random(8)
  const batch = turnBatchFromFlat({
    groupPtr: Int32Array.from({ length: B / GROUP + 1 }, (_, g) => g * GROUP),
    turnPtr: Int32Array.from({ length: B + 1 }, (_, i) => i * TURNS),
    reward: Float64Array.from({ length: B * TURNS }, () => (next() < 0.9 ? 1 : 0)),
  })
  const turns = Array.from({ length: TURNS }, (_, t): [number, number][] => [
    [(2 * t + 1) * SPAN, (2 * t + 2) * SPAN],
  ])
  const spans = tokenSpans(batch, new Array(B).fill({ length: L, turns }))
  const values = new Float64Array(batch.reward.length)
  const memory = new Float32Array(B * L)
  const reused = (): Float32Array => broadcast(grpo(batch, { dialect: 'verl' }, values), spans, {}, memory)
  const fresh = (): Float32Array => broadcast(grpo(batch, { dialect: 'verl' }, values), spans)
  const files = { scores: join(folder, 'scores'), mask: join(folder, 'mask'), answer: join(folder, 'answer') }
  const trace = Float32Array.from({ length: B }, (_, i) =>
    batch.reward.subarray(i * TURNS, (i + 1) * TURNS).every((r) => r === 1) ? 1 : 0,
  )
  writeFileSync(files.scores, trace)
  writeFileSync(
    files.mask,
    Uint8Array.from({ length: B * L }, (_, k) => Math.floor(k / SPAN) & 1),
  )
  writeFileSync(files.answer, reused())
  const { names } = await python.ask({ load: 'grpo', ...files, shape: [B, L], group: GROUP })
  const results: Result[] = []
  for (const name of names as string[]) {
    const isFresh = name.endsWith('fresh')
    const own = isFresh ? fresh : reused
    const best = name.startsWith('torch')
      ? await againstBest(python, name, own, { runs, isFresh })
      : { comparison: await against(python, name, own, { runs, isFresh }), threads: 1 }
    results.push(
      compared(
        `trajectory GRPO, peers, ${isFresh ? 'fresh' : 'reused'} out`,
        `${megabytes} MB, ${B} rollouts, span ${SPAN}`,
        best.comparison,
        `verl's formula, ${name.split(',')[0]} mask, ${best.threads} thr`,
        isFresh ? undefined : { must: 0.333, aim: 0.1 },
        milliseconds,
      ),
    )
  }
  return results
}

/** The rows of the peers. Without Python those of JavaScript alone, and a word about it on stderr. */
export async function peers(isQuick: boolean): Promise<Result[]> {
  const runs = isQuick ? 5 : 7
  const shapes = isQuick
    ? [shapeOf(10_000, 8, 6)]
    : [
        ...[4, 8, 16].flatMap((K) => [10_000, 100_000, 1_000_000].map((cells) => shapeOf(cells, K, 6))),
        ...[1, 64].map((T) => shapeOf(100_000, 8, T)),
      ]
  const results: Result[] = []
  const folder = mkdtempSync(join(tmpdir(), 'tara-peers-'))
  let python: Python | undefined
  try {
    python = await startPython()
    console.error(`peers: ${python.version}`)
  } catch (error) {
    console.error(`peers: no Python rows: ${error instanceof Error ? error.message : error}`)
  }
  try {
    if (python !== undefined) {
      for (const shape of shapes) results.push(...(await pythonTurnCore(python, folder, shape, runs)))
      results.push(...(await trajectoryGrpo(python, folder, 32, runs)))
      if (!isQuick) results.push(...(await trajectoryGrpo(python, folder, 200, runs)))
    }
    for (const shape of shapes.filter(({ K, T }) => K === 8 && T === 6))
      results.push(...(await javascriptTurnCore(shape, runs)))
  } finally {
    python?.end()
    rmSync(folder, { recursive: true, force: true })
  }
  return results
}
