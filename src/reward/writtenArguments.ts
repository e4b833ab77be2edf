/**
 * Arguments as written against golden arguments, byte by byte.
 *
 * Equal bytes of two JSON values mean equal values. Other bytes may too (1 and 1.0, an escape), so the answer is often
 * that they must be parsed; where it is not, it is what parsing would give.
 */
import { bytesOf } from './bytes.js'
import type { JsonObject, JsonValue } from './call.js'
import { enter, skipColon, skipComma, skipPlainKey, skipSpace, skipString, skipValue } from './jsonBytes.js'
import { jsonText } from './jsonText.js'
import { valueMembers } from './members.js'

function sameRange(
  bytes: Uint8Array,
  start: number,
  end: number,
  other: Uint8Array,
  otherStart: number,
  otherEnd: number,
): boolean {
  if (end - start !== otherEnd - otherStart) return false
  for (let k = start; k < end; k++) if (bytes[k] !== other[otherStart++]) return false
  return true
}

/** A golden call as compact JSON: its name, then key and value of each member, one behind the other. */
export interface GoldenBytes {
  readonly bytes: Uint8Array
  /** `[1+2·numMembers+1]` where each of them starts; strings that are no values are without their quotes. */
  readonly ptr: readonly number[]
  readonly numMembers: number
}

/** JSON text between its outer quotes. */
const innerOf = (text: string): string => (/^[\w .-]*$/.test(text) ? text : JSON.stringify(text).slice(1, -1))

const textOfValue = (value: JsonValue): string =>
  typeof value === 'string' ? JSON.stringify(value) : jsonText(value)

/** The bytes of a golden call; undefined where a number may be written in bytes that stand for another. */
export function goldenBytes(name: string, value: JsonObject): GoldenBytes | undefined {
  if (valueMembers(value) < 0) return undefined
  const parts = [innerOf(name)]
  for (const key of Object.keys(value)) {
    const member = value[key]
    if (member !== undefined) parts.push(innerOf(key), textOfValue(member))
  }
  const text = parts.join('')
  const bytes = bytesOf(text)
  const isAscii = bytes.length === text.length
  const ptr = [0]
  for (let p = 0; p < parts.length; p++)
    ptr.push(ptr[p]! + (isAscii ? parts[p]!.length : bytesOf(parts[p]!).length))
  return { bytes, ptr, numMembers: (parts.length - 1) / 2 }
}

/** Whether a name, between its quotes, is that of a golden call. */
export const isNameOf = (
  { bytes, ptr }: GoldenBytes,
  made: Uint8Array,
  start: number,
  end: number,
): boolean => sameRange(made, start, end, bytes, 0, ptr[1]!)

/** Most members that are looked at. */
const MAX_MEMBERS = 30

/** The members of one object, found in bytes. Made once and written again for every call. */
export interface MemberTape {
  bytes: Uint8Array
  numMembers: number
  readonly keyStart: number[]
  readonly keyEnd: number[]
  readonly valueStart: number[]
  readonly valueEnd: number[]
  /** Holds the text of arguments that were written in a string. */
  scratch: Uint8Array
}

export function memberTape(): MemberTape {
  const scratch = new Uint8Array(1024)
  return { bytes: scratch, numMembers: 0, keyStart: [], keyEnd: [], valueStart: [], valueEnd: [], scratch }
}

/** What a letter behind a backslash stands for; 0 where it is none or needs more letters. */
const UNESCAPED: Uint8Array = new Uint8Array(256)
for (const [letter, byte] of Object.entries({ '"': 34, '\\': 92, '/': 47, n: 10, r: 13, t: 9, b: 8, f: 12 }))
  UNESCAPED[letter.charCodeAt(0)] = byte

/** Takes the escapes out of a string; its length in the scratch, −1 where it holds a code unit by number. */
function unescapeInto(tape: MemberTape, bytes: Uint8Array, start: number, end: number): number {
  if (tape.scratch.length <= end - start) tape.scratch = new Uint8Array((end - start) * 2)
  const { scratch } = tape
  let length = 0
  for (let k = start; k < end; k++) {
    let c = bytes[k]!
    if (c === 0x5c) {
      c = UNESCAPED[bytes[++k]!]!
      if (c === 0) return -1
    }
    scratch[length++] = c
  }
  scratch[length] = 0x0a
  return length
}

/** Finds the members of an object; false where it is none, or has a key twice or one that is not plain. */
function findMembers(tape: MemberTape, bytes: Uint8Array, start: number, end: number): boolean {
  tape.bytes = bytes
  let n = 0
  let k = enter(bytes, skipSpace(bytes, start), 0x7b)
  while (k > 0 && bytes[k] !== 0x7d) {
    const keyEnd = skipPlainKey(bytes, k)
    const value = skipColon(bytes, keyEnd)
    const valueEnd = value < 0 ? -1 : skipValue(bytes, value)
    if (valueEnd < 0 || n === MAX_MEMBERS) return false
    for (let m = 0; m < n; m++)
      if (sameRange(bytes, k + 1, keyEnd - 1, bytes, tape.keyStart[m]!, tape.keyEnd[m]!)) return false
    tape.keyStart[n] = k + 1
    tape.keyEnd[n] = keyEnd - 1
    tape.valueStart[n] = value
    tape.valueEnd[n++] = valueEnd
    k = skipComma(bytes, valueEnd, 0x7d)
  }
  tape.numMembers = n
  return k >= 0 && k < end && skipSpace(bytes, k + 1) >= end // a text that is cut off may seem to go on behind its end
}

/** Reads arguments where they stand.
 * @param isText - they are JSON in a string, and `bytes[start … end-1]` its inside
 * @returns false where they must be parsed to be understood
 */
export function readWritten(
  tape: MemberTape,
  bytes: Uint8Array,
  start: number,
  end: number,
  isText: boolean,
): boolean {
  if (!isText) return findMembers(tape, bytes, start, end)
  const length = unescapeInto(tape, bytes, start, end)
  return length >= 0 && findMembers(tape, tape.scratch, 0, length)
}

export const EQUAL = 1
export const DIFFERENT = 0
/** Must be parsed. */
export const UNSURE = -1

const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39

/** Whether a value is written in the one way that its integer has. */
function isInteger(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === 0x2d ? start + 1 : start
  if (first > start && bytes[first] === 0x30) return false
  for (let k = first; k < end; k++) if (!isDigit(bytes[k]!)) return false
  return true
}

function hasBackslash(bytes: Uint8Array, start: number, end: number): boolean {
  for (let k = start; k < end; k++) if (bytes[k] === 0x5c) return true
  return false
}

/** What a value is, by its first byte: a number is `0`. */
const kindOf = (c: number): number => (c === 0x2d || isDigit(c) ? 0x30 : c)

/** Whether parsing can find no fault in a value: no object whose keys may repeat, no number that may be too large. */
function isSimple(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] === 0x22) return true
  for (let k = start; k < end; k++) {
    const c = bytes[k]!
    if (c === 0x22) k = skipString(bytes, k + 1) - 1
    else if (c === 0x7b || ((c | 0x20) === 0x65 && bytes[k - 1]! <= 0x39)) return false
  }
  return true
}

/** Whether all members are simple: the object is then no malformed one. */
export function isSimpleObject({ bytes, numMembers, valueStart, valueEnd }: MemberTape): boolean {
  for (let m = 0; m < numMembers; m++) if (!isSimple(bytes, valueStart[m]!, valueEnd[m]!)) return false
  return true
}

/** Compares a value with a golden one, `golden[from … to-1]`, which has no white space. */
function compareValue(
  bytes: Uint8Array,
  start: number,
  end: number,
  golden: Uint8Array,
  from: number,
  to: number,
): number {
  let g = from
  let k = start
  while (k < end && g < to) {
    if (bytes[k] !== golden[g]) {
      k = skipSpace(bytes, k)
      if (bytes[k] !== golden[g]) break
    }
    const close = bytes[k] === 0x22 ? skipString(bytes, k + 1) : k + 1
    for (k++, g++; k < close && bytes[k] === golden[g]; k++) g++
    if (k < close) break
  }
  if (k === end && g === to) return EQUAL
  const kind = kindOf(bytes[start]!)
  if (kind !== kindOf(golden[from]!)) return DIFFERENT
  if (kind === 0x22)
    return hasBackslash(bytes, start, end) || hasBackslash(golden, from, to) ? UNSURE : DIFFERENT
  return kind === 0x30 && isInteger(bytes, start, end) && isInteger(golden, from, to) ? DIFFERENT : UNSURE
}

/** The member with the golden key `golden[from … to-1]`, looked for from `guess` on; −1 where there is none. */
function memberOf(tape: MemberTape, golden: Uint8Array, from: number, to: number, guess: number): number {
  const { bytes, numMembers, keyStart, keyEnd } = tape
  for (let n = 0; n < numMembers; n++) {
    const m = guess + n < numMembers ? guess + n : guess + n - numMembers
    if (sameRange(bytes, keyStart[m]!, keyEnd[m]!, golden, from, to)) return m
  }
  return -1
}

/** Compares the members that were read with a golden object.
 * @returns `EQUAL`, `DIFFERENT`, or `UNSURE` where they must be parsed
 */
export function compareWritten(tape: MemberTape, golden: GoldenBytes): number {
  const { bytes, ptr, numMembers } = golden
  let verdict = numMembers === tape.numMembers ? EQUAL : DIFFERENT
  for (let m = 0; m < numMembers && verdict === EQUAL; m++) {
    const from = ptr[2 * m + 2]!
    const at = memberOf(tape, bytes, ptr[2 * m + 1]!, from, m)
    if (at < 0) verdict = DIFFERENT
    else
      verdict = compareValue(
        tape.bytes,
        tape.valueStart[at]!,
        tape.valueEnd[at]!,
        bytes,
        from,
        ptr[2 * m + 3]!,
      )
  }
  return verdict === DIFFERENT && !isSimpleObject(tape) ? UNSURE : verdict
}
