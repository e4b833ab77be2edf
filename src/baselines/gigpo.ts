/**
 * GiGPO: the rollout compared with the group, and each turn with the turns of the group that started from the same state.
 *
 *     A[i,t] = F(R_i) + ω·F_s(G[i,t]),   G[i,t] = Σ_{k≥0} γ^k·r[i,t+k]
 *
 * F centers over the group's rollouts, each counted once; F_s over all turns of the group whose state is s. A state that occurs
 * once adds 0. With `scale: 'std'` both are divided by σ + ε too.
 */
import { checkRewards, turnOut } from '../advantage/check.js'
import { normalize } from '../advantage/moments.js'
import { normalizationChecks } from '../advantage/options.js'
import { checkLength } from '../batch/check.js'
import type { TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import { type Check, resolveOptions } from '../options.js'
import {
  compareInGroups,
  type OutcomeOptions,
  outcomeChecks,
  outcomeDefaults,
  rolloutScores,
  spreadToTurns,
} from './outcome.js'
import { groupVotes, sumsToGo, votingTurns } from './turns.js'
import { aWeight } from './weight.js'

export interface GigpoOptions extends OutcomeOptions {
  /** `[numTurns]` names the state that each turn started from. Read where a turn was reached and votes. */
  readonly states: readonly (string | number)[] | undefined
  /** ω, weight of the state part, 0 … 1e6. */
  readonly omega: number
  readonly epsilon: number
  readonly scale: 'std' | 'none'
  readonly correction: 0 | 1
}

/** γ, also read by `discounted`, and ω are the paper's; centering only and the divisor of σ are those of its code. */
export const gigpoDefaults: Readonly<GigpoOptions> = Object.freeze({
  ...outcomeDefaults,
  gamma: 0.95,
  states: undefined,
  omega: 1,
  epsilon: 1e-6,
  scale: 'none',
  correction: 1,
})

const aList: Check = (value) =>
  value === undefined || Array.isArray(value) ? undefined : 'a list with one state a turn'

/** Computes GiGPO: the episode's advantage plus ω times that among turns from the same state. arXiv 2505.10978.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `gigpoDefaults`; `states` is needed
 * @param out - `[numTurns]`, reward units, dimensionless with `scale: 'std'`; shares no memory with the rewards
 * @throws TaraError `MISSING` without states; `OPTION`, `RANGE`, `LENGTH`, `TYPE`, `MISMATCH` (shared memory)
 */
export function gigpo(batch: TurnBatch, options?: Partial<GigpoOptions>, out?: Float64Array): Float64Array {
  const resolved = resolveOptions<GigpoOptions>('gigpo', options, gigpoDefaults, {
    ...outcomeChecks,
    states: aList,
    omega: aWeight,
    epsilon: normalizationChecks.epsilon,
    scale: normalizationChecks.scale,
    correction: normalizationChecks.correction,
  })
  const { states, omega, gamma } = resolved
  if (states === undefined)
    return fail('MISSING', 'gigpo: options.states', 'the state that each turn started from', 'undefined')
  checkLength('gigpo: options.states', states, batch.reward.length, 'turn')
  checkRewards('gigpo', batch, resolved.realRewards)
  const advantage = turnOut('gigpo: out', out, batch)
  const compare = (x: Float64Array, n: number): void => normalize(x, n, { ...resolved, baseline: 'mean' })

  const votes = groupVotes(batch, resolved)
  const sameState = votes.flatMap((group) => {
    const turns = group.voters.flatMap((i) => votingTurns(batch, group, i))
    return byState(
      states,
      turns.filter((j) => batch.reached[j] === 1),
    )
  })
  const scores = rolloutScores('gigpo', batch, resolved)
  compareInGroups(batch, scores, compare)
  const sum = new Float64Array(batch.reward.length)
  spreadToTurns(batch, resolved, scores, sum)

  const G = new Float64Array(batch.reward.length)
  sumsToGo(batch, votes, batch.reward, gamma, G)
  for (const turns of sameState) {
    const x = Float64Array.from(turns, (j) => G[j]!)
    compare(x, x.length)
    for (const [k, j] of turns.entries()) sum[j]! += omega * x[k]!
  }
  const j = sum.findIndex((value) => !Number.isFinite(value))
  if (j >= 0)
    fail(
      'RANGE',
      `gigpo: batch.reward[${j}]`,
      'rewards whose sums to go, times omega, stay finite',
      show(sum[j]),
    )
  advantage.set(sum)
  return advantage
}

/** Puts turns that started from the same state together. The states 1 and "1" differ. */
function byState(states: readonly (string | number)[], turns: readonly number[]): number[][] {
  const groups = new Map<string | number, number[]>()
  for (const j of turns) {
    const state = states[j]
    if (typeof state !== 'string' && !Number.isFinite(state))
      fail('TYPE', `gigpo: options.states[${j}]`, 'a string or a finite number', show(state))
    const same = groups.get(state!)
    if (same === undefined) groups.set(state!, [j])
    else same.push(j)
  }
  return [...groups.values()]
}
