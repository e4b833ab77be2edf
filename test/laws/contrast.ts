/**
 * C40, C41: when an estimator is silent; and what A_future is not.
 */
import fc from 'fast-check'
import { normalize } from '../../src/advantage/moments.js'
import { taraDefaults } from '../../src/advantage/options.js'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { grpo } from '../../src/baselines/grpo.js'
import {
  batchOf,
  columnsOf,
  ensure,
  gamma,
  gate,
  group,
  groups,
  isFlat,
  type Law,
  law,
  rowsOf,
  same,
  weights,
} from './support.js'

const isSilent = (values: Float64Array): boolean => values.every((value) => Object.is(value, 0))

export const C40: Law = law(
  'GRPO on the trace is silent if and only if all traces tie',
  fc.oneof(group(6, 4), group()),
  (rows) => {
    const traces = rows.map((row) => (row.every((r) => r === 1) ? 1 : 0))
    ensure(isSilent(grpo(batchOf(rows))) === isFlat(traces), () => `traces ${traces}`)
  },
)

export const C41: Law = law(
  'TARA is silent if and only if all rows of rewards are the same',
  fc.record({ rows: fc.oneof(group(3, 3), group()), weights }),
  ({ rows, weights }) => {
    const isSame = rows.every((row) => row.every((r, t) => r === rows[0]![t]))
    ensure(isSilent(tara(batchOf(rows), weights)) === isSame, () => `silent is not ${isSame}`)
  },
)

export const FUTURE: Law = law(
  'A_future is the normalized future value: it is made from V alone, one mean and one σ a turn',
  fc.record({ groups, gamma, gate }),
  ({ groups, gamma, gate }) => {
    const batch = batchOf(...groups)
    const { future, futureValue } = taraParts(batch, { gamma, gate })
    const found = columnsOf(batch, future)
    columnsOf(batch, futureValue).forEach((column, c) => {
      const x = Float64Array.from(column)
      normalize(x, x.length, taraDefaults)
      same(found[c]!, x)
    })
  },
)

/** Σ_{k≥1} γ^(k−1)·A_local[t+k]: normalize first, add up later. */
export function summedLocals(rows: number[][], gamma: number): number[][] {
  const batch = batchOf(rows)
  return rowsOf(batch, taraParts(batch).local).map((local) => {
    const total = new Array<number>(local.length).fill(0)
    for (let t = local.length - 2; t >= 0; t--) total[t] = local[t + 1]! + gamma * total[t + 1]!
    return total
  })
}
