/**
 * Object-valued arguments, exactly: what `JSON.parse` has lost of a line is read again.
 */
import { fail } from '../errors.js'
import type { CallRollout, ToolCall } from '../reward/call.js'
import { parseJson } from '../reward/json.js'
import { isExact } from '../reward/members.js'
import { isNotANumber, replaceBare } from './bare.js'
import type { Fields } from './fields.js'
import { goldenTurns } from './golden-messages.js'
import { parse, withoutNaN } from './line.js'
import { asRecord, callsOf, type RolloutRecord } from './record.js'

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
export function blanked(text: string): string {
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

/** A value and what of it shows only in its text. */
export interface ExactValue {
  /** Integers beyond 2^53 are `bigint`. */
  readonly value: unknown
  /** Objects in which a key stands twice. */
  readonly repeated: ReadonlySet<object>
}

const noObjects: ReadonlySet<object> = new Set()

/** The value of a text exactly.
 * @param parsed - as `JSON.parse` gives it; returned where nothing of it was lost
 */
export function exactValue(text: string, parsed: unknown): ExactValue {
  if (isExact(text, text.search(/[[{]/), parsed)) return { value: parsed, repeated: noObjects }
  const repeated = new Set<object>()
  const exact = parseJson(text, { repeated })
  return { value: exact.ok ? exact.value : parseBlanked(text, repeated), repeated }
}

/** The calls of a record with those marked in whose arguments a key stands twice. */
export function markRepeated(calls: CallRollout, repeated: ReadonlySet<object>): CallRollout {
  if (repeated.size === 0) return calls
  const marked = (call: ToolCall): ToolCall =>
    holds(call.arguments, repeated) ? { ...call, problem: 'duplicate-key' } : call
  return {
    ...calls,
    turns: calls.turns.map((made) => made?.map(marked) ?? null),
    before: calls.before?.map(marked),
  }
}

/** Refuses a golden trace in which a key stands twice. */
export function checkGoldenKeys(golden: unknown, repeated: ReadonlySet<object>): void {
  if (repeated.size > 0 && holds(golden, repeated))
    fail('GOLDEN', 'golden', 'each key of an object once', 'one again')
}

/** The record with exact arguments where they are objects; argument text is exact as it is, it reaches the matcher as
 * text.
 * @param fields - the line as `JSON.parse` gives it
 * @throws TaraError `DUPLICATE` where a field of the record stands twice, `GOLDEN` where a key of a golden conversation does
 */
export function exactCalls(text: string, fields: Fields, record: RolloutRecord): RolloutRecord {
  const { calls, format, goldenFormat, unit, status } = record
  const isRead = calls !== undefined && someCall(calls, (call) => isObjectValue(call.arguments))
  if (!isRead && goldenFormat === undefined) return record
  const { value, repeated } = exactValue(text, fields)
  if (value === fields) return record
  if (repeated.has(value as object)) fail('DUPLICATE', '', 'each field once', 'one again')
  const exact = asRecord(value)
  if (goldenFormat !== undefined) checkGoldenKeys(exact.golden, repeated)
  return {
    ...record,
    calls: calls && markRepeated(callsOf(exact, format!, unit, status), repeated),
    golden: goldenFormat ? goldenTurns(exact.golden as Fields, goldenFormat, unit) : record.golden,
  }
}
