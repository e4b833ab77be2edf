/**
 * OPO: the mean over tokens as the baseline, so that a long rollout weighs more in it.
 *
 *     A[i,t] = R_i − Σ_j L_j·R_j / Σ_j L_j,   L = trained tokens of the rollout
 *
 * Each token, not each rollout, then averages to 0. Where no rollout of a group has a trained token, all are 0.
 */
import { checkRewards, turnOut } from '../advantage/check.js'
import type { TurnBatch } from '../batch/layout.js'
import { resolveOptions } from '../options.js'
import { type GroupOfOne, groupOfOneCheck, withGroupOfOne } from './groupOfOne.js'
import { type OutcomeOptions, outcomeAdvantage, outcomeChecks, outcomeDefaults } from './outcome.js'
import { readTurnTokens, rolloutTokens, type TurnTokensOption, turnTokensCheck } from './turnTokens.js'
import { weightedMoments } from './weighted.js'

export interface OpoOptions extends OutcomeOptions, TurnTokensOption {
  /** Value of a lone voter: verl takes its raw scalar. */
  readonly groupOfOne: GroupOfOne
}

export const opoDefaults: Readonly<OpoOptions> = Object.freeze({
  ...outcomeDefaults,
  turnTokens: undefined,
  groupOfOne: 'zero',
})

/** Computes OPO's advantage: R minus the length-weighted mean, at each turn of the rollout. arXiv 2505.23585.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `opoDefaults`; `turnTokens` is needed
 * @param out - `[numTurns]`, reward units; shares no memory with the rewards or the token counts
 * @throws TaraError `MISSING` without token counts; `OPTION`, `RANGE`, `LENGTH`, `TYPE`, `SINGLETONS`, `MISMATCH` (shared
 *   memory, tokens of an unreached turn)
 */
export function opo(batch: TurnBatch, options?: Partial<OpoOptions>, out?: Float64Array): Float64Array {
  const resolved = resolveOptions<OpoOptions>('opo', options, opoDefaults, {
    ...outcomeChecks,
    turnTokens: turnTokensCheck,
    groupOfOne: groupOfOneCheck,
  })
  checkRewards('opo', batch, resolved.realRewards)
  turnOut('opo: out', out, batch, { 'options.turnTokens': resolved.turnTokens })
  const length = rolloutTokens(batch, readTurnTokens('opo', batch, resolved.turnTokens))
  const formula = withGroupOfOne('opo', resolved.groupOfOne, (x, n, rollouts) => {
    const score = x.subarray(0, n)
    const weight = Array.from(rollouts, (i) => length[i]!)
    const { mean } = weightedMoments(score, weight, 0)
    const isSilent = score.every((value) => value === score[0]) || weight.every((value) => value === 0)
    for (let k = 0; k < n; k++) score[k] = isSilent ? 0 : score[k]! - mean
  })
  return outcomeAdvantage('opo', batch, resolved, formula, out)
}
