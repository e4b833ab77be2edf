/**
 * The members of one object where they stand in bytes.
 */
import { enter, skipColon, skipComma, skipPlainKey, skipSpace, skipValue } from './jsonBytes.js'
import { type SeenStore, seenStore } from './seenBytes.js'

/** Whether two runs of bytes are the same. */
export function sameRange(
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
  /** `[classes]` of the turn that is counted: golden calls of each that have a call. */
  readonly taken: number[]
  /** Keeps arguments that were found to be equal to golden ones. */
  readonly store: SeenStore
}

export function memberTape(): MemberTape {
  const scratch = new Uint8Array(1024)
  return {
    bytes: scratch,
    numMembers: 0,
    keyStart: [],
    keyEnd: [],
    valueStart: [],
    valueEnd: [],
    scratch,
    taken: [],
    store: seenStore(),
  }
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

/** Finds the members of the object at `start`.
 * @returns index behind it; −1 where it is none, or has a key twice or one that is not plain
 */
export function findMembers(tape: MemberTape, bytes: Uint8Array, start: number): number {
  tape.bytes = bytes
  let n = 0
  let k = enter(bytes, start, 0x7b)
  while (k > 0 && bytes[k] !== 0x7d) {
    const keyEnd = skipPlainKey(bytes, k)
    const value = skipColon(bytes, keyEnd)
    const valueEnd = value < 0 ? -1 : skipValue(bytes, value)
    if (valueEnd < 0 || n === MAX_MEMBERS) return -1
    for (let m = 0; m < n; m++)
      if (sameRange(bytes, k + 1, keyEnd - 1, bytes, tape.keyStart[m]!, tape.keyEnd[m]!)) return -1
    tape.keyStart[n] = k + 1
    tape.keyEnd[n] = keyEnd - 1
    tape.valueStart[n] = value
    tape.valueEnd[n++] = valueEnd
    k = skipComma(bytes, valueEnd, 0x7d)
  }
  tape.numMembers = n
  return k < 0 ? -1 : k + 1
}

/** Finds the members of an object that is all of `bytes[start … end-1]`; false where it is not. */
function findAll(tape: MemberTape, bytes: Uint8Array, start: number, end: number): boolean {
  const behind = findMembers(tape, bytes, skipSpace(bytes, start))
  return behind >= 0 && behind <= end && skipSpace(bytes, behind) >= end // what is cut off may seem to go on behind its end
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
  if (!isText) return findAll(tape, bytes, start, end)
  const length = unescapeInto(tape, bytes, start, end)
  return length >= 0 && findAll(tape, tape.scratch, 0, length)
}
