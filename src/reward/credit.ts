/**
 * Credit of a pair: how much of a golden call a made one has right.
 *
 *     credit = 1 if the two are equal, else right / max(golden keys, call keys)
 *
 * Name and side must be the same and the arguments readable, or there is no credit. `right` counts the top-level keys
 * of the golden call whose values are equal under the policy; a tool that was named right is worth nothing by itself.
 * A key left out on one side stands for its default where the policy has one; under `subset` the keys that only the
 * call has are free and not counted. A pair that is not equal has a credit below 1.
 */
import type { JsonObject, JsonValue } from './call.js'
import { type GoldenCall, sameArguments } from './compile.js'
import { firstDifference, jsonEqual } from './equal.js'
import type { EqualRule, Looseness } from './looseness.js'
import type { MadeCall } from './made.js'

/** `right` of `of` arguments; 1 of 1 for equal calls. */
export interface Credit {
  readonly right: number
  readonly of: number
}

const equal: Credit = Object.freeze({ right: 1, of: 1 })
const nothing: Credit = Object.freeze({ right: 0, of: 1 })

/** An object with one key, whatever the key is called. */
function only(key: string, value: JsonValue): JsonObject {
  const object: Record<string, JsonValue> = Object.create(null)
  object[key] = value
  return object
}

/** Keys that have a value, with those that the defaults fill in because the other side has them. */
function keysOf(object: JsonObject, other: JsonObject, defaults: JsonObject | undefined): Set<string> {
  const keys = new Set<string>()
  for (const key of Object.keys(object)) if (object[key] !== undefined) keys.add(key)
  if (defaults !== undefined)
    for (const key of Object.keys(other))
      if (other[key] !== undefined && defaults[key] !== undefined && Object.hasOwn(defaults, key)) keys.add(key)
  return keys
}

/** The same looseness for one argument: a rule of the user is asked about values, not about the object around one. */
function ofOneArgument(looseness: Looseness): Looseness {
  const { equal: rule } = looseness
  if (rule === undefined) return { ...looseness, subset: false }
  const inside: EqualRule = (a, b, where) => (where.path === '' ? undefined : rule(a, b, where))
  return { ...looseness, subset: false, equal: inside }
}

function countRight(golden: GoldenCall, call: JsonObject, isStrict: boolean): Credit {
  const { value, looseness } = golden
  const { subset, defaults, tool } = looseness
  if (looseness.equal?.(value, call, { path: '', tool }) === false) return nothing
  const goldenKeys = keysOf(value, call, defaults)
  const callKeys = keysOf(call, value, defaults)
  const loosened = isStrict ? looseness : ofOneArgument(looseness)
  const valueAt = (object: JsonObject, key: string): JsonValue =>
    (Object.hasOwn(object, key) ? object[key] : undefined) ?? defaults?.[key] ?? null
  let right = 0
  for (const key of goldenKeys) {
    if (!callKeys.has(key)) continue
    const a = valueAt(value, key)
    const b = valueAt(call, key)
    if (isStrict ? jsonEqual(a, b) : firstDifference(only(key, a), only(key, b), loosened) === null) right++
  }
  return { right, of: subset ? goldenKeys.size : Math.max(goldenKeys.size, callKeys.size) }
}

/** Computes the credit of a pair. */
export function creditOf(golden: GoldenCall, call: MadeCall, isStrict: boolean): Credit {
  if (golden.key !== call.name || golden.side !== call.side || !call.arguments.ok) return nothing
  const { value } = call.arguments
  return sameArguments(golden, value, isStrict) ? equal : countRight(golden, value, isStrict)
}
