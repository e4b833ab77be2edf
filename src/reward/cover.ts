/**
 * Coverage of a turn: was every golden call made?
 *
 *     r[t] = 1 if G[t] ⊆ A[t], else 0                                                        (Eq. 1)
 *
 * ⊆ compares calls by name, side and arguments as JSON values; order and extra calls play no part. Whether a call
 * succeeded plays none either.
 */
import { fail, show } from '../errors.js'
import type { GoldenTurn, ToolCall } from './call.js'
import { type CompiledTurn, compileTurn, type GoldenSet } from './compile.js'
import { countMalformed, type MadeCall, readCalls } from './made.js'
import { type CallMatch, matchCalls } from './match.js'
import { type Miss, missesOf } from './miss.js'
import { type CoveragePolicy, type ResolvedPolicy, resolveCoveragePolicy } from './policy.js'

export type { Miss } from './miss.js'

export interface Coverage {
  /** r[t] = 1. False with nothing missed: more calls were made than the policy allows. */
  readonly covered: boolean
  /** Golden calls that have a call. */
  readonly matched: number
  /** Golden calls of the turn, or of the alternative told of. */
  readonly golden: number
  /** The golden calls without a call, in order, with the reason. */
  readonly missed: readonly Miss[]
  /** Calls that are for no golden call, malformed ones included. */
  readonly extra: number
  /** Calls whose name or arguments cannot be read. */
  readonly malformed: number
  /** The golden turn is empty. */
  readonly vacuous: boolean
  /** The alternative told of: the covered one with the fewest extra calls, else the closest one. */
  readonly alternative?: number
}

/** The verdict on a turn, without reasons. */
export interface Verdict {
  readonly covered: boolean
  readonly set: GoldenSet
  readonly match: CallMatch
  readonly alternative: number
}

/** Whether a turn counts as covered, given what was matched. */
export function isCovered(
  turn: CompiledTurn,
  set: GoldenSet,
  matched: number,
  extra: number,
  numCalls: number,
  { maxExtraCalls, emptyGolden }: ResolvedPolicy,
): boolean {
  return (
    matched === set.calls.length &&
    !(turn.isEmpty && emptyGolden === 'forbid-calls' && numCalls > 0) &&
    (maxExtraCalls === undefined || extra <= maxExtraCalls)
  )
}

/** A verdict on one set of golden calls. */
function coverSet(
  turn: CompiledTurn,
  alternative: number,
  calls: readonly MadeCall[],
  policy: ResolvedPolicy,
): Verdict {
  const set = turn.sets[alternative]!
  const match = matchCalls(set, calls, policy)
  const covered = isCovered(turn, set, match.matched, match.extra, calls.length, policy)
  return { covered, set, match, alternative }
}

/** Whether `a` is nearer to covered than `b`. */
function isCloser(a: Verdict, b: Verdict): boolean {
  if (a.covered !== b.covered) return a.covered
  const missed = a.set.calls.length - a.match.matched - (b.set.calls.length - b.match.matched)
  return missed < 0 || (missed === 0 && a.match.extra < b.match.extra)
}

/** Tests a golden turn against calls. */
export function coverTurn(turn: CompiledTurn, calls: readonly MadeCall[], policy: ResolvedPolicy): Verdict {
  let best = coverSet(turn, 0, calls, policy)
  for (let a = 1; a < turn.sets.length; a++) {
    const verdict = coverSet(turn, a, calls, policy)
    if (isCloser(verdict, best)) best = verdict
  }
  return best
}

/** A verdict with its reasons. */
export function explainVerdict(
  turn: CompiledTurn,
  verdict: Verdict,
  calls: readonly MadeCall[],
  policy: ResolvedPolicy,
): Coverage {
  const { covered, set, match, alternative } = verdict
  const coverage = {
    covered,
    matched: match.matched,
    golden: set.calls.length,
    missed: missesOf(set, calls, match, policy),
    extra: match.extra,
    malformed: countMalformed(calls),
    vacuous: turn.isEmpty,
  }
  return turn.hasAlternatives ? { ...coverage, alternative } : coverage
}

/** Tests whether every golden call of a turn was made, and says why not. Eq. 1.
 * @param golden - the golden calls of the turn, or alternatives of which one is enough; arguments as text or value
 * @param calls - the calls of the turn as the model made them, in any order; faults in them are misses, not errors
 * @param policy - see `coverageDefaults`
 * @returns counts, and the missed golden calls in order; indices in it are those of `golden` and `calls`
 * @throws TaraError `GOLDEN` for a fault in `golden`, with its path; `OPTION`; `TYPE` if `calls` is no list
 */
export function coverage(
  golden: GoldenTurn,
  calls: readonly ToolCall[],
  policy?: Partial<CoveragePolicy>,
): Coverage {
  const resolved = resolveCoveragePolicy('coverage', policy)
  const turn = compileTurn('coverage: golden', golden, resolved, new Map())
  if (!Array.isArray(calls)) fail('TYPE', 'coverage: calls', 'a list of calls', show(calls))
  const made = readCalls(calls, resolved)
  return explainVerdict(turn, coverTurn(turn, made, resolved), made, resolved)
}
