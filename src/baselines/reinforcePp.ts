/**
 * REINFORCE++ with an outcome on the last token and γ = 1: every token of a rollout has the return R, whitened over all
 * trained tokens of the batch.
 *
 *     A[i,t] = whiten(R)_i                      (`reinforcePp`)
 *     A[i,t] = whiten(R − μ_group)_i            (`reinforcePpBaseline`)
 *
 * The baseline of the first is the batch, not the group: a rollout alone in its group is compared too. With γ < 1 the
 * tokens of one turn differ, and no value of a turn can say so: `reinforcePpTokens`.
 */
import { checkRewards, turnOut } from '../advantage/check.js'
import type { TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import { oneOf, resolveOptions } from '../options.js'
import { center } from './drGrpo.js'
import { type GroupOfOne, groupOfOneCheck, withGroupOfOne } from './groupOfOne.js'
import {
  compareInGroups,
  type GroupFormula,
  type OutcomeOptions,
  outcomeChecks,
  outcomeDefaults,
  rolloutScores,
  spreadToTurns,
} from './outcome.js'
import { type TurnTokensOption, turnTokensCheck } from './turnTokens.js'
import { countsOf, type WhiteningName, whitenings, whitenRollouts } from './whiten.js'

export interface ReinforcePpOptions extends OutcomeOptions, TurnTokensOption {
  /** Whose last step. All but `rllm` run over tokens and need `turnTokens`; `rllm` runs over rollouts. */
  readonly whiten: WhiteningName
}

export interface ReinforcePpBaselineOptions extends ReinforcePpOptions {
  /** What a lone voter takes to the last step: verl its raw scalar. */
  readonly groupOfOne: GroupOfOne
}

export const reinforcePpDefaults: Readonly<ReinforcePpOptions> = Object.freeze({
  ...outcomeDefaults,
  whiten: 'verl',
  turnTokens: undefined,
})

export const reinforcePpBaselineDefaults: Readonly<ReinforcePpBaselineOptions> = Object.freeze({
  ...reinforcePpDefaults,
  groupOfOne: 'zero',
})

const checks = {
  ...outcomeChecks,
  whiten: oneOf('verl', 'openrlhf', 'nemo', 'rllm'),
  turnTokens: turnTokensCheck,
}

/** Computes REINFORCE++: R whitened over the batch, at each turn of the rollout. arXiv 2501.03262.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `reinforcePpDefaults`; `turnTokens` is needed unless `whiten` is `rllm`
 * @param out - `[numTurns]`, dimensionless; shares no memory with the rewards or the token counts
 * @throws TaraError `MISSING` without token counts; `OPTION` (also for γ < 1 that no scalar reads), `RANGE`, `LENGTH`,
 *   `TYPE`, `MISMATCH` (shared memory, tokens of an unreached turn)
 */
export function reinforcePp(
  batch: TurnBatch,
  options?: Partial<ReinforcePpOptions>,
  out?: Float64Array,
): Float64Array {
  const resolved = resolveOptions<ReinforcePpOptions>('reinforcePp', options, reinforcePpDefaults, checks)
  return whitened('reinforcePp', batch, resolved, options?.gamma, () => {}, out)
}

/** Computes REINFORCE++-baseline: R − μ of the group, whitened over the batch, at each turn of the rollout.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `reinforcePpBaselineDefaults`; `turnTokens` is needed unless `whiten` is `rllm`
 * @param out - `[numTurns]`, dimensionless; shares no memory with the rewards or the token counts
 * @throws TaraError as `reinforcePp`, and `SINGLETONS`
 */
export function reinforcePpBaseline(
  batch: TurnBatch,
  options?: Partial<ReinforcePpBaselineOptions>,
  out?: Float64Array,
): Float64Array {
  const place = 'reinforcePpBaseline'
  const resolved = resolveOptions<ReinforcePpBaselineOptions>(place, options, reinforcePpBaselineDefaults, {
    ...checks,
    groupOfOne: groupOfOneCheck,
  })
  const formula = withGroupOfOne(place, resolved.groupOfOne, center)
  return whitened(place, batch, resolved, options?.gamma, formula, out)
}

/** Scalars, their group formula, the whitening, and back to turns. */
function whitened(
  place: string,
  batch: TurnBatch,
  options: ReinforcePpOptions,
  givenGamma: number | undefined,
  formula: GroupFormula,
  out: Float64Array | undefined,
): Float64Array {
  if (givenGamma !== undefined && givenGamma !== 1 && options.reward !== 'discounted')
    fail(
      'OPTION',
      `${place}: options.gamma`,
      '1, or reward "discounted" to read it (a discount per token gives one turn several values: reinforcePpTokens)',
      show(givenGamma),
    )
  checkRewards(place, batch, options.realRewards)
  const advantage = turnOut(`${place}: out`, out, batch, { 'options.turnTokens': options.turnTokens })
  const rule = whitenings[options.whiten]
  const counts = countsOf(place, batch, rule, options.turnTokens)
  const scores = rolloutScores(place, batch, options)
  compareInGroups(batch, scores, formula)
  whitenRollouts(scores, rule, counts)
  return spreadToTurns(batch, options, scores, advantage)
}
