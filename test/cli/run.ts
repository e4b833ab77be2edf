/**
 * The built command line in a process of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

export const mainFile: string = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface Run {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Waits for a process and takes what it wrote. */
export function collect(child: ChildProcess): Promise<Run> {
  return new Promise((done, refuse) => {
    const parts: Buffer[] = []
    let stderr = ''
    child.stdout?.on('data', (chunk: Buffer) => parts.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    child.on('error', refuse)
    child.on('close', (code, signal) =>
      done({ code, signal, stdout: Buffer.concat(parts).toString(), stderr }),
    )
  })
}

/** Runs `tara` with these words.
 * @param input - what it reads from stdin; without it stdin is empty
 */
export function run(args: readonly string[], input: string | Uint8Array = ''): Promise<Run> {
  const child = spawn(process.execPath, [mainFile, ...args], { env: { ...process.env, NO_COLOR: '1' } })
  child.stdin.on('error', () => {}) // it may end before it has read everything
  child.stdin.end(input)
  return collect(child)
}

/** Runs a line of bash in which `tara` is the command line and `$1`, `$2`… are the given words. */
export function runShell(script: string, words: readonly string[] = []): Promise<Run> {
  const tara = `tara() { "${process.execPath}" "${mainFile}" "$@"; }\n`
  return collect(
    spawn('bash', ['-c', tara + script, 'bash', ...words], { stdio: ['ignore', 'pipe', 'pipe'] }),
  )
}

/** Makes a folder that goes away after the tests of the file. Returns how to name a file in it, and how to write one. */
export function workFolder(): {
  readonly path: (name: string) => string
  readonly write: (name: string, data: string | Uint8Array) => string
} {
  const folder = mkdtempSync(join(tmpdir(), 'tara-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const path = (name: string): string => join(folder, name)
  return {
    path,
    write: (name, data) => {
      writeFileSync(path(name), data)
      return path(name)
    },
  }
}

export type Row = Readonly<Record<string, unknown>>

/** The lines of JSONL, parsed. */
export function rowsOf(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

/** Two scored rollouts of one group, as a log. */
export const smallLog: string =
  '{"group":"g","rollout":0,"rewards":[1,0]}\n{"group":"g","rollout":1,"rewards":[0,1]}\n'
