/**
 * Binary files from the command line: whole or not at all, and no package but the one that the kind needs.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { collect, mainFile, type Run, rowsOf, run, runShell, smallLog, workFolder } from '../../cli/run.js'
import { binaryKinds, readFile, unzip } from './readers.js'
import { type Cell, tableOf } from './tables.js'

const { path, write } = workFolder()
const log = write('log.jsonl', smallLog)
const hidden = fileURLToPath(new URL('hidden.mjs', import.meta.url))

/** A new folder. */
let folders = 0
function folder(): string {
  const made = path(`folder-${folders++}`)
  mkdirSync(made)
  return made
}

/** Runs the command where no optional package can be found. */
const runHidden = (...args: readonly string[]): Promise<Run> =>
  collect(
    spawn(process.execPath, ['--import', hidden, mainFile, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }),
  )

/** A column of a file by its name. */
function columnOf(kind: string, file: string, name: string): readonly Cell[] {
  const table = tableOf({ [name]: { kind: 'dense', values: new Float64Array(0) } }, 1)
  return readFile(kind, new Uint8Array(readFileSync(file)), table).columns[name]!
}

describe.each(binaryKinds)('an output of the kind .%s', (kind) => {
  it('holds the advantages of the lines, and nothing is left beside it', async () => {
    const here = folder()
    const file = join(here, `out.${kind}`)
    const done = await run(['advantages', log, '-o', file])
    expect(done).toMatchObject({ code: 0, stdout: '' })
    const rows = rowsOf((await run(['advantages', log, '-q'])).stdout)
    expect(columnOf(kind, file, 'advantages')).toEqual(rows.map((row) => row.advantages))
    expect(readdirSync(here)).toEqual([`out.${kind}`])
  })

  it('says that the disk is full', async () => {
    const file = path(`full.${kind}`)
    symlinkSync('/dev/full', file)
    const { code, stderr } = await run(['advantages', log, '-q', '-o', file])
    expect(code).toBe(2)
    expect(stderr).toBe(`tara: cannot write ${file}: no space left on the device (ENOSPC)\n`)
  })

  it('goes through a pipe as it goes into a file', async () => {
    const here = folder()
    const { code } = await runShell(
      `cd "$1" && mkfifo pipe.${kind} || exit
       cat pipe.${kind} > got 2>&1 &
       tara advantages "$2" -q -o pipe.${kind} || { kill $!; exit 1; }
       wait && tara advantages "$2" -q -o file.${kind} && cmp got file.${kind}`,
      [here, log],
    )
    expect(code).toBe(0)
  })
})

describe('a run that writes a binary file and is stopped', () => {
  const lines = Array.from({ length: 3000 }, (_, k) =>
    JSON.stringify({
      group: k >> 2,
      rollout: k & 3,
      rewards: [k & 1, (k >> 1) & 1],
      tokens: { length: 2000, turns: [[[0, 150]], [[200, 1990]]] },
    }),
  )
  const many = write('many.jsonl', lines.join('\n'))

  it.each(['npz', 'arrow'])(
    'leaves the old .%s or the whole new one, and nothing beside it',
    async (kind) => {
      const args = ['advantages', many, '-q', '--tokens', '-o']
      const whole = join(folder(), `whole.${kind}`)
      expect((await run([...args, whole])).code).toBe(0)
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        const here = folder()
        const file = join(here, `out.${kind}`)
        writeFileSync(file, 'old')
        const child = spawn(process.execPath, [mainFile, ...args, file])
        const done = collect(child)
        while (child.exitCode === null && readdirSync(here).length === 1) await wait(1) // until it writes
        child.kill(signal)
        const { code } = await done
        expect(readdirSync(here)).toEqual([`out.${kind}`])
        const expected = code === 0 ? readFileSync(whole) : Buffer.from('old')
        expect(readFileSync(file).equals(expected)).toBe(true)
        expect([signal === 'SIGINT' ? 130 : 143, 0]).toContain(code)
      }
    },
  )
})

describe('a command without any optional package', () => {
  it.each(['out.jsonl', 'out.npz', 'out.safetensors'])('writes %s', async (name) => {
    const file = join(folder(), name)
    expect((await runHidden('advantages', log, '-o', file)).code).toBe(0)
    expect(existsSync(file)).toBe(true)
  })

  it('does all the other work', async () => {
    for (const args of [['--version'], ['advantages', '--help'], ['estimators'], ['compare', log]])
      expect(await runHidden(...args)).toMatchObject({ code: 0 })
  })

  it.each([
    ['arrow', 'apache-arrow'],
    ['parquet', 'hyparquet-writer'],
  ])('names what .%s needs before it reads anything', async (kind, name) => {
    const here = folder()
    const file = join(here, `out.${kind}`)
    const { code, stderr } = await runHidden('advantages', path('there-is-none.jsonl'), '-o', file)
    expect(code).toBe(2)
    expect(stderr).toContain(
      `tara: cannot write ${file}: expected the package ${name} (npm install ${name}), got Cannot find package`,
    )
    expect(readdirSync(here)).toEqual([])
  })
})

describe('the name of the output', () => {
  it('alone says that the file is binary: stdout is JSONL', async () => {
    const named = await run(['advantages', log, '-q', '-o', path('x.json')])
    expect(named.code).toBe(0)
    const lines = (await run(['advantages', log, '-q', '-o', '-'])).stdout
    expect(readFileSync(path('x.json'), 'utf8')).toBe(lines)
    expect(lines.startsWith('{"group"')).toBe(true)
  })

  it('may be in capitals', async () => {
    expect((await run(['advantages', log, '-q', '-o', path('X.NPZ')])).code).toBe(0)
    expect([...unzip(new Uint8Array(readFileSync(path('X.NPZ')))).keys()]).toContain('advantages.npy')
  })

  it('may not ask for gzip around a binary file', async () => {
    const { code, stderr } = await run(['advantages', log, '-o', path('x.npz.gz')])
    expect(code).toBe(2)
    expect(stderr).toContain('a file of the kind .npz is not compressed; leave .gz out')
    expect(existsSync(path('x.npz.gz'))).toBe(false)
  })
})
