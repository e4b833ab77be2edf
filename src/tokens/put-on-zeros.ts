/**
 * The loops that write tokens into new memory, which is all zeros: stretches of 0 are passed over, and memory that
 * only they cover is never touched. So no block may write past the end of its stretch; the last one of a stretch
 * reaches back over what is written instead.
 */
import type { Stretches } from './array.js'

/** From this many tokens on one `fill` is faster than blocks. */
const LONG_FLOAT32 = 512
const LONG_FLOAT64 = 256

/** Float64 of a block. */
const BLOCK = 8

function putBlock(out: Float64Array, k: number, value: number): void {
  out[k] = value
  out[k + 1] = value
  out[k + 2] = value
  out[k + 3] = value
  out[k + 4] = value
  out[k + 5] = value
  out[k + 6] = value
  out[k + 7] = value
}

/** Writes `out[from … to-1]`, at least a block. */
function putBlocks(out: Float64Array, from: number, to: number, value: number): void {
  const last = to - BLOCK
  for (let k = from; k < last; k += BLOCK) putBlock(out, k, value)
  putBlock(out, last, value)
}

/** Two float32 are one store of a float64 with the same bits: that is never NaN, as the halves are finite. */
export function putFloat32OnZeros(
  out: Float32Array,
  from: number,
  { end, value }: Stretches,
  count: number,
): void {
  const pairs = new Float64Array(out.buffer, 0, out.length >> 1) // new memory starts where a float64 may
  const halves = new Float32Array(2)
  const whole = new Float64Array(halves.buffer)
  for (let s = 0; s < count; from = end[s++]!) {
    const to = end[s]!
    const v = Math.fround(value[s]!)
    if (v === 0) continue
    if (to - from > LONG_FLOAT32) out.fill(v, from, to)
    else if (to - from < 2 * BLOCK + 2) for (let k = from; k < to; k++) out[k] = v
    else {
      halves[0] = v
      halves[1] = v
      out[from] = v
      out[to - 1] = v
      putBlocks(pairs, (from + 1) >> 1, to >> 1, whole[0]!)
    }
  }
}

export function putFloat64OnZeros(
  out: Float64Array,
  from: number,
  { end, value }: Stretches,
  count: number,
): void {
  for (let s = 0; s < count; from = end[s++]!) {
    const to = end[s]!
    const v = value[s]!
    if (v === 0) continue
    if (to - from > LONG_FLOAT64) out.fill(v, from, to)
    else if (to - from < BLOCK) for (let k = from; k < to; k++) out[k] = v
    else putBlocks(out, from, to, v)
  }
}
