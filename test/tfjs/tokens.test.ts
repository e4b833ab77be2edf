/**
 * Token tensors hold what `broadcast` writes.
 */
import { expect, it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import { tokenTensor, tokenTurns } from '../../src/tfjs/tokens.js'
import { broadcast } from '../../src/tokens/broadcast.js'
import { tokenSpans } from '../../src/tokens/spans.js'
import { same } from '../laws/support.js'
import { leakFree, onEveryBackend } from './backends.js'

const batch = turnBatch([
  {
    rewards: [
      [1, 0],
      [0, 1],
    ],
  },
  {
    rewards: [
      [1, 1],
      [0, 0],
    ],
    valid: [true, false],
  },
])
const spans = tokenSpans(batch, [
  {
    length: 8,
    turns: [
      [
        [1, 3],
        [4, 5],
      ],
      [[6, 8]],
    ],
  },
  { length: 3, turns: [[[0, 2]], [[2, 3]]] },
  { length: 5, turns: [[[1, 2]], [[3, 4]]] },
  { length: 4, turns: [[[0, 1]], [[1, 2]]] },
])
const values = Float64Array.from({ length: 8 }, (_, j) => j - 3.5)

onEveryBackend('token tensors', (tf) => {
  it.each([
    { layout: 'flat' },
    { layout: 'padded', side: 'left', width: 9 },
    { layout: 'padded', align: 'nextToken' },
  ] as const)('hold what broadcast writes: %j', (options) =>
    leakFree(tf(), () => {
      const { turn } = tokenTurns(batch, spans, options)
      const tensors = [
        tf().tensor(Float32Array.from(values), [2, 2, 2]),
        tf().tensor(turn, [1, turn.length], 'int32'),
      ] as const
      const tokens = tokenTensor(tf(), ...tensors, -7)
      expect(tokens.shape).toEqual([1, turn.length])
      same(tokens.dataSync(), broadcast(values, spans, { ...options, fill: -7 }))
      tf().dispose([tokens, ...tensors])
    }),
  )

  it('count the turns of a row from 0', () => {
    const { turn, rolloutTurn, numTurns } = tokenTurns(batch, spans)
    expect(numTurns).toBe(8)
    expect([...turn.subarray(0, 11)]).toEqual([8, 0, 0, 8, 0, 8, 1, 1, 2, 2, 3])
    expect([...rolloutTurn.subarray(0, 11)]).toEqual([-1, 0, 0, -1, 0, -1, 1, 1, 0, 0, 1])
    expect([...turn.subarray(16)]).toEqual([8, 8, 8, 8]) // not valid
  })

  it('need the batch of the spans', () => {
    expect(() => tokenTurns(turnBatch([{ rewards: [[1]] }]), spans)).toThrow(
      'tokenTurns: spans: expected those of a batch of 1 turns, got 8 turns',
    )
  })
})
