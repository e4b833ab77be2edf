/**
 * A table as NumPy's `.npz`: a stored zip archive with one array `NAME.npy` a column.
 *
 * A list column is `NAME` and `NAME_ptr`: row n is `NAME[NAME_ptr[n]:NAME_ptr[n + 1]]`. A text column is of fixed width
 * (`<U`); where it holds nulls they are empty, and `NAME_valid` is 0 there. The metadata is a JSON object in the array
 * `metadata`. Header format: NumPy's format version 1.0, which holds every shape that a table can have.
 */
import { fail, show } from '../errors.js'
import { littleEndian, type NamedArray, namedArrays } from './arrays.js'
import { checkTable, checkTexts } from './check.js'
import type { Numbers, Table, TextColumn } from './table.js'
import { type ZipEntry, zipFile } from './zip.js'

/** Largest text column in bytes: its width is that of the longest text, in every row. */
const MAX_TEXT = 0x7fffffff

/** Most bytes of text that are laid out at a time. */
const BLOCK = 1 << 20

/** Longest name of a zip entry. */
const MAX_NAME = 0xffff

function typeOf(values: Numbers): string {
  if (values instanceof Float64Array) return '<f8'
  if (values instanceof Float32Array) return '<f4'
  return values instanceof Int32Array ? '<i4' : '|u1'
}

/** The header of an `.npy`: its length is a multiple of 64. */
function npyHeader(type: string, shape: readonly number[]): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': ${tuple}, }`
  const length = Math.ceil((10 + text.length + 1) / 64) * 64
  const bytes = new Uint8Array(length).fill(0x20)
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0])
  new DataView(bytes.buffer).setUint16(8, length - 10, true)
  bytes.set(new TextEncoder().encode(text), 10)
  bytes[length - 1] = 0x0a
  return bytes
}

function npyEntry(
  name: string,
  type: string,
  shape: readonly number[],
  size: number,
  chunks: () => Iterable<Uint8Array>,
): ZipEntry {
  const header = npyHeader(type, shape)
  return {
    name: `${name}.npy`,
    size: header.length + size,
    *chunks() {
      yield header
      yield* chunks()
    },
  }
}

function numberEntry({ name, shape, values }: NamedArray): ZipEntry {
  const bytes = littleEndian(values)
  return npyEntry(name, typeOf(values), shape, bytes.length, () => [bytes])
}

/** Characters of a text: code points. */
function numCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Texts at a fixed width of code points, a block of rows at a time. */
function* textChunks(texts: readonly (string | null)[], width: number): Generator<Uint8Array> {
  const rows = Math.max(1, Math.floor(BLOCK / (4 * width)))
  for (let first = 0; first < texts.length; first += rows) {
    const end = Math.min(first + rows, texts.length)
    const block = new Uint32Array((end - first) * width)
    for (let row = first; row < end; row++) {
      let at = (row - first) * width
      for (const character of texts[row] ?? '') block[at++] = character.codePointAt(0)!
    }
    yield littleEndian(block)
  }
}

/** An array of text.
 * @throws TaraError `TOO_LARGE`; `ENCODING` where a text ends in U+0000, which NumPy takes as the end before it
 */
function textEntry(
  place: string,
  name: string,
  texts: readonly (string | null)[],
  shape: readonly number[],
): ZipEntry {
  let width = 1 // NumPy has no text of width 0
  texts.forEach((text, row) => {
    if (text === null) return
    if (text.endsWith('\0'))
      fail('ENCODING', `${place}[${row}]`, 'text that does not end in U+0000', show(text))
    if (text.length > width) width = Math.max(width, numCharacters(text))
  })
  const size = texts.length * width * 4
  if (size > MAX_TEXT)
    fail(
      'TOO_LARGE',
      place,
      `at most ${MAX_TEXT} bytes of text`,
      `${texts.length} rows of ${width} characters`,
    )
  return npyEntry(name, `<U${width}`, shape, size, () => textChunks(texts, width))
}

/** The arrays of a text column: the text and, where there are nulls, which rows are none. */
function textEntries(place: string, name: string, { values }: TextColumn): ZipEntry[] {
  const entry = textEntry(place, name, values, [values.length])
  if (!values.includes(null)) return [entry]
  const valid = Uint8Array.from(values, (text) => (text === null ? 0 : 1))
  return [entry, numberEntry({ name: `${name}_valid`, shape: [values.length], values: valid })]
}

/** Writes a table as `.npz`.
 * @returns the bytes in chunks; numbers are views of the table's arrays, not copies
 * @throws TaraError `LENGTH`, `RANGE`, `ENCODING`, `TOO_LARGE`; `DUPLICATE` where two arrays would have one name
 */
export function npzFile(table: Table): Iterable<Uint8Array> {
  checkTable('npzFile', table)
  checkTexts('npzFile', table)
  const taken = ['metadata']
  for (const [name, column] of table.columns)
    if (column.kind === 'text' && column.values.includes(null)) taken.push(`${name}_valid`)
  const arrays = new Map(namedArrays('npzFile', table, taken).map((array) => [array.name, array]))
  const entries: ZipEntry[] = []
  for (const [name, column] of table.columns) {
    if (column.kind === 'text') entries.push(...textEntries(`npzFile: columns[${show(name)}]`, name, column))
    else entries.push(numberEntry(arrays.get(name)!))
    if (column.kind === 'list') entries.push(numberEntry(arrays.get(`${name}_ptr`)!))
  }
  const metadata = JSON.stringify(table.metadata)
  entries.push(textEntry('npzFile: metadata', 'metadata', [metadata], []))
  for (const { name } of entries) checkName(name)
  return zipFile(entries)
}

/** Refuses the names that an archive, or who reads it, would change. */
function checkName(name: string): void {
  if (name.includes('\0')) fail('ENCODING', 'npzFile: columns', 'names without U+0000', show(name))
  if (new TextEncoder().encode(name).length > MAX_NAME)
    fail('TOO_LARGE', 'npzFile: columns', `names of at most ${MAX_NAME} bytes`, show(name))
}
