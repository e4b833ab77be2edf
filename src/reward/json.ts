/**
 * An exact parser of JSON text (RFC 8259, strict), without recursion.
 *
 * It differs from `JSON.parse` where reward depends on it: a key given twice is a fault, integers of any size are
 * exact, −0 is 0, objects inherit nothing, and a fault is returned with its position, not thrown. Lone surrogates
 * stay as they are. Nothing is ever repaired.
 */
import type { JsonValue } from './call.js'
import { type JsonFault, type JsonReader, readNumber, readString, refuse, refuseValue } from './jsonToken.js'

/** A value, or the first fault of the text. */
export type JsonParse<Value = JsonValue> = { readonly ok: true; readonly value: Value } | JsonFault

/** A value and the place `[memberStart, memberEnd)` of one member of it; −1 where the object has no such member. */
export interface JsonWithMember {
  readonly ok: true
  readonly value: JsonValue
  readonly memberStart: number
  readonly memberEnd: number
}

/** What objects inherit: nothing. They are faster to build and compare than objects whose prototype is null. */
const bare: object = Object.freeze(Object.create(null) as object)

type Open = JsonValue[] | Record<string, JsonValue>

/** Stands for an open list until its first element is there: deep lists then take an eighth of the memory. */
const unfilled: JsonValue[] = []

function skipSpace(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at
    at++
  }
}

/** Reads `"key" :` and leaves the reader at the value. */
function readKey(reader: JsonReader, object: Record<string, JsonValue>): string | undefined {
  const start = reader.at
  if (reader.text.charCodeAt(start) !== 34) return refuse(reader, start, 'a key in double quotes')
  const key = readString(reader)
  if (key === undefined) return undefined
  if (key in object && reader.repeated !== undefined) reader.repeated.add(object)
  else if (key in object) {
    reader.fault = {
      ok: false,
      problem: 'duplicate-key',
      position: start,
      detail: `expected each key once, got ${reader.text.slice(start, Math.min(reader.at, start + 60))} again`,
    }
    return undefined
  }
  const colon = skipSpace(reader.text, reader.at)
  if (reader.text.charCodeAt(colon) !== 58) return refuse(reader, colon, '":" after a key')
  reader.at = skipSpace(reader.text, colon + 1)
  return key
}

function readLiteral<Value>(reader: JsonReader, word: string, value: Value): Value | undefined {
  const { text, at } = reader
  if (!text.startsWith(word, at)) {
    const isCut = text.length - at < word.length && word.startsWith(text.slice(at))
    return isCut ? refuse(reader, text.length, `all of ${word}`) : refuseValue(reader)
  }
  reader.at += word.length
  return value
}

/** Reads anything but a list or an object. */
function readScalar(reader: JsonReader, code: number): JsonValue | undefined {
  switch (code) {
    case 34: // "
      return readString(reader)
    case 116: // t
      return readLiteral(reader, 'true', true)
    case 102: // f
      return readLiteral(reader, 'false', false)
    case 110: // n
      return readLiteral(reader, 'null', null)
    default:
      return code === 45 || (code >= 48 && code <= 57) ? readNumber(reader) : refuseValue(reader)
  }
}

/** Reads one value; `undefined` after a fault. Open lists and objects lie on a stack of our own. */
function readValue(reader: JsonReader, member: string | undefined): JsonValue | undefined {
  const { text } = reader
  const parents: (Open | undefined)[] = []
  const parentKeys: string[] = []
  let open: Open | undefined
  let key = ''
  reader.at = skipSpace(text, 0)
  for (;;) {
    // A value starts here.
    const code = text.charCodeAt(reader.at)
    if (parents.length === 1 && key === member && !Array.isArray(open)) reader.memberStart = reader.at
    let value: JsonValue | undefined
    if (code === 123 || code === 91) {
      const list = code === 91
      const opened: Open = list ? unfilled : Object.create(bare)
      reader.at = skipSpace(text, reader.at + 1)
      if (text.charCodeAt(reader.at) !== (list ? 93 : 125)) {
        parents.push(open)
        parentKeys.push(key)
        open = opened
        if (Array.isArray(opened)) key = ''
        else {
          const first = readKey(reader, opened)
          if (first === undefined) return undefined
          key = first
        }
        continue
      }
      reader.at++
      value = list ? [] : opened
    } else {
      value = readScalar(reader, code)
      if (value === undefined) return undefined
    }
    // A value ended here: put it where it belongs, and close what closes after it.
    for (;;) {
      if (open === undefined) return value
      if (reader.memberStart > reader.memberEnd && parents.length === 1) reader.memberEnd = reader.at
      reader.at = skipSpace(text, reader.at)
      const next = text.charCodeAt(reader.at)
      if (Array.isArray(open)) {
        if (open === unfilled) open = [value]
        else open.push(value)
        if (next === 44) {
          reader.at = skipSpace(text, reader.at + 1)
          break
        }
        if (next !== 93) return refuse(reader, reader.at, '"," or "]" after a list element')
      } else {
        open[key] = value
        if (next === 44) {
          reader.at = skipSpace(text, reader.at + 1)
          const another = readKey(reader, open)
          if (another === undefined) return undefined
          key = another
          break
        }
        if (next !== 125) return refuse(reader, reader.at, '"," or "}" after a member')
      }
      reader.at++
      value = open
      open = parents.pop()
      key = parentKeys.pop()!
    }
  }
}

export interface JsonOptions {
  /** A member of the top-level object whose place in the text is wanted. */
  readonly member?: string
  /** Takes the objects in which a key stands twice; they are then no fault, and the last value counts. */
  readonly repeated?: Set<object>
}

/** Parses JSON text exactly.
 *
 * A number that is an integer by value (`5.0`, `1e3`, `9007199254740993`) is exact: a `number` where it is a safe
 * integer, else a `bigint`. Other numbers are the nearest float64, also beyond 2^53. Integers written with an
 * exponent are written out, at most 1,000,000 digits a text; what needs more, or does not fit a float64, is a fault.
 * @param text - any string; depth is bounded by memory only
 * @param options - see `JsonOptions`
 * @returns the value, or the first fault with its position (UTF-16 code units from 0); never throws
 */
export function parseJson(text: string): JsonParse
export function parseJson(text: string, options: JsonOptions): JsonWithMember | JsonFault
export function parseJson(text: string, options?: JsonOptions): JsonParse | JsonWithMember | JsonFault {
  const reader: JsonReader = {
    text,
    at: 0,
    digits: 0,
    memberStart: -1,
    memberEnd: -1,
    fault: undefined,
    repeated: options?.repeated,
  }
  const value = readValue(reader, options?.member)
  if (value === undefined) return reader.fault!
  const rest = skipSpace(text, reader.at)
  if (rest < text.length) {
    refuse(reader, rest, 'the end of the text after one value')
    const code = text.charCodeAt(rest)
    const more = typeof value === 'object' && (code === 123 || code === 91)
    return more ? { ...reader.fault!, hint: 'concatenated-json' } : reader.fault!
  }
  if (options === undefined) return { ok: true, value }
  return { ok: true, value, memberStart: reader.memberStart, memberEnd: reader.memberEnd }
}
