/**
 * The turn core: nanoseconds a cell (one turn of one rollout) over sizes, against TARA on nested arrays.
 */
import { type TurnBatch, tara, turnBatchFromFlat } from 'tara-rl'
import { check, compare, timeInTurn } from './measure.js'
import { random } from './random.js'
import { compared, type Result } from './result.js'

interface Shape {
  readonly groups: number
  readonly K: number
  readonly T: number
}

/** Rewards of 0 and 1 for groups of the shapes given. */
function randomBatch(shapes: readonly Pick<Shape, 'K' | 'T'>[], seed: number): TurnBatch {
  const next = random(seed)
  const groupPtr = [0]
  const turnPtr = [0]
  for (const { K, T } of shapes) {
    for (let k = 0; k < K; k++) turnPtr.push(turnPtr[turnPtr.length - 1]! + T)
    groupPtr.push(groupPtr[groupPtr.length - 1]! + K)
  }
  const reward = new Float64Array(turnPtr[turnPtr.length - 1]!)
  for (let j = 0; j < reward.length; j++) reward[j] = next() < 0.7 ? 1 : 0
  return turnBatchFromFlat({ groupPtr, turnPtr, reward })
}

const equalShapes = ({ groups, K, T }: Shape): Pick<Shape, 'K' | 'T'>[] => new Array(groups).fill({ K, T })

function nested({ groupPtr, turnPtr, reward }: TurnBatch): number[][][] {
  return Array.from({ length: groupPtr.length - 1 }, (_, g) =>
    Array.from({ length: groupPtr[g + 1]! - groupPtr[g]! }, (_, k) => {
      const i = groupPtr[g]! + k
      return [...reward.subarray(turnPtr[i]!, turnPtr[i + 1]!)]
    }),
  )
}

function normalize(values: readonly number[]): number[] {
  if (values.every((value) => value === values[0])) return values.map(() => 0)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  const scale = 1 / (Math.sqrt(variance) + 1e-6)
  return values.map((value) => (value - mean) * scale)
}

/** The peer: what one writes who has lists of lists and no reason to hurry. */
function nestedTara(groups: readonly number[][][]): number[][][] {
  return groups.map((rows) => {
    const values = rows.map((row) => {
      const V = row.slice()
      let sum = 0
      for (let t = row.length - 1; t >= 0; t--) {
        V[t] = row[t]! * sum
        sum = row[t]! + 0.5 * sum
      }
      return V
    })
    const advantages = rows.map((row) => row.slice())
    for (let t = 0; t < rows[0]!.length; t++) {
      const local = normalize(rows.map((row) => row[t]!))
      const future = normalize(values.map((row) => row[t]!))
      for (let k = 0; k < rows.length; k++) advantages[k]![t] = local[k]! + 0.5 * future[k]!
    }
    return advantages
  })
}

function checkAnswer(batch: TurnBatch): void {
  const ours = tara(batch)
  const theirs = nestedTara(nested(batch)).flat(2)
  check(
    ours.length === theirs.length && theirs.every((value, j) => Math.abs(value - ours[j]!) < 1e-9),
    'tara against nested arrays',
  )
}

const perCell =
  (cells: number) =>
  (milliseconds: number): string =>
    `${((1e6 * milliseconds) / cells).toFixed(2)} ns`

export function turnCore(isQuick: boolean): Result[] {
  const results: Result[] = []
  const T = 6
  for (const K of [2, 4, 8, 16, 32]) {
    for (const cells of isQuick ? [10_000] : [10_000, 100_000, 1_000_000]) {
      const batch = randomBatch(equalShapes({ groups: Math.ceil(cells / (K * T)), K, T }), 1)
      const lists = nested(batch)
      checkAnswer(batch)
      const out = new Float64Array(batch.reward.length)
      const timing = compare(
        () => tara(batch, undefined, out),
        () => nestedTara(lists),
        isQuick ? 5 : 7,
      )
      const show = perCell(batch.reward.length)
      results.push(
        compared(
          'turn core, a cell',
          `K ${K}, T ${T}, ${cells} cells`,
          timing,
          'nested arrays',
          undefined,
          show,
        ),
      )
    }
  }
  results.push(realRewards(isQuick), ...linearity(isQuick), raggedGroups(isQuick))
  return results
}

/** Rewards in [0, 1), which no table counts, against rewards of 0 and 1. */
function realRewards(isQuick: boolean): Result {
  const shape = { groups: isQuick ? 200 : 2000, K: 8, T: 6 }
  const binary = randomBatch(equalShapes(shape), 6)
  const next = random(7)
  const real = turnBatchFromFlat({
    groupPtr: binary.groupPtr,
    turnPtr: binary.turnPtr,
    reward: binary.reward.map(next),
    realRewards: true,
  })
  checkAnswer(real)
  const out = new Float64Array(real.reward.length)
  const timing = compare(
    () => tara(real, undefined, out),
    () => tara(binary, undefined, out),
    15,
    5,
    false,
  )
  return compared(
    'turn core, real rewards',
    `K 8, T 6, ${out.length} cells`,
    timing,
    'rewards of 0 and 1',
    undefined,
    perCell(out.length),
  )
}

/** Nanoseconds a cell over sizes that differ in the number of groups, or of turns, and in nothing else. */
function linearity(isQuick: boolean): Result[] {
  const rollouts = isQuick ? [1000, 10_000] : [1000, 10_000, 100_000, 1_000_000]
  const turns = isQuick ? [1, 4, 16, 64] : [1, 4, 16, 64, 512, 4096]
  const inRollouts = rollouts.map((B) => ({ groups: B / 8, K: 8, T: 6 }))
  const inTurns = turns.map((T) => ({ groups: Math.ceil(100_000 / (8 * T)), K: 8, T }))
  const runs = isQuick ? 7 : 31 // the slowest and the fastest of several: a little noise on any of them shows
  return [
    slowestOverFastest(inRollouts, '1e3 to 1e6 rollouts', runs),
    slowestOverFastest(inTurns, 'T 1 to 4096', runs),
  ]
}

function slowestOverFastest(shapes: readonly Shape[], range: string, runs: number): Result {
  const batches = shapes.map((shape) => randomBatch(equalShapes(shape), 2))
  const timings = timeInTurn(
    batches.map((batch) => {
      const out = new Float64Array(batch.reward.length)
      return () => tara(batch, undefined, out)
    }),
    runs,
    5,
    false,
  )
  const cost = timings.map((timing, k) => (1e6 * timing.median) / batches[k]!.reward.length)
  const slowest = Math.max(...cost)
  const fastest = Math.min(...cost)
  return {
    path: 'turn core, slowest over fastest size',
    size: `K 8, ${range}`,
    ours: `${slowest.toFixed(2)} ns`,
    limit: `${fastest.toFixed(2)} ns fastest`,
    spread: undefined,
    ratio: slowest / fastest,
    target: { must: 1.5, aim: 1.25 },
    detail: Object.fromEntries(shapes.map(({ groups, K, T }, k) => [`${groups}x${K}x${T}`, cost[k]!])),
  }
}

/** K from 2 to 14 and T from 1 to 11, against K 8 and T 6 with as many cells. */
function raggedGroups(isQuick: boolean): Result {
  const next = random(3)
  const shapes = Array.from({ length: isQuick ? 500 : 10_000 }, () => ({
    K: 2 + Math.floor(next() * 13),
    T: 1 + Math.floor(next() * 11),
  }))
  const ragged = randomBatch(shapes, 4)
  checkAnswer(ragged)
  const cells = ragged.reward.length
  const equal = randomBatch(equalShapes({ groups: Math.ceil(cells / 48), K: 8, T: 6 }), 5)
  const out = new Float64Array(cells)
  const equalOut = new Float64Array(equal.reward.length)
  const timing = compare(
    () => tara(ragged, undefined, out),
    () => tara(equal, undefined, equalOut),
    15,
    5,
    false,
  )
  return compared('turn core, ragged groups', `${cells} cells`, timing, 'equal groups', { must: 4, aim: 2 })
}
