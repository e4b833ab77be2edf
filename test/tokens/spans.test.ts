import { describe, expect, it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import { turnBatchFromFlat } from '../../src/batch/flat.js'
import type { TurnBatch } from '../../src/batch/layout.js'
import type { TaraError } from '../../src/errors.js'
import type { RolloutTokens } from '../../src/tokens/read.js'
import { rolloutSequences, type TokenSpansOptions, tokenSpans } from '../../src/tokens/spans.js'

/** One rollout that reached two turns. */
const twoTurns = turnBatch([{ rewards: [[1, 0]] }])

function faultOf(
  tokens: unknown,
  batch: TurnBatch = twoTurns,
  options?: Partial<TokenSpansOptions>,
): TaraError {
  try {
    tokenSpans(batch, [tokens] as RolloutTokens[], options)
  } catch (error) {
    return error as TaraError
  }
  throw new Error('nothing was thrown')
}

describe('tokenSpans', () => {
  it('lays the spans of every sequence out flat, under the turn that owns them', () => {
    const batch = turnBatch([{ rewards: [[1, 1], [0]] }, { rewards: [[1]] }])
    const spans = tokenSpans(batch, [
      {
        sequences: [{ length: 10 }, { length: 6 }],
        turns: [
          [[0, 2, 4]],
          [
            [1, 0, 3],
            [0, 4, 8],
            [1, 5, 6],
          ],
        ],
      },
      {
        length: 7,
        turns: [
          [
            [1, 3],
            [3, 3],
            [5, 7],
          ],
        ],
      },
      { length: 0, turns: [[]] },
    ])
    expect([...spans.sequencePtr]).toEqual([0, 2, 3, 4])
    expect([...spans.tokenPtr]).toEqual([0, 10, 16, 23, 23])
    expect([...spans.spanPtr]).toEqual([0, 2, 4, 6, 6])
    expect([...spans.spanStart]).toEqual([2, 4, 0, 5, 1, 5])
    expect([...spans.spanEnd]).toEqual([4, 8, 3, 6, 3, 7])
    expect([...spans.spanTurn]).toEqual([0, 1, 1, 1, 2, 2])
    expect(spans.numTurns).toBe(5)
    expect(spans.counts).toEqual({ trainedTokens: 14, untrainedTokens: 0, surplusTurns: 0, surplusTokens: 0 })
  })

  it('keeps the sequences and drops the spans of what is not trained', () => {
    const batch = turnBatch([
      {
        rewards: [[1, 1], [1, 1], [1, 1], [1]],
        valid: [true, false, true, true],
        truncated: [false, false, true, false],
        masked: [false, true],
      },
    ])
    const rollouts: RolloutTokens[] = [
      { length: 9, turns: [[[0, 2]], [[2, 5]], [], [[5, 9]]] },
      { length: 9, turns: [[[0, 2]], [[2, 5]], [[5, 9]]] },
      { length: 9, turns: [[[0, 2]], [[2, 5]]] },
      { length: 9, turns: [[[0, 2]]] },
    ]
    for (const truncated of ['mask', 'exclude'] as const) {
      const spans = tokenSpans(batch, rollouts, { truncated })
      expect([...spans.tokenPtr]).toEqual([0, 9, 18, 27, 36])
      expect([...spans.spanTurn]).toEqual([0, 6])
      expect(spans.counts).toEqual({
        trainedTokens: 4,
        untrainedTokens: 3 + 5 + 5,
        surplusTurns: 3,
        surplusTokens: 8,
      })
    }
    expect([...tokenSpans(batch, rollouts).spanTurn]).toEqual([0, 4, 6])
  })

  it('gives a rollout of null no sequence', () => {
    const batch = turnBatch([{ rewards: [[1], [1], [1]], valid: [true, false, true] }])
    const spans = tokenSpans(batch, [{ length: 2, turns: [[]] }, null, { length: 3, turns: [[]] }])
    expect([...spans.sequencePtr]).toEqual([0, 1, 1, 2])
    expect([...spans.tokenPtr]).toEqual([0, 2, 5])
    expect(rolloutSequences(new Uint8Array(5), spans, 1)).toEqual([])
    expect(() => tokenSpans(batch, [null, null, null])).toThrow(
      'tokenSpans: rollouts[0]: expected tokens (only an aborted rollout may have none), got null',
    )
  })

  it('takes an empty span anywhere in its sequence', () => {
    const spans = tokenSpans(twoTurns, [
      {
        length: 9,
        turns: [
          [
            [2, 8],
            [5, 5],
            [0, 0],
          ],
          [[9, 9]],
        ],
      },
    ])
    expect([...spans.spanStart]).toEqual([2])
    expect(faultOf({ length: 9, turns: [[], [[10, 10]]] }).code).toBe('SPAN')
  })

  it('asks nothing of the turns of an aborted rollout, and everything of its spans', () => {
    const batch = turnBatch([{ rewards: [[1, 1]], valid: [false] }])
    expect(tokenSpans(batch, [{ length: 4, turns: [] }]).counts.surplusTurns).toBe(0)
    expect(tokenSpans(batch, [{ length: 4, turns: [[], [[0, 4]]] }]).counts.untrainedTokens).toBe(4)
    expect(faultOf({ length: 4, turns: [[[0, 5]]] }, batch).code).toBe('SPAN')
    const reachedAnyway = turnBatchFromFlat({
      groupPtr: [0, 1],
      turnPtr: [0, 1],
      reward: new Float64Array(1),
      valid: new Uint8Array(1),
    })
    for (const turns of [[[[0, 1] as const]], []])
      expect([...tokenSpans(reachedAnyway, [{ length: 1, turns }]).spanTurn]).toEqual([])
  })

  it.each([
    [
      'reversed',
      [[[0, 2]], [[9, 5]]],
      "turns[1][0]: expected 0 <= start <= end <= 9, the sequence's length, got [9, 5]",
    ],
    [
      'past the end',
      [[[0, 10]], []],
      "turns[0][0]: expected 0 <= start <= end <= 9, the sequence's length, got [0, 10]",
    ],
    [
      'negative',
      [[[-1, 2]], []],
      "turns[0][0]: expected 0 <= start <= end <= 9, the sequence's length, got [-1, 2]",
    ],
    [
      'overlapping within a turn',
      [
        [
          [0, 4],
          [3, 6],
        ],
        [],
      ],
      'turns[0][1]: expected a start at or after 4, the end of the span before, got [3, 6]',
    ],
    [
      'claimed twice by one turn',
      [
        [
          [0, 4],
          [0, 4],
        ],
        [],
      ],
      'turns[0][1]: expected a start at or after 4, the end of the span before, got [0, 4]',
    ],
    [
      'claimed by two turns',
      [[[0, 4]], [[3, 6]]],
      'turns[1][0]: expected a start at or after 4, the end of the span before, got [3, 6]',
    ],
    [
      'out of order within a turn',
      [
        [
          [4, 6],
          [0, 2],
        ],
        [],
      ],
      'turns[0][1]: expected a start at or after 6, the end of the span before, got [0, 2]',
    ],
    [
      'of a later turn before an earlier one',
      [[[4, 6]], [[0, 2]]],
      'turns[1][0]: expected a start at or after 6, the end of the span before, got [0, 2]',
    ],
    ['of half tokens', [[[0, 1.5]], []], 'turns[0][0]: expected whole numbers, got [0, 1.5]'],
    ['of text', [[['0', 1]], []], 'turns[0][0]: expected whole numbers, got ["0", 1]'],
    ['of NaN', [[[0, Number.NaN]], []], 'turns[0][0]: expected whole numbers, got [0, NaN]'],
    ['of three numbers', [[[0, 1, 2]], []], 'turns[0][0]: expected a span [start, end], got [0, 1, 2]'],
    ['of nothing', [[null], []], 'turns[0][0]: expected a span [start, end], got null'],
  ])('refuses a span %s', (_, turns, message) => {
    const fault = faultOf({ length: 9, turns })
    expect(fault.code).toBe('SPAN')
    expect(fault.message).toBe(`tokenSpans: rollouts[0].${message}`)
  })

  it('holds spans of surplus, masked and truncated turns to the same rules', () => {
    expect(faultOf({ length: 9, turns: [[[0, 4]], [], [[3, 5]]] }).path).toBe(
      'tokenSpans: rollouts[0].turns[2][0]',
    )
    const untrained = turnBatch([{ rewards: [[1, 1]], truncated: [true], masked: [true, false] }])
    for (const turns of [
      [[[0, 4]], [[3, 5]]],
      [[[2, 1]], []],
    ])
      expect(faultOf({ length: 9, turns }, untrained, { truncated: 'mask' }).code).toBe('SPAN')
  })

  it('refuses a span of a sequence that is not there', () => {
    const sequences = [{ length: 4 }, { length: 2 }]
    for (const sequence of [2, -1, 0.5, '0', null])
      expect(faultOf({ sequences, turns: [[[sequence, 0, 1]], []] }).message).toContain(
        'turns[0][0]: expected a sequence from 0 to 1, got [',
      )
    expect(faultOf({ sequences, turns: [[[1, 0, 3]], []] }).message).toContain('end <= 2')
    expect(faultOf({ sequences, turns: [[[0, 1]], []] }).message).toContain(
      'a span [sequence, start, end], got [0, 1]',
    )
    expect(faultOf({ sequences: [], turns: [[[0, 0, 1]], []] }).message).toContain(
      'turns[0][0]: expected an empty list of spans, as there is no sequence, got [0, 0, 1]',
    )
  })

  it('lets sequences go on side by side', () => {
    const sequences = [{ length: 4 }, { length: 4 }]
    const spans = tokenSpans(twoTurns, [
      {
        sequences,
        turns: [
          [
            [1, 2, 4],
            [0, 0, 1],
          ],
          [[0, 1, 4]],
        ],
      },
    ])
    expect([...spans.spanTurn]).toEqual([0, 1, 0])
    expect(
      faultOf({
        sequences,
        turns: [
          [
            [1, 2, 4],
            [0, 0, 1],
          ],
          [[1, 0, 1]],
        ],
      }).code,
    ).toBe('SPAN')
  })

  it('refuses tokens of a turn that the batch calls unreached, and a reached turn without a list', () => {
    const batch = turnBatch([{ rewards: [[1]], numTurns: 3 }])
    expect(tokenSpans(batch, [{ length: 4, turns: [[[0, 4]], [[2, 2]]] }]).counts.trainedTokens).toBe(4)
    expect(faultOf({ length: 4, turns: [[], [[1, 2]]] }, batch)).toMatchObject({
      code: 'SPAN',
      message: 'tokenSpans: rollouts[0].turns[1]: expected no tokens, as the turn is not reached, got [1, 2]',
    })
    expect(faultOf({ length: 4, turns: [[[0, 4]]] })).toMatchObject({
      code: 'LENGTH',
      message:
        'tokenSpans: rollouts[0].turns: expected a list of spans for turn 1, which is reached, got 1 lists',
    })
  })

  it.each([
    [undefined, 'TYPE', 'tokenSpans: rollouts[0]'],
    [[], 'TYPE', 'tokenSpans: rollouts[0]'],
    [{ turns: [] }, 'TYPE', 'tokenSpans: rollouts[0].length'],
    [{ length: '9', turns: [] }, 'TYPE', 'tokenSpans: rollouts[0].length'],
    [{ length: -1, turns: [] }, 'RANGE', 'tokenSpans: rollouts[0].length'],
    [{ length: 1.5, turns: [] }, 'RANGE', 'tokenSpans: rollouts[0].length'],
    [{ length: 9 }, 'TYPE', 'tokenSpans: rollouts[0].turns'],
    [{ length: 9, turns: [[], null] }, 'TYPE', 'tokenSpans: rollouts[0].turns[1]'],
    [{ sequences: 2, turns: [] }, 'TYPE', 'tokenSpans: rollouts[0].sequences'],
    [{ sequences: ['four'], turns: [] }, 'TYPE', 'tokenSpans: rollouts[0].sequences[0]'],
    [{ sequences: [{ length: 2 }, {}], turns: [] }, 'TYPE', 'tokenSpans: rollouts[0].sequences[1].length'],
    [{ length: 2, sequences: [], turns: [] }, 'MISMATCH', 'tokenSpans: rollouts[0]'],
  ])('says where %j is at fault', (tokens, code, path) => {
    expect(faultOf(tokens)).toMatchObject({ name: 'TaraError', code, path })
  })

  it('names rollouts as it is told to', () => {
    const place = (i: number): string => `log.jsonl:${i + 17}: tokens`
    expect(faultOf({ length: 9, turns: [[[9, 5]]] }, twoTurns, { place }).path).toBe(
      'log.jsonl:17: tokens.turns[0][0]',
    )
  })

  it('refuses a list of another length than the batch, and options it does not know', () => {
    expect(() => tokenSpans(twoTurns, [])).toThrow(
      'tokenSpans: rollouts: expected 1 values, one a rollout, got 0',
    )
    expect(() => tokenSpans(twoTurns, null as never)).toThrow('tokenSpans: rollouts: expected a list')
    expect(() => tokenSpans(twoTurns, [], { truncated: 'drop' as never })).toThrow('options.truncated')
    expect(() => tokenSpans(twoTurns, [], { place: 'here' as never })).toThrow(
      'options.place: expected a function',
    )
  })

  it('counts up to 2^31 - 1 tokens and no further', () => {
    const batch = turnBatch([{ rewards: [[1], [1]] }])
    const rollouts = (last: number): RolloutTokens[] => [
      { length: 2 ** 30, turns: [[[0, 1]]] },
      { sequences: [{ length: 2 ** 30 - 1 }, { length: last }], turns: [[[1, 0, last]]] },
    ]
    expect([...tokenSpans(batch, rollouts(0)).tokenPtr]).toEqual([0, 2 ** 30, 2 ** 31 - 1, 2 ** 31 - 1])
    expect(() => tokenSpans(batch, rollouts(1))).toThrow(
      'tokenSpans: rollouts[1]: expected at most 2147483647 tokens in all, got 2147483648',
    )
    expect(faultOf({ length: 2 ** 40, turns: [[], []] }).code).toBe('TOO_LARGE')
  })

  it('takes a batch without rollouts', () => {
    const spans = tokenSpans(turnBatch([]), [])
    expect([...spans.sequencePtr, ...spans.tokenPtr, ...spans.spanPtr]).toEqual([0, 0, 0])
  })
})

describe('rolloutSequences', () => {
  const spans = tokenSpans(twoTurns, [{ sequences: [{ length: 2 }, { length: 3 }], turns: [[], []] }])

  it('returns views of the array it is given', () => {
    const flat = Float32Array.of(1, 2, 3, 4, 5)
    const [first, second, ...rest] = rolloutSequences(flat, spans, 0)
    expect([...first!]).toEqual([1, 2])
    expect([...second!]).toEqual([3, 4, 5])
    expect(rest).toEqual([])
    expect(first!.buffer).toBe(flat.buffer)
  })

  it('refuses an array of another layout and a rollout that does not exist', () => {
    expect(() => rolloutSequences(new Float64Array(4), spans, 0)).toThrow('expected 5 values, one a token')
    for (const rollout of [1, -1, 0.5])
      expect(() => rolloutSequences(new Float64Array(5), spans, rollout)).toThrow('an index below 1')
  })
})
