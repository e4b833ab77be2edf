import { describe, expect, it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import { TaraError } from '../../src/errors.js'

const thrown = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof TaraError) return `${error.code} ${error.message}`
    throw error
  }
  return 'nothing'
}

describe('turnBatch', () => {
  it('lays groups, rollouts and turns out flat, one T a group', () => {
    const batch = turnBatch([{ rewards: [[1, 0], [1]] }, { rewards: [[0], [1], [1]] }])
    expect([...batch.groupPtr]).toEqual([0, 2, 5])
    expect([...batch.turnPtr]).toEqual([0, 2, 4, 5, 6, 7])
    expect([...batch.reward]).toEqual([1, 0, 1, 0, 0, 1, 1])
    expect([...batch.reached]).toEqual([1, 1, 1, 0, 1, 1, 1])
    expect([...batch.valid]).toEqual([1, 1, 1, 1, 1])
    expect([...batch.hasGolden]).toEqual([0, 0])
    expect(batch.columns).toBeUndefined()
    expect(batch.realRewards).toBe(false)
  })

  it('takes T from numTurns where a golden trace fixes it', () => {
    const batch = turnBatch([{ rewards: [[1], []], numTurns: 3 }])
    expect([...batch.turnPtr]).toEqual([0, 3, 6])
    expect([...batch.reached]).toEqual([1, 0, 0, 0, 0, 0])
    expect([...batch.hasGolden]).toEqual([1])
  })

  it('takes T from the longest row, that of an invalid rollout included', () => {
    const batch = turnBatch([{ rewards: [[1], [1, 1, 1]], valid: [true, false] }])
    expect([...batch.turnPtr]).toEqual([0, 3, 6])
    expect([...batch.reward]).toEqual([1, 0, 0, 0, 0, 0])
    expect([...batch.reached]).toEqual([1, 0, 0, 0, 0, 0])
  })

  it('carries outcome, truncation, masks and named columns, and sums columns where no reward is given', () => {
    const batch = turnBatch(
      [
        {
          columns: {
            format: [
              [1, 1],
              [0, 1],
            ],
            calls: [
              [0.5, 0],
              [1, 1],
            ],
          },
          outcome: [1, null],
          truncated: [false, true],
          masked: [false, true],
        },
      ],
      { realRewards: true },
    )
    expect([...batch.reward]).toEqual([1.5, 1, 1, 2])
    expect([...batch.columns!.format!]).toEqual([1, 1, 0, 1])
    expect([...batch.outcome!]).toEqual([1, 0])
    expect([...batch.hasOutcome!]).toEqual([1, 0])
    expect([...batch.truncated!]).toEqual([0, 1])
    expect([...batch.masked!]).toEqual([0, 1, 0, 1])
  })

  it('takes rollouts with an unreadable reward as invalid only when asked', () => {
    const groups = [{ rewards: [[1], [null], [Number.NaN], [Number.POSITIVE_INFINITY], [0]] }]
    expect([...turnBatch(groups, { allowInvalid: true }).valid]).toEqual([1, 0, 0, 0, 1])
    expect(thrown(() => turnBatch(groups))).toBe(
      'TYPE turnBatch: groups[0].rewards[1][0]: expected a number, got null',
    )
  })

  it('never holds a negative zero', () => {
    const batch = turnBatch([{ rewards: [[-0]], outcome: [-0], columns: { a: [[-0]] } }])
    for (const array of [batch.reward, batch.outcome!, batch.columns!.a!])
      expect(Object.is(array[0], 0)).toBe(true)
  })

  it('takes an empty list and groups without rollouts', () => {
    expect(turnBatch([]).reward.length).toBe(0)
    expect([...turnBatch([{ rewards: [] }, { rewards: [[1]] }]).groupPtr]).toEqual([0, 0, 1])
  })

  it.each<[string, unknown, object, string]>([
    ['groups that are no list', {}, {}, 'TYPE turnBatch: groups: expected a list of groups, got an object'],
    ['a group that is none', [null], {}, 'TYPE turnBatch: groups[0]: expected a group, got null'],
    [
      'a group without rewards',
      [{}],
      {},
      'MISSING turnBatch: groups[0].rewards: expected a list with one row of rewards a rollout, got undefined',
    ],
    [
      'rows that are no lists',
      [{ rewards: [1] }],
      {},
      'TYPE turnBatch: groups[0].rewards[0]: expected a list of rewards, one a turn, got 1',
    ],
    [
      'a reward of another kind',
      [{ rewards: [['1']] }],
      {},
      'TYPE turnBatch: groups[0].rewards[0][0]: expected a number, got "1"',
    ],
    [
      'a real reward',
      [{ id: 'g', rewards: [[0, 0.5]] }],
      {},
      'RANGE turnBatch: groups[g].rewards[0][1]: expected 0 or 1, got 0.5 (realRewards allows others)',
    ],
    [
      'a reward too large',
      [{ rewards: [[1e301]] }],
      { realRewards: true },
      'RANGE turnBatch: groups[0].rewards[0][0]: expected a finite number of at most 1e+300 in size, got 1e+301',
    ],
    [
      'NaN',
      [{ rewards: [[Number.NaN]] }],
      { realRewards: true },
      'RANGE turnBatch: groups[0].rewards[0][0]: expected a finite number of at most 1e+300 in size, got NaN',
    ],
    [
      'a row beyond T',
      [{ rewards: [[1, 1]], numTurns: 1 }],
      {},
      'LENGTH turnBatch: groups[0].rewards: expected rows of at most 1 turns, got 2',
    ],
    [
      'a fractional T',
      [{ rewards: [[1]], numTurns: 1.5 }],
      {},
      'RANGE turnBatch: groups[0].numTurns: expected a whole number, 0 or more, got 1.5',
    ],
    [
      'flags of the wrong length',
      [{ rewards: [[1]], valid: [true, true] }],
      {},
      'LENGTH turnBatch: groups[0].valid: expected 1 values, one a rollout, got 2',
    ],
    [
      'flags of another kind',
      [{ rewards: [[1]], valid: [1] }],
      {},
      'TYPE turnBatch: groups[0].valid[0]: expected true or false, got 1',
    ],
    [
      'an infinite outcome',
      [{ rewards: [[1]], outcome: [Number.POSITIVE_INFINITY] }],
      {},
      'RANGE turnBatch: groups[0].outcome[0]: expected a finite number of at most 1e+300 in size, got Infinity',
    ],
    [
      'columns of another shape',
      [{ rewards: [[1]], columns: { a: [[1, 1]] } }],
      {},
      'LENGTH turnBatch: groups[0].columns.a[0]: expected 1 values, as in the rest of the row, got 2',
    ],
    [
      'columns of another name',
      [{ columns: { a: [[1]] } }, { columns: { b: [[1]] } }],
      {},
      "MISMATCH turnBatch: groups[1].columns: expected the first group's: a, got b",
    ],
    [
      'columns that are missing later',
      [{ columns: { a: [[1]] } }, { rewards: [[1]] }],
      {},
      "MISMATCH turnBatch: groups[1].columns: expected the first group's: a, got none",
    ],
    [
      'a sum that is no binary reward',
      [{ columns: { a: [[1]], b: [[1]] } }],
      {},
      'RANGE turnBatch: groups[0].columns (their sum)[0][0]: expected 0 or 1, got 2 (realRewards allows others)',
    ],
    [
      'an unknown option',
      [],
      { realReward: true },
      'OPTION turnBatch: options.realReward: expected one of realRewards, allowInvalid, got an unknown option',
    ],
    [
      'an option of another kind',
      [],
      { realRewards: 1 },
      'OPTION turnBatch: options.realRewards: expected true or false, got 1',
    ],
  ])('refuses %s', (_name, groups, options, message) => {
    expect(thrown(() => turnBatch(groups as never, options))).toBe(message)
  })
})

describe('turnBatch, asked to allow invalid rewards,', () => {
  it.each([
    ['text', ['x']],
    ['nothing', [undefined]],
    ['a bigint', [1n]],
  ])('still refuses %s', (_name, row) => {
    expect(thrown(() => turnBatch([{ rewards: [row, [1]] }] as never, { allowInvalid: true }))).toMatch(
      /^TYPE turnBatch: groups\[0\]\.rewards\[0\]\[0\]: expected a number/,
    )
  })

  it('refuses a T of null', () => {
    expect(thrown(() => turnBatch([{ rewards: [[1]], numTurns: null as never }]))).toBe(
      'RANGE turnBatch: groups[0].numTurns: expected a whole number, 0 or more, got null',
    )
  })
})
