/**
 * Strings and numbers of JSON text, and how a fault in it is told.
 */
export type JsonProblem = 'malformed-json' | 'duplicate-key' | 'number-too-large'

/** What probably happened, where the text gives it away. A hint changes no reward. */
export type JsonHint =
  | 'concatenated-json' // a second value right after the first: merged parallel calls
  | 'cut-off' // the text ends inside a value
  | 'python-literal' // True, False, None or a string in single quotes
  | 'encoded-twice' // a string that holds the text of an object

export interface JsonFault {
  readonly ok: false
  readonly problem: JsonProblem
  /** UTF-16 code units from the start of the text. */
  readonly position: number
  readonly hint?: JsonHint
  /** `expected …, got …` */
  readonly detail: string
}

/** The state of one parse. */
export interface JsonReader {
  readonly text: string
  /** The next character to read. */
  at: number
  /** Digits written out so far for integers with an exponent. */
  digits: number
  memberStart: number
  memberEnd: number
  fault: JsonFault | undefined
  /** Takes objects with a key given twice, where that is no fault. */
  readonly repeated: Set<object> | undefined
}

/** The most digits that exponents may add up to when written out, one text. */
export const MAX_WRITTEN_DIGITS = 1_000_000

/** The character or word at a position, as an error shows it. */
function found(text: string, at: number): string {
  let end = at
  while (end < at + 20 && /[A-Za-z]/.test(text.charAt(end))) end++
  return end === at ? JSON.stringify(text.charAt(at)) : text.slice(at, end)
}

/** Notes the fault `expected wish, got …` at a position. */
export function refuse(reader: JsonReader, at: number, wish: string): undefined {
  const { text } = reader
  const atEnd = at >= text.length
  const got = atEnd ? 'the end of the text' : found(text, at)
  const fault = {
    ok: false,
    problem: 'malformed-json',
    position: Math.min(at, text.length),
    detail: `expected ${wish}, got ${got}`,
  } as const
  const python = got === 'True' || got === 'False' || got === 'None' || got === `"'"`
  reader.fault = atEnd ? { ...fault, hint: 'cut-off' } : python ? { ...fault, hint: 'python-literal' } : fault
  return undefined
}

/** Notes that no value starts here; names the literals that other languages have and JSON has not. */
export function refuseValue(reader: JsonReader): undefined {
  const word = /^-?(?:NaN|Infinity)/.exec(reader.text.slice(reader.at, reader.at + 9))
  if (word === null) return refuse(reader, reader.at, 'a value')
  const detail = `expected a value, got ${word[0]}, which JSON does not have`
  reader.fault = { ok: false, problem: 'malformed-json', position: reader.at, detail }
  return undefined
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

const isHex = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)

/** The position after the escape whose backslash is at `at`, or −1 after a fault. */
function skipEscape(reader: JsonReader, at: number): number {
  const { text } = reader
  switch (text.charCodeAt(at + 1)) {
    case 34: // "
    case 92: // \
    case 47: // /
    case 98: // b
    case 102: // f
    case 110: // n
    case 114: // r
    case 116: // t
      return at + 2
    case 117: // u
      for (let k = at + 2; k < at + 6; k++)
        if (!isHex(text.charCodeAt(k))) {
          refuse(reader, k, 'four hexadecimal digits after \\u')
          return -1
        }
      return at + 6
    default:
      refuse(reader, at + 1, 'an escape that JSON has')
      return -1
  }
}

/** Reads a string whose opening quote is at `reader.at`; `undefined` after a fault. */
export function readString(reader: JsonReader): string | undefined {
  const { text } = reader
  const start = reader.at
  let escaped = false
  let at = start + 1
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 34) break
    if (code === 92) {
      escaped = true
      at = skipEscape(reader, at)
      if (at < 0) return undefined
    } else if (code >= 32) at++
    else return refuse(reader, at, at < text.length ? 'control characters as escapes' : 'the closing quote')
  }
  reader.at = at + 1
  // The token is valid by now, so the built-in parser only decodes it.
  return escaped ? (JSON.parse(text.slice(start, at + 1)) as string) : text.slice(start + 1, at)
}

function skipDigits(text: string, at: number): number {
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

/** Reads a number that starts at `reader.at`; `undefined` after a fault. */
export function readNumber(reader: JsonReader): number | bigint | undefined {
  const { text, at: start } = reader
  const isNegative = text.charCodeAt(start) === 45
  const first = isNegative ? start + 1 : start
  let at = first
  let small = 0
  for (let code = text.charCodeAt(at); isDigit(code); code = text.charCodeAt(++at))
    small = small * 10 + (code - 48)
  const end = at
  if (end === first)
    return text.charCodeAt(first) === 73 ? refuseValue(reader) : refuse(reader, first, 'a digit')
  if (end > first + 1 && text.charCodeAt(first) === 48)
    return refuse(reader, first + 1, 'no digit after a leading 0')
  if (text.charCodeAt(at) === 46) {
    at = skipDigits(text, at + 1)
    if (at === end + 1) return refuse(reader, at, 'a digit after the decimal point')
  }
  const fractionEnd = at
  if ((text.charCodeAt(at) | 32) === 101) {
    at++
    if (text.charCodeAt(at) === 43 || text.charCodeAt(at) === 45) at++
    const power = at
    at = skipDigits(text, at)
    if (at === power) return refuse(reader, at, 'a digit of the exponent')
  }
  reader.at = at
  if (at > end) return decimalValue(reader, start, first, end, fractionEnd)
  if (end - first <= 15) return isNegative ? 0 - small : small
  return exactInteger(text.slice(start, end))
}

/** An integer as a safe `number` where that is exact, else as a `bigint`. */
function exactInteger(digits: string): number | bigint {
  const exact = BigInt(digits)
  const near = Number(exact)
  return Number.isSafeInteger(near) ? near : exact
}

/** The value of the token from `start` to `reader.at`, which has a fraction or an exponent. */
function decimalValue(
  reader: JsonReader,
  start: number,
  first: number,
  pointAt: number,
  fractionEnd: number,
): number | bigint | undefined {
  const { text, at } = reader
  const near = Number(text.slice(start, at))
  if (Number.isFinite(near) && !Number.isInteger(near)) return near
  // An integer by value, perhaps: digits · 10^power without zeros at either end.
  const all = text.slice(first, pointAt) + text.slice(pointAt + 1, fractionEnd)
  let from = 0
  let to = all.length
  while (from < to && all.charCodeAt(from) === 48) from++
  while (to > from && all.charCodeAt(to - 1) === 48) to--
  if (from === to) return 0
  const exponent = fractionEnd < at ? Number(text.slice(fractionEnd + 1, at)) : 0
  const power = exponent - Math.max(0, fractionEnd - pointAt - 1) + (all.length - to)
  if (power < 0 && Number.isFinite(near)) return near + 0
  const size = to - from + power
  if (power > 0) reader.digits += size
  if (power < 0 || reader.digits > MAX_WRITTEN_DIGITS) {
    const wish =
      power < 0 ? 'a number that a float64 holds' : `at most ${MAX_WRITTEN_DIGITS} digits written out`
    const shown = text.slice(start, Math.min(at, start + 40))
    const detail = `expected ${wish}, got ${shown}`
    reader.fault = { ok: false, problem: 'number-too-large', position: start, detail }
    return undefined
  }
  if (size <= 15) return near
  const sign = first > start ? '-' : ''
  return exactInteger(`${sign}${all.slice(from, to)}${'0'.repeat(power)}`)
}
