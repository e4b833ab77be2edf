/**
 * What a JSON Schema says of names and types: enough to see which output can be which argument.
 *
 * Local `$ref`s are followed. Of `anyOf` and `oneOf` the types of all branches count, the properties of the first that
 * has some; `allOf` is merged. Anything finer is left to the validator.
 */
import { isObject } from './copy.js'
import type { JsonSchema, ToolDefinition } from './types.js'

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null'

/** A property somewhere in an output. */
export interface OutputPath {
  /** `bookings[].booking_id`: `[]` stands for every element. */
  readonly path: string
  /** The last key of the path. */
  readonly name: string
  readonly types: ReadonlySet<JsonType>
}

/** The deepest nesting that is looked at; schemas may be recursive. */
const MAX_DEPTH = 6

const allTypes: readonly JsonType[] = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']

function step(schema: unknown, key: string): unknown {
  if (Array.isArray(schema)) return schema[Number(key)]
  return isObject(schema) && Object.hasOwn(schema, key) ? schema[key] : undefined
}

/** Follows local `$ref`s: `#/$defs/Booking`. */
export function resolved(root: JsonSchema, schema: unknown): JsonSchema {
  let current = schema
  for (let hops = 0; hops < 16; hops++) {
    if (!isObject(current)) return {}
    const { $ref } = current
    if (typeof $ref !== 'string' || !$ref.startsWith('#')) return current
    const steps = decodeURIComponent($ref.slice(1)).split('/').slice(1)
    current = steps.reduce(
      (at: unknown, key) => step(at, key.replaceAll('~1', '/').replaceAll('~0', '~')),
      root,
    )
  }
  return {}
}

function branches(root: JsonSchema, schema: JsonSchema): JsonSchema[] {
  const options = schema.anyOf ?? schema.oneOf
  return Array.isArray(options) ? options.map((option) => resolved(root, option)) : []
}

function valueType(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as JsonType
}

/** The JSON types that a schema allows; all of them where it does not say. */
export function typesOf(root: JsonSchema, of: unknown, depth = 0): ReadonlySet<JsonType> {
  const schema = resolved(root, of)
  const { type } = schema
  if (typeof type === 'string') return new Set([type as JsonType])
  if (Array.isArray(type)) return new Set(type as JsonType[])
  if (Array.isArray(schema.enum)) return new Set(schema.enum.map(valueType))
  if ('const' in schema) return new Set([valueType(schema.const)])
  if (isObject(schema.properties)) return new Set(['object'])
  if ('items' in schema) return new Set(['array'])
  const options = branches(root, schema)
  if (options.length === 0 || depth === MAX_DEPTH) return new Set(allTypes)
  return new Set(options.flatMap((option) => [...typesOf(root, option, depth + 1)]))
}

/** Whether a value of one set of types can be one of the other: an integer is a number; null alone is nothing. */
export function areCompatible(given: ReadonlySet<JsonType>, wanted: ReadonlySet<JsonType>): boolean {
  for (const type of given) {
    if (type === 'null') continue
    if (wanted.has(type) || (type === 'integer' && wanted.has('number'))) return true
  }
  return false
}

/** The properties of an object schema, by name. */
export function propertiesOf(root: JsonSchema, of: unknown, depth = 0): ReadonlyMap<string, JsonSchema> {
  const schema = resolved(root, of)
  const found = new Map<string, JsonSchema>()
  if (depth > MAX_DEPTH) return found
  const { properties, allOf } = schema
  if (isObject(properties))
    for (const [name, property] of Object.entries(properties)) found.set(name, resolved(root, property))
  if (Array.isArray(allOf))
    for (const part of allOf)
      for (const [name, property] of propertiesOf(root, part, depth + 1)) found.set(name, property)
  for (const option of branches(root, schema)) {
    if (found.size > 0) break
    for (const [name, property] of propertiesOf(root, option, depth + 1)) found.set(name, property)
  }
  return found
}

/** Names of the properties that must be there. */
export function requiredOf(root: JsonSchema, of: unknown): readonly string[] {
  const schema = resolved(root, of)
  const names = Array.isArray(schema.required) ? (schema.required as string[]) : []
  const { allOf } = schema
  return Array.isArray(allOf) ? [...names, ...allOf.flatMap((part) => requiredOf(root, part))] : names
}

function walk(
  root: JsonSchema,
  of: unknown,
  path: string,
  name: string,
  depth: number,
  out: OutputPath[],
): void {
  const schema = resolved(root, of)
  if (path !== '') out.push({ path, name, types: typesOf(root, schema) })
  if (depth === MAX_DEPTH) return
  for (const [key, property] of propertiesOf(root, schema))
    walk(root, property, path === '' ? key : `${path}.${key}`, key, depth + 1, out)
  const items: unknown = schema.items
  if (isObject(items)) walk(root, items, `${path}[]`, name, depth + 1, out)
}

/** Every property of an output, outer ones first. */
export function outputPaths(schema: JsonSchema): OutputPath[] {
  const out: OutputPath[] = []
  walk(schema, schema, '', '', 0, out)
  return out
}

/** An argument and the types it takes. */
export interface Input {
  readonly name: string
  readonly types: ReadonlySet<JsonType>
  readonly isRequired: boolean
}

/** The arguments of a tool, in the order of its schema. */
export function inputsOf({ inputSchema }: Pick<ToolDefinition, 'inputSchema'>): Input[] {
  const required = new Set(requiredOf(inputSchema, inputSchema))
  return [...propertiesOf(inputSchema, inputSchema)].map(([name, schema]) => ({
    name,
    types: typesOf(inputSchema, schema),
    isRequired: required.has(name),
  }))
}
