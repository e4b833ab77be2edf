/**
 * What the numbers of a row say about it.
 */
import { TaraError } from '../../src/errors.js'
import {
  type Estimator,
  estimateOf,
  type Gradient,
  returnOf,
  type Target,
  throughBaseline,
  truthOf,
} from './enumerate.js'
import { type Game, padded, ragged } from './games.js'
import type { Subject } from './subject.js'

/**
 * - `unbiased`: the truth.
 * - `(K−1)/K`: that much of the truth, as the mean holds the rollout itself.
 * - `(n−1)/n`: the same with the n rollouts that reached the turn; `n ≥ 2`: the truth but for turns that one alone reached.
 * - `O(1/K)`: off, by half as much where K is twice as large.
 * - `objective`: one of these, but of another objective, which the row names; for a row that divides, before it does.
 * - `scaled`: a multiple of the truth, by a divisor or because the return counts several times. Undivided, and taken once, it
 *   is one of the first five. With one logit every right sign is a multiple.
 * - `tilted`: as `scaled`, but the logits are not all multiplied alike.
 * - `biased`: none of these.
 * - `refused`: an error for the rewards of this game.
 */
export type Kind =
  | 'unbiased'
  | '(K−1)/K'
  | '(n−1)/n'
  | 'n ≥ 2'
  | 'O(1/K)'
  | 'objective'
  | 'scaled'
  | 'tilted'
  | 'biased'
  | 'refused'

export interface Verdict {
  readonly kind: Kind
  readonly truth: Gradient
  /** None where it is refused. */
  readonly estimate: Gradient | undefined
  /** Whether a logit is pushed the wrong way; `none` where none is pushed at all, though it should be. */
  readonly push: 'right' | 'wrong' | 'none'
}

/** Kinds that are right for large K. */
const harmless: readonly Kind[] = ['unbiased', '(K−1)/K', '(n−1)/n', 'n ≥ 2', 'O(1/K)']

/** Rounding error of a sum over all groups. */
const NOISE = 1e-9

/** A push of less than this much of the truth is none: what an ε leaves of terms that cancel. */
const NOTHING = 1e-4

const distance = (a: Gradient, b: Gradient): number =>
  Math.max(...a.map((value, m) => Math.abs(value - b[m]!)))
const times = (a: Gradient, c: number): Gradient => a.map((value) => c * value)

/** Whether what separates a and b at K is gone for large K: it halves, or better, where K doubles. */
function vanishes(gapAt: (K: number) => number, K: number): boolean {
  return gapAt(2 * K) < 0.6 * gapAt(K)
}

function kindAgainst(game: Game, estimator: Estimator, estimate: Gradient, target: Target): Kind {
  const { K } = game
  const truth = truthOf(game, target)
  const is = (other: Gradient): boolean => distance(estimate, other) < NOISE
  if (is(truth)) return 'unbiased'
  if (is(times(truth, (K - 1) / K))) return '(K−1)/K'
  if (is(throughBaseline(game, K, target, (n) => (n - 1) / n))) return '(n−1)/n'
  if (is(throughBaseline(game, K, target, (n) => (n > 1 ? 1 : 0)))) return 'n ≥ 2'
  const gapAt = (size: number): number => distance(estimateOf(game, estimator, size), truth)
  return vanishes(gapAt, K) ? 'O(1/K)' : 'biased'
}

/** Whether a is a positive multiple of b. */
function isParallel(a: Gradient, b: Gradient): boolean {
  const dot = a.reduce((sum, value, m) => sum + value * b[m]!, 0)
  return dot / (Math.hypot(...a) * Math.hypot(...b)) > 1 - NOISE
}

function kindOf(
  game: Game,
  { estimator, undivided, target, times: count = 1 }: Subject,
  estimate: Gradient,
): Kind {
  if (undivided !== undefined) {
    const { kind, truth } = verdictOf(game, undivided)
    if (!harmless.includes(kind) && kind !== 'scaled') return kind
    return isParallel(estimate, truth) ? 'scaled' : 'tilted'
  }
  const kind = kindAgainst(game, estimator, estimate, returnOf)
  if (kind !== 'biased') return kind
  const isHarmless = (worth: Target): boolean =>
    harmless.includes(kindAgainst(game, estimator, estimate, worth))
  if (count !== 1 && isHarmless((trajectory) => count * returnOf(trajectory))) return 'scaled'
  return target !== undefined && isHarmless(target[1]) ? 'objective' : 'biased'
}

function pushOf(estimate: Gradient, truth: Gradient): Verdict['push'] {
  const ratios = estimate.map((value, m) => value / truth[m]!)
  if (ratios.every((ratio) => Math.abs(ratio) < NOTHING)) return 'none'
  return ratios.some((ratio) => ratio < -NOTHING) ? 'wrong' : 'right'
}

const known = new Map<Game, Map<Subject, Verdict>>()

/** Computes the verdict on an estimator in a game. */
export function verdictOf(game: Game, subject: Subject): Verdict {
  const ofGame = known.get(game) ?? new Map<Subject, Verdict>()
  known.set(game, ofGame)
  const old = ofGame.get(subject)
  if (old !== undefined) return old
  const verdict = compute(game, subject)
  ofGame.set(subject, verdict)
  return verdict
}

function compute(game: Game, subject: Subject): Verdict {
  const truth = truthOf(game)
  try {
    const estimate = estimateOf(game, subject.estimator)
    return { kind: kindOf(game, subject, estimate), truth, estimate, push: pushOf(estimate, truth) }
  } catch (error) {
    if (error instanceof TaraError && error.code === 'RANGE')
      return { kind: 'refused', truth, estimate: undefined, push: 'none' }
    throw error
  }
}

const fixed = new Map(ragged.map((game) => [game, padded(game)]))

/** Whether it is the number of turns that biases the estimator: with a fixed T the same game does not.
 * @param game - one of `ragged`
 */
export function dependsOnTurnCount(game: Game, subject: Subject): boolean {
  const isBiased = (one: Game): boolean => verdictOf(one, subject).kind === 'biased'
  return isBiased(game) && !isBiased(fixed.get(game)!)
}
