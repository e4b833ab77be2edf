/**
 * A table row by row, as a reader of the file sees it.
 */
import type { Column, Table } from '../../src/trainers/table.js'

export type Row = Readonly<Record<string, unknown>>

function cellOf(column: Column, row: number): unknown {
  if (column.kind === 'text') return column.values[row]
  if (column.kind === 'list') return Array.from(column.values.subarray(column.ptr[row], column.ptr[row + 1]))
  if (column.width === undefined) return column.values[row]
  return Array.from(column.values.subarray(row * column.width, (row + 1) * column.width))
}

export function rowsOf({ numRows, columns }: Table): Row[] {
  return Array.from({ length: numRows }, (_, row) =>
    Object.fromEntries([...columns].map(([name, column]) => [name, cellOf(column, row)])),
  )
}

/** One column, row by row. */
export const columnOf = (table: Table, name: string): unknown[] => rowsOf(table).map((row) => row[name])
