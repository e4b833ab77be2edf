/**
 * Tables for the tests of files: what they hold as plain rows, and any table at all.
 */
import fc from 'fast-check'
import { asOffsets } from '../../../src/batch/check.js'
import { fileEncoder } from '../../../src/trainers/files.js'
import type { Column, Numbers, Table } from '../../../src/trainers/table.js'

export type Cell = number | number[] | string | null

/** A table as a reader sees it. */
export interface Plain {
  /** By name, a cell a row. */
  readonly columns: Readonly<Record<string, readonly Cell[]>>
  /** By name: f8, f4, i4, u1 or text. */
  readonly types: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, string>>
}

export function typeName(values: unknown): string {
  if (values instanceof Float64Array) return 'f8'
  if (values instanceof Float32Array) return 'f4'
  if (values instanceof Int32Array) return 'i4'
  return values instanceof Uint8Array ? 'u1' : 'text'
}

function cellsOf(column: Column, numRows: number): Cell[] {
  if (column.kind === 'text') return [...column.values]
  const values = [...column.values]
  if (column.kind === 'list')
    return Array.from({ length: numRows }, (_, n) => values.slice(column.ptr[n]!, column.ptr[n + 1]!))
  const { width } = column
  if (width === undefined) return values
  return Array.from({ length: numRows }, (_, n) => values.slice(n * width, n * width + width))
}

export function plain({ columns, numRows, metadata }: Table): Plain {
  return {
    columns: Object.fromEntries([...columns].map(([name, column]) => [name, cellsOf(column, numRows)])),
    types: Object.fromEntries([...columns].map(([name, { values }]) => [name, typeName(values)])),
    metadata: { ...metadata },
  }
}

/** A table of columns that are given by name. */
export function tableOf(
  columns: Readonly<Record<string, Column>>,
  numRows = 3,
  metadata: Readonly<Record<string, string>> = {},
): Table {
  return { numRows, columns: new Map(Object.entries(columns)), metadata }
}

/** A list column whose rows have these lengths. */
export function listOf(lengths: readonly number[], values: Numbers): Column {
  const ptr = new Int32Array(lengths.length + 1)
  lengths.forEach((length, n) => {
    ptr[n + 1] = ptr[n]! + length
  })
  return { kind: 'list', values, ptr: asOffsets('listOf', ptr) }
}

/** One column of every kind and type. */
export const sample: Table = tableOf(
  {
    group: { kind: 'text', values: ['ä', '𝄞x', 'abc'] },
    role: { kind: 'text', values: ['solver', null, ''] },
    rollout: { kind: 'dense', values: Int32Array.of(-100, 0, 0x7fffffff) },
    score: { kind: 'dense', values: Float64Array.of(1 / 3, 5e-324, -1.7e308) },
    flag: { kind: 'dense', values: Uint8Array.of(0, 255, 1) },
    matrix: { kind: 'dense', width: 2, values: Float32Array.of(0.1, 2, 3, 4, 5, 1e-45) },
    advantages: listOf([3, 0, 2], Float64Array.of(0.1, -0.2, 0.3, 1e-300, 0)),
    narrow: listOf([0, 0, 4], Float32Array.of(0.1, -0.2, 3e38, 0)),
    mask: listOf([5, 0, 0], Uint8Array.of(1, 0, 1, 1, 0)),
    ids: listOf([1, 1, 1], Int32Array.of(151643, 0, -100)),
    'odd/näme .npy': { kind: 'dense', values: Float64Array.of(1, 2, 3) },
  },
  3,
  { 'tara-rl': '0.1.0', 'ö"': '{"λ":0.5,"𝄞":null}' },
)

const text = fc.string({ unit: 'binary', maxLength: 6 }).filter((value) => !value.endsWith('\0'))
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((value) => `${value}.`)

/** Numbers of any type. */
function anyNumbers(length: number): fc.Arbitrary<Numbers> {
  const finite = { noNaN: true, noDefaultInfinity: true, minLength: length, maxLength: length }
  return fc.oneof<fc.Arbitrary<Numbers>[]>(
    fc.float64Array(finite),
    fc.float32Array(finite),
    fc.int32Array({ minLength: length, maxLength: length }),
    fc.uint8Array({ minLength: length, maxLength: length }),
  )
}

function anyColumn(numRows: number): fc.Arbitrary<Column> {
  const dense = anyNumbers(numRows).map((values): Column => ({ kind: 'dense', values }))
  const matrix = fc
    .integer({ min: 1, max: 3 })
    .chain((width) => anyNumbers(numRows * width).map((values): Column => ({ kind: 'dense', width, values })))
  const list = fc
    .array(fc.nat({ max: 4 }), { minLength: numRows, maxLength: numRows })
    .chain((lengths) =>
      anyNumbers(lengths.reduce((a, b) => a + b, 0)).map((values) => listOf(lengths, values)),
    )
  const texts = fc
    .array(fc.option(text), { minLength: numRows, maxLength: numRows })
    .map((values): Column => ({ kind: 'text', values }))
  return fc.oneof(dense, matrix, list, texts)
}

/** A table of any columns, with names that end in a dot: none is another's offsets. */
export const anyTable: fc.Arbitrary<Table> = fc.nat({ max: 5 }).chain((numRows) =>
  fc
    .record({
      columns: fc.uniqueArray(fc.tuple(name, anyColumn(numRows)), {
        minLength: 1,
        maxLength: 4,
        selector: ([key]) => key,
      }),
      metadata: fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), text, {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    })
    .map(({ columns, metadata }) => ({ numRows, columns: new Map(columns), metadata })),
)

/** The whole file. */
export async function bytesOf(extension: string, table: Table): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await fileEncoder(extension))(table)) chunks.push(chunk.slice())
  return new Uint8Array(Buffer.concat(chunks))
}
