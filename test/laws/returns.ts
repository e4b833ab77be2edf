/**
 * C27–C30: Eq. 3 against Eq. 7, Theorem A.2, and the size of the fused advantage.
 */
import fc from 'fast-check'
import { taraParts } from '../../src/advantage/tara.js'
import { gatedReturn, standardReturn } from '../../src/advantage/values.js'
import {
  allZero,
  batchOf,
  columnsOf,
  ensure,
  gamma,
  group,
  groups,
  isFlat,
  type Law,
  largest,
  law,
  mean,
  near,
  std,
  tau64,
  variance,
  weights,
} from './support.js'

export const C27: Law = law(
  'Eq. 7’s future part is Eq. 3’s times γ(σ+ε)/(γσ+ε); at γ = 0 it is +0',
  fc.record({ groups, gamma }),
  ({ groups, gamma }) => {
    const batch = batchOf(...groups)
    const eq3 = taraParts(batch, { gamma, futureIndex: 'eq3' })
    const eq7 = taraParts(batch, { gamma, futureIndex: 'eq7' })
    if (gamma === 0) {
      allZero(eq7.futureValue)
      allZero(eq7.future)
      return
    }
    const [V, A3, A7] = [eq3.futureValue, eq3.future, eq7.future].map((part) => columnsOf(batch, part))
    V!.forEach((values, c) => {
      const sigma = std(values)
      const factor = (gamma * (sigma + 1e-6)) / (gamma * sigma + 1e-6)
      const tolerance = 2 * tau64(values) + 2 * tau64(values.map((value) => gamma * value))
      values.forEach((_, i) => {
        near(A7![c]![i]!, factor * A3![c]![i]!, tolerance)
      })
    })
  },
)

export const C27zero: Law = law('at γ = 0, Eq. 3’s V is δ·r of the next turn', group(), (rows) => {
  const { futureValue } = taraParts(batchOf(rows), { gamma: 0 })
  const wished = rows.flatMap((row) => row.map((r, t) => r * (row[t + 1] ?? 0)))
  for (const [j, value] of futureValue.entries()) ensure(Object.is(value, wished[j]), () => `V ${value}`)
})

/** Var(G_ours)/Var(G_std) over the rollouts that passed turn t, against the wished ratio. */
function ratioIs(futureIndex: 'eq3' | 'eq7', wished: (lambda: number, gamma: number) => number) {
  return (sample: { rows: number[][]; gamma: number; lambda: number }): void => {
    const { rows, gamma, lambda } = sample
    const batch = batchOf(rows)
    const ours = columnsOf(batch, gatedReturn(batch, { gamma, lambda, futureIndex }))
    const standard = columnsOf(batch, standardReturn(batch, { gamma }))
    standard.forEach((column, t) => {
      const isValid = (_: number, i: number): boolean => rows[i]![t] === 1
      const [G, F] = [ours[t]!.filter(isValid), column.filter(isValid)]
      if (G.length < 2 || isFlat(F)) return
      const rounding = 64 * 2 ** -53 * (largest(G) / (std(G) + 1e-300) + largest(F) / std(F))
      const ratio = wished(lambda, gamma)
      near(variance(G), ratio * variance(F), variance(F) * (ratio + 1) * (1e-12 + rounding))
    })
  }
}

const discounts = fc.record({
  rows: group(20, 10),
  gamma: fc.constantFrom(0.25, 0.5, 0.75, 0.9, 1),
  lambda: fc.constantFrom(0, 0.25, 0.5, 0.9),
})

export const C28: Law = law(
  '(A.2) given a valid turn, Var(G_ours) = λ²·Var(G_std) with Eq. 7',
  discounts,
  ratioIs('eq7', (lambda) => lambda ** 2),
)

export const C28eq3: Law = law(
  'given a valid turn, the ratio is (λ/γ)² with Eq. 3: 1 at λ = γ',
  discounts,
  ratioIs('eq3', (lambda, gamma) => (lambda / gamma) ** 2),
)

export const C30: Law = law(
  'at ε = 0 the mean A² of a turn is 1 + λ² + 2λρ, ρ = μ_V·√((1−p)/p)/σ_V in (0, 1]',
  fc.record({ groups, weights }),
  ({ groups, weights }) => {
    const { lambda } = weights
    const batch = batchOf(...groups)
    const parts = taraParts(batch, { ...weights, epsilon: 0 })
    const [R, V, A] = [batch.reward, parts.futureValue, parts.advantage].map((part) => columnsOf(batch, part))
    R!.forEach((r, c) => {
      const v = V![c]!.map((value) => value / (largest(V![c]!) || 1)) // ρ has no unit, and V may be very small
      if (isFlat(r) || isFlat(v)) return
      const p = mean(r)
      const rho = (mean(v) * Math.sqrt((1 - p) / p)) / std(v)
      const tolerance = 8 * Math.sqrt(r.length) * (tau64(r, 0) + tau64(v, 0))
      ensure(rho > 0 && rho <= 1 + tolerance, () => `ρ ${rho}`)
      near(mean(A![c]!.map((a) => a ** 2)), 1 + lambda ** 2 + 2 * lambda * rho, tolerance)
    })
  },
)
