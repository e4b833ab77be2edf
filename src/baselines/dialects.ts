/**
 * GRPO as public trainers compute it: (R − μ) / (σ + ε) with their divisor, their ε and their groups of one.
 *
 * Where all values of a group are equal, the result is exactly 0 in every dialect. Trainers that decide by σ + ε leak the
 * rounding error of the mean there.
 */
import { type Normalization, normalize } from '../advantage/moments.js'
import { fail, show } from '../errors.js'
import { type GroupOfOne, withGroupOfOne } from './groupOfOne.js'
import { normalizeLeaveOneOut } from './leaveOneOut.js'
import type { GroupFormula, RolloutReward } from './outcome.js'

export interface GrpoDialect extends Normalization {
  readonly groupOfOne: GroupOfOne
  /** Whose σ it is: of the whole group, or of the others only; then a σ of 0 divides nothing. */
  readonly deviationOf: 'all' | 'others'
  /** How turns become the one scalar that the trainer is given; an option like any other. */
  readonly reward: RolloutReward
}

export type GrpoDialectName = 'paper' | 'verl' | 'trl' | 'openrlhf' | 'nemo' | 'art' | 'skyrl'

/** The constants of the paper. */
const paper: GrpoDialect = Object.freeze({
  correction: 0,
  epsilon: 1e-6,
  scale: 'std',
  baseline: 'mean',
  deviationOf: 'all',
  groupOfOne: 'zero',
  reward: 'trace',
})

const dialect = (own: Partial<GrpoDialect>): GrpoDialect => Object.freeze({ ...paper, ...own })

/** The constants of each dialect. */
export const grpoDialects: Readonly<Record<GrpoDialectName, GrpoDialect>> = Object.freeze({
  paper,
  verl: dialect({ correction: 1, groupOfOne: 'raw' }),
  trl: dialect({ correction: 1, epsilon: 1e-4 }),
  openrlhf: dialect({ correction: 1, epsilon: 1e-9, groupOfOne: 'refuse' }),
  nemo: dialect({ correction: 1, baseline: 'leave-one-out', deviationOf: 'others' }),
  art: dialect({}),
  skyrl: dialect({ correction: 1, groupOfOne: 'raw' }),
})

/** Names of the dialects. */
export const grpoDialectNames: readonly GrpoDialectName[] = Object.freeze(
  Object.keys(grpoDialects) as GrpoDialectName[],
)

/** What a dialect makes of a group's scalars. */
export function dialectFormula(place: string, name: GrpoDialectName): GroupFormula {
  const { groupOfOne, deviationOf, ...rule } = grpoDialects[name]
  return withGroupOfOne(place, groupOfOne, (x, n) => {
    if (deviationOf === 'all') normalize(x, n, rule)
    else normalizeLeaveOneOut(x, n, rule.epsilon)
  })
}

const fixed = ['epsilon', 'scale', 'correction', 'baseline'] as const

/** Refuses options that would change the constants of a dialect.
 * @throws TaraError `OPTION`
 */
export function checkDialect(place: string, name: GrpoDialectName, given: Partial<Normalization>): void {
  for (const option of fixed) {
    const own = grpoDialects[name][option]
    const value = given[option]
    if (value !== undefined && value !== own)
      fail(
        'OPTION',
        `${place}: options.${option}`,
        `${show(own)}, as the dialect "${name}" has it`,
        show(value),
      )
  }
}
