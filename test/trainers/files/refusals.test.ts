/**
 * What cannot be written is refused, with the column and the row, before a byte is made.
 */
import { describe, expect, it } from 'vitest'
import { encoderFor } from '../../../src/cli/write-table.js'
import { TaraError } from '../../../src/errors.js'
import { type FilePackages, fileEncoder, fileExtension, fileExtensions } from '../../../src/trainers/files.js'
import type { Column, Table } from '../../../src/trainers/table.js'
import { binaryKinds } from './readers.js'
import { bytesOf, listOf, tableOf } from './tables.js'

/** `CODE message` of what a kind refuses a table with. */
async function refusal(kind: string, table: Table): Promise<string> {
  try {
    await bytesOf(kind, table)
  } catch (error) {
    if (error instanceof TaraError) return `${error.code} ${error.message}`
    throw error
  }
  return 'none'
}

const one = (values: Float64Array): Column => ({ kind: 'dense', values })
const text = (...values: (string | null)[]): Column => ({ kind: 'text', values })

describe.each(fileExtensions)('a file of the kind %s', (kind) => {
  it('refuses numbers that are not finite, wherever they stand', async () => {
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      expect(await refusal(kind, tableOf({ a: one(Float64Array.of(0, value, 1)) }))).toMatch(
        /^RANGE \w+File: columns\["a"\]\[1\]: expected a finite number, got (NaN|-?Infinity)$/,
      )
      const list = listOf([0, 0, 2], Float32Array.of(0, value))
      expect(await refusal(kind, tableOf({ list }))).toMatch(/^RANGE/)
    }
  })

  it('refuses columns that have not the rows of the table', async () => {
    const offsets = listOf([1, 1], Float64Array.of(1, 2))
    const short = { ...listOf([1, 1, 1], Float64Array.of(1, 2, 3)), values: Float64Array.of(1, 2) } as Column
    const matrix: Column = { kind: 'dense', width: 2, values: Float64Array.of(1, 2, 3) }
    for (const column of [one(Float64Array.of(1)), offsets, short, matrix, text('a')])
      expect(await refusal(kind, tableOf({ a: column }))).toMatch(/^LENGTH \w+File: columns\["a"\]/)
  })
})

describe.each(binaryKinds)('a file of the kind %s', (kind) => {
  it('refuses half a pair of UTF-16 in text, names and metadata', async () => {
    expect(await refusal(kind, tableOf({ a: text('a', null, 'b\udc00') }))).toMatch(
      /^ENCODING \w+File: columns\["a"\]\[2\]: expected whole characters, got "b\\udc00"/,
    )
    expect(await refusal(kind, tableOf({ '\ud800': one(Float64Array.of(1, 2, 3)) }))).toMatch(/^ENCODING/)
    expect(await refusal(kind, tableOf({}, 0, { a: '\ud800' }))).toMatch(/^ENCODING/)
    expect(await refusal(kind, tableOf({ a: text('\ud834\udd1e', null, '') }))).toBe('none')
  })
})

describe('a file of arrays', () => {
  it('refuses two arrays of one name', async () => {
    const list = listOf([0, 0, 0], new Float64Array(0))
    const clash = tableOf({ a: list, a_ptr: one(Float64Array.of(1, 2, 3)) })
    const valid = tableOf({ a: text('a', null, 'b'), a_valid: one(Float64Array.of(1, 2, 3)) })
    const metadata = tableOf({ metadata: text('a', 'b', 'c') })
    expect(await refusal('npz', clash)).toBe(
      'DUPLICATE npzFile: columns: expected names that differ, got "a_ptr" twice',
    )
    expect(await refusal('safetensors', clash)).toMatch(/^DUPLICATE/)
    expect(await refusal('npz', valid)).toMatch(/^DUPLICATE.*"a_valid" twice$/)
    expect(await refusal('npz', metadata)).toMatch(/^DUPLICATE.*"metadata" twice$/)
    expect(await refusal('safetensors', tableOf({ __metadata__: one(Float64Array.of(1, 2, 3)) }))).toMatch(
      /^DUPLICATE/,
    )
    expect(await refusal('safetensors', tableOf({ a: text('a', 'b', 'c') }, 3, { a: '' }))).toMatch(
      /^DUPLICATE/,
    )
  })
})

describe('an .npz', () => {
  it('refuses text that NumPy would cut', async () => {
    expect(await refusal('npz', tableOf({ a: text('a', 'b\0', 'c') }))).toBe(
      'ENCODING npzFile: columns["a"][1]: expected text that does not end in U+0000, got "b\\u0000"',
    )
    expect(await refusal('npz', tableOf({ a: text('a', '\0b', 'c') }))).toBe('none')
  })

  it('refuses names that an archive does not hold', async () => {
    const column = one(Float64Array.of(1, 2, 3))
    expect(await refusal('npz', tableOf({ 'a\0b': column }))).toMatch(/^ENCODING/)
    expect(await refusal('npz', tableOf({ ['é'.repeat(40000)]: column }))).toMatch(/^TOO_LARGE/)
  })

  it('refuses a text column whose longest text is too much for all its rows', async () => {
    const numRows = 30000
    const values = Array.from({ length: numRows }, (_, n) => (n === 7 ? 'x'.repeat(20000) : ''))
    expect(await refusal('npz', tableOf({ a: text(...values) }, numRows))).toBe(
      'TOO_LARGE npzFile: columns["a"]: expected at most 2147483647 bytes of text, got 30000 rows of 20000 characters',
    )
  })
})

describe('a .safetensors', () => {
  it('refuses more text than readers take', async () => {
    const table = tableOf({ a: text('x'.repeat(100_000_000), '', '') })
    expect(await refusal('safetensors', table)).toMatch(
      /^TOO_LARGE .* of at most 100000000 bytes, got 1\d{8}$/,
    )
  })
})

describe('a missing package', () => {
  const missing = async (): Promise<never> => {
    throw new Error("Cannot find package 'x' imported from y\nmore")
  }
  const packages: FilePackages = { 'apache-arrow': missing, 'hyparquet-writer': missing }

  it.each([
    ['arrow', 'apache-arrow'],
    ['parquet', 'hyparquet-writer'],
  ])('of .%s is named, with the command that installs it', async (kind, name) => {
    await expect(fileEncoder(kind, packages)).rejects.toThrow(
      `.${kind}: expected the package ${name} (npm install ${name}), got Cannot find package 'x' imported from y`,
    )
  })

  it('does not matter to the other kinds', async () => {
    for (const kind of ['jsonl', 'npz', 'safetensors'])
      expect(typeof (await fileEncoder(kind, packages))).toBe('function')
  })
})

describe('the name of an output', () => {
  it('says what kind of file it is, by its last extension in any case', () => {
    expect(fileExtension('a.npz')).toBe('npz')
    expect(fileExtension('/x.npz/a.b.PARQUET')).toBe('parquet')
    for (const name of ['npz', 'a', 'a.npz.tmp', '/x.npz/a', 'a.toString', '-', 'a.'])
      expect(fileExtension(name)).toBeUndefined()
  })

  it('may not ask for a compressed binary file', async () => {
    for (const name of ['a.npz.gz', 'a.ARROW.GZ'])
      await expect(encoderFor(name)).rejects.toThrow(`cannot write ${name}: a file of the kind`)
    for (const name of ['a.jsonl.gz', 'a.gz', '-', undefined])
      expect(typeof (await encoderFor(name))).toBe('function')
  })

  it('may not be an extension that there is no kind for', async () => {
    await expect(fileEncoder('csv')).rejects.toThrow(
      'one of jsonl, npz, safetensors, arrow, parquet, got csv',
    )
  })
})
