import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rescale } from '../../src/baselines/rescale.js'
import { turnBatch } from '../../src/batch/build.js'
import { turnBatchFromFlat } from '../../src/batch/flat.js'
import { clean, near } from '../laws/support.js'
import { entries, groups, ofRewards, sampleOf } from './samples.js'

describe('rescale', () => {
  it('makes the root mean square over the trained turns 1, for every estimator', () => {
    for (const { run } of entries)
      fc.assert(
        fc.property(groups, (list) => {
          const sample = sampleOf(list)
          const { reached } = sample.batch
          const A = run(sample)
          const found = rescale(sample.batch, A, 'rms')
          clean(found)
          const trained = found.filter((_, j) => reached[j] === 1)
          const root = Math.sqrt(trained.reduce((total, value) => total + value * value, 0) / trained.length)
          if (A.some((value) => value !== 0)) near(root, 1, 1e-12)
          for (const [j, value] of A.entries()) if (value === 0) expect(found[j]).toBe(0)
        }),
        { numRuns: 30 },
      )
  })

  it('is the same for a multiple', () => {
    const { batch } = ofRewards([
      [1, 0],
      [0.5, 1],
    ])
    const A = Float64Array.of(1, -2, 0, 4)
    for (const factor of [1e-300, 0.5, 1e300])
      for (const [j, value] of rescale(
        batch,
        A.map((x) => x * factor),
        'rms',
      ).entries())
        expect(value).toBeCloseTo(A[j]! / Math.sqrt(21 / 4), 12)
  })

  it('counts turns that valid rollouts reached and that are not masked', () => {
    const batch = turnBatch([
      {
        rewards: [
          [1, 1, 0],
          [0, 1],
          [1, 1, 1],
        ],
        masked: [false, true, false],
        valid: [true, true, false],
      },
    ])
    // Trained: turns 0 and 2 of rollout 0, turn 0 of rollout 1; turn 2 of it was not reached.
    const A = Float64Array.of(3, 9, 0, -3, 9, 9, 9, 9, 9)
    const root = Math.sqrt(18 / 3)
    for (const [j, value] of rescale(batch, A, 'rms').entries()) expect(value).toBeCloseTo(A[j]! / root, 12)
  })

  it('does not count invalid rollouts, even where a flat batch calls their turns reached', () => {
    const batch = turnBatchFromFlat({
      groupPtr: [0, 2],
      turnPtr: [0, 1, 2],
      reward: new Float64Array(2),
      valid: Uint8Array.of(1, 0),
    })
    expect([...rescale(batch, Float64Array.of(-4, 0), 'rms')]).toEqual([-1, 0])
  })

  it('leaves an all-zero batch, also without −0', () => {
    const { batch } = ofRewards([[1], [1]])
    for (const value of rescale(batch, Float64Array.of(0, -0), 'rms')) expect(value).toBe(0)
    expect(rescale(turnBatch([]), new Float64Array(0), 'rms')).toHaveLength(0)
  })

  it('writes out, which may be the advantages but not the rewards', () => {
    const { batch } = ofRewards([[1], [0.5]])
    const A = Float64Array.of(2, -2)
    const out = new Float64Array(2)
    expect(rescale(batch, A, 'rms', out)).toBe(out)
    expect([...A]).toEqual([2, -2])
    expect(rescale(batch, A, 'rms', A)).toBe(A)
    expect([...A]).toEqual([1, -1])
    expect(() => rescale(batch, A, 'rms', batch.reward)).toThrow('memory that batch.reward uses')
    const memory = new Float64Array(3)
    expect(() => rescale(batch, memory.subarray(0, 2), 'rms', memory.subarray(1))).toThrow(
      'memory that advantage uses',
    )
  })

  it.each<[string, unknown[]]>([
    ['rescale: unit: expected "rms", got "std"', [Float64Array.of(1, 1), 'std']],
    ['rescale: advantage: expected a Float64Array', [[1, 1], 'rms']],
    ['rescale: advantage: expected 2 values, one a turn, got 1', [Float64Array.of(1), 'rms']],
    ['rescale: advantage[1]: expected a finite number, got NaN', [Float64Array.of(1, Number.NaN), 'rms']],
  ])('says %s', (message, [advantage, unit]) => {
    const { batch } = ofRewards([[1], [0.5]])
    expect(() => rescale(batch, advantage as Float64Array, unit as 'rms')).toThrow(message)
  })
})
