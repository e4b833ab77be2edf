/**
 * One line on the terminal that says how much has been made.
 */
import type { Io } from './io.js'

const EVERY_MS = 200

export interface Tally {
  readonly count: (text: string) => void
  readonly done: () => void
}

/** Shows progress on a terminal; elsewhere does nothing. */
export function tally(io: Io): Tally {
  if (!io.isTerminal) return { count: () => {}, done: () => {} }
  let last = io.now()
  let shown = false
  return {
    count(text) {
      const now = io.now()
      if (now - last < EVERY_MS) return
      last = now
      shown = true
      io.err(`\r\u001b[K${text}`)
    },
    done() {
      if (shown) io.err('\r\u001b[K')
    },
  }
}
