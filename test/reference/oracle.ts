/**
 * TARA and GRPO once more, slow and obvious: nested arrays, exact fractions for V, 64 digits for the moments.
 *
 * V is the double sum with powers that Eq. 3 writes, not a recursion; mathjs takes mean and deviation.
 */
import { all, type BigNumber, create, type Fraction, type MathJsInstance } from 'mathjs'

const math: MathJsInstance = create(all!, { number: 'BigNumber', precision: 64 })

/** A float64 as the fraction it is. */
export function exact(value: number): Fraction {
  let denominator = 1n
  while (!Number.isInteger(value)) {
    value *= 2
    denominator *= 2n
  }
  return math.fraction(BigInt(value), denominator)
}

const big = (value: Fraction): BigNumber =>
  math.divide(math.bignumber((value.s * value.n).toString()), math.bignumber(value.d.toString())) as BigNumber

/** V[i][t] = δ[i][t]·Σ_{k=0}^{T−t−2} γ^k·r[i][t+k+1]. Eq. 3 for turns counted from 0. */
export function exactFuture(rewards: number[][], gates: number[][], gamma: number): Fraction[][] {
  const T = rewards[0]?.length ?? 0
  const weight = Array.from({ length: T }, (_, k) => math.pow(exact(gamma), k) as Fraction)
  return rewards.map((row, i) =>
    row.map((_, t) => {
      let sum = math.fraction(0)
      for (let k = 0; t + k + 1 < T; k++)
        if (row[t + k + 1] !== 0)
          sum = math.add(sum, math.multiply(weight[k]!, exact(row[t + k + 1]!)) as Fraction) as Fraction
      return math.multiply(exact(gates[i]![t]!), sum) as Fraction
    }),
  )
}

/** (x − μ)/(σ + ε) with the population σ, or 0 where all are equal. */
export function exactScores(
  x: Fraction[],
  epsilon: number,
  kind: 'uncorrected' | 'unbiased' = 'uncorrected',
): number[] {
  if (x.length < 2 || x.every((value) => math.equal(value, x[0]!))) return x.map(() => 0)
  const values = x.map(big)
  const mean = math.mean(values) as BigNumber
  const divisor = math.add(
    math.bignumber(math.std(values, kind).toString()),
    math.bignumber(epsilon),
  ) as BigNumber
  return values.map((value) =>
    math.number(math.divide(math.subtract(value, mean) as BigNumber, divisor) as BigNumber),
  )
}

export interface ExactParts {
  futureValue: number[][]
  local: number[][]
  future: number[][]
  advantage: number[][]
}

/** All of TARA for one group of K rows of T rewards. */
export function exactTara(
  rewards: number[][],
  options: { gamma: number; lambda: number; epsilon: number; gates?: number[][] },
): ExactParts {
  const { gamma, lambda, epsilon, gates = rewards } = options
  const V = exactFuture(rewards, gates, gamma)
  const T = rewards[0]?.length ?? 0
  const scored = (table: Fraction[][]): number[][] => {
    const columns = Array.from({ length: T }, (_, t) =>
      exactScores(
        table.map((row) => row[t]!),
        epsilon,
      ),
    )
    return table.map((_, i) => columns.map((column) => column[i]!))
  }
  const local = scored(rewards.map((row) => row.map(exact)))
  const future = scored(V)
  return {
    futureValue: V.map((row) => row.map((value) => math.number(big(value)))),
    local,
    future,
    advantage: local.map((row, i) => row.map((z, t) => z + lambda * future[i]![t]!)),
  }
}

/** GRPO for one group: one scalar a row, and its score. */
export function exactGrpo(
  rewards: number[][],
  reward: 'trace' | 'mean' | 'discounted',
  gamma: number,
  epsilon: number,
): { scalar: number[]; advantage: number[] } {
  const scalars = rewards.map((row) => {
    const r = row.map(exact)
    if (reward === 'trace') return r.reduce((a, b) => math.multiply(a, b) as Fraction, math.fraction(1))
    const terms = r.map((value, t) =>
      reward === 'mean' ? value : (math.multiply(math.pow(exact(gamma), t) as Fraction, value) as Fraction),
    )
    const total = terms.reduce((a, b) => math.add(a, b) as Fraction, math.fraction(0))
    return reward === 'mean' ? (math.divide(total, row.length) as Fraction) : total
  })
  return {
    scalar: scalars.map((value) => math.number(big(value))),
    advantage: exactScores(scalars, epsilon),
  }
}
