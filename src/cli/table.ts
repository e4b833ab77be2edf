/**
 * Text in columns.
 */

/** Lines of a table; the first row is its head. Numbers stand to the right.
 * @param rows - cells; the first column stands to the left, the others to the right
 */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, c) => Math.max(...rows.map((row) => row[c]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, c) => (c === 0 ? cell.padEnd(widths[c]!) : cell.padStart(widths[c]!)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}

/** A number with a sign and three decimals: `+1.248`, ` 0.000`. */
export function signed(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '' : ' '}${value.toFixed(3)}`
}
