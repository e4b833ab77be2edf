/**
 * The closing lines of a run, for stderr.
 */
import type { Diagnosis } from '../diagnose/diagnose.js'
import type { Extent, Summary } from '../diagnose/summary.js'
import type { LogCounts } from '../formats/log-types.js'
import type { TokenSpans } from '../tokens/spans.js'

const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`

const extent = ({ min, max }: Extent): string => (min === max ? `${min}` : `${min} to ${max}`)

const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`

function share(part: number, whole: number): string {
  return whole === 0 ? '' : ` (${percent(part, whole)})`
}

/** A block of lines, each ended. */
export function summaryLines(summary: Summary, counts: LogCounts, spans: TokenSpans | undefined): string {
  const s = summary
  const lines = [
    `${count(s.groups, 'group')}, ${count(s.rollouts, 'rollout')}: K ${extent(s.K)}, T ${extent(s.T)}`,
    `flat turns: ${s.flatTurns} of ${s.turns}${share(s.flatTurns, s.turns)}, all right ${s.flatAllRight}, all wrong ${s.flatAllWrong}`,
    `groups without any signal: ${s.zeroVarianceGroups} of ${s.groups}`,
    `failed turns: ${s.failedTurns}; correct turns with negative advantage: ${s.correctNegative}`,
    `unreached turns: ${s.unreached}; surplus turns: ${counts.surplusTurns}`,
    `extra calls: ${counts.extraCalls}; malformed calls: ${counts.malformedCalls}; calls before the first turn: ${counts.earlyCalls}`,
  ]
  if (s.aborted + s.truncated > 0) lines.push(`aborted rollouts: ${s.aborted}; truncated: ${s.truncated}`)
  if (counts.invalid > 0) lines.push(`rollouts with an invalid reward, taken as aborted: ${counts.invalid}`)
  if (s.singletonGroups > 0) lines.push(`groups of one rollout, all zeros: ${s.singletonGroups}`)
  if (s.outcome)
    lines.push(`rewards agree with the outcome: ${s.outcome.agree} of ${s.outcome.rollouts} rollouts`)
  if (spans) lines.push(`tokens trained: ${spans.counts.trainedTokens} of ${spans.tokenPtr.at(-1)}`)
  return lines.map((line) => `${line}\n`).join('')
}

/** Turns that are listed; the rest is in the metrics. */
const MAX_TURNS = 8

const listed = (values: readonly string[]): string =>
  values.slice(0, MAX_TURNS).join(' ') + (values.length > MAX_TURNS ? ' …' : '')

/** Where the credit went, in a few lines, each ended. */
export function diagnosisLines({ turns, total, traces, counts }: Diagnosis): string {
  if (turns.length === 0) return ''
  const rewards = turns.map(({ meanReward }) => (meanReward === undefined ? '-' : meanReward.toFixed(2)))
  const lines = [
    `mean reward by turn: ${listed(rewards)}`,
    `first miss by turn: ${listed(traces.firstMiss.map(String))}; rollouts without one: ${traces.success} of ${traces.rollouts}`,
  ]
  if (total.credit !== undefined) {
    const { gated, gateOpen, localSize, futureSize } = total.credit
    lines.push(
      `gate open: ${gateOpen} of ${gated} turns with a later one; future part of |A|: ${percent(futureSize, localSize + futureSize)}`,
    )
  }
  if (total.failedPositive > 0) lines.push(`failed turns with positive advantage: ${total.failedPositive}`)
  const { oneTurnEarly = 0, oneTurnLate = 0, missedTurns } = counts
  if (oneTurnEarly + oneTurnLate > 0)
    lines.push(
      `missed turns whose calls stand one turn early: ${oneTurnEarly}, late: ${oneTurnLate}, of ${missedTurns}`,
    )
  return lines.map((line) => `${line}\n`).join('')
}
