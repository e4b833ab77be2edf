/**
 * One line of JSONL → fields, exact where it matters.
 *
 * `JSON.parse` is the fast way, but it rounds integers beyond 2^53 and lets the last of two equal keys win. So the
 * golden trace and object-valued arguments are read a second time by the exact parser; argument text never needs it
 * here, it reaches the matcher as text.
 */
import { fail } from '../errors.js'
import { parseJson } from '../reward/json.js'
import { asRecord, type Fields } from './record.js'

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

/** The same fields with every number exact.
 * @throws TaraError `DUPLICATE` for a repeated key
 */
export function exactFields(text: string): Fields {
  const parsed = parseJson(text)
  if (!parsed.ok) return fail('DUPLICATE', '', 'each key once', parsed.detail)
  return asRecord(parsed.value)
}

const GOLDEN_KEY = '"golden"'

/** The text of the line's golden trace from its key on, copied so that the line is not kept alive. */
export function goldenText(text: string): string | undefined {
  const parsed = parseJson(text, { member: 'golden' })
  if (!parsed.ok || parsed.memberStart < 0) return undefined
  const start = text.lastIndexOf(GOLDEN_KEY, parsed.memberStart)
  return start < 0 ? undefined : JSON.parse(JSON.stringify(text.slice(start, parsed.memberEnd)))
}

/** Whether the line holds this golden trace to the letter, and no other. */
export function holdsGolden(text: string, golden: string): boolean {
  const at = text.indexOf(GOLDEN_KEY)
  return at >= 0 && text.startsWith(golden, at) && text.indexOf(GOLDEN_KEY, at + GOLDEN_KEY.length) < 0
}
