/**
 * A table as an Arrow IPC file (`.arrow`, also called Feather 2), written by the package apache-arrow.
 *
 * A list column is a `List`, a matrix a `FixedSizeList`, text is `Utf8` with nulls; the metadata is that of the schema.
 * Arrow counts the values of a list, and the bytes of its text, in 32 bits within a record batch: a table is written as
 * batches of rows. Numbers are views of the table's arrays until they are written.
 */
import type * as Arrow from 'apache-arrow'
import { fail, show } from '../errors.js'
import { type RowBlock, rowBlocks } from './blocks.js'
import { checkTable, checkTexts } from './check.js'
import type { Column, Numbers, Table } from './table.js'

type Library = Omit<typeof Arrow, 'default'>

/** Bytes of a record batch, about. */
const BATCH = 1 << 22

/** Most bytes of text that the offsets of a batch can count. */
const MAX_TEXT = 0x7fffffff

function numberData(arrow: Library, values: Numbers): Arrow.Data {
  if (values instanceof Float64Array) return arrow.makeData({ type: new arrow.Float64(), data: values })
  if (values instanceof Float32Array) return arrow.makeData({ type: new arrow.Float32(), data: values })
  if (values instanceof Int32Array) return arrow.makeData({ type: new arrow.Int32(), data: values })
  return arrow.makeData({ type: new arrow.Uint8(), data: values })
}

function textData(arrow: Library, place: string, texts: readonly (string | null)[]): Arrow.Data {
  const encoder = new TextEncoder()
  const parts = texts.map((text) => encoder.encode(text ?? ''))
  const valueOffsets = new Int32Array(texts.length + 1)
  const nullBitmap = new Uint8Array(Math.ceil(texts.length / 8))
  let end = 0
  parts.forEach(({ length }, row) => {
    end += length
    if (end > MAX_TEXT) fail('TOO_LARGE', place, `at most ${MAX_TEXT} bytes of text`, 'more')
    valueOffsets[row + 1] = end
    if (texts[row] !== null) nullBitmap[row >> 3]! |= 1 << (row & 7)
  })
  const data = new Uint8Array(end)
  parts.forEach((part, row) => {
    data.set(part, valueOffsets[row]!)
  })
  const nullCount = texts.reduce((count, text) => count + (text === null ? 1 : 0), 0)
  return arrow.makeData({
    type: new arrow.Utf8(),
    length: texts.length,
    nullCount,
    nullBitmap: nullCount > 0 ? nullBitmap : null,
    valueOffsets,
    data,
  })
}

/** What a block of rows holds of a column. */
function columnData(arrow: Library, place: string, column: Column, { start, end }: RowBlock): Arrow.Data {
  const length = end - start
  if (column.kind === 'text') return textData(arrow, place, column.values.slice(start, end))
  const { values } = column
  if (column.kind === 'list') {
    const { ptr } = column
    const child = numberData(arrow, values.subarray(ptr[start]!, ptr[end]!))
    const valueOffsets = new Int32Array(length + 1)
    for (let row = 0; row <= length; row++) valueOffsets[row] = ptr[start + row]! - ptr[start]!
    const type = new arrow.List(new arrow.Field('item', child.type, false))
    return arrow.makeData({ type, length, nullCount: 0, valueOffsets, child })
  }
  const { width } = column
  if (width === undefined) return numberData(arrow, values.subarray(start, end))
  const child = numberData(arrow, values.subarray(start * width, end * width))
  const type = new arrow.FixedSizeList(width, new arrow.Field('item', child.type, false))
  return arrow.makeData({ type, length, nullCount: 0, child })
}

function* batches(arrow: Library, table: Table): Generator<Arrow.RecordBatch> {
  let schema: Arrow.Schema | undefined
  for (const block of rowBlocks(table, BATCH)) {
    const children = [...table.columns].map(([name, column]) =>
      columnData(arrow, `arrowFile: columns[${show(name)}]`, column, block),
    )
    schema ??= new arrow.Schema(
      [...table.columns].map(
        ([name, { kind }], k) => new arrow.Field(name, children[k]!.type, kind === 'text'),
      ),
      new Map(Object.entries(table.metadata)),
    )
    const length = block.end - block.start
    const type = new arrow.Struct(schema.fields)
    yield new arrow.RecordBatch(schema, arrow.makeData({ type, length, nullCount: 0, children }))
  }
}

async function* encoded(arrow: Library, table: Table): AsyncGenerator<Uint8Array> {
  yield* arrow.RecordBatchFileWriter.writeAll(batches(arrow, table))
}

/** Writes a table as an Arrow IPC file.
 * @param arrow - the package apache-arrow
 * @returns the bytes in chunks; numbers are views of the table's arrays, not copies
 * @throws TaraError `LENGTH`, `RANGE`, `ENCODING`, `TOO_LARGE`
 */
export function arrowFile(table: Table, arrow: Library): AsyncIterable<Uint8Array> {
  checkTable('arrowFile', table)
  checkTexts('arrowFile', table)
  return encoded(arrow, table)
}
