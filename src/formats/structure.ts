/**
 * What the readers of message formats check alike: what a logger wrote around the calls. Arguments pass unread.
 */
import { fail, show } from '../errors.js'
import type { JsonValue, ToolCall } from '../reward/call.js'
import type { Fields } from './fields.js'

/** Checks that a value is an object. */
export function asFields(place: string, value: unknown, wish: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    fail('TYPE', place, wish, show(value))
  return value as Fields
}

/** Checks the role of a message. */
export function roleOf(message: Fields, m: number): string {
  const { role } = message
  if (typeof role !== 'string') fail('TYPE', `messages[${m}].role`, 'a string', show(role))
  return role
}

/** The list of parts of a message's content, or undefined where it is text or nothing. */
export function partsOf(place: string, content: unknown, wish: string): readonly unknown[] | undefined {
  if (content === undefined || content === null || typeof content === 'string') return undefined
  if (!Array.isArray(content)) fail('TYPE', place, wish, show(content))
  return content
}

/** Checks a part of a message's content, and that it names its type. */
export function asPart(place: string, value: unknown): Fields & { readonly type: string } {
  const part = asFields(place, value, 'a part')
  if (typeof part.type !== 'string') fail('TYPE', `${place}.type`, 'a string', show(part.type))
  return part as Fields & { readonly type: string }
}

/** One call.
 * @param place - names the object that has the name
 * @param field - the field of the name in it
 * @param side - the side that makes the call, where it is not the assistant
 */
export function asCall(
  place: string,
  field: string,
  name: unknown,
  given: unknown,
  side?: 'user' | undefined,
): ToolCall {
  if (typeof name !== 'string') fail('TYPE', `${place}.${field}`, 'a string', show(name))
  const call = { name, arguments: given as string | JsonValue | undefined }
  return side === undefined ? call : { ...call, requestor: side }
}

/** The other side, where a user makes calls. */
export const sideOf = (role: unknown): 'user' | undefined => (role === 'user' ? 'user' : undefined)
