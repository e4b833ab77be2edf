/**
 * A diagnosis as flat metrics, for a trainer's log. Names are stable; what has no data is left out, so no value is NaN.
 */
import type { Diagnosis } from './diagnose.js'
import type { FilterCounts } from './filter.js'
import type { Credit, Signs, TurnCounts } from './turns.js'

type Metrics = Record<string, number>

/** Adds `part / whole`, unless there is nothing to divide by. */
function share(into: Metrics, name: string, part: number | undefined, whole: number | undefined): void {
  if (part !== undefined && whole !== undefined && whole > 0) into[name] = part / whole
}

function value(into: Metrics, name: string, number: number | undefined): void {
  if (number !== undefined) into[name] = number
}

function creditShares(into: Metrics, prefix: string, credit: Credit | undefined): void {
  if (credit === undefined) return
  share(into, `${prefix}gate_open_share`, credit.gateOpen, credit.gated)
  share(into, `${prefix}future_share`, credit.futureSize, credit.localSize + credit.futureSize)
}

function signShares(into: Metrics, prefix: string, signs: Signs): void {
  share(into, `${prefix}correct_negative_share`, signs.correctNegative, signs.correct)
  share(into, `${prefix}failed_positive_share`, signs.failedPositive, signs.failed)
}

function flatShares(
  into: Metrics,
  prefix: string,
  { columns, flat, flatAllRight, flatAllWrong }: TurnCounts,
): void {
  share(into, `${prefix}flat_share`, flat, columns)
  share(into, `${prefix}flat_all_right_share`, flatAllRight, columns)
  share(into, `${prefix}flat_all_wrong_share`, flatAllWrong, columns)
}

/** Flattens a diagnosis: `tara/trace_success`, `tara/turn_2/flat_share`, …; see docs/diagnostics.md for each name.
 *
 * Shares and rates are in [0, 1]; sizes and σ are in reward units; counts are whole numbers. All are finite. Never throws
 * for what `diagnose` returned.
 */
export function metrics(diagnosis: Diagnosis): Record<string, number> {
  const { summary, turns, total, traces, outcome, sigmaDeciles, counts } = diagnosis
  const into: Metrics = {
    'tara/groups': summary.groups,
    'tara/rollouts': summary.rollouts,
    'tara/aborted_rollouts': summary.aborted,
    'tara/truncated_rollouts': summary.truncated,
  }
  share(into, 'tara/trace_success', traces.success, traces.rollouts)
  share(into, 'tara/silent_group_share', summary.zeroVarianceGroups, summary.groups)
  share(into, 'tara/singleton_group_share', summary.singletonGroups, summary.groups)
  flatShares(into, 'tara/', total)
  creditShares(into, 'tara/', total.credit)
  signShares(into, 'tara/', total)
  share(into, 'tara/unreached_share', total.unreached, total.due)
  share(into, 'tara/outcome_agreement', outcome?.agree, outcome?.rollouts)
  share(into, 'tara/outcome_only_share', outcome?.outcomeOnly, outcome?.rollouts)
  share(into, 'tara/trace_only_share', outcome?.traceOnly, outcome?.rollouts)
  value(into, 'tara/surplus_turns', counts.surplusTurns)
  value(into, 'tara/early_calls', counts.earlyCalls)
  share(into, 'tara/extra_call_rate', counts.extraCalls, counts.testedCalls)
  share(into, 'tara/malformed_call_rate', counts.malformedCalls, counts.testedCalls)
  share(into, 'tara/one_turn_early_share', counts.oneTurnEarly, counts.missedTurns)
  share(into, 'tara/one_turn_late_share', counts.oneTurnLate, counts.missedTurns)
  sigmaDeciles?.forEach((sigma, tenth) => {
    into[`tara/group_sigma_p${tenth * 10}`] = sigma
  })
  for (const turn of turns) {
    const prefix = `tara/turn_${turn.turn}/`
    value(into, `${prefix}mean_reward`, turn.meanReward)
    value(into, `${prefix}sigma`, turn.sigma)
    flatShares(into, prefix, turn)
    creditShares(into, prefix, turn.credit)
    signShares(into, prefix, turn)
    share(into, `${prefix}unreached_share`, turn.unreached, turn.due)
    share(into, `${prefix}first_miss_share`, traces.firstMiss[turn.turn], traces.rollouts)
  }
  return into
}

const reasonKeys: Readonly<Record<keyof FilterCounts['dropped'], string>> = {
  truncated: 'truncated',
  minGroupSize: 'min_group_size',
  meanReward: 'mean_reward',
  flat: 'flat',
}

/** Flattens the receipt of `filterGroups`: `tara/filter/kept_groups`, `tara/filter/flat_rollouts`, … Never throws for what
 * `filterGroups` returned. */
export function filterMetrics(counts: FilterCounts): Record<string, number> {
  const into: Metrics = {
    'tara/filter/kept_groups': counts.keptGroups,
    'tara/filter/kept_rollouts': counts.keptRollouts,
  }
  for (const reason of Object.keys(reasonKeys) as (keyof FilterCounts['dropped'])[]) {
    into[`tara/filter/${reasonKeys[reason]}_groups`] = counts.dropped[reason].groups
    into[`tara/filter/${reasonKeys[reason]}_rollouts`] = counts.dropped[reason].rollouts
  }
  return into
}
