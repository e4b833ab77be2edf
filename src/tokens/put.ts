/**
 * The loops that write tokens, one a type.
 *
 * Short stretches are written in whole blocks; what a block writes past the end of its stretch, the next stretch
 * overwrites, so no remainder is left. Long ones, and those whose last block would leave the array, are one `fill`.
 */
import type { Stretches } from './array.js'

/** From this many tokens on one `fill` is faster than blocks. */
const LONG_FLOAT32 = 192
const LONG_FLOAT64 = 128
const LONG_UINT8 = 48

/** Tokens of a block. */
const BLOCK = 16

/** Two float32 are one store of a float64 with the same bits: that is never NaN, as the halves are finite. */
export function putFloat32(out: Float32Array, from: number, { end, value }: Stretches, count: number): void {
  const lead = (out.byteOffset >> 2) & 1 // entries before the first that a float64 may start at
  const pairs = new Float64Array(out.buffer, out.byteOffset + 4 * lead, Math.max((out.length - lead) >> 1, 0))
  const halves = new Float32Array(2)
  const whole = new Float64Array(halves.buffer)
  const last = out.length - BLOCK
  for (let s = 0; s < count; s++) {
    const to = end[s]!
    const v = Math.fround(Math.fround(value[s]!) + 0) // + 0: a small negative value rounds to −0
    if (to - from > LONG_FLOAT32 || to > last) out.fill(v, from, to)
    else {
      halves[0] = v
      halves[1] = v
      const pair = whole[0]!
      out[from] = v
      const stop = (to - lead + 1) >> 1
      for (let k = (from - lead + 1) >> 1; k < stop; k += 8) {
        pairs[k] = pair
        pairs[k + 1] = pair
        pairs[k + 2] = pair
        pairs[k + 3] = pair
        pairs[k + 4] = pair
        pairs[k + 5] = pair
        pairs[k + 6] = pair
        pairs[k + 7] = pair
      }
    }
    from = to
  }
}

export function putFloat64(out: Float64Array, from: number, { end, value }: Stretches, count: number): void {
  const last = out.length - 8
  for (let s = 0; s < count; s++) {
    const to = end[s]!
    const v = value[s]! + 0
    if (to - from > LONG_FLOAT64 || to > last) out.fill(v, from, to)
    else
      for (let k = from; k < to; k += 8) {
        out[k] = v
        out[k + 1] = v
        out[k + 2] = v
        out[k + 3] = v
        out[k + 4] = v
        out[k + 5] = v
        out[k + 6] = v
        out[k + 7] = v
      }
    from = to
  }
}

export function putUint8(out: Uint8Array, from: number, { end, value }: Stretches, count: number): void {
  for (let s = 0; s < count; s++) {
    const to = end[s]!
    const v = value[s]!
    if (to - from > LONG_UINT8) out.fill(v, from, to)
    else for (let k = from; k < to; k++) out[k] = v
    from = to
  }
}
