/**
 * Environments from a folder: what loads, and where a fault is.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openEnvironment } from '../../src/synth/environment.js'
import { loadEnvironments } from '../../src/synth/folder.js'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tara-worlds-'))
  made.push(folder)
  for (const [name, data] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), data)
  }
  return folder
}

const add = {
  name: 'add',
  description: 'Add to the sum.',
  kind: 'update',
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  outputSchema: { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] },
}
const read = { ...add, name: 'sum-read', kind: 'query', inputSchema: { type: 'object' } }
const handlers = `
  export function add(database, { n }) { database.sum += n; return { sum: database.sum } }
  export default { 'sum-read': (database) => ({ sum: database.sum }) }
`

/** The files of a sub-folder, with some of them replaced. */
function sums(
  change: { tools?: unknown; database?: string; handlers?: string } = {},
): Record<string, string> {
  const tools = change.tools ?? { description: 'Sums.', tools: [add, read] }
  return {
    'sums/tools.json': typeof tools === 'string' ? tools : JSON.stringify(tools),
    'sums/database.json': change.database ?? '{"sum":1}',
    'sums/handlers.js': change.handlers ?? handlers,
    'sums/package.json': '{"type":"module"}',
  }
}

/** The message of the error, with the folder left out. */
async function refusal(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = folderOf(files)
  try {
    await loadEnvironments(folder)
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '')
  }
  return 'no error'
}

describe('loadEnvironments', () => {
  it('loads sub-folders and modules, by name', async () => {
    const clinic = `export default { name: 'clinic', description: 'A clinic.', database: {}, tools: [] }`
    const folder = folderOf({ ...sums(), 'clinic.mjs': clinic, 'README.md': 'text', '_draft/x.txt': '' })
    const [first, second, ...more] = await loadEnvironments(folder)
    expect(more).toEqual([])
    expect(first).toMatchObject({ name: 'clinic', tools: [] })
    expect(second).toMatchObject({ name: 'sums', description: 'Sums.', database: { sum: 1 } })
    const state = openEnvironment(second!)
    expect(await state.call('add', { n: 2 })).toEqual({ ok: true, output: { sum: 3 } })
    expect(await state.call('sum-read', {})).toEqual({ ok: true, output: { sum: 3 } })
  })

  it('takes handlers.mjs where there is no handlers.js', async () => {
    const { 'sums/handlers.js': text, ...files } = sums()
    const [source] = await loadEnvironments(folderOf({ ...files, 'sums/handlers.mjs': text! }))
    expect(source!.tools).toHaveLength(2)
  })

  it('loads a folder that is one environment, with a plain list of tools and the annotations of MCP', async () => {
    const { kind: _, ...tool } = add
    const tools = [
      { ...tool, annotations: { readOnlyHint: false } },
      { ...read, kind: undefined, annotations: { readOnlyHint: true } },
    ]
    const folder = folderOf(sums({ tools }))
    const [source] = await loadEnvironments(join(folder, 'sums'))
    expect(source!.name).toBe('sums')
    expect(source!.tools.map(({ kind }) => kind)).toEqual(['update', 'query'])
  })

  it.each([
    ['bad JSON', sums({ tools: '{\n  "tools": [\n    {,}\n' }), /^sums\/tools\.json:3: expected JSON, got /],
    [
      'JSON that is cut off',
      sums({ database: '{"sum":\n1' }),
      /^sums\/database\.json:2: expected JSON, got /,
    ],
    [
      'no list of tools',
      sums({ tools: '{}' }),
      /^sums\/tools\.json: tools: expected a list of tools, got undefined$/,
    ],
    [
      'tools that are a text',
      sums({ tools: '"add"' }),
      /^sums\/tools\.json: expected an object with "tools"/,
    ],
    ['a tool that is none', sums({ tools: [1] }), /^sums\/tools\.json: tools\[0\]: expected a tool, got 1$/],
    [
      'a database that is a list',
      sums({ database: '[]' }),
      /^sums\/database\.json: expected an object, got an empty list$/,
    ],
    [
      'a missing handler',
      sums({ handlers: 'export const add = () => ({ sum: 1 })' }),
      /^sums\/handlers\.js: expected a function "sum-read", got undefined$/,
    ],
    [
      'a handler that is no function',
      sums({ handlers: 'export const add = 3' }),
      /^sums\/handlers\.js: expected a function "add", got 3$/,
    ],
    [
      'a module that does not parse',
      sums({ handlers: 'export function add( {' }),
      /^sums\/handlers\.js: expected an ES module that can be loaded, got /,
    ],
    [
      'a module that throws',
      sums({ handlers: 'throw new Error("no disk")' }),
      /^sums\/handlers\.js: expected an ES module that can be loaded, got Error: no disk$/,
    ],
    [
      'a tool named twice',
      sums({ tools: [add, read, add] }),
      /^sums\/tools\.json: tools\[2\]\.name: expected a name of its own, got "add"$/,
    ],
    [
      'a schema that is none',
      sums({ tools: [{ ...add, inputSchema: { type: 'objekt' } }] }),
      /^sums\/tools\.json: tools\[0\]\.inputSchema: expected a valid JSON Schema, got /,
    ],
    [
      'no output schema',
      sums({ tools: [{ ...add, outputSchema: undefined }] }),
      /^sums\/tools\.json: tools\[0\]\.outputSchema: expected a JSON Schema, got undefined$/,
    ],
    [
      'neither query nor update',
      sums({ tools: [{ ...add, kind: 'read' }] }),
      /^sums\/tools\.json: tools\[0\]\.kind: expected "query" or "update", got "read"$/,
    ],
    [
      'a hint that names no tool',
      sums({ tools: [{ ...add, after: ['ad'] }] }),
      /^sums\/tools\.json: tools\[0\]\.after\[0\]: expected the name of a tool, got "ad"$/,
    ],
    [
      'a hint that names its own tool',
      sums({ tools: [{ ...add, after: ['add'] }] }),
      /^sums\/tools\.json: tools\[0\]\.after\[0\]: expected the name of another tool, got "add"$/,
    ],
    [
      'no database',
      { 'a/tools.json': '[]' },
      /^a\/database\.json: expected a file that can be read, got ENOENT/,
    ],
    [
      'no handlers',
      { 'a/tools.json': '[]', 'a/database.json': '{}' },
      /^a\/handlers\.js: expected an ES module that can be loaded, got Error: /,
    ],
    [
      'a sub-folder without tools',
      { 'a/x.txt': '' },
      /^a\/tools\.json: expected a file that can be read, got ENOENT/,
    ],
    [
      'a module without a default export',
      { 'a.mjs': 'export const b = 1' },
      /^a\.mjs: default: expected an environment, got undefined$/,
    ],
    [
      'a module whose tool has no handler',
      {
        'a.mjs': `export default { name: 'a', description: '', database: {}, tools: [${JSON.stringify(add)}] }`,
      },
      /^a\.mjs: tools\[0\]\.handler: expected a function, got undefined$/,
    ],
    [
      'two environments of one name',
      { ...sums(), 'also.mjs': `export default { name: 'sums', description: '', database: {}, tools: [] }` },
      /^sums: expected an environment with a name of its own, got "sums", as in also\.mjs$/,
    ],
    [
      'nothing',
      { 'x.txt': '' },
      /expected sub-folders with tools\.json, or modules, got a folder without environments$/,
    ],
  ])('says where there is %s', async (_, files, message) => {
    expect(await refusal(files)).toMatch(message)
  })

  it('does not wait for ever for a module to load', async () => {
    const folder = folderOf({ 'a.mjs': 'await new Promise(() => {})' })
    await expect(loadEnvironments(folder, { timeout: 20 })).rejects.toThrow(
      `${folder}/a.mjs: expected an ES module that can be loaded, got one that was not done in 20 ms`,
    )
  })

  it('leaves a folder that is not there to the error of the system', async () => {
    await expect(loadEnvironments('/no/such/folder')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
