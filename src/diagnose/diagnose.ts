/**
 * Where credit goes: a batch and its advantages, counted by turn index, by rollout and by group. Plain data, no text.
 *
 * `metrics.ts` makes flat keys of it, `docs/diagnostics.md` says how to read them.
 */

import { moments } from '../advantage/moments.js'
import { futureChecks, taraDefaults } from '../advantage/options.js'
import { checkLength } from '../batch/check.js'
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { between, resolveOptions } from '../options.js'
import { eachColumn, mostTurns, ruleChecks, ruleDefaults, type VoteRules } from './columns.js'
import { type CallCounts, readCounts } from './counts.js'
import { sigmaTally } from './sigma.js'
import { checkAdvantage, type Summary, summarize } from './summary.js'
import { type OutcomeTable, outcomeTable, type Traces, tracesOf } from './traces.js'
import {
  type CreditOptions,
  type Parts,
  type TurnCounts,
  type TurnDiagnosis,
  totalsOf,
  turnTally,
} from './turns.js'

export interface DiagnoseOptions extends VoteRules, CreditOptions {}

export const diagnoseDefaults: Readonly<DiagnoseOptions> = Object.freeze({
  ...ruleDefaults,
  gate: taraDefaults.gate,
  lambda: taraDefaults.lambda,
})

export interface Diagnosis {
  readonly summary: Summary
  /** `[largest T]` */
  readonly turns: readonly TurnDiagnosis[]
  /** The sums over all turn indices. */
  readonly total: TurnCounts
  /** Rollouts, each counted once. */
  readonly traces: Traces
  /** Present where the batch has outcomes. */
  readonly outcome: OutcomeTable | undefined
  /** `[11]` least, deciles and greatest of σ over the groups with voters; σ of a group is the mean over its turns. */
  readonly sigmaDeciles: readonly number[] | undefined
  /** Those that were given. */
  readonly counts: CallCounts
}

/** Counts where the credit of a batch went.
 * @param batch - not changed
 * @param parts - what `taraParts` returns; or `{ advantage }` of any estimator, and then nothing is said of gate and future
 * @param options - those that the advantages were computed with; see `diagnoseDefaults`
 * @param counts - from the reader of a log; names that are not of `CallCounts` are not read
 * @throws TaraError `OPTION`, `TYPE`, `LENGTH`, `RANGE` (a count)
 */
export function diagnose(
  batch: TurnBatch,
  parts: Parts,
  options?: Partial<DiagnoseOptions>,
  counts: CallCounts = {},
): Diagnosis {
  const resolved = resolveOptions<DiagnoseOptions>('diagnose', options, diagnoseDefaults, {
    ...ruleChecks,
    gate: futureChecks.gate,
    lambda: between(0, 1),
  })
  const { unreached, truncated, gate } = resolved
  for (const name of ['advantage', 'local', 'future'] as const)
    if (name === 'advantage' || parts[name] !== undefined)
      checkAdvantage(`diagnose: parts.${name}`, parts[name]!, batch)
  if (gate instanceof Float64Array) checkLength('diagnose: options.gate', gate, batch.reward.length, 'turn')

  const tally = turnTally(batch, parts, resolved, mostTurns(batch))
  const groups = sigmaTally(numGroups(batch))
  const column = new Float64Array(batch.turnPtr.length)
  eachColumn(batch, resolved, (g, t, cells) => {
    for (let k = 0; k < cells.length; k++) column[k] = batch.reward[cells[k]!]!
    const { std } = moments(column, cells.length, 0)
    tally.add(g, t, cells, std)
    if (cells.length > 0) groups.add(g, std)
  })
  const turns = tally.finish()
  return {
    summary: summarize(batch, parts.advantage, { unreached, truncated }),
    turns,
    total: totalsOf(turns),
    traces: tracesOf(batch, resolved),
    outcome: outcomeTable(batch, unreached),
    sigmaDeciles: groups.deciles(),
    counts: readCounts('diagnose: counts', counts),
  }
}
