/**
 * Golden calls of a turn ↔ calls made: which golden call has which.
 *
 * Under `multiset` every golden call needs its own call (a maximum one-to-one matching), under `set` one call may
 * stand for several golden ones.
 */
import { classesFor, type GoldenClass, type GoldenSet, sameArguments, sameCall } from './compile.js'
import type { MadeCall } from './made.js'
import { equalPartners, maximumMatching } from './matching.js'
import type { ResolvedPolicy } from './policy.js'

export interface CallMatch {
  /** `[golden]` the call that a golden call has, or −1. */
  readonly callOf: readonly number[]
  /** `[calls]` a golden call that the call is for, or −1. */
  readonly goldenOf: readonly number[]
  /** Golden calls that have a call. */
  readonly matched: number
  /** Calls that are for no golden call. */
  readonly extra: number
}

/** The class of golden calls that a call is equal to. */
export function classOf(set: GoldenSet, call: MadeCall, isStrict: boolean): GoldenClass | undefined {
  if (!call.arguments.ok) return undefined
  const candidates = classesFor(set, call.name)
  for (let c = 0; c < candidates.length; c++) {
    const { first } = candidates[c]!
    if (
      first.key === call.name &&
      first.side === call.side &&
      sameArguments(first, call.arguments.value, isStrict)
    )
      return candidates[c]
  }
  return undefined
}

/** Equality is an equivalence: each call goes to its class, and a class takes as many as it has members. */
function matchByClass(set: GoldenSet, calls: readonly MadeCall[], policy: ResolvedPolicy): CallMatch {
  const callOf: number[] = new Array(set.calls.length).fill(-1)
  const goldenOf: number[] = []
  const taken: number[] = new Array(set.distinct.length).fill(0)
  const isSet = policy.matching === 'set'
  let matched = 0
  let extra = 0
  for (let j = 0; j < calls.length; j++) {
    const home = classOf(set, calls[j]!, policy.isStrict)
    const rank = home === undefined ? 0 : taken[home.id]!
    if (home !== undefined && rank < home.members.length) {
      const last = isSet ? home.members.length : rank + 1
      for (let k = rank; k < last; k++) callOf[home.members[k]!] = j
      taken[home.id] = last
      matched += last - rank
      goldenOf.push(home.members[rank]!)
    } else if (home !== undefined && isSet) goldenOf.push(home.members[0]!)
    else {
      goldenOf.push(-1)
      extra++
    }
  }
  return { callOf, goldenOf, matched, extra }
}

function matchByPairs(set: GoldenSet, calls: readonly MadeCall[], policy: ResolvedPolicy): CallMatch {
  const numGolden = set.calls.length
  const isEqual = (g: number, j: number): boolean => sameCall(set.calls[g]!, calls[j]!, false)
  const goldenOf: number[] = new Array(calls.length).fill(-1)
  let callOf: number[]
  if (policy.matching === 'set') {
    const partners = equalPartners(numGolden, calls.length, isEqual, calls.length)
    callOf = partners.map((equal) => equal[0] ?? -1)
    for (let g = numGolden - 1; g >= 0; g--) for (const j of partners[g]!) goldenOf[j] = g
  } else {
    // Of more than numGolden partners one is always free, so no more are looked for.
    callOf = maximumMatching(equalPartners(numGolden, calls.length, isEqual, numGolden), calls.length)
    for (let g = 0; g < numGolden; g++) if (callOf[g] !== -1) goldenOf[callOf[g]!] = g
  }
  let matched = 0
  for (let g = 0; g < numGolden; g++) if (callOf[g] !== -1) matched++
  let extra = 0
  for (let j = 0; j < calls.length; j++) if (goldenOf[j] === -1) extra++
  return { callOf, goldenOf, matched, extra }
}

/** Matches the golden calls of a turn with the calls made. Deterministic: lower indices come first. */
export function matchCalls(set: GoldenSet, calls: readonly MadeCall[], policy: ResolvedPolicy): CallMatch {
  return set.isEquivalence ? matchByClass(set, calls, policy) : matchByPairs(set, calls, policy)
}
