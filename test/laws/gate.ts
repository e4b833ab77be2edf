/**
 * C14–C25: what the gate guarantees; Theorem A.4 in its sharp form.
 *
 * All of it is claimed for δ = r and binary rewards only.
 */
import fc from 'fast-check'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { turnBatch } from '../../src/batch/build.js'
import {
  batchOf,
  columnsOf,
  ensure,
  gamma,
  group,
  groups,
  isFlat,
  type Law,
  lambda,
  law,
  near,
  type Rows,
  rowsOf,
  same,
  std,
  sum,
  tau64,
  weights,
} from './support.js'

const anyGroups = fc.record({ groups, weights })

interface Column {
  r: number[]
  V: number[]
  A: number[]
  /** τ64 of the advantages. */
  tau: number
}

function columns(list: Rows[], options: Parameters<typeof tara>[1]): Column[] {
  const batch = batchOf(...list)
  const parts = taraParts(batch, options)
  const r = columnsOf(batch, batch.reward)
  const V = columnsOf(batch, parts.futureValue)
  const A = columnsOf(batch, parts.advantage)
  const epsilon = options?.epsilon ?? 1e-6
  return r.map((_, c) => ({
    r: r[c]!,
    V: V[c]!,
    A: A[c]!,
    tau: tau64(r[c]!, epsilon) + tau64(V[c]!, epsilon),
  }))
}

const passersOf = ({ r, A }: Column): number[] => A.filter((_, i) => r[i] === 1)
const failersOf = ({ r, A }: Column): number[] => A.filter((_, i) => r[i] === 0)

export const C14: Law = law(
  '(A.4) a failed turn never has A > 0; A < 0 if and only if someone passed it, else +0',
  anyGroups,
  ({ groups, weights }) => {
    for (const column of columns(groups, weights))
      for (const A of failersOf(column))
        ensure(sum(column.r) > 0 ? A < 0 : Object.is(A, 0), () => `A is ${A} where ${column.r}`)
  },
)

export const C15: Law = law(
  'at ε = 0 a failer lies in [−(1+λ)√(c/(K−c)), −√(c/(K−c))], so at or below −1/√(K−1)',
  anyGroups,
  ({ groups, weights }) => {
    for (const column of columns(groups, { ...weights, epsilon: 0 })) {
      const K = column.r.length
      const c = sum(column.r)
      if (isFlat(column.r)) continue
      const odds = Math.sqrt(c / (K - c))
      for (const A of failersOf(column)) {
        ensure(A <= -odds + column.tau, () => `${A} > −${odds}`)
        ensure(A >= -(1 + weights.lambda) * odds - column.tau, () => `${A} < −(1+λ)·${odds}`)
        ensure(A <= -1 / Math.sqrt(K - 1) + column.tau, () => `${A} > −1/√(K−1)`)
      }
    }
  },
)

/** A first turn with a gate of its own, and any real reward after it. */
const realFutures = fc
  .array(
    fc.record({
      passed: fc.boolean(),
      later: fc.double({ min: -1e6, max: 1e6, noNaN: true, noDefaultInfinity: true }),
    }),
    { minLength: 2, maxLength: 12 },
  )
  .chain((list) => fc.record({ list: fc.constant(list), lambda }))

export const C15real: Law = law(
  'at ε = 0 a failer is never above 0 for any real future of the passers, if 0 ≤ λ < 1',
  realFutures,
  ({ list, lambda }) => {
    const rows = list.map(({ passed, later }) => [passed ? 1 : 0, later])
    const batch = turnBatch([{ rewards: rows }], { realRewards: true })
    const gate = Float64Array.from(list.flatMap(({ passed }) => [passed ? 1 : 0, 1]))
    const { advantage, local, future, futureValue } = taraParts(batch, { lambda, gate, epsilon: 0 })
    const tolerance = tau64(columnsOf(batch, futureValue)[0]!, 0)
    list.forEach(({ passed }, i) => {
      if (passed) return
      const j = 2 * i
      ensure(
        Math.abs(future[j]!) <= Math.abs(local[j]!) + tolerance,
        () => `future ${future[j]}, local ${local[j]}`,
      )
      ensure(advantage[j]! <= tolerance, () => `A ${advantage[j]}`)
    })
  },
)

export const C16: Law = law(
  'all failers of a turn have one A, bit by bit',
  anyGroups,
  ({ groups, weights }) => {
    for (const column of columns(groups, weights)) {
      const failers = failersOf(column)
      same(failers, new Array<number>(failers.length).fill(failers[0]!))
    }
  },
)

const changed = fc.record({
  rows: group(12, 12, 1, 2),
  weights,
  turn: fc.nat(),
  flips: fc.bigInt(0n, 2n ** 144n),
})

/** The rows with some rewards flipped, where `may` allows it. */
function flip(rows: Rows, flips: bigint, may: (i: number, s: number) => boolean): Rows {
  return rows.map((row, i) =>
    row.map((r, s) => (may(i, s) && (flips >> BigInt(i * row.length + s)) & 1n ? 1 - r : r)),
  )
}

export const C17: Law = law(
  'what follows a failed turn changes no advantage at that turn, bit by bit',
  changed,
  ({ rows, weights, turn, flips }) => {
    const t = turn % rows[0]!.length
    const other = flip(rows, flips, (i, s) => s > t && rows[i]![t] === 0)
    same(columns([other], weights)[t]!.A, columns([rows], weights)[t]!.A)
  },
)

export const C18: Law = law(
  'what went before a turn changes no advantage at that turn, bit by bit',
  changed,
  ({ rows, weights, turn, flips }) => {
    const t = turn % rows[0]!.length
    const other = flip(rows, flips, (_, s) => s < t)
    same(columns([other], weights)[t]!.A, columns([rows], weights)[t]!.A)
  },
)

export const C19: Law = law(
  'the worst passer is above the best failer by 1/(σ+ε) ≥ 2/(1+2ε) or more',
  anyGroups,
  ({ groups, weights }) => {
    for (const column of columns(groups, weights)) {
      if (isFlat(column.r)) continue
      const gap = Math.min(...passersOf(column)) - Math.max(...failersOf(column))
      const sigma = std(column.r)
      ensure(gap >= 1 / (sigma + 1e-6) - 2 * column.tau, () => `gap ${gap}, σ ${sigma}`)
      ensure(gap >= 2 / (1 + 2e-6) - 2 * column.tau, () => `gap ${gap}`)
    }
  },
)

export const C20: Law = law(
  'a passer lies in [−λ√(K−1), (1+λ)√(K−1)], below zero too',
  anyGroups,
  ({ groups, weights }) => {
    for (const column of columns(groups, weights)) {
      const bound = Math.sqrt(column.r.length - 1)
      for (const A of passersOf(column)) {
        ensure(A >= -weights.lambda * bound - column.tau, () => `${A} < −λ·${bound}`)
        ensure(A <= (1 + weights.lambda) * bound + column.tau, () => `${A} > (1+λ)·${bound}`)
      }
    }
  },
)

export const C21: Law = law(
  'without a gate a distractor can win if and only if λ > 1/(K−1)',
  fc.record({
    K: fc.integer({ min: 3, max: 40 }),
    off: fc.constantFrom(-0.01, 0.01),
    gamma,
  }),
  ({ K, off, gamma }) => {
    const rows = Array.from({ length: K }, (_, i) => (i === 0 ? [0, 1] : i === 1 ? [1, 0] : [0, 0]))
    const lambda = 1 / (K - 1) + off
    const [open, gated] = [{ gate: 'none' }, { gate: 'reward' }].map(
      ({ gate }) => tara(batchOf(rows), { gamma, lambda, gate: gate as 'none', epsilon: 0 })[0]!,
    )
    ensure(Math.sign(open!) === Math.sign(off), () => `A ${open} at λ = 1/(K−1) + ${off}`)
    ensure(gated! < 0, () => `gated ${gated}`)
  },
)

/** All passers of turn 0 share one future that is not empty. */
const sameFuture = fc
  .record({
    first: fc.array(fc.constantFrom(0, 1), { minLength: 2, maxLength: 12 }),
    later: fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 8 }),
    weights,
  })
  .map(({ first, later, weights }) => ({
    rows: first.map((r) => [r, 1, ...later]),
    weights,
  }))

export const C22: Law = law(
  'equal futures of the passers only repeat the local part: at ε = 0, A = (1+λ)·A_local',
  sameFuture,
  ({ rows, weights }) => {
    const batch = batchOf(rows)
    const exact = taraParts(batch, { ...weights, epsilon: 0 })
    const damped = taraParts(batch, weights)
    const T = rows[0]!.length
    const r = rows.map((row) => row[0]!)
    const S = Math.max(...columnsOf(batch, exact.futureValue)[0]!)
    rows.forEach((_, i) => {
      const j = i * T
      near(exact.future[j]!, exact.local[j]!, 1e-12)
      near(exact.advantage[j]!, (1 + weights.lambda) * exact.local[j]!, 2e-12)
      if (S === 0) return
      const gap = (1e-6 / std(r)) * Math.max(1, 1 / S)
      if (!isFlat(r)) near(damped.future[j]!, damped.local[j]!, Math.abs(damped.local[j]!) * gap + 1e-12)
    })
  },
)

export const C23: Law = law(
  'at ε = 0 a single later difference counts the same at every earlier turn, for any γ > 0',
  fc.record({
    last: fc.array(fc.constantFrom(0, 1), { minLength: 2, maxLength: 12 }),
    before: fc.integer({ min: 1, max: 8 }),
    gamma: fc.oneof(
      fc.constantFrom(0.1, 0.5, 0.9, 1),
      fc.double({ min: 0.1, max: 1, noNaN: true, noDefaultInfinity: true }),
    ),
  }),
  ({ last, before, gamma }) => {
    const rows = last.map((r) => [...new Array<number>(before).fill(1), r])
    const batch = batchOf(rows)
    const { future, futureValue } = taraParts(batch, { gamma, epsilon: 0 })
    const [found, values] = [columnsOf(batch, future), columnsOf(batch, futureValue)]
    for (let t = 0; t < before; t++)
      for (const [i, value] of found[t]!.entries())
        near(value, found[before - 1]![i]!, 2 * tau64(values[t]!, 0), `turn ${t}`)
  },
)

export const C24: Law = law(
  'appending a turn that all fail changes nothing before it, bit by bit',
  fc.record({ rows: group(12, 12), weights }),
  ({ rows, weights }) => {
    const longer = batchOf(rows.map((row) => [...row, 0]))
    const found = rowsOf(longer, tara(longer, weights)).flatMap((row) => row.slice(0, -1))
    same(found, tara(batchOf(rows), weights))
  },
)

export const C25: Law = law(
  'the gate multiplies the raw sum once: V = δ·Σ γ^k·r, never a sum of gated values',
  fc.record({ rows: group(8, 12), gamma }),
  ({ rows, gamma }) => {
    const batch = batchOf(rows)
    const V = rowsOf(batch, taraParts(batch, { gamma }).futureValue)
    rows.forEach((row, i) => {
      row.forEach((r, t) => {
        const later = row.slice(t + 1).map((value, k) => (k === 0 ? 1 : gamma ** k) * value)
        near(V[i]![t]!, r * sum(later), 1e-12)
      })
    })
  },
)
