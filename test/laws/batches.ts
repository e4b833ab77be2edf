/**
 * C36–C38: a batch is its groups, a missing turn is a 0, and inputs stay as they are.
 */
import fc from 'fast-check'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { grpo } from '../../src/baselines/grpo.js'
import { turnBatch } from '../../src/batch/build.js'
import {
  allZero,
  batchOf,
  clean,
  columnsOf,
  ensure,
  gate,
  group,
  groups,
  type Law,
  law,
  near,
  rowsOf,
  same,
  sum,
  tau64,
  unit,
  weights,
} from './support.js'

export const C36: Law = law(
  'the result of a batch is that of its groups one by one, bit by bit',
  fc.record({ groups, weights, gate }),
  ({ groups, weights, gate }) => {
    const options = { ...weights, gate }
    same(
      tara(batchOf(...groups), options),
      groups.flatMap((rows) => [...tara(batchOf(rows), options)]),
    )
    same(
      grpo(batchOf(...groups), { reward: 'mean' }),
      groups.flatMap((rows) => [...grpo(batchOf(rows), { reward: 'mean' })]),
    )
  },
)

export const C36real: Law = law(
  'a group of other rewards beside it does not change a binary group',
  fc.record({
    rows: group(12, 8),
    others: fc.array(fc.array(unit, { maxLength: 6 }), { minLength: 1, maxLength: 6 }),
    weights,
  }),
  ({ rows, others, weights }) => {
    const both = turnBatch([{ rewards: others }, { rewards: rows }], { realRewards: true })
    const alone = tara(batchOf(rows), weights)
    const found = tara(both, weights)
    clean(found)
    same(found.subarray(found.length - alone.length), alone)
  },
)

export const C36padding: Law = law(
  'masked turns and invalid rollouts change nothing and get +0',
  fc.record({
    rows: group(12, 8),
    weights,
    place: fc.nat(),
    at: fc.nat(),
    noise: fc.array(fc.constantFrom(0, 1), { minLength: 13, maxLength: 13 }),
  }),
  ({ rows, weights, place, at, noise }) => {
    const column = place % (rows[0]!.length + 1)
    const row = at % (rows.length + 1)
    const wide = rows.map((values, i) => values.toSpliced(column, 0, noise[i]!))
    const invalid = wide[0]!.map((_, t) => noise[t]!)
    const rewards = wide.toSpliced(row, 0, invalid)
    const batch = turnBatch([
      {
        rewards,
        valid: rewards.map((_, i) => i !== row),
        masked: invalid.map((_, t) => t === column),
        numTurns: invalid.length,
      },
    ])
    for (const estimate of [(b: typeof batch) => tara(b, weights), (b: typeof batch) => grpo(b)]) {
      const found = rowsOf(batch, estimate(batch))
      allZero(found[row]!)
      allZero(found.map((values) => values[column]!))
      same(
        found.toSpliced(row, 1).flatMap((values) => values.toSpliced(column, 1)),
        estimate(batchOf(rows)),
      )
    }
  },
)

export const C37: Law = law(
  'where a golden trace made them due, missing turns lose what the present ones gain',
  fc.record({ rows: group(20, 12), weights, stops: fc.array(fc.nat(), { minLength: 20, maxLength: 20 }) }),
  ({ rows, weights, stops }) => {
    const T = rows[0]!.length
    const short = rows.map((row, i) => row.slice(0, stops[i]! % (T + 1)))
    const batch = turnBatch([{ rewards: short, numTurns: T }])
    const parts = taraParts(batch, weights)
    const A = columnsOf(batch, parts.advantage)
    const V = columnsOf(batch, parts.futureValue)
    const filled = batchOf(short.map((row) => [...row, ...new Array<number>(T - row.length).fill(0)]))
    same(parts.advantage, tara(filled, weights), 'as rewards of 0')
    A.forEach((column, t) => {
      const present = sum(column.filter((_, i) => short[i]!.length > t))
      const missing = sum(column.filter((_, i) => short[i]!.length <= t))
      const tolerance = column.length * (1e-12 + tau64(V[t]!))
      ensure(missing <= 0, () => `missing turns gain ${missing}`)
      near(present, -missing, tolerance)
    })
  },
)

export const C38: Law = law(
  'inputs stay as they are, every output has one clean value a turn',
  fc.record({ groups, weights, gate }),
  ({ groups, weights, gate }) => {
    const batch = batchOf(...groups)
    const before = structuredClone(batch)
    const options = Object.freeze({ ...weights, gate })
    const results = [...Object.values(taraParts(batch, options)), tara(batch, options), grpo(batch)]
    for (const result of results) {
      ensure(result.length === batch.reward.length, () => `${result.length} values`)
      clean(result)
    }
    for (const name of ['groupPtr', 'turnPtr', 'reward', 'reached', 'valid', 'hasGolden'] as const)
      same(batch[name], before[name], name)
  },
)
