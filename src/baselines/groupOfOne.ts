/**
 * Groups of one: a rollout that has nothing to be compared with. Public trainers do one of three things.
 */
import { fail } from '../errors.js'
import { type Check, oneOf } from '../options.js'
import type { GroupFormula } from './outcome.js'

/** The value of a lone voter: 0, its raw scalar, or an error. */
export type GroupOfOne = 'zero' | 'raw' | 'refuse'

export const groupOfOneCheck: Check = oneOf('zero', 'raw', 'refuse')

/** The formula for two voters or more; the rule for one.
 * @throws TaraError `SINGLETONS` where the rule refuses
 */
export function withGroupOfOne(place: string, rule: GroupOfOne, formula: GroupFormula): GroupFormula {
  return (score, n, rollouts, group) => {
    if (n > 1) formula(score, n, rollouts, group)
    else if (rule === 'zero') score[0] = 0
    else if (rule === 'refuse')
      fail('SINGLETONS', `${place}: group ${group}`, 'two rollouts or more with a vote', '1')
  }
}
