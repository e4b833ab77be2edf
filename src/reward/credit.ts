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
import { comparedArguments, type GoldenCall, sameArguments } from './compile.js'
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

function own(object: JsonObject | undefined, key: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined
}

/** The arguments, and those that the defaults fill in because the other side has them. */
function filled(
  object: JsonObject,
  other: JsonObject,
  defaults: JsonObject | undefined,
): Map<string, JsonValue> {
  const values = new Map<string, JsonValue>()
  for (const key of Object.keys(object)) if (object[key] !== undefined) values.set(key, object[key]!)
  if (defaults === undefined) return values
  for (const key of Object.keys(other)) {
    const value = own(defaults, key)
    if (other[key] !== undefined && value !== undefined && !values.has(key)) values.set(key, value)
  }
  return values
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
  const wanted = filled(value, call, subset ? undefined : defaults)
  const made = filled(call, value, defaults)
  const loosened = ofOneArgument(looseness)
  let right = 0
  for (const [key, a] of wanted) {
    const b = made.get(key)
    if (b === undefined) continue
    if (isStrict ? jsonEqual(a, b) : firstDifference(only(key, a), only(key, b), loosened) === null) right++
  }
  return { right, of: subset ? wanted.size : Math.max(wanted.size, made.size) }
}

/** Computes the credit of a pair. */
export function creditOf(golden: GoldenCall, call: MadeCall, isStrict: boolean): Credit {
  if (golden.key !== call.name || golden.side !== call.side || !call.arguments.ok) return nothing
  const { value } = call.arguments
  return sameArguments(golden, value, isStrict)
    ? equal
    : countRight(golden, comparedArguments(golden, value), isStrict)
}
