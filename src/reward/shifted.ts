/**
 * Shifted traces: golden turns whose calls were all made, but one turn early or late.
 *
 * Where the user asks for two things at once, or the agent asks back, calls move to the turn before or after. Eq. 1 then gives
 * 0 to a rollout that did the work. This counts such turns; it changes no reward.
 *
 * A call serves one turn: what a neighboring turn needs for its own golden calls is not looked at again.
 */
import type { CallRollout, ToolCall } from './call.js'
import type { CompiledTurn } from './compile.js'
import { coverTurn } from './cover.js'
import type { CompiledGolden } from './golden.js'
import { type MadeCall, readCalls } from './made.js'
import type { ResolvedPolicy } from './policy.js'

export interface ShiftCounts {
  /** Golden turns with a golden call that was not made in its turn. */
  missedTurns: number
  /** Of these, those whose golden calls all stand in the turn before; for turn 0, before the first turn. */
  oneTurnEarly: number
  /** Of these, and not of those, those whose golden calls all stand in the turn after. */
  oneTurnLate: number
}

const none: readonly ToolCall[] = Object.freeze([])

/** Whether the tools of one set of golden calls were all called: a look at names, before any arguments are read. */
function namesAppear({ sets }: CompiledTurn, calls: readonly ToolCall[], policy: ResolvedPolicy): boolean {
  if (calls.length === 0) return false
  const names = new Set(
    calls.map(({ name }) => (policy.normalizeName === undefined ? name : policy.nameOf(name))),
  )
  return sets.some((set) => set.calls.every(({ key }) => names.has(key)))
}

/** Adds the missed turns of one rollout to the counts. An aborted rollout adds nothing.
 * @param reward - `[T]` r of Eq. 1; only turns with 0 are looked at
 * @param rollout - scored under scope `turn`
 */
export function countShifted(
  { turns, numTurns, policy }: CompiledGolden,
  rollout: CallRollout,
  reward: readonly number[],
  counts: ShiftCounts,
): void {
  if (rollout.status === 'aborted') return
  const callsOf = (t: number): readonly ToolCall[] => (t < 0 ? rollout.before : rollout.turns[t]) ?? none

  /** How many golden calls of turn t have none of these calls. */
  const missing = (t: number, calls: readonly MadeCall[]): number => {
    const { set, match } = coverTurn(turns[t]!, calls, policy)
    return set.calls.length - match.matched
  }
  /** The calls of a turn that its own golden calls do not take. */
  const spare = (t: number): MadeCall[] => {
    const made = readCalls(callsOf(t), policy)
    if (t < 0 || t >= numTurns) return made
    const { goldenOf } = coverTurn(turns[t]!, made, policy).match
    return made.filter((_, j) => goldenOf[j] === -1)
  }
  const isMissed = (t: number): boolean => {
    if (reward[t] !== 0 || turns[t]!.sets.some(({ calls }) => calls.length === 0)) return false
    return policy.maxExtraCalls === undefined || missing(t, readCalls(callsOf(t), policy)) > 0
  }
  const isMadeIn = (t: number, other: number): boolean =>
    namesAppear(turns[t]!, callsOf(other), policy) && missing(t, spare(other)) === 0

  for (let t = 0; t < numTurns; t++) {
    if (!isMissed(t)) continue
    counts.missedTurns++
    if (isMadeIn(t, t - 1)) counts.oneTurnEarly++
    else if (isMadeIn(t, t + 1)) counts.oneTurnLate++
  }
}
