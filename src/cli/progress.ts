/**
 * One line on the terminal that says how far reading has come.
 */
import type { Input } from './input.js'
import type { Io } from './io.js'

const EVERY_MS = 200

export interface Progress {
  readonly bytes: (read: number) => void
  readonly done: () => void
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`

/** Shows progress on a terminal; elsewhere does nothing. */
export function progress(io: Io, input: Input): Progress {
  if (!io.isTerminal) return { bytes: () => {}, done: () => {} }
  let last = io.now()
  let shown = false
  return {
    bytes(read) {
      const now = io.now()
      if (now - last < EVERY_MS) return
      last = now
      shown = true
      const share = input.size
        ? ` of ${megabytes(input.size)} (${Math.floor((100 * read) / input.size)}%)`
        : ''
      io.err(`\r\u001b[Kreading ${input.name}: ${megabytes(read)}${share}`)
    },
    done() {
      if (shown) io.err('\r\u001b[K')
    },
  }
}
