/**
 * JSON values → one text for each, to find the same content again.
 *
 * Keys are sorted by code unit, members that are `undefined` are not there, −0 is 0, whole numbers are
 * their digits.
 */
import { fail, show } from '../errors.js'
import type { JsonValue } from './call.js'
import { jsonText } from './jsonText.js'

type List = readonly unknown[]
type Fields = Readonly<Record<string, unknown>>

interface Frame {
  readonly value: List | Fields
  /** The keys of an object, sorted; `undefined` for a list. */
  readonly keys: readonly string[] | undefined
  index: number
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]'
}

function isScalar(value: unknown): value is JsonValue {
  if (typeof value === 'number') return Number.isFinite(value)
  return value === null || ['string', 'boolean', 'bigint'].includes(typeof value)
}

/** A whole number is its digits, as number and as `bigint`: `String` would round them from 2^53 on. */
function scalarText(value: JsonValue): string {
  return jsonText(Number.isInteger(value) ? BigInt(value as number) : value)
}

function openFrame(value: object): Frame {
  if (Array.isArray(value)) return { value, keys: undefined, index: 0 }
  const fields = value as Fields
  const keys = Object.keys(fields).filter((key) => fields[key] !== undefined)
  return { value: fields, keys: keys.sort(), index: 0 }
}

function pathOf(frames: readonly Frame[]): string {
  return frames
    .map(({ keys, index }) => (keys === undefined ? `[${index - 1}]` : `.${keys[index - 1]}`))
    .join('')
}

/** Writes a value as canonical JSON text, without recursion. Equal values, and only these, have equal texts.
 * @param place - names the value in errors
 * @throws TaraError `TYPE` for what is not JSON, with its path: NaN, a function, an object that contains itself
 */
export function canonicalText(place: string, value: unknown): string {
  const parts: string[] = []
  const frames: Frame[] = []
  const above = new Set<object>()
  let current = value
  for (;;) {
    if (typeof current === 'object' && current !== null && isPlain(current)) {
      if (above.has(current))
        fail('TYPE', place + pathOf(frames), 'a JSON value', 'an object that contains itself')
      above.add(current)
      const frame = openFrame(current)
      frames.push(frame)
      parts.push(frame.keys === undefined ? '[' : '{')
    } else if (isScalar(current)) parts.push(scalarText(current))
    else fail('TYPE', place + pathOf(frames), 'a JSON value', show(current))
    for (;;) {
      const frame = frames.at(-1)
      if (frame === undefined) return parts.join('')
      const { value: parent, keys } = frame
      const index = frame.index
      if (index < (keys ?? (parent as List)).length) {
        frame.index++
        if (index > 0) parts.push(',')
        if (keys !== undefined) parts.push(JSON.stringify(keys[index]!), ':')
        current = keys === undefined ? (parent as List)[index] : (parent as Fields)[keys[index]!]
        break
      }
      parts.push(keys === undefined ? ']' : '}')
      above.delete(parent)
      frames.pop()
    }
  }
}
