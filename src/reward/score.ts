/**
 * Golden traces and rollouts → a batch of turn rewards, with the reasons.
 */
import { MAX_REWARD } from '../batch/check.js'
import { turnBatchFromFlat } from '../batch/flat.js'
import type { Status, TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import { aBoolean, oneOf, resolveOptions } from '../options.js'
import type { CallRollout, GoldenTurn, Scope } from './call.js'
import type { Coverage } from './cover.js'
import { compileGolden, scoreRollout, type TurnReward } from './golden.js'
import { type CoveragePolicy, type ResolvedPolicy, resolveCoveragePolicy } from './policy.js'

export { sameGolden } from './sameGolden.js'

/** One task and its K rollouts. */
export interface GoldenGroup {
  /** Named in errors in place of the index. */
  readonly id?: string | number
  /** `[T]` the golden calls of each turn. */
  readonly golden: readonly GoldenTurn[]
  /** `[K]` */
  readonly rollouts: readonly CallRollout[]
  /** Default `turn`. */
  readonly scope?: Scope
}

export interface ScoredGroups {
  /** Rollouts and turns in the order given. */
  readonly batch: TurnBatch
  /** `[g][i][t]` null where rollout i of group g did not reach turn t. */
  readonly coverage: (Coverage | null)[][][]
}

/** What the reward of a turn is. */
export interface ScoreOptions extends TurnReward {}

export const scoreDefaults: Readonly<ScoreOptions> = Object.freeze({ reward: 'binary', exactOnly: false })

const scopes: readonly Scope[] = ['turn', 'rollout']
const statuses: readonly Status[] = ['complete', 'truncated', 'aborted']

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function checkRollout(place: string, rollout: CallRollout): void {
  if (!isObject(rollout)) fail('TYPE', place, 'a rollout with the calls of its turns', show(rollout))
  const { turns, before, status = 'complete', outcome } = rollout
  if (!statuses.includes(status)) fail('RANGE', `${place}.status`, statuses.join(', '), show(status))
  if (!Array.isArray(turns))
    fail('TYPE', `${place}.turns`, 'a list with one list of calls a turn', show(turns))
  for (let t = 0; t < turns.length; t++)
    if (turns[t] !== null && !Array.isArray(turns[t]))
      fail('TYPE', `${place}.turns[${t}]`, 'a list of calls, or null', show(turns[t]))
  if (before !== undefined && !Array.isArray(before))
    fail('TYPE', `${place}.before`, 'a list of calls', show(before))
  if (outcome !== undefined && !(typeof outcome === 'number' && Math.abs(outcome) <= MAX_REWARD))
    fail('RANGE', `${place}.outcome`, `a finite number of at most ${MAX_REWARD} in size`, show(outcome))
}

function checkGroup(
  place: string,
  group: GoldenGroup,
  { maxExtraCalls }: ResolvedPolicy,
  { reward }: ScoreOptions,
): void {
  if (!isObject(group)) fail('TYPE', place, 'a group with a golden trace and rollouts', show(group))
  const { rollouts, scope = 'turn' } = group
  if (!scopes.includes(scope)) fail('RANGE', `${place}.scope`, scopes.join(' or '), show(scope))
  if (scope === 'rollout' && maxExtraCalls !== undefined)
    fail(
      'OPTION',
      'scoreGroups: options.maxExtraCalls',
      `none, as ${place}.scope is "rollout"`,
      show(maxExtraCalls),
    )
  if (scope === 'rollout' && reward === 'f1')
    fail(
      'OPTION',
      'scoreGroups: options.reward',
      `"binary" or "share", as ${place}.scope is "rollout"`,
      '"f1"',
    )
  if (!Array.isArray(rollouts)) fail('TYPE', `${place}.rollouts`, 'a list of rollouts', show(rollouts))
  for (let k = 0; k < rollouts.length; k++) checkRollout(`${place}.rollouts[${k}]`, rollouts[k])
}

/** The batch while it grows. */
interface Rows {
  readonly groupPtr: number[]
  readonly turnPtr: number[]
  /** One a turn. */
  readonly reward: number[]
  readonly reached: number[]
  readonly masked: number[]
  /** One a rollout. */
  readonly valid: number[]
  readonly truncated: number[]
  readonly outcome: number[]
  readonly hasOutcome: number[]
}

function batchOf(rows: Rows, realRewards: boolean): TurnBatch {
  const { groupPtr, turnPtr, truncated, masked, hasOutcome } = rows
  return turnBatchFromFlat({
    groupPtr,
    turnPtr,
    reward: Float64Array.from(rows.reward),
    reached: Uint8Array.from(rows.reached),
    valid: Uint8Array.from(rows.valid),
    hasGolden: new Uint8Array(groupPtr.length - 1).fill(1),
    realRewards,
    ...(truncated.includes(1) && { truncated: Uint8Array.from(truncated) }),
    ...(masked.includes(1) && { masked: Uint8Array.from(masked) }),
    ...(hasOutcome.includes(1) && {
      outcome: Float64Array.from(rows.outcome, (value) => value + 0),
      hasOutcome: Uint8Array.from(hasOutcome),
    }),
  })
}

/** Scores the rollouts of several tasks against their golden traces: Eq. 1, or partial credit.
 *
 * T of a group is the length of its golden trace. Turns that a rollout did not reach have reward 0 and no vote of
 * their own kind: what they count as is the estimator's option `unreached`. Aborted rollouts are invalid.
 * @param groups - see `GoldenGroup`
 * @param policy - see `coverageDefaults`
 * @param options - see `scoreDefaults`; with `reward` `share` or `f1` (see `PartialCoverage`) the batch has real
 *   rewards in [0, 1]; `f1` needs scope `turn`. `coverage` speaks of Eq. 1 in any case
 * @throws TaraError `GOLDEN`, `OPTION`, `TYPE`, `RANGE` with the path of the fault
 */
export function scoreGroups(
  groups: readonly GoldenGroup[],
  policy?: Partial<CoveragePolicy>,
  options?: Partial<ScoreOptions>,
): ScoredGroups {
  const resolved = resolveCoveragePolicy('scoreGroups', policy)
  const scoring = resolveOptions<ScoreOptions>('scoreGroups', options, scoreDefaults, {
    reward: oneOf('binary', 'share', 'f1'),
    exactOnly: aBoolean,
  })
  if (!Array.isArray(groups)) fail('TYPE', 'scoreGroups: groups', 'a list of groups', show(groups))
  const rows: Rows = {
    groupPtr: [0],
    turnPtr: [0],
    reward: [],
    reached: [],
    masked: [],
    valid: [],
    truncated: [],
    outcome: [],
    hasOutcome: [],
  }
  const coverage: (Coverage | null)[][][] = []
  for (let g = 0; g < groups.length; g++) {
    const group: GoldenGroup = groups[g]!
    const place = `scoreGroups: groups[${group?.id ?? g}]`
    checkGroup(place, group, resolved, scoring)
    const compiled = compileGolden(`${place}.golden`, group.golden, resolved)
    const explained = group.rollouts.map((rollout) => {
      const { reward, reached, coverage } = scoreRollout(compiled, rollout, group.scope ?? 'turn', {
        ...scoring,
        explain: true,
      })
      for (let t = 0; t < compiled.numTurns; t++) {
        rows.reward.push(reward[t]!)
        rows.reached.push(reached[t]!)
        rows.masked.push(compiled.masked[t]!)
      }
      rows.turnPtr.push(rows.reward.length)
      rows.valid.push(rollout.status === 'aborted' ? 0 : 1)
      rows.truncated.push(rollout.status === 'truncated' ? 1 : 0)
      rows.outcome.push(rollout.outcome ?? 0)
      rows.hasOutcome.push(rollout.outcome === undefined ? 0 : 1)
      return coverage
    })
    rows.groupPtr.push(rows.valid.length)
    coverage.push(explained)
  }
  return { batch: batchOf(rows, scoring.reward !== 'binary'), coverage }
}
