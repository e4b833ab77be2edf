/**
 * One line of JSONL → fields, exact where it matters.
 *
 * `JSON.parse` is the fast way, but it rounds integers beyond 2^53 and lets the last of two equal keys win. So the
 * golden trace and object-valued arguments are read a second time by the exact parser; argument text never needs it
 * here, it reaches the matcher as text.
 */
import { fail, TaraError } from '../errors.js'
import type { CallRollout, ToolCall } from '../reward/call.js'
import { parseJson } from '../reward/json.js'
import { isNotANumber, replaceBare } from './bare.js'
import { asRecord, callsOf, type Fields, type RolloutRecord } from './record.js'

export interface ParsedLine {
  /** As it was written. */
  readonly text: string
  /** As `JSON.parse` gives them. */
  readonly fields: Fields
}

/** `NaN`, `Infinity` and `-Infinity`, as some writers put them, become something that JSON has. */
const withoutNaN = (text: string, standIn: string): string =>
  replaceBare(text, (token) => (isNotANumber(token) ? standIn : undefined))

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a line.
 * @param allowNaN - reads `NaN` and `±Infinity` as null instead of refusing them
 * @throws TaraError `JSON` with the fault, `TYPE` where the line is no object
 */
export function parseLine(text: string, allowNaN: boolean): ParsedLine {
  const value = parse(text)
  if (value !== undefined) return { text, fields: asRecord(value) }
  const parsed = parseJson(text)
  const mended = allowNaN && !parsed.ok ? withoutNaN(text, 'null') : text
  const again = mended === text ? undefined : parse(mended)
  if (again === undefined)
    return fail('JSON', '', 'JSON', parsed.ok ? 'text that JSON.parse refuses' : parsed.detail)
  return { text, fields: asRecord(again) }
}

function isObjectValue(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function someCall({ turns, before }: CallRollout, test: (call: ToolCall) => boolean): boolean {
  return before?.some(test) === true || turns.some((calls) => calls?.some(test) === true)
}

/** Whether a value holds an object of the set, at any depth. */
function holds(value: unknown, repeated: ReadonlySet<object>): boolean {
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if (repeated.has(next)) return true
    for (const child of Object.values(next)) open.push(child)
  }
  return false
}

/** The text with 0 for every number that the exact parser may refuse; everything stays where it is. */
function blanked(text: string): string {
  return replaceBare(text, (token) =>
    isNotANumber(token) || /e/i.test(token) ? '0'.padEnd(token.length) : undefined,
  )
}

/** Parses a line with numbers that the exact parser refuses: they are as float64, and infinite where that is too small
 * for them or where they are none, so that they equal no golden value. All else is exact.
 */
function parseBlanked(text: string, repeated: Set<object>): unknown {
  repeated.clear()
  const parsed = parseJson(blanked(text), { repeated })
  const rounded = parse(withoutNaN(text, '1e999'))
  if (!parsed.ok || rounded === undefined) return fail('JSON', '', 'JSON', 'text that cannot be read exactly')
  const open: [unknown, unknown][] = [[parsed.value, rounded]]
  while (open.length > 0) {
    const [exact, near] = open.pop() as [Record<string, unknown>, Record<string, unknown>]
    for (const key of Object.keys(exact)) {
      if (exact[key] === 0 && near[key] !== 0) exact[key] = near[key]
      else if (typeof exact[key] === 'object' && exact[key] !== null) open.push([exact[key], near[key]])
    }
  }
  return parsed.value
}

/** The record with exact arguments where they are objects; argument text is exact as it is.
 * @throws TaraError `DUPLICATE` where a field of the record stands twice
 */
export function exactCalls(text: string, record: RolloutRecord): RolloutRecord {
  if (record.calls === undefined || !someCall(record.calls, (call) => isObjectValue(call.arguments)))
    return record
  const repeated = new Set<object>()
  const parsed = parseJson(text, { repeated })
  const value = parsed.ok ? parsed.value : parseBlanked(text, repeated)
  if (repeated.has(value as object)) fail('DUPLICATE', '', 'each field once', 'one again')
  const calls = callsOf(asRecord(value), record.unit)
  if (repeated.size === 0) return { ...record, calls }
  const marked = (call: ToolCall): ToolCall =>
    holds(call.arguments, repeated) ? { ...call, problem: 'duplicate-key' } : call
  return {
    ...record,
    calls: {
      ...calls,
      turns: calls.turns.map((made) => made?.map(marked) ?? null),
      before: calls.before?.map(marked),
    },
  }
}

const GOLDEN_KEY = '"golden"'

/** How the letters of `golden` begin where they are written as escapes. */
const ESCAPED = '\\u006'

/** A golden trace as a line has it. */
export interface WrittenGolden {
  /** Exact. */
  readonly value: unknown
  /** Its text from the key on; a line that holds the same text need not be compared. */
  readonly text: string | undefined
}

/** Where the only `"golden":` of a line stands and where its value lies; undefined where there are several, or none. */
function placeOfGolden(text: string): { key: number; start: number; end: number } | undefined {
  const key = text.indexOf(GOLDEN_KEY)
  if (key < 0 || text.indexOf(GOLDEN_KEY, key + GOLDEN_KEY.length) >= 0) return undefined
  if (text.includes(ESCAPED)) return undefined // another key may read "golden" too
  let start = key + GOLDEN_KEY.length
  while (text[start] === ' ' || text[start] === ':') start++
  return text[start] === '[' || text[start] === '{' ? { key, start, end: endOfValue(text, start) } : undefined
}

/** The end of the list or object that starts at `at`, in text that is known to be JSON. */
function endOfValue(text: string, at: number): number {
  let depth = 0
  for (let k = at; k < text.length; k++) {
    const code = text.charCodeAt(k)
    if (code === 34) k = endOfString(text, k)
    else if (code === 91 || code === 123) depth++
    else if ((code === 93 || code === 125) && --depth === 0) return k + 1
  }
  return text.length
}

/** The closing quote of the string that opens at `at`. */
function endOfString(text: string, at: number): number {
  for (let k = at + 1; k < text.length; k++) {
    const code = text.charCodeAt(k)
    if (code === 34) return k
    if (code === 92) k++
  }
  return text.length
}

/** The golden trace of a line, exactly, from a copy of its text: the line itself is not kept alive.
 * @throws TaraError `GOLDEN` for a repeated key, `DUPLICATE` where a field of the record stands twice
 */
export function writtenGolden(text: string): WrittenGolden {
  const place = placeOfGolden(text) ?? placeOfMember(text)
  const own: string = JSON.parse(JSON.stringify(text.slice(place.start, place.end)))
  const parsed = parseJson(own)
  if (!parsed.ok) throw new TaraError('GOLDEN', 'golden', parsed.detail)
  return { value: parsed.value, text: place.key < 0 ? undefined : text.slice(place.key, place.start) + own }
}

/** The same for a line in which `"golden"` stands more than once, or escaped: by reading all of it. */
function placeOfMember(text: string): { key: number; start: number; end: number } {
  const repeated = new Set<object>()
  const asWritten = parseJson(text, { member: 'golden', repeated })
  if (!asWritten.ok) repeated.clear() // a number elsewhere in the line is no fault of the golden trace
  const line = asWritten.ok ? asWritten : parseJson(blanked(text), { member: 'golden', repeated })
  if (!line.ok) return fail('JSON', '', 'JSON', line.detail)
  if (repeated.has(line.value as object)) fail('DUPLICATE', '', 'each field once', 'one again')
  return { key: -1, start: line.memberStart, end: line.memberEnd }
}

/** Whether a line that has a golden trace has this one to the letter, and no other. */
export function holdsGolden(text: string, golden: string): boolean {
  const at = text.indexOf(GOLDEN_KEY)
  return (
    at >= 0 &&
    text.startsWith(golden, at) &&
    text.indexOf(GOLDEN_KEY, at + GOLDEN_KEY.length) < 0 &&
    !text.includes(ESCAPED)
  )
}
