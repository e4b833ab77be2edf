/**
 * Paths into JSON values: `bookings[].booking_id`, where `[]` stands for every element, and `bookings[0].booking_id`.
 */
import type { JsonObject, JsonValue } from '../reward/call.js'
import { isObject } from './copy.js'

/** A value and where it was found. */
export interface Found {
  readonly path: string
  readonly value: JsonValue
}

/** The steps of a path: keys, and `[]` for every element. */
function stepsOf(path: string): string[] {
  return path.split('.').flatMap((part) => {
    const [key = '', ...rest] = part.split('[]')
    const all = rest.map(() => '[]')
    return key === '' ? all : [key, ...all]
  })
}

function below({ path, value }: Found, step: string): Found[] {
  if (step === '[]')
    return Array.isArray(value) ? value.map((item, k) => ({ path: `${path}[${k}]`, value: item })) : []
  if (!isObject(value) || !Object.hasOwn(value, step)) return []
  return [{ path: path === '' ? step : `${path}.${step}`, value: value[step]! }]
}

/** Finds the values at a path with `[]`, with the path of each. */
export function valuesAt(root: JsonObject, path: string): Found[] {
  let found: Found[] = [{ path: '', value: root }]
  for (const step of stepsOf(path)) found = found.flatMap((from) => below(from, step))
  return found
}

/** The path without its last key: what two values of one record share. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('.'), 0))
}

/** `fromAccountId`, `from_account_id` → `from`, `account`, `id`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

/** `categories` → `category`, `boxes` → `box`, `bookings` → `booking`; good enough for names of collections. */
export function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}
