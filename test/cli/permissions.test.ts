/**
 * What an ordinary user may not read or write.
 */
import { spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { collect, type Run, smallLog, workFolder } from './run.js'

const NOBODY = 65534
const root = fileURLToPath(new URL('../../', import.meta.url))
const { path, write } = workFolder()
const isRoot = process.getuid?.() === 0

/** The command line where everybody may read it: the repository may lie in a folder that only its owner enters. */
const readable = path('package')
for (const part of ['package.json', 'dist', 'node_modules/commander'])
  cpSync(`${root}${part}`, join(readable, part), { recursive: true })

/** Runs as a user who is not root. */
const runAsUser = (...args: string[]): Promise<Run> =>
  collect(
    spawn(
      process.execPath,
      [join(readable, 'dist/cli/main.js'), ...args],
      isRoot ? { uid: NOBODY, gid: NOBODY } : {},
    ),
  )

describe.skipIf(process.platform === 'win32')('an ordinary user', () => {
  const log = write('log.jsonl', smallLog)
  chmodSync(path(''), 0o755)
  mkdirSync(path('open'))
  chmodSync(path('open'), 0o777)
  mkdirSync(path('closed'))
  chmodSync(path('closed'), 0o555)

  it('may write to devices, and through a link in a folder that is closed', async () => {
    expect(await runAsUser('advantages', log, '-q', '-o', '/dev/null')).toMatchObject({ code: 0, stderr: '' })
    chmodSync(path('closed'), 0o755)
    symlinkSync('../open/out', path('closed/link'))
    chmodSync(path('closed'), 0o555)
    expect(await runAsUser('advantages', log, '-q', '-o', path('closed/link'))).toMatchObject({
      code: 0,
      stderr: '',
    })
  })

  it('is told what may not be read or written', async () => {
    const secret = write('secret.jsonl', smallLog)
    chmodSync(secret, 0o000)
    expect(await runAsUser('advantages', secret)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `tara: cannot read ${secret}: permission denied (EACCES)\n`,
    })
    const closed = path('closed/out')
    expect(await runAsUser('advantages', log, '-o', closed)).toMatchObject({
      code: 2,
      stderr: `tara: cannot write ${closed}: permission denied (EACCES)\n`,
    })
  })
})
