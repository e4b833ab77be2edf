/**
 * Environments from a folder of the user's own.
 *
 *     worlds/ledger/tools.json      definitions: { "description", "tools": [{ "name", "inputSchema", … }] }
 *     worlds/ledger/database.json   what it starts from
 *     worlds/ledger/handlers.mjs    an ES module that exports a function a tool; or handlers.js
 *     worlds/clinic.js              or all in one: an ES module whose default export is an environment
 *
 * The modules are code and run when they are loaded: load only what you would run.
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail, show, TaraError } from '../errors.js'
import { resolveOptions } from '../options.js'
import { isObject } from './copy.js'
import { aTimeout } from './environment.js'
import type { EnvironmentSource } from './types.js'
import { compiledTools } from './validators.js'

const TOOLS = 'tools.json'
const DATABASE = 'database.json'
const HANDLERS: readonly string[] = ['handlers.js', 'handlers.mjs']

export interface LoadOptions {
  /** How long a module may take to load, in milliseconds. One that never gives control back cannot be stopped. */
  readonly timeout: number
}

export const loadDefaults: Readonly<LoadOptions> = Object.freeze({ timeout: 10_000 })

const modules: readonly string[] = ['.js', '.mjs']

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : show(error))

/** `tools.json:12`, where a fault of the parser says at which character it is. */
function lineOf(file: string, text: string, message: string): string {
  const position = /position (\d+)/.exec(message)?.[1]
  const at = position === undefined ? text.length : Number(position)
  return `${file}:${text.slice(0, at).split('\n').length}`
}

async function readJson(file: string): Promise<unknown> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(file)
  } catch (error) {
    fail('MISSING', file, 'a file that can be read', messageOf(error))
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    fail('ENCODING', file, 'UTF-8', 'other bytes')
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    fail('JSON', lineOf(file, text, messageOf(error)), 'JSON', messageOf(error))
  }
}

/** Imports a module, but does not wait for ever: a promise at its top level may never be kept. */
async function load(file: string, { timeout }: LoadOptions): Promise<Readonly<Record<string, unknown>>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeout, undefined)
  })
  const loaded = import(pathToFileURL(file).href) as Promise<Readonly<Record<string, unknown>>>
  try {
    const found = await Promise.race([loaded, late])
    if (found !== undefined) return found
  } catch (error) {
    const name = error instanceof Error ? `${error.name}: ` : ''
    fail('TYPE', file, 'an ES module that can be loaded', name + messageOf(error))
  } finally {
    clearTimeout(timer)
  }
  return fail('TYPE', file, 'an ES module that can be loaded', `one that was not done in ${timeout} ms`)
}

/** The files of a source; a source of one file has one name for all. */
interface Files {
  readonly tools: string
  readonly database: string
  readonly handlers: string
}

/** Checks what was read. Errors name the file and the place in it. */
function checked(source: EnvironmentSource, files: Files): EnvironmentSource {
  try {
    compiledTools(source)
  } catch (error) {
    if (!(error instanceof TaraError)) throw error
    const place = error.path.replace(/^openEnvironment: source\.?/, '')
    const file = place.startsWith('database')
      ? files.database
      : place.endsWith('.handler')
        ? files.handlers
        : files.tools
    throw new TaraError(error.code, place === '' ? file : `${file}: ${place}`, error.detail)
  }
  return source
}

/** `kind` of a tool, or what the annotations of MCP say. */
function kindOf({ kind, annotations }: Readonly<Record<string, unknown>>): unknown {
  if (kind !== undefined || !isObject(annotations)) return kind
  const { readOnlyHint } = annotations
  return typeof readOnlyHint === 'boolean' ? (readOnlyHint ? 'query' : 'update') : undefined
}

/** The function of a tool: an export of its name, or a member of the default export. */
function handlerOf(file: string, handlers: Readonly<Record<string, unknown>>, name: unknown): unknown {
  if (typeof name !== 'string') return () => ({}) // the name itself is refused later
  const { default: rest } = handlers
  const found: unknown =
    Object.hasOwn(handlers, name) && name !== 'default'
      ? handlers[name]
      : isObject(rest) && Object.hasOwn(rest, name)
        ? rest[name]
        : undefined
  return typeof found === 'function' ? found : fail('MISSING', file, `a function ${show(name)}`, show(found))
}

async function loadFolder(folder: string, options: LoadOptions): Promise<EnvironmentSource> {
  const names = await readdir(folder)
  const handlersName = HANDLERS.find((name) => names.includes(name)) ?? HANDLERS[0]!
  const files: Files = {
    tools: join(folder, TOOLS),
    database: join(folder, DATABASE),
    handlers: join(folder, handlersName),
  }
  const read = await readJson(files.tools)
  const described: unknown = Array.isArray(read) ? { tools: read } : read
  if (!isObject(described))
    fail('TYPE', files.tools, 'an object with "tools", or a list of tools', show(read))
  const { name = basename(folder), description = '', tools } = described
  if (!Array.isArray(tools)) fail('TYPE', `${files.tools}: tools`, 'a list of tools', show(tools))
  if (typeof description !== 'string')
    fail('TYPE', `${files.tools}: description`, 'a string', show(description))
  const database = await readJson(files.database)
  if (!isObject(database)) fail('TYPE', files.database, 'an object', show(database))
  const handlers = await load(files.handlers, options)
  const made: unknown[] = tools.map((tool: unknown) =>
    isObject(tool)
      ? { ...tool, kind: kindOf(tool), handler: handlerOf(files.handlers, handlers, tool.name) }
      : tool,
  )
  const source = { name, description, database, tools: made }
  return checked(source as EnvironmentSource, files)
}

async function loadModule(file: string, options: LoadOptions): Promise<EnvironmentSource> {
  const { default: source } = await load(file, options)
  if (!isObject(source)) fail('TYPE', `${file}: default`, 'an environment', show(source))
  return checked(source as object as EnvironmentSource, { tools: file, database: file, handlers: file })
}

/** Loads the environments of a folder and checks them: those of its sub-folders and modules, by name of the file, or
 * the one that it is itself.
 * @param folder - one with a `tools.json` is an environment; files and folders whose name starts with `.` or `_` are left
 * out, and so is `node_modules`
 * @throws TaraError with file and place: bad JSON, a schema that is none, a tool named twice, a function that is not
 * there, a module that is not loaded in `timeout`; `EMPTY` for a folder without environments. The error of the system where the folder cannot be read
 */
export async function loadEnvironments(
  folder: string,
  options?: Partial<LoadOptions>,
): Promise<EnvironmentSource[]> {
  const settings = resolveOptions('loadEnvironments', options, loadDefaults, { timeout: aTimeout })
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  if (entries.some(({ name }) => name === TOOLS)) return [await loadFolder(folder, settings)]
  const sources: EnvironmentSource[] = []
  const named = new Map<string, string>()
  for (const entry of entries) {
    if (/^[._]|^node_modules$/.test(entry.name)) continue
    const path = join(folder, entry.name)
    const isModule = !entry.isDirectory() && modules.includes(extname(entry.name))
    if (!isModule && !entry.isDirectory()) continue
    const source = isModule ? await loadModule(path, settings) : await loadFolder(path, settings)
    const other = named.get(source.name)
    if (other !== undefined)
      fail('DUPLICATE', path, 'an environment with a name of its own', `${show(source.name)}, as in ${other}`)
    named.set(source.name, path)
    sources.push(source)
  }
  if (sources.length === 0)
    fail('EMPTY', folder, `sub-folders with ${TOOLS}, or modules`, 'a folder without environments')
  return sources
}
