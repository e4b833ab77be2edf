/**
 * Writes a table to the output: what kind of file it is, its name says.
 *
 * stdout and a name that says nothing get JSONL; so a binary file comes only where its name asks for it.
 */
import { TaraError } from '../errors.js'
import { fileEncoder, fileExtension, type TableEncoder } from '../trainers/files.js'
import type { Table } from '../trainers/table.js'
import { UsageError } from './failure.js'
import type { Io } from './io.js'
import { writeOutput } from './output.js'

/** Small chunks are put together up to so many bytes. */
const BLOCK = 1 << 16

/** The binary kind that a path asks for: `npz` of `out.npz`; undefined where JSONL is written.
 * @param path - a file, or `-` or undefined for stdout
 * @throws UsageError for gzip around a binary kind
 */
export function binaryKind(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const kind = fileExtension(path)
  const inner = /\.gz$/i.test(path) ? binaryKind(path.slice(0, -3)) : undefined
  if (inner !== undefined)
    throw new UsageError(
      `cannot write ${path}: a file of the kind .${inner} is not compressed; leave .gz out`,
    )
  return kind === 'jsonl' ? undefined : kind
}

/** Makes ready, before any work, what writes an output.
 * @param path - a file, or `-` or undefined for stdout
 * @throws UsageError where a package is missing, or gzip is asked for around a binary kind
 */
export async function encoderFor(path: string | undefined): Promise<TableEncoder> {
  try {
    return await fileEncoder(binaryKind(path) ?? 'jsonl')
  } catch (error) {
    if (error instanceof TaraError && error.code === 'MISSING')
      throw new UsageError(`cannot write ${path}: ${error.detail}`)
    throw error
  }
}

/** The same bytes in chunks that are worth a write each; a large chunk is passed on as it is. */
async function* joined(chunks: ReturnType<TableEncoder>): AsyncGenerator<Uint8Array> {
  let block = new Uint8Array(BLOCK)
  let used = 0
  for await (const chunk of chunks) {
    if (used + chunk.length > BLOCK) {
      if (used > 0) yield block.subarray(0, used)
      block = new Uint8Array(BLOCK)
      used = 0
    }
    if (chunk.length > BLOCK) yield chunk
    else {
      block.set(chunk, used)
      used += chunk.length
    }
  }
  if (used > 0) yield block.subarray(0, used)
}

/** Writes a table, whole or not at all.
 * @param path - a file, or `-` or undefined for stdout
 * @param encoder - from `encoderFor` of the same path
 * @throws UsageError where writing fails
 */
export function writeTable(
  path: string | undefined,
  encoder: TableEncoder,
  table: Table,
  io: Io,
): Promise<void> {
  return writeOutput(path, io, async (write) => {
    for await (const chunk of joined(encoder(table))) await write(chunk)
  })
}
