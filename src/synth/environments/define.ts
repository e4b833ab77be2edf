/**
 * How the built-in environments are written: short schemas, typed handlers, and records that are found or refused.
 */
import type { JsonObject } from '../../reward/call.js'
import type { JsonSchema, Tool, ToolContext, ToolDefinition } from '../types.js'

/** A string. */
export const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
})

/** A whole number. */
export const whole = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'integer',
  description,
  ...more,
})

/** One of the named strings. */
export const choice = (description: string, values: readonly string[]): JsonSchema => ({
  type: 'string',
  description,
  enum: values,
})

/** An object of exactly these properties. All are required but those named as optional. */
export const record = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})

/** A list of objects of exactly these properties. */
export const listOf = (
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema => ({
  type: 'array',
  description,
  items: record(properties),
})

/** A tool whose handler knows the types of its database and arguments. The schemas check what the types promise. */
export function tool<Database extends JsonObject, Args extends JsonObject>(
  definition: ToolDefinition,
  work: (database: Database, args: Args, context: ToolContext) => JsonObject,
): Tool {
  return {
    ...definition,
    handler: (database, args, context) => work(database as Database, args as Args, context),
  }
}

/** The row with this value.
 * @param noun - what a row is, for the refusal: `booking`
 * @throws Error where there is none
 */
export function the<Row, Key extends keyof Row>(
  rows: readonly Row[],
  key: Key,
  value: Row[Key],
  noun: string,
): Row {
  const row = rows.find((one) => one[key] === value)
  if (row === undefined) throw new Error(`There is no ${noun} ${String(value)}.`)
  return row
}

/** Refuses a call. The agent reads the message. */
export function refuse(message: string): never {
  throw new Error(message)
}
