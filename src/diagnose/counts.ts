/**
 * What only the reader of a log can count: calls, and turns that the batch has no place for.
 */
import { fail, show } from '../errors.js'
import { aCount } from '../options.js'

/** Any of these; what was not counted is left out. */
export interface CallCounts {
  /** Calls that were tested against golden calls. */
  readonly testedCalls?: number | undefined
  /** Tested calls that are for no golden call. */
  readonly extraCalls?: number | undefined
  /** Tested calls whose name or arguments cannot be read. */
  readonly malformedCalls?: number | undefined
  /** Calls before the first turn. */
  readonly earlyCalls?: number | undefined
  /** Turns beyond T. */
  readonly surplusTurns?: number | undefined
  /** Golden turns with a golden call that was not made in its turn. */
  readonly missedTurns?: number | undefined
  /** Of these, those whose golden calls all stand in the turn before. */
  readonly oneTurnEarly?: number | undefined
  /** Of these, those whose golden calls all stand in the turn after. */
  readonly oneTurnLate?: number | undefined
}

const names: readonly (keyof CallCounts)[] = [
  'testedCalls',
  'extraCalls',
  'malformedCalls',
  'earlyCalls',
  'surplusTurns',
  'missedTurns',
  'oneTurnEarly',
  'oneTurnLate',
]

/** Takes the counts out of an object that may hold others.
 * @throws TaraError `RANGE` for a count that is no whole number
 */
export function readCounts(place: string, counts: CallCounts): CallCounts {
  if (typeof counts !== 'object' || counts === null) return fail('TYPE', place, 'an object', show(counts))
  const taken: { -readonly [Name in keyof CallCounts]: number } = {}
  for (const name of names) {
    const value = counts[name]
    if (value === undefined) continue
    const wish = aCount(value)
    if (wish !== undefined) fail('RANGE', `${place}.${name}`, wish, show(value))
    taken[name] = value
  }
  return taken
}
