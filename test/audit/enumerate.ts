/**
 * Exact expectations over all groups of a game, through the public functions.
 *
 *     truth:     Σ_τ P(τ)·R(τ)·Σ_t ∇log π_t,   R = Σ_t r_t
 *     estimate:  E[ (1/K) Σ_i Σ_t A[i,t]·∇log π[i,t] ] over all groups of K
 *
 * A group is a multiset of trajectories; its probability is a multinomial. The order inside a group changes nothing.
 */
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'
import type { Game, Trajectory } from './games.js'

export type Gradient = readonly number[]

/** A batch of one group, and what stands beside it, turn by turn. */
export interface Sample {
  readonly batch: TurnBatch
  /** One token a turn. */
  readonly turnTokens: readonly number[]
  readonly states: readonly string[]
  /** What has been earned so far, as the score of the state after a turn. */
  readonly stateScores: Float64Array
}

export type Estimator = (sample: Sample) => ArrayLike<number>

/** What turn t of a trajectory is worth to an estimator. */
export type Target = (trajectory: Trajectory, t: number) => number

const sum = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0)

export const returnOf = ({ turns }: Trajectory): number => sum(turns.map(({ reward }) => reward))

/** A group of these trajectories as a batch. R is the outcome; `all`, and `first` and `later`, are columns. */
export function sampleOf(rollouts: readonly Trajectory[], numTurns?: number): Sample {
  const rewards = rollouts.map(({ turns }) => turns.map(({ reward }) => reward))
  const only = (keeps: (t: number) => boolean): number[][] =>
    rewards.map((row) => row.map((r, t) => (keeps(t) ? r : 0)))
  const T = numTurns ?? Math.max(...rewards.map((row) => row.length))
  const each = <Value>(value: (trajectory: Trajectory, t: number) => Value, unreached: Value): Value[] =>
    rollouts.flatMap((trajectory) =>
      Array.from({ length: T }, (_, t) => (t < trajectory.turns.length ? value(trajectory, t) : unreached)),
    )
  return {
    batch: turnBatch(
      [
        {
          rewards,
          outcome: rollouts.map(returnOf),
          columns: { all: rewards, first: only((t) => t === 0), later: only((t) => t > 0) },
          ...(numTurns !== undefined && { numTurns }),
        },
      ],
      { realRewards: true },
    ),
    turnTokens: each(() => 1, 0),
    states: each(({ turns }, t) => turns[t]!.state, 'none'),
    stateScores: Float64Array.from(
      each(({ turns }, t) => sum(turns.slice(0, t + 1).map(({ reward }) => reward)), Number.NaN),
    ),
  }
}

/** How often each of n trajectories occurs in a group of K: all ways. */
function* multisets(n: number, K: number): Generator<readonly number[]> {
  if (n === 1) yield [K]
  else for (let k = 0; k <= K; k++) for (const rest of multisets(n - 1, K - k)) yield [k, ...rest]
}

/** K! / Π n! · Π p^n */
function probabilityOf(counts: readonly number[], game: Game): number {
  let left = 0
  let probability = 1
  for (const [k, count] of counts.entries())
    for (let c = 1; c <= count; c++) probability *= (++left / c) * game.trajectories[k]!.probability
  return probability
}

/** One group that can occur. */
interface Group {
  readonly probability: number
  readonly rollouts: readonly Trajectory[]
  readonly sample: Sample
}

const known = new Map<Game, Map<number, readonly Group[]>>()

/** All groups of K that can occur, made once. */
function groupsOf(game: Game, K: number): readonly Group[] {
  const ofGame = known.get(game) ?? new Map<number, readonly Group[]>()
  known.set(game, ofGame)
  const old = ofGame.get(K)
  if (old !== undefined) return old
  const groups = Array.from(multisets(game.trajectories.length, K), (counts) => {
    const rollouts = counts.flatMap((count, k) => Array.from({ length: count }, () => game.trajectories[k]!))
    return { probability: probabilityOf(counts, game), rollouts, sample: sampleOf(rollouts, game.numTurns) }
  })
  ofGame.set(K, groups)
  return groups
}

/** The expectation over all groups of K of a gradient that is computed of the group. */
function expectation(game: Game, K: number, gradientOf: (group: Group) => Gradient): Gradient {
  const expected = game.logits.map(() => 0)
  for (const group of groupsOf(game, K))
    for (const [m, value] of gradientOf(group).entries()) expected[m]! += group.probability * value
  return expected
}

/** (1/K) Σ_i Σ_t A[i,t]·∇log π[i,t] */
function weighScores(
  { logits }: Game,
  rollouts: readonly Trajectory[],
  A: (i: number, t: number) => number,
): Gradient {
  const total = logits.map(() => 0)
  for (const [i, { turns }] of rollouts.entries())
    for (const [t, { score }] of turns.entries()) {
      const weight = A(i, t) / rollouts.length
      for (let m = 0; m < total.length; m++) total[m]! += weight * score[m]!
    }
  return total
}

/** The gradient that an estimator expects to follow. */
export function estimateOf(game: Game, estimator: Estimator, K: number = game.K): Gradient {
  return expectation(game, K, ({ rollouts, sample }) => {
    const advantage = estimator(sample)
    return weighScores(game, rollouts, (i, t) => advantage[sample.batch.turnPtr[i]! + t]!)
  })
}

/** The gradient of what is climbed if each turn is worth `target`: with the return, that of the expected return. */
export function truthOf(game: Game, target: Target = returnOf): Gradient {
  return game.logits.map((_, m) =>
    sum(
      game.trajectories.flatMap((trajectory) =>
        trajectory.turns.map(({ score }, t) => trajectory.probability * target(trajectory, t) * score[m]!),
      ),
    ),
  )
}

/** The same, as far as a baseline taken from the n rollouts that are at turn t lets it through.
 * @param share - of n: (n − 1)/n for their mean; 1, or 0 for a lone one, for the mean of the others
 */
export function throughBaseline(
  game: Game,
  K: number,
  target: Target,
  share: (n: number) => number,
): Gradient {
  return expectation(game, K, ({ rollouts }) => {
    const reached = (t: number): number =>
      game.numTurns === undefined ? rollouts.filter(({ turns }) => t < turns.length).length : K
    return weighScores(game, rollouts, (i, t) => target(rollouts[i]!, t) * share(reached(t)))
  })
}
