/**
 * Assignment: which rows go with which columns so that their weights add up to the most.
 *
 *     max Σ_r w[r, c(r)]   over all c that give no column to two rows
 *
 * Shortest augmenting paths over potentials (Kuhn, Munkres; Jonker and Volgenant): one row after the other, O(n²·m)
 * for n rows and m ≥ n columns. Weights are whole numbers, so that every sum on the way is exact: the largest sum is
 * one number, in whatever order rows and columns come.
 */

/** The search that brings one more row in. Index m stands for the row's own place, before it has a column. */
interface Search {
  /** `[n]`, `[m+1]` potentials: −w[r, c] ≥ u[r] + v[c], with equality for pairs. */
  readonly u: Float64Array
  readonly v: Float64Array
  /** `[m+1]` the row that has the column, or −1. */
  readonly rowOf: Int32Array
  /** `[m+1]` the column before it on the shortest path. */
  readonly before: Int32Array
  readonly distance: Float64Array
  readonly done: Uint8Array
}

/** Finds the partners with the largest sum of weights. Deterministic.
 * @param weight - `[numRows·numColumns]` row-major, whole numbers, 0 or more; 4·n times the largest is at most 2^53,
 *   where n is the lesser of the two counts; not changed
 * @returns `[numRows]` the column, or −1; a pair of weight 0 is no pair
 */
export function maximumAssignment(weight: Float64Array, numRows: number, numColumns: number): Int32Array {
  const column = new Int32Array(numRows).fill(-1)
  const isWide = numRows <= numColumns
  const n = isWide ? numRows : numColumns
  const m = isWide ? numColumns : numRows
  const weightOf = isWide
    ? (r: number, c: number): number => weight[r * numColumns + c]!
    : (r: number, c: number): number => weight[c * numColumns + r]!
  const search: Search = {
    u: new Float64Array(n),
    v: new Float64Array(m + 1),
    rowOf: new Int32Array(m + 1).fill(-1),
    before: new Int32Array(m + 1),
    distance: new Float64Array(m + 1),
    done: new Uint8Array(m + 1),
  }
  for (let r = 0; r < n; r++) bringIn(r, m, weightOf, search)
  for (let c = 0; c < m; c++) {
    const r = search.rowOf[c]!
    if (r === -1 || weightOf(r, c) === 0) continue
    if (isWide) column[r] = c
    else column[c] = r
  }
  return column
}

/** Gives `row` a column along the shortest path to a free one; the rows on the path move on by one. */
function bringIn(row: number, m: number, weightOf: (r: number, c: number) => number, search: Search): void {
  const { u, v, rowOf, before, distance, done } = search
  rowOf[m] = row
  distance.fill(Infinity)
  done.fill(0)
  let at = m
  while (rowOf[at] !== -1) {
    done[at] = 1
    const r = rowOf[at]!
    let next = -1
    let step = Infinity
    for (let c = 0; c < m; c++) {
      if (done[c] === 1) continue
      const reduced = -weightOf(r, c) - u[r]! - v[c]!
      if (reduced < distance[c]!) {
        distance[c] = reduced
        before[c] = at
      }
      if (distance[c]! < step) {
        step = distance[c]!
        next = c
      }
    }
    for (let c = 0; c <= m; c++) {
      if (done[c] === 1) {
        u[rowOf[c]!]! += step
        v[c]! -= step
      } else distance[c]! -= step
    }
    at = next
  }
  while (at !== m) {
    const from = before[at]!
    rowOf[at] = rowOf[from]!
    at = from
  }
}
