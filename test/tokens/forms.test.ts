import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import { TaraError } from '../../src/errors.js'
import { broadcast } from '../../src/tokens/broadcast.js'
import { resolveTokens } from '../../src/tokens/forms.js'
import type { MessageTurns } from '../../src/tokens/message-turns.js'
import type { RolloutTokens } from '../../src/tokens/read.js'
import { tokenSpans } from '../../src/tokens/spans.js'

/** user, assistant, tool, assistant, user, assistant: two turns. */
const talk: MessageTurns = {
  turn: [0, 0, 0, 0, 1, 1],
  isWritten: [false, true, false, true, false, true],
  numTurns: 2,
}

/** What the assistant of the example wrote lies in these tokens. */
const spans = [
  [
    [2, 4],
    [5, 6],
  ],
  [[8, 10]],
]

/** With `null` for messages: a record of rewards. */
function resolved(tokens: unknown, messages: MessageTurns | null = talk, numTurns = 2): RolloutTokens {
  return resolveTokens('tokens', tokens, { messages: () => messages ?? undefined, numTurns })
}

function fault(...args: Parameters<typeof resolved>): string {
  try {
    resolved(...args)
  } catch (error) {
    if (error instanceof TaraError) return `${error.code} ${error.message}`
    throw error
  }
  return 'none'
}

const ids = [100, 101, 102, 103, 104, 105, 106, 107, 108, 109]

describe('the forms of tokens', () => {
  it('all tell the same spans of one conversation', () => {
    const forms = [
      { length: 10, turns: spans },
      { ids, turns: spans },
      { turnIds: [null, null, 0, 0, null, 0, null, null, 1, 1] },
      { mask: [0, 0, 1, 1, 0, 1, 0, 0, 1, 1], messages: [2, 2, 1, 1, 2, 2] },
      { messageIds: [[100, 101], [102, 103], [104], [105], [106, 107], [108, 109]] },
      {
        steps: [
          { prompt: ids.slice(0, 2), completion: [102, 103] },
          { prompt: ids.slice(0, 5), completion: [105] },
          { prompt: ids.slice(0, 8), completion: [108, 109] },
        ],
      },
    ]
    for (const form of forms) expect(resolved(form)).toMatchObject({ length: 10, turns: spans })
    for (const form of forms.slice(1, 2).concat(forms.slice(4))) expect(resolved(form)).toMatchObject({ ids })
  })

  it('carry ids and log-probabilities through, null where the policy wrote nothing', () => {
    const logprobs = [null, null, -1, -2, null, -3, null, null, -4, -5]
    for (const form of [
      { ids, logprobs, turns: spans },
      { ids, logprobs, turnIds: [null, null, 0, 0, null, 0, null, null, 1, 1] },
      { ids, logprobs, mask: [0, 0, 1, 1, 0, 1, 0, 0, 1, 1], messages: [2, 2, 1, 1, 2, 2] },
      {
        messageIds: [[100, 101], [102, 103], [104], [105], [106, 107], [108, 109]],
        logprobs: [null, [-1, -2], null, [-3], null, [-4, -5]],
      },
      {
        steps: [
          { prompt: ids.slice(0, 2), completion: [102, 103], logprobs: [-1, -2] },
          { prompt: ids.slice(0, 5), completion: [105], logprobs: [-3] },
          { prompt: ids.slice(0, 8), completion: [108, 109], logprobs: [-4, -5] },
        ],
      },
    ])
      expect(resolved(form)).toEqual({ length: 10, ids, logprobs, turns: spans })
  })

  it('are refused two at once, and none at all', () => {
    expect(fault({ turnIds: [], mask: [] })).toBe(
      'MISMATCH tokens: expected one of turnIds, mask, got several',
    )
    expect(fault({ ids })).toMatch(/^MISSING tokens: expected what tells the turns .*, got ids only$/)
    expect(fault({})).toMatch(/^MISSING tokens: .*, got none$/)
    expect(fault([])).toMatch(/^TYPE tokens: /)
  })

  it('name the place of what is no id, no count, no log-probability', () => {
    expect(fault({ ids: [1, -1], turns: [] })).toBe(
      'RANGE tokens.ids[1]: expected a token id from 0 to 2147483647, got -1',
    )
    expect(fault({ ids: [1, '2'], turns: [] })).toMatch(/^TYPE tokens\.ids\[1\]: /)
    expect(fault({ ids: [1], length: 2, turns: [] })).toMatch(/^LENGTH tokens\.ids: expected 2 ids/)
    expect(fault({ ids: [1, 2], logprobs: [0], turns: [] })).toMatch(
      /^LENGTH tokens\.logprobs: expected 2 values/,
    )
    expect(fault({ ids: [1], logprobs: ['x'], turns: [] })).toMatch(/^TYPE tokens\.logprobs\[0\]: /)
    expect(fault({ sequences: [{ ids: [1] }, { ids: 5 }], turns: [] })).toMatch(
      /^TYPE tokens\.sequences\[1\]\.ids: /,
    )
    expect(fault({ sequences: [{ ids: [1], length: 2 }], turns: [] })).toMatch(
      /^LENGTH tokens\.sequences\[0\]\.ids: /,
    )
  })
})

describe('turn ids', () => {
  it('put first and last tokens, touching turns and gaps where they are', () => {
    expect(resolved({ turnIds: [0, 0, 1, null, 1] })).toEqual({
      length: 5,
      turns: [
        [[0, 2]],
        [
          [2, 3],
          [4, 5],
        ],
      ],
    })
    expect(resolved({ turnIds: [] })).toEqual({ length: 0, turns: [[], []] })
  })

  it('keep several sequences apart; a turn may come again in another one', () => {
    expect(
      resolved({ sequences: [{ turnIds: [null, 0, 1] }, { turnIds: [0, null, 1], ids: [7, 8, 9] }] }),
    ).toEqual({
      sequences: [{ length: 3 }, { length: 3, ids: [7, 8, 9] }],
      turns: [
        [
          [0, 1, 2],
          [1, 0, 1],
        ],
        [
          [0, 2, 3],
          [1, 2, 3],
        ],
      ],
    })
  })

  it('are refused where they descend, are no turn, or are none', () => {
    expect(fault({ turnIds: [1, 0] })).toBe(
      'SPAN tokens.turnIds[1]: expected 1 or more, as turns follow each other, got 0',
    )
    expect(fault({ turnIds: [null, 2] })).toBe(
      'RANGE tokens.turnIds[1]: expected a turn index from 0 to 1, or null, got 2',
    )
    expect(fault({ turnIds: [0.5] })).toMatch(/^RANGE tokens\.turnIds\[0\]: /)
    expect(fault({ turnIds: ['0'] })).toMatch(/^RANGE tokens\.turnIds\[0\]: /)
    expect(fault({ turnIds: 3 })).toMatch(/^TYPE tokens\.turnIds: /)
    expect(fault({ sequences: [{ turnIds: [0] }, { turnIds: [5] }] })).toMatch(
      /^RANGE tokens\.sequences\[1\]\.turnIds\[0\]: /,
    )
    expect(fault({ turnIds: [1_000_000] }, null)).toMatch(/^RANGE /)
  })

  it('are the turns of the tokens, whatever they are', () => {
    const turnIds = fc
      .array(fc.tuple(fc.option(fc.nat(1)), fc.integer({ min: 1, max: 3 })), { maxLength: 8 })
      .map((runs) => {
        let latest = 0
        return runs.flatMap(([step, count]) => {
          const turn = step === null ? null : (latest = Math.min(latest + step, 3))
          return new Array<number | null>(count).fill(turn)
        })
      })
    fc.assert(
      fc.property(turnIds, (given) => {
        const tokens = resolved({ turnIds: given }, null, 4)
        const batch = turnBatch([{ rewards: [[1, 1, 1, 1]] }])
        const shown = broadcast(Float64Array.of(1, 2, 3, 4), tokenSpans(batch, [tokens]))
        expect([...shown]).toEqual(given.map((turn) => (turn === null ? 0 : turn + 1)))
      }),
    )
  })
})

describe('tokens that are told twice', () => {
  const plain = { length: 2, turns: [[[0, 1]]] }
  it.each([
    { ...plain, turnIds: [null, 0] },
    { ...plain, mask: [0, 1], messages: [1, 1] },
    { ...plain, messages: [1, 1] },
    { sequences: [{ length: 2, turnIds: [null, 0] }], turns: [[[0, 0, 1]]] },
    { mask: [1], messages: [1], sequences: [{ length: 1 }] },
    { steps: [{ prompt: [1], completion: [2], turn: 0 }], ids: [1, 3] },
  ])('are refused: %j', (told) => {
    expect(fault(told)).toMatch(/^MISMATCH tokens/)
  })

  it('are taken where ids and steps say the same', () => {
    expect(fault({ steps: [{ prompt: [1], completion: [2], turn: 0 }], ids: [1, 2], length: 2 })).toBe('none')
  })
})

describe('a mask with the lengths of the messages', () => {
  const put = (mask: unknown, messages: unknown = [2, 2, 1, 1, 2, 2]): string => fault({ mask, messages })

  it('may leave tokens of a message out, in runs of their own', () => {
    const two: MessageTurns = { turn: [-1, 0], isWritten: [false, true], numTurns: 1 }
    expect(resolved({ mask: [0, 1, 0, 1], messages: [1, 3] }, two)).toEqual({
      length: 4,
      turns: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    })
  })

  it('passes over messages without tokens', () => {
    const three: MessageTurns = { turn: [0, 0, 0], isWritten: [false, true, true], numTurns: 1 }
    expect(resolved({ mask: [1], messages: [0, 0, 1] }, three)).toMatchObject({ turns: [[[0, 1]]] })
  })

  it('gives no turn to what the assistant says before the first', () => {
    const early: MessageTurns = { turn: [-1, 0, 0], isWritten: [true, false, true], numTurns: 1 }
    expect(resolved({ mask: [1, 0, 1], messages: [1, 1, 1] }, early)).toMatchObject({ turns: [[[2, 3]]] })
  })

  it('is refused where a run lies in two turns: that is ambiguous', () => {
    const both: MessageTurns = { turn: [0, 0, 1], isWritten: [false, true, true], numTurns: 2 }
    const told = { mask: [0, 1, 1], messages: [1, 1, 1] }
    expect(fault(told, both)).toBe(
      'SPAN tokens.mask[1]: expected a run of ones in one turn (message 1 ends at 2; a run in two turns is ambiguous), got one up to 3',
    )
    expect(fault(told, { turn: [0, 0, 0], isWritten: [false, true, false], numTurns: 1 })).toMatch(/^SPAN /)
  })

  it('takes a run in several messages of one turn', () => {
    const both: MessageTurns = { turn: [0, 0, 0], isWritten: [false, true, true], numTurns: 1 }
    expect(resolved({ mask: [0, 1, 1], messages: [1, 1, 1] }, both, 1)).toEqual({
      length: 3,
      turns: [[[1, 3]]],
    })
  })

  it('is refused, as ids message by message are, for a message that holds several turns', () => {
    const split: MessageTurns = {
      turn: [-1, 1],
      isWritten: [false, true],
      holdsSeveral: [false, true],
      steps: [0, 1],
      numTurns: 2,
    }
    for (const told of [{ mask: [0, 1, 1], messages: [1, 2] }, { messageIds: [[1], [2, 3]] }])
      expect(fault(told, split)).toMatch(
        /^MISMATCH tokens\..*: expected the form steps, .*, got tokens of message 1, which holds several steps$/,
      )
    const steps = [
      { prompt: [1], completion: [2] },
      { prompt: [1, 2], completion: [3] },
    ]
    expect(resolved({ steps }, split).turns).toEqual([[[1, 2]], [[2, 3]]])
    expect(fault({ steps: steps.slice(0, 1) }, split)).toMatch(/^LENGTH tokens\.steps: /)
  })

  it('is refused where the assistant did not write the message', () => {
    expect(put([0, 1, 0, 0, 0, 0, 0, 0, 0, 0])).toBe(
      'SPAN tokens.mask[1]: expected 0, as the assistant did not write message 0, got 1',
    )
  })

  it('is refused with lengths that are not those of the mask or the messages', () => {
    const mask = [0, 0, 1, 1, 0, 1, 0, 0, 1, 1]
    expect(put(mask, [2, 2, 1, 1, 2, 1])).toBe(
      'LENGTH tokens.messages: expected 10 tokens in all, as the mask has, got 9',
    )
    expect(put(mask, [2, 2, 1, 1, 4])).toBe(
      'LENGTH tokens.messages: expected 6 entries, one a message, got 5',
    )
    expect(put(mask, [2, 2, 1, 1, -2, 6])).toMatch(/^RANGE tokens\.messages\[4\]: /)
    expect(put(mask, 3)).toMatch(/^TYPE tokens\.messages: /)
    expect(put([0, 0, 2, 1, 0, 1, 0, 0, 1, 1])).toBe('RANGE tokens.mask[2]: expected 0 or 1, got 2')
    expect(put([0, 0, 1, true, 0, 1, 0, 0, 1, 1])).toMatch(/^RANGE tokens\.mask\[3\]: /)
    expect(fault({ mask, messages: [] }, null)).toBe(
      'MISSING tokens: expected messages in the record, which mask speaks of, got none',
    )
  })
})

describe('ids message by message', () => {
  it('train all that the assistant sampled, and nothing for an empty message', () => {
    expect(resolved({ messageIds: [[1], [], [2], [3], [], [4]] })).toMatchObject({
      length: 4,
      turns: [[[2, 3]], [[3, 4]]],
    })
  })

  it('are refused where they do not fit the messages', () => {
    expect(fault({ messageIds: [[1]] })).toBe(
      'LENGTH tokens.messageIds: expected 6 lists, one a message, got 1',
    )
    expect(fault({ messageIds: [[], [], 5, [], [], []] })).toMatch(/^TYPE tokens\.messageIds\[2\]: /)
    expect(
      fault({ messageIds: [[], [1], [], [], [], []], logprobs: [null, null, null, null, null, null] }),
    ).toMatch(/^MISSING tokens\.logprobs\[1\]: /)
    expect(
      fault({ messageIds: [[], [1], [], [], [], []], logprobs: [null, [], null, [], null, []] }),
    ).toMatch(/^LENGTH tokens\.logprobs\[1\]: /)
  })
})

describe('ids step by step', () => {
  const step = (prompt: number[], completion: number[], more: object = {}): object => ({
    prompt,
    completion,
    ...more,
  })

  it('are refused at the first id of a prompt that is not what was sampled so far', () => {
    const drift = (prompt: number[]): string =>
      fault({ steps: [step([11], [12, 13], { turn: 0 }), step(prompt, [15], { turn: 0 })] }, null)
    expect(drift([11, 99, 13, 14])).toBe(
      'MISMATCH tokens.steps[1].prompt[1]: expected 12, as in the ids so far ("newSequence": true begins another sequence), got 99',
    )
    expect(drift([11, 12])).toMatch(
      /^MISMATCH tokens\.steps\[1\]\.prompt\[2\]: expected 13, .*, got the end$/,
    )
    expect(drift([99, 12, 13])).toMatch(/^MISMATCH tokens\.steps\[1\]\.prompt\[0\]: /)
    expect(drift([11, 12, 13])).toBe('none')
  })

  it('begin another sequence where they say so, and train each sampled token once', () => {
    const tokens = resolved({
      steps: [
        step([1], [2, 3], { logprobs: [-1, -2] }),
        step([1, 2, 3, 4], [5], { logprobs: [-3] }),
        step([9, 3, 4], [6], { newSequence: true, logprobs: [-4] }),
      ],
    })
    expect(tokens).toEqual({
      sequences: [
        { length: 5, ids: [1, 2, 3, 4, 5], logprobs: [null, -1, -2, null, -3] },
        { length: 4, ids: [9, 3, 4, 6], logprobs: [null, null, null, -4] },
      ],
      turns: [
        [
          [0, 1, 3],
          [0, 4, 5],
        ],
        [[1, 3, 4]],
      ],
    })
    const spans = tokenSpans(turnBatch([{ rewards: [[1, 1]] }]), [tokens])
    expect(spans.counts.trainedTokens).toBe(4)
  })

  it('may touch: a prompt that is nothing but what was sampled', () => {
    expect(resolved({ steps: [step([], [1]), step([1], [2]), step([1, 2], [])] })).toMatchObject({
      length: 2,
      turns: [
        [
          [0, 1],
          [1, 2],
        ],
        [],
      ],
    })
  })

  it('name their turns, or are the messages of the assistant', () => {
    expect(fault({ steps: [step([1], [2])] })).toBe(
      'LENGTH tokens.steps: expected 3 steps, one a step of the assistant, got 1',
    )
    expect(fault({ steps: [step([1], [2])] }, null)).toMatch(/^MISSING tokens\.steps\[0\]\.turn: /)
    expect(fault({ steps: [step([], [], { turn: 0 }), step([], [])] })).toMatch(
      /^MISSING tokens\.steps\[1\]\.turn: /,
    )
    expect(fault({ steps: [step([], [], { turn: 2 })] })).toMatch(/^RANGE tokens\.steps\[0\]\.turn: /)
    expect(fault({ steps: [step([], [1], { turn: 1 }), step([1], [], { turn: 0 })] })).toMatch(
      /^SPAN tokens\.steps\[1\]\.turn: expected 1 or more/,
    )
  })

  it('are refused with the path of what is wrong in them', () => {
    const at = (more: object): string => fault({ steps: [step([1], [2], { turn: 0, ...more })] }, null)
    expect(fault({ steps: {} })).toMatch(/^TYPE tokens\.steps: /)
    expect(fault({ steps: [3] })).toMatch(/^TYPE tokens\.steps\[0\]: /)
    expect(at({ prompt: 'x' })).toMatch(/^TYPE tokens\.steps\[0\]\.prompt: /)
    expect(at({ completion: [1.5] })).toMatch(/^RANGE tokens\.steps\[0\]\.completion\[0\]: /)
    expect(at({ newSequence: 1 })).toMatch(/^TYPE tokens\.steps\[0\]\.newSequence: /)
    expect(at({ logprobs: [] })).toMatch(/^LENGTH tokens\.steps\[0\]\.logprobs: /)
    expect(
      fault({ steps: [step([], [], { logprobs: [], turn: 0 }), step([], [], { turn: 0 })] }, null),
    ).toMatch(/^MISSING tokens\.steps\[1\]\.logprobs: /)
  })

  it('hold each sampled token in exactly one span, whatever was sampled', () => {
    const lists = fc.array(fc.nat(9), { maxLength: 4 })
    const steps = fc.array(fc.record({ between: lists, completion: lists, isNew: fc.boolean() }), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(steps, (given) => {
        let soFar: number[] = []
        const made = given.map(({ between, completion, isNew }) => {
          const prompt = [...(isNew ? [] : soFar), ...between]
          soFar = [...prompt, ...completion]
          return { prompt, completion, newSequence: isNew, turn: 0 }
        })
        const tokens = resolved({ steps: made }, null, 1)
        const sequences = 'sequences' in tokens ? tokens.sequences : [tokens]
        const found = (tokens.turns[0] ?? []).map((span) => {
          const [q, start, end] = span.length === 3 ? span : [0, ...span]
          return sequences[q]!.ids!.slice(start, end)
        })
        expect(found).toEqual(made.map(({ completion }) => completion).filter((list) => list.length > 0))
        expect(() => tokenSpans(turnBatch([{ rewards: [[1]] }]), [tokens])).not.toThrow()
      }),
    )
  })
})
