/**
 * A zip archive of stored entries, made in one pass: nothing is compressed, nothing held back, nothing seeks.
 *
 * An entry's checksum stands before its bytes, so its chunks are asked for twice. Every entry carries the first moment
 * that zip knows, 1980-01-01, so that the same entries give the same archive. Sizes and offsets that do not fit 32 bits
 * are written as zip64.
 */

export interface ZipEntry {
  /** UTF-8. */
  readonly name: string
  /** Bytes in all chunks together. */
  readonly size: number
  /** The same bytes at every call. */
  readonly chunks: () => Iterable<Uint8Array>
}

/** From here on a size or an offset is written as zip64. */
const LIMIT_32 = 0xffffffff
const LIMIT_16 = 0xffff
/** 1980-01-01 as MS-DOS has it. */
const DATE = 0x21
const UTF_8 = 0x0800
const STORED_ZIP64 = 45
const STORED = 20

/** `[4 × 256]`: the checksum of a byte that k zero bytes follow is at 256 k. */
function crcTable(): Int32Array {
  const table = new Int32Array(4 * 256)
  for (let n = 0; n < 256; n++) {
    let c = n
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    table[n] = c
  }
  for (let n = 256; n < table.length; n++) {
    const before = table[n - 256]!
    table[n] = (before >>> 8) ^ table[before & 0xff]!
  }
  return table
}

const TABLE: Int32Array = crcTable()

/** Carries the CRC-32 of zip on over more bytes.
 * @param before - of the bytes so far; 0 at the beginning
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  let c = ~before
  const end = bytes.length - (bytes.length % 4)
  for (let n = 0; n < end; n += 4) {
    c ^= bytes[n]! | (bytes[n + 1]! << 8) | (bytes[n + 2]! << 16) | (bytes[n + 3]! << 24)
    c =
      TABLE[768 + (c & 0xff)]! ^
      TABLE[512 + ((c >>> 8) & 0xff)]! ^
      TABLE[256 + ((c >>> 16) & 0xff)]! ^
      TABLE[c >>> 24]!
  }
  for (let n = end; n < bytes.length; n++) c = (c >>> 8) ^ TABLE[(c ^ bytes[n]!) & 0xff]!
  return ~c >>> 0
}

type Field = readonly [bytes: 2 | 4 | 8, value: number]

/** Fields one after the other, lowest byte first. */
function packed(fields: readonly Field[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else if (size === 4) view.setUint32(at, value, true)
    else view.setBigUint64(at, BigInt(value), true)
    at += size
  }
  return bytes
}

interface Written {
  readonly name: Uint8Array
  readonly size: number
  readonly crc: number
  readonly offset: number
}

/** The zip64 extra field with the values that do not fit 32 bits, if there are any. */
function extra(values: readonly number[]): Field[] {
  if (values.length === 0) return []
  return [[2, 1], [2, 8 * values.length], ...values.map((value): Field => [8, value])]
}

/** What a local header and a directory entry share. */
function common({ name, size, crc }: Written, isWide: boolean, isBig: boolean, extraBytes: number): Field[] {
  return [
    [2, isWide ? STORED_ZIP64 : STORED],
    [2, UTF_8],
    [2, 0], // stored
    [2, 0], // midnight
    [2, DATE],
    [4, crc],
    [4, isBig ? LIMIT_32 : size],
    [4, isBig ? LIMIT_32 : size],
    [2, name.length],
    [2, extraBytes],
  ]
}

function* localHeader(entry: Written, limit: number): Generator<Uint8Array> {
  const isBig = entry.size >= limit
  const wide = packed(extra(isBig ? [entry.size, entry.size] : []))
  yield packed([[4, 0x04034b50], ...common(entry, isBig, isBig, wide.length)])
  yield entry.name
  yield wide
}

function* directoryEntry(entry: Written, limit: number): Generator<Uint8Array> {
  const isBig = entry.size >= limit
  const isFar = entry.offset >= limit
  const wide = packed(extra([...(isBig ? [entry.size, entry.size] : []), ...(isFar ? [entry.offset] : [])]))
  const version: Field = [2, wide.length > 0 ? STORED_ZIP64 : STORED]
  yield packed([
    [4, 0x02014b50],
    version,
    ...common(entry, wide.length > 0, isBig, wide.length),
    [2, 0], // no comment
    [2, 0], // first disk
    [2, 0],
    [4, 0],
    [4, isFar ? LIMIT_32 : entry.offset],
  ])
  yield entry.name
  yield wide
}

/** The end of an archive whose directory of `size` bytes begins at `offset`. */
function* endRecord(count: number, size: number, offset: number, limit: number): Generator<Uint8Array> {
  const isWide = count >= LIMIT_16 || size >= limit || offset >= limit
  if (isWide) {
    yield packed([
      [4, 0x06064b50],
      [8, 44],
      [2, STORED_ZIP64],
      [2, STORED_ZIP64],
      [4, 0],
      [4, 0],
      [8, count],
      [8, count],
      [8, size],
      [8, offset],
    ])
    yield packed([
      [4, 0x07064b50],
      [4, 0],
      [8, offset + size],
      [4, 1],
    ])
  }
  yield packed([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, isWide ? LIMIT_16 : count],
    [2, isWide ? LIMIT_16 : count],
    [4, isWide ? LIMIT_32 : size],
    [4, isWide ? LIMIT_32 : offset],
    [2, 0],
  ])
}

/** Writes a zip archive.
 * @param limit - from which size or offset zip64 is used; for tests
 * @returns the bytes in chunks, which may be views of the entries' own
 */
export function* zipFile(entries: readonly ZipEntry[], limit: number = LIMIT_32): Generator<Uint8Array> {
  let offset = 0
  function* counted(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
    for (const chunk of chunks) {
      offset += chunk.length
      yield chunk
    }
  }
  const written: Written[] = []
  for (const { name, size, chunks } of entries) {
    let crc = 0
    for (const chunk of chunks()) crc = crc32(chunk, crc)
    const entry: Written = { name: new TextEncoder().encode(name), size, crc, offset }
    written.push(entry)
    yield* counted(localHeader(entry, limit))
    yield* counted(chunks())
  }
  const start = offset
  for (const entry of written) yield* counted(directoryEntry(entry, limit))
  yield* endRecord(written.length, offset - start, start, limit)
}
