/**
 * The border of `batch/`: what passes here is never checked again.
 */
import { fail, show } from '../errors.js'
import type { Offsets } from './layout.js'

/** Largest reward by size: sums of them over turns stay finite. */
export const MAX_REWARD = 1e300

/** Brands offsets.
 * @param value - `[n+1]`, starts at 0, never falls, ends at `end` where that is given
 * @throws TaraError `TYPE`, `LENGTH`, `RANGE`
 */
export function asOffsets(place: string, value: ArrayLike<number>, end?: number): Offsets {
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && !(value instanceof DataView)))
    fail('TYPE', place, 'an array of offsets', show(value))
  if (value.length === 0) fail('LENGTH', place, 'at least one offset, a leading 0', 'none')
  let previous = 0
  for (let i = 0; i < value.length; i++) {
    const offset = value[i]!
    if (i === 0 && offset !== 0) fail('RANGE', `${place}[0]`, '0', show(offset))
    if (!Number.isInteger(offset) || offset < previous)
      fail('RANGE', `${place}[${i}]`, `a whole number, ${previous} or more`, show(offset))
    if (offset > 0x7fffffff) fail('TOO_LARGE', `${place}[${i}]`, 'at most 2147483647', show(offset))
    previous = offset
  }
  if (end !== undefined && previous !== end)
    fail('LENGTH', `${place}[${value.length - 1}]`, `${end}, the number of children`, show(previous))
  return (value instanceof Int32Array ? value : Int32Array.from(value)) as Offsets
}

/** Whether a value is a reward: 0 or 1, or with `realRewards` any finite number of at most 1e300 in size. */
export function isReward(value: unknown, realRewards: boolean): value is number {
  return realRewards ? typeof value === 'number' && Math.abs(value) <= MAX_REWARD : value === 0 || value === 1
}

/** Whether a value stands for a reward that could not be had: null, NaN or ±Infinity. Anything else that is no number is a
 * mistake. */
export function isUnreadable(value: unknown): boolean {
  return value === null || (typeof value === 'number' && !Number.isFinite(value))
}

/** What helps where a value is not 0 or 1, if anything does. */
export const realHint = (value: number): string =>
  Math.abs(value) <= MAX_REWARD ? ' (realRewards allows others)' : ''

/** Says why a value is no reward. */
export function failReward(place: string, value: unknown, realRewards: boolean): never {
  if (typeof value !== 'number') fail('TYPE', place, 'a number', show(value))
  if (realRewards) fail('RANGE', place, `a finite number of at most ${MAX_REWARD} in size`, show(value))
  fail('RANGE', place, '0 or 1', `${show(value)}${realHint(value)}`)
}

/** Checks a score of a whole rollout. Returns it without −0. */
export function asScore(place: string, value: unknown): number {
  if (typeof value !== 'number' || !(Math.abs(value) <= MAX_REWARD))
    return fail('RANGE', place, `a finite number of at most ${MAX_REWARD} in size`, show(value))
  return value + 0
}

/** Checks that an array has one value for each of `length` things. */
export function checkLength(
  place: string,
  value: { readonly length: number },
  length: number,
  unit: string,
): void {
  if (value.length !== length) fail('LENGTH', place, `${length} values, one a ${unit}`, `${value.length}`)
}

/** Returns `out` when it has the length, fresh memory when it was not given.
 * @throws TaraError `TYPE`, `LENGTH`
 */
export function float64Out(place: string, out: Float64Array | undefined, length: number): Float64Array {
  if (out === undefined) return new Float64Array(length)
  if (!(out instanceof Float64Array)) fail('TYPE', place, 'a Float64Array', show(out))
  checkLength(place, out, length, 'turn')
  return out
}
