/**
 * Blocks of rows, for files that are written row group by row group.
 */
import type { Column, Table } from './table.js'

export interface RowBlock {
  readonly start: number
  readonly end: number
}

/** Bytes of a column in a row, about. */
function bytesOf(column: Column, row: number): number {
  if (column.kind === 'text') return 4 + (column.values[row]?.length ?? 0)
  const size = column.values.BYTES_PER_ELEMENT
  if (column.kind === 'list') return size * (column.ptr[row + 1]! - column.ptr[row]!)
  return size * (column.width ?? 1)
}

/** Cuts the rows of a table into blocks of about `size` bytes; a block has a row at least, and an empty table has one
 * block without rows. */
export function rowBlocks(table: Table, size: number): RowBlock[] {
  const columns = [...table.columns.values()]
  const blocks: RowBlock[] = []
  let start = 0
  let sum = 0
  for (let row = 0; row < table.numRows; row++) {
    sum += columns.reduce((bytes, column) => bytes + bytesOf(column, row), 0)
    if (sum < size) continue
    blocks.push({ start, end: row + 1 })
    start = row + 1
    sum = 0
  }
  if (start < table.numRows || blocks.length === 0) blocks.push({ start, end: table.numRows })
  return blocks
}
