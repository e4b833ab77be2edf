/**
 * C11–C13: where TARA becomes something simpler.
 */
import fc from 'fast-check'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { grpo } from '../../src/baselines/grpo.js'
import {
  allZero,
  batchOf,
  columnsOf,
  gamma,
  gate,
  group,
  groups,
  type Law,
  law,
  near,
  same,
  tau64,
  weights,
} from './support.js'

export const C11: Law = law(
  'the last turn has no future part',
  fc.record({ rows: group(), weights }),
  ({ rows, weights }) => {
    const batch = batchOf(rows)
    const parts = taraParts(batch, weights)
    allZero(columnsOf(batch, parts.future).at(-1)!)
    same(columnsOf(batch, parts.advantage).at(-1)!, columnsOf(batch, parts.local).at(-1)!)
  },
)

export const C12: Law = law(
  'with one turn TARA is its local part and GRPO, bit by bit',
  fc.record({ rows: group(40, 1), weights }),
  ({ rows, weights }) => {
    const batch = batchOf(rows)
    const parts = taraParts(batch, weights)
    same(parts.advantage, parts.local)
    for (const reward of ['trace', 'mean', 'discounted'] as const)
      same(parts.advantage, grpo(batch, { reward }), reward)
  },
)

export const C13: Law = law(
  'λ = 0 leaves the local part, bit by bit',
  fc.record({ groups, gamma, gate }),
  ({ groups, ...options }) => {
    const parts = taraParts(batchOf(...groups), { ...options, lambda: 0 })
    same(parts.advantage, parts.local)
  },
)

export const C13affine: Law = law(
  'A is affine in λ: A(λ) = (1−λ)·A(0) + λ·A(1)',
  fc.record({ groups, weights, gate }),
  ({ groups, weights: { gamma, lambda }, gate }) => {
    const batch = batchOf(...groups)
    const at = (value: number): Float64Array =>
      tara(batch, { gamma, gate, lambda: value, allowLambdaOne: true })
    const [none, some, all] = [at(0), at(lambda), at(1)]
    for (const [j, value] of some.entries())
      near(value, (1 - lambda) * none[j]! + lambda * all[j]!, 1e-13 + tau64([0]))
  },
)
