/**
 * Partial credit: how much of a golden turn was made, where Eq. 1 only says whether all of it was.
 *
 *     share = R = Σ credit / golden calls        f1 = 2·P·R / (P + R),  P = Σ credit / calls
 *
 * The sum runs over the one-to-one pairs of golden and made calls that make it largest (`pairing.ts`); the credit
 * of a pair is in `credit.ts`. Credits are fractions with a common denominator, so the sum is exact and rounded once:
 * two rollouts with equally good calls have bitwise the same reward, in whatever order they made them. A share is 1
 * exactly where Eq. 1 is.
 */
import { fail, show } from '../errors.js'
import { aBoolean, oneOf, resolveOptions } from '../options.js'
import type { GoldenTurn, ToolCall } from './call.js'
import { type CompiledTurn, compileTurn, type GoldenSet } from './compile.js'
import { isCovered } from './cover.js'
import { type MadeCall, readCalls } from './made.js'
import { type CreditPair, candidatesOf, chooseFreely, chooseOneToOne } from './pairing.js'
import { type CoveragePolicy, type ResolvedPolicy, resolveCoveragePolicy } from './policy.js'

export type { CreditPair } from './pairing.js'

export interface PartialOptions {
  /** Counts equal pairs only: all arguments right, or no credit. Default false. */
  readonly exactOnly: boolean
  /** The reward by which the best of several alternatives is picked. Default `share`. */
  readonly by: 'share' | 'f1'
}

export const partialDefaults: Readonly<PartialOptions> = Object.freeze({ exactOnly: false, by: 'share' })

export interface PartialCoverage {
  /** Reward: `recall`, or 0 where the policy refuses the turn (`emptyGolden`, `maxExtraCalls`). In [0, 1]. */
  readonly share: number
  /** Reward: harmonic mean of `precision` and `recall`; 0 where the policy refuses the turn, 1 for an empty golden turn
   * that it does not refuse. In [0, 1]. */
  readonly f1: number
  /** Credit a call, 1 where none was made. In [0, 1]. */
  readonly precision: number
  /** Credit a golden call, 1 where there is none. In [0, 1]. */
  readonly recall: number
  /** The pairs with credit, by golden call. */
  readonly pairs: readonly CreditPair[]
  /** The alternative told of, where the golden turn has some. */
  readonly alternative?: number
}

function harmonicMean(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : (2 * a * b) / (a + b)
}

/** Partial credit of one set of golden calls. */
function scoreSet(
  turn: CompiledTurn,
  set: GoldenSet,
  calls: readonly MadeCall[],
  policy: ResolvedPolicy,
  exactOnly: boolean,
): PartialCoverage {
  const numGolden = set.calls.length
  const choose = policy.matching === 'set' ? chooseFreely : chooseOneToOne
  const { pairs, goldenCredit, callCredit, unit, extra } = choose(
    candidatesOf(set, calls, policy, exactOnly),
    numGolden,
    calls.length,
  )
  const recall = numGolden === 0 ? 1 : goldenCredit / (unit * numGolden)
  const precision = calls.length === 0 ? 1 : callCredit / (unit * calls.length)
  const isAccepted = isCovered(turn, set, numGolden, extra, calls.length, policy) // if all of it were matched
  if (!isAccepted) return { share: 0, f1: 0, precision, recall, pairs }
  let f1 = 1
  if (!turn.isEmpty && numGolden + calls.length > 0)
    f1 =
      goldenCredit === callCredit
        ? (2 * goldenCredit) / (unit * (numGolden + calls.length)) // rounded once
        : harmonicMean(precision, recall)
  return { share: recall, f1, precision, recall, pairs }
}

/** Partial credit of a golden turn: that of its best alternative, the first of equal ones. */
export function partialTurn(
  turn: CompiledTurn,
  calls: readonly MadeCall[],
  policy: ResolvedPolicy,
  { exactOnly, by }: PartialOptions,
): PartialCoverage {
  const other = by === 'share' ? 'f1' : 'share'
  let best = scoreSet(turn, turn.sets[0]!, calls, policy, exactOnly)
  let alternative = 0
  for (let a = 1; a < turn.sets.length; a++) {
    const found = scoreSet(turn, turn.sets[a]!, calls, policy, exactOnly)
    if (found[by] > best[by] || (found[by] === best[by] && found[other] > best[other])) {
      best = found
      alternative = a
    }
  }
  return turn.hasAlternatives ? { ...best, alternative } : best
}

/** Computes how much of a golden turn was made: the share of its calls, and the F1 that extra calls lower too.
 * @param golden - as for `coverage`
 * @param calls - as for `coverage`; a call that cannot be read has no credit and counts as a call
 * @param policy - see `coverageDefaults`; under `matching: 'set'` one call may be in several pairs
 * @param options - see `partialDefaults`
 * @throws TaraError `GOLDEN` for a fault in `golden`, with its path; `OPTION`; `TYPE` if `calls` is no list
 */
export function partialCoverage(
  golden: GoldenTurn,
  calls: readonly ToolCall[],
  policy?: Partial<CoveragePolicy>,
  options?: Partial<PartialOptions>,
): PartialCoverage {
  const resolved = resolveCoveragePolicy('partialCoverage', policy)
  const choice = resolveOptions('partialCoverage', options, partialDefaults, {
    exactOnly: aBoolean,
    by: oneOf('share', 'f1'),
  })
  const turn = compileTurn('partialCoverage: golden', golden, resolved, new Map())
  if (!Array.isArray(calls)) fail('TYPE', 'partialCoverage: calls', 'a list of calls', show(calls))
  return partialTurn(turn, readCalls(calls, resolved), resolved, choice)
}
