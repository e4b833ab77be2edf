/**
 * TARA's options, their defaults and their checks; and the options that every estimator shares.
 */
import type { TurnBatch } from '../batch/layout.js'
import type { TruncatedRule, UnreachedRule } from '../batch/votes.js'
import { fail, show } from '../errors.js'
import { aBoolean, aNonNegative, between, type Check, oneOf, optional, resolveOptions } from '../options.js'
import { checkGate, checkRewards } from './check.js'
import type { FutureOptions } from './future.js'
import type { Normalization } from './moments.js'

/** Who votes, and on what. */
export interface VoteOptions {
  /** What an unreached turn counts as. `undefined`: `zero` where a golden trace says it was due, else `exclude`. */
  readonly unreached: UnreachedRule | undefined
  /** What a rollout that a limit ended counts as. `mask` votes here; its tokens are left out later. */
  readonly truncated: TruncatedRule
  /** Takes rewards other than 0 and 1, finite and at most 1e300 in size; a batch that says so itself needs nothing. */
  readonly realRewards: boolean
}

export interface TaraOptions extends FutureOptions, Normalization, VoteOptions {
  /** Weight of the future part. 0 ≤ λ < 1. */
  readonly lambda: number
  /** Allows λ = 1. Theorem A.2 needs λ < 1. */
  readonly allowLambdaOne: boolean
}

export const taraDefaults: Readonly<TaraOptions> = Object.freeze({
  gamma: 0.5,
  lambda: 0.5,
  epsilon: 1e-6,
  gate: 'reward',
  futureIndex: 'eq3',
  unreached: undefined,
  truncated: 'fail',
  scale: 'std',
  correction: 0,
  baseline: 'mean',
  realRewards: false,
  allowLambdaOne: false,
})

type Checks<Options> = { readonly [Name in keyof Options]-?: Check }

export const normalizationChecks: Checks<Normalization> = {
  epsilon: aNonNegative,
  scale: oneOf('std', 'none'),
  correction: oneOf(0, 1),
  baseline: oneOf('mean', 'leave-one-out'),
}

export const voteChecks: Checks<VoteOptions> = {
  unreached: optional(oneOf('zero', 'exclude')),
  truncated: oneOf('fail', 'exclude', 'mask'),
  realRewards: aBoolean,
}

const aGate: Check = (value) => {
  if (value === 'reward' || value === 'none' || value instanceof Float64Array) return undefined
  const isThreshold =
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === 1 &&
    'threshold' in value &&
    Number.isFinite(value.threshold)
  return isThreshold
    ? undefined
    : '"reward", "none", { threshold: a finite number } or a Float64Array with one value a turn'
}

export const futureChecks: Checks<FutureOptions> = {
  gamma: between(0, 1),
  gate: aGate,
  futureIndex: oneOf('eq3', 'eq7'),
}

const taraChecks: Checks<TaraOptions> = {
  ...futureChecks,
  ...normalizationChecks,
  ...voteChecks,
  lambda: between(0, 1),
  allowLambdaOne: aBoolean,
}

/** Fills in TARA's defaults, checks every value, and checks that the batch's rewards and gate fit them.
 * @param place - the caller's name, for errors
 * @returns the options, and whether every reward is 0 or 1
 * @throws TaraError `OPTION`, `RANGE`, `LENGTH`
 */
export function resolveTara(
  place: string,
  batch: TurnBatch,
  options: Partial<TaraOptions> | undefined,
): TaraOptions & { readonly isBinary: boolean } {
  const resolved =
    options === undefined
      ? taraDefaults
      : resolveOptions<TaraOptions>(place, options, taraDefaults, taraChecks)
  if (resolved.lambda === 1 && !resolved.allowLambdaOne)
    fail('OPTION', `${place}: options.lambda`, 'a number in [0, 1) (allowLambdaOne allows 1)', show(1))
  const isBinary = checkRewards(place, batch, resolved.realRewards)
  if (!(isBinary && resolved.gate === 'reward')) checkGate(place, batch, resolved.gate)
  return { ...resolved, isBinary }
}
