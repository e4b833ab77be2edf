import { describe, expect, it } from 'vitest'
import { openEnvironment } from '../../src/synth/environment.js'
import { type Grounding, groundTrace } from '../../src/synth/ground.js'
import { schemaJudge } from '../../src/synth/judge.js'
import type { EnvironmentSource, GroundedCall, JsonSchema, ToolGraph } from '../../src/synth/types.js'
import { integer, makeTool, record, string } from './counter.js'

const users = [
  { user_id: 'u1', email: 'ann@example.com', team: 'red' },
  { user_id: 'u2', email: 'bob@example.com', team: 'blue' },
]
const docs = [
  { doc_id: 'd1', owner: 'u1', pages: 3 },
  { doc_id: 'd2', owner: 'u1', pages: 5 },
]
const list = (item: JsonSchema): JsonSchema => ({ type: 'array', items: item })

/** Only ann has documents; a document can be closed once. */
const library: EnvironmentSource = {
  name: 'library',
  description: '',
  database: { users, docs, closed: [] },
  tools: [
    makeTool(
      'find_user',
      'query',
      record({ email: string }),
      record({ user_id: string }),
      ({ users }, { email }) => {
        const found = (users as { user_id: string; email: string }[]).find((user) => user.email === email)
        if (found === undefined) throw new Error('no such user')
        return { user_id: found.user_id }
      },
    ),
    makeTool(
      'list_docs',
      'query',
      record({ user_id: string }),
      record({ docs: list(record({ doc_id: string, pages: integer })) }),
      ({ docs }, { user_id }) => ({
        docs: (docs as { doc_id: string; owner: string; pages: number }[])
          .filter(({ owner }) => owner === user_id)
          .map(({ doc_id, pages }) => ({ doc_id, pages })),
      }),
    ),
    makeTool(
      'close_doc',
      'update',
      record({ doc_id: string, pages: integer, why: { ...string, examples: ['old'] } }),
      record({ done: { type: 'boolean' } }),
      ({ docs, closed }, { doc_id, pages }) => {
        const found = (docs as { doc_id: string; pages: number }[]).find((doc) => doc.doc_id === doc_id)
        if (found?.pages !== pages) throw new Error('not the number of pages')
        const all = closed as unknown[]
        if (all.includes(doc_id)) return { done: false }
        all.push(doc_id as string)
        return { done: true }
      },
    ),
  ],
}

const names = library.tools.map(({ name }) => name)
const graph: ToolGraph = {
  nodes: names,
  edges: [
    { from: 'find_user', to: 'list_docs', kind: 'parameter', bindings: [['user_id', 'user_id']] },
    {
      from: 'list_docs',
      to: 'close_doc',
      kind: 'parameter',
      bindings: [
        ['docs[].doc_id', 'doc_id'],
        ['docs[].pages', 'pages'],
      ],
    },
  ],
}
const stages = names.map((name) => [name])

function traceOf(grounding: Grounding): readonly (readonly GroundedCall[])[] {
  if (!grounding.ok) throw new Error(`${grounding.tool}: ${grounding.reason}`)
  return grounding.trace
}

describe('groundTrace', () => {
  it('copies along edges, looks up the rest, and goes back where a query finds nothing for later calls', async () => {
    for (let seed = 0; seed < 30; seed++) {
      const environment = openEnvironment(library)
      const trace = traceOf(await groundTrace(environment, graph, stages, { seed }))
      expect(trace).toMatchObject([
        [
          {
            arguments: { email: 'ann@example.com' },
            provenance: { email: { from: 'database', path: 'users[0].email' } },
          },
        ],
        [
          {
            arguments: { user_id: 'u1' },
            provenance: { user_id: { from: 'edge', turn: 0, call: 0, path: 'user_id' } },
          },
        ],
        [{ output: { done: true }, provenance: { why: { from: 'default' } } }],
      ])
      const { doc_id, pages } = trace[2]![0]!.provenance
      const k = trace[2]![0]!.arguments.doc_id === 'd1' ? 0 : 1
      expect(doc_id).toEqual({ from: 'edge', turn: 1, call: 0, path: `docs[${k}].doc_id` })
      expect(pages).toEqual({ from: 'edge', turn: 1, call: 0, path: `docs[${k}].pages` })
      expect(environment.snapshot().database.closed).toHaveLength(1)
    }
  })

  it('takes the path out of the output: the value at the provenance is the argument', async () => {
    const trace = traceOf(await groundTrace(openEnvironment(library), graph, stages, { seed: 1 }))
    for (const { arguments: args, provenance } of trace.flat())
      for (const [name, source] of Object.entries(provenance)) {
        if (source.from !== 'edge') continue
        const output: unknown = trace[source.turn]![source.call]!.output
        const value = source.path
          .split(/[.[\]]+/)
          .filter((step) => step !== '')
          .reduce((at, step) => (at as Record<string, unknown>)[step], output)
        expect(value).toBe(args[name])
      }
  })

  it('is the same for the same seed and differs between seeds', async () => {
    const ground = async (seed: number): Promise<string> =>
      JSON.stringify(await groundTrace(openEnvironment(library), graph, stages, { seed }))
    const all = new Set<string>()
    for (let seed = 0; seed < 10; seed++) {
      expect(await ground(seed)).toBe(await ground(seed))
      all.add(await ground(seed))
    }
    expect(all.size).toBe(2)
  })

  it('accepts no update that changes nothing', async () => {
    const environment = openEnvironment({ ...library, database: { users, docs, closed: ['d1'] } })
    for (let seed = 0; seed < 10; seed++) {
      const start = environment.snapshot()
      const trace = traceOf(await groundTrace(environment, graph, stages, { seed }))
      expect(trace[2]![0]!.arguments.doc_id).toBe('d2')
      environment.restore(start)
    }
  })

  it('says which tool failed and why, and leaves the state as it was', async () => {
    const environment = openEnvironment({ ...library, database: { users, docs, closed: ['d1', 'd2'] } })
    const start = environment.snapshot()
    const grounding = await groundTrace(environment, graph, stages)
    expect(grounding).toEqual({ ok: false, tool: 'close_doc', reason: 'the update changed nothing' })
    expect(environment.snapshot()).toEqual(start)
    const short = await groundTrace(environment, graph, stages, { maxCalls: 2 })
    expect(short.ok).toBe(false)
  })

  it('refuses names that are no tools', async () => {
    const environment = openEnvironment(library)
    await expect(groundTrace(environment, graph, [['nope']])).rejects.toThrow(
      'groundTrace: stages[0][0]: expected a tool',
    )
    const edges = [{ from: 'nope', to: 'list_docs', kind: 'semantic' as const }]
    await expect(groundTrace(environment, { nodes: names, edges }, stages)).rejects.toThrow('graph.edges[0]')
  })
})

describe('schemaJudge', () => {
  it('finds outputs that are required arguments, by name and type, and hints', async () => {
    const [find, docsOf, close] = library.tools
    const tools = [find!, docsOf!, { ...close!, after: ['find_user'] }]
    expect(await schemaJudge().infer(tools, 0)).toEqual([
      ...graph.edges,
      { from: 'find_user', to: 'close_doc', kind: 'semantic' },
    ])
  })

  it('lets the seed choose among the tools that could provide an argument, or takes them all', async () => {
    const maker = (name: string): (typeof library.tools)[number] =>
      makeTool(name, 'query', record({}), record({ user_id: string }), () => ({ user_id: 'u1' }))
    const tools = [maker('a'), maker('b'), library.tools[1]!]
    const chosen = new Set<string>()
    for (let seed = 0; seed < 20; seed++) {
      const edges = await schemaJudge().infer(tools, seed)
      expect(edges).toHaveLength(1)
      chosen.add(edges[0]!.from)
    }
    expect([...chosen].sort()).toEqual(['a', 'b'])
    expect(await schemaJudge({ providers: Infinity }).infer(tools, 0)).toHaveLength(2)
    expect(() => schemaJudge({ providers: 0 })).toThrow('schemaJudge: options.providers')
  })

  it('takes no argument said again for one provided, no other type, no optional argument', async () => {
    const echo = makeTool(
      'echo',
      'query',
      record({ user_id: string }),
      record({ user_id: string }),
      () => ({}),
    )
    const number = makeTool('number', 'query', record({}), record({ user_id: integer }), () => ({}))
    const optional = makeTool('optional', 'query', record({ user_id: string }, []), record({}), () => ({}))
    const give = makeTool('give', 'query', record({}), record({ user_id: string }), () => ({}))
    const pairs = async (...tools: (typeof give)[]): Promise<string[]> =>
      (await schemaJudge({ providers: Infinity }).infer(tools, 0)).map(({ from, to }) => `${from}→${to}`)
    expect(await pairs(echo, number, optional, give, library.tools[1]!)).toEqual([
      'give→echo',
      'give→list_docs',
    ])
  })
})
