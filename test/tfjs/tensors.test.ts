/**
 * `taraTensors` against the float64 core: C39 of the method, and the same zeros.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaraOptions } from '../../src/advantage/options.js'
import { taraParts } from '../../src/advantage/tara.js'
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'
import type { Tensor } from '../../src/tfjs/ops.js'
import type { TensorOptions } from '../../src/tfjs/options.js'
import { type TensorParts, taraTensors } from '../../src/tfjs/tensors.js'
import {
  binaryRows,
  clean,
  columnsOf,
  ensure,
  isFlat,
  largest,
  type Rows,
  same,
  std,
} from '../laws/support.js'
import { leakFree, onEveryBackend, type TestTf } from './backends.js'

const names = ['advantage', 'local', 'future'] as const

/** Reads the parts, and disposes of them and of what they were made from. */
function read(
  tf: TestTf,
  parts: TensorParts,
  ...inputs: Tensor[]
): Record<(typeof names)[number], Float32Array> {
  const values = {
    advantage: parts.advantage.dataSync() as Float32Array,
    local: parts.local.dataSync() as Float32Array,
    future: parts.future.dataSync() as Float32Array,
  }
  tf.dispose([...Object.values(parts), ...inputs])
  return values
}

/** Equal groups of rows of equal length as a tensor. */
function tensorOf(tf: TestTf, groups: readonly Rows[]): Tensor {
  const shape: [number, number, number] = [groups.length, groups[0]!.length, groups[0]![0]!.length]
  return tf.tensor(Float32Array.from(groups.flat(2)), shape)
}

function onTensors(
  tf: TestTf,
  groups: readonly Rows[],
  options?: Partial<TensorOptions>,
): ReturnType<typeof read> {
  const rewards = tensorOf(tf, groups)
  return read(tf, taraTensors(tf, rewards, options), rewards)
}

/** τ32 of each turn, over its voters: 1e-6·√K + 32·2⁻²⁴·max|x| / (σ + ε); a part that is only centered has no divisor. */
function tolerances(
  batch: TurnBatch,
  values: Float64Array,
  { epsilon = 1e-6, scale = 'std' }: Partial<TaraOptions>,
  votes: Float64Array,
): number[] {
  const columns = columnsOf(batch, votes)
  return columnsOf(batch, values).map((column, c) => {
    const x = column.filter((_, k) => columns[c]![k] === 1)
    if (x.length === 0 || isFlat(x)) return 1e-6
    const divisor = scale === 'std' ? std(x) + epsilon : 1
    return 1e-6 * Math.sqrt(x.length) + (32 * 2 ** -24 * largest(x)) / divisor
  })
}

/** The parts agree within τ32; zeros are where the core has them. */
function agree(
  batch: TurnBatch,
  found: ReturnType<typeof read>,
  options: Partial<TaraOptions>,
  hasSameZeros = true,
  votes = new Float64Array(batch.reward.length).fill(1),
): void {
  const core = taraParts(batch, options)
  const local = tolerances(batch, batch.reward, options, votes)
  const future = tolerances(batch, core.futureValue, options, votes)
  for (const name of names) {
    clean(found[name], name)
    const columns = columnsOf(batch, Float64Array.from(found[name]))
    columnsOf(batch, core[name]).forEach((column, c) => {
      const tau = name === 'local' ? local[c]! : name === 'future' ? future[c]! : local[c]! + future[c]!
      column.forEach((wished, k) => {
        const value = columns[c]![k]!
        ensure(Math.abs(value - wished) <= tau, () => `${name}, turn ${c}: ${value}, not ${wished} (±${tau})`)
      })
      if (hasSameZeros)
        ensure(
          columns[c]!.every((value) => value === 0) === column.every((value) => value === 0),
          () => `${name}, turn ${c}: ${columns[c]} for ${column}`,
        )
    })
  }
}

const groupsOfOneShape = (maxK: number, maxT: number): fc.Arbitrary<Rows[]> =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: maxK }),
      fc.integer({ min: 1, max: maxT }),
    )
    .chain(([G, K, T]) =>
      fc.array(binaryRows(fc.constant(K), fc.constant(T)), { minLength: G, maxLength: G }),
    )

const settings = fc.record({
  lambda: fc.constantFrom(0, 0.3, 0.5, 0.9),
  gate: fc.constantFrom('reward' as const, 'none' as const, { threshold: 0.5 }),
  futureIndex: fc.constantFrom('eq3' as const, 'eq7' as const),
  scale: fc.constantFrom('std' as const, 'none' as const),
  correction: fc.constantFrom(0 as const, 1 as const),
  baseline: fc.constantFrom('mean' as const, 'leave-one-out' as const),
  epsilon: fc.constantFrom(1e-6, 1e-2, 0),
})

onEveryBackend('taraTensors', (tf) => {
  it('agrees with the core within τ32, with the same zeros, at γ = 0.5', async () => {
    await leakFree(tf(), () =>
      fc.assert(
        fc.property(groupsOfOneShape(17, 20), settings, (groups, options) => {
          const batch = turnBatch(groups.map((rewards) => ({ rewards })))
          agree(batch, onTensors(tf(), groups, options), options)
        }),
        { numRuns: 100 },
      ),
    )
  })

  it('agrees with the core at any γ', async () => {
    const gamma = fc.oneof(fc.constantFrom(0, 0.1, 1 / 3, 0.9, 1), fc.double({ min: 0, max: 1, noNaN: true }))
    await leakFree(tf(), () =>
      fc.assert(
        fc.property(groupsOfOneShape(17, 20), settings, gamma, (groups, rest, gamma) => {
          const options = { ...rest, gamma, epsilon: 1e-6 }
          const batch = turnBatch(groups.map((rewards) => ({ rewards })))
          agree(batch, onTensors(tf(), groups, options), options, false)
        }),
        { numRuns: 100 },
      ),
    )
  })

  it('takes a mask of reached turns, of valid rollouts, and a gate as a tensor', async () => {
    const bit = fc.constantFrom(0, 1)
    const shape = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
    const sample = shape.chain(([K, T]) =>
      fc.record({
        rows: binaryRows(fc.constant(K), fc.constant(T)),
        lengths: fc.array(fc.integer({ min: 0, max: T }), { minLength: K, maxLength: K }),
        valid: fc.array(bit, { minLength: K, maxLength: K }),
        gate: fc.array(fc.constantFrom(0, 0.25, 1), { minLength: K * T, maxLength: K * T }),
      }),
    )
    const rule = fc.constantFrom('zero' as const, 'exclude' as const)
    await leakFree(tf(), () =>
      fc.assert(
        fc.property(sample, rule, settings, ({ rows, lengths, valid, gate }, unreached, options) => {
          const K = rows.length
          const T = rows[0]!.length
          const cut = rows.map((row, i) => row.slice(0, lengths[i]!))
          const batch = turnBatch([{ rewards: cut, numTurns: T, valid: valid.map((v) => v === 1) }])
          const rewards = tensorOf(tf(), [rows]) // what the mask covers is not looked at
          const masks = {
            reached: tf().tensor(
              Array.from({ length: K * T }, (_, j) => (j % T < lengths[Math.floor(j / T)]! ? 1 : 0)),
              [1, K, T],
              'int32',
            ),
            valid: tf().tensor(valid, [1, K], 'bool'),
            gate: tf().tensor(gate, [1, K, T]),
          }
          const found = read(
            tf(),
            taraTensors(tf(), rewards, { ...options, ...masks, unreached }),
            rewards,
            ...Object.values(masks),
          )
          const votes = batch.reached.map((reached, j) =>
            valid[Math.floor(j / T)] === 1 && (reached === 1 || unreached === 'zero') ? 1 : 0,
          )
          const same = { ...options, gate: Float64Array.from(gate), unreached }
          agree(batch, found, same, true, Float64Array.from(votes))
        }),
        { numRuns: 100 },
      ),
    )
  })

  it('gives +0 for equal values that float32 cannot hold exactly, and takes large and small ones', () => {
    const flat = onTensors(tf(), [Array.from({ length: 57 }, () => [1.9, 0.4])], { gate: 'none' })
    for (const name of names) same(flat[name], new Float32Array(114))
    for (const size of [1e-36, 1e-12, 1, 1e12, 1e36]) {
      const { local } = onTensors(tf(), [[[-size], [size]]], { gate: 'none', epsilon: 0 })
      expect(Math.abs(local[0]! + 1)).toBeLessThan(1e-6)
      expect(Math.abs(local[1]! - 1)).toBeLessThan(1e-6)
    }
  })

  it('gives rollouts with the same future bit by bit the same value', () => {
    fc.assert(
      fc.property(binaryRows(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 2, max: 30 })), (rows) => {
        const T = rows[0]!.length
        const alike = rows.map((row, i) => [i % 2, ...rows[0]!.slice(1), row[0]!].slice(0, T))
        const { future } = onTensors(tf(), [alike], { gate: 'none', gamma: (Math.sqrt(5) - 1) / 2 })
        for (let k = 0; k < alike.length; k++) ensure(future[k * T] === 0, () => `future ${future[k * T]}`)
      }),
      { numRuns: 30 },
    )
  })

  it('keeps the worked examples D1 to D5', () => {
    const d1 = onTensors(tf(), [
      [
        [1, 1, 1],
        [1, 0, 1],
        [0, 1, 1],
        [1, 1, 0],
      ],
    ])
    const wished = [
      1.248168129111, 1.077347935861, 0.577348935859, 0.353742538109, -2.23204580758, 0.577348935859,
      -2.40286600083, 1.077347935861, 0.577348935859, 0.80095533361, 0.077349935857, -1.732046807578,
    ]
    for (const [j, value] of wished.entries()) expect(Math.abs(d1.advantage[j]! - value)).toBeLessThan(4e-6)
    const d2 = onTensors(
      tf(),
      [
        [
          [0, 1],
          [1, 0],
          [0, 0],
          [0, 0],
        ],
      ],
      { gate: 'none' },
    )
    expect(Math.abs(d2.advantage[0]! - 0.28867446793)).toBeLessThan(4e-6)
    const d5 = onTensors(tf(), [
      [
        [0, 0],
        [0, 1],
        [0, 0],
      ],
    ])
    same(
      [0, 2, 4].map((j) => d5.advantage[j]!),
      [0, 0, 0],
    )
  })

  it('returns zeros of the shape where there is nothing', async () => {
    await leakFree(tf(), () => {
      const rewards = tf().zeros([2, 0, 3])
      const parts = taraTensors(tf(), rewards)
      expect(parts.advantage.shape).toEqual([2, 0, 3])
      tf().dispose([rewards, ...Object.values(parts)])
    })
  })

  describe('refuses', () => {
    const refused = (options: object, message: RegExp): void => {
      const rewards = tf().zeros([1, 2, 3])
      expect(() => taraTensors(tf(), rewards, options)).toThrow(message)
      tf().dispose(rewards)
    }

    it('options that tensors have no room for', () => {
      refused(
        { truncated: 'mask' },
        /^taraTensors: options\.truncated: expected nothing, as tensors carry no status/,
      )
      refused({ realRewards: true }, /options\.realRewards: expected nothing/)
      refused(
        { gate: new Float64Array(6) },
        /options\.gate: expected "reward", "none", .* a tensor \[G, K, T\]/,
      )
      refused({ lambda: 1 }, /options\.lambda: expected a number in \[0, 1\)/)
      refused({ rollouts: 1 }, /an unknown option/)
    })

    it('what is no tensor, or one of another shape', () => {
      const flat = tf().zeros([6])
      expect(() => taraTensors(tf(), flat)).toThrow(
        'taraTensors: rewards: expected a tensor of shape [any, any, any], got [6]',
      )
      expect(() => taraTensors(tf(), [] as never)).toThrow('rewards: expected a tensor')
      expect(() => taraTensors({} as never, flat)).toThrow('taraTensors: tf: expected the tfjs namespace')
      refused({ reached: flat }, /options\.reached: expected a tensor of shape \[1, 2, 3\], got \[6\]/)
      refused({ valid: flat }, /options\.valid: expected a tensor of shape \[1, 2\], got \[6\]/)
      tf().dispose(flat)
    })
  })
})
