/**
 * A hash of a database that is the same for equal databases.
 *
 * Keys are sorted, the order of lists counts unless their path is named as unordered. Not for secrets: 128 bits of a
 * fast mix, enough to tell states apart.
 */
import { fail, show } from '../errors.js'
import type { JsonObject, JsonValue } from '../reward/call.js'
import { canonicalText } from '../reward/canonical.js'
import { addUnordered, type UnorderedPaths, unorderedPaths } from '../reward/looseness.js'
import { isObject } from './copy.js'

export interface HashOptions {
  /** Paths of lists whose order does not count: `payments`, `orders[].items`. */
  readonly unordered?: readonly string[]
}

/** The value with unordered lists in the order of their canonical texts, innermost first. */
function sorted(value: JsonValue, paths: UnorderedPaths | undefined): JsonValue {
  if (paths === undefined) return value
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => sorted(item, paths.items))
    if (!paths.isUnordered) return items
    const texts = items.map((item) => ({ item, text: canonicalText('stateHash', item) }))
    return texts.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)).map(({ item }) => item)
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, sorted(member, paths.keys.get(key))]),
  )
}

/** 64 bits of a text as 16 hexadecimal digits. */
function mix(text: string, seed: number): string {
  let a = 0xdeadbeef ^ seed
  let b = 0x41c6ce57 ^ seed
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}

/** Hashes a JSON value in canonical form to 32 hexadecimal digits.
 * @throws TaraError `OPTION` for a path that cannot be read, `TYPE` for what is not JSON
 */
export function stateHash(state: JsonObject, { unordered = [] }: HashOptions = {}): string {
  const paths = unorderedPaths()
  for (const [k, path] of unordered.entries())
    if (!addUnordered(paths, path))
      fail('OPTION', `stateHash: unordered[${k}]`, 'a path: orders[].items', show(path))
  const text = canonicalText('stateHash: state', unordered.length === 0 ? state : sorted(state, paths))
  return mix(text, 0) + mix(text, 0x5bd1e995)
}
