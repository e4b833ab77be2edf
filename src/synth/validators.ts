/**
 * Tools of an environment, checked once and compiled: what every state of the environment shares.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fail, show } from '../errors.js'
import { copyObject, isObject, NotJson } from './copy.js'
import type { EnvironmentSource, JsonSchema, Tool } from './types.js'

/** Says what is wrong with a value, or nothing. */
export type Validate = (value: unknown) => string | undefined

export interface CompiledTool {
  readonly tool: Tool
  readonly input: Validate
  readonly output: Validate
}

/** Names of tools as MCP and the model endpoints take them. */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/

function sentence(root: string, error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) =>
      /^\d+$/.test(step) ? `[${step}]` : `.${step.replaceAll('~1', '/').replaceAll('~0', '~')}`,
    )
    .join('')
  const extra: unknown = error.params.additionalProperty ?? error.params.allowedValues
  const what = Array.isArray(extra)
    ? `: ${extra.map(show).join(', ')}`
    : extra === undefined
      ? ''
      : `: ${extra}`
  return `${root}${path} ${error.message ?? 'is not valid'}${what}`
}

function asValidate(root: string, validate: ValidateFunction): Validate {
  return (value) => (validate(value) ? undefined : sentence(root, validate.errors![0]!))
}

/** Compiles JSON Schemas: draft 7 where `$schema` says so, else draft 2020-12. */
export function schemaCompiler(): (place: string, root: string, schema: unknown) => Validate {
  const options = {
    strict: false,
    validateFormats: false,
    addUsedSchema: false,
    ownProperties: true,
  } as const
  const newest = new Ajv2020({ ...options, logger: false })
  const draft7 = new Ajv({ ...options, logger: false })
  return (place, root, schema) => {
    if (!isObject(schema)) fail('TYPE', place, 'a JSON Schema', show(schema))
    if (schema.$async === true) fail('TYPE', `${place}.$async`, 'a schema that is not asynchronous', 'true')
    const ajv = typeof schema.$schema === 'string' && schema.$schema.includes('draft-07') ? draft7 : newest
    try {
      return asValidate(root, ajv.compile(schema))
    } catch (error) {
      fail('TYPE', place, 'a valid JSON Schema', (error as Error).message)
    }
  }
}

function checkObjectSchema(place: string, schema: JsonSchema): void {
  if (schema.type !== 'object') fail('TYPE', `${place}.type`, '"object"', show(schema.type))
}

function checkNames(place: string, names: unknown, known: (name: string) => boolean, wish: string): void {
  if (names === undefined) return
  if (!Array.isArray(names)) fail('TYPE', place, 'a list', show(names))
  for (const [k, name] of names.entries())
    if (typeof name !== 'string' || !known(name)) fail('MISSING', `${place}[${k}]`, wish, show(name))
}

function checkTool(place: string, tool: unknown): asserts tool is Tool {
  if (!isObject(tool)) fail('TYPE', place, 'a tool', show(tool))
  const { name, description, kind } = tool
  if (typeof name !== 'string' || !TOOL_NAME.test(name))
    fail('TYPE', `${place}.name`, 'letters, digits, _, - and dots, at most 128', show(name))
  if (typeof description !== 'string') fail('TYPE', `${place}.description`, 'a string', show(description))
  if (kind !== 'query' && kind !== 'update') fail('TYPE', `${place}.kind`, '"query" or "update"', show(kind))
  const handler: unknown = tool.handler
  if (typeof handler !== 'function') fail('TYPE', `${place}.handler`, 'a function', show(handler))
}

function checkDatabase(place: string, database: unknown): void {
  try {
    copyObject(database, place)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const [, wish, fact] = /: expected (.*), got (.*)$/s.exec(error.message)!
    fail('TYPE', error.message.slice(0, error.message.indexOf(': expected')), wish!, fact!)
  }
}

function compile(source: EnvironmentSource): ReadonlyMap<string, CompiledTool> {
  const at = 'openEnvironment: source'
  if (!isObject(source)) fail('TYPE', at, 'an environment', show(source))
  if (typeof source.name !== 'string' || source.name === '')
    fail('TYPE', `${at}.name`, 'a name', show(source.name))
  if (!Array.isArray(source.tools)) fail('TYPE', `${at}.tools`, 'a list of tools', show(source.tools))
  checkDatabase(`${at}.database`, source.database)
  const compileSchema = schemaCompiler()
  const tools = new Map<string, CompiledTool>()
  for (const [k, tool] of source.tools.entries()) {
    const place = `${at}.tools[${k}]`
    checkTool(place, tool)
    if (tools.has(tool.name)) fail('DUPLICATE', `${place}.name`, 'a name of its own', show(tool.name))
    const input = compileSchema(`${place}.inputSchema`, 'arguments', tool.inputSchema)
    const output = compileSchema(`${place}.outputSchema`, 'output', tool.outputSchema)
    checkObjectSchema(`${place}.inputSchema`, tool.inputSchema)
    checkObjectSchema(`${place}.outputSchema`, tool.outputSchema)
    tools.set(tool.name, { tool, input, output })
  }
  for (const [k, { name: own, after, inert, inputSchema }] of source.tools.entries()) {
    const place = `${at}.tools[${k}]`
    const inputs = isObject(inputSchema.properties) ? inputSchema.properties : {}
    checkNames(`${place}.after`, after, (name) => tools.has(name), 'the name of a tool')
    const self = after?.indexOf(own) ?? -1
    if (self >= 0) fail('MISMATCH', `${place}.after[${self}]`, 'the name of another tool', show(own))
    checkNames(`${place}.inert`, inert, (name) => Object.hasOwn(inputs, name), 'the name of an argument')
  }
  return tools
}

/** What was compiled, by source: a source may be opened once a rollout. */
const compiled = new WeakMap<EnvironmentSource, ReadonlyMap<string, CompiledTool>>()

/** Checks the tools and the database of a source and compiles the schemas, once a source.
 * @throws TaraError with the place: a schema that is none, a tool named twice, a hint that names no tool or the tool itself
 */
export function compiledTools(source: EnvironmentSource): ReadonlyMap<string, CompiledTool> {
  let tools = compiled.get(source)
  if (tools === undefined) {
    tools = compile(source)
    compiled.set(source, tools)
  }
  return tools
}
