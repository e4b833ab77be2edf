/**
 * A golden trace, compiled once a group, and the rewards of rollouts under it.
 *
 * An unreached turn has reward 0, also if its golden turn is empty. Under scope `rollout` every golden turn counts as
 * reached and is tested against all calls of the rollout, those before the first turn too.
 */
import { fail, show } from '../errors.js'
import type { CallRollout, Scope, ToolCall } from './call.js'
import { type CompiledTurn, compileTurn, type GoldenNames } from './compile.js'
import { countMatched, countWritten } from './count.js'
import { type Coverage, coverTurn, explainVerdict, isCovered, type Verdict } from './cover.js'
import { countMalformed, type MadeCall, readCalls } from './made.js'
import type { MemberTape } from './memberTape.js'
import { partialTurn } from './partial.js'
import type { ResolvedPolicy } from './policy.js'
import { turnEnd, type WrittenRollout } from './written.js'

export interface CompiledGolden {
  readonly turns: readonly CompiledTurn[]
  /** T. */
  readonly numTurns: number
  /** `[T]` 1 for a turn that is taken out before anything is computed. */
  readonly masked: Uint8Array
  readonly policy: ResolvedPolicy
}

/** Checks a golden trace and makes it ready for any number of rollouts.
 * @param place - the path of the trace, for errors: `golden`
 * @param golden - `[T]` one list of calls, or one `{ any_of }`, a turn
 * @throws TaraError `GOLDEN`: `golden[1][0].arguments: expected an object, got a list of 2`
 */
export function compileGolden(place: string, golden: unknown, policy: ResolvedPolicy): CompiledGolden {
  if (!Array.isArray(golden))
    return fail('GOLDEN', place, 'a list with one list of calls a turn', show(golden))
  const names: GoldenNames = new Map()
  const turns: CompiledTurn[] = []
  for (let t = 0; t < golden.length; t++) turns.push(compileTurn(`${place}[${t}]`, golden[t], policy, names))
  return compiledTurns(turns.slice(), policy)
}

/** A golden trace of turns that are ready. */
export function compiledTurns(turns: readonly CompiledTurn[], policy: ResolvedPolicy): CompiledGolden {
  const masks = policy.emptyGolden === 'mask'
  const masked = Uint8Array.from(turns, ({ isEmpty }) => (isEmpty && masks ? 1 : 0))
  return { turns, numTurns: turns.length, masked, policy }
}

/** What the reward of a turn is: Eq. 1, or partial credit. */
export interface TurnReward {
  /** `binary`: Eq. 1. `share`, `f1`: see `PartialCoverage`. */
  readonly reward: 'binary' | 'share' | 'f1'
  /** Partial credit counts equal pairs only. */
  readonly exactOnly: boolean
}

interface Scoring extends TurnReward {
  /** Reasons are asked for. */
  readonly explain: boolean
}

/** What a rollout earned. */
export interface RolloutScore {
  /** `[T]` 0 or 1, in [0, 1] under partial credit; 0 where unreached or masked. */
  readonly reward: number[]
  /** `[T]` 0 or 1. */
  readonly reached: number[]
  /** `[T]` null where unreached. Empty unless reasons were asked for. */
  readonly coverage: (Coverage | null)[]
  /** Turns beyond the golden trace, and the calls in them. 0 under scope `rollout`. */
  surplus: number
  surplusCalls: number
  /** Calls before the first turn, which belong to none. 0 under scope `rollout`. */
  early: number
  /** Calls of golden turns that are for no golden call; under scope `rollout`, of all calls those for none. */
  extra: number
  /** Calls that were tested against golden calls. */
  tested: number
  /** Calls, of those that were tested, whose name or arguments cannot be read. */
  malformed: number
}

function emptyScore(): RolloutScore {
  return {
    reward: [],
    reached: [],
    coverage: [],
    surplus: 0,
    surplusCalls: 0,
    early: 0,
    extra: 0,
    tested: 0,
    malformed: 0,
  }
}

function note(
  score: RolloutScore,
  compiled: CompiledGolden,
  t: number,
  calls: readonly MadeCall[],
  { reward, exactOnly, explain }: Scoring,
): Verdict {
  const turn = compiled.turns[t]!
  const verdict = coverTurn(turn, calls, compiled.policy)
  score.reached.push(1)
  if (compiled.masked[t] === 1) score.reward.push(0)
  else if (reward === 'binary') score.reward.push(verdict.covered ? 1 : 0)
  else score.reward.push(partialTurn(turn, calls, compiled.policy, { exactOnly, by: reward })[reward])
  if (explain) score.coverage.push(explainVerdict(turn, verdict, calls, compiled.policy))
  return verdict
}

/** The same as `note` without reasons, where golden calls can be counted by class. */
function countTurn(
  score: RolloutScore,
  compiled: CompiledGolden,
  t: number,
  calls: readonly ToolCall[],
): void {
  const turn = compiled.turns[t]!
  const set = turn.sets[0]!
  const extraBefore = score.extra
  const matched = countMatched(set, calls, compiled.policy, score)
  const extra = score.extra - extraBefore
  const covered = isCovered(turn, set, matched, extra, calls.length, compiled.policy)
  score.reached.push(1)
  score.reward.push(covered && compiled.masked[t] === 0 ? 1 : 0)
}

/** Whether a rollout can be scored as it is written. */
export function isCountable(
  { policy, turns }: CompiledGolden,
  scope: Scope,
  { reward, explain }: Partial<Scoring>,
): boolean {
  if (!policy.isStrict || policy.normalizeName !== undefined) return false
  return (
    scope === 'turn' &&
    reward === 'binary' &&
    explain !== true &&
    turns.every(({ sets, hasAlternatives }) => !hasAlternatives && sets[0]!.isEquivalence)
  )
}

/** The same as `scoreRollout` for calls that lie in their line still, where `isCountable` allows it. */
export function scoreWritten(
  compiled: CompiledGolden,
  rollout: WrittenRollout,
  tape: MemberTape,
): RolloutScore {
  const score = emptyScore()
  const { calls, numTurns, turnStart } = rollout
  for (let t = 0; t < compiled.numTurns; t++) {
    if (t >= numTurns) {
      skip(score, false)
      continue
    }
    const turn = compiled.turns[t]!
    const set = turn.sets[0]!
    const extraBefore = score.extra
    const start = turnStart[t]!
    const end = turnEnd(rollout, t)
    score.tested += end - start
    const matched = countWritten(set, calls, start, end, compiled.policy, tape, score)
    const extra = score.extra - extraBefore
    const covered = isCovered(turn, set, matched, extra, end - start, compiled.policy)
    score.reached.push(1)
    score.reward.push(covered && compiled.masked[t] === 0 ? 1 : 0)
  }
  score.early = numTurns > 0 ? turnStart[0]! : calls.numCalls
  score.surplus = Math.max(0, numTurns - compiled.numTurns)
  if (score.surplus > 0) score.surplusCalls = calls.numCalls - turnStart[compiled.numTurns]!
  return score
}

function skip(score: RolloutScore, explain: boolean): void {
  score.reached.push(0)
  score.reward.push(0)
  if (explain) score.coverage.push(null)
}

/** Each golden turn against the calls of its turn. */
function scoreTurns(
  score: RolloutScore,
  compiled: CompiledGolden,
  rollout: CallRollout,
  scoring: Scoring,
): void {
  const { turns } = rollout
  for (let t = 0; t < compiled.numTurns; t++) {
    const calls = turns[t]
    if (calls === undefined || calls === null) {
      skip(score, scoring.explain)
      continue
    }
    score.tested += calls.length
    const turn = compiled.turns[t]!
    const isCounted = turn.sets[0]!.isEquivalence && !turn.hasAlternatives
    if (isCounted && !scoring.explain && scoring.reward === 'binary') {
      countTurn(score, compiled, t, calls)
      continue
    }
    const made = readCalls(calls, compiled.policy)
    score.malformed += countMalformed(made)
    score.extra += note(score, compiled, t, made, scoring).match.extra
  }
  score.early = rollout.before?.length ?? 0
  score.surplus = Math.max(0, turns.length - compiled.numTurns)
  for (let t = compiled.numTurns; t < turns.length; t++) score.surplusCalls += turns[t]?.length ?? 0
}

/** Each golden turn against all calls of the rollout, independently. */
function scoreWhole(
  score: RolloutScore,
  compiled: CompiledGolden,
  rollout: CallRollout,
  scoring: Scoring,
): void {
  const { policy } = compiled
  if (policy.maxExtraCalls !== undefined)
    fail('OPTION', 'options.maxExtraCalls', 'none where the scope is "rollout"', show(policy.maxExtraCalls))
  if (scoring.reward === 'f1')
    fail('OPTION', 'options.reward', '"binary" or "share" where the scope is "rollout"', '"f1"')
  const made = readCalls(rollout.before ?? [], policy)
  for (const calls of rollout.turns) if (calls !== null) readCalls(calls, policy, made)
  const isUsed = new Uint8Array(made.length)
  for (let t = 0; t < compiled.numTurns; t++) {
    const { goldenOf } = note(score, compiled, t, made, scoring).match
    for (let j = 0; j < goldenOf.length; j++) if (goldenOf[j] !== -1) isUsed[j] = 1
  }
  score.tested = made.length
  score.malformed = countMalformed(made)
  for (let j = 0; j < isUsed.length; j++) if (isUsed[j] === 0) score.extra++
}

/** Scores one rollout: r[t] of Eq. 1 for each golden turn.
 * @param compiled - from `compileGolden`, shared by the rollouts of a group
 * @param rollout - lists of calls; an aborted one is unreached everywhere and counts nothing
 * @param options - `explain` also gives the reasons; without them the score is cheaper
 * @throws TaraError `OPTION` for `maxExtraCalls` or reward `f1` under scope `rollout`
 */
export function scoreRollout(
  compiled: CompiledGolden,
  rollout: CallRollout,
  scope: Scope,
  { reward = 'binary', exactOnly = false, explain = false }: Partial<Scoring> = {},
): RolloutScore {
  const scoring = { reward, exactOnly, explain }
  const score = emptyScore()
  if (rollout.status === 'aborted') for (let t = 0; t < compiled.numTurns; t++) skip(score, explain)
  else if (scope === 'rollout') scoreWhole(score, compiled, rollout, scoring)
  else scoreTurns(score, compiled, rollout, scoring)
  return score
}
