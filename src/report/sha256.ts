/**
 * SHA-256 of a text in base64, as a content security policy names a script: FIPS 180-4, synchronous, for any runtime.
 */

const isPrime = (n: number): boolean => {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false
  return true
}

/** The first 32 bits of the fraction of the `root`-th root of each of the first `count` primes. */
function fractions(count: number, root: 2 | 3): Uint32Array {
  const words = new Uint32Array(count)
  for (let n = 2, k = 0; k < count; n++) {
    if (!isPrime(n)) continue
    const value = root === 2 ? Math.sqrt(n) : Math.cbrt(n)
    words[k++] = Math.floor((value - Math.floor(value)) * 2 ** 32)
  }
  return words
}

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by))

/** The text in UTF-8, a 1 bit, zeros, and its length in bits: a multiple of 64 bytes. */
function padded(text: string): DataView {
  const bytes = new TextEncoder().encode(text)
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  whole.set(bytes)
  whole[bytes.length] = 0x80
  const view = new DataView(whole.buffer)
  view.setUint32(whole.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(whole.length - 4, bytes.length << 3)
  return view
}

/** Works one block of 64 bytes into the state. */
function addBlock(state: Uint32Array, w: Uint32Array, constants: Uint32Array): void {
  for (let t = 16; t < 64; t++) {
    const a = w[t - 15]!
    const b = w[t - 2]!
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
    w[t] = w[t - 16]! + s0 + w[t - 7]! + s1
  }
  const v = Array.from(state)
  for (let t = 0; t < 64; t++) {
    const [a, b, c, d, e, f, g, h] = v as [number, number, number, number, number, number, number, number]
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const one = (h + s1 + ((e & f) ^ (~e & g)) + constants[t]! + w[t]!) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    v.unshift((one + two) | 0)
    v.length = 8
    v[4] = (d + one) | 0
  }
  for (let k = 0; k < 8; k++) state[k]! += v[k]!
}

/** Hashes a text.
 * @returns 32 bytes in base64
 */
export function sha256(text: string): string {
  const constants = fractions(64, 3)
  const state = fractions(8, 2)
  const view = padded(text)
  const w = new Uint32Array(64)
  for (let start = 0; start < view.byteLength; start += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getUint32(start + 4 * t)
    addBlock(state, w, constants)
  }
  const hash = new DataView(new ArrayBuffer(32))
  state.forEach((word, k) => {
    hash.setUint32(4 * k, word)
  })
  return btoa(String.fromCharCode(...new Uint8Array(hash.buffer)))
}
