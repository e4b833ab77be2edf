/**
 * Turn credit: Dr. GRPO of the rollout, and inside it credit for turns that brought the world forward.
 *
 *     d_u = φ_u − φ_{u−1},   c_t = Σ_{u≥t} γ^{u−t}·d_u / Z_u,   Z_u = 1 + γ + … over the turns up to u
 *     A[i,t] = (R_i + Σ_u d_u − μ) + β·(c_t − mean c)
 *
 * φ scores the state of the world after a turn. The first score changes nothing; a turn without a score leaves its change to
 * the next one that has one. Each change is shared out in full over the turns up to it. The mean of c is over the rollout's
 * tokens, so that its tokens' shaping adds up to 0.
 */
import { checkRewards, turnOut } from '../advantage/check.js'
import { checkLength, MAX_REWARD } from '../batch/check.js'
import type { TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import { type Check, resolveOptions } from '../options.js'
import { center } from './drGrpo.js'
import { compareInGroups, outcomeDefaults, spreadToTurns } from './outcome.js'
import { type RecordedOptions, recordedChecks, recordedScores } from './recorded.js'
import { groupVotes, votingTurns } from './turns.js'
import { readTurnTokens, type TurnTokensOption, turnTokensCheck } from './turnTokens.js'
import { aWeight } from './weight.js'
import { weightedMoments } from './weighted.js'

export interface TurnCreditOptions extends RecordedOptions, TurnTokensOption {
  /** `[numTurns]` φ, the score of the state after each turn, in units of R; NaN where there is none. */
  readonly stateScores: Float64Array | undefined
  /** β, weight of the shaping, 0 … 1e6. */
  readonly beta: number
}

/** γ, also read by `discounted`, and β are this library's choice. */
export const turnCreditDefaults: Readonly<TurnCreditOptions> = Object.freeze({
  ...outcomeDefaults,
  reward: 'outcome',
  stateScores: undefined,
  beta: 1,
  turnTokens: undefined,
})

const scoresCheck: Check = (value) =>
  value === undefined || value instanceof Float64Array ? undefined : 'a Float64Array with one score a turn'

/** Computes turn credit: the centered score of the rollout plus shaping that is zero-sum over its tokens. prime-rl #3282.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `turnCreditDefaults`; `stateScores` and `turnTokens` are needed, and an outcome unless `reward` makes
 *   it of the turns
 * @param out - `[numTurns]`, reward units; shares no memory with the rewards, the outcome, the scores or the token counts
 * @throws TaraError `MISSING` without an outcome, state scores or token counts; `OPTION`, `RANGE`, `LENGTH`, `TYPE`,
 *   `MISMATCH` (shared memory, tokens of an unreached turn)
 */
export function turnCredit(
  batch: TurnBatch,
  options?: Partial<TurnCreditOptions>,
  out?: Float64Array,
): Float64Array {
  const place = 'turnCredit'
  const resolved = resolveOptions<TurnCreditOptions>(place, options, turnCreditDefaults, {
    ...recordedChecks,
    stateScores: scoresCheck,
    beta: aWeight,
    turnTokens: turnTokensCheck,
  })
  const { stateScores, gamma, beta } = resolved
  if (stateScores === undefined)
    return fail(
      'MISSING',
      `${place}: options.stateScores`,
      'the score of the state after each turn',
      'undefined',
    )
  checkRewards(place, batch, resolved.realRewards)
  checkScores(`${place}: options.stateScores`, stateScores, batch.reward.length)
  const tokens = readTurnTokens(place, batch, resolved.turnTokens)
  const advantage = turnOut(`${place}: out`, out, batch, {
    'batch.outcome': batch.outcome,
    'options.stateScores': stateScores,
    'options.turnTokens': resolved.turnTokens,
  })
  const scores = recordedScores(place, batch, resolved)
  const shaping = new Float64Array(batch.reward.length)
  for (const group of groupVotes(batch, resolved))
    for (const i of group.voters) {
      const turns = votingTurns(batch, group, i)
      const phi = turns.map((j) => (batch.reached[j] === 1 ? stateScores[j]! : Number.NaN))
      const change = changes(phi)
      if (scores.votes[i] === 1) scores.score[i]! += totalChange(phi)
      const credit = shareOut(change, gamma)
      const { mean, isFlat } = weightedMoments(
        credit,
        turns.map((j) => tokens[j]!),
        0,
      )
      for (const [u, j] of turns.entries()) shaping[j] = isFlat ? 0 : credit[u]! - mean
    }
  compareInGroups(batch, scores, center)
  spreadToTurns(batch, resolved, scores, advantage)
  for (let j = 0; j < shaping.length; j++) advantage[j]! += beta * shaping[j]!
  return advantage
}

function checkScores(place: string, scores: Float64Array, numTurns: number): void {
  checkLength(place, scores, numTurns, 'turn')
  for (let j = 0; j < scores.length; j++)
    if (Math.abs(scores[j]!) > MAX_REWARD)
      fail('RANGE', `${place}[${j}]`, `a number of at most ${MAX_REWARD} in size, or NaN`, show(scores[j]))
}

/** d of each turn: what its score adds to the last one before it; 0 where one of the two is missing. */
function changes(scores: readonly number[]): number[] {
  let last = Number.NaN
  return scores.map((score) => {
    if (Number.isNaN(score)) return 0
    const change = Number.isNaN(last) ? 0 : score - last
    last = score
    return change + 0
  })
}

/** Σ d telescopes to last − first score: one rounding, so that paths between the same scores count the same. */
function totalChange(scores: readonly number[]): number {
  const known = scores.filter((score) => !Number.isNaN(score))
  return known.length === 0 ? 0 : known[known.length - 1]! - known[0]!
}

/** c of each turn: every change is shared out over the turns up to it, with weights γ^0, γ^1, … that add up to 1. */
function shareOut(change: readonly number[], gamma: number): Float64Array {
  const credit = new Float64Array(change.length)
  let Z = 0
  for (let u = 0; u < change.length; u++) {
    Z = 1 + gamma * Z
    credit[u] = change[u]! / Z
  }
  for (let u = change.length - 2; u >= 0; u--) credit[u]! += gamma * credit[u + 1]!
  return credit
}
