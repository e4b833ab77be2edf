/**
 * Text out of bytes that are known to be UTF-8.
 */

type Slice = (this: Uint8Array, start: number, end: number) => string

type Compare = (
  this: Uint8Array,
  other: Uint8Array,
  otherStart: number,
  otherEnd: number,
  start: number,
  end: number,
) => number

/** Node's own ways, several times faster. */
const {
  utf8Slice: nodeSlice,
  compare: nodeCompare,
}: { readonly utf8Slice?: Slice; readonly compare?: Compare } =
  (globalThis as { readonly Buffer?: { readonly prototype: object } }).Buffer?.prototype ?? {}

let utf8: InstanceType<typeof TextDecoder> | undefined

function decoded(bytes: Uint8Array): string {
  utf8 ??= new TextDecoder('utf-8', { ignoreBOM: true })
  return utf8.decode(bytes)
}

/** The text of `bytes[start … end-1]`. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return nodeSlice === undefined ? decoded(bytes.subarray(start, end)) : nodeSlice.call(bytes, start, end)
}

/** The string whose text between the quotes is `bytes[start … end-1]`. */
export function stringOf(bytes: Uint8Array, start: number, end: number): string {
  for (let k = start; k < end; k++)
    if (bytes[k] === 0x5c) return JSON.parse(textOf(bytes, start - 1, end + 1)) as string
  return textOf(bytes, start, end)
}

/** Bytes of its own with what `bytes[start … end-1]` hold. `slice` of a Node `Buffer` shares them instead. */
export function copyOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(bytes.subarray(start, end))
}

/** From this length on Node's own way is faster than a loop. */
const LONG = 64

/** Whether `bytes[start … end-1]` are the bytes of `other`. */
export function sameBytes(bytes: Uint8Array, start: number, end: number, other: Uint8Array): boolean {
  const { length } = other
  if (end - start !== length || end > bytes.length) return false
  if (length >= LONG && nodeCompare !== undefined)
    return nodeCompare.call(bytes, other, 0, length, start, end) === 0
  for (let k = 0; k < length; k++) if (bytes[start + k] !== other[k]) return false
  return true
}

/** A text as UTF-8. */
export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k)
    if (code >= 0x80) return new TextEncoder().encode(text)
    bytes[k] = code
  }
  return bytes
}
