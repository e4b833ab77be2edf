/**
 * Arguments that were found to be equal to a golden call, as bytes: the other rollouts of the group often write the same.
 */
import { viewOf } from './jsonBytes.js'

/** Longest arguments that are remembered, and how many a golden call. */
const MAX_LENGTH = 4096
const MAX_SEEN = 3

/** Remembered bytes lie in blocks of this size. */
const BLOCK = 1 << 16

/** Arguments in a block. */
export interface SeenBytes {
  readonly block: DataView
  readonly start: number
  readonly length: number
}

/** The block that is being filled. */
export interface SeenStore {
  block: DataView
  used: number
}

export const seenStore = (): SeenStore => ({ block: new DataView(new ArrayBuffer(BLOCK)), used: 0 })

/** Whether `bytes[start … end-1]` are among those that were seen. */
export function hasSeen(seen: readonly SeenBytes[], bytes: Uint8Array, start: number, end: number): boolean {
  for (let k = 0; k < seen.length; k++)
    if (seen[k]!.length === end - start && isSame(seen[k]!, bytes, start)) return true
  return false
}

function isSame({ block, start, length }: SeenBytes, bytes: Uint8Array, at: number): boolean {
  const view = viewOf(bytes)
  let k = 0
  for (; k + 4 <= length; k += 4) if (view.getInt32(at + k) !== block.getInt32(start + k)) return false
  for (; k < length; k++) if (view.getUint8(at + k) !== block.getUint8(start + k)) return false
  return true
}

/** Remembers bytes, if there is room. */
export function see(
  store: SeenStore,
  seen: SeenBytes[],
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  const length = end - start
  if (length > MAX_LENGTH || seen.length === MAX_SEEN) return
  if (store.used + length > BLOCK) {
    store.block = new DataView(new ArrayBuffer(BLOCK))
    store.used = 0
  }
  const { block, used } = store
  for (let k = 0; k < length; k++) block.setUint8(used + k, bytes[start + k]!)
  seen.push({ block, start: used, length })
  store.used += length
}
