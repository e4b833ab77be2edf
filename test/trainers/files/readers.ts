/**
 * Readers of the file kinds that share no line with the writers: two by hand from the formats' specifications, two by
 * other packages.
 */

import { crc32 } from 'node:zlib'
import { type DataType, tableFromIPC } from 'apache-arrow'
import { parquetMetadata } from 'hyparquet'
import { readParquet } from 'parquet-wasm'
import type { Table } from '../../../src/trainers/table.js'
import { type Cell, type Plain, typeName } from './tables.js'

/** The stored entries of a zip archive, in the order of its directory; checksums and both headers are compared. */
export function unzip(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const u16 = (at: number): number => view.getUint16(at, true)
  const u32 = (at: number): number => view.getUint32(at, true)
  const u64 = (at: number): number => Number(view.getBigUint64(at, true))
  const expectSame = (a: unknown, b: unknown): void => {
    if (a !== b) throw new Error(`zip: ${a} is not ${b}`)
  }
  const textAt = (at: number, length: number): string =>
    new TextDecoder().decode(bytes.slice(at, at + length))
  const end = bytes.length - 22
  expectSame(u32(end), 0x06054b50)
  let [count, size, at] = [u16(end + 10), u32(end + 12), u32(end + 16)]
  if (count === 0xffff) {
    expectSame(u32(end - 20), 0x07064b50)
    const wide = u64(end - 12)
    expectSame(u32(wide), 0x06064b50)
    count = u64(wide + 32)
    size = u64(wide + 40)
    at = u64(wide + 48)
    expectSame(at + size, wide)
  } else expectSame(at + size, end)
  const entries = new Map<string, Uint8Array>()
  for (let n = 0; n < count; n++) {
    expectSame(u32(at), 0x02014b50)
    expectSame(u16(at + 10), 0)
    const nameLength = u16(at + 28)
    const name = textAt(at + 46, nameLength)
    const extraLength = u16(at + 30)
    let extra = at + 46 + nameLength
    if (extraLength > 0) {
      expectSame(u16(extra), 1)
      expectSame(u16(extra + 2), extraLength - 4)
      extra += 4
    }
    const wide = (value: number): number => {
      if (value !== 0xffffffff) return value
      extra += 8
      return u64(extra - 8)
    }
    const stored = wide(u32(at + 24))
    expectSame(wide(u32(at + 20)), stored)
    const local = wide(u32(at + 42))
    expectSame(extra, at + 46 + nameLength + extraLength)
    expectSame(u32(local), 0x04034b50)
    expectSame(textAt(local + 30, u16(local + 26)), name)
    for (const field of [6, 8, 10, 12]) expectSame(u16(local + field), u16(at + field + 2))
    const start = local + 30 + u16(local + 26) + u16(local + 28)
    const data = bytes.slice(start, start + stored)
    expectSame(crc32(data), u32(at + 16))
    expectSame(u32(local + 14), u32(at + 16))
    entries.set(name, data)
    at += 46 + nameLength + extraLength + u16(at + 32)
  }
  return entries
}

interface Array1 {
  readonly shape: readonly number[]
  readonly values: Float64Array | Float32Array | Int32Array | Uint8Array | string[]
}

/** An `.npy` of format version 1.0. */
export function readNpy(bytes: Uint8Array): Array1 {
  if (String.fromCharCode(...bytes.slice(0, 8)) !== '\x93NUMPY\x01\x00')
    throw new Error('npy: another format')
  const start = 10 + bytes[8]! + 256 * bytes[9]!
  if (start % 64 !== 0) throw new Error('npy: the data is not aligned')
  const header = String.fromCharCode(...bytes.slice(10, start))
  const found = /^\{'descr': '([^']+)', 'fortran_order': False, 'shape': \(([\d, ]*)\), \} *\n$/.exec(header)
  if (found === null) throw new Error(`npy: ${header}`)
  const shape = found[2]!
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number)
  const count = shape.reduce((a, b) => a * b, 1)
  const { buffer } = bytes.slice(start)
  const type = found[1]!
  const width = type.startsWith('<U') ? Number(type.slice(2)) : undefined
  const size = { '<f8': 8, '<f4': 4, '<i4': 4, '|u1': 1 }[type] ?? 4 * width!
  if (buffer.byteLength !== count * size) throw new Error('npy: another number of bytes')
  if (width !== undefined) {
    const codes = new Uint32Array(buffer)
    const values = Array.from({ length: count }, (_, n) =>
      String.fromCodePoint(...codes.subarray(n * width, (n + 1) * width)).replace(/\0+$/, ''),
    )
    return { shape, values }
  }
  if (type === '<f8') return { shape, values: new Float64Array(buffer) }
  if (type === '<f4') return { shape, values: new Float32Array(buffer) }
  return { shape, values: type === '<i4' ? new Int32Array(buffer) : new Uint8Array(buffer) }
}

/** Cells of an array, or of a list column: an array and its offsets. */
function cells(array: Array1, ptr: Array1 | undefined): Cell[] {
  const values: Cell[] = [...array.values]
  const part = (start: number, end: number): Cell => values.slice(start, end) as number[]
  if (ptr !== undefined)
    return [...ptr.values].slice(1).map((end, n) => part(ptr.values[n] as number, end as number))
  const [rows, width] = array.shape
  if (width === undefined) return values
  return Array.from({ length: rows! }, (_, n) => part(n * width, (n + 1) * width))
}

function fromArrays(
  arrays: ReadonlyMap<string, Array1>,
  own: (name: string) => boolean,
): Omit<Plain, 'metadata'> {
  const named = [...arrays].filter(([name]) => own(name))
  return {
    columns: Object.fromEntries(
      named.map(([name, array]) => [name, cells(array, arrays.get(`${name}_ptr`))]),
    ),
    types: Object.fromEntries(named.map(([name, { values }]) => [name, typeName(values)])),
  }
}

/** @param table - what was written, for the names of its columns */
function readNpz(bytes: Uint8Array, table: Table): Plain {
  const arrays = new Map([...unzip(bytes)].map(([name, data]) => [name.slice(0, -4), readNpy(data)]))
  const read = fromArrays(arrays, (name) => table.columns.has(name))
  const columns = Object.entries(read.columns).map(([name, values]) => {
    const valid = arrays.get(`${name}_valid`)?.values
    return [name, valid === undefined ? values : values.map((value, n) => (valid[n] === 0 ? null : value))]
  })
  const metadata = JSON.parse(arrays.get('metadata')!.values[0] as string) as Record<string, string>
  return { ...read, columns: Object.fromEntries(columns), metadata }
}

interface Tensor {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly [number, number]
}

const tensorTypes = { F64: Float64Array, F32: Float32Array, I32: Int32Array, U8: Uint8Array }

/** Reads as the format's specification asks: the tensors cover the buffer without a gap, each aligned. */
function readSafetensors(bytes: Uint8Array, table: Table): Plain {
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true))
  if (length % 8 !== 0 || bytes[8] !== 0x7b) throw new Error('safetensors: the header is not aligned')
  const { __metadata__: metadata, ...tensors } = JSON.parse(
    new TextDecoder().decode(bytes.slice(8, 8 + length)),
  ) as { __metadata__: Record<string, string> } & Record<string, Tensor>
  const arrays = new Map<string, Array1>()
  const ranges: (readonly [number, number])[] = []
  for (const [name, { dtype, shape, data_offsets }] of Object.entries(tensors as Record<string, Tensor>)) {
    const Type = tensorTypes[dtype as keyof typeof tensorTypes]
    if (data_offsets[0] % Type.BYTES_PER_ELEMENT !== 0) throw new Error(`safetensors: ${name} is not aligned`)
    ranges.push(data_offsets)
    const { buffer } = bytes.slice(8 + length + data_offsets[0], 8 + length + data_offsets[1])
    arrays.set(name, { shape, values: new Type(buffer) })
  }
  ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const end = ranges.reduce((at, [from, to]) => (from === at ? to : Number.NaN), 0)
  if (end !== bytes.length - 8 - length) throw new Error('safetensors: a gap')
  const read = fromArrays(arrays, (name) => table.columns.has(name))
  const isText = ([name]: readonly [string, string]): boolean => table.columns.has(name)
  const texts = Object.entries(metadata).filter(isText)
  return {
    columns: {
      ...read.columns,
      ...Object.fromEntries(texts.map(([name, json]) => [name, JSON.parse(json) as Cell[]])),
    },
    types: { ...read.types, ...Object.fromEntries(texts.map(([name]) => [name, 'text'])) },
    metadata: Object.fromEntries(Object.entries(metadata).filter((entry) => !isText(entry))),
  }
}

const arrowTypes: Readonly<Record<string, string>> = {
  Float64: 'f8',
  Float32: 'f4',
  Int32: 'i4',
  Uint8: 'u1',
  Utf8: 'text',
}

function arrowType(type: DataType): string {
  const inner = type.children?.[0]?.type ?? type
  return arrowTypes[String(inner)] ?? String(inner)
}

function readArrow(bytes: Uint8Array): Plain {
  const table = tableFromIPC(bytes)
  const asCell = (value: unknown): Cell =>
    typeof value === 'object' && value !== null ? [...(value as Iterable<number>)] : (value as Cell)
  return {
    columns: Object.fromEntries(
      table.schema.fields.map(({ name }, k) => [name, [...table.getChildAt(k)!].map(asCell)]),
    ),
    types: Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, arrowType(type)])),
    metadata: Object.fromEntries(table.schema.metadata),
  }
}

const parquetTypes: Readonly<Record<string, string>> = { DOUBLE: 'f8', FLOAT: 'f4', BYTE_ARRAY: 'text' }

/** A file without row groups: parquet-wasm refuses the way in which hyparquet-writer says that there are none. */
function readEmptyParquet({ buffer }: Uint8Array, table: Table): Plain {
  const { schema, num_rows, key_value_metadata } = parquetMetadata(buffer as ArrayBuffer)
  if (num_rows !== 0n) throw new Error(`parquet: ${num_rows} rows`)
  const leaves = schema.filter(({ num_children }) => num_children === undefined)
  const types = leaves.map(({ type, converted_type }) =>
    type === 'INT32' ? (converted_type === 'UINT_8' ? 'u1' : 'i4') : parquetTypes[type!]!,
  )
  const names = [...table.columns.keys()].filter((name) => schema.some((element) => element.name === name))
  return {
    columns: Object.fromEntries(names.map((name) => [name, []])),
    types: Object.fromEntries(names.map((name, k) => [name, types[k]!])),
    metadata: Object.fromEntries((key_value_metadata ?? []).map(({ key, value }) => [key, value!])),
  }
}

function readParquetFile(bytes: Uint8Array, table: Table): Plain {
  if (table.numRows === 0) return readEmptyParquet(bytes, table)
  return readArrow(readParquet(bytes).intoIPCStream())
}

const readers: Readonly<Record<string, (bytes: Uint8Array, table: Table) => Plain>> = {
  npz: readNpz,
  safetensors: readSafetensors,
  arrow: readArrow,
  parquet: readParquetFile,
}

export const binaryKinds: readonly string[] = Object.keys(readers)

/** Reads a file of a binary kind. */
export function readFile(kind: string, bytes: Uint8Array, table: Table): Plain {
  return readers[kind]!(bytes, table)
}
