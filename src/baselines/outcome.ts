/**
 * One scalar a rollout: the ground of every estimator that gives all turns of a rollout the same value.
 *
 *     trace: R = Π_t r[t]     mean: R = (1/T) Σ_t r[t]     discounted: R = Σ_t γ^t·r[t]
 *
 * Where unreached turns are excluded, product, sum and count run over the reached ones; a rollout that
 * reached nothing then has no scalar and no vote. Masked turns have left before γ is applied.
 *
 * Sums without a discount are exact, rounded once, and factors are sorted before they are multiplied: rollouts
 * with the same rewards in another order get the same scalar, to the last bit.
 */
import { checkRewards, turnOut } from '../advantage/check.js'
import { type VoteOptions, voteChecks } from '../advantage/options.js'
import { MAX_REWARD } from '../batch/check.js'
import { numGroups, numRollouts, type TurnBatch } from '../batch/layout.js'
import { excludesUnreached, liveTurnsOf, votersOf } from '../batch/votes.js'
import { fail, show } from '../errors.js'
import { between, type Check, oneOf } from '../options.js'
import { exactSum } from './exactSum.js'

/** How the rewards of a rollout's turns become one scalar. */
export type RolloutReward = 'trace' | 'mean' | 'discounted'

export interface OutcomeOptions extends VoteOptions {
  readonly reward: RolloutReward
  /** γ, 0 … 1; only `discounted` reads it. */
  readonly gamma: number
}

export const outcomeDefaults: Readonly<OutcomeOptions> = Object.freeze({
  reward: 'trace',
  gamma: 0.5,
  unreached: undefined,
  truncated: 'fail',
  realRewards: false,
})

export const outcomeChecks: { readonly [Name in keyof OutcomeOptions]-?: Check } = {
  ...voteChecks,
  reward: oneOf('trace', 'mean', 'discounted'),
  gamma: between(0, 1),
}

/** Scalars of all rollouts. */
export interface RolloutScores {
  /** `[numRollouts]` reward units; 0 where `votes` is 0. */
  readonly score: Float64Array
  /** `[numRollouts]` 1 where the rollout has a scalar and a vote. */
  readonly votes: Uint8Array
}

/** Computes the scalar of every rollout.
 * @throws TaraError `RANGE` where a product of real rewards exceeds 1e300 in size
 */
export function rolloutScores(place: string, batch: TurnBatch, options: OutcomeOptions): RolloutScores {
  const score = new Float64Array(numRollouts(batch))
  const votes = new Uint8Array(numRollouts(batch))
  for (let g = 0; g < numGroups(batch); g++) {
    const excludes = excludesUnreached(batch, g, options.unreached)
    let live: number[] | undefined
    for (const i of votersOf(batch, g, options.truncated)) {
      const counted = batch.masked === undefined ? countedScore(batch, i, excludes, options) : 'not binary'
      if (counted === 'not binary') live ??= liveTurnsOf(batch, g)
      const value = counted === 'not binary' ? scoreOf(batch, i, live!, excludes, options) : counted
      if (value === undefined) continue
      if (options.reward === 'trace' && !(Math.abs(value) <= MAX_REWARD))
        fail(
          'RANGE',
          `${place}: options.reward`,
          `rewards whose product is at most ${MAX_REWARD} in size`,
          `${show(value)} for rollout ${i - batch.groupPtr[g]!} of group ${g} ("mean" adds them)`,
        )
      score[i] = value + 0
      votes[i] = 1
    }
  }
  return { score, votes }
}

/** What `scoreOf` gives for a rollout whose rewards are 0 and 1, of which no turn is masked: passes are counted. */
function countedScore(
  { reward, reached, turnPtr }: TurnBatch,
  i: number,
  excludes: boolean,
  { reward: kind, gamma }: OutcomeOptions,
): number | undefined | 'not binary' {
  const start = turnPtr[i]!
  const end = turnPtr[i + 1]!
  let passed = 0
  for (let j = start; j < end; j++) {
    const r = reward[j]!
    if (r * (1 - r) !== 0) return 'not binary'
    passed += r
  }
  let count = end - start
  if (excludes) {
    for (let j = start; j < end; j++) count -= 1 - reached[j]!
    if (count === 0) return undefined
  }
  if (kind === 'trace') return passed === count ? 1 : 0 // unreached turns have reward 0
  if (kind === 'mean') return count === 0 ? 0 : passed / count
  if (gamma === 1) return passed
  let discounted = 0
  let weight = 1
  for (let j = start; j < end; j++) {
    discounted += weight * reward[j]!
    weight *= gamma
  }
  return discounted
}

/** The scalar of rollout i, or nothing where it reached none of the turns that count. */
function scoreOf(
  batch: TurnBatch,
  i: number,
  live: readonly number[],
  excludes: boolean,
  { reward: kind, gamma }: OutcomeOptions,
): number | undefined {
  const start = batch.turnPtr[i]!
  let count = 0
  const terms: number[] = []
  let discounted = 0
  let weight = 1 // γ^u
  for (let u = 0; u < live.length; u++) {
    const j = start + live[u]!
    const r = batch.reward[j]!
    if (!excludes || batch.reached[j] === 1) {
      count++
      terms.push(r)
      discounted += weight * r
    }
    weight *= gamma
  }
  if (excludes && count === 0) return undefined
  if (kind === 'trace') return productOf(terms)
  if (kind === 'mean') return count === 0 ? 0 : exactSum(terms) / count
  return gamma === 1 ? exactSum(terms) : discounted
}

/** Π r, the same for any order of the factors; 0 where one is 0, even where others overflow. */
function productOf(factors: number[]): number {
  if (factors.includes(0)) return 0
  return factors.sort((a, b) => a - b).reduce((product, r) => product * r, 1)
}

/** Makes the values of one group of its scalars.
 * @param score - the first n, those of the voters in batch order, are changed in place
 * @param rollouts - `[n]` which rollouts they are, as indices into the batch
 * @param group - index of the group; a group without a voter is not asked
 */
export type GroupFormula = (score: Float64Array, n: number, rollouts: Int32Array, group: number) => void

/** Replaces the scalars of the voters by what the formula makes of them, group after group. */
export function compareInGroups(
  batch: TurnBatch,
  { score, votes }: RolloutScores,
  formula: GroupFormula,
): void {
  const x = new Float64Array(score.length)
  const rollouts = new Int32Array(score.length)
  for (let g = 0; g < numGroups(batch); g++) {
    let n = 0
    for (let i = batch.groupPtr[g]!; i < batch.groupPtr[g + 1]!; i++) {
      if (votes[i] === 0) continue
      rollouts[n] = i
      x[n++] = score[i]!
    }
    if (n === 0) continue
    formula(x, n, rollouts.subarray(0, n), g)
    for (let k = 0; k < n; k++) score[rollouts[k]!] = x[k]! + 0
  }
}

/** Writes the value of each voter at its turns.
 * @param out - `[numTurns]`; 0 for rollouts without a vote, masked turns, and unreached ones where these are excluded
 */
export function spreadToTurns(
  batch: TurnBatch,
  options: VoteOptions,
  { score, votes }: RolloutScores,
  out: Float64Array,
): Float64Array {
  out.fill(0)
  for (let g = 0; g < numGroups(batch); g++) {
    const excludes = excludesUnreached(batch, g, options.unreached)
    if (batch.masked === undefined) {
      spreadGroup(batch, g, excludes, score, votes, out)
      continue
    }
    const live = liveTurnsOf(batch, g)
    for (let i = batch.groupPtr[g]!; i < batch.groupPtr[g + 1]!; i++) {
      if (votes[i] === 0) continue
      for (let u = 0; u < live.length; u++) {
        const j = batch.turnPtr[i]! + live[u]!
        if (!excludes || batch.reached[j] === 1) out[j] = score[i]!
      }
    }
  }
  return out
}

function spreadGroup(
  { groupPtr, turnPtr, reached }: TurnBatch,
  g: number,
  excludes: boolean,
  score: Float64Array,
  votes: Uint8Array,
  out: Float64Array,
): void {
  for (let i = groupPtr[g]!; i < groupPtr[g + 1]!; i++) {
    if (votes[i] === 0) continue
    const value = score[i]!
    const end = turnPtr[i + 1]!
    for (let j = turnPtr[i]!; j < end; j++) if (!excludes || reached[j] === 1) out[j] = value
  }
}

/** Gives each turn the value of its rollout, which the formula makes of the group's scalars.
 * @param out - `[numTurns]`; see `spreadToTurns`
 * @throws TaraError `RANGE`, `LENGTH`, `TYPE`, `MISMATCH` (memory shared with the rewards)
 */
export function outcomeAdvantage(
  place: string,
  batch: TurnBatch,
  options: OutcomeOptions,
  formula: GroupFormula,
  out?: Float64Array,
): Float64Array {
  checkRewards(place, batch, options.realRewards)
  const advantage = turnOut(`${place}: out`, out, batch)
  const scores = rolloutScores(place, batch, options)
  compareInGroups(batch, scores, formula)
  return spreadToTurns(batch, options, scores, advantage)
}
