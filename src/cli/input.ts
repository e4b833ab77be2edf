/**
 * Reads an input piece by piece: a file or stdin, plain or gzip.
 */
import { type BigIntStats, fstatSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { TaraError } from '../errors.js'
import { fileError, systemCode } from './failure.js'

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
}

export interface FileIdentity {
  readonly dev: bigint
  readonly ino: bigint
}

function describe(name: string, facts: BigIntStats, chunks: AsyncIterable<Uint8Array>): Input {
  const { dev, ino } = facts
  return { name, identity: { dev, ino }, size: facts.isFile() ? Number(facts.size) : undefined, chunks }
}

async function* fileChunks(name: string, handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK)
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } catch (error) {
    throw systemCode(error) === undefined ? error : fileError('read', name, error)
  } finally {
    await handle.close()
  }
}

/** Opens an input.
 * @param path - a file, or `-` for stdin
 * @throws UsageError where it cannot be read
 */
export async function openInput(path: string): Promise<Input> {
  if (path === '-') return describe('stdin', fstatSync(0, { bigint: true }), process.stdin)
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'r')
    const facts = await handle.stat({ bigint: true })
    if (facts.isDirectory()) throw Object.assign(new Error(path), { code: 'EISDIR' })
    return describe(path, facts, fileChunks(path, handle))
  } catch (error) {
    await handle?.close()
    throw fileError('read', path, error)
  }
}

async function* copied(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value.slice()
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
  try {
    yield* pipeline(Readable.from(copied(head, counted)), createGunzip({ chunkSize: CHUNK }), () => {})
  } catch (error) {
    if (!systemCode(error)?.startsWith('Z_')) throw error
    throw new TaraError(
      'ENCODING',
      input.name,
      `expected a whole gzip stream, got: ${(error as Error).message}`,
    )
  }
}
