import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { narrowFile, narrowSource } from '../../scripts/make-kernels.js'
import { resolveTara, type TaraOptions } from '../../src/advantage/options.js'
import { plainGroups } from '../../src/advantage/plain.js'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { turnBatchFromFlat } from '../../src/batch/flat.js'
import type { TurnBatch } from '../../src/batch/layout.js'

interface Shape {
  readonly K: number
  readonly T: number
}

/** A batch of the shapes given; `next` is asked for the reward of every turn. */
function batchOf(shapes: readonly Shape[], next: () => number, rest: Partial<TurnBatch> = {}): TurnBatch {
  const groupPtr = [0]
  const turnPtr = [0]
  for (const { K, T } of shapes) {
    for (let k = 0; k < K; k++) turnPtr.push(turnPtr.at(-1)! + T)
    groupPtr.push(groupPtr.at(-1)! + K)
  }
  const reward = Float64Array.from({ length: turnPtr.at(-1)! }, next)
  return turnBatchFromFlat({ groupPtr, turnPtr, reward, realRewards: true, ...rest })
}

/** Numbers in [0, 1) from a seed. */
function numbers(seed: number): () => number {
  let state = seed | 1
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    state = (state ^ (state >>> 15)) + 0x6d2b79f5
    return (state >>> 0) / 2 ** 32
  }
}

/** What the plain path gives, written over garbage. */
function plain(batch: TurnBatch, options: Partial<TaraOptions> = {}): Float64Array {
  const advantage = new Float64Array(batch.reward.length).fill(Number.NaN)
  plainGroups(batch, resolveTara('plain', batch, options), { advantage })
  return advantage
}

/** Bit for bit, the sign of zero too. */
function expectSame(batch: TurnBatch, options: Partial<TaraOptions> = {}): void {
  const out = new Float64Array(batch.reward.length).fill(Number.NaN)
  const found = tara(batch, options, out)
  const wished = plain(batch, options)
  for (let j = 0; j < wished.length; j++)
    if (!Object.is(found[j], wished[j])) expect({ j, value: found[j] }).toEqual({ j, value: wished[j] })
}

const kinds: Record<string, (seed: number) => () => number> = {
  'zeros and ones': (seed) => {
    const next = numbers(seed)
    return () => (next() < 0.7 ? 1 : 0)
  },
  'mostly ones': (seed) => {
    const next = numbers(seed)
    return () => (next() < 0.97 ? 1 : 0)
  },
  'zeros of both signs and ones': (seed) => {
    const next = numbers(seed)
    return () => (next() < 0.5 ? 1 : next() < 0.5 ? 0 : -0)
  },
  quarters: (seed) => {
    const next = numbers(seed)
    return () => Math.floor(next() * 5) / 4
  },
  'any in [0, 1)': numbers,
  'equal ones': () => () => 0.1,
  'tiny and huge ratios': (seed) => {
    const next = numbers(seed)
    return () => 2 ** -Math.floor(next() * 1070)
  },
}

const gammas = [0, 1e-250, 0.1, 0.5, 0.9, 1]
const shape: fc.Arbitrary<Shape> = fc.record({
  K: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 33 })),
  T: fc.integer({ min: 0, max: 6 }),
})
const shapes: fc.Arbitrary<Shape[]> = fc.oneof(
  fc.array(shape, { minLength: 0, maxLength: 6 }),
  fc.tuple(shape, fc.integer({ min: 1, max: 5 })).map(([one, n]) => new Array<Shape>(n).fill(one)),
)
const settings: fc.Arbitrary<Partial<TaraOptions>> = fc.record({
  gamma: fc.constantFrom(...gammas),
  lambda: fc.constantFrom(0, 0.1, 0.5, 0.99),
  epsilon: fc.constantFrom(0, 1e-6, 1e300),
  futureIndex: fc.constantFrom('eq3' as const, 'eq7' as const),
  correction: fc.constantFrom(0 as const, 1 as const),
  scale: fc.constantFrom('std' as const, 'std' as const, 'none' as const),
  baseline: fc.constantFrom('mean' as const, 'mean' as const, 'leave-one-out' as const),
  gate: fc.constantFrom(
    'reward' as const,
    'none' as const,
    { threshold: 0.5 },
    { threshold: 0 },
    { threshold: 2 },
  ),
})

describe('tara is the plain path bit for bit', () => {
  for (const [kind, next] of Object.entries(kinds)) {
    it(`for K of 1 to 33 and few turns, rewards ${kind}`, () => {
      for (let K = 1; K <= 33; K++)
        for (let T = 1; T <= 5; T++) {
          const batch = batchOf(new Array(4).fill({ K, T }), next(K * 31 + T))
          for (const gamma of gammas) expectSame(batch, { gamma })
        }
    })

    it(`for ragged groups and any settings, rewards ${kind}`, () => {
      fc.assert(
        fc.property(shapes, settings, fc.integer(), (list, options, seed) => {
          expectSame(batchOf(list, next(seed)), options)
        }),
        { numRuns: 150 },
      )
    })

    it(`for long groups, rewards ${kind}`, () => {
      for (const T of [511, 512, 513, 1023, 1024, 1025])
        for (const K of [2, 8, 9, 16, 17])
          expectSame(batchOf([{ K, T }], next(T + K)), { gamma: K === 8 ? 0.99 : 0.5 })
    })
  }

  it('for wide groups, up to more than one pass takes', () => {
    for (const K of [64, 65, 4095, 4096, 4097])
      for (const kind of ['zeros and ones', 'any in [0, 1)'] as const)
        expectSame(batchOf([{ K, T: 3 }], kinds[kind]!(K)))
  })

  it('for futures so close that squares of their differences would be lost', () => {
    for (let K = 1; K <= 33; K++) {
      const next = numbers(K)
      const flat = (t: number): number => [1, 0, next() < 0.5 ? 1 : 0][t]!
      let j = 0
      const batch = batchOf(new Array(4).fill({ K, T: 3 }), () => flat(j++ % 3))
      for (const gamma of [1e-130, 1e-140, 1e-250]) expectSame(batch, { gamma })
      expectSame(batch, { gamma: 1e-250, epsilon: 0 })
    }
  })

  it('for rewards of any sign and size with the gate open', () => {
    fc.assert(
      fc.property(
        shapes,
        settings,
        fc.constantFrom(1, 1e-200, 1e200, 1e300),
        fc.integer(),
        (list, options, size, seed) => {
          const next = numbers(seed)
          expectSame(
            batchOf(list, () => (next() - 0.5) * size),
            { ...options, gate: 'none' },
          )
        },
      ),
      { numRuns: 200 },
    )
  })

  it('for groups that lack rollouts, turns or reached turns among complete ones', () => {
    fc.assert(
      fc.property(
        shapes,
        settings,
        fc.integer(),
        fc.constantFrom('fail', 'exclude', 'mask'),
        (list, options, seed, truncated) => {
          const next = numbers(seed)
          const rollouts = list.reduce<number>((sum, { K }) => sum + K, 0)
          const turns = list.reduce<number>((sum, { K, T }) => sum + K * T, 0)
          const flags = (length: number, share: number): Uint8Array =>
            Uint8Array.from({ length }, () => (next() < share ? 1 : 0))
          const valid = flags(rollouts, 0.95)
          const reached = flags(turns, 0.97)
          const masked = Uint8Array.from(
            list.flatMap(({ K, T }) => {
              const row = Array.from({ length: T }, () => (next() < 0.1 ? 1 : 0))
              return new Array<number[]>(K).fill(row).flat()
            }),
          )
          const isLost: boolean[] = []
          let i = 0
          for (const { K, T } of list)
            for (let k = 0; k < K; k++, i++) for (let t = 0; t < T; t++) isLost.push(valid[i] === 0)
          const rewards =
            list.length === 0
              ? []
              : isLost.map((lost, j) => (lost || reached[j] === 0 ? 0 : next() < 0.7 ? 1 : 0))
          let j = 0
          const batch = batchOf(list, () => rewards[j++]!, {
            valid,
            reached,
            ...(seed % 2 === 0 && { masked }),
            truncated: flags(rollouts, 0.1),
            hasGolden: flags(list.length, 0.5),
          })
          for (const unreached of [undefined, 'zero', 'exclude'] as const)
            expectSame(batch, { ...options, unreached, truncated: truncated as 'fail' })
        },
      ),
      { numRuns: 150 },
    )
  })

  it('for a gate of its own', () => {
    const batch = batchOf([{ K: 8, T: 4 }], kinds['zeros and ones']!(7))
    expectSame(batch, { gate: Float64Array.from(batch.reward, numbers(3)) })
  })

  it('and so are the parts', () => {
    const batch = batchOf(
      [
        { K: 8, T: 4 },
        { K: 9, T: 3 },
      ],
      kinds['zeros and ones']!(7),
    )
    expect(taraParts(batch).advantage).toEqual(tara(batch))
  })
})

describe('the generated kernels', () => {
  it('are those that scripts/make-kernels.ts writes', () => {
    expect(narrowFile()).toBe(narrowSource())
  })
})
