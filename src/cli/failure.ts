/**
 * Ends of a run that are not bad data: wrong usage, unreadable input, failed write.
 */
import { TaraError } from '../errors.js'

/** Exit codes: 0 done, 1 bad data, 2 wrong usage or input and output trouble, 128 and the signal where one ends a run. */
export const exitCode: Readonly<{
  badData: 1
  usage: 2
  hungUp: 129
  interrupted: 130
  terminated: 143
}> = Object.freeze({
  badData: 1,
  usage: 2,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
})

/** Wrong usage, unreadable input or failed write: exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of the path is not a folder',
  ENOSPC: 'no space left on the device',
  EEXIST: 'there is a file of that name',
  ENAMETOOLONG: 'the name is too long',
  EFBIG: 'the file would be larger than allowed',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
  EDQUOT: 'the disk quota is used up',
  ELOOP: 'too many links',
  ENXIO: 'no such device',
  EIO: 'input/output error',
}

/** The code of an error of the system or of a library of Node (`ENOENT`, `Z_DATA_ERROR`); undefined for any other. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^(?:E[A-Z0-9]+|Z_[A-Z_]+)$/.test(code) && !(error instanceof TaraError)
    ? code
    : undefined
}

/** An error of the file system in words: `cannot read runs.jsonl: no such file or folder (ENOENT)`. */
export function fileError(action: 'read' | 'write', path: string, error: unknown): UsageError {
  const code = systemCode(error)
  const reason = code === undefined ? String(error) : `${reasons[code] ?? 'system error'} (${code})`
  return new UsageError(`cannot ${action} ${path || 'a file without a name'}: ${reason}`)
}
