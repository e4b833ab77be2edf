/**
 * One line of JSONL → its value, by `JSON.parse`. What that loses is in `exact.ts`.
 */
import { fail, TaraError } from '../errors.js'
import { parseJson } from '../reward/json.js'
import type { JsonFault } from '../reward/jsonToken.js'
import { isNotANumber, replaceBare } from './bare.js'

export interface ParsedLine {
  /** As it was written. */
  readonly text: string
  /** As `JSON.parse` gives it. */
  readonly value: unknown
}

/** `NaN`, `Infinity` and `-Infinity`, as some writers put them, become something that JSON has. */
export const withoutNaN = (text: string, standIn: string): string =>
  replaceBare(text, (token) => (isNotANumber(token) ? standIn : undefined))

/** The value, or undefined where the text is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Says what of JSON the text lacks, and where. */
export function refuse({ detail, position }: JsonFault): never {
  throw new TaraError('JSON', '', detail.replace('expected', `expected JSON (character ${position}):`))
}

/** Parses a line.
 * @param allowNaN - reads `NaN` and `±Infinity` as null instead of refusing them
 * @throws TaraError `JSON` with the fault
 */
export function parseLine(text: string, allowNaN: boolean): ParsedLine {
  const value = parse(text)
  if (value !== undefined) return { text, value }
  const parsed = parseJson(text)
  const mended = allowNaN && !parsed.ok ? withoutNaN(text, 'null') : text
  const again = mended === text ? undefined : parse(mended)
  if (again === undefined)
    return parsed.ok ? fail('JSON', '', 'JSON', 'text that JSON.parse refuses') : refuse(parsed)
  return { text, value: again }
}
