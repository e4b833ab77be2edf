/**
 * TARA on nested arrays: what one writes who has lists of lists and no reason to hurry.
 */

/** `[G][K][T]` */
export type Nested = readonly (readonly (readonly number[])[])[]

/** `[G, K, T]` in a row → nested. */
export function nest(values: ArrayLike<number>, K: number, T: number): Nested {
  return Array.from({ length: values.length / (K * T) }, (_, g) =>
    Array.from({ length: K }, (_, k) => Array.from({ length: T }, (_, t) => values[(g * K + k) * T + t]!)),
  )
}

function zScores(column: readonly number[]): number[] {
  if (column.every((value) => value === column[0])) return column.map(() => 0)
  const mean = column.reduce((a, b) => a + b) / column.length
  const std = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length)
  return column.map((value) => (value - mean) / (std + 1e-6))
}

export function taraNested(groups: Nested): number[][][] {
  return groups.map((rows) => {
    const ahead = rows.map((row) => {
      let sum = 0
      return row
        .map((_, t) => {
          const reward = row[row.length - 1 - t]!
          const value = reward * sum
          sum = reward + 0.5 * sum
          return value
        })
        .reverse()
    })
    const byTurn = rows[0]!.map((_, t) => {
      const local = zScores(rows.map((row) => row[t]!))
      const future = zScores(ahead.map((row) => row[t]!))
      return local.map((value, k) => value + 0.5 * future[k]!)
    })
    return rows.map((_, k) => byTurn.map((column) => column[k]!))
  })
}
