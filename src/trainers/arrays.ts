/**
 * A table as named arrays, for files that know nothing else: a list column is its values and, as `NAME_ptr`, its offsets.
 */
import { fail, show } from '../errors.js'
import type { Numbers, Table } from './table.js'

export interface NamedArray {
  readonly name: string
  /** C order. */
  readonly shape: readonly number[]
  readonly values: Numbers
}

/** The numbers of a table in the order of its columns; text columns are left out.
 * @param taken - names that the file uses itself
 * @throws TaraError `DUPLICATE` where two arrays would have one name
 */
export function namedArrays(place: string, table: Table, taken: readonly string[]): NamedArray[] {
  const { numRows, columns } = table
  const names = new Set(taken)
  const arrays: NamedArray[] = []
  function claim(name: string): void {
    if (names.has(name)) fail('DUPLICATE', `${place}: columns`, 'names that differ', `${show(name)} twice`)
    names.add(name)
  }
  for (const [name, column] of columns) {
    claim(name)
    if (column.kind === 'text') continue
    const { values } = column
    if (column.kind === 'list') {
      claim(`${name}_ptr`)
      arrays.push({ name, shape: [values.length], values })
      arrays.push({ name: `${name}_ptr`, shape: [numRows + 1], values: column.ptr })
    } else {
      const shape = column.width === undefined ? [numRows] : [numRows, column.width]
      arrays.push({ name, shape, values })
    }
  }
  return arrays
}

const isLittleEndian: boolean = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** The bytes of an array, lowest byte first; the memory is shared, not copied.
 * @throws TaraError `MISMATCH` on a machine that keeps the highest byte first
 */
export function littleEndian(values: Numbers | Uint32Array): Uint8Array {
  if (!isLittleEndian) fail('MISMATCH', 'littleEndian', 'a machine with the lowest byte first', 'another one')
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}
