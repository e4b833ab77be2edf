/**
 * `policyLoss` against a loop over tokens in float64, and its gradient against finite differences of that loop.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type LossOptions, policyLoss } from '../../src/tfjs/loss.js'
import type { Tensor } from '../../src/tfjs/ops.js'
import { ensure } from '../laws/support.js'
import { leakFree, onEveryBackend, type TestTf } from './backends.js'

interface Sample {
  readonly B: number
  readonly L: number
  readonly logProb: number[]
  readonly oldLogProb: number[]
  readonly advantage: number[]
  readonly mask: number[]
  readonly weights: number[]
  readonly turn: number[]
}

const numTurns = 3

const sample: fc.Arbitrary<Sample> = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 7 }))
  .chain(([B, L]) => {
    const list = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
      fc.array(value, { minLength: B * L, maxLength: B * L })
    const log = fc.integer({ min: -3000, max: 0 }).map((value) => value / 1000)
    return fc.record({
      B: fc.constant(B),
      L: fc.constant(L),
      logProb: list(log),
      oldLogProb: list(log),
      advantage: list(fc.integer({ min: -20, max: 20 }).map((value) => value / 8)),
      mask: list(fc.constantFrom(0, 1, 1, 1)),
      weights: list(fc.constantFrom(0, 0.25, 1, 2)),
      turn: list(fc.integer({ min: -1, max: numTurns - 1 })),
    })
  })

const isTrained = (s: Sample, j: number): boolean => s.mask[j] === 1 && s.weights[j]! > 0 && s.turn[j]! >= 0

/** ρ of every token. */
function ratios(s: Sample, logProb: readonly number[], ratio: LossOptions['ratio']): number[] {
  return logProb.map((_, j) => {
    const row = Math.floor(j / s.L)
    const shares = logProb
      .map((_, i) => i)
      .filter((i) => isTrained(s, i))
      .filter((i) => {
        if (ratio === 'token') return i === j
        return Math.floor(i / s.L) === row && (ratio === 'sequence' || s.turn[i] === s.turn[j])
      })
    const mean =
      shares.reduce((sum, i) => sum + logProb[i]! - s.oldLogProb[i]!, 0) / Math.max(shares.length, 1)
    return Math.exp(mean)
  })
}

function slowLoss(s: Sample, logProb: readonly number[], options: LossOptions): number {
  const rho = ratios(s, logProb, options.ratio)
  let sum = 0
  let total = 0
  for (let j = 0; j < logProb.length; j++) {
    if (!isTrained(s, j)) continue
    const clipped = Math.min(Math.max(rho[j]!, 1 - options.clipLow), 1 + options.clipHigh)
    sum += s.weights[j]! * Math.min(rho[j]! * s.advantage[j]!, clipped * s.advantage[j]!)
    total += s.weights[j]!
  }
  return total === 0 ? 0 : -sum / (options.divisor ?? total)
}

/** Whether a ratio lies so near to a clip that a small step crosses it: there the loss has no derivative. */
const isOnEdge = (s: Sample, options: LossOptions): boolean =>
  ratios(s, s.logProb, options.ratio).some((rho) =>
    [1 - options.clipLow, 1 + options.clipHigh].some((edge) => Math.abs(rho - edge) < 1e-3),
  )

const settings: fc.Arbitrary<LossOptions> = fc.record({
  ratio: fc.constantFrom('token' as const, 'turn' as const, 'sequence' as const),
  clipLow: fc.constantFrom(0.2, 0.5, 1),
  clipHigh: fc.constantFrom(0.2, 0.28, 5),
  divisor: fc.constantFrom(undefined, 3),
  numTurns: fc.constant(numTurns),
})

function tensorsOf(
  tf: TestTf,
  s: Sample,
): Record<'logProb' | 'oldLogProb' | 'advantage' | 'mask' | 'weights' | 'turn', Tensor> {
  const shape: [number, number] = [s.B, s.L]
  // what is not trained may hold anything
  const some = (values: number[]): number[] =>
    values.map((value, j) => (s.mask[j] === 0 ? [Number.NaN, Number.NEGATIVE_INFINITY][j % 2]! : value))
  return {
    logProb: tf.tensor(some(s.logProb), shape),
    oldLogProb: tf.tensor(some(s.oldLogProb), shape),
    advantage: tf.tensor(some(s.advantage), shape),
    mask: tf.tensor(s.mask, shape, 'bool'),
    weights: tf.tensor(s.weights, shape),
    turn: tf.tensor(s.turn, shape, 'int32'),
  }
}

onEveryBackend('policyLoss', (tf) => {
  it('is the clipped surrogate, for every ratio', () =>
    leakFree(tf(), () =>
      fc.assert(
        fc.property(sample, settings, (s, options) => {
          const tensors = tensorsOf(tf(), s)
          const loss = policyLoss(tf(), tensors, options)
          const [found] = loss.dataSync()
          tf().dispose([loss, ...Object.values(tensors)])
          const wished = slowLoss(s, s.logProb, options)
          ensure(Math.abs(found! - wished) <= 2e-5 * (1 + Math.abs(wished)), () => `${found}, not ${wished}`)
        }),
        { numRuns: 100 },
      ),
    ))

  it('has the gradient that finite differences have', () =>
    leakFree(tf(), () =>
      fc.assert(
        fc.property(sample, settings, (s, options) => {
          fc.pre(!isOnEdge(s, options))
          const tensors = tensorsOf(tf(), s)
          const gradient = tf().grad((logProb) => policyLoss(tf(), { ...tensors, logProb }, options))
          const result = gradient(tensors.logProb)
          const found = result.dataSync()
          tf().dispose([result, ...Object.values(tensors)])
          for (let j = 0; j < s.logProb.length; j++) {
            const moved = (by: number): number[] =>
              s.logProb.map((value, i) => (i === j ? value + by : value))
            const h = 1e-5
            const wished = (slowLoss(s, moved(h), options) - slowLoss(s, moved(-h), options)) / (2 * h)
            ensure(
              Math.abs(found[j]! - wished) <= 1e-4 * (1 + Math.abs(wished)),
              () => `token ${j}: ${found[j]}, not ${wished}`,
            )
          }
        }),
        { numRuns: 100 },
      ),
    ))

  it('is −Σ w·A / Σ w with the gradient −w·A / Σ w where nothing has moved', () => {
    const logProb = tf().tensor([[-1, -2, -3]])
    const advantage = tf().tensor([[1, -2, 4]])
    const input = { logProb, oldLogProb: logProb, advantage }
    expect(policyLoss(tf(), input).dataSync()[0]).toBeCloseTo(-1, 6)
    const gradient = tf().grad((x) => policyLoss(tf(), { ...input, logProb: x }))(logProb)
    for (const [j, wished] of [-1 / 3, 2 / 3, -4 / 3].entries())
      expect(gradient.dataSync()[j]).toBeCloseTo(wished, 6)
  })

  it('stays finite where a ratio would overflow, and is 0 without a trained token', () => {
    const far = {
      logProb: tf().tensor([[0]]),
      oldLogProb: tf().tensor([[-1000]]),
      advantage: tf().tensor([[-1]]),
    }
    expect(Number.isFinite(policyLoss(tf(), far).dataSync()[0])).toBe(true)
    const gradient = tf().grad((logProb) => policyLoss(tf(), { ...far, logProb }))(far.logProb)
    expect(gradient.dataSync()[0]! + 0).toBe(0)
    const none = { ...far, mask: tf().zeros([1, 1]) }
    expect(policyLoss(tf(), none).dataSync()[0]! + 0).toBe(0)
  })

  it.each(['token', 'turn', 'sequence'] as const)(
    'is NaN for a trained token whose log-probability is not finite, ratio %s',
    (ratio) => {
      for (const broken of [Number.NaN, Number.NEGATIVE_INFINITY])
        for (const name of ['logProb', 'oldLogProb'] as const) {
          const good = tf().tensor([[-1, -1, -1, -1]])
          const input = {
            logProb: good,
            oldLogProb: good,
            advantage: tf().tensor([[1, -1, 1, 1]]),
            turn: tf().tensor([[0, 0, 1, -1]], [1, 4], 'int32'),
          }
          const lossAt = (j: number): number | undefined => {
            const values = [-1, -1, -1, -1]
            values[j] = broken
            const given = { ...input, [name]: tf().tensor([values]) }
            const gradient = tf().grad((logProb) =>
              policyLoss(tf(), { ...given, logProb }, { ratio, numTurns: 2 }),
            )
            expect(Number.isNaN(gradient(given.logProb).dataSync()[j])).toBe(j !== 3)
            return policyLoss(tf(), given, { ratio, numTurns: 2 }).dataSync()[0]
          }
          expect(lossAt(1)).toBeNaN()
          expect(lossAt(3)).toBeCloseTo(-1 / 3, 5) // of no turn
        }
    },
  )

  it('is NaN for a trained token of a turn that the row has not', () => {
    const x = tf().zeros([1, 2])
    const input = { logProb: x, oldLogProb: x, advantage: tf().tensor([[1, 1]]) }
    const loss = (turns: number[]): number | undefined =>
      policyLoss(
        tf(),
        { ...input, turn: tf().tensor([turns], [1, 2], 'int32') },
        { ratio: 'turn', numTurns: 2 },
      ).dataSync()[0]
    expect(loss([0, 1])).toBe(-1)
    expect(loss([0, 2])).toBeNaN()
  })

  it('refuses fields that nobody reads, and more turns than a tensor holds', () => {
    const x = tf().zeros([2, 3])
    const input = { logProb: x, oldLogProb: x, advantage: x, turn: x }
    expect(() => policyLoss(tf(), { ...input, weight: x } as typeof input)).toThrow(
      'policyLoss: weight: expected one of logProb, oldLogProb, advantage, mask, weights, turn, got an unknown field',
    )
    expect(() => policyLoss(tf(), input, { ratio: 'turn', numTurns: 2 ** 31 })).toThrow(
      'policyLoss: options.numTurns: expected at most 268435456 over all tokens, got 2147483648',
    )
  })

  it('refuses shapes that differ, and a ratio by turn without turns', () => {
    const x = tf().zeros([2, 3])
    const y = tf().zeros([3, 2])
    const input = { logProb: x, oldLogProb: x, advantage: x }
    const loss = (more: object, options?: object) => () => policyLoss(tf(), { ...input, ...more }, options)
    expect(loss({ advantage: y })).toThrow(
      'policyLoss: advantage: expected a tensor of shape [2, 3], got [3, 2]',
    )
    expect(loss({ weights: y })).toThrow('policyLoss: weights: expected a tensor of shape [2, 3]')
    expect(loss({}, { ratio: 'turn', numTurns: 3 })).toThrow('policyLoss: turn: expected a tensor')
    expect(loss({ turn: x }, { ratio: 'turn' })).toThrow('policyLoss: options.numTurns: expected')
    expect(loss({}, { ratio: 'word' })).toThrow('policyLoss: options.ratio: expected one of')
    expect(loss({}, { clipLow: 2 })).toThrow(
      'policyLoss: options.clipLow: expected a number in [0, 1], got 2',
    )
    expect(loss({}, { divisor: 0 })).toThrow('policyLoss: options.divisor: expected a finite number above 0')
  })
})
