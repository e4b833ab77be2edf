/**
 * A table as a Parquet file, written by the package hyparquet-writer.
 *
 * List columns and matrices are of the type LIST, text is a string with nulls; the metadata is the file's key-value
 * metadata. Pages are compressed with Snappy. The rows are written as row groups of about a megabyte of numbers: that is
 * what the writer holds in memory, several times over. A table without rows has no row group, which pyarrow reads and
 * Rust's parquet does not, as the writer gives an empty list a wrong type.
 */
import type * as Parquet from 'hyparquet-writer'
import { rowBlocks } from './blocks.js'
import { checkTable, checkTexts } from './check.js'
import type { Column, Numbers, Table } from './table.js'

type Library = typeof Parquet

/** Bytes of a row group, about. */
const ROW_GROUP = 1 << 20

function leaf(name: string, values: Numbers): Parquet.SchemaElement {
  const element = { name, repetition_type: 'REQUIRED' } as const
  if (values instanceof Float64Array) return { ...element, type: 'DOUBLE' }
  if (values instanceof Float32Array) return { ...element, type: 'FLOAT' }
  if (values instanceof Int32Array) return { ...element, type: 'INT32' }
  return { ...element, type: 'INT32', converted_type: 'UINT_8' }
}

/** The schema elements of a column, parents first. */
function elements(name: string, column: Column): Parquet.SchemaElement[] {
  if (column.kind === 'text')
    return [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }]
  if (column.kind === 'dense' && column.width === undefined) return [leaf(name, column.values)]
  return [
    { name, converted_type: 'LIST', repetition_type: 'REQUIRED', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    leaf('element', column.values),
  ]
}

/** The cells `[start, end)` of a column, as the writer takes them. */
function cells(column: Column, start: number, end: number): Parquet.ColumnSource['data'] {
  if (column.kind === 'text') return column.values.slice(start, end)
  const { values } = column
  if (column.kind === 'dense' && column.width === undefined) return Array.from(values.subarray(start, end))
  const from = (row: number): number =>
    column.kind === 'list' ? column.ptr[row]! : row * (column.width as number)
  return Array.from({ length: end - start }, (_, row) =>
    Array.from(values.subarray(from(start + row), from(start + row + 1))),
  )
}

function* encoded(table: Table, { ByteWriter, ParquetWriter }: Library): Generator<Uint8Array> {
  const bytes = new ByteWriter()
  const columns = [...table.columns]
  const kvMetadata = Object.entries(table.metadata).map(([key, value]) => ({ key, value }))
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.flatMap(([name, column]) => elements(name, column)),
    ],
    statistics: false,
    ...(kvMetadata.length > 0 && { kvMetadata }),
  })
  /** What was written since; the writer's memory is used again. */
  function taken(): Uint8Array {
    const chunk = bytes.getBytes().slice()
    bytes.index = 0
    return chunk
  }
  for (const { start, end } of rowBlocks(table, ROW_GROUP)) {
    if (start === end) continue
    parquet.write({
      columnData: columns.map(([name, column]) => ({ name, data: cells(column, start, end) })),
      rowGroupSize: end - start,
    })
    yield taken()
  }
  parquet.finish()
  yield taken()
}

/** Writes a table as a Parquet file.
 * @param library - the package hyparquet-writer
 * @returns the bytes in chunks
 * @throws TaraError `LENGTH`, `RANGE`, `ENCODING`
 */
export function parquetFile(table: Table, library: Library): Iterable<Uint8Array> {
  checkTable('parquetFile', table)
  checkTexts('parquetFile', table)
  return encoded(table, library)
}
