/** A small environment with every kind of tool and every kind of fault. */
import type { EnvironmentSource, Handler, JsonSchema, Tool } from '../../src/synth/types.js'

export const record = (
  properties: Record<string, JsonSchema>,
  required = Object.keys(properties),
): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

export const integer: JsonSchema = { type: 'integer' }
export const string: JsonSchema = { type: 'string' }

export function makeTool(
  name: string,
  kind: Tool['kind'],
  inputSchema: JsonSchema,
  outputSchema: JsonSchema,
  handler: Handler,
  rest: Partial<Tool> = {},
): Tool {
  return { name, description: `Does ${name}.`, kind, inputSchema, outputSchema, handler, ...rest }
}

const anything: JsonSchema = { type: 'object' }

/** Counts, mints, fails. */
export const counter: EnvironmentSource = {
  name: 'counter',
  description: 'A number.',
  database: { n: 0, items: [] },
  tools: [
    makeTool('inc', 'update', record({}), record({ n: integer }), (database) => {
      database.n = (database.n as number) + 1
      return { n: database.n }
    }),
    makeTool('add', 'update', record({ v: integer }), record({ count: integer }), (database, { v }) => {
      const items = database.items as number[]
      items.push(v as number)
      return { count: items.length }
    }),
    makeTool('create', 'update', record({}), anything, (database, _, { newId, now, random }) => {
      const made = { id: newId('thing'), at: now(), luck: random() }
      ;(database.items as object[]).push(made)
      return made
    }),
    makeTool('read', 'query', record({}), anything, (database) => database),
    makeTool('throws', 'update', record({}), anything, (database) => {
      database.n = 99
      throw new Error('The counter is stuck.')
    }),
    makeTool('hangs', 'update', record({}), anything, (database) => {
      database.n = 99
      return new Promise(() => undefined)
    }),
    makeTool('late', 'update', record({ ms: integer }), anything, async (database, { ms }) => {
      await new Promise((resolve) => setTimeout(resolve, ms as number))
      database.n = 7
      return { n: 7 }
    }),
    makeTool('wrong', 'update', record({}), record({ n: integer }), (database) => {
      database.n = 99
      return { n: 'ninety-nine' }
    }),
    makeTool('dates', 'update', record({}), anything, (database) => {
      Object.assign(database, { when: new Date(0) })
      return {}
    }),
  ],
}
