/**
 * How the advantages are spread at each turn: bins of equal width on both sides of 0, and exact zeros apart.
 */
import type { TurnBatch } from '../batch/layout.js'
import { eachColumn, mostTurns, type VoteRules } from '../diagnose/columns.js'
import type { Distribution } from './model-types.js'

/** Bins of one side. */
const BINS = 8

/** Counts the cells that vote by their advantage. */
export function distributionOf(batch: TurnBatch, advantage: Float64Array, rules: VoteRules): Distribution {
  let limit = 0
  eachColumn(batch, rules, (_g, _t, cells) => {
    for (const j of cells) limit = Math.max(limit, Math.abs(advantage[j]!))
  })
  const turns = Array.from({ length: mostTurns(batch) }, () => new Array<number>(2 * BINS + 1).fill(0))
  eachColumn(batch, rules, (_g, t, cells) => {
    for (const j of cells) turns[t]![binOf(advantage[j]!, limit)]!++
  })
  return { limit, bins: BINS, turns }
}

/** The bin of a value: 0 … BINS−1 negative, BINS exact zero, the rest positive. */
function binOf(value: number, limit: number): number {
  if (value === 0) return BINS
  const step = Math.min(BINS, Math.max(1, Math.ceil((Math.abs(value) / limit) * BINS)))
  return value < 0 ? BINS - step : BINS + step
}
