/**
 * Values that a schema alone suggests: its constants and examples, else something made up that fits.
 */
import type { JsonValue } from '../reward/call.js'
import { isObject } from './copy.js'
import type { Draw } from './draw.js'
import { wordsOf } from './paths.js'
import { areCompatible, type JsonType, resolved, typesOf } from './schema.js'
import type { JsonSchema } from './types.js'

/** Constants, choices, default and examples of a schema. */
export function literalsOf(root: JsonSchema, of: unknown): readonly JsonValue[] {
  const schema = resolved(root, of)
  if ('const' in schema) return [schema.const as JsonValue]
  if (Array.isArray(schema.enum)) return schema.enum as JsonValue[]
  const examples = Array.isArray(schema.examples) ? (schema.examples as JsonValue[]) : []
  if (examples.length > 0) return examples
  if (schema.default !== undefined) return [schema.default as JsonValue]
  const types = typesOf(root, schema)
  return types.size === 1 && types.has('boolean') ? [true, false] : []
}

function typeOf(value: JsonValue): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'bigint') return 'integer'
  return typeof value === 'number'
    ? Number.isInteger(value)
      ? 'integer'
      : 'number'
    : (typeof value as JsonType)
}

const below = (limit: unknown, value: number): boolean => typeof limit !== 'number' || value >= limit

/** Whether a schema seems to take a value: type, choices, bounds, pattern. The validator has the last word. */
export function seemsToFit(root: JsonSchema, of: unknown, value: JsonValue): boolean {
  const schema = resolved(root, of)
  const types = typesOf(root, schema)
  if (value === null ? !types.has('null') : !areCompatible(new Set([typeOf(value)]), types)) return false
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false
  if (typeof value === 'number')
    return (
      below(schema.minimum, value) &&
      below(typeof schema.maximum === 'number' ? -schema.maximum : undefined, -value)
    )
  if (typeof value === 'string')
    return (
      below(schema.minLength, value.length) &&
      below(typeof schema.maxLength === 'number' ? -schema.maxLength : undefined, -value.length) &&
      (typeof schema.pattern !== 'string' || new RegExp(schema.pattern, 'u').test(value))
    )
  if (Array.isArray(value))
    return (
      below(schema.minItems, value.length) &&
      (!isObject(schema.items) || value.every((item) => seemsToFit(root, schema.items, item)))
    )
  return true
}

function someText(schema: JsonSchema, name: string, draw: Draw): string {
  const day = String(1 + draw.below(28)).padStart(2, '0')
  if (schema.format === 'date') return `2026-04-${day}`
  if (schema.format === 'date-time') return `2026-04-${day}T10:00:00.000Z`
  if (schema.format === 'email') return `person${draw.below(1000)}@example.com`
  if (schema.format === 'uri') return `https://example.com/${draw.below(1000)}`
  const text = `${wordsOf(name).join(' ')} ${100 + draw.below(900)}`
  const { minLength, maxLength } = schema
  const long = typeof minLength === 'number' ? text.padEnd(minLength, '.') : text
  return typeof maxLength === 'number' ? long.slice(-maxLength || long.length) : long
}

function someNumber(schema: JsonSchema, isWhole: boolean, draw: Draw): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const step = typeof multipleOf === 'number' ? multipleOf : 1
  const low =
    typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + step : 1
  const top =
    typeof maximum === 'number'
      ? maximum
      : typeof exclusiveMaximum === 'number'
        ? exclusiveMaximum - step
        : low + 9 * step
  const first = Math.ceil(low / step)
  const last = Math.floor(top / step)
  if (last >= first) return (first + draw.below(Math.min(last - first + 1, 1000))) * step
  return isWhole ? Math.ceil(low) : (low + top) / 2
}

/** Makes up a text, number or truth value for an argument; `undefined` for other types and for patterns. */
export function madeUp(root: JsonSchema, of: unknown, name: string, draw: Draw): JsonValue | undefined {
  const schema = resolved(root, of)
  const types = typesOf(root, schema)
  if (types.has('string'))
    return typeof schema.pattern === 'string' ? undefined : someText(schema, name, draw)
  if (types.has('integer') || types.has('number')) return someNumber(schema, !types.has('number'), draw)
  return types.has('boolean') ? draw.below(2) === 1 : undefined
}
