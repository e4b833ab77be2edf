/**
 * How many golden calls of a turn have a call: the matching of `match.ts` where equality is an equivalence, without
 * keeping who has whom. The way that a log takes.
 */
import type { ToolCall } from './call.js'
import { classesFor, type GoldenClass, type GoldenSet } from './compile.js'
import { goldenBytes, isNameOf } from './goldenBytes.js'
import { BACKSLASH, hasByte } from './jsonBytes.js'
import { readCall } from './made.js'
import { classOf } from './match.js'
import { type MemberTape, readWritten } from './memberTape.js'
import type { ResolvedPolicy } from './policy.js'
import { hasSeen, see } from './seenBytes.js'
import { builtCall, NO_ARGUMENTS, TEXT, type WrittenCalls } from './written.js'
import { compareWritten, EQUAL, isSimpleObject, UNSURE } from './writtenArguments.js'

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

/** Adds one call to a class: the golden calls that it is for.
 * @param taken - `[classes]` golden calls of each class that have a call
 */
function take(home: GoldenClass, taken: number[], isSet: boolean, tally: Tally): number {
  const rank = taken[home.id]!
  const size = home.members.length
  if (rank < size) {
    const last = isSet ? size : rank + 1
    taken[home.id] = last
    return last - rank
  }
  if (!isSet) tally.extra++
  return 0
}

/** The class of a call that must be read. */
function readClass(
  set: GoldenSet,
  call: ToolCall,
  policy: ResolvedPolicy,
  tally: Tally,
): GoldenClass | undefined {
  const made = readCall(call, policy)
  if (!made.arguments.ok) tally.malformed++
  const home = classOf(set, made, policy.isStrict)
  if (home === undefined) tally.extra++
  return home
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
      home = readClass(set, call, policy, tally)
      if (home === undefined) continue
      remember(home, call.arguments)
    }
    matched += take(home, taken, isSet, tally)
  }
  return matched
}

/** What `writtenClass` found about a call. */
const UNREAD = -1
const EXTRA = -2

/** The class that has seen these very bytes of a call before, `EXTRA` for none; makes the golden calls ready. */
function seenClass(set: GoldenSet, calls: WrittenCalls, c: number, tape: MemberTape): number {
  const { bytes } = calls
  const start = calls.argumentsStart[c]!
  const end = calls.argumentsEnd[c]!
  for (let d = 0; d < set.distinct.length; d++) {
    const known = set.distinct[d]!
    known.bytes ??= goldenBytes(known.first.key, known.first.value, tape)
    if (
      hasSeen(known.seen, bytes, start, end) &&
      isNameOf(known.bytes, bytes, calls.nameStart[c]!, calls.nameEnd[c]!)
    )
      return d
  }
  return EXTRA
}

/** Index of the class that call c belongs to, `EXTRA` for none, `UNREAD` where it must be built to know. */
function writtenClass(set: GoldenSet, calls: WrittenCalls, c: number, tape: MemberTape): number {
  const { bytes } = calls
  const nameStart = calls.nameStart[c]!
  const nameEnd = calls.nameEnd[c]!
  if (set.byName !== undefined || calls.argumentsKind[c] === NO_ARGUMENTS) return UNREAD
  if (calls.isUsers[c] === 1 || calls.sideStart[c]! > 0) return UNREAD
  if (hasByte(bytes, nameStart, nameEnd, BACKSLASH)) return UNREAD
  const seen = seenClass(set, calls, c, tape)
  if (seen >= 0) return seen
  const start = calls.argumentsStart[c]!
  const end = calls.argumentsEnd[c]!
  if (!readWritten(tape, bytes, start, end, calls.argumentsKind[c] === TEXT)) return UNREAD
  let isCompared = false
  for (let d = 0; d < set.distinct.length; d++) {
    const known = set.distinct[d]!
    const golden = known.bytes!
    if (!isNameOf(golden, bytes, nameStart, nameEnd)) continue
    if (known.first.side !== 'assistant' || golden.numMembers < 0) return UNREAD
    const verdict = compareWritten(tape, golden)
    if (verdict === UNSURE) return UNREAD
    if (verdict === EQUAL) {
      see(tape.store, known.seen, bytes, start, end)
      return d
    }
    isCompared = true
  }
  return isCompared || isSimpleObject(tape) ? EXTRA : UNREAD
}

/** The same as `countMatched` for calls that lie in their line still; for a strict policy.
 * @param start - first call of the turn
 * @param end - the call after its last
 */
export function countWritten(
  set: GoldenSet,
  calls: WrittenCalls,
  start: number,
  end: number,
  policy: ResolvedPolicy,
  tape: MemberTape,
  tally: Tally,
): number {
  const { taken } = tape
  for (let d = 0; d < set.distinct.length; d++) taken[d] = 0
  const isSet = policy.matching === 'set'
  let matched = 0
  for (let c = start; c < end; c++) {
    const id = writtenClass(set, calls, c, tape)
    if (id === EXTRA) {
      tally.extra++
      continue
    }
    const home = id >= 0 ? set.distinct[id]! : readClass(set, builtCall(calls, c), policy, tally)
    if (home !== undefined) matched += take(home, taken, isSet, tally)
  }
  return matched
}
