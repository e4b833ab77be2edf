/**
 * Seeded draws: numbers, elements and samples that follow from a seed and from names, and from nothing else.
 */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** A stream of random numbers. */
export interface Draw {
  /** A number in [0, 1), 53 random bits. */
  readonly unit: () => number
  /** A whole number in `[0, n)`, each as likely; `n` ≥ 1. */
  readonly below: (n: number) => number
}

/** Hashes seeds and names to a whole number in [0, 2^32). Parts are told apart by length: `ab, c` is not `a, bc`. */
export function hashParts(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const part of parts) {
    const text = String(part)
    hash = Math.imul(hash ^ text.length, 0x01000193)
    for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Opens the stream that belongs to the parts: the same parts give the same numbers. */
export function drawFrom(...parts: readonly (string | number)[]): Draw {
  const generator = xoroshiro128plus(hashParts(...parts) | 0)
  return {
    unit: () => uniformFloat64(generator),
    below: (n) => uniformInt(generator, 0, n - 1),
  }
}

/** Draws `k` different elements, every ordered choice as likely: the first k steps of a Fisher–Yates shuffle.
 * @param items - left as they are
 * @param k - at most the number of items
 */
export function sample<Item>(draw: Draw, items: readonly Item[], k: number = items.length): Item[] {
  const pool = [...items]
  for (let at = 0; at < k; at++) {
    const other = at + draw.below(pool.length - at)
    const item = pool[at]!
    pool[at] = pool[other]!
    pool[other] = item
  }
  return pool.slice(0, k)
}
