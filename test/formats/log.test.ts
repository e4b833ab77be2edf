/**
 * Scored records, how a rollout ended, outcomes, spans and fields that nobody reads.
 */
import { describe, expect, it } from 'vitest'
import { tara } from '../../src/advantage/tara.js'
import { rolloutLog } from '../../src/formats/log.js'
import {
  assistant,
  call,
  type Fields,
  reachedOf,
  readLog,
  record,
  refusal,
  rewardsOf,
  scored,
  user,
} from './records.js'

const plain = [scored(0, [1, 0]), scored(1, [0, 1])]

describe('rewards', () => {
  it.each([
    [0.5, 'expected 0 or 1, got 0.5 (realRewards allows others)'],
    [-1, 'expected 0 or 1, got -1 (realRewards allows others)'],
    [2, 'expected 0 or 1, got 2 (realRewards allows others)'],
    ['1', 'expected a number, got "1"'],
    [true, 'expected a number, got true'],
    [[1], 'expected a number, got a list of 1'],
    [null, 'expected a number, got null'],
  ])('may not be %j', (value, message) => {
    expect(refusal([plain[0]!, scored(1, [0, value])])).toBe(`in:2: rewards[1]: ${message}`)
  })

  it.each(['1e999', '-1e999', '1e301'])('may not be %s, also as real numbers', (value) => {
    const line = `{"group":"g","rollout":0,"rewards":[${value}]}`
    expect(refusal([line])).toMatch(/^in:1: rewards\[0\]: expected 0 or 1, got -?(Infinity|1e\+301)/)
    expect(refusal([line], { realRewards: true })).toMatch(
      /^in:1: rewards\[0\]: expected a finite number of at most 1e\+300 in size, got -?(Infinity|1e\+301)/,
    )
  })

  it('may be any number with realRewards, and come back as they were', () => {
    const rewards = [0.1, -3, 1e300, 5e-324, -0]
    const log = readLog([scored(0, rewards)], { realRewards: true })
    expect(rewardsOf(log)).toEqual([[0.1, -3, 1e300, 5e-324, 0]])
    expect(Object.is(rewardsOf(log)[0]![4], 0)).toBe(true)
  })

  it('that are fewer than the longest row of the group leave turns unreached', () => {
    const log = readLog([scored(0, [1]), scored(1, []), scored(2, [1, 0, 1])])
    expect(rewardsOf(log)).toEqual([
      [1, 0, 0],
      [0, 0, 0],
      [1, 0, 1],
    ])
    expect(reachedOf(log)).toEqual([
      [1, 0, 0],
      [0, 0, 0],
      [1, 1, 1],
    ])
  })

  it('may not be more than the golden trace has turns', () => {
    expect(refusal([scored(0, [1, 1], { golden: [[]] })])).toBe(
      'in:1: rewards: expected at most 1 rewards, one a turn of the golden trace, got 2',
    )
    expect(rewardsOf(readLog([scored(0, [1], { golden: [[], []] })]))).toEqual([[1, 0]])
  })

  it('may be named: they add up, and keep their names', () => {
    const log = readLog([
      scored(0, { format: [1, 0], calls: [0, 0] }),
      scored(1, { calls: [1, 0], format: [0, 1] }),
    ])
    expect(rewardsOf(log)).toEqual([
      [1, 0],
      [1, 1],
    ])
    expect([...log.batch.columns!.calls!]).toEqual([0, 0, 1, 0])
  })

  it('that are named must have the same names and lengths, and sums that are rewards', () => {
    expect(refusal([scored(0, { a: [1], b: [1, 0] })])).toBe(
      'in:1: rewards.b: expected 1 values, as in the first list, got 2',
    )
    expect(refusal([scored(0, {})])).toBe('in:1: rewards: expected at least one named list, got none')
    const mixed = 'in:2: rewards: expected the named rewards of the first record (a), got '
    expect(refusal([scored(0, { a: [1] }), scored(1, [1])])).toBe(`${mixed}none`)
    expect(refusal([scored(0, { a: [1] }), scored(1, { b: [1] })])).toBe(`${mixed}b`)
    expect(refusal([scored(0, { a: [1] }), scored(1, { a: [1], b: [1] })])).toBe(`${mixed}a, b`)
    expect(refusal([scored(0, { a: [1], b: [1] })])).toBe(
      'in:1: rewards[0] (sum of the named): expected 0 or 1, got 2 (realRewards allows others)',
    )
    expect(refusal([scored(0, { a: [1], b: [2] })])).toMatch(/^in:1: rewards\.b\[0\]: expected 0 or 1/)
    expect(refusal([scored(0, { a: [1] }), { ...record([user()]), group: 'h' }])).toBe(`${mixed}none`)
  })
})

describe('rewards that are none', () => {
  it.each(['null', 'NaN', 'Infinity', '-Infinity', '1e999'])(
    'take their rollout out, with allowInvalid: %s',
    (value) => {
      const lines = [
        '{"group":"g","rollout":0,"rewards":[1]}',
        `{"group":"g","rollout":1,"rewards":[${value}]}`,
        '{"group":"g","rollout":2,"rewards":[0]}',
      ]
      expect(refusal(lines)).toMatch(/^in:2: /)
      const log = readLog(lines, { allowInvalid: true })
      expect(log.status).toEqual(['complete', 'aborted', 'complete'])
      expect(log.counts.invalid).toBe(1)
      expect([...tara(log.batch)].map((value) => Math.round(value * 1000))).toEqual([1000, 0, -1000])
    },
  )

  it('in one named row are enough', () => {
    const log = readLog([scored(0, { a: [1], b: [null] }), scored(1, { a: [1], b: [0] })], {
      allowInvalid: true,
    })
    expect(log.status).toEqual(['aborted', 'complete'])
    expect(rewardsOf(log)).toEqual([[0], [1]])
  })

  it('are no excuse for other faults', () => {
    expect(refusal([scored(0, [null, 'x'])], { allowInvalid: true })).toBe(
      'in:1: rewards[1]: expected a number, got "x"',
    )
    expect(refusal([scored(0, [0.5])], { allowInvalid: true })).toMatch(
      /^in:1: rewards\[0\]: expected 0 or 1/,
    )
  })
})

describe('status', () => {
  it('aborted neither votes nor learns, whatever its rewards are', () => {
    const rest = [scored(1, [1]), scored(2, [0])]
    for (const rewards of [[1], [0], [null], [7], []]) {
      const log = readLog([scored(0, rewards, { status: 'aborted' }), ...rest])
      expect(rewardsOf(log)).toEqual([[0], [1], [0]])
      expect([...tara(log.batch)].map(Math.round)).toEqual([0, 1, -1])
      expect(log.counts.invalid).toBe(0)
    }
  })

  it('aborted everywhere gives zeros and a warning', () => {
    const log = readLog([scored(0, [1], { status: 'aborted' }), scored(1, [0], { status: 'aborted' })])
    expect([...tara(log.batch)]).toEqual([0, 0])
    expect(log.warnings).toEqual(['in: all rollouts are aborted; their advantages are 0'])
  })

  it('aborted counts no calls', () => {
    const messages = [assistant(call('f')), user(), assistant(call('x', 'not JSON'))]
    const log = readLog([record(messages, [[{ name: 'f' }]], { status: 'aborted' })])
    expect(log.counts).toEqual({
      invalid: 0,
      surplusTurns: 0,
      earlyCalls: 0,
      extraCalls: 0,
      malformedCalls: 0,
    })
    expect(reachedOf(log)).toEqual([[0]])
  })

  it('truncated is kept for the estimators', () => {
    const log = readLog([scored(0, [1], { status: 'truncated' }), plain[1]!])
    expect([...log.batch.truncated!]).toEqual([1, 0])
    expect(readLog(plain).batch.truncated).toBeUndefined()
  })
})

describe('outcome', () => {
  it('is kept where there is one', () => {
    const log = readLog([scored(0, [1], { outcome: 0.5 }), scored(1, [1]), scored(2, [1], { outcome: null })])
    expect([...log.batch.outcome!]).toEqual([0.5, 0, 0])
    expect([...log.batch.hasOutcome!]).toEqual([1, 0, 0])
  })

  it.each(['1e999', '-1e301'])('may not be %s', (value) => {
    expect(refusal([`{"group":"g","rollout":0,"rewards":[1],"outcome":${value}}`])).toMatch(
      /^in:1: outcome: expected a finite number of at most 1e\+300 in size, got /,
    )
  })
})

describe('spans', () => {
  const spans = (turns: unknown, more: Fields = {}): Fields =>
    scored(0, [1, 1], { tokens: { length: 20, turns }, ...more })

  it.each([
    [
      'overlap in a turn',
      [
        [
          [0, 5],
          [4, 6],
        ],
        [],
      ],
      'turns[0][1]: expected a start at or after 5, the end of the span before, got [4, 6]',
    ],
    [
      'overlap over turns',
      [[[0, 5]], [[4, 6]]],
      'turns[1][0]: expected a start at or after 5, the end of the span before, got [4, 6]',
    ],
    [
      'are the same twice',
      [[[0, 5]], [[0, 5]]],
      'turns[1][0]: expected a start at or after 5, the end of the span before, got [0, 5]',
    ],
    [
      'are reversed',
      [[[5, 3]], []],
      "turns[0][0]: expected 0 <= start <= end <= 20, the sequence's length, got [5, 3]",
    ],
    [
      'are out of range',
      [[[5, 21]], []],
      "turns[0][0]: expected 0 <= start <= end <= 20, the sequence's length, got [5, 21]",
    ],
    [
      'are negative',
      [[[-1, 3]], []],
      "turns[0][0]: expected 0 <= start <= end <= 20, the sequence's length, got [-1, 3]",
    ],
    ['are fractions', [[[0, 1.5]], []], 'turns[0][0]: expected whole numbers, got [0, 1.5]'],
    ['have three numbers', [[[0, 1, 2]], []], 'turns[0][0]: expected a span [start, end], got [0, 1, 2]'],
    ['have one number', [[[0]], []], 'turns[0][0]: expected a span [start, end], got [0]'],
  ])('are refused where they %s, with and without token output', (_name, turns, message) => {
    for (const tokens of [true, false])
      expect(refusal([spans(turns)], { tokens })).toBe(`in:1: tokens.${message}`)
  })

  it('that touch or are empty are fine', () => {
    expect(
      refusal(
        [
          spans([
            [
              [0, 5],
              [5, 5],
            ],
            [[5, 20]],
          ]),
        ],
        { tokens: true },
      ),
    ).toBe('read')
  })

  it('are one list a logged turn', () => {
    const messages = [user(), assistant(), user(), assistant()]
    const of = (turns: unknown): Fields => record(messages, [[], []], { tokens: { length: 9, turns } })
    expect(refusal([of([[]])])).toBe('in:1: tokens.turns: expected 2 lists, one a logged turn, got 1')
    expect(refusal([of([[], [], []])])).toBe('in:1: tokens.turns: expected 2 lists, one a logged turn, got 3')
    expect(refusal([of([[[0, 1]], [[1, 2]]])], { tokens: true })).toBe('read')
  })

  it('of several sequences name their sequence', () => {
    const several = (turns: unknown): Fields =>
      scored(0, [1], { tokens: { sequences: [{ length: 5 }, { length: 3 }], turns } })
    expect(
      refusal(
        [
          several([
            [
              [1, 0, 3],
              [0, 0, 5],
            ],
          ]),
        ],
        { tokens: true },
      ),
    ).toBe('read')
    expect(refusal([several([[[2, 0, 1]]])])).toBe(
      'in:1: tokens.turns[0][0]: expected a sequence from 0 to 1, got [2, 0, 1]',
    )
    expect(refusal([several([[[1, 0, 4]]])])).toMatch(
      /^in:1: tokens\.turns\[0\]\[0\]: expected 0 <= start <= end <= 3/,
    )
    expect(
      refusal([
        several([
          [
            [1, 0, 2],
            [1, 1, 3],
          ],
        ]),
      ]),
    ).toMatch(/^in:1: tokens\.turns\[0\]\[1\]: expected a start at or after 2/)
  })

  it('are needed for token output, but for an aborted rollout', () => {
    expect(refusal([scored(0, [1])], { tokens: true })).toBe(
      'in:1: tokens: expected token spans, got undefined',
    )
    expect(refusal([scored(0, [1], { status: 'aborted' })], { tokens: true })).toBe('read')
  })
})

describe('fields that nobody reads', () => {
  const lines = [scored(0, [1], { score: 1, note: 'x' }), scored(1, [0], { score: 0 })]

  it('are named once, with the line where they stand first', () => {
    expect(readLog(lines).warnings).toEqual([
      'in:1: field "score" is not read',
      'in:1: field "note" is not read',
    ])
  })

  it('are refused under strict', () => {
    expect(refusal(lines, { strict: true })).toBe(
      'in:1: score: expected one of schema, group, rollout, role, messages, tools, golden, turns, scope, rewards, outcome, status, tokens, got a field nobody reads',
    )
  })
})

describe('rolloutLog', () => {
  it('refuses a log without records', () => {
    expect(refusal([])).toBe('in: expected at least one record, got none')
  })

  it('refuses options it does not have, and values they do not take', () => {
    expect(() => rolloutLog('in', { gamma: 1 } as object)).toThrow(
      /^rolloutLog: options\.gamma: expected one of policy, /,
    )
    expect(() => rolloutLog('in', { turns: 'message' as 'user' })).toThrow(
      'rolloutLog: options.turns: expected one of "user", "step", got "message"',
    )
    expect(() => rolloutLog('in', { policy: { args: 'some' as 'equal' } })).toThrow(
      /^rolloutLog: options\.policy.*args: expected one of/,
    )
  })

  it('reads records that are parsed already', () => {
    const log = rolloutLog('in')
    for (const line of plain) log.addRecord(line)
    expect(rewardsOf(log.finish())).toEqual([
      [1, 0],
      [0, 1],
    ])
    expect(() => rolloutLog('in').addRecord([])).toThrow('in:1: expected an object, got an empty list')
  })

  it('does not change what it is given', () => {
    const golden = [[{ name: 'f', arguments: { a: [1] } }]]
    const given = record([user(), assistant(call('f', { a: [1] }))], golden)
    const before = structuredClone(given)
    const log = rolloutLog('in')
    log.addRecord(given)
    log.finish()
    expect(given).toEqual(before)
  })
})

describe('a reader that has refused a record', () => {
  it('takes no more: half a record may be in its rows', () => {
    const log = rolloutLog('log')
    log.addRecord({ group: 'g', rollout: 0, rewards: [0] })
    const refused = 'log:2: rewards[1]: expected 0 or 1, got 2 (realRewards allows others)'
    expect(() => log.addRecord({ group: 'g', rollout: 1, rewards: [1, 2] })).toThrow(refused)
    expect(() => log.addRecord({ group: 'g', rollout: 2, rewards: [0] })).toThrow(refused)
    expect(() => log.addLine('{"group":"g","rollout":3,"rewards":[0]}', 4)).toThrow(refused)
    expect(() => log.finish()).toThrow(refused)
  })

  it('gives a masked turn of a scored record the number 0', () => {
    const log = rolloutLog('log', { policy: { emptyGolden: 'mask' } })
    for (const rollout of [0, 1])
      log.addRecord({ group: 'g', rollout, rewards: [1, 1], golden: [[], [{ name: 'a' }]] })
    const { batch } = log.finish()
    expect([...batch.reward]).toEqual([0, 1, 0, 1])
    expect([...batch.reached]).toEqual([1, 1, 1, 1])
  })
})
