/**
 * The golden trace as a line has it: exact, and quick to find again in the other lines of its group.
 */
import { fail, TaraError } from '../errors.js'
import { textOf } from '../reward/bytes.js'
import { parseJson } from '../reward/json.js'
import { textMembers, valueMembers } from '../reward/members.js'
import { blanked } from './exact.js'

export interface WrittenGolden {
  /** Exact. */
  readonly value?: unknown
  /** Its text from the key on; a line that holds the same text need not be compared. */
  readonly text?: string | undefined
  /** It alone, where it was not read as text; a line that holds the same bytes need not be compared. */
  readonly bytes?: Uint8Array | undefined
}

/** The trace without its value where the text can give it back: what a group keeps. */
export const kept = (golden: WrittenGolden): WrittenGolden =>
  golden.text === undefined ? golden : { text: golden.text }

/** The value of a trace that was kept.
 * @throws TaraError `GOLDEN` for a repeated key in bytes, which nobody has looked at yet
 */
export function goldenOf({ value, text, bytes }: WrittenGolden): unknown {
  if (bytes !== undefined) return goldenIn(bytes)
  if (value !== undefined || text === undefined) return value
  const parsed = parseJson(`{${text}}`)
  return parsed.ok ? (parsed.value as { readonly golden: unknown }).golden : undefined
}

const KEY = '"golden"'
/** What is searched for: a line has many quotes, but few letters g. */
const TAIL = 'golden"'

/** How the letters of the key begin where they are written as escapes. */
const ESCAPED = '\\u006'

interface Place {
  /** Start of the key; −1 where the value cannot be found again by it. */
  readonly key: number
  readonly start: number
  readonly end: number
  /** Members of all objects in it; negative where they were not counted. */
  readonly members: number
}

/** Where the only golden trace of a line stands; undefined where there may be several, or it is no list or object. */
function placeByKey(text: string): Place | undefined {
  const key = text.indexOf(TAIL) - 1
  if (key < 0 || text[key] !== '"') return undefined
  if (text.indexOf(TAIL, key + KEY.length) >= 0 || text.includes(ESCAPED)) return undefined
  let start = key + KEY.length
  while (text[start] === ' ' || text[start] === ':') start++
  if (text[start] !== '[' && text[start] !== '{') return undefined
  return { key, start, ...textMembers(text, start) }
}

/** The same by reading the whole line. */
function placeByReading(text: string): Place {
  const repeated = new Set<object>()
  const asWritten = parseJson(text, { member: 'golden', repeated })
  if (!asWritten.ok) repeated.clear() // a number elsewhere in the line is no fault of the golden trace
  const line = asWritten.ok ? asWritten : parseJson(blanked(text), { member: 'golden', repeated })
  if (!line.ok) return fail('JSON', '', 'JSON', line.detail)
  if (repeated.has(line.value as object)) fail('DUPLICATE', '', 'each field once', 'one again')
  return { key: -1, start: line.memberStart, end: line.memberEnd, members: -1 }
}

/** A part of a text that may be kept: it keeps the whole text alive, so a small part becomes a string of its own. */
function copied(text: string, start: number, end: number): string {
  const part = text.slice(start, end)
  return 2 * part.length > text.length ? part : JSON.parse(JSON.stringify(part))
}

/** The golden trace of a line, exactly. The line itself is not kept alive.
 * @param parsed - the trace as `JSON.parse` gives it; used where nothing of it was lost
 * @throws TaraError `GOLDEN` for a repeated key, `DUPLICATE` where a field of the record stands twice
 */
export function writtenGolden(text: string, parsed: unknown): WrittenGolden {
  const place = placeByKey(text) ?? placeByReading(text)
  const own = copied(text, place.key < 0 ? place.start : place.key, place.end)
  const kept = place.key < 0 ? undefined : own
  if (place.members >= 0 && place.members === valueMembers(parsed)) return { value: parsed, text: kept }
  const exact = parseJson(place.key < 0 ? own : own.slice(place.start - place.key))
  if (!exact.ok) throw new TaraError('GOLDEN', 'golden', exact.detail)
  return { value: exact.value, text: kept }
}

/** The value of a golden trace that stands alone in bytes of JSON, exactly.
 * @throws TaraError `GOLDEN` for a repeated key
 */
export function goldenIn(bytes: Uint8Array): unknown {
  const text = textOf(bytes, 0, bytes.length)
  return writtenGolden(`{"golden":${text}}`, JSON.parse(text)).value
}

/** Where a line holds this golden trace to the letter; −1 where it does not. */
function placeOf(text: string, golden: string): number {
  const key = text.lastIndexOf(KEY)
  return key >= 0 && text.slice(key, key + golden.length) === golden ? key : -1
}

/** Whether a line that has a golden trace has this one to the letter, and no other. */
export function holdsGolden(text: string, golden: string): boolean {
  const key = placeOf(text, golden)
  return key >= 0 && text.indexOf(TAIL) === key + 1 && !text.includes(ESCAPED)
}
