/**
 * Which turn each message of a rollout belongs to, and which of them the policy wrote: what the forms of tokens that
 * go message by message need to know.
 */

export interface MessageTurns {
  /** `[numMessages]` the turn of each message; -1 for none. */
  readonly turn: readonly number[]
  /** `[numMessages]` whether the policy wrote the message. */
  readonly isWritten: readonly boolean[]
  /** Turns that were logged. */
  readonly numTurns: number
}
