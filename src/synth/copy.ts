/**
 * Deep copies of JSON values: what keeps states apart from each other and from whoever handed them over.
 */
import type { JsonObject, JsonValue } from '../reward/call.js'

/** The deepest nesting of a database, of arguments and of outputs. */
const MAX_DEPTH = 200

/** A value that is not JSON, with its path. The environment says where it came from. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null) return `a ${value.constructor?.name ?? 'strange object'}`
  return typeof value === 'function' ? 'a function' : String(value)
}

function isPlain(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]' && !(value instanceof Map)
}

function setOwn(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, writable: true })
  else target[key] = value
}

/** Copies a JSON value; −0 becomes 0, members that are `undefined` are left out.
 * @param path - names the value in errors
 * @throws NotJson for anything that JSON cannot say: NaN, a date, a function, an object that contains itself
 */
export function copyJson(value: unknown, path: string, depth = 0): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0
  if (typeof value !== 'object') throw new NotJson(`${path}: expected a JSON value, got ${describe(value)}`)
  if (depth === MAX_DEPTH) throw new NotJson(`${path}: expected at most ${MAX_DEPTH} levels, got more`)
  if (Array.isArray(value)) return value.map((item, k) => copyJson(item, `${path}[${k}]`, depth + 1))
  if (!isPlain(value)) throw new NotJson(`${path}: expected a JSON value, got ${describe(value)}`)
  const copy: Record<string, JsonValue> = {}
  for (const [key, member] of Object.entries(value))
    if (member !== undefined) setOwn(copy, key, copyJson(member, `${path}.${key}`, depth + 1))
  return copy
}

/** Copies a JSON object.
 * @throws NotJson for what is not one
 */
export function copyObject(value: unknown, path: string): Record<string, JsonValue> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new NotJson(`${path}: expected an object, got ${Array.isArray(value) ? 'a list' : describe(value)}`)
  return copyJson(value, path) as Record<string, JsonValue>
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
