/**
 * JSONL or one JSON document over many lines: the first line tells.
 */
import { fail } from '../errors.js'
import { parse } from '../formats/line.js'
import { decodeLine, type OnLine } from '../formats/lines.js'
import { parseJson } from '../reward/json.js'

export interface Texts {
  /** Takes a line that is not blank. */
  readonly addLine: OnLine
  /** Whether a document is held, so that what comes is no line. */
  isDocument(): boolean
  /** Passes on a document that is still held. */
  end(): void
}

/** Whether a line is JSON that goes on. */
function isCutOff(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || parse(text) !== undefined) return false
  const parsed = parseJson(text)
  return !parsed.ok && parsed.hint === 'cut-off'
}

/** Whether a text is JSONL with a fault in its first line: the second one begins like another record. */
const looksLikeLines = (held: readonly string[]): boolean => held.length === 1 || held[1]!.startsWith('{')

/** What lines, or a whole document as line 0, are passed on to. */
export interface Reader {
  readonly addBytes: OnLine
  readonly addLine: (text: string, line: number) => void
}

/** Passes on lines, or, where the first one is only the beginning of a value, the whole text as line 0.
 *
 * What turns out not to be JSON as a whole is passed on as it is where it looks like a document, and else by its first
 * line, which is then at fault.
 * @param place - names the input in errors
 * @param maxLength - characters of a document that are held at most
 * @throws TaraError (from its methods) `TOO_LARGE` for a longer document
 */
export function linesOrDocument(place: string, maxLength: number, reader: Reader): Texts {
  let held: string[] | undefined
  let isFirst = true
  let length = 0
  let firstLine = 0

  return {
    addLine(bytes, start, end, line) {
      if (isFirst && isCutOff(decodeLine(place, line, bytes, start, end))) {
        held = []
        firstLine = line
      }
      isFirst = false
      if (held === undefined) return reader.addBytes(bytes, start, end, line)
      const text = decodeLine(place, line, bytes, start, end)
      held.push(text)
      length += text.length + 1
      if (length <= maxLength) return
      if (looksLikeLines(held)) reader.addLine(held[0]!, firstLine)
      fail('TOO_LARGE', place, `JSONL, or a document of at most ${maxLength} characters`, 'a longer one')
    },
    isDocument: () => held !== undefined,
    end() {
      if (held === undefined) return
      const whole = held.join('\n')
      if (looksLikeLines(held) && parse(whole) === undefined) reader.addLine(held[0]!, firstLine)
      else reader.addLine(whole, 0)
    },
  }
}
