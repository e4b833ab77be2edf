/**
 * The border of an estimator: the rewards and the gate it reads, the memory it writes. Loops behind it check nothing.
 */
import { checkLength, float64Out, MAX_REWARD, realHint } from '../batch/check.js'
import type { TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import type { Gate } from './future.js'

/** `turn 2 of rollout 0 of group 1`; the rollout is counted inside its group. */
function whereIs(batch: TurnBatch, j: number): string {
  const { groupPtr, turnPtr } = batch
  let i = 0
  while (i + 2 < turnPtr.length && turnPtr[i + 1]! <= j) i++
  let g = 0
  while (g + 2 < groupPtr.length && groupPtr[g + 1]! <= i) g++
  return `turn ${j - turnPtr[i]!} of rollout ${i - groupPtr[g]!} of group ${g}`
}

/** Whether every value is 0 or 1: x·(1 − x) is 0 for no other. */
function allBinary(x: Float64Array): boolean {
  const fours = x.length & ~3
  let j = 0
  for (; j < fours; j += 4) {
    const a = x[j]!
    const b = x[j + 1]!
    const c = x[j + 2]!
    const d = x[j + 3]!
    if (a * (1 - a) !== 0 || b * (1 - b) !== 0 || c * (1 - c) !== 0 || d * (1 - d) !== 0) return false
  }
  for (; j < x.length; j++) if (x[j]! * (1 - x[j]!) !== 0) return false
  return true
}

/** Whether every value lies in [low, high]; NaN does not. */
function allWithin(x: Float64Array, low: number, high: number): boolean {
  const fours = x.length & ~3
  let j = 0
  for (; j < fours; j += 4) {
    const a = x[j]!
    const b = x[j + 1]!
    const c = x[j + 2]!
    const d = x[j + 3]!
    if (!(a >= low && a <= high && b >= low && b <= high)) return false
    if (!(c >= low && c <= high && d >= low && d <= high)) return false
  }
  for (; j < x.length; j++) if (!(x[j]! >= low && x[j]! <= high)) return false
  return true
}

/** Checks every reward: 0 or 1; finite and at most 1e300 in size where the batch or `realRewards` allows it.
 * @returns whether every reward is 0 or 1
 * @throws TaraError `RANGE`, `TYPE` for what is no batch
 */
export function checkRewards(place: string, batch: TurnBatch, realRewards: boolean): boolean {
  const isBatch = batch?.reward instanceof Float64Array && batch.turnPtr instanceof Int32Array
  if (!isBatch) fail('TYPE', `${place}: batch`, 'a TurnBatch, from turnBatch or scoreGroups', show(batch))
  const { reward } = batch
  checkLength(`${place}: batch.reward`, reward, batch.turnPtr[batch.turnPtr.length - 1]!, 'turn')
  if (allBinary(reward)) return true
  const isReal = realRewards || batch.realRewards
  if (isReal && allWithin(reward, -MAX_REWARD, MAX_REWARD)) return false
  for (let j = 0; j < reward.length; j++) {
    const r = reward[j]!
    if (r * (1 - r) === 0 || (isReal && Math.abs(r) <= MAX_REWARD)) continue // 0 only for 0 and 1
    const wish = isReal ? `a finite number of at most ${MAX_REWARD} in size` : '0 or 1'
    const hint = isReal ? '' : realHint(r)
    fail('RANGE', `${place}: batch.reward[${j}]`, wish, `${show(r)} at ${whereIs(batch, j)}${hint}`)
  }
  return false
}

/** Checks that the gate lies in [0, 1]: one given value a turn, or the rewards themselves.
 * @throws TaraError `LENGTH`, `RANGE`
 */
export function checkGate(place: string, batch: TurnBatch, gate: Gate): void {
  if (gate !== 'reward' && !(gate instanceof Float64Array)) return
  const [name, values] = gate === 'reward' ? ['batch.reward', batch.reward] : ['options.gate', gate]
  checkLength(`${place}: ${name}`, values, batch.reward.length, 'turn')
  if (allWithin(values, 0, 1)) return
  for (let j = 0; j < values.length; j++) {
    if (values[j]! >= 0 && values[j]! <= 1) continue
    const hint = gate === 'reward' ? ' (gate "reward" is the reward itself; choose another gate)' : ''
    fail(
      'RANGE',
      `${place}: ${name}[${j}]`,
      'a number in [0, 1]',
      `${show(values[j])} at ${whereIs(batch, j)}${hint}`,
    )
  }
}

const overlaps = (a: Float64Array, b: ArrayBufferView): boolean =>
  a.buffer === b.buffer &&
  a.byteOffset < b.byteOffset + b.byteLength &&
  b.byteOffset < a.byteOffset + a.byteLength

const named = (place: string, values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${place}.${name}`, value]))

/** Returns `out` if it has one value a turn, fresh memory if it was not given.
 * @param others - named arrays that `out` may not share memory with
 * @throws TaraError `TYPE`, `LENGTH`, `MISMATCH`
 */
export function turnOut(
  place: string,
  out: Float64Array | undefined,
  batch: TurnBatch,
  others: Readonly<Record<string, unknown>> = {},
): Float64Array {
  const result = float64Out(place, out, batch.reward.length)
  const taken = { ...named('batch', batch), ...named('batch.columns', batch.columns ?? {}), ...others }
  for (const [name, other] of Object.entries(taken))
    if (ArrayBuffer.isView(other) && overlaps(result, other))
      fail('MISMATCH', place, 'memory of its own', `memory that ${name} uses`)
  return result
}
