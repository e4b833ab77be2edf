/**
 * Every binary kind of file, read back by somebody else.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { binaryKinds, readFile } from './readers.js'
import { anyTable, bytesOf, listOf, plain, sample, tableOf } from './tables.js'

describe.each(binaryKinds)('a file of the kind %s', (kind) => {
  it('holds every column, type and text, to the last bit', async () => {
    expect(readFile(kind, await bytesOf(kind, sample), sample)).toEqual(plain(sample))
  })

  it('holds any table', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, async (table) => {
        expect(readFile(kind, await bytesOf(kind, table), table)).toEqual(plain(table))
      }),
      { numRuns: 100 },
    )
  })

  it('has the same bytes for the same table', async () => {
    expect(await bytesOf(kind, sample)).toEqual(await bytesOf(kind, sample))
  })

  it('holds more rows than are written at a time', async () => {
    const numRows = 3000
    const lengths = Array.from({ length: numRows }, (_, n) => (n * 7919) % 211)
    const count = lengths.reduce((a, b) => a + b, 0)
    const table = tableOf(
      {
        text: { kind: 'text', values: lengths.map((length) => 'é'.repeat(length)) },
        list: listOf(
          lengths,
          Float64Array.from({ length: count }, (_, k) => Math.sin(k)),
        ),
        matrix: { kind: 'dense', width: 400, values: new Int32Array(numRows * 400).map((_, k) => k) },
        whole: { kind: 'dense', values: Int32Array.from(lengths) },
      },
      numRows,
    )
    const read = readFile(kind, await bytesOf(kind, table), table)
    expect(read).toEqual(plain(table))
  })

  it('holds a table without rows', async () => {
    const table = tableOf(
      {
        text: { kind: 'text', values: [] },
        list: listOf([], new Float32Array(0)),
        one: { kind: 'dense', values: new Uint8Array(0) },
        matrix: { kind: 'dense', width: 4, values: new Float64Array(0) },
      },
      0,
      { a: 'b' },
    )
    expect(readFile(kind, await bytesOf(kind, table), table)).toEqual(plain(table))
  })

  it('does not take a view of memory for all of it', async () => {
    const values = Float64Array.of(9, 1, 2, 3, 9).subarray(1, 4)
    const table = tableOf({ values: { kind: 'dense', values } })
    expect(readFile(kind, await bytesOf(kind, table), table).columns.values).toEqual([1, 2, 3])
  })
})

describe('a JSONL file', () => {
  it('has a line a row, and numbers that read back to the same float64', async () => {
    const lines = new TextDecoder().decode(await bytesOf('jsonl', sample)).split('\n')
    expect(lines.pop()).toBe('')
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const { columns } = plain(sample)
    expect(rows.map((row) => Object.keys(row))).toEqual(rows.map(() => [...sample.columns.keys()]))
    for (const [name, cells] of Object.entries(columns)) expect(rows.map((row) => row[name])).toEqual(cells)
  })

  it('takes any text, half pairs too', async () => {
    const table = tableOf({ text: { kind: 'text', values: ['\ud800', '\0', null] } })
    const text = new TextDecoder().decode(await bytesOf('jsonl', table))
    expect(text).toBe('{"text":"\\ud800"}\n{"text":"\\u0000"}\n{"text":null}\n')
  })

  it('is empty for a table without rows', async () => {
    expect(await bytesOf('jsonl', tableOf({}, 0))).toEqual(new Uint8Array(0))
  })
})
