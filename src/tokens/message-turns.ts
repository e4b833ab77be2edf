/**
 * Which turn each message of a rollout belongs to, and which of them the policy wrote: what the forms of tokens that
 * go message by message need to know.
 */
import { fail } from '../errors.js'

export interface MessageTurns {
  /** `[numMessages]` the turn of each message; -1 for none. */
  readonly turn: readonly number[]
  /** `[numMessages]` whether the policy wrote the message. */
  readonly isWritten: readonly boolean[]
  /** `[numMessages]` whether the message holds several turns: `turn` is the last of them. Default: none does. */
  readonly holdsSeveral?: readonly boolean[]
  /** The turn of each step of the sampler, in order. Default: one step a message that the policy wrote. */
  readonly steps?: readonly number[]
  /** Turns that were logged. */
  readonly numTurns: number
}

/** Refuses a message whose tokens may be of several turns.
 * @param form - the field that speaks of messages
 * @throws TaraError `MISMATCH`
 */
export function checkOneTurn(place: string, form: string, { holdsSeveral }: MessageTurns, m: number): void {
  if (holdsSeveral?.[m] === true)
    fail(
      'MISMATCH',
      place,
      `the form steps, which tells the steps of a message apart (${form} does not)`,
      `tokens of message ${m}, which holds several steps`,
    )
}
