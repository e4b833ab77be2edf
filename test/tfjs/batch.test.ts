/**
 * `taraOnTensors`: any batch, the core's places and zeros, the tolerance that was asked for.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { taraParts } from '../../src/advantage/tara.js'
import { turnBatch } from '../../src/batch/build.js'
import type { RewardGroup } from '../../src/batch/shape.js'
import { type BatchOptions, taraOnTensors } from '../../src/tfjs/batch.js'
import { binaryRows, clean, ensure, gamma, same } from '../laws/support.js'
import { leakFree, onEveryBackend } from './backends.js'

const size = fc.integer({ min: 1, max: 8 })

/** A group of any shape: short rows, invalid, cut off and masked parts among them. */
const rewardGroup = (value?: fc.Arbitrary<number>): fc.Arbitrary<RewardGroup> =>
  fc.tuple(size, size).chain(([K, T]) => {
    const flags = (length: number): fc.Arbitrary<boolean[]> =>
      fc.oneof(
        fc.constant(new Array<boolean>(length).fill(false)),
        fc.array(fc.boolean(), { minLength: length, maxLength: length }),
      )
    const rows =
      value === undefined
        ? binaryRows(fc.constant(K), fc.constant(T))
        : fc.array(fc.array(value, { minLength: T, maxLength: T }), { minLength: K, maxLength: K })
    return fc
      .record({
        rows,
        lengths: fc.array(fc.integer({ min: 0, max: 3 * T }), { minLength: K, maxLength: K }),
        aborted: flags(K),
        truncated: flags(K),
        masked: flags(T),
        hasGolden: fc.boolean(),
      })
      .map(({ rows, lengths, aborted, truncated, masked, hasGolden }) => {
        const cut = rows.map((row, i) => row.slice(0, lengths[i]!))
        const longest = Math.max(...cut.map((row) => row.length))
        return {
          rewards: cut,
          ...(hasGolden && { numTurns: T }),
          valid: aborted.map((flag) => !flag),
          truncated,
          masked: masked.slice(0, hasGolden ? T : longest),
        }
      })
  })

const options: fc.Arbitrary<Partial<BatchOptions>> = fc.record({
  gamma: fc.oneof(fc.constantFrom(0, 0.5, 1), gamma),
  lambda: fc.constantFrom(0, 0.5, 0.9),
  gate: fc.constantFrom('reward' as const, 'none' as const, { threshold: 0.3 }),
  futureIndex: fc.constantFrom('eq3' as const, 'eq7' as const),
  unreached: fc.constantFrom(undefined, 'zero' as const, 'exclude' as const),
  truncated: fc.constantFrom('fail' as const, 'exclude' as const, 'mask' as const),
  scale: fc.constantFrom('std' as const, 'none' as const),
  correction: fc.constantFrom(0 as const, 1 as const),
  baseline: fc.constantFrom('mean' as const, 'leave-one-out' as const),
})

const names = ['local', 'future', 'advantage'] as const

onEveryBackend('taraOnTensors', (tf) => {
  const agrees = (value?: fc.Arbitrary<number>) =>
    fc.asyncProperty(
      fc.array(rewardGroup(value), { minLength: 1, maxLength: 6 }),
      options,
      fc.constantFrom(1e-4, 1e-2),
      async (groups, given, tolerance) => {
        const batch = turnBatch(groups, { realRewards: value !== undefined })
        const run = await taraOnTensors(tf(), batch, { ...given, tolerance })
        const core = taraParts(batch, given)
        expect(run.ranOn).toBe('tfjs')
        for (const name of names) {
          clean(run[name], name)
          core[name].forEach((wished, j) => {
            const off = Math.abs(run[name][j]! - wished)
            const allowed = given.scale === 'none' ? tolerance * Math.max(1, Math.abs(wished)) : 2 * tolerance
            ensure(off <= allowed, () => `${name}[${j}]: ${run[name][j]}, not ${wished}`)
          })
        }
        for (const name of ['local', 'future'] as const)
          for (let i = 0; i + 1 < batch.groupPtr.length; i++) {
            const T = (batch.turnPtr[batch.groupPtr[i]! + 1] ?? 0) - batch.turnPtr[batch.groupPtr[i]!]!
            for (let t = 0; t < T; t++) {
              const turn = (values: Float64Array): boolean => {
                for (let k = batch.groupPtr[i]!; k < batch.groupPtr[i + 1]!; k++)
                  if (values[batch.turnPtr[k]! + t] !== 0) return false
                return true
              }
              ensure(turn(run[name]) === turn(core[name]), () => `${name}: zeros of group ${i}, turn ${t}`)
            }
          }
      },
    )

  it('agrees with the core on ragged batches of zeros and ones', () =>
    leakFree(tf(), () => fc.assert(agrees(), { numRuns: 100 })))

  it('agrees with the core on other rewards, nearly equal ones among them', () =>
    leakFree(tf(), () =>
      fc.assert(
        agrees(
          fc.oneof(
            fc.constantFrom(0, 1, 0.1, 0.1 + 1e-9, 0.1 + 1e-6, 0.3, 1e-30, 1 - 2 ** -53),
            fc.double({ min: 0, max: 1, noNaN: true }),
          ),
        ),
        { numRuns: 300 },
      ),
    ))

  it('takes rewards that float32 cannot hold, and long traces, to the core', async () => {
    const huge = turnBatch([{ rewards: [[1e200], [-1e200]] }, { rewards: [[1], [0]] }], { realRewards: true })
    const run = await taraOnTensors(tf(), huge, { gate: 'none' })
    expect(run.coreGroups).toBe(1)
    same(run.advantage.subarray(0, 2), taraParts(huge, { gate: 'none' }).advantage.subarray(0, 2))

    const row = new Array<number>(150).fill(1)
    const long = turnBatch([{ rewards: [row, [...row.slice(1), 0], row] }])
    const onCore = await taraOnTensors(tf(), long)
    expect(onCore.coreGroups).toBe(1)
    same(onCore.future, taraParts(long).future)
  })

  it('takes a turn whose error bound exceeds the tolerance to the core, and with it its group', async () => {
    const near = turnBatch(
      [
        {
          rewards: [
            [0.5, 1],
            [0.5 + 1e-7, 0],
            [0.5, 1],
          ],
        },
        {
          rewards: [
            [1, 0],
            [0, 1],
          ],
        },
      ],
      { realRewards: true },
    )
    const run = await taraOnTensors(tf(), near)
    expect(run.coreGroups).toBe(1)
    same(run.local.subarray(0, 6), taraParts(near).local.subarray(0, 6))
    expect((await taraOnTensors(tf(), near, { tolerance: 0 })).coreGroups).toBe(2)
    expect((await taraOnTensors(tf(), near, { tolerance: 1 })).coreGroups).toBe(0)
  })

  it('does not take rewards for zeros and ones that only float32 rounds to them', async () => {
    const batch = turnBatch([{ rewards: [[], [1], [1 - 2 ** -53]] }, { rewards: [[1], [1], [0]] }], {
      realRewards: true,
    })
    const run = await taraOnTensors(tf(), batch, { gamma: 0 })
    expect(run.coreGroups).toBe(1)
    same(run.local.subarray(0, 3), taraParts(batch, { gamma: 0 }).local.subarray(0, 3))
    expect(run.local[1]).toBeGreaterThan(0)
  })

  it('tells the nearly equal from the equal as the core does, at a γ that float32 cannot hold', async () => {
    const golden = (Math.sqrt(5) - 1) / 2
    const batch = turnBatch([
      {
        rewards: [
          [1, 0, 0, 0, 0, 1, 1, 0, 1],
          [1, 0, 0, 0, 1, 0, 0, 0, 1],
        ],
      },
      {
        rewards: [
          [1, 1, 1],
          [1, 1, 1],
        ],
      },
    ])
    const run = await taraOnTensors(tf(), batch, { gamma: golden, gate: 'none' })
    const core = taraParts(batch, { gamma: golden, gate: 'none' })
    expect(run.coreGroups).toBe(1)
    same(run.future.subarray(0, 18), core.future.subarray(0, 18))
  })

  it('computes on the core where that is asked for, and by itself on a CPU backend', async () => {
    const batch = turnBatch([
      {
        rewards: [
          [1, 0],
          [0, 1],
        ],
      },
    ])
    for (const backend of ['core', 'auto'] as const) {
      const run = await taraOnTensors(tf(), batch, { backend })
      expect(run.ranOn).toBe('core')
      same(run.advantage, taraParts(batch).advantage)
    }
    const gpu = { ...tf(), getBackend: () => 'webgpu' }
    expect((await taraOnTensors(gpu, batch, { backend: 'auto' })).ranOn).toBe('core') // a small batch
  })

  it('writes into the memory it is given', async () => {
    const batch = turnBatch([
      {
        rewards: [
          [1, 0],
          [0, 1],
        ],
      },
    ])
    const out = { advantage: new Float64Array(4).fill(9), future: new Float64Array(4) }
    const run = await taraOnTensors(tf(), batch, {}, out)
    expect(run.advantage).toBe(out.advantage)
    expect(run.future).toBe(out.future)
  })

  it('refuses what tara refuses, and wrong backends and tolerances', async () => {
    const batch = turnBatch([{ rewards: [[1], [0]] }])
    const refused = (options: object, message: string): Promise<void> =>
      expect(taraOnTensors(tf(), batch, options)).rejects.toThrow(message)
    await refused(
      { backend: 'gpu' },
      'taraOnTensors: options.backend: expected one of "core", "tfjs", "auto", got "gpu"',
    )
    await refused(
      { tolerance: -1 },
      'taraOnTensors: options.tolerance: expected a finite number, 0 or more, got -1',
    )
    await refused({ gamma: 2 }, 'taraOnTensors: options.gamma: expected a number in [0, 1], got 2')
    await expect(taraOnTensors(tf(), batch, {}, { local: batch.reward })).rejects.toThrow(
      'taraOnTensors: out.local: expected memory of its own',
    )
  })
})
