/**
 * Python reads what `tara advantages` writes: every kind of file, and the Python of the docs.
 *
 * Without Python, or where its packages cannot be had, it says so and ends well. TARA_INTEROP_PYTHON=none stands for a
 * machine without Python.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileExtensions } from '../../src/trainers/files.js'
import { trainers } from '../../src/trainers/trainers.js'
import { zipFile } from '../../src/trainers/zip.js'
import { blocksOf, root } from '../docs/blocks.js'
import { interopLog } from './log.js'
import { findPython } from './python.js'

const check = fileURLToPath(new URL('check.py', import.meta.url))
const main = join(root, 'dist/cli/main.js')
const folder = mkdtempSync(join(tmpdir(), 'tara-interop-'))
let failed = 0

/** Runs a command, shows what it says, and counts where it fails. */
function run(name: string, command: string, args: readonly string[], cwd = folder): void {
  const env = {
    ...process.env,
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    NO_COLOR: '1',
    PYTHONUTF8: '1',
  }
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  process.stdout.write(stdout ?? '')
  if (status === 0) return
  failed++
  console.log(`FAILED ${name}: ${error?.message ?? `exit code ${status}`}\n${stderr ?? ''}`)
}

const tara = (...args: readonly string[]): void =>
  run(`tara ${args.join(' ')}`, process.execPath, [main, 'advantages', 'log.jsonl', '-q', ...args])

/** Every table of the log in every kind of file, and the lines that hold no table. */
function writeFiles(): void {
  writeFileSync(join(folder, 'log.jsonl'), interopLog())
  tara('--tokens', '-o', 'rows.jsonl')
  for (const { name } of trainers)
    for (const extension of fileExtensions)
      tara('--to', name, ...(name === 'turns' ? ['--tokens'] : []), '-o', `${name}.${extension}`)
  for (const extension of fileExtensions)
    tara('--to', 'verl', '--dtype', 'float64', '--side', 'left', '-o', `verl-wide.${extension}`)
}

/** Runs the blocks of a page in a folder with the files of examples/: `sh` blocks that call `tara`, and `python` blocks.
 * A `python` block without an import continues the block before it. */
function runPage(page: string, python: string): void {
  const cwd = join(folder, page.replace(/\W/g, '-'))
  for (const file of readdirSync(`${root}examples`))
    if (/\.jsonl?$/.test(file)) cpSync(`${root}examples/${file}`, join(cwd, file))
  let program = ''
  let count = 0
  for (const { line, info, text } of blocksOf(page)) {
    if (info === 'sh' && /\btara advantages\b/.test(text)) run(`${page}:${line}`, 'sh', ['-ec', text], cwd)
    if (info !== 'python') continue
    program = /^(?:import|from)\s/m.test(text) ? text : `${program}\n${text}`
    run(`${page}:${line}`, python, ['-c', program], cwd)
    count++
  }
  console.log(`ran ${page}: ${count} blocks of Python`)
}

/** An archive as it is from 4 GiB on: every size and offset has 64 bits. */
function writeWideArchive(): void {
  const entries = ['a', 'b'].map((name) => ({
    name,
    size: 3,
    chunks: () => [new TextEncoder().encode(`${name}-${name}`)],
  }))
  writeFileSync(join(folder, 'wide.zip'), Buffer.concat([...zipFile(entries, 0)]))
}

function compareAll(python: string): void {
  writeFileSync(join(folder, 'tara'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, {
    mode: 0o755,
  })
  writeFiles()
  writeWideArchive()
  run('check.py', python, [check, folder, ...trainers.map(({ name }) => name), 'verl-wide'])
  for (const page of ['docs/files.md', 'docs/trainers.md']) if (existsSync(root + page)) runPage(page, python)
}

try {
  const found = process.env.TARA_INTEROP_PYTHON === 'none' ? { missing: 'no Python' } : findPython()
  if ('missing' in found) console.log(`skipped: Python cannot read the files here (${found.missing})`)
  else compareAll(found.python)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(failed === 0 ? 'interop: done' : `interop: ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
