/**
 * From a log and its advantages to the model of a report: the overview over all groups, the list of groups, and the
 * details of those that teach most, as long as they fit into a page.
 */
import { type TaraOptions, taraDefaults } from '../advantage/options.js'
import { taraParts } from '../advantage/tara.js'
import { grpo } from '../baselines/grpo.js'
import { ruleDefaults, type VoteRules } from '../diagnose/columns.js'
import { compareEstimators, type NamedAdvantage } from '../diagnose/compare.js'
import { diagnose } from '../diagnose/diagnose.js'
import { metrics } from '../diagnose/metrics.js'
import { show } from '../errors.js'
import type { KeptRollout, RolloutLog } from '../formats/log-types.js'
import { aCount, type Check, resolveOptions } from '../options.js'
import { type TokenSpans, tokenSpans } from '../tokens/spans.js'
import type { Conversation } from './conversation.js'
import { type DetailSource, groupDetail, keyText } from './details.js'
import { distributionOf } from './distribution.js'
import { embeddedSize } from './embed.js'
import type { GroupDetail, ReportModel } from './model-types.js'
import { type RankedGroup, rankGroups } from './rank.js'

export interface ReportOptions {
  /** TARA's options; see `taraDefaults`. */
  readonly tara: Partial<TaraOptions>
  /** Other settings of the run, to be shown. */
  readonly settings: Readonly<Record<string, string>>
  /** Groups whose details are kept, the most informative ones. */
  readonly details: number
  /** Bytes that the data may take in a page; details that do not fit are left out, conversations first. */
  readonly maxBytes: number
}

export const reportDefaults: Readonly<ReportOptions> = Object.freeze({
  tara: Object.freeze({}),
  settings: Object.freeze({}),
  details: 50,
  maxBytes: 4_500_000,
})

const anObject: Check = (value) => (typeof value === 'object' && value !== null ? undefined : 'an object')

const reportChecks: { readonly [Name in keyof ReportOptions]-?: Check } = {
  tara: anObject,
  settings: anObject,
  details: aCount,
  maxBytes: aCount,
}

/** What a report tells of. */
export interface ReportInput {
  /** Names the log. */
  readonly source: string
  readonly log: Omit<RolloutLog, 'kept' | 'warnings'>
  /** Calls of the rollouts whose details are shown; a log that was read with `keep` has them. */
  readonly kept?: readonly KeptRollout[]
  /** What was said in them; see `conversationReader`. */
  readonly conversations?: readonly Conversation[]
}

/** The most groups in the list, and the share of the bytes that it may take. */
const MAX_LISTED = 10_000
const LIST_SHARE = 0.6

const textOfSetting = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'threshold' in value
    ? `threshold ${value.threshold}`
    : value === undefined
      ? 'by the log'
      : typeof value === 'string'
        ? value
        : show(value)

/** TARA's options as they were in force, then the others. */
function settingsOf(
  tara: Partial<TaraOptions>,
  others: Readonly<Record<string, string>>,
): ReportModel['settings'] {
  const own = (Object.keys(taraDefaults) as (keyof TaraOptions)[])
    .filter((name) => (name !== 'realRewards' && name !== 'allowLambdaOne') || tara[name] === true)
    .map((name) => ({ name, value: textOfSetting(tara[name] ?? taraDefaults[name]) }))
  return [...own, ...Object.entries(others).map(([name, value]) => ({ name, value }))]
}

/** The options that GRPO shares with TARA. */
function grpoOptions(tara: Partial<TaraOptions>): Parameters<typeof grpo>[1] {
  const { gamma, lambda, gate, futureIndex, allowLambdaOne, ...shared } = { ...taraDefaults, ...tara }
  return shared
}

const rulesOf = ({ unreached, truncated }: Partial<TaraOptions>): VoteRules => ({
  unreached,
  truncated: truncated ?? ruleDefaults.truncated,
})

function spansOf({ batch, tokens, placeOf }: ReportInput['log'], rules: VoteRules): TokenSpans | undefined {
  return (
    tokens &&
    tokenSpans(batch, tokens, {
      truncated: rules.truncated,
      place: (i) => `${placeOf(i)}: tokens`,
    })
  )
}

/** Ranks the groups of a log, so that a reader knows whose calls and messages a report wants.
 * @returns indices of rollouts of the batch: those of the groups that have details
 * @throws TaraError as `tara`
 */
export function informativeRollouts(
  { batch, keys }: Pick<RolloutLog, 'batch' | 'keys'>,
  options?: Partial<ReportOptions>,
): number[] {
  const { tara, details } = resolveOptions('informativeRollouts', options, reportDefaults, reportChecks)
  const { advantage } = taraParts(batch, tara)
  const ranked = rankGroups(batch, keys, advantage, grpo(batch, grpoOptions(tara)), rulesOf(tara))
  return ranked
    .slice(0, details)
    .flatMap(({ index }) =>
      Array.from(
        { length: batch.groupPtr[index + 1]! - batch.groupPtr[index]! },
        (_, k) => batch.groupPtr[index]! + k,
      ),
    )
}

/** The first rows of the list that fit. */
function listOf(ranked: readonly RankedGroup[], maxBytes: number): ReportModel['groups'] {
  const rows: ReportModel['groups'][number][] = []
  let size = 0
  for (const { index: _index, ...row } of ranked.slice(0, MAX_LISTED)) {
    size += embeddedSize(Object.values(row))
    if (size > maxBytes) break
    rows.push(row)
  }
  return rows
}

/** A group without what was said in it. */
const withoutMessages = (detail: GroupDetail): GroupDetail => ({
  ...detail,
  rollouts: detail.rollouts.map(({ messages: _messages, ...rest }) => rest),
})

/** The details of the first groups, as long as they fit without their conversations; these as far as there is room then. */
function detailsOf(
  source: DetailSource,
  wanted: readonly RankedGroup[],
  maxBytes: number,
): Pick<ReportModel, 'details' | 'left'> {
  const fitting: { readonly whole: GroupDetail; readonly bare: GroupDetail; readonly bareSize: number }[] = []
  let size = 0
  for (const { index, K } of wanted) {
    if (K === 0) break
    const whole = groupDetail(source, index)
    const bare = withoutMessages(whole)
    const bareSize = embeddedSize(bare)
    if (size + bareSize > maxBytes) break
    size += bareSize
    fitting.push({ whole, bare, bareSize })
  }
  let conversations = 0
  const details = fitting.map(({ whole, bare, bareSize }) => {
    const more = embeddedSize(whole) - bareSize
    if (size + more <= maxBytes) {
      size += more
      return whole
    }
    conversations++
    return bare
  })
  return { details, left: { groups: wanted.length - details.length, conversations } }
}

/** Gathers what a report shows.
 * @param input - a log as it was read; its advantages are computed here, with GRPO's beside them
 * @param options - see `reportDefaults`
 * @returns plain data, without NaN; `reportHtml` makes a page of it, `JSON.stringify` a file
 * @throws TaraError `OPTION`; as `tara`, `grpo` and `tokenSpans`
 */
export function reportModel(input: ReportInput, options?: Partial<ReportOptions>): ReportModel {
  const resolved = resolveOptions('reportModel', options, reportDefaults, reportChecks)
  const { tara, settings, details, maxBytes } = resolved
  const { source, log, kept = [], conversations = [] } = input
  const { batch, keys, counts, calls } = log
  const rules = rulesOf(tara)
  const parts = taraParts(batch, tara)
  const other = grpo(batch, grpoOptions(tara))
  const spans = spansOf(log, rules)
  const { gate = taraDefaults.gate, lambda = taraDefaults.lambda } = tara
  const diagnosis = diagnose(batch, parts, { ...rules, gate, lambda }, { ...counts, ...calls })
  const { summary, turns, total, traces } = diagnosis
  const named: NamedAdvantage[] = [
    { name: 'tara', advantage: parts.advantage },
    { name: 'grpo', advantage: other },
  ]
  const ranked = rankGroups(batch, keys, parts.advantage, other, rules)
  const overview = {
    schema: 'tara.report/1',
    source,
    settings: settingsOf(tara, settings),
    lambda,
    read: {
      groups: summary.groups,
      rollouts: summary.rollouts,
      K: summary.K,
      T: summary.T,
      aborted: summary.aborted,
      truncated: summary.truncated,
      ...(spans && { tokens: { trained: spans.counts.trainedTokens, all: spans.tokenPtr.at(-1)! } }),
    },
    metrics: metrics(diagnosis),
    summary,
    turns,
    total,
    traces,
    counts,
    comparison: compareEstimators(batch, named, rules),
    distribution: distributionOf(batch, parts.advantage, rules),
  } as const
  const room = maxBytes - embeddedSize(overview)
  const groups = listOf(ranked, LIST_SHARE * room)
  const byKey = <One>(ones: readonly One[], key: (one: One) => string): Map<string, One> =>
    new Map(ones.map((one) => [key(one), one]))
  const detailSource: DetailSource = {
    log,
    tara,
    other,
    spans,
    kept: byKey(kept, (one) => keyText(one.key)),
    conversations: byKey(conversations, keyText),
  }
  const wanted = ranked.slice(0, Math.min(details, groups.length))
  const listSize = embeddedSize(groups.map((row) => Object.values(row)))
  return {
    ...overview,
    groups,
    unlisted: ranked.length - groups.length,
    ...detailsOf(detailSource, wanted, room - listSize),
  }
}
