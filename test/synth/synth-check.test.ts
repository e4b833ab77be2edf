/**
 * `tara synth check`, in this process.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { synthCheckCommand } from '../../src/cli/commands/synth-check.js'
import { UsageError } from '../../src/cli/failure.js'
import type { Io } from '../../src/cli/io.js'
import { TaraError } from '../../src/errors.js'
import { environments } from '../../src/synth/environments/index.js'

const folder = mkdtempSync(join(tmpdir(), 'tara-check-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function check(...args: readonly string[]): Promise<{ stdout: string; error: unknown }> {
  let stdout = ''
  const io: Io = {
    out: async (data) => {
      stdout += String(data)
    },
    err: () => {},
    warn: () => {},
    keepStdoutForData: () => {},
    isTerminal: false,
    undo: new Set(),
    waiting: new Set(),
    now: () => 0,
  }
  const command = synthCheckCommand(io)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
  let error: unknown
  await command.parseAsync([...args], { from: 'user' }).catch((thrown: unknown) => {
    error = thrown
  })
  return { stdout, error }
}

/** A folder with one environment of one tool. */
function world(name: string, tool: object, handlers: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  writeFileSync(join(path, 'tools.json'), JSON.stringify([tool]))
  writeFileSync(join(path, 'database.json'), '{"count":0}')
  writeFileSync(join(path, 'handlers.mjs'), handlers)
  return path
}

const schema = { type: 'object', additionalProperties: false }
const tool = {
  name: 'bump',
  description: 'Count.',
  kind: 'update',
  inputSchema: schema,
  outputSchema: schema,
}

describe('tara synth check', () => {
  it('finds the environments of the library fit', async () => {
    const { stdout, error } = await check()
    expect(error).toBeUndefined()
    const lines = stdout.split('\n')
    expect(lines.slice(0, -2)).toEqual(
      environments.map(({ name, tools }) =>
        expect.stringMatching(new RegExp(`^${name}: fit, ${tools.length} tools, \\d+ calls$`)),
      ),
    )
    expect(lines.slice(-2)).toEqual(['6 of 6 environments are fit', ''])
  })

  it('names what is wrong and ends as bad data where one is not fit', async () => {
    const { stdout, error } = await check(world('idle', tool, 'export const bump = () => ({})'))
    expect(stdout).toMatch(
      /^idle: not fit, 1 tool, \d+ calls\n {2}expected 5 to 20 tools, got 1\n {2}bump \(update\), state: is an update/,
    )
    expect(stdout).toMatch(/0 of 1 environments are fit\n$/)
    expect(error).toMatchObject({
      message: 'synth check: expected environments that are all fit, got 1 that are not',
    })
    expect(error).toBeInstanceOf(TaraError)
  })

  it('writes nothing to a terminal that it might obey', async () => {
    const evil = 'export const bump = () => { throw new Error("\\u001b[2J") }'
    const { stdout } = await check(world('evil', tool, evil))
    expect(stdout).toContain('\\u001b[2J')
    expect(stdout).not.toContain('\u001b')
  })

  it('writes JSON, one environment a line', async () => {
    const { stdout } = await check(world('json', tool, 'export const bump = () => ({})'), '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'json',
      isFit: false,
      tools: [{ name: 'bump', accepted: 4 }],
    })
  })

  it('gives up on a call that hangs after the given time', async () => {
    const hangs = world('hangs', tool, 'export const bump = () => new Promise(() => {})')
    const { stdout } = await check(hangs, '--timeout', '5')
    expect(stdout).toContain('bump({}) hangs: bump gave no answer in 5 ms')
  })

  it('says which file is wrong, and that a folder is not there', async () => {
    const { error } = await check(
      world('wrong', { ...tool, kind: 'write' }, 'export const bump = () => ({})'),
    )
    expect(String(error)).toContain(
      `${join('wrong', 'tools.json')}: tools[0].kind: expected "query" or "update"`,
    )
    const missing = await check(join(folder, 'missing'))
    expect(missing.error).toBeInstanceOf(UsageError)
    expect(String(missing.error)).toContain('no such file or folder')
  })
})
