/**
 * GDPO: several named rewards, each normalized on its own before they are added, so that none hides another.
 *
 *     A_i = Σ_k w_k·(R_{k,i} − μ_k) / (σ_k + ε)   in the group;   A = (A − mean A) / d   in the batch
 *
 * Normalizing the sum of rewards in place of that gives the same value to different mixtures. TARA is the first step turn by
 * turn, with the two "rewards" r and V and the weights 1 and λ.
 */
import { checkRewards, turnOut } from '../advantage/check.js'
import { checkLength, failReward, isReward } from '../batch/check.js'
import { numRollouts, type TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import { aBoolean, type Check, oneOf, resolveOptions } from '../options.js'
import { dialectFormula } from './dialects.js'
import {
  compareInGroups,
  type OutcomeOptions,
  outcomeChecks,
  outcomeDefaults,
  rolloutScores,
  spreadToTurns,
} from './outcome.js'
import { type TurnTokensOption, turnTokensCheck } from './turnTokens.js'
import { MAX_WEIGHT } from './weight.js'
import { countsOf, type Whitening, whitenings, whitenRollouts } from './whiten.js'

/** Whose constants; the group step is that of the GRPO dialect of the same name. */
export type GdpoDialectName = 'trl' | 'verl' | 'nemo' | 'paper'

/** The batch step of each dialect. */
export const gdpoLastSteps: Readonly<Record<GdpoDialectName, Whitening>> = Object.freeze({
  trl: Object.freeze({ over: 'rollouts', correction: 1, epsilon: 1e-4, form: 'std' }),
  verl: whitenings.verl,
  nemo: Object.freeze({ over: 'rollouts', correction: 1, epsilon: 0, form: 'std' }),
  paper: Object.freeze({ over: 'rollouts', correction: 0, epsilon: 1e-6, form: 'std' }),
})

export interface GdpoOptions extends OutcomeOptions, TurnTokensOption {
  readonly dialect: GdpoDialectName
  /** Weight of each column, by name, all of them. `undefined`: 1 each. */
  readonly weights: Readonly<Record<string, number>> | undefined
  /** Whether the sums are normalized over the batch. Only that step of `verl` needs `turnTokens`. */
  readonly lastStep: boolean
}

export const gdpoDefaults: Readonly<GdpoOptions> = Object.freeze({
  ...outcomeDefaults,
  dialect: 'trl',
  weights: undefined,
  lastStep: true,
  turnTokens: undefined,
})

const weightsCheck: Check = (value) =>
  value === undefined ||
  (typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((weight) => typeof weight === 'number' && Math.abs(weight) <= MAX_WEIGHT))
    ? undefined
    : `an object with a number of at most ${MAX_WEIGHT} in size for each column`

/** Computes GDPO over the named columns of the batch, at each turn of the rollout. arXiv 2601.05242.
 * @param batch - has `columns`, 0 or 1 unless `realRewards` says otherwise
 * @param options - see `gdpoDefaults`; `reward` makes one scalar a column of its turns
 * @param out - `[numTurns]`, dimensionless; shares no memory with the rewards, the columns or the token counts
 * @throws TaraError `MISSING` without columns, a column's weight or token counts; `OPTION`, `RANGE`, `LENGTH`, `TYPE`,
 *   `MISMATCH` (shared memory, tokens of an unreached turn)
 */
export function gdpo(batch: TurnBatch, options?: Partial<GdpoOptions>, out?: Float64Array): Float64Array {
  const resolved = resolveOptions<GdpoOptions>('gdpo', options, gdpoDefaults, {
    ...outcomeChecks,
    dialect: oneOf('trl', 'verl', 'nemo', 'paper'),
    weights: weightsCheck,
    lastStep: aBoolean,
    turnTokens: turnTokensCheck,
  })
  checkRewards('gdpo', batch, resolved.realRewards)
  const columns = columnsOf(batch, resolved)
  const advantage = turnOut('gdpo: out', out, batch, {
    ...Object.fromEntries(columns.map(({ name, values }) => [`batch.columns.${name}`, values])),
    'options.turnTokens': resolved.turnTokens,
  })
  const formula = dialectFormula('gdpo', resolved.dialect)
  const step = gdpoLastSteps[resolved.dialect]
  const counts = resolved.lastStep ? countsOf('gdpo', batch, step, resolved.turnTokens) : undefined

  const total = rolloutScores('gdpo', batch, resolved)
  total.score.fill(0)
  for (const { values, weight } of columns) {
    const reward = values.map((value, j) => (batch.reached[j] === 1 ? value : 0))
    const scores = rolloutScores('gdpo', { ...batch, reward }, resolved)
    compareInGroups(batch, scores, formula)
    for (let i = 0; i < total.score.length; i++) total.score[i]! += weight * scores.score[i]!
  }
  if (counts !== undefined) whitenRollouts(total, step, counts)
  return spreadToTurns(batch, resolved, total, advantage)
}

interface WeightedColumn {
  readonly name: string
  readonly values: Float64Array
  readonly weight: number
}

/** The columns and their weights. */
function columnsOf(batch: TurnBatch, { weights, realRewards }: GdpoOptions): WeightedColumn[] {
  const entries = Object.entries(batch.columns ?? {})
  if (entries.length === 0 && numRollouts(batch) > 0)
    fail('MISSING', 'gdpo: batch.columns', 'named rewards', show(batch.columns))
  for (const name of Object.keys(weights ?? {}))
    if (!entries.some(([own]) => own === name))
      fail(
        'OPTION',
        `gdpo: options.weights.${name}`,
        `one of ${entries.map(([own]) => own).join(', ')}`,
        'an unknown column',
      )
  return entries.map(([name, values]) => {
    const place = `gdpo: batch.columns.${name}`
    checkLength(place, values, batch.reward.length, 'turn')
    const isReal = realRewards || batch.realRewards
    for (let j = 0; j < values.length; j++)
      if (!isReward(values[j], isReal)) failReward(`${place}[${j}]`, values[j], isReal)
    if (weights !== undefined && !Object.hasOwn(weights, name))
      fail('MISSING', `gdpo: options.weights.${name}`, 'a weight for each column', 'undefined')
    return { name, values, weight: weights?.[name] ?? 1 }
  })
}
