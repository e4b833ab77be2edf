/**
 * One line of JSONL → fields, exact where it matters.
 *
 * `JSON.parse` is the fast way, but it rounds integers beyond 2^53 and lets the last of two equal keys win. So the
 * golden trace and object-valued arguments are read a second time by the exact parser; argument text never needs it
 * here, it reaches the matcher as text.
 */
import { fail } from '../errors.js'
import type { CallRollout, ToolCall } from '../reward/call.js'
import { parseJson } from '../reward/json.js'
import { asRecord, callsOf, type Fields, type RolloutRecord } from './record.js'

export interface ParsedLine {
  readonly text: string
  /** As `JSON.parse` gives them. */
  readonly fields: Fields
}

const NOT_NUMBERS = ['NaN', '-Infinity', 'Infinity']

/** `NaN`, `Infinity` and `-Infinity` outside strings, as some writers put them, become null. */
function withoutNaN(text: string): string {
  let mended = ''
  let copied = 0
  let inString = false
  for (let k = 0; k < text.length; k++) {
    const char = text[k]
    if (char === '"') inString = !inString
    else if (inString && char === '\\') k++
    else if (!inString && (char === 'N' || char === 'I' || char === '-')) {
      const word = NOT_NUMBERS.find((name) => text.startsWith(name, k))
      if (word === undefined) continue
      mended += `${text.slice(copied, k)}null`
      k += word.length - 1
      copied = k + 1
    }
  }
  return mended + text.slice(copied)
}

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
  const mended = allowNaN && !parsed.ok ? withoutNaN(text) : text
  const again = mended === text ? undefined : parse(mended)
  if (again === undefined)
    return fail('JSON', '', 'JSON', parsed.ok ? 'text that JSON.parse refuses' : parsed.detail)
  return { text: mended, fields: asRecord(again) }
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

/** The record with exact arguments where they are objects; argument text is exact as it is.
 * @throws TaraError `DUPLICATE` where a field of the record stands twice
 */
export function exactCalls(text: string, record: RolloutRecord): RolloutRecord {
  if (record.calls === undefined || !someCall(record.calls, (call) => isObjectValue(call.arguments)))
    return record
  const repeated = new Set<object>()
  const parsed = parseJson(text, { repeated })
  if (!parsed.ok) return record // `JSON.parse` has taken the line; only a number of a million digits comes here
  if (repeated.has(parsed.value as object)) fail('DUPLICATE', '', 'each field once', 'one again')
  const calls = callsOf(asRecord(parsed.value), record.unit)
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

/** A golden trace as a line has it. */
export interface WrittenGolden {
  /** Exact. */
  readonly value: unknown
  /** Its text from the key on; a line that holds the same text need not be compared. */
  readonly text: string | undefined
}

/** The golden trace of a line, exactly, from a copy of its text: the line itself is not kept alive.
 * @throws TaraError `GOLDEN` for a repeated key, `DUPLICATE` where a field of the record stands twice
 */
export function writtenGolden(text: string): WrittenGolden {
  const repeated = new Set<object>()
  const line = parseJson(text, { member: 'golden', repeated })
  if (!line.ok) return fail('GOLDEN', 'golden', 'numbers that can be written out', line.detail)
  if (repeated.has(line.value as object)) fail('DUPLICATE', '', 'each field once', 'one again')
  const own: string = JSON.parse(JSON.stringify(text.slice(line.memberStart, line.memberEnd)))
  const parsed = parseJson(own)
  if (!parsed.ok) return fail('GOLDEN', 'golden', 'each key once', parsed.detail)
  const key = text.lastIndexOf(GOLDEN_KEY, line.memberStart)
  const between = key < 0 ? undefined : text.slice(key, line.memberStart)
  return { value: parsed.value, text: between === undefined ? undefined : between + own }
}

/** Whether the line holds this golden trace to the letter, and no other. */
export function holdsGolden(text: string, golden: string): boolean {
  const at = text.indexOf(GOLDEN_KEY)
  return at >= 0 && text.startsWith(golden, at) && text.indexOf(GOLDEN_KEY, at + GOLDEN_KEY.length) < 0
}
