/**
 * How many golden calls of a turn have a call: the matching of `match.ts` where equality is an equivalence, without
 * keeping who has whom. The way that a log takes.
 */
import type { ToolCall } from './call.js'
import { classesFor, type GoldenClass, type GoldenSet } from './compile.js'
import { readCall } from './made.js'
import { classOf } from './match.js'
import type { ResolvedPolicy } from './policy.js'

/** Longest argument text that a class remembers, and how many. */
const MAX_TEXT = 4096
const MAX_TEXTS = 2

export interface Tally {
  /** Calls that are for no golden call. */
  extra: number
  /** Calls whose name or arguments cannot be read. */
  malformed: number
}

/** The class that has seen these very arguments before: then they need not be read. */
function knownClass(set: GoldenSet, call: ToolCall, policy: ResolvedPolicy): GoldenClass | undefined {
  const given = call.arguments
  if (typeof given !== 'string' || policy.normalizeName !== undefined || call.problem !== undefined)
    return undefined
  const candidates = classesFor(set, call.name)
  const side = call.requestor ?? 'assistant'
  for (let c = 0; c < candidates.length; c++) {
    const known = candidates[c]!
    if (known.first.key !== call.name || known.first.side !== side) continue
    for (let k = 0; k < known.texts.length; k++) if (known.texts[k] === given) return known
  }
  return undefined
}

function remember(home: GoldenClass, given: unknown): void {
  if (typeof given === 'string' && given.length <= MAX_TEXT)
    home.texts = [given, ...home.texts.slice(0, MAX_TEXTS - 1)]
}

/** Counts the golden calls of a set that have a call.
 * @param calls - as the model made them
 * @param tally - gets the calls that are extra or malformed
 */
export function countMatched(
  set: GoldenSet,
  calls: readonly ToolCall[],
  policy: ResolvedPolicy,
  tally: Tally,
): number {
  const taken: number[] = []
  for (let c = 0; c < set.distinct.length; c++) taken.push(0)
  const isSet = policy.matching === 'set'
  let matched = 0
  for (let j = 0; j < calls.length; j++) {
    const call = calls[j]!
    let home = typeof call === 'object' && call !== null ? knownClass(set, call, policy) : undefined
    if (home === undefined) {
      const made = readCall(call, policy)
      if (!made.arguments.ok) tally.malformed++
      home = classOf(set, made, policy.isStrict)
      if (home === undefined) {
        tally.extra++
        continue
      }
      remember(home, call.arguments)
    }
    const rank = taken[home.id]!
    const size = home.members.length
    if (rank < size) {
      const last = isSet ? size : rank + 1
      taken[home.id] = last
      matched += last - rank
    } else if (!isSet) tally.extra++
  }
  return matched
}
