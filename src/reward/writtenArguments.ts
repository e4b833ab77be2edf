/**
 * Arguments as written against golden arguments, byte by byte.
 *
 * Equal bytes of two JSON values mean equal values. Other bytes may too (1 and 1.0, an escape), so the answer is often
 * that they must be parsed; where it is not, it is what parsing would give.
 */
import type { GoldenBytes } from './goldenBytes.js'
import { skipSpace, skipString } from './jsonBytes.js'
import { type MemberTape, sameRange } from './memberTape.js'

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
    const at = memberOf(tape, bytes, ptr[4 * m]!, ptr[4 * m + 1]!, m)
    if (at < 0) verdict = DIFFERENT
    else {
      const [start, end] = [tape.valueStart[at]!, tape.valueEnd[at]!]
      verdict = compareValue(tape.bytes, start, end, bytes, ptr[4 * m + 2]!, ptr[4 * m + 3]!)
    }
  }
  return verdict === DIFFERENT && !isSimpleObject(tape) ? UNSURE : verdict
}
