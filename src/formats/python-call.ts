/**
 * Python call expressions → names and arguments, without evaluating anything.
 *
 * Read: dotted names, positional and keyword arguments, and as values strings, numbers, `True`, `False`, `None`, lists,
 * tuples (as lists) and dicts with text keys. Everything else, a call or a name inside a value, an operator, `*args`,
 * is a fault that is returned with its position, not thrown. A keyword or a dict key given twice is one too.
 */
import type { JsonObject, JsonValue } from '../reward/call.js'
import {
  isDigit,
  isNamePart,
  isNameStart,
  type PythonFault,
  type PythonReader,
  quoteOf,
  readNumber,
  readString,
  refuse,
} from './python-literal.js'

export type { PythonFault } from './python-literal.js'

/** One call expression. */
export interface PythonCall {
  /** `cd`, `files.cd`. */
  readonly name: string
  readonly positional: readonly JsonValue[]
  readonly keywords: JsonObject
}

export type PythonCalls = { readonly ok: true; readonly calls: readonly PythonCall[] } | PythonFault

/** The most brackets that may be open at once. */
const MAX_DEPTH = 200

function skipSpace(reader: PythonReader): number {
  const { text } = reader
  for (;;) {
    const code = text.charCodeAt(reader.at)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9 && code !== 12) return code
    reader.at++
  }
}

/** Reads a name; `undefined` where none starts. */
function readName(reader: PythonReader): string | undefined {
  const { text, at } = reader
  if (!isNameStart(text.charCodeAt(at))) return undefined
  while (reader.at < text.length && isNamePart(text.charCodeAt(reader.at))) reader.at++
  return text.slice(at, reader.at)
}

const constants: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['True', true],
  ['False', false],
  ['None', null],
])

/** Reads one or several string literals that stand side by side. */
function readStrings(reader: PythonReader): string | undefined {
  const parts: string[] = []
  for (;;) {
    const quote = quoteOf(reader.text, reader.at)
    if (quote < 0) return parts.join('')
    const part = readString(reader, quote)
    if (part === undefined) return undefined
    parts.push(part)
    skipSpace(reader)
  }
}

/** Reads what stands between brackets, item by item, a comma after each but the last.
 * @param close - the code of the closing bracket
 * @returns how many items there were and whether a comma came last; `undefined` after a fault
 */
function readItems(
  reader: PythonReader,
  close: number,
  readItem: () => true | undefined,
): { readonly count: number; readonly hasComma: boolean } | undefined {
  reader.at++
  let count = 0
  let hasComma = false
  for (;;) {
    if (skipSpace(reader) === close) break
    if (count > 0 && !hasComma) return refuse(reader, reader.at, `"," or "${String.fromCharCode(close)}"`)
    if (readItem() === undefined) return undefined
    count++
    hasComma = skipSpace(reader) === 44
    if (hasComma) reader.at++
  }
  reader.at++
  return { count, hasComma }
}

/** Reads `[…]`, a list, or `(…)`, a tuple or a value in parentheses. */
function readList(reader: PythonReader, depth: number): JsonValue | undefined {
  const isList = reader.text.charCodeAt(reader.at) === 91
  const items: JsonValue[] = []
  const read = readItems(reader, isList ? 93 : 41, () => {
    const item = readValue(reader, depth)
    if (item === undefined) return undefined
    items.push(item)
    return true
  })
  if (read === undefined) return undefined
  return !isList && read.count === 1 && !read.hasComma ? items[0] : items
}

function readDict(reader: PythonReader, depth: number): JsonValue | undefined {
  const members: Record<string, JsonValue> = Object.create(null)
  const read = readItems(reader, 125, () => {
    const start = reader.at
    if (quoteOf(reader.text, start) < 0) return refuse(reader, start, 'a key in quotes')
    const key = readStrings(reader)
    if (key === undefined) return undefined
    if (key in members) return refuse(reader, start, 'each key once', 'one again')
    if (skipSpace(reader) !== 58) return refuse(reader, reader.at, '":" after a key')
    reader.at++
    const value = readValue(reader, depth)
    if (value === undefined) return undefined
    members[key] = value
    return true
  })
  return read === undefined ? undefined : members
}

/** Reads one value; `undefined` after a fault. Recursive, at most `MAX_DEPTH` deep. */
function readValue(reader: PythonReader, depth: number): JsonValue | undefined {
  const { text } = reader
  const code = skipSpace(reader)
  if (code === 91 || code === 40 || code === 123) {
    if (depth >= MAX_DEPTH)
      return refuse(reader, reader.at, `at most ${MAX_DEPTH} brackets open at once`, 'more')
    return code === 123 ? readDict(reader, depth + 1) : readList(reader, depth + 1)
  }
  if (quoteOf(text, reader.at) >= 0) return readStrings(reader)
  const isSigned = code === 43 || code === 45
  if (isSigned) {
    reader.at++
    skipSpace(reader)
  }
  const first = text.charCodeAt(reader.at)
  if (isDigit(first) || (first === 46 && isDigit(text.charCodeAt(reader.at + 1))))
    return readNumber(reader, code === 45)
  if (isSigned) return refuse(reader, reader.at, 'a number after a sign')
  const start = reader.at
  const name = readName(reader)
  const value = name === undefined ? undefined : constants.get(name)
  return value === undefined ? refuse(reader, start, 'a value') : value
}

/** The name of the keyword argument that starts here, leaving the reader at its value; `undefined` where none does. */
function readKeyword(reader: PythonReader): string | undefined {
  const start = reader.at
  const name = readName(reader)
  if (name !== undefined && skipSpace(reader) === 61 && reader.text.charCodeAt(reader.at + 1) !== 61) {
    reader.at++
    return name
  }
  reader.at = start
  return undefined
}

function readCall(reader: PythonReader): PythonCall | undefined {
  const { text } = reader
  const start = reader.at
  for (;;) {
    if (readName(reader) === undefined) return refuse(reader, reader.at, 'the name of a function')
    if (text.charCodeAt(reader.at) !== 46) break
    reader.at++
  }
  const name = text.slice(start, reader.at)
  if (skipSpace(reader) !== 40) return refuse(reader, reader.at, `"(" after ${name}`)
  const positional: JsonValue[] = []
  const keywords: Record<string, JsonValue> = Object.create(null)
  let isKeywords = false
  const read = readItems(reader, 41, () => {
    const at = reader.at
    const keyword = readKeyword(reader)
    if (keyword === undefined && isKeywords) return refuse(reader, at, 'name=value after a keyword argument')
    if (keyword !== undefined && keyword in keywords)
      return refuse(reader, at, 'each argument once', `${keyword} again`)
    const value = readValue(reader, 1)
    if (value === undefined) return undefined
    if (keyword === undefined) positional.push(value)
    else {
      isKeywords = true
      keywords[keyword] = value
    }
    return true
  })
  return read === undefined ? undefined : { name, positional, keywords }
}

/** Parses one call expression or several: `f(1)`, `f(1), g(a='x')`, or these in square brackets.
 * @param text - any string; an empty list of calls is `[]`, blank text is a fault
 * @returns the calls in order, or the first fault with its position; never throws, never evaluates
 */
export function parsePythonCalls(text: string): PythonCalls {
  const reader: PythonReader = { text, at: 0, fault: undefined }
  const calls: PythonCall[] = []
  const readOne = (): true | undefined => {
    const call = readCall(reader)
    if (call === undefined) return undefined
    calls.push(call)
    return true
  }
  if (skipSpace(reader) === 91) readItems(reader, 93, readOne)
  else
    while (readOne() !== undefined && skipSpace(reader) === 44) {
      reader.at++
      skipSpace(reader)
    }
  if (reader.fault === undefined) {
    skipSpace(reader)
    if (reader.at < text.length) refuse(reader, reader.at, 'the end of the text after the calls')
  }
  return reader.fault ?? { ok: true, calls }
}
