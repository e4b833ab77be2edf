import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import { type FlatBatch, turnBatchFromFlat } from '../../src/batch/flat.js'
import { TaraError } from '../../src/errors.js'

const thrown = (flat: FlatBatch): string => {
  try {
    turnBatchFromFlat(flat)
  } catch (error) {
    if (error instanceof TaraError) return `${error.code} ${error.message}`
    throw error
  }
  return 'nothing'
}

const flat = (more: object = {}): FlatBatch => ({
  groupPtr: [0, 2],
  turnPtr: [0, 2, 4],
  reward: Float64Array.of(1, 0, 1, 1),
  ...more,
})

describe('turnBatchFromFlat', () => {
  it('fills in what is left out: all reached, all valid, no golden trace', () => {
    const batch = turnBatchFromFlat(flat())
    expect([...batch.reached]).toEqual([1, 1, 1, 1])
    expect([...batch.valid]).toEqual([1, 1])
    expect([...batch.hasGolden]).toEqual([0])
  })

  it('uses the arrays it is given, without a copy', () => {
    const given = flat({ groupPtr: Int32Array.of(0, 2), turnPtr: Int32Array.of(0, 2, 4) })
    const batch = turnBatchFromFlat(given)
    expect(batch.reward).toBe(given.reward)
    expect(batch.groupPtr).toBe(given.groupPtr)
  })

  it('gives back any batch that turnBatch built', () => {
    const bit = fc.constantFrom(0, 1)
    const group = fc.record({ rewards: fc.array(fc.array(bit, { maxLength: 6 }), { maxLength: 5 }) })
    fc.assert(
      fc.property(fc.array(group, { maxLength: 5 }), (groups) => {
        const built = turnBatch(groups)
        expect(turnBatchFromFlat(built)).toEqual(built)
      }),
    )
  })

  it.each<[string, object, string]>([
    [
      'offsets that are no array',
      { groupPtr: 2 },
      'TYPE turnBatchFromFlat: groupPtr: expected an array of offsets, got 2',
    ],
    [
      'offsets without a start',
      { groupPtr: [] },
      'LENGTH turnBatchFromFlat: groupPtr: expected at least one offset, a leading 0, got none',
    ],
    [
      'offsets that start late',
      { groupPtr: [1, 2] },
      'RANGE turnBatchFromFlat: groupPtr[0]: expected 0, got 1',
    ],
    [
      'offsets that fall',
      { turnPtr: [0, 2, 1] },
      'RANGE turnBatchFromFlat: turnPtr[2]: expected a whole number, 2 or more, got 1',
    ],
    [
      'offsets past 2^31',
      { turnPtr: [0, 2, 2 ** 31] },
      'TOO_LARGE turnBatchFromFlat: turnPtr[2]: expected at most 2147483647, got 2147483648',
    ],
    [
      'offsets that miss the end',
      { groupPtr: [0, 1] },
      'LENGTH turnBatchFromFlat: groupPtr[1]: expected 2, the number of children, got 1',
    ],
    [
      'rewards of another type',
      { reward: [1, 0, 1, 1] },
      'TYPE turnBatchFromFlat: reward: expected a Float64Array, got a list of 4',
    ],
    [
      'rewards of another length',
      { reward: new Float64Array(3) },
      'LENGTH turnBatchFromFlat: reward: expected 4 values, one a turn, got 3',
    ],
    [
      'a real reward',
      { reward: Float64Array.of(1, 0, 0.5, 1) },
      'RANGE turnBatchFromFlat: reward[2]: expected 0 or 1, got 0.5 (realRewards allows others)',
    ],
    [
      'a reward where nothing was reached',
      { reached: Uint8Array.of(1, 1, 1, 0) },
      'MISMATCH turnBatchFromFlat: reward[3]: expected 0 where the turn is not reached or the rollout not valid, got 1',
    ],
    [
      'a reward of an invalid rollout',
      { valid: Uint8Array.of(0, 1) },
      'MISMATCH turnBatchFromFlat: reward[0]: expected 0 where the turn is not reached or the rollout not valid, got 1',
    ],
    [
      'flags that are none',
      { valid: Uint8Array.of(2, 1) },
      'RANGE turnBatchFromFlat: valid[0]: expected 0 or 1, got 2',
    ],
    [
      'a group with two T',
      { turnPtr: [0, 1, 4] },
      "LENGTH turnBatchFromFlat: turnPtr[2]: expected 2, as many turns as the group's first rollout, got 4",
    ],
    [
      'a mask that differs inside a group',
      { masked: Uint8Array.of(1, 0, 0, 0) },
      "MISMATCH turnBatchFromFlat: masked[2]: expected the mask of the group's first rollout, got 0",
    ],
    [
      'a NaN outcome',
      { outcome: Float64Array.of(1, Number.NaN) },
      'RANGE turnBatchFromFlat: outcome[1]: expected a finite number of at most 1e+300 in size, got NaN',
    ],
    [
      'an infinite column',
      { columns: { a: Float64Array.of(0, 0, 0, Number.NEGATIVE_INFINITY) }, realRewards: true },
      'RANGE turnBatchFromFlat: columns.a[3]: expected a finite number of at most 1e+300 in size, got -Infinity',
    ],
    [
      'an unknown field',
      { rewards: 1 },
      'OPTION turnBatchFromFlat: rewards: expected one of groupPtr, turnPtr, reward, reached, valid, truncated, masked, hasGolden, outcome, hasOutcome, columns, realRewards, got an unknown field',
    ],
  ])('refuses %s', (_name, more, message) => {
    expect(thrown(flat(more))).toBe(message)
  })
})
