/**
 * Reads an input piece by piece: a file or stdin, plain or gzip.
 */
import { type BigIntStats, fstatSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { TaraError } from '../errors.js'
import { fileError, systemCode } from './failure.js'
import type { Io } from './io.js'

const CHUNK = 1 << 20

export interface Input {
  /** The path as the user gave it, `stdin` for `-`. */
  readonly name: string
  /** Which file it is, so that it is never written over. */
  readonly identity: FileIdentity
  /** Bytes in the file; undefined where it is no plain file. */
  readonly size: number | undefined
  /** The bytes as they lie in the file. A chunk is good until the next is asked for. Can be read once. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Lets go of an input that is not read. */
  readonly close: () => Promise<void>
}

export interface FileIdentity {
  readonly dev: bigint
  readonly ino: bigint
}

function describe(
  name: string,
  facts: BigIntStats,
  chunks: AsyncIterable<Uint8Array>,
  close = async (): Promise<void> => {},
): Input {
  const { dev, ino } = facts
  if (facts.isDirectory()) throw Object.assign(new Error(name), { code: 'EISDIR' })
  return {
    name,
    identity: { dev, ino },
    size: facts.isFile() ? Number(facts.size) : undefined,
    chunks,
    close,
  }
}

/** The next bytes; none at the end.
 * @throws UsageError where reading fails
 */
async function readNext(name: string, handle: FileHandle, buffer: Uint8Array): Promise<number> {
  try {
    return (await handle.read(buffer, 0, CHUNK, null)).bytesRead
  } catch (error) {
    throw fileError('read', name, error)
  }
}

async function* fileChunks(name: string, handle: FileHandle, io: Io): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK)
  try {
    for (let read = await readNext(name, handle, buffer); read > 0; ) {
      yield buffer.subarray(0, read)
      read = await readNext(name, handle, buffer)
    }
  } finally {
    await handle.close()
    io.waiting.delete(name)
  }
}

async function* stdinChunks(): AsyncGenerator<Uint8Array> {
  const chunks = process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  for (;;) {
    const next = await chunks.next().catch((error: unknown) => {
      throw fileError('read', 'stdin', error)
    })
    if (next.done) return
    yield next.value
  }
}

/** Opens an input.
 * @param path - a file, or `-` for stdin
 * @throws UsageError where it cannot be read
 */
export async function openInput(path: string, io: Io): Promise<Input> {
  const name = path === '-' ? 'stdin' : path
  let handle: FileHandle | undefined
  try {
    if (path === '-') return describe(name, fstatSync(0, { bigint: true }), stdinChunks())
    if ((await stat(path)).isFIFO()) io.waiting.add(path)
    const opened = (handle = await open(path, 'r'))
    const facts = await opened.stat({ bigint: true })
    return describe(name, facts, fileChunks(path, opened, io), () => opened.close())
  } catch (error) {
    await handle?.close()
    throw fileError('read', name, error)
  }
}

/** Unpacks gzip members, one after the other. Zeros behind the last are padding.
 * @param rest - the bytes behind `first`
 * @throws TaraError `ENCODING` for a broken member, and for anything else behind the last: it would be lost
 */
async function* unpacked(
  name: string,
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const refuse = (fact: string): never => {
    throw new TaraError('ENCODING', name, `expected a whole gzip stream, got: ${fact}`)
  }
  const gunzip = createGunzip({ chunkSize: CHUNK })
  const pending: Uint8Array[] = [] // the latest of what was handed over
  let handed = 0
  const handOver = (chunk: Uint8Array): Uint8Array => {
    let size = pending.reduce((sum, one) => sum + one.length, 0)
    while (pending.length > 0 && handed - size + pending[0]!.length <= gunzip.bytesWritten)
      size -= pending.shift()!.length
    pending.push(chunk)
    handed += chunk.length
    return chunk
  }
  async function* copied(): AsyncGenerator<Uint8Array> {
    yield handOver(first)
    for (let next = await rest.next(); !next.done; next = await rest.next())
      yield handOver(next.value.slice())
  }
  try {
    yield* pipeline(Readable.from(copied()), gunzip, () => {})
  } catch (error) {
    if (!systemCode(error)?.startsWith('Z_')) throw error
    refuse((error as Error).message)
  }
  const checkPadding = (bytes: Uint8Array): void => {
    if (bytes.some((byte) => byte !== 0)) refuse('other bytes behind its end')
  }
  for (let next = await rest.next(); !next.done; next = await rest.next()) checkPadding(next.value)
  let left = handed - gunzip.bytesWritten
  for (const chunk of pending.reverse()) {
    if (left > 0) checkPadding(chunk.subarray(Math.max(0, chunk.length - left)))
    left -= chunk.length
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(a.length + b.length)
  whole.set(a)
  whole.set(b, a.length)
  return whole
}

/** Bytes of the text: unpacked where the input is gzip (told by its first two bytes).
 * @throws TaraError `ENCODING` for a broken gzip stream; UsageError where reading fails
 */
export async function* textChunks(input: Input, onBytes: (read: number) => void): AsyncGenerator<Uint8Array> {
  let read = 0
  const counted = (async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of input.chunks) {
      onBytes((read += chunk.length))
      yield chunk
    }
  })()
  try {
    let head = new Uint8Array(0)
    while (head.length < 2) {
      const next = await counted.next()
      if (next.done) break
      head = joined(head, next.value)
    }
    if (head[0] !== 0x1f || head[1] !== 0x8b) {
      yield head
      yield* counted
      return
    }
    yield* unpacked(input.name, head, counted)
  } finally {
    void counted.return(undefined) // lets go of the input; a read that waits may end later
  }
}
