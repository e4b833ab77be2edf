/**
 * What is audited: an estimator in settings under which it could climb the expected return: γ = 1, R = Σ r, λ = 1.
 */
import type { EstimatorName } from '../../src/baselines/estimators.js'
import type { Estimator, Target } from './enumerate.js'

export interface Subject {
  /** The estimator of the list; TARA; or a form that the library does not offer. */
  readonly name: EstimatorName | 'tara' | 'not offered'
  /** What sets it apart from the other rows of the same name. */
  readonly settings: string
  readonly estimator: Estimator
  /** The row that shows it without its divisor, if it has one. */
  readonly undivided?: Subject
  /** How many times over it counts the return; 1 if not said. */
  readonly times?: number
  /** What a turn is worth to it, where that is not the return, and what that is called. */
  readonly target?: readonly [name: string, worth: Target]
  readonly why: string
}

export const sumOf = { reward: 'discounted', gamma: 1 } as const
export const centered = { scale: 'none' } as const
export const toGo = { gamma: 1, lambda: 1, allowLambdaOne: true } as const
/** δ = r for rewards of 0 and 1, and allowed for others. */
export const gate = { threshold: 0.5 } as const

/** `return-to-go (scale none)`. */
export const titleOf = ({ name, settings }: Subject): string =>
  settings === '' ? name : `${name} (${settings})`
