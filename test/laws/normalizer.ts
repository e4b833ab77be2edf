/**
 * C1–C10: what normalization over the group guarantees.
 */
import fc from 'fast-check'
import { normalize } from '../../src/advantage/moments.js'
import { taraDefaults } from '../../src/advantage/options.js'
import { tara, taraParts } from '../../src/advantage/tara.js'
import {
  allZero,
  batchOf,
  columnsOf,
  ensure,
  gate,
  group,
  groups,
  isFlat,
  type Law,
  largest,
  law,
  mean,
  near,
  type Rows,
  realBatchOf,
  rowsOf,
  same,
  std,
  sum,
  tau64,
  weights,
} from './support.js'

const anyGroups = fc.record({ groups, weights, gate })

/** Parts of a batch, column by column. */
function columnsOfParts(sample: {
  groups: Rows[]
  weights: { gamma: number; lambda: number }
  gate: 'reward' | 'none' | { threshold: number }
}) {
  const batch = batchOf(...sample.groups)
  const parts = taraParts(batch, { ...sample.weights, gate: sample.gate })
  const r = columnsOf(batch, batch.reward)
  const local = columnsOf(batch, parts.local)
  const V = columnsOf(batch, parts.futureValue)
  const future = columnsOf(batch, parts.future)
  const advantage = columnsOf(batch, parts.advantage)
  return r.map((_, c) => ({
    r: r[c]!,
    V: V[c]!,
    local: local[c]!,
    future: future[c]!,
    advantage: advantage[c]!,
  }))
}

export const C1: Law = law('the advantages of a turn sum to zero', anyGroups, (sample) => {
  for (const { r, V, local, future, advantage } of columnsOfParts(sample)) {
    const K = r.length
    near(sum(local), 0, K * tau64(r), 'Σ local')
    near(sum(future), 0, K * tau64(V), 'Σ future')
    near(sum(advantage), 0, K * (tau64(r) + tau64(V)), 'Σ A')
  }
})

export const C2: Law = law(
  'their second moment is (σ/(σ+ε))², or 0 where all are equal',
  anyGroups,
  (sample) => {
    for (const { r, V, local, future } of columnsOfParts(sample))
      for (const [x, z] of [
        [r, local],
        [V, future],
      ] as const) {
        const wished = isFlat(x) ? 0 : (std(x) / (std(x) + 1e-6)) ** 2
        near(mean(z.map((value) => value ** 2)), wished, 4 * Math.sqrt(x.length) * tau64(x))
      }
  },
)

export const C3: Law = law('|local|, |future| < √(K−1) and |A| ≤ (1+λ)√(K−1)', anyGroups, (sample) => {
  for (const { r, local, future, advantage } of columnsOfParts(sample)) {
    const bound = Math.sqrt(r.length - 1)
    if (r.length === 1) continue
    ensure(largest(local) < bound, () => `local ${largest(local)}, bound ${bound}`)
    ensure(largest(future) < bound, () => `future ${largest(future)}, bound ${bound}`)
    ensure(largest(advantage) <= (1 + sample.weights.lambda) * bound, () => `A ${largest(advantage)}`)
  }
})

/** Distinct small integers and a few repeats: affine maps of them are exact. */
const column = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 2, maxLength: 40 })

const z = (x: readonly number[], rule: Partial<typeof taraDefaults> = {}): number[] => {
  const copy = Float64Array.from(x)
  normalize(copy, copy.length, { ...taraDefaults, ...rule })
  return Array.from(copy)
}

export const C3attained: Law = law(
  'at ε = 0 the bound √(K−1) is attained if and only if all other values are equal',
  column,
  (x) => {
    const bound = Math.sqrt(x.length - 1)
    const found = z(x, { epsilon: 0 })
    found.forEach((value, i) => {
      const others = x.filter((_, j) => j !== i)
      const isOdd = isFlat(others) && !isFlat(x)
      if (isOdd) near(Math.abs(value), bound, 1e-12)
      else ensure(Math.abs(value) < bound - 1e-9 || x.length === 1, () => `${value} at ${i} of ${x}`)
    })
  },
)

export const C3sample: Law = law('with the sample σ the bound is (K−1)/√K', column, (x) => {
  const bound = (x.length - 1) / Math.sqrt(x.length)
  const found = largest(z(x, { correction: 1, epsilon: 0 }))
  ensure(found <= bound * (1 + 1e-12), () => `${found} > ${bound}`)
})

export const C4: Law = law(
  'c passers of K have (K−c)/(√(c(K−c))+εK), failers −c/(√(c(K−c))+εK)',
  groups,
  (list) => {
    for (const epsilon of [1e-6, 0]) {
      const batch = batchOf(...list)
      const { local } = taraParts(batch, { epsilon })
      const r = columnsOf(batch, batch.reward)
      columnsOf(batch, local).forEach((found, column) => {
        const x = r[column]!
        const c = sum(x)
        const K = x.length
        found.forEach((value, i) => {
          const pull = epsilon === 0 ? Math.sqrt(x[i] ? (K - c) / c : c / (K - c)) : 0
          const wished = epsilon === 0 ? (x[i] ? pull : -pull) : (x[i]! - c / K) / (std(x) + epsilon)
          near(value, isFlat(x) ? 0 : wished, 1e-13)
        })
      })
    }
  },
)

const shuffled = group(40, 12).chain((rows) =>
  fc.record({
    rows: fc.constant(rows),
    order: fc.shuffledSubarray(
      rows.map((_, i) => i),
      { minLength: rows.length },
    ),
    weights,
  }),
)

export const C4order: Law = law(
  'the local part is the same bit by bit in any order of the rollouts',
  shuffled,
  (sample) => {
    const { rows, order } = sample
    const moved = batchOf(order.map((i) => rows[i]!))
    const still = batchOf(rows)
    const before = rowsOf(still, taraParts(still).local)
    same(
      taraParts(moved).local,
      order.flatMap((i) => before[i]!),
    )
  },
)

export const C5: Law = law('advantages move with their rollouts', shuffled, ({ rows, order, weights }) => {
  const still = batchOf(rows)
  const moved = batchOf(order.map((i) => rows[i]!))
  const V = columnsOf(still, taraParts(still, weights).futureValue)
  const before = rowsOf(still, tara(still, weights))
  const after = rowsOf(moved, tara(moved, weights))
  after.forEach((row, k) => {
    for (const [t, value] of row.entries()) near(value, before[order[k]!]![t]!, 2 * tau64(V[t]!))
  })
})

export const C6: Law = law('a turn where all are equal is literally +0', anyGroups, (sample) => {
  for (const { r, V, local, future } of columnsOfParts(sample)) {
    if (isFlat(r)) allZero(local)
    if (isFlat(V)) allZero(future)
  }
})

export const C6real: Law = law(
  'equal values of any size are literally +0, for every ε, divisor and baseline',
  fc.record({
    value: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }),
    K: fc.integer({ min: 1, max: 60 }),
    epsilon: fc.constantFrom(0, 1e-6, 1),
    correction: fc.constantFrom(0 as const, 1 as const),
    scale: fc.constantFrom('std' as const, 'none' as const),
    baseline: fc.constantFrom('mean' as const, 'leave-one-out' as const),
  }),
  ({ value, K, ...rule }) => allZero(z(new Array<number>(K).fill(value), rule)),
)

export const C7: Law = law('a group of one is all +0', group(1, 40), (rows) => {
  const parts = taraParts(batchOf(rows))
  for (const part of [parts.advantage, parts.local, parts.future]) allZero(part)
})

export const C8: Law = law(
  'x → ax + b multiplies by a(σ+ε)/(|a|σ+ε)',
  fc.record({
    x: column,
    a: fc.constantFrom(1, 2, 0.5, 8, -1, -2, 2 ** -20, 2 ** 20),
    b: fc.integer({ min: -20, max: 20 }),
    epsilon: fc.constantFrom(0, 1e-6, 1e-3),
  }),
  ({ x, a, b, epsilon }) => {
    if (isFlat(x)) return
    const moved = x.map((value) => a * value + b)
    const sigma = std(x)
    const factor = (a * (sigma + epsilon)) / (Math.abs(a) * sigma + epsilon)
    const before = z(x, { epsilon })
    const tolerance = tau64(moved, epsilon) + tau64(x, epsilon)
    for (const [i, value] of z(moved, { epsilon }).entries()) near(value, factor * before[i]!, tolerance)
  },
)

export const C9: Law = law(
  'a group and its copy together have the same advantages',
  fc.record({ rows: group(20, 12), weights }),
  ({ rows, weights }) => {
    const once = batchOf(rows)
    const twice = batchOf([...rows, ...rows])
    const before = tara(once, weights)
    const tolerances = columnsOf(once, taraParts(once, weights).futureValue).map((V) => 4 * tau64(V))
    const T = rows[0]!.length
    for (const [j, value] of tara(twice, weights).entries())
      near(value, before[j % before.length]!, tolerances[j % T]!)
  },
)

export const C10: Law = law(
  'raising one value never lowers its own z',
  fc.record({
    x: column,
    at: fc.nat(),
    by: fc.integer({ min: 0, max: 9 }),
    epsilon: fc.constantFrom(0, 1e-6, 0.5),
  }),
  ({ x, at, by, epsilon }) => {
    const i = at % x.length
    const raised = x.map((value, j) => (j === i ? value + by : value))
    const [before, after] = [z(x, { epsilon })[i]!, z(raised, { epsilon })[i]!]
    ensure(after >= before - 1e-12, () => `${before} → ${after}`)
  },
)

export const C10flip: Law = law(
  'turning an own failure into a success lowers no own advantage up to there, and lifts the local one there by 1 or more',
  fc.record({ rows: group(12, 12, 2), weights, at: fc.nat(), turn: fc.nat() }),
  ({ rows, weights, at, turn }) => {
    const i = at % rows.length
    const s = turn % rows[0]!.length
    if (rows[i]![s] === 1) return
    const raised = rows.map((row, m) => row.map((r, t) => (m === i && t === s ? 1 : r)))
    const [before, after] = [batchOf(rows), batchOf(raised)]
    const [low, high] = [taraParts(before, weights), taraParts(after, weights)]
    const tolerances = columnsOf(before, low.futureValue).map((V) => 1e-12 + tau64(V))
    const later = columnsOf(after, high.futureValue).map((V) => tau64(V))
    const [A, B] = [rowsOf(before, low.advantage)[i]!, rowsOf(after, high.advantage)[i]!]
    for (let t = 0; t <= s; t++)
      ensure(B[t]! >= A[t]! - tolerances[t]! - later[t]!, () => `turn ${t}: ${A[t]} → ${B[t]}`)
    const lift = rowsOf(after, high.local)[i]![s]! - rowsOf(before, low.local)[i]![s]!
    ensure(lift >= 1 * (1 - 2e-6) - 1e-12, () => `local rises by ${lift}`)
  },
)

export const C8public: Law = law(
  'the local part of a single turn moves with its rewards in the same way',
  fc.record({ x: column, a: fc.constantFrom(2, 0.5, -1), b: fc.integer({ min: -20, max: 20 }) }),
  ({ x, a, b }) => {
    const options = { gate: 'none', epsilon: 0 } as const
    const before = tara(realBatchOf(x.map((value) => [value])), options)
    const after = tara(realBatchOf(x.map((value) => [a * value + b])), options)
    for (const [i, value] of after.entries()) near(value, Math.sign(a) * before[i]!, 1e-11)
  },
)
