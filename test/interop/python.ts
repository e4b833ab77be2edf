/**
 * A Python with the packages of requirements.txt, in a folder that git ignores.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url))
const folder = fileURLToPath(new URL('../../.cache/interop', import.meta.url))
const bin =
  process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python')
const probe = 'import numpy, pyarrow.parquet, safetensors.numpy'

/** The last line of what a command said when it failed; undefined where it went well. */
function failure(command: string, args: readonly string[]): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status === 0) return undefined
  return stderr?.trim().split('\n').at(-1) || error?.message || `exit code ${status}`
}

/** The path of a Python that has the packages, or why there is none. */
export function findPython(): { readonly python: string } | { readonly missing: string } {
  if (existsSync(bin) && failure(bin, ['-c', probe]) === undefined) return { python: bin }
  rmSync(folder, { recursive: true, force: true })
  const version = 'import sys; assert sys.version_info >= (3, 9), "Python 3.9 or later is needed"'
  let reason = 'no Python'
  for (const name of ['python3', 'python']) {
    const fault = failure(name, ['-c', version]) ?? failure(name, ['-m', 'venv', folder])
    if (fault !== undefined) {
      reason = `${name}: ${fault}`
      continue
    }
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]
    const pip = failure(bin, install) ?? failure(bin, ['-c', probe])
    if (pip === undefined) return { python: bin }
    reason = `pip: ${pip}`
  }
  return { missing: reason }
}
