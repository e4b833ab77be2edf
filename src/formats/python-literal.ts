/**
 * Strings and numbers of Python source text, and how a fault in it is told.
 *
 * Numbers are read as in JSON text: one that is an integer by value is exact at any size, another is the nearest
 * float64. Strings are code units as Python's escapes give them.
 */
import type { JsonValue } from '../reward/call.js'
import { parseJson } from '../reward/json.js'

/** What is wrong with the text, and where. */
export interface PythonFault {
  readonly ok: false
  /** UTF-16 code units from the start of the text. */
  readonly position: number
  /** `expected …, got …` */
  readonly detail: string
}

/** The state of one parse. */
export interface PythonReader {
  readonly text: string
  /** The next character to read. */
  at: number
  fault: PythonFault | undefined
}

/** The character or word at a position, as an error shows it. */
function found(text: string, at: number): string {
  if (at >= text.length) return 'the end of the text'
  let end = at
  while (end < at + 20 && isNamePart(text.charCodeAt(end))) end++
  return end === at ? JSON.stringify(String.fromCodePoint(text.codePointAt(at)!)) : text.slice(at, end)
}

/** Notes the fault `expected wish, got fact` at a position. */
export function refuse(reader: PythonReader, at: number, wish: string, fact?: string): undefined {
  const detail = `expected ${wish}, got ${fact ?? found(reader.text, at)}`
  reader.fault ??= { ok: false, position: Math.min(at, reader.text.length), detail }
  return undefined
}

export const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** A letter, `_` or anything beyond ASCII. */
export const isNameStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code > 127

export const isNamePart = (code: number): boolean => isNameStart(code) || isDigit(code)

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])

const hexLength: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

/** Reads the escape whose backslash is at `reader.at`, and leaves the reader behind it. */
function readEscape(reader: PythonReader): string | undefined {
  const { text, at } = reader
  const kind = text.charAt(at + 1)
  const simple = simpleEscapes.get(kind)
  if (simple !== undefined) {
    reader.at = at + 2
    return simple
  }
  const digits = hexLength.get(kind)
  if (digits !== undefined) {
    const hex = text.slice(at + 2, at + 2 + digits)
    const code = hex.length === digits && /^[0-9a-fA-F]+$/.test(hex) ? Number.parseInt(hex, 16) : -1
    if (code < 0 || code > 0x10ffff)
      return refuse(reader, at, `${digits} hexadecimal digits of a character after \\${kind}`)
    reader.at = at + 2 + digits
    return String.fromCodePoint(code)
  }
  if (kind >= '0' && kind <= '7') {
    const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))![0]
    reader.at = at + 1 + octal.length
    return String.fromCharCode(Number.parseInt(octal, 8))
  }
  if (kind === 'N') return refuse(reader, at, 'an escape by number', 'a character by its name')
  if (kind === '\r') {
    reader.at = at + (text.charAt(at + 2) === '\n' ? 3 : 2)
    return ''
  }
  reader.at = at + 1 // Python keeps the backslash of an escape that it does not know
  return '\\'
}

/** Reads the body of a string from `reader.at`, which is behind the opening quotes. */
function readBody(reader: PythonReader, quotes: string, isRaw: boolean, start: number): string | undefined {
  const { text } = reader
  const parts: string[] = []
  let copied = reader.at
  for (;;) {
    const code = text.charCodeAt(reader.at)
    if (reader.at >= text.length) return refuse(reader, start, 'a string that ends', 'one that does not')
    if (code === quotes.charCodeAt(0) && text.startsWith(quotes, reader.at)) {
      parts.push(text.slice(copied, reader.at))
      reader.at += quotes.length
      return parts.join('')
    }
    if (code === 92 && isRaw) reader.at += 2
    else if (code === 92) {
      parts.push(text.slice(copied, reader.at))
      const escaped = readEscape(reader)
      if (escaped === undefined) return undefined
      parts.push(escaped)
      copied = reader.at
    } else if ((code === 10 || code === 13) && quotes.length === 1)
      return refuse(reader, reader.at, 'a string on one line', 'a line break')
    else reader.at++
  }
}

/** Where the quote of a string that starts at a position stands: behind its prefix; −1 where none starts. */
export function quoteOf(text: string, at: number): number {
  let quote = at
  while (quote < at + 3) {
    const code = text.charCodeAt(quote)
    if (code === 34 || code === 39) return quote
    if (!isNameStart(code)) return -1
    quote++
  }
  return -1
}

/** Reads one string literal whose quote is at `quote`; `r` and `u` are read, other prefixes refused. */
export function readString(reader: PythonReader, quote: number): string | undefined {
  const { text, at: start } = reader
  const prefix = text.slice(start, quote).toLowerCase()
  if (prefix !== '' && prefix !== 'r' && prefix !== 'u')
    return refuse(reader, start, 'a string', `one with the prefix ${prefix}`)
  const mark = text.charAt(quote)
  const quotes = text.startsWith(mark.repeat(3), quote) ? mark.repeat(3) : mark
  reader.at = quote + quotes.length
  return readBody(reader, quotes, prefix === 'r', start)
}

const DECIMAL = /^(?:0(?:_?0)*|[1-9](?:_?[0-9])*)$/
const POINT =
  /^(?:[0-9](?:_?[0-9])*\.(?:[0-9](?:_?[0-9])*)?|\.[0-9](?:_?[0-9])*)(?:[eE][+-]?[0-9](?:_?[0-9])*)?$/
const EXPONENT = /^[0-9](?:_?[0-9])*[eE][+-]?[0-9](?:_?[0-9])*$/
const OTHER_BASE = /^0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)$/

/** The end of the number-like token at a position. */
function numberEnd(text: string, at: number): number {
  const isHex = text.charAt(at) === '0' && /[xX]/.test(text.charAt(at + 1))
  let end = at
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    const isSign = (code === 43 || code === 45) && !isHex && /[eE]/.test(text.charAt(end - 1)) && end > at
    if (!isNamePart(code) && code !== 46 && !isSign) break
  }
  return end
}

/** The JSON text of a Python number. */
function jsonNumber(token: string): string {
  const [mantissa = '', exponent] = token.replaceAll('_', '').toLowerCase().split('e')
  const [whole = '', fraction] = mantissa.split('.')
  const digits = whole.replace(/^0+(?=[0-9])/, '')
  const decimals = fraction === undefined || fraction === '' ? '' : `.${fraction}`
  return `${digits === '' ? '0' : digits}${decimals}${exponent === undefined ? '' : `e${exponent}`}`
}

/** Reads a number without its sign.
 * @param isNegative - a minus stands before it
 */
export function readNumber(reader: PythonReader, isNegative: boolean): JsonValue | undefined {
  const { text, at } = reader
  const end = numberEnd(text, at)
  const token = text.slice(at, end)
  const shown = token.length > 20 ? `${token.slice(0, 17)}...` : token
  reader.at = end
  if (OTHER_BASE.test(token)) {
    const value = BigInt(token.replaceAll('_', ''))
    const signed = isNegative ? -value : value
    const small = Number(signed)
    return Number.isSafeInteger(small) ? small : signed
  }
  if (!DECIMAL.test(token) && !POINT.test(token) && !EXPONENT.test(token))
    return refuse(reader, at, 'a number', shown)
  const parsed = parseJson((isNegative ? '-' : '') + jsonNumber(token))
  return parsed.ok ? parsed.value : refuse(reader, at, 'a number that can be written out', shown)
}
