import { describe, expect, it } from 'vitest'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { gatedReturn, standardReturn } from '../../src/advantage/values.js'
import { grpo } from '../../src/baselines/grpo.js'
import { turnBatch } from '../../src/batch/build.js'
import { turnBatchFromFlat } from '../../src/batch/flat.js'
import type { TurnBatch } from '../../src/batch/layout.js'

const batch = turnBatch([
  { rewards: [[1, 1], [1, 0], [0]], valid: [true, true, true] },
  { rewards: [[1], [0], [1]], valid: [true, true, false] },
  { rewards: [] },
])
const estimators: [string, (batch: TurnBatch, out?: Float64Array) => Float64Array][] = [
  ['tara', (batch, out) => tara(batch, {}, out)],
  ['grpo', (batch, out) => grpo(batch, {}, out)],
  ['standardReturn', (batch, out) => standardReturn(batch, {}, out)],
  ['gatedReturn', (batch, out) => gatedReturn(batch, {}, out)],
]

describe.each(estimators)('out of %s', (name, estimate) => {
  it('is written everywhere and returned, whatever it held', () => {
    const out = new Float64Array(batch.reward.length).fill(Number.NaN)
    expect(estimate(batch, out)).toBe(out)
    expect(out).toEqual(estimate(batch))
  })

  it('is not touched by an error', () => {
    const out = new Float64Array(batch.reward.length).fill(7)
    const broken = { ...batch, reward: batch.reward.map((r) => r + 0.5) }
    expect(() => estimate(broken, out)).toThrow(`${name}: batch.reward[0]: expected 0 or 1, got 1.5`)
    expect(out.every((value) => value === 7)).toBe(true)
  })

  it('has one value a turn', () => {
    expect(() => estimate(batch, new Float64Array(3))).toThrow(
      `${name}: out: expected ${batch.reward.length} values, one a turn, got 3`,
    )
    const single = new Float32Array(batch.reward.length) as unknown
    expect(() => estimate(batch, single as Float64Array)).toThrow(`${name}: out: expected a Float64Array`)
  })

  it('may not be the rewards, not even in part', () => {
    const memory = new Float64Array(3)
    const flat = turnBatchFromFlat({ groupPtr: [0, 2], turnPtr: [0, 1, 2], reward: memory.subarray(0, 2) })
    expect(() => estimate(flat, memory.subarray(1, 3))).toThrow(
      `${name}: out: expected memory of its own, got memory that batch.reward uses`,
    )
    expect(() => estimate(flat, flat.reward)).toThrow('batch.reward')
  })

  it('may not be the other arrays of the batch', () => {
    const memory = new ArrayBuffer(64)
    const turnPtr = new Int32Array(memory, 8, 3)
    turnPtr.set([0, 1, 2])
    const reached = new Uint8Array(memory, 40, 2).fill(1)
    const flat = turnBatchFromFlat({
      groupPtr: [0, 2],
      turnPtr,
      reward: new Float64Array(2),
      reached,
    })
    for (const [at, taken] of [
      [0, 'turnPtr'],
      [40, 'reached'],
    ] as const)
      expect(() => estimate(flat, new Float64Array(memory, at, 2))).toThrow(
        `${name}: out: expected memory of its own, got memory that batch.${taken} uses`,
      )
    expect([...turnPtr, ...reached]).toEqual([0, 1, 2, 1, 1])
  })

  it('is empty for an empty batch', () => {
    expect(estimate(turnBatch([]))).toHaveLength(0)
    expect(estimate(turnBatch([{ rewards: [] }]))).toHaveLength(0)
    expect(estimate(turnBatch([{ rewards: [[], []] }]))).toHaveLength(0)
  })
})

describe('out of taraParts', () => {
  it('takes any of the parts and makes the others', () => {
    const local = new Float64Array(batch.reward.length).fill(Number.NaN)
    const parts = taraParts(batch, {}, { local })
    expect(parts.local).toBe(local)
    expect(parts).toEqual(taraParts(batch))
    expect(parts.advantage).toEqual(tara(batch))
  })

  it('may be used again', () => {
    const parts = taraParts(batch)
    const again = taraParts(batch, { gamma: 0 }, parts)
    expect(again.advantage).toBe(parts.advantage)
    expect(again).toEqual(taraParts(batch, { gamma: 0 }))
  })

  it('may not hold one array twice', () => {
    const local = new Float64Array(batch.reward.length)
    expect(() => taraParts(batch, {}, { local, future: local })).toThrow(
      'taraParts: out.future: expected memory of its own, got memory that out.local uses',
    )
  })

  it('may not be the gate', () => {
    const gate = new Float64Array(batch.reward.length)
    expect(() => taraParts(batch, { gate }, { local: gate })).toThrow('memory that options.gate uses')
    expect(() => tara(batch, { gate }, gate)).toThrow('memory that options.gate uses')
  })

  it('has no part of another name', () => {
    const out = { total: new Float64Array(batch.reward.length) }
    expect(() => taraParts(batch, {}, out as object)).toThrow(
      'taraParts: out.total: expected one of advantage',
    )
  })
})
