/**
 * What a command may touch of the outside: two streams, a place for work to undo, and a clock for progress.
 */

export interface Io {
  /** Writes data to stdout. Resolves when it is taken; rejects on a failed write. */
  readonly out: (data: string | Uint8Array) => Promise<void>
  /** Writes a message to stderr. */
  readonly err: (text: string) => void
  /** Writes `warning: …` to stderr. */
  readonly warn: (text: string) => void
  /** Sends what other code prints with `console` to stderr from now on. */
  readonly keepStdoutForData: () => void
  /** Whether stderr is a terminal: then progress is shown. */
  readonly isTerminal: boolean
  /** Work to undo when the run is interrupted, such as a temporary file to remove. */
  readonly undo: Set<() => void>
  /** Pipes and devices that are open: a read or write there may wait for ever, also when the run is interrupted. */
  readonly waiting: Set<string>
  /** Milliseconds, for progress only. */
  readonly now: () => number
}
