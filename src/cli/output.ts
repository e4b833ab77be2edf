/**
 * Writes an output: a regular file appears whole or not at all, everything else is written through.
 *
 * The bytes go to a sibling temporary file that takes the target's name at the end. Devices and pipes are opened and
 * written; a link is followed and the file behind it replaced. After SIGKILL the temporary file may stay behind.
 */
import { type BigIntStats, closeSync, fstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { access, chmod, constants, type FileHandle, open, readlink, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileError, systemCode, UsageError } from './failure.js'
import type { FileIdentity, Input } from './input.js'
import type { Io } from './io.js'

export interface Output {
  readonly write: (data: string | Uint8Array) => Promise<void>
  /** Makes the file appear. */
  readonly commit: () => Promise<void>
  /** Takes everything back; harmless after `commit`. */
  readonly abandon: () => Promise<void>
}

async function factsOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true })
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw fileError('write', path, error)
  }
}

const isSame = (a: FileIdentity, b: FileIdentity): boolean => a.dev === b.dev && a.ino === b.ino

/** Checks, before any work, that an output can be written; lets go of the inputs where it cannot.
 * @param inputs - files that must not be written over
 * @param alsoRead - other such files, which were read already
 * @throws UsageError
 */
export async function checkOutput(
  path: string | undefined,
  inputs: readonly Input[],
  alsoRead: readonly (string | undefined)[] = [],
): Promise<void> {
  try {
    const others: Pick<Input, 'name' | 'identity'>[] = []
    for (const name of alsoRead) {
      const identity = name === undefined ? undefined : await factsOf(name)
      if (name !== undefined && identity !== undefined) others.push({ name, identity })
    }
    await checkTarget(path, [...inputs, ...others])
  } catch (error) {
    for (const input of inputs) await input.close()
    throw error
  }
}

async function checkTarget(
  path: string | undefined,
  inputs: readonly Pick<Input, 'name' | 'identity'>[],
): Promise<void> {
  const isStdout = path === undefined || path === '-'
  const facts = isStdout ? fstatSync(1, { bigint: true }) : await factsOf(path)
  for (const input of inputs)
    if (facts?.isFile() && isSame(facts, input.identity))
      throw new UsageError(`cannot write ${isStdout ? 'stdout' : path}: it is the input ${input.name}`)
  if (isStdout || (facts && !facts.isFile() && !facts.isDirectory())) return
  try {
    if (facts?.isDirectory()) throw Object.assign(new Error(path), { code: 'EISDIR' })
    await access(dirname(await targetOf(path)), constants.W_OK)
  } catch (error) {
    throw fileError('write', path, error)
  }
}

function streamOutput(io: Io): Output {
  return { write: io.out, commit: async () => {}, abandon: async () => {} }
}

async function deviceOutput(path: string, isPipe: boolean, io: Io): Promise<Output> {
  if (isPipe) io.waiting.add(path)
  const handle = await open(path, 'w')
  return {
    write: async (data) => {
      await handle.writeFile(data)
    },
    commit: () => handle.close(),
    abandon: () => handle.close(),
  }
}

/** The file behind a path, also where a link points to nothing yet. */
export async function targetOf(path: string): Promise<string> {
  let target = path
  for (let hops = 0; hops < 40; hops++) {
    try {
      target = resolve(dirname(target), await readlink(target))
    } catch (error) {
      const code = systemCode(error)
      if (code === 'EINVAL' || code === 'ENOENT') return target // no link, or nothing there
      throw error
    }
  }
  throw Object.assign(new Error(path), { code: 'ELOOP' })
}

async function replacingOutput(path: string, old: BigIntStats | undefined, io: Io): Promise<Output> {
  const target = await targetOf(path)
  const temporary = join(dirname(target), `.${basename(target).slice(0, 60)}.${process.pid}.tmp`)
  const remove = (): void => rmSync(temporary, { force: true })
  remove() // left behind by a killed process of the same id
  io.undo.add(remove)
  closeSync(openSync(temporary, 'wx')) // at once: a signal finds the file, and nothing makes it again
  const handle: FileHandle = await open(temporary, 'r+')
  return {
    write: async (data) => {
      await handle.writeFile(data)
    },
    commit: async () => {
      if (old !== undefined) await chmod(temporary, Number(old.mode) & 0o7777)
      await handle.sync()
      await handle.close()
      renameSync(temporary, target)
      io.undo.delete(remove)
    },
    abandon: async () => {
      await handle.close().catch(() => {})
      remove()
      io.undo.delete(remove)
    },
  }
}

/** Writes an output with `work`, whole or not at all.
 * @param path - a file, or `-` or undefined for stdout
 * @throws UsageError where writing fails; the system's `EPIPE` where the reader of a pipe is gone
 */
export async function writeOutput(
  path: string | undefined,
  io: Io,
  work: (write: Output['write']) => Promise<void>,
): Promise<void> {
  if (path === undefined || path === '-') return work(streamOutput(io).write)
  const facts = await factsOf(path)
  let output: Output | undefined
  try {
    output =
      facts === undefined || facts.isFile()
        ? await replacingOutput(path, facts, io)
        : await deviceOutput(path, facts.isFIFO(), io)
    await work(output.write)
    await output.commit()
  } catch (error) {
    await output?.abandon().catch(() => {})
    const code = systemCode(error)
    throw code === undefined || code === 'EPIPE' ? error : fileError('write', path, error)
  }
}
