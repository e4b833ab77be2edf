import { describe, expect, it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import { lossMask } from '../../src/tokens/mask.js'
import { tokenSpans } from '../../src/tokens/spans.js'

const batch = turnBatch([
  {
    rewards: [
      [1, 1],
      [1, 1],
    ],
    valid: [true, false],
  },
])
const spans = tokenSpans(batch, [
  { length: 5, turns: [[[0, 2]], [[3, 4]], [[4, 5]]] },
  { length: 3, turns: [[[0, 3]], []] },
])

describe('lossMask', () => {
  it('is 1 at trained tokens only: not at surplus turns, not in aborted rollouts', () => {
    expect([...lossMask(spans)]).toEqual([1, 1, 0, 1, 0, 0, 0, 0])
  })

  it('lies as the tokens lie', () => {
    expect([...lossMask(spans, { layout: 'padded', side: 'left', width: 6 })]).toEqual([
      ...[0, 1, 1, 0, 1, 0],
      ...[0, 0, 0, 0, 0, 0],
    ])
    expect([...lossMask(spans, { align: 'nextToken' })]).toEqual([1, 0, 1, 0, 0, 0])
  })

  it('writes all of a reused array and returns it', () => {
    const out = new Uint8Array(8).fill(255)
    expect(lossMask(spans, {}, out)).toBe(out)
    expect([...out]).toEqual([1, 1, 0, 1, 0, 0, 0, 0])
  })

  it('refuses what it cannot write into and options it does not take', () => {
    expect(() => lossMask(spans, {}, new Uint8Array(7))).toThrow(
      'lossMask: out: expected 8 values, one a token',
    )
    expect(() => lossMask(spans, {}, new Float32Array(8) as never)).toThrow(
      'lossMask: out: expected a Uint8Array',
    )
    expect(() => lossMask(spans, { fill: 1 } as never)).toThrow('lossMask: options.fill')
    expect(() => lossMask(spans, { layout: 'padded', width: 4 })).toThrow(
      'lossMask: options.width: expected at least 5, the longest sequence, got 4',
    )
  })
})
