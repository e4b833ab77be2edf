/**
 * JSON as bytes, walked over without building it: each function returns the index behind what it has checked.
 *
 * It takes nothing that `JSON.parse` refuses, UTF-8 included. It does refuse some JSON (deep nesting): −1 only says
 * that another reader must look. The bytes must end in a control character behind the text, as lines do.
 */

/** Deepest nesting that is walked over; the way up is kept in the bits of one number. */
const MAX_DEPTH = 30

export const BACKSLASH = 0x5c

/** 1 for bytes that stand for themselves in a string: ASCII without quotes, backslash and control characters. */
const PLAIN: Uint8Array = Uint8Array.from({ length: 256 }, (_, c) =>
  c >= 0x20 && c < 0x80 && c !== 0x22 && c !== 0x5c ? 1 : 0,
)

/** 1 for what may stand behind a backslash, save `u`. */
const SHORT: Uint8Array = Uint8Array.from({ length: 256 }, (_, c) =>
  '"/\\bfnrt'.includes(String.fromCharCode(c)) ? 1 : 0,
)

function skipSpaces(bytes: Uint8Array, k: number): number {
  let c = bytes[k]!
  while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = bytes[++k]!
  return k
}

/** Index of the first byte from `k` on that is no white space. */
export const skipSpace = (bytes: Uint8Array, k: number): number =>
  bytes[k]! > 0x20 ? k : skipSpaces(bytes, k)

const isContinuation = (c: number): boolean => (c & 0xc0) === 0x80

/** Index behind a character of several bytes. */
function skipWide(bytes: Uint8Array, k: number): number {
  const c = bytes[k]!
  if (c < 0xc2 || c > 0xf4) return -1
  const next = bytes[k + 1]!
  if (!isContinuation(next)) return -1
  if (c < 0xe0) return k + 2
  if ((c === 0xe0 && next < 0xa0) || (c === 0xed && next >= 0xa0)) return -1 // too long a form, a surrogate
  if (!isContinuation(bytes[k + 2]!)) return -1
  if (c < 0xf0) return k + 3
  if ((c === 0xf0 && next < 0x90) || (c === 0xf4 && next >= 0x90)) return -1 // too long a form, beyond Unicode
  return isContinuation(bytes[k + 3]!) ? k + 4 : -1
}

const isHex = (c: number): boolean =>
  (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66)

/** Index behind the escape of a code unit whose backslash stands at `k`. */
function skipUnicode(bytes: Uint8Array, k: number): number {
  if (bytes[k + 1] !== 0x75) return -1
  for (let digit = k + 2; digit < k + 6; digit++) if (!isHex(bytes[digit]!)) return -1
  return k + 6
}

/** The bytes of `walked` as a view, which reads four of them at once; of those that were walked over last. */
let walked: Uint8Array = new Uint8Array(0)
let view = new DataView(walked.buffer)

/** The bytes as a view. */
export function viewOf(bytes: Uint8Array): DataView {
  if (bytes !== walked) {
    walked = bytes
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }
  return view
}

/** The sign bit of each of four bytes. */
const SIGNS = 0x80808080

/** Sign bits for the first of four bytes that is `byte`, and perhaps for later ones. The bytes must be ASCII. */
const signsOf = (four: number, byte: number): number => (four ^ (byte * 0x01010101)) - 0x01010101

/** Index from `k` on of the first byte that does not stand for itself in a string, or a few bytes before. */
function skipPlain(bytes: Uint8Array, k: number): number {
  const fours = viewOf(bytes)
  for (const last = bytes.length - 4; k <= last; k += 4) {
    const four = fours.getInt32(k, true)
    const special = (four | (four - 0x20202020) | signsOf(four, 0x22) | signsOf(four, BACKSLASH)) & SIGNS
    if (special !== 0) return k + ((31 - Math.clz32(special & -special)) >> 3)
  }
  return k
}

/** Whether a byte is among `bytes[start … end-1]`. */
export function hasByte(bytes: Uint8Array, start: number, end: number, byte: number): boolean {
  const fours = viewOf(bytes)
  const wanted = byte * 0x01010101
  let k = start
  for (; k + 4 <= end; k += 4) {
    const four = fours.getInt32(k, true) ^ wanted
    if (((four - 0x01010101) & ~four & SIGNS) !== 0) return true
  }
  for (; k < end; k++) if (bytes[k] === byte) return true
  return false
}

/** Index behind the closing quote of the string whose opening quote stands before `k`. */
export function skipString(bytes: Uint8Array, k: number): number {
  for (;;) {
    k = skipPlain(bytes, k)
    let c = bytes[k]!
    while (PLAIN[c] === 1) c = bytes[++k]!
    if (c === 0x22) return k + 1
    if (c === BACKSLASH && SHORT[bytes[k + 1]!] === 1) {
      k += 2
      continue
    }
    k = c === BACKSLASH ? skipUnicode(bytes, k) : c >= 0x80 ? skipWide(bytes, k) : -1
    if (k < 0) return -1
  }
}

function skipDigits(bytes: Uint8Array, k: number): number {
  let end = k
  while (bytes[end]! >= 0x30 && bytes[end]! <= 0x39) end++
  return end > k ? end : -1
}

function skipNumber(bytes: Uint8Array, k: number): number {
  if (bytes[k] === 0x2d) k++
  k = bytes[k] === 0x30 ? k + 1 : skipDigits(bytes, k)
  if (k > 0 && bytes[k] === 0x2e) k = skipDigits(bytes, k + 1)
  if (k > 0 && (bytes[k]! | 0x20) === 0x65) {
    const sign = bytes[k + 1]
    k = skipDigits(bytes, sign === 0x2b || sign === 0x2d ? k + 2 : k + 1)
  }
  return k
}

/** An ASCII word as bytes. */
export const wordOf = (word: string): Uint8Array => Uint8Array.from(word, (char) => char.charCodeAt(0))

/** Whether the word stands at `k`. */
export function holdsAt(bytes: Uint8Array, k: number, word: Uint8Array): boolean {
  for (let c = 0; c < word.length; c++) if (bytes[k + c] !== word[c]) return false
  return true
}

/** Four bytes as one number, to compare with `fourOf`. */
export const fourAt = (bytes: Uint8Array, k: number): number =>
  bytes[k]! | (bytes[k + 1]! << 8) | (bytes[k + 2]! << 16) | (bytes[k + 3]! << 24)

/** Four letters of a word from `at` on as one number. */
export const fourOf = (word: string, at: number): number => fourAt(wordOf(word), at)

const TRUE = wordOf('true')
const FALSE = wordOf('false')
const NULL = wordOf('null')

/** Index behind the null at `k`. */
export const skipNull = (bytes: Uint8Array, k: number): number => (holdsAt(bytes, k, NULL) ? k + 4 : -1)

/** Index behind the string, number or literal at `k`. */
function skipScalar(bytes: Uint8Array, k: number): number {
  switch (bytes[k]) {
    case 0x22:
      return skipString(bytes, k + 1)
    case 0x74:
      return holdsAt(bytes, k, TRUE) ? k + 4 : -1
    case 0x66:
      return holdsAt(bytes, k, FALSE) ? k + 5 : -1
    case 0x6e:
      return holdsAt(bytes, k, NULL) ? k + 4 : -1
    default:
      return skipNumber(bytes, k)
  }
}

/** Index of the first item or key of a list or object at `k`, or of its closing bracket. */
export function enter(bytes: Uint8Array, k: number, bracket: number): number {
  return bytes[k] === bracket ? skipSpace(bytes, k + 1) : -1
}

/** Index of what comes behind a value that ends at `k`: the next item or key, or the closing bracket. */
export function skipComma(bytes: Uint8Array, k: number, bracket: number): number {
  if (k < 0) return -1
  k = skipSpace(bytes, k)
  if (bytes[k] === bracket) return k
  if (bytes[k] !== 0x2c) return -1
  k = skipSpace(bytes, k + 1)
  return bytes[k] === bracket ? -1 : k
}

/** Index of the value behind a key that ends at `k`. */
export function skipColon(bytes: Uint8Array, k: number): number {
  if (k < 0) return -1
  k = skipSpace(bytes, k)
  return bytes[k] === 0x3a ? skipSpace(bytes, k + 1) : -1
}

/** Index behind the key whose opening quote stands at `k`; −1 where it is written with escapes or not in ASCII. */
export function skipPlainKey(bytes: Uint8Array, k: number): number {
  if (bytes[k++] !== 0x22) return -1
  while (PLAIN[bytes[k]!] === 1) k++
  return bytes[k] === 0x22 ? k + 1 : -1
}

function skipKey(bytes: Uint8Array, k: number): number {
  return bytes[k] === 0x22 ? skipColon(bytes, skipString(bytes, k + 1)) : -1
}

/** Index behind the value at `k`, where white space may not stand. */
export function skipValue(bytes: Uint8Array, k: number): number {
  let depth = 0
  let isObject = 0 // one bit a level, the innermost last
  for (;;) {
    const c = bytes[k]
    if (c === 0x22) k = skipString(bytes, k + 1)
    else if (c === 0x7b || c === 0x5b) {
      const close = c + 2
      k = skipSpace(bytes, k + 1)
      if (bytes[k] !== close) {
        if (++depth > MAX_DEPTH) return -1
        isObject = (isObject << 1) | (c === 0x7b ? 1 : 0)
        if (c === 0x7b) k = skipKey(bytes, k)
        if (k < 0) return -1
        continue
      }
      k++
    } else k = skipScalar(bytes, k)
    if (k < 0) return -1
    for (;;) {
      if (depth === 0) return k
      k = skipSpace(bytes, k)
      const inObject = (isObject & 1) === 1
      if (bytes[k] === 0x2c) {
        k = skipSpace(bytes, k + 1)
        if (inObject) k = skipKey(bytes, k)
        if (k < 0) return -1
        break
      }
      if (bytes[k] !== (inObject ? 0x7d : 0x5d)) return -1
      k++
      depth--
      isObject >>= 1
    }
  }
}
