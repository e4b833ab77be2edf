/**
 * A golden call as bytes, to compare calls with where they stand.
 */
import { bytesOf } from './bytes.js'
import type { JsonObject, JsonValue } from './call.js'
import { jsonText } from './jsonText.js'
import { findMembers, type MemberTape, sameRange } from './memberTape.js'

/** A golden call in JSON. */
export interface GoldenBytes {
  readonly bytes: Uint8Array
  /** The name, between its quotes. */
  readonly nameStart: number
  readonly nameEnd: number
  /** −1 where the arguments cannot be compared byte by byte. */
  readonly numMembers: number
  /** `[4·numMembers]` of each member start and end of its key, between the quotes, and of its value. */
  readonly ptr: readonly number[]
}

/** How a value is written: by the language, by `jsonText`, or in bytes that may stand for another value. */
const PLAIN = 2
const LARGE = 1
const UNSURE = 0

/** Deepest nesting of a value. */
const MAX_DEPTH = 30

function spelling(value: JsonValue | undefined, depth: number): number {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? PLAIN : UNSURE
  if (typeof value === 'bigint') return LARGE
  if (typeof value !== 'object' || value === null) return value === undefined ? UNSURE : PLAIN
  if (depth === MAX_DEPTH) return UNSURE
  let worst = PLAIN
  const items: readonly (JsonValue | undefined)[] = Array.isArray(value) ? value : Object.values(value)
  for (let k = 0; k < items.length; k++) worst = Math.min(worst, spelling(items[k], depth + 1))
  return worst
}

/** JSON text between its outer quotes. */
const innerOf = (text: string): string => (/^[\w .-]*$/.test(text) ? text : JSON.stringify(text).slice(1, -1))

/** The members on a tape, as `GoldenBytes` has them. */
export function membersOf({ numMembers, keyStart, keyEnd, valueStart, valueEnd }: MemberTape): number[] {
  const ptr: number[] = []
  for (let m = 0; m < numMembers; m++) ptr.push(keyStart[m]!, keyEnd[m]!, valueStart[m]!, valueEnd[m]!)
  return ptr
}

const noMembers: readonly number[] = Object.freeze([])

/** The bytes of a golden call.
 * @param tape - is written over
 */
export function goldenBytes(name: string, value: JsonObject, tape: MemberTape): GoldenBytes {
  const nameText = innerOf(name)
  const way = spelling(value, 0)
  const text = way === UNSURE ? '' : way === PLAIN ? JSON.stringify(value) : jsonText(value)
  const bytes = bytesOf(`${nameText}${text}\n`)
  const nameEnd =
    bytes.length - 1 === nameText.length + text.length ? nameText.length : bytesOf(nameText).length
  if (way === UNSURE || findMembers(tape, bytes, nameEnd) < 0)
    return { bytes, nameStart: 0, nameEnd, numMembers: -1, ptr: noMembers }
  return { bytes, nameStart: 0, nameEnd, numMembers: tape.numMembers, ptr: membersOf(tape) }
}

/** Whether a name, between its quotes, is that of a golden call. */
export const isNameOf = (golden: GoldenBytes, made: Uint8Array, start: number, end: number): boolean =>
  sameRange(made, start, end, golden.bytes, golden.nameStart, golden.nameEnd)
