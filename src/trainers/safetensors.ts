/**
 * A table as `.safetensors`: a JSON header, then the bytes of all tensors without a gap.
 *
 * A list column is `NAME` and `NAME_ptr`: row n is `NAME[NAME_ptr[n]:NAME_ptr[n + 1]]`. The format holds no text: a text
 * column is a JSON list in the metadata, under its name. The format allows no gaps either, so the data of wider numbers
 * comes first and every tensor is aligned to its own width.
 */
import { fail, show } from '../errors.js'
import { littleEndian, namedArrays } from './arrays.js'
import { checkTable, checkTexts } from './check.js'
import type { Numbers, Table } from './table.js'

/** Largest header that readers take. */
const MAX_HEADER = 100_000_000

function typeOf(values: Numbers): string {
  if (values instanceof Float64Array) return 'F64'
  if (values instanceof Float32Array) return 'F32'
  return values instanceof Int32Array ? 'I32' : 'U8'
}

/** The table's metadata and its text columns. */
function metadataOf(table: Table): Record<string, string> {
  const metadata: Record<string, string> = Object.assign(Object.create(null), table.metadata)
  for (const [name, column] of table.columns) {
    if (column.kind !== 'text') continue
    if (name in metadata)
      fail('DUPLICATE', 'safetensorsFile: columns', 'names that differ from the metadata', show(name))
    metadata[name] = JSON.stringify(column.values)
  }
  return metadata
}

/** The length of the header in eight bytes, then the header, filled up with spaces to a multiple of eight. */
function headerBytes(header: object): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header))
  const length = Math.ceil(text.length / 8) * 8
  if (length > MAX_HEADER)
    fail('TOO_LARGE', 'safetensorsFile', `text and metadata of at most ${MAX_HEADER} bytes`, `${length}`)
  const bytes = new Uint8Array(8 + length).fill(0x20)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true)
  bytes.set(text, 8)
  return bytes
}

/** Writes a table as `.safetensors`.
 * @returns the bytes in chunks; numbers are views of the table's arrays, not copies
 * @throws TaraError `LENGTH`, `RANGE`, `ENCODING`, `TOO_LARGE`; `DUPLICATE` where two things would have one name
 */
export function safetensorsFile(table: Table): Iterable<Uint8Array> {
  checkTable('safetensorsFile', table)
  checkTexts('safetensorsFile', table)
  const arrays = namedArrays('safetensorsFile', table, ['__metadata__'])
  const stored = [...arrays].sort((a, b) => b.values.BYTES_PER_ELEMENT - a.values.BYTES_PER_ELEMENT)
  const offsetOf = new Map<string, number>()
  let end = 0
  for (const { name, values } of stored) {
    offsetOf.set(name, end)
    end += values.byteLength
  }
  const header: Record<string, unknown> = Object.create(null)
  header.__metadata__ = metadataOf(table)
  for (const { name, shape, values } of arrays) {
    const offset = offsetOf.get(name)!
    header[name] = { dtype: typeOf(values), shape, data_offsets: [offset, offset + values.byteLength] }
  }
  return [headerBytes(header), ...stored.map(({ values }) => littleEndian(values))]
}
