/**
 * Token counts: how many trained tokens each turn has, for the estimators whose statistics run over tokens.
 */
import { checkLength } from '../batch/check.js'
import { numGroups, numRollouts, type TurnBatch } from '../batch/layout.js'
import { liveTurnsOf } from '../batch/votes.js'
import { fail, show } from '../errors.js'
import type { Check } from '../options.js'

/** What is read of token spans: `tokenSpans` makes them. */
export interface TurnSpans {
  /** `[numSpans]` index of the turn that owns the span. */
  readonly spanTurn: Int32Array
  readonly spanStart: Int32Array
  readonly spanEnd: Int32Array
  readonly numTurns: number
}

/** `[numTurns]` whole numbers, or the spans whose lengths they are. */
export type TurnTokens = Int32Array | Float64Array | readonly number[] | TurnSpans

export interface TurnTokensOption {
  /** Trained tokens of each turn. `undefined`: not known, which is an error where they are needed. */
  readonly turnTokens: TurnTokens | undefined
}

const isSpans = (value: object): value is TurnSpans => 'spanTurn' in value

const isCounts = (value: unknown): value is Int32Array | Float64Array | readonly number[] =>
  value instanceof Int32Array || value instanceof Float64Array || Array.isArray(value)

export const turnTokensCheck: Check = (value) =>
  value === undefined || isCounts(value) || (typeof value === 'object' && value !== null && isSpans(value))
    ? undefined
    : 'a list, an Int32Array or a Float64Array with one count a turn, or token spans'

/** Returns the number of trained tokens of each turn, `[numTurns]`.
 * @throws TaraError `MISSING` where they are not given, `LENGTH`, `RANGE`, `MISMATCH` for tokens of an unreached turn
 */
export function readTurnTokens(place: string, batch: TurnBatch, value: TurnTokens | undefined): Float64Array {
  const here = `${place}: options.turnTokens`
  if (value === undefined)
    return fail('MISSING', here, 'the number of trained tokens of each turn, or token spans', 'undefined')
  const turns = batch.reward.length
  if (!isCounts(value)) {
    checkLength(here, { length: value.numTurns }, turns, 'turn')
    const counts = new Float64Array(turns)
    for (let s = 0; s < value.spanTurn.length; s++)
      counts[value.spanTurn[s]!]! += value.spanEnd[s]! - value.spanStart[s]!
    return counts
  }
  checkLength(here, value, turns, 'turn')
  for (let j = 0; j < turns; j++)
    if (typeof value[j] !== 'number') fail('TYPE', `${here}[${j}]`, 'a number', show(value[j]))
  const counts = Float64Array.from(value)
  for (let i = 0; i < numRollouts(batch); i++)
    for (let j = batch.turnPtr[i]!; j < batch.turnPtr[i + 1]!; j++) {
      if (!Number.isInteger(counts[j]) || counts[j]! < 0 || counts[j]! > 0x7fffffff)
        fail('RANGE', `${here}[${j}]`, 'a whole number from 0 to 2147483647', show(value[j]))
      if (batch.valid[i] === 1 && batch.reached[j] === 0 && counts[j] !== 0)
        fail('MISMATCH', `${here}[${j}]`, '0, as the turn is not reached', show(value[j]))
    }
  return counts
}

/** Sums the tokens of each rollout over the turns that are not masked, `[numRollouts]`. */
export function rolloutTokens(batch: TurnBatch, turnTokens: Float64Array): Float64Array {
  const tokens = new Float64Array(numRollouts(batch))
  for (let g = 0; g < numGroups(batch); g++) {
    const live = liveTurnsOf(batch, g)
    for (let i = batch.groupPtr[g]!; i < batch.groupPtr[g + 1]!; i++)
      for (const t of live) tokens[i]! += turnTokens[batch.turnPtr[i]! + t]!
  }
  return tokens
}
