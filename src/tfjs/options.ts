/**
 * What TARA takes on tensors: the options of `tara` that make sense there. What does not is refused with a reason.
 */
import { type TaraOptions, taraDefaults } from '../advantage/options.js'
import { fail, show } from '../errors.js'
import { aBoolean, aNonNegative, between, type Check, oneOf, optional, resolveOptions } from '../options.js'
import { asShape, isTensor, type Tensor } from './ops.js'

/** Which turns count their future: as in `tara`, with a tensor of δ, `[G, K, T]` in [0, 1], in place of an array. */
export type TensorGate = 'reward' | 'none' | { readonly threshold: number } | Tensor

export interface TensorOptions extends Omit<TaraOptions, 'gate' | 'unreached' | 'truncated' | 'realRewards'> {
  readonly gate: TensorGate
  /** `[G, K, T]`, not 0 where the rollout got to the turn. Default: all did. */
  readonly reached: Tensor | undefined
  /** `[G, K]`, 0 for a rollout that neither votes nor learns. Default: all do. */
  readonly valid: Tensor | undefined
  /** What an unreached turn counts as. */
  readonly unreached: 'zero' | 'exclude'
}

export const tensorDefaults: Readonly<TensorOptions> = Object.freeze({
  gamma: taraDefaults.gamma,
  lambda: taraDefaults.lambda,
  epsilon: taraDefaults.epsilon,
  gate: 'reward',
  futureIndex: taraDefaults.futureIndex,
  reached: undefined,
  valid: undefined,
  unreached: 'exclude',
  scale: taraDefaults.scale,
  correction: taraDefaults.correction,
  baseline: taraDefaults.baseline,
  allowLambdaOne: taraDefaults.allowLambdaOne,
})

/** Options of `tara` that a tensor has no room for. */
const misplaced: Readonly<Record<string, string>> = {
  truncated: 'nothing, as tensors carry no status (leave rollouts out with valid)',
  realRewards: 'nothing, as the values of a tensor are not looked at',
}

const aTensor: Check = (value) => (isTensor(value) ? undefined : 'a tensor')

const aGate: Check = (value) => {
  const isThreshold =
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === 1 &&
    'threshold' in value &&
    Number.isFinite(value.threshold)
  return value === 'reward' || value === 'none' || isTensor(value) || isThreshold
    ? undefined
    : '"reward", "none", { threshold: a finite number } or a tensor [G, K, T]'
}

/** Fills in the defaults and checks every value; masks and gate must have the rewards' shape.
 * @param shape - of the rewards
 * @throws TaraError `OPTION`, `LENGTH`
 */
export function resolveTensors(
  place: string,
  shape: readonly number[],
  options: Partial<TensorOptions> | undefined,
): TensorOptions {
  for (const name of Object.keys(options ?? {}))
    if (Object.hasOwn(misplaced, name))
      fail(
        'OPTION',
        `${place}: options.${name}`,
        misplaced[name]!,
        show(options?.[name as keyof TensorOptions]),
      )
  const resolved = resolveOptions<TensorOptions>(place, options, tensorDefaults, {
    gamma: between(0, 1),
    lambda: between(0, 1),
    epsilon: aNonNegative,
    gate: aGate,
    futureIndex: oneOf('eq3', 'eq7'),
    reached: optional(aTensor),
    valid: optional(aTensor),
    unreached: oneOf('zero', 'exclude'),
    scale: oneOf('std', 'none'),
    correction: oneOf(0, 1),
    baseline: oneOf('mean', 'leave-one-out'),
    allowLambdaOne: aBoolean,
  })
  if (resolved.lambda === 1 && !resolved.allowLambdaOne)
    fail('OPTION', `${place}: options.lambda`, 'a number in [0, 1) (allowLambdaOne allows 1)', show(1))
  const { gate, reached, valid } = resolved
  if (isTensor(gate)) asShape(`${place}: options.gate`, gate, shape)
  if (reached !== undefined) asShape(`${place}: options.reached`, reached, shape)
  if (valid !== undefined) asShape(`${place}: options.valid`, valid, shape.slice(0, 2))
  return resolved
}
