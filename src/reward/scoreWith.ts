/**
 * Rollouts and a scorer → a batch of turn rewards: each content scored once, some at a time, every score checked.
 */
import { asOffsets, failReward, isReward, MAX_REWARD } from '../batch/check.js'
import { turnBatchFromFlat } from '../batch/flat.js'
import type { Status, TurnBatch } from '../batch/layout.js'
import { fail, show, TaraError, within } from '../errors.js'
import { aBoolean, aCount, type Check, resolveOptions } from '../options.js'
import type { ToolCall } from './call.js'
import {
  type CacheOptions,
  cacheChecks,
  cacheDefaults,
  cachedScorer,
  type Scorer,
  type ScorerInput,
} from './scorer.js'

/** A turn that is to be scored. */
export interface ScorerTurn {
  readonly calls?: readonly ToolCall[] | undefined
  /** Messages of the turn, or the conversation up to its end: whatever the scorer is to see. */
  readonly messages?: readonly unknown[] | undefined
}

export interface ScorerRollout {
  /** Each turn, or its calls alone; `null` for a turn that was not reached though a later one was. */
  readonly turns: readonly (ScorerTurn | readonly ToolCall[] | null)[]
  /** Default `complete`. Turns of an aborted rollout are not scored. */
  readonly status?: Status | undefined
  /** A score of the whole rollout. */
  readonly outcome?: number | undefined
}

/** One task and its K rollouts. */
export interface ScorerGroup {
  /** Named in errors in place of the index. */
  readonly id?: string | number
  /** Part of what the scorer sees of every turn. */
  readonly task?: unknown
  /** T, where it is fixed: turns beyond it are not scored, and those not reached were due. Default: the longest rollout. */
  readonly numTurns?: number
  /** `[K]` */
  readonly rollouts: readonly ScorerRollout[]
}

export interface ScoreWithOptions extends CacheOptions {
  /** Allows scores other than 0 and 1, finite and at most 1e300 in size. Default false. */
  readonly realRewards: boolean
  /** The most turns that are being scored at one time. Default 8. */
  readonly concurrency: number
}

export const scoreWithDefaults: Readonly<ScoreWithOptions> = Object.freeze({
  ...cacheDefaults,
  realRewards: false,
  concurrency: 8,
})

const aPositiveCount: Check = (value) =>
  aCount(value) === undefined && value !== 0 ? undefined : 'a whole number, 1 or more'

const statuses: readonly Status[] = ['complete', 'truncated', 'aborted']

/** A turn that is to be scored, and where its reward goes. */
interface Job {
  readonly place: string
  readonly index: number
  readonly input: ScorerInput
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function checkGroup(place: string, group: ScorerGroup): void {
  if (!isObject(group)) fail('TYPE', place, 'a group with rollouts', show(group))
  const { numTurns, rollouts } = group
  if (numTurns !== undefined && aCount(numTurns) !== undefined)
    fail('RANGE', `${place}.numTurns`, 'a whole number, 0 or more', show(numTurns))
  if (!Array.isArray(rollouts)) fail('TYPE', `${place}.rollouts`, 'a list of rollouts', show(rollouts))
  rollouts.forEach((rollout: ScorerRollout, i) => {
    const here = `${place}.rollouts[${i}]`
    if (!isObject(rollout)) fail('TYPE', here, 'a rollout with turns', show(rollout))
    const { turns, status = 'complete', outcome } = rollout
    if (!statuses.includes(status)) fail('RANGE', `${here}.status`, statuses.join(', '), show(status))
    if (!Array.isArray(turns)) fail('TYPE', `${here}.turns`, 'a list of turns', show(turns))
    if (outcome !== undefined && !isReward(outcome, true))
      fail('RANGE', `${here}.outcome`, `a finite number of at most ${MAX_REWARD} in size`, show(outcome))
  })
}

function inputOf(place: string, group: ScorerGroup, turn: unknown): ScorerInput {
  if (typeof turn !== 'object' || turn === null)
    return fail('TYPE', place, 'a turn, a list of calls, or null', show(turn))
  const { calls = [], messages = [] }: ScorerTurn = Array.isArray(turn) ? { calls: turn } : turn
  if (!Array.isArray(calls)) fail('TYPE', `${place}.calls`, 'a list of calls', show(calls))
  if (!Array.isArray(messages)) fail('TYPE', `${place}.messages`, 'a list of messages', show(messages))
  return group.task === undefined ? { calls, messages } : { task: group.task, calls, messages }
}

/** Lays the groups out, all rewards 0, and lists what is to be scored. */
function layOut(groups: readonly ScorerGroup[], realRewards: boolean): { batch: TurnBatch; jobs: Job[] } {
  const groupPtr = [0]
  const turnPtr = [0]
  const jobs: Job[] = []
  const rollouts: ScorerRollout[] = []
  groups.forEach((group, g) => {
    const place = `scoreWith: groups[${group?.id ?? g}]`
    checkGroup(place, group)
    const longest = group.rollouts.reduce((most, { turns }) => Math.max(most, turns.length), 0)
    const T = group.numTurns ?? longest
    group.rollouts.forEach((rollout, i) => {
      const start = turnPtr.at(-1)!
      for (let t = 0; t < Math.min(T, rollout.turns.length); t++) {
        const turn = rollout.turns[t]
        if (rollout.status === 'aborted' || turn === null) continue
        const here = `${place}.rollouts[${i}].turns[${t}]`
        jobs.push({ place: here, index: start + t, input: inputOf(here, group, turn) })
      }
      turnPtr.push(start + T)
      rollouts.push(rollout)
    })
    groupPtr.push(rollouts.length)
  })
  const numTurns = asOffsets('scoreWith: turns', turnPtr).at(-1)!
  const reached = new Uint8Array(numTurns)
  for (const { index } of jobs) reached[index] = 1
  const has = (isSo: (rollout: ScorerRollout) => boolean): boolean => rollouts.some(isSo)
  const batch = turnBatchFromFlat({
    groupPtr,
    turnPtr,
    reward: new Float64Array(numTurns),
    reached,
    valid: Uint8Array.from(rollouts, ({ status }) => (status === 'aborted' ? 0 : 1)),
    hasGolden: Uint8Array.from(groups, ({ numTurns }) => (numTurns === undefined ? 0 : 1)),
    realRewards,
    ...(has(({ status }) => status === 'truncated') && {
      truncated: Uint8Array.from(rollouts, ({ status }) => (status === 'truncated' ? 1 : 0)),
    }),
    ...(has(({ outcome }) => outcome !== undefined) && {
      outcome: Float64Array.from(rollouts, ({ outcome }) => (outcome ?? 0) + 0),
      hasOutcome: Uint8Array.from(rollouts, ({ outcome }) => (outcome === undefined ? 0 : 1)),
    }),
  })
  return { batch, jobs }
}

/** Why a turn has no score, told with its place. */
function failureAt(place: string, reason: unknown): TaraError {
  if (reason instanceof TaraError) return within(place, reason)
  const told = reason instanceof Error ? `${reason.name}: ${reason.message}` : show(reason)
  const error = new TaraError('MISSING', place, `expected a score, got ${told}`)
  error.cause = reason
  return error
}

/** Does the work of every job, some at a time and in order. Stops at the first failure, waits for what has been begun,
 * and throws the failure of the earliest job. */
async function runAll(
  jobs: readonly Job[],
  concurrency: number,
  work: (job: Job) => Promise<void>,
): Promise<void> {
  let next = 0
  const failures: { readonly at: number; readonly error: unknown }[] = []
  async function worker(): Promise<void> {
    while (failures.length === 0 && next < jobs.length) {
      const at = next++
      try {
        await work(jobs[at]!)
      } catch (error) {
        failures.push({ at, error })
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, worker))
  const first = failures.sort((a, b) => a.at - b.at)[0]
  if (first !== undefined) throw first.error
}

/** Scores the turns of several tasks with a scorer.
 *
 * Turns of equal content are scored once, within the bounds of the cache. Turns not reached and aborted rollouts are
 * not scored.
 * @param scorer - gives a number, or a promise of one; called for no more than `concurrency` turns at a time
 * @param groups - see `ScorerGroup`; tasks, calls and messages are JSON values
 * @param options - see `scoreWithDefaults`
 * @returns rollouts and turns in the order given
 * @throws TaraError as a rejection, with group, rollout and turn: `MISSING` where the scorer threw (its error is the
 *   `cause`); `RANGE`, `TYPE` for a score that is no reward; `OPTION`
 */
export async function scoreWith(
  scorer: Scorer,
  groups: readonly ScorerGroup[],
  options?: Partial<ScoreWithOptions>,
): Promise<TurnBatch> {
  const { realRewards, concurrency, ...cache } = resolveOptions<ScoreWithOptions>(
    'scoreWith',
    options,
    scoreWithDefaults,
    { ...cacheChecks, realRewards: aBoolean, concurrency: aPositiveCount },
  )
  if (typeof scorer !== 'function') fail('TYPE', 'scoreWith: scorer', 'a function', show(scorer))
  if (!Array.isArray(groups)) fail('TYPE', 'scoreWith: groups', 'a list of groups', show(groups))
  const { batch, jobs } = layOut(groups, realRewards)
  const scoreOf = cachedScorer(scorer, cache)
  await runAll(jobs, concurrency, async ({ place, index, input }) => {
    let score: unknown
    try {
      score = await scoreOf(input)
    } catch (reason) {
      throw failureAt(place, reason)
    }
    if (!isReward(score, realRewards)) failReward(place, score, realRewards)
    batch.reward[index] = score + 0
  })
  return batch
}
