/**
 * Whether two golden traces ask for the same.
 */
import { argumentMemo, readArguments } from './arguments.js'
import type { JsonValue } from './call.js'
import { jsonEqual } from './equal.js'

type Fields = Readonly<Record<string, unknown>>

/** A golden call without what may be written in several ways; anything else as it is. */
function plainCall(call: unknown): JsonValue {
  if (typeof call !== 'object' || call === null || Array.isArray(call)) return call as JsonValue
  const { name, requestor, compare, arguments: given } = call as Fields
  const read = readArguments(given, argumentMemo())
  return {
    name: name as JsonValue,
    requestor: (requestor ?? 'assistant') as JsonValue,
    arguments: read.ok ? read.value : (given as JsonValue),
    compare: Array.isArray(compare) ? [...compare].sort() : ((compare ?? null) as JsonValue),
  }
}

function plainCalls(calls: unknown): JsonValue {
  return Array.isArray(calls) ? calls.map(plainCall) : (calls as JsonValue)
}

function plainTurn(turn: unknown): JsonValue {
  if (typeof turn !== 'object' || turn === null || Array.isArray(turn)) return plainCalls(turn)
  const { any_of } = turn as Fields
  return { any_of: Array.isArray(any_of) ? any_of.map(plainCalls) : (any_of as JsonValue) }
}

/** Whether two golden traces have equal turns: the same calls in the same order, arguments equal as JSON values, whether
 * they are written as text or as values. Traces that cannot be read are compared as they are.
 */
export function sameGolden(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!Array.isArray(a) || !Array.isArray(b)) return jsonEqual(a as JsonValue, b as JsonValue)
  return a.length === b.length && a.every((turn, t) => jsonEqual(plainTurn(turn), plainTurn(b[t])))
}
