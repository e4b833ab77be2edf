/**
 * The arrays of small batches, written out by hand.
 */
import { describe, expect, it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import type { RolloutTokens } from '../../src/tokens/read.js'
import { tokenSpans } from '../../src/tokens/spans.js'
import { toAtropos } from '../../src/trainers/atropos.js'
import type { TrainerInput } from '../../src/trainers/input.js'
import { toPrimeRl } from '../../src/trainers/prime-rl.js'
import { toRllm } from '../../src/trainers/rllm.js'
import { toTinker } from '../../src/trainers/tinker.js'
import { toTrl } from '../../src/trainers/trl.js'
import { toTurns } from '../../src/trainers/turns.js'
import { toVerl } from '../../src/trainers/verl.js'
import { columnOf } from './tables.js'

/** One group of one rollout with these tokens; turn t has advantage t + 1. */
function one(tokens: object, more: { T?: number; truncated?: boolean; valid?: boolean } = {}): TrainerInput {
  const rollout = tokens as RolloutTokens
  const T = more.T ?? rollout.turns.length
  const batch = turnBatch([
    {
      numTurns: T,
      rewards: [new Array(Math.min(T, rollout.turns.length)).fill(1)],
      truncated: [more.truncated === true],
      valid: [more.valid !== false],
    },
  ])
  return {
    batch,
    tokens: [rollout],
    keys: [{ group: 'a', rollout: 0 }],
    turnAdvantage: Float64Array.from({ length: T }, (_, t) => t + 1),
    spans: tokenSpans(batch, [rollout], { truncated: 'mask' }),
  }
}

const ids = (length: number): object => ({ length, ids: Array.from({ length }, (_, k) => 10 + k) })

/** Advantages and masks of the first row, by export. */
function seen(input: TrainerInput) {
  const [tinker, verl, trl, prime, atropos] = [toTinker, toVerl, toTrl, toPrimeRl, toAtropos].map((make) =>
    make(input),
  )
  return {
    tinker: [columnOf(tinker!, 'advantages')[0], columnOf(tinker!, 'mask')[0]],
    verl: [columnOf(verl!, 'advantages')[0], columnOf(verl!, 'response_mask')[0]],
    trl: [columnOf(trl!, 'advantages')[0], columnOf(trl!, 'tool_mask')[0]],
    prime: [columnOf(prime!, 'advantages')[0], columnOf(prime!, 'mask')[0]],
    atropos: [columnOf(atropos!, 'advantages')[0], columnOf(atropos!, 'masks')[0]],
    rllm: columnOf(toRllm(input), 'advantage'),
  }
}

describe('what was generated and is not trained', () => {
  it('begins the response, and is part of what a step returned', () => {
    const input = one({ ...ids(6), turns: [[[3, 4]], []], generated: [[[1, 5]], [[5, 6]]] })
    for (const make of [toVerl, toTrl]) expect(columnOf(make(input), 'prompt_length')).toEqual([1])
    const rllm = toRllm(input)
    expect(columnOf(rllm, 'start')).toEqual([1, 5])
    expect(columnOf(rllm, 'response_ids')).toEqual([[11, 12, 13, 14], [15]])
    expect(columnOf(rllm, 'mask')).toEqual([[0, 0, 1, 0], [0]])
  })
})

describe('spans', () => {
  it('at the first and the last position: the first token is no target, but a response', () => {
    expect(seen(one({ ...ids(4), turns: [[[0, 1]], [[3, 4]]] }))).toEqual({
      tinker: [
        [0, 0, 2],
        [0, 0, 1],
      ],
      verl: [
        [1, 0, 0, 2],
        [1, 0, 0, 1],
      ],
      trl: [
        [1, 0, 0, 2],
        [1, 0, 0, 1],
      ],
      prime: [
        [1, 0, 0, 2],
        [1, 0, 0, 1],
      ],
      atropos: [
        [1, 0, 0, 2],
        [10, -100, -100, 13],
      ],
      rllm: [[1], [2]],
    })
  })

  it('that touch change the value between two tokens', () => {
    const { tinker, verl, rllm } = seen(one({ ...ids(5), turns: [[[1, 3]], [[3, 5]]] }))
    expect(tinker).toEqual([
      [1, 1, 2, 2],
      [1, 1, 1, 1],
    ])
    expect(verl).toEqual([
      [1, 1, 2, 2],
      [1, 1, 1, 1],
    ])
    expect(rllm).toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  it('with gaps leave tool results at 0', () => {
    const turns = [
      [
        [1, 2],
        [3, 4],
      ],
      [[5, 6]],
    ]
    expect(seen(one({ ...ids(7), turns })).verl).toEqual([
      [1, 0, 1, 0, 2, 0],
      [1, 0, 1, 0, 1, 0],
    ])
  })

  it('of no tokens leave their turn without one', () => {
    const { tinker, rllm } = seen(one({ ...ids(4), turns: [[], [[2, 2]], [[2, 4]]] }))
    expect(tinker).toEqual([
      [0, 3, 3],
      [0, 1, 1],
    ])
    expect(rllm).toEqual([[3, 3]])
  })

  it('of surplus turns start the response, and are not trained', () => {
    const { verl, rllm } = seen(one({ ...ids(4), turns: [[], [[1, 2]]] }, { T: 1 }))
    expect(verl).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ])
    expect(rllm).toEqual([[0]])
  })

  it.each([
    ['aborted', { valid: false }],
    ['truncated and masked', { truncated: true }],
  ])('of an %s rollout keep its rows, without a trained token', (_status, more) => {
    expect(seen(one({ ...ids(3), turns: [[[1, 3]]] }, more))).toEqual({
      tinker: [
        [0, 0],
        [0, 0],
      ],
      verl: [
        [0, 0],
        [0, 0],
      ],
      trl: [
        [0, 0],
        [0, 0],
      ],
      prime: [
        [0, 0, 0],
        [0, 0, 0],
      ],
      atropos: [
        [0, 0, 0],
        [-100, -100, -100],
      ],
      rllm: [[0, 0]],
    })
  })
})

describe('sequences', () => {
  const sequences = [ids(3), ids(4), ids(1)]
  const several = one({ sequences, turns: [[[0, 1, 3]], [[1, 2, 3]]] })

  it('have a row each, with their own border', () => {
    const table = toVerl(several, { side: 'left', width: 3 })
    expect(columnOf(table, 'sequence')).toEqual([0, 1, 2])
    expect(columnOf(table, 'prompt_length')).toEqual([1, 2, 1])
    expect(columnOf(table, 'response_length')).toEqual([2, 2, 0])
    expect(columnOf(table, 'advantages')).toEqual([
      [0, 1, 1],
      [0, 2, 0],
      [0, 0, 0],
    ])
  })

  it('of one token have no target', () => {
    expect(columnOf(toTinker(several), 'target_tokens')).toEqual([[11, 12], [11, 12, 13], []])
  })

  it('count the steps of their rollout through', () => {
    expect(columnOf(toRllm(several), 'step')).toEqual([0, 1])
    expect(columnOf(toRllm(several), 'sequence')).toEqual([0, 1])
  })

  it('of a rollout without tokens have no row', () => {
    const batch = turnBatch([{ numTurns: 1, rewards: [[1], []], valid: [true, false] }])
    const tokens = [{ length: 2, turns: [[[0, 2]]] } as RolloutTokens, null]
    const input = {
      batch,
      tokens,
      keys: [
        { group: 'a', rollout: 0 },
        { group: 'a', rollout: 1 },
      ],
      turnAdvantage: Float64Array.of(1, 0),
      spans: tokenSpans(batch, tokens),
    }
    expect(columnOf(toPrimeRl(input), 'rollout')).toEqual([0])
    expect(columnOf(toTurns(input, { tokens: true }), 'loss_mask')).toEqual([[1, 1], []])
  })
})

describe('columns', () => {
  const plain = one({ length: 2, turns: [[[1, 2]]] })

  it('of ids and log-probabilities are there only where the records have them', () => {
    expect([...toVerl(plain).columns.keys()]).toEqual([
      'group',
      'rollout',
      'sequence',
      'prompt_length',
      'response_length',
      'advantages',
      'returns',
      'response_mask',
    ])
  })

  it('of names keep integers, text, and the difference between 5 and "5"', () => {
    const batch = turnBatch([{ rewards: [[1], [0], [1]] }])
    const named = (...groups: (string | number)[]): unknown[] => {
      const keys = groups.map((group, rollout) => ({
        group,
        rollout,
        role: rollout === 1 ? 'judge' : undefined,
      }))
      return columnOf(toTurns({ batch, keys, turnAdvantage: new Float64Array(3) }), 'group')
    }
    expect(named(5, 6, 7)).toEqual([5, 6, 7])
    expect(named('5', 'b', 'c')).toEqual(['5', 'b', 'c'])
    expect(named(2 ** 40, 6, 7)).toEqual(['1099511627776', '6', '7'])
    expect(named(5, '5', 'c')).toEqual(['5', '"5"', '"c"'])
  })

  it('name the role, null where a rollout has none', () => {
    const batch = turnBatch([{ rewards: [[1], [0]] }])
    const keys = [
      { group: 'a', rollout: 0, role: 'solver' },
      { group: 'a', rollout: 1 },
    ]
    const table = toTurns({ batch, keys, turnAdvantage: new Float64Array(2) })
    expect(columnOf(table, 'role')).toEqual(['solver', null])
  })

  it('are float32 where nothing else is asked for, float64 in the plain table', () => {
    const third = { ...plain, turnAdvantage: Float64Array.of(1 / 3) }
    expect(columnOf(toPrimeRl(third), 'advantages')).toEqual([[0, Math.fround(1 / 3)]])
    expect(columnOf(toPrimeRl(third, { dtype: 'float64' }), 'advantages')).toEqual([[0, 1 / 3]])
    expect(columnOf(toTurns(third), 'advantages')).toEqual([[1 / 3]])
    expect(columnOf(toTurns(third, { dtype: 'float32' }), 'advantages')).toEqual([[Math.fround(1 / 3)]])
  })

  it('of scores hold the outcome, else the product of the rewards', () => {
    const batch = turnBatch([
      {
        rewards: [
          [1, 1],
          [1, 0],
        ],
      },
      { rewards: [[1]], outcome: [0.25] },
    ])
    const tokens = [2, 2, 1].map((T) => ({
      ...ids(1),
      length: 1,
      turns: new Array(T).fill([]),
    })) as RolloutTokens[]
    const keys = ['a', 'a', 'b'].map((group, rollout) => ({ group, rollout }))
    const spans = tokenSpans(batch, tokens)
    const input = { batch, tokens, keys, spans, turnAdvantage: new Float64Array(5) }
    expect(columnOf(toAtropos(input), 'scores')).toEqual([1, 0, 0.25])
    expect(columnOf(toPrimeRl(input), 'reward')).toEqual([1, 0, 0.25])
  })
})
