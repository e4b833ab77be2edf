/**
 * The border for JSON values that a user hands in as JavaScript values: golden arguments and defaults.
 */
import { fail, show, type TaraErrorCode } from '../errors.js'
import type { JsonValue } from './call.js'

interface Frame {
  readonly value: Readonly<Record<string, unknown>> | readonly unknown[]
  readonly keys: readonly string[] | undefined
  index: number
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]'
}

function isScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return (
    value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint'
  )
}

/** Whether a value is an object of scalars, as most arguments are. */
function isFlat(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isPlain(value)) return false
  for (const child of Object.values(value)) if (!isScalar(child)) return false
  return true
}

function pathOf(frames: readonly Frame[]): string {
  return frames.map(({ keys, index }) => (keys ? `.${keys[index - 1]}` : `[${index - 1}]`)).join('')
}

/** Checks that a value is JSON: null, boolean, finite number, bigint, string, or a list or plain object of such, without
 * a cycle. Without recursion.
 * @throws TaraError of the given code, with the path of the fault below `place`
 */
export function checkJsonValue(
  code: TaraErrorCode,
  place: string,
  value: unknown,
): asserts value is JsonValue {
  if (isFlat(value)) return
  const frames: Frame[] = []
  const above = new Set<object>()
  let current = value
  for (;;) {
    if (typeof current === 'object' && current !== null && isPlain(current)) {
      if (above.has(current))
        fail(code, place + pathOf(frames), 'a JSON value', 'an object that contains itself')
      above.add(current)
      const keys = Array.isArray(current) ? undefined : Object.keys(current)
      frames.push({ value: current as Frame['value'], keys, index: 0 })
    } else if (!isScalar(current)) fail(code, place + pathOf(frames), 'a JSON value', show(current))
    for (;;) {
      const frame = frames.at(-1)
      if (frame === undefined) return
      const { value: parent, keys } = frame
      if (frame.index < (keys ?? (parent as readonly unknown[])).length) {
        const index = frame.index++
        current = keys
          ? (parent as Readonly<Record<string, unknown>>)[keys[index]!]
          : (parent as readonly unknown[])[index]
        break
      }
      above.delete(parent)
      frames.pop()
    }
  }
}
