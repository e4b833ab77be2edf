/**
 * Modules of a user's own that end, stall or break the run, or print: never a silent success, nothing left behind.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collect, mainFile, type Run, rowsOf, run, workFolder } from './run.js'

const { path } = workFolder()

const schema = (properties: object): object => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required: Object.keys(properties),
})
const count = { type: 'integer', examples: [2, 3] }
const tool = {
  name: 'bump',
  description: 'Count up.',
  kind: 'update',
  inputSchema: schema({ by: count }),
  outputSchema: schema({ count }),
}

/** A folder with one environment of one tool.
 * @param body - of its handler
 * @param top - of its module
 */
function world(name: string, body: string, top = ''): string {
  const folder = path(name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'tools.json'), JSON.stringify([tool]))
  writeFileSync(join(folder, 'database.json'), '{"count":0}')
  writeFileSync(
    join(folder, 'handlers.mjs'),
    `${top}\nexport async function bump(database, { by }) { ${body} }\n`,
  )
  return folder
}

const works = 'database.count += by; return { count: database.count }'

async function tasksOf(folder: string): Promise<Run & { readonly files: string[] }> {
  const output = `${folder}-out`
  mkdirSync(output)
  const done = await run(['synth', 'tasks', folder, '-o', join(output, 'tasks.jsonl')])
  return { ...done, files: readdirSync(output) }
}

describe('a run over modules of a user', () => {
  it.each([
    ['when it loads', works, 'process.exit(0)'],
    ['in a handler', 'process.exit(0)', ''],
  ])('that end the process %s is no success', async (name, body, top) => {
    const { code, stderr, files } = await tasksOf(world(`ends ${name}`, body, top))
    expect({ code, stderr, files }).toEqual({
      code: 1,
      stderr: 'tara: ended before it was done: a module that was loaded ended the process\n',
      files: [],
    })
  })

  it.each([
    ['an error', 'setTimeout(() => { throw new Error("too late") })'],
    ['a rejection', 'Promise.reject(new Error("too late"))'],
  ])('whose handlers leave %s behind fails and leaves no file behind', async (name, left) => {
    const body = `${left}; await new Promise((done) => setTimeout(done, 200)); ${works}`
    const { code, stderr, files } = await tasksOf(world(name, body))
    expect({ code, files }).toEqual({ code: 1, files: [] })
    expect(stderr).toMatch(/^tara: an error outside of the run, .*\nError: too late\n/)
  })

  it('that can never go on fails, whatever it waits for', async () => {
    // Without timers, nothing keeps the process.
    const top = 'globalThis.setTimeout = () => 0'
    const { code, stderr, files } = await tasksOf(world('stalls', 'await new Promise(() => {})', top))
    expect({ code, files, stderr }).toEqual({
      code: 1,
      files: [],
      stderr: 'tara: ended before it was done: what it waits for can never come\n',
    })
  })

  it('keeps stdout for data where they print with console', async () => {
    const folder = world(
      'prints',
      `console.log('called'); console.table([by]); console.dir(by); ${works}`,
      'console.info("loaded")',
    )
    const tasks = await run(['synth', 'tasks', folder])
    expect(tasks.code).toBe(0)
    expect(rowsOf(tasks.stdout).length).toBeGreaterThan(0)
    expect(tasks.stderr).toContain('loaded\ncalled\n')
    const check = await run(['synth', 'check', folder, '--json'])
    expect(rowsOf(check.stdout)).toHaveLength(1)
  })

  it.each([
    ['SIGHUP', 129],
    ['SIGTERM', 143],
  ] as const)('that hang is ended by %s with %i and leaves no file behind', async (signal, code) => {
    const folder = world(signal, 'console.log("called"); await new Promise(() => {})')
    const output = `${folder}-out`
    mkdirSync(output)
    const child = spawn(process.execPath, [
      mainFile,
      'synth',
      'tasks',
      folder,
      '-o',
      join(output, 'tasks.jsonl'),
    ])
    child.stderr.once('data', () => {
      expect(readdirSync(output)).toHaveLength(1)
      child.kill(signal)
    })
    expect(await collect(child)).toMatchObject({ code, signal: null, stdout: '' })
    expect(readdirSync(output)).toEqual([])
  })
})
