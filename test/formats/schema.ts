/**
 * The shipped JSON Schema, and as much of a validator as it needs.
 */
import { readFileSync } from 'node:fs'

type Schema = Readonly<Record<string, unknown>>

const root = JSON.parse(
  readFileSync(new URL('../../schema/rollout.schema.json', import.meta.url), 'utf8'),
) as Schema & { readonly $defs: Readonly<Record<string, Schema>> }

/** Words of the schema that say nothing about a value. */
const silent = new Set(['$schema', '$id', '$defs', 'title', 'description', 'default'])

function isType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => isType('object', value)

type Rule = (wanted: never, value: unknown, schema: Schema) => boolean

const count = (schemas: readonly Schema[], value: unknown): number =>
  schemas.filter((schema) => holds(schema, value)).length

const rules: Readonly<Record<string, Rule>> = {
  $ref: (ref: string, value) => holds(root.$defs[ref.replace('#/$defs/', '')]!, value),
  type: (types: string | string[], value) => [types].flat().some((type) => isType(type, value)),
  const: (wanted: unknown, value) => wanted === value,
  enum: (values: unknown[], value) => values.includes(value),
  minimum: (least: number, value) => typeof value !== 'number' || value >= least,
  maximum: (most: number, value) => typeof value !== 'number' || value <= most,
  minLength: (least: number, value) => typeof value !== 'string' || [...value].length >= least,
  minItems: (least: number, value) => !Array.isArray(value) || value.length >= least,
  maxItems: (most: number, value) => !Array.isArray(value) || value.length <= most,
  items: (item: Schema, value) => !Array.isArray(value) || value.every((one) => holds(item, one)),
  minProperties: (least: number, value) => !isObject(value) || Object.keys(value).length >= least,
  required: (names: string[], value) => !isObject(value) || names.every((name) => Object.hasOwn(value, name)),
  properties: (table: Record<string, Schema>, value) =>
    !isObject(value) ||
    Object.keys(table).every((name) => !Object.hasOwn(value, name) || holds(table[name]!, value[name])),
  additionalProperties: (item: Schema, value, schema) =>
    !isObject(value) ||
    Object.keys(value).every(
      (name) => name in ((schema.properties as object) ?? {}) || holds(item, value[name]),
    ),
  oneOf: (schemas: Schema[], value) => count(schemas, value) === 1,
  anyOf: (schemas: Schema[], value) => count(schemas, value) > 0,
  allOf: (schemas: Schema[], value) => count(schemas, value) === schemas.length,
  not: (schema: Schema, value) => !holds(schema, value),
}

function fault(schema: Schema | undefined, value: unknown): string | undefined {
  return Object.keys(schema ?? {}).find((word) => {
    if (silent.has(word)) return false
    const rule = rules[word]
    if (rule === undefined) throw new Error(`the schema says ${word}, which this validator does not know`)
    return !rule(schema![word] as never, value, schema!)
  })
}

const holds = (schema: Schema | undefined, value: unknown): boolean => fault(schema, value) === undefined

/** The word of the schema that refuses a record; `none` where it validates. */
export function schemaFault(record: unknown): string {
  return fault(root, JSON.parse(JSON.stringify(record))) ?? 'none'
}
