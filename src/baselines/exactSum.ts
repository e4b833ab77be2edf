/**
 * A sum that does not depend on the order of its terms: exact, rounded once (Shewchuk 1997, as in Python's `fsum`).
 */

/** Returns Σ x rounded to the nearest float, ties to even.
 * @param x - finite, its partial sums too
 */
export function exactSum(x: readonly number[]): number {
  const parts: number[] = [] // do not overlap, growing in size; their sum is exact
  for (let term of x) {
    let n = 0
    for (const part of parts) {
      const [large, small] = Math.abs(term) < Math.abs(part) ? [part, term] : [term, part]
      const high = large + small
      const low = small - (high - large)
      if (low !== 0) parts[n++] = low
      term = high
    }
    parts.length = n
    parts.push(term)
  }
  let k = parts.length - 1
  let sum = k < 0 ? 0 : parts[k]!
  let low = 0
  while (low === 0 && k > 0) {
    const before = sum
    sum = before + parts[--k]!
    low = parts[k]! - (sum - before)
  }
  // Half way between two floats: what lies below decides.
  if (k > 0 && low * parts[k - 1]! > 0) {
    const twice = low * 2
    const next = sum + twice
    if (next - sum === twice) sum = next
  }
  return sum + 0
}
