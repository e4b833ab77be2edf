/**
 * The kinds of files that a table is written to, by extension.
 *
 * Two of them are written by packages that are loaded when the kind is asked for, not before.
 */
import { fail } from '../errors.js'
import { loadPeer } from '../formats/peers.js'
import { arrowFile } from './arrow.js'
import { jsonlFile } from './jsonl.js'
import { npzFile } from './npz.js'
import { parquetFile } from './parquet.js'
import { safetensorsFile } from './safetensors.js'
import type { Table } from './table.js'

/** Makes the bytes of a file, in chunks. A chunk may be a view of the table's arrays. */
export type TableEncoder = (table: Table) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** The packages that write files. Each is installed by who uses it. */
export interface FilePackages {
  readonly 'apache-arrow': () => Promise<typeof import('apache-arrow')>
  readonly 'hyparquet-writer': () => Promise<typeof import('hyparquet-writer')>
}

const installed: FilePackages = {
  'apache-arrow': () => import('apache-arrow'),
  'hyparquet-writer': () => import('hyparquet-writer'),
}

const encoders: Readonly<Record<string, (packages: FilePackages) => Promise<TableEncoder>>> = Object.freeze({
  jsonl: async () => jsonlFile,
  npz: async () => npzFile,
  safetensors: async () => safetensorsFile,
  arrow: async (packages: FilePackages) => {
    const arrow = await loadPeer('.arrow', 'apache-arrow', packages['apache-arrow'])
    return (table: Table) => arrowFile(table, arrow)
  },
  parquet: async (packages: FilePackages) => {
    const library = await loadPeer('.parquet', 'hyparquet-writer', packages['hyparquet-writer'])
    return (table: Table) => parquetFile(table, library)
  },
})

/** The extensions that name a kind of file: `jsonl`, `npz`, `safetensors`, `arrow`, `parquet`. */
export const fileExtensions: readonly string[] = Object.freeze(Object.keys(encoders))

/** The extension of a file's name, in lower case and without the dot, where it names a kind of file. */
export function fileExtension(name: string): string | undefined {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase()
  return extension !== undefined && Object.hasOwn(encoders, extension) ? extension : undefined
}

/** Makes ready what writes files of a kind.
 * @param extension - one of `fileExtensions`
 * @param packages - where the packages come from; for tests
 * @throws TaraError `OPTION` for another extension; `MISSING` where a package is not installed, with the command
 */
export async function fileEncoder(
  extension: string,
  packages: FilePackages = installed,
): Promise<TableEncoder> {
  if (!Object.hasOwn(encoders, extension))
    fail('OPTION', 'fileEncoder: extension', `one of ${fileExtensions.join(', ')}`, extension)
  return encoders[extension]!(packages)
}
