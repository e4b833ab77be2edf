import { describe, expect, it } from 'vitest'
import type { TaraOptions } from '../../src/advantage/options.js'
import { taraParts } from '../../src/advantage/tara.js'
import { grpo } from '../../src/baselines/grpo.js'
import { turnBatch } from '../../src/batch/build.js'

/** `1101` → [1, 1, 0, 1]. */
const bits = (...rows: string[]): number[][] => rows.map((row) => [...row].map(Number))
const batchOf = (...rows: string[]) => turnBatch([{ rewards: bits(...rows) }])

function near(found: ArrayLike<number>, wished: readonly (readonly number[])[]): void {
  const flat = wished.flat()
  expect(found).toHaveLength(flat.length)
  for (const [j, value] of flat.entries()) expect(found[j], `value ${j}`).toBeCloseTo(value, 11)
}

/** A of turn t, a value a rollout. */
function turnOf(rows: string[], t: number, options?: Partial<TaraOptions>): number[] {
  const { advantage } = taraParts(batchOf(...rows), options)
  const T = rows[0]!.length
  return rows.map((_, i) => advantage[i * T + t]!)
}

const a = 0.577348935859
const b = 1.732046807578
const c = 0.999998000004

describe('worked example 1: three turns, one distractor', () => {
  const batch = batchOf('111', '101', '011', '110')
  const parts = taraParts(batch)

  it('has these future values', () => {
    expect([...parts.futureValue]).toEqual([1.5, 1, 0, 0.5, 0, 0, 0, 1, 0, 1, 0, 0])
  })

  it('has these parts', () => {
    near(parts.local, [
      [a, a, a],
      [a, -b, a],
      [-b, a, a],
      [a, a, -b],
    ])
    near(parts.future, [
      [1.341638386504, c, 0],
      [-0.447212795501, -c, 0],
      [-1.341638386504, c, 0],
      [0.447212795501, -c, 0],
    ])
  })

  it('has these advantages', () => {
    near(parts.advantage, [
      [1.248168129111, 1.077347935861, 0.577348935859],
      [0.353742538109, -2.23204580758, 0.577348935859],
      [-2.40286600083, 1.077347935861, 0.577348935859],
      [0.80095533361, 0.077349935857, -1.732046807578],
    ])
  })

  it('at ε = 0 has (3, −1, −3, 1)/√5 as its first future parts', () => {
    const { future, local } = taraParts(batch, { epsilon: 0 })
    for (const [i, value] of [3, -1, -3, 1].entries())
      expect(future[3 * i]).toBeCloseTo(value / Math.sqrt(5), 14)
    expect(local[0]).toBeCloseTo(1 / Math.sqrt(3), 14)
    expect(local[6]).toBeCloseTo(-Math.sqrt(3), 14)
  })

  it('with Eq. 7’s index halves V', () => {
    const eq7 = taraParts(batch, { futureIndex: 'eq7' })
    expect([...eq7.futureValue]).toEqual([...parts.futureValue].map((value) => value / 2))
    near(
      [0, 3, 6, 9].map((j) => eq7.advantage[j]!),
      [[1.248166929118, 0.353742938107, -2.402864800837, 0.800954933612]],
    )
  })

  it('has one value a rollout in GRPO', () => {
    near(grpo(batch), [
      [b, b, b],
      [-a, -a, -a],
      [-a, -a, -a],
      [-a, -a, -a],
    ])
    const [m, n] = [1.732038807652, -0.577346269217]
    near(grpo(batch, { reward: 'mean' }), [
      [m, m, m],
      [n, n, n],
      [n, n, n],
      [n, n, n],
    ])
  })
})

describe('worked example 2: a distractor', () => {
  const rows = ['01', '10', '00', '00']

  it('is punished with the gate', () => {
    near(turnOf(rows, 0), [[-a, b, -a, -a]])
    near(turnOf(rows, 1), [[b, -a, -a, -a]])
  })

  it('is rewarded without it', () => {
    near(taraParts(batchOf(...rows), { gate: 'none' }).futureValue, [
      [1, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ])
    near(turnOf(rows, 0, { gate: 'none' }), [
      [0.28867446793, 1.443372339648, -0.866023403789, -0.866023403789],
    ])
    near(turnOf(rows, 1, { gate: 'none' }), [[b, -a, -a, -a]])
  })

  it('is not seen by GRPO on the trace', () => {
    expect([...grpo(batchOf(...rows))]).toEqual(new Array(8).fill(0))
  })
})

describe('worked example 3: all pass the first turn', () => {
  const rows = ['110', '101', '110', '100']

  it('gives a correct first step a negative advantage', () => {
    near(turnOf(rows, 0), [[0.45226592596, -0.150755308653, 0.45226592596, -0.753776543267]])
    near(turnOf(rows, 1), [[c, -c, c, -c]])
    near(turnOf(rows, 2), [[-a, b, -a, -a]])
  })

  it('has a silent GRPO on the trace', () => {
    expect([...grpo(batchOf(...rows))]).toEqual(new Array(12).fill(0))
  })
})

describe('worked example 4: eight rollouts of four turns', () => {
  const rows = ['1111', '1110', '1100', '1000', '0000', '0111', '1011', '1111']

  it('has these advantages', () => {
    near(turnOf(rows, 0), [
      [1.199602640712, 1.02794644627, 0.684634057386, -0.00199072038],
      [-2.31138646382, -2.31138646382, 0.512977862944, 1.199602640712],
    ])
    const [p, q] = [1.351375981469, -1.779037169341]
    near(turnOf(rows, 1), [[p, 0.996433881639, 0.286549681978, q, q, p, q, p]])
    const [d, e] = [1.274594069247, -1.790990782077]
    near(turnOf(rows, 2), [[d, 0.274596069243, e, e, e, d, d, d]])
    near(turnOf(rows, 3), [[c, -c, -c, -c, -c, c, c, c]])
  })

  it('cannot tell a plain failure from a distractor', () => {
    const first = turnOf(rows, 0)
    expect(first[4]).toBe(first[5])
  })
})

describe('worked example 5: nobody passes the first turn', () => {
  it('gives the distractor exactly 0', () => {
    expect(turnOf(['00', '01', '00'], 0)).toEqual([0, 0, 0])
    near(turnOf(['00', '01', '00'], 1), [[-0.70710528119, 1.414210562379, -0.70710528119]])
  })
})

describe('worked example 8: eight scalars', () => {
  const R8 = turnBatch([{ rewards: [1, 0, 0, 1, 1, 0, 0, 0].map((r) => [r]) }])
  const values = (found: Float64Array): number[] => [found[0]!, found[1]!]

  it('has these values with the population σ, the sample σ, without a scale and against the others', () => {
    for (const [options, wished] of [
      [{}, [1.290992, -0.774595]],
      [{ correction: 1 }, [1.207612, -0.724567]],
      [{ correction: 1, epsilon: 1e-4 }, [1.207381, -0.724429]],
      [{ scale: 'none' }, [0.625, -0.375]],
      [{ scale: 'none', baseline: 'leave-one-out' }, [0.714286, -0.428571]],
    ] as const)
      for (const [j, value] of values(grpo(R8, options)).entries()) expect(value).toBeCloseTo(wished[j]!, 6)
  })
})
