/**
 * Bytes → lines of JSONL, split at byte 0x0A and nowhere else.
 *
 * A leading byte-order mark, CRLF, blank lines and a missing final newline are legal; U+2028 in a string is text.
 * A line longer than the cap is refused before it is held. Only the current line is kept.
 */
import { fail, show } from '../errors.js'
import { copyOf } from '../reward/bytes.js'

/** Default cap of one line: 64 MiB. */
export const MAX_LINE: number = 64 * 1024 * 1024

const LF = 0x0a
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Receives one line that is not blank, `bytes[start … end-1]` with its newline at `end`; lines are counted from 1. The
 * bytes are good until it returns.
 */
export type OnLine = (bytes: Uint8Array, start: number, end: number, line: number) => void

export interface LineSplitter {
  /** Takes the next bytes. They are not kept unless a line is unfinished, and then copied. */
  push(chunk: Uint8Array): void
  /** Takes the last line, if it has no newline. Returns the number of lines seen. */
  end(): number
}

/** Whether a line is white space only. */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let k = start; k < end; k++) {
    const byte = bytes[k]!
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}

/** The parts put together, with a newline behind them. */
function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length + 1)
  whole[length] = LF
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The text of a line.
 * @param place - names the input in errors
 * @throws TaraError `ENCODING` for bytes that are not UTF-8
 */
export function decodeLine(
  place: string,
  line: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): string {
  try {
    return utf8.decode(bytes.subarray(start, end))
  } catch {
    return fail('ENCODING', `${place}:${line}`, 'UTF-8', 'bytes that are not')
  }
}

/** Passes lines on as text.
 * @param place - names the input in errors
 * @returns what `lineSplitter` takes
 * @throws TaraError (from what it returns) `ENCODING` for a line that is not UTF-8
 */
export function asText(place: string, onText: (text: string, line: number) => void): OnLine {
  return (bytes, start, end, line) => onText(decodeLine(place, line, bytes, start, end), line)
}

/** Checks a line against the cap.
 * @throws TaraError `TOO_LARGE`
 */
export function checkLine(place: string, line: number, length: number, maxLine: number): void {
  if (length > maxLine)
    fail('TOO_LARGE', `${place}:${line}`, `a line of at most ${maxLine} bytes`, 'a longer one')
}

/** Makes a splitter.
 * @param place - names the input in errors: `rollouts.jsonl`
 * @param maxLine - cap of one line in bytes
 * @throws TaraError (from `push` and `end`) `TOO_LARGE` for a line over the cap
 */
export function lineSplitter(place: string, maxLine: number, onLine: OnLine): LineSplitter {
  let line = 0
  let pending: Uint8Array[] = []
  let pendingLength = 0

  const checkLength = (length: number): void => checkLine(place, line + 1, length, maxLine)
  const emit = (bytes: Uint8Array, start: number, end: number): void => {
    checkLength(end - start)
    line++
    const hasMark =
      line === 1 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
    const first = hasMark ? start + 3 : start
    if (!isBlank(bytes, first, end)) onLine(bytes, first, end, line)
  }

  return {
    push(chunk) {
      let start = 0
      for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
        if (pendingLength === 0) emit(chunk, start, end)
        else {
          const length = pendingLength + end - start
          checkLength(length)
          const whole = join([...pending, chunk.subarray(start, end)], length)
          pending = []
          pendingLength = 0
          emit(whole, 0, length)
        }
        start = end + 1
      }
      if (start === chunk.length) return
      pending.push(copyOf(chunk, start, chunk.length))
      pendingLength += chunk.length - start
      checkLength(pendingLength)
    },
    end() {
      if (pendingLength > 0) emit(join(pending, pendingLength), 0, pendingLength)
      pending = []
      pendingLength = 0
      return line
    },
  }
}

/** A line becomes one string, and engines hold no longer ones: 2^29 - 24 characters. */
const LONGEST_STRING = 2 ** 29 - 24

/** Checks a cap for lines. */
export function asMaxLine(place: string, value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > LONGEST_STRING)
    fail('OPTION', place, `a whole number of bytes, 1 to ${LONGEST_STRING}`, show(value))
  return value as number
}
