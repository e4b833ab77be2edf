/**
 * A table as JSONL: one object a row, its columns in the table's order. Numbers read back to the same float64.
 *
 * A matrix and a list are lists, null is null. JSONL has no place for metadata: none is written.
 */
import { checkTable } from './check.js'
import type { Column, Table } from './table.js'

/** Characters that are put together to a chunk. */
const BLOCK = 1 << 20

/** What a column holds in a row, as JSON. */
function cell(column: Column, row: number): string {
  if (column.kind === 'text') return JSON.stringify(column.values[row])
  const { values } = column
  if (column.kind === 'list') return `[${values.subarray(column.ptr[row]!, column.ptr[row + 1]!).join(',')}]`
  const { width } = column
  if (width === undefined) return `${values[row]}`
  return `[${values.subarray(row * width, (row + 1) * width).join(',')}]`
}

function* lines(table: Table): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  const columns = [...table.columns].map(([name, column]) => ({ start: `${JSON.stringify(name)}:`, column }))
  let block = ''
  for (let row = 0; row < table.numRows; row++) {
    block += `{${columns.map(({ start, column }) => start + cell(column, row)).join(',')}}\n`
    if (block.length < BLOCK) continue
    yield encoder.encode(block)
    block = ''
  }
  yield encoder.encode(block)
}

/** Writes a table as JSONL.
 * @returns the bytes in chunks of whole lines
 * @throws TaraError `LENGTH`, `RANGE`
 */
export function jsonlFile(table: Table): Iterable<Uint8Array> {
  checkTable('jsonlFile', table)
  return lines(table)
}
