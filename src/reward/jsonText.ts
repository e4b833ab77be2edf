/**
 * JSON values → text, without recursion; `bigint` as digits. For display and for files.
 */
import type { JsonValue } from './call.js'

interface Frame {
  readonly value: readonly JsonValue[] | { readonly [key: string]: JsonValue }
  /** The keys of an object; `undefined` for a list. */
  readonly keys: readonly string[] | undefined
  index: number
}

function scalarText(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value + 0) : 'null'
  return String(value)
}

/** Writes a value as JSON text without white space.
 * @param value - a JSON value of any depth; lone surrogates are written escaped, −0 as 0
 * @returns text that `parseJson` reads back; never throws
 */
export function jsonText(value: JsonValue): string {
  const parts: string[] = []
  const frames: Frame[] = []
  let current = value
  for (;;) {
    if (typeof current === 'object' && current !== null) {
      const keys = Array.isArray(current) ? undefined : Object.keys(current)
      frames.push({ value: current, keys, index: 0 })
      parts.push(keys === undefined ? '[' : '{')
    } else parts.push(scalarText(current))
    for (;;) {
      const frame = frames.at(-1)
      if (frame === undefined) return parts.join('')
      const { value: parent, keys } = frame
      const index = frame.index++
      if (index < (keys ?? (parent as readonly JsonValue[])).length) {
        if (index > 0) parts.push(',')
        const key = keys === undefined ? index : keys[index]!
        if (keys !== undefined) parts.push(JSON.stringify(key), ':')
        current = (parent as { readonly [key: string]: JsonValue })[key]!
        break
      }
      parts.push(keys === undefined ? ']' : '}')
      frames.pop()
    }
  }
}
