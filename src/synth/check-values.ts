/**
 * Arguments to try a tool with: valid ones, made of what the schema names and what the database holds, and invalid ones,
 * each wrong in one place.
 */
import type { JsonObject, JsonValue } from '../reward/call.js'
import { isObject } from './copy.js'
import { type Draw, sample } from './draw.js'
import { propertiesOf, requiredOf, resolved, typesOf } from './schema.js'
import type { JsonSchema, ToolDefinition } from './types.js'

/** What can be seen in a database and in outputs. */
export interface Known {
  /** Values by name, compared without case, `_` and `-`. */
  readonly values: ReadonlyMap<string, readonly JsonValue[]>
  readonly records: readonly JsonObject[]
}

/** Most values that are tried of one argument. */
const MOST = 40

const MAX_DEPTH = 4

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const same = (a: JsonValue, b: JsonValue): boolean => JSON.stringify(a) === JSON.stringify(b)

function unique(values: readonly JsonValue[]): JsonValue[] {
  return values.filter((value, k) => values.findIndex((other) => same(other, value)) === k)
}

/** Collects records and values by name. The keys of an object of objects count as values of no name. */
export function knownOf(sources: readonly JsonValue[]): Known {
  const values = new Map<string, JsonValue[]>()
  const records: JsonObject[] = []
  const seen = new Set<string>()
  function add(name: string, value: JsonValue): void {
    const key = `${name}\n${typeof value}\n${String(value)}`
    if (seen.has(key)) return
    seen.add(key)
    values.set(name, [...(values.get(name) ?? []), value])
  }
  function walk(value: JsonValue, name: string): void {
    if (Array.isArray(value)) for (const item of value) walk(item, name)
    else if (isObject(value)) {
      records.push(value)
      for (const [key, member] of Object.entries(value)) {
        if (isObject(member)) add('', key)
        walk(member, plain(key))
      }
    } else if (value !== null) add(name, value)
  }
  for (const source of sources) walk(source, '')
  return { values, records }
}

/** Values of the name; else of names that end with it or that it ends with. */
function named({ values }: Known, name: string): readonly JsonValue[] {
  const wanted = plain(name)
  const exact = values.get(wanted)
  if (exact !== undefined) return exact
  return [...values].flatMap(([other, found]) =>
    other.length > 1 && (other.endsWith(wanted) || wanted.endsWith(other)) ? found : [],
  )
}

const written = (schema: JsonSchema): JsonValue[] =>
  [schema.const, schema.default, schema.enum, schema.examples]
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is JsonValue => value !== undefined)

const formats: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-06-01', '2026-07-15'],
  'date-time': ['2026-06-01T09:00:00Z', '2026-07-15T14:30:00Z'],
  time: ['09:00:00Z', '14:30:00Z'],
  email: ['someone@example.com', 'other@example.org'],
  uri: ['https://example.com/', 'https://example.org/page'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '9b2f6f0e-4f0c-4f5b-8d2b-3c1f0f7b6a11'],
}

function someStrings(schema: JsonSchema): string[] {
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : Infinity
  const texts = [...(formats[String(schema.format)] ?? []), 'alpha', 'beta two']
  return texts.map((text) => text.padEnd(least, 'x').slice(0, Math.min(most, 1000)))
}

function someNumbers(schema: JsonSchema, isWhole: boolean): number[] {
  const step = typeof schema.multipleOf === 'number' ? schema.multipleOf : isWhole ? 1 : 0.5
  const bound = (closed: unknown, open: unknown, sign: 1 | -1): number | undefined =>
    typeof closed === 'number' ? closed : typeof open === 'number' ? open + sign * step : undefined
  const low = bound(schema.minimum, schema.exclusiveMinimum, 1)
  const high = bound(schema.maximum, schema.exclusiveMaximum, -1)
  const from = Math.ceil((low ?? Math.min(1, high ?? 1)) / step) * step
  const numbers = [from, from + step, from + 2 * step, from + 10 * step, from + 100 * step]
  return [...numbers, ...(high === undefined ? [] : [high])].filter((one) => one <= (high ?? Infinity))
}

/** Values to try for a schema. They need not all be valid: the whole call is checked later.
 * @param name - of the argument; empty for none
 */
export function candidates(
  root: JsonSchema,
  of: unknown,
  name: string,
  known: Known,
  draw: Draw,
  depth = 0,
): JsonValue[] {
  const schema = resolved(root, of)
  const types = typesOf(root, schema)
  const found = [...written(schema)]
  if (name !== '') found.push(...sample(draw, named(known, name)).slice(0, MOST))
  if (Array.isArray(schema.enum) || 'const' in schema) return unique(found)
  if (types.has('boolean')) found.push(true, false)
  if (types.has('integer') || types.has('number')) found.push(...someNumbers(schema, !types.has('number')))
  if (types.has('string')) {
    if (found.length === 0) found.push(...sample(draw, [...known.values.values()].flat()).slice(0, MOST))
    found.push(...someStrings(schema))
  }
  if (depth < MAX_DEPTH && types.has('array')) {
    const items = candidates(root, schema.items ?? {}, name.replace(/s$/, ''), known, draw, depth + 1)
    found.push(...items.map((item) => [item]), items.slice(0, 2), items.slice(0, 3), [])
  }
  if (depth < MAX_DEPTH && types.has('object'))
    for (let k = 0; k < 6; k++) found.push(someObject(root, schema, known, draw, k, depth + 1))
  if (types.has('null')) found.push(null)
  return unique(found)
}

/** An object of a schema: the first with the required members only, the second with all, then as it comes. */
function someObject(
  root: JsonSchema,
  schema: JsonSchema,
  known: Known,
  draw: Draw,
  round: number,
  depth: number,
): JsonObject {
  const required = new Set(requiredOf(root, schema))
  const properties = [...propertiesOf(root, schema)]
  const fitting = known.records.filter((one) => properties.some(([name]) => Object.hasOwn(one, name)))
  const whole = fitting.length > 0 && draw.unit() < 0.8 ? fitting[draw.below(fitting.length)]! : {}
  const made: Record<string, JsonValue> = {}
  for (const [name, property] of properties) {
    if (!required.has(name) && (round === 0 || (round > 1 && draw.unit() < 0.5))) continue
    const values = candidates(root, property, name, known, draw, depth)
    const fromRecord = Object.hasOwn(whole, name) && draw.unit() < 0.8 ? whole[name] : undefined
    const value = fromRecord ?? values[draw.below(Math.max(1, values.length))]
    if (value !== undefined) made[name] = value
  }
  return made
}

/** Arguments of one call of a tool. They often come from one record, so that they belong together.
 * @param round - the first call has the required arguments only, the second all
 */
export function someArguments(
  { inputSchema }: ToolDefinition,
  known: Known,
  draw: Draw,
  round: number,
): JsonObject {
  return someObject(inputSchema, inputSchema, known, draw, round, 0)
}

/** Arguments that are wrong in one place.
 * @returns each with the argument that is wrong, or empty for all of them
 */
export function wrongArguments(
  { inputSchema }: ToolDefinition,
  valid: JsonObject,
): { readonly args: JsonValue; readonly wrong: string }[] {
  const wrong: { args: JsonValue; wrong: string }[] = [
    { args: 'text', wrong: '' },
    { args: [valid], wrong: '' },
    { args: { ...valid, no_such_argument: 1 }, wrong: 'no_such_argument' },
  ]
  const required = new Set(requiredOf(inputSchema, inputSchema))
  for (const [name, schema] of propertiesOf(inputSchema, inputSchema)) {
    if (required.has(name)) {
      const { [name]: _, ...rest } = valid
      wrong.push({ args: rest, wrong: name })
    }
    const { minimum, maximum, maxLength } = schema
    const values: JsonValue[] = [null, true, 0.5, 'no such value', '', [[]], { no_such_member: 1 }]
    if (typeof minimum === 'number') values.push(minimum - 1)
    if (typeof maximum === 'number') values.push(maximum + 1)
    if (typeof maxLength === 'number' && maxLength < 10_000) values.push('x'.repeat(maxLength + 1))
    for (const value of values) wrong.push({ args: { ...valid, [name]: value }, wrong: name })
  }
  return wrong
}
