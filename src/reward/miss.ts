/**
 * Why a golden call was missed.
 *
 * In this order: an equal call was made but another golden call has it; a call of the name was made with other
 * arguments; one was made whose arguments cannot be read; the other side made it; nobody did.
 */
import type { ArgumentProblem } from './arguments.js'
import type { JsonObject, JsonValue } from './call.js'
import { comparedArguments, type GoldenCall, type GoldenSet, sameArguments, sameCall } from './compile.js'
import { firstDifference, jsonEqual } from './equal.js'
import type { JsonHint } from './jsonToken.js'
import type { MadeCall } from './made.js'
import type { CallMatch } from './match.js'
import type { ResolvedPolicy } from './policy.js'

type MissReason =
  | 'used-by-another'
  | 'wrong-arguments'
  | 'malformed-arguments'
  | 'other-side'
  | 'no-such-call'

/** A golden call that has no call, and why. */
export interface Miss {
  /** Of the golden call in its turn or alternative. */
  readonly index: number
  /** The tool, as the golden trace writes it. */
  readonly name: string
  readonly reason: MissReason
  /** The call that was probably meant, as an index into the calls that were tested. */
  readonly call?: number
  /** `wrong-arguments`: where the two part first, `passengers[0].dob`; empty for the arguments as a whole. */
  readonly path?: string
  /** `wrong-arguments`: what the golden call has there; absent where it has nothing. */
  readonly expected?: JsonValue
  /** `wrong-arguments`: what the call has there; absent where it has nothing. */
  readonly got?: JsonValue
  /** `malformed-arguments`: what is wrong with them. */
  readonly problem?: ArgumentProblem
  readonly hint?: JsonHint
  /** `malformed-arguments`: `expected …, got …` */
  readonly detail?: string
}

/** The most calls that are looked at for the closest one. */
const MAX_CANDIDATES = 256

/** How many golden arguments the call has right. */
function closeness(golden: JsonObject, call: JsonObject): number {
  let count = 0
  for (const key of Object.keys(golden))
    if (Object.hasOwn(call, key) && jsonEqual(golden[key]!, call[key]!)) count++
  return count
}

/** The unmatched call of the name and side that has most arguments right; the first of several. */
function closestCall(
  golden: GoldenCall,
  named: readonly number[],
  calls: readonly MadeCall[],
  match: CallMatch,
): number {
  let closest = -1
  let most = -1
  let seen = 0
  for (const j of named) {
    const call = calls[j]!
    if (match.goldenOf[j] !== -1 || call.side !== golden.side || !call.arguments.ok) continue
    const count = closeness(golden.value, call.arguments.value)
    if (count > most) {
      most = count
      closest = j
    }
    if (++seen === MAX_CANDIDATES) break
  }
  return closest
}

function explain(
  index: number,
  golden: GoldenCall,
  named: readonly number[],
  calls: readonly MadeCall[],
  match: CallMatch,
  policy: ResolvedPolicy,
): Miss {
  const { name, side } = golden
  const equal = named.find((j) => sameCall(golden, calls[j]!, policy.isStrict))
  if (equal !== undefined) return { index, name, reason: 'used-by-another', call: equal }
  const closest = closestCall(golden, named, calls, match)
  const meant = calls[closest]?.arguments
  if (meant?.ok) {
    const made = comparedArguments(golden, meant.value)
    const difference = firstDifference(golden.value, made, golden.looseness)
    return { index, name, reason: 'wrong-arguments', call: closest, ...difference }
  }
  const malformed = named.find((j) => calls[j]!.side === side && !calls[j]!.arguments.ok)
  const fault = malformed === undefined ? undefined : calls[malformed]!.arguments
  if (malformed !== undefined && fault?.ok === false) {
    const { problem, detail, hint } = fault
    const miss = { index, name, reason: 'malformed-arguments', call: malformed, problem, detail } as const
    return hint === undefined ? miss : { ...miss, hint }
  }
  const isOnlyOthers = named.every((j) => calls[j]!.side !== side)
  const other =
    named.find((j) => {
      const made = calls[j]!.arguments
      return made.ok && calls[j]!.side !== side && sameArguments(golden, made.value, policy.isStrict)
    }) ?? (isOnlyOthers ? named[0] : undefined)
  if (other !== undefined) return { index, name, reason: 'other-side', call: other }
  return { index, name, reason: 'no-such-call' }
}

/** Lists the golden calls that have no call, in order, each with its reason. Equal golden calls share one. */
export function missesOf(
  set: GoldenSet,
  calls: readonly MadeCall[],
  match: CallMatch,
  policy: ResolvedPolicy,
): Miss[] {
  const missed: Miss[] = []
  if (match.matched === set.calls.length) return missed
  const byName = new Map<string, number[]>()
  for (let j = 0; j < calls.length; j++) {
    const named = byName.get(calls[j]!.name)
    if (named === undefined) byName.set(calls[j]!.name, [j])
    else named.push(j)
  }
  const known = new Map<object, Miss>()
  for (let g = 0; g < set.calls.length; g++) {
    if (match.callOf[g] !== -1) continue
    const golden = set.calls[g]!
    const key = set.classes[g] ?? golden
    const twin = known.get(key)
    const miss = twin
      ? { ...twin, index: g, name: golden.name }
      : explain(g, golden, byName.get(golden.key) ?? [], calls, match, policy)
    known.set(key, miss)
    missed.push(miss)
  }
  return missed
}
