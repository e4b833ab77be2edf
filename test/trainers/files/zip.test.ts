/**
 * The archive around `.npz`.
 */
import { crc32 as nodeCrc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crc32, type ZipEntry, zipFile } from '../../../src/trainers/zip.js'
import { unzip } from './readers.js'

const entryOf = (name: string, chunks: readonly Uint8Array[]): ZipEntry => ({
  name,
  size: chunks.reduce((sum, { length }) => sum + length, 0),
  chunks: () => chunks,
})

const archive = (...given: Parameters<typeof zipFile>): Uint8Array =>
  new Uint8Array(Buffer.concat([...zipFile(...given)]))

const chunksOf = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 4 })

describe('crc32', () => {
  it('is that of zlib, however the bytes are cut', () => {
    fc.assert(
      fc.property(chunksOf, (chunks) => {
        const whole = chunks.reduce((crc, chunk) => crc32(chunk, crc), 0)
        expect(whole).toBe(nodeCrc32(Buffer.concat(chunks)))
      }),
    )
  })
})

describe('a zip archive', () => {
  const files = fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), chunksOf), {
    selector: ([name]) => name,
    maxLength: 5,
  })

  it('holds its entries; with sizes and offsets of 64 bits too', () => {
    fc.assert(
      fc.property(files, fc.constantFrom(undefined, 0, 1, 50, 200), (entries, limit) => {
        const read = unzip(
          archive(
            entries.map(([name, chunks]) => entryOf(name, chunks)),
            limit,
          ),
        )
        const expected = entries.map(([name, chunks]) => [name, new Uint8Array(Buffer.concat(chunks))])
        expect([...read]).toEqual(expected)
      }),
    )
  })

  it('holds more entries than 16 bits count', () => {
    const entries = Array.from({ length: 70000 }, (_, k) => entryOf(`${k}`, []))
    expect(unzip(archive(entries)).size).toBe(70000)
  })
})
