/**
 * How spread out the groups are: the deciles of their σ.
 *
 * σ of a group is the mean of the σ of its turns, those that its advantages are divided by. It is 0 exactly where all
 * turns are flat, and TARA is then silent (C41).
 */

export interface SigmaTally {
  /** Adds σ of one column of group g that has voters. */
  readonly add: (g: number, sigma: number) => void
  /** `[11]` the least σ of a group, the nine deciles, the greatest; `undefined` where no group has voters. */
  readonly deciles: () => number[] | undefined
}

/** The q-quantile of ascending values: linear between the two nearest, as NumPy's default. */
export function quantile(sorted: Float64Array, q: number): number {
  const at = q * (sorted.length - 1)
  const low = Math.floor(at)
  const below = sorted[low]!
  const above = sorted[Math.min(low + 1, sorted.length - 1)]!
  return below + (at - low) * (above - below)
}

export function sigmaTally(numGroups: number): SigmaTally {
  const total = new Float64Array(numGroups)
  const columns = new Int32Array(numGroups)
  return {
    add(g, sigma) {
      total[g]! += sigma
      columns[g]!++
    },
    deciles() {
      const sorted = total.map((sum, g) => sum / columns[g]!).filter((_, g) => columns[g]! > 0)
      if (sorted.length === 0) return undefined
      sorted.sort()
      return Array.from({ length: 11 }, (_, tenth) => quantile(sorted, tenth / 10))
    },
  }
}
