/**
 * Arguments of a call as they came → an object, or why not.
 *
 * They must decode to an object in one step. Blank text, `null` and nothing at all are `{}`. A fault is data: the
 * call that has it covers nothing.
 */
import type { JsonObject } from './call.js'
import { parseJson } from './json.js'
import type { JsonHint, JsonProblem } from './jsonToken.js'
import { isExact } from './members.js'

export type ArgumentProblem = JsonProblem | 'not-an-object' | 'not-a-call'

export interface ArgumentFault {
  readonly ok: false
  readonly problem: ArgumentProblem
  readonly hint?: JsonHint
  /** `expected …, got …` */
  readonly detail: string
}

export type ParsedArguments = { readonly ok: true; readonly value: JsonObject } | ArgumentFault

/** Argument text that was parsed already. Bounded: when it is full it starts over. */
export interface ArgumentMemo {
  readonly parsed: Map<string, ParsedArguments>
  /** UTF-16 code units of all texts kept. */
  size: number
}

/** The most texts, and the most code units of text, that a memo keeps. */
export const MEMO_ENTRIES = 512
export const MEMO_SIZE: number = 1 << 17

export function argumentMemo(): ArgumentMemo {
  return { parsed: new Map(), size: 0 }
}

const none: ParsedArguments = { ok: true, value: Object.freeze(Object.create(null) as JsonObject) }

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function notAnObject(value: unknown, hint?: JsonHint): ArgumentFault {
  const got = Array.isArray(value) ? 'a list' : `a ${typeof value === 'bigint' ? 'number' : typeof value}`
  const fault = { ok: false, problem: 'not-an-object', detail: `expected an object, got ${got}` } as const
  return hint === undefined ? fault : { ...fault, hint }
}

/** The object that `JSON.parse` makes of a text, where it loses nothing: three times as fast as the exact parser. */
function parseFast(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && isExact(text, 0, value) ? value : undefined
  } catch {
    return undefined
  }
}

function parseArguments(text: string): ParsedArguments {
  if (text.charCodeAt(0) === 123) {
    const value = parseFast(text)
    if (value !== undefined) return { ok: true, value }
  } else if (text.trim() === '') return none
  const parsed = parseJson(text)
  if (!parsed.ok) {
    const { problem, hint, position, detail } = parsed
    const fault = { ok: false, problem, detail: `${detail} at character ${position}` } as const
    return hint === undefined ? fault : { ...fault, hint }
  }
  const { value } = parsed
  if (isObject(value)) return { ok: true, value }
  if (value === null) return none
  return notAnObject(
    value,
    typeof value === 'string' && value.trimStart().startsWith('{') ? 'encoded-twice' : undefined,
  )
}

/** Shortest text that is worth a place in the memo: a shorter one is parsed as fast as it is found there. */
export const MEMO_SHORTEST = 256

/** Reads the arguments of a call.
 * @param given - text, a value, or nothing; an object is returned as it is
 * @param memo - the same long text is parsed once as long as the memo holds it
 */
export function readArguments(given: unknown, memo: ArgumentMemo): ParsedArguments {
  if (typeof given !== 'string') {
    if (given === undefined || given === null) return none
    return isObject(given) ? { ok: true, value: given } : notAnObject(given)
  }
  if (given.length < MEMO_SHORTEST) return parseArguments(given)
  const known = memo.parsed.get(given)
  if (known !== undefined) return known
  const parsed = parseArguments(given)
  if (given.length > MEMO_SIZE) return parsed
  if (memo.parsed.size >= MEMO_ENTRIES || memo.size + given.length > MEMO_SIZE) {
    memo.parsed.clear()
    memo.size = 0
  }
  memo.parsed.set(given, parsed)
  memo.size += given.length
  return parsed
}
