import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RemovalReason, sanitizeGraph } from '../../src/synth/sanitize.js'
import type { ToolDefinition, ToolEdge, ToolGraph } from '../../src/synth/types.js'
import { acyclicGraph, anyGraph, edgesOf, hasCycle } from './graphs.js'

const numRuns = 2000
const pair = ({ from, to }: ToolEdge): string => `${from}→${to}`
const parameters = ({ nodes, edges }: ToolGraph): ToolGraph => ({
  nodes,
  edges: edges.filter(({ kind, from, to }) => kind === 'parameter' && from !== to),
})

describe('sanitizeGraph', () => {
  it('leaves no cycle and adds no edge (C45)', () => {
    fc.assert(
      fc.property(anyGraph(7), (dirty) => {
        const { graph, removed } = sanitizeGraph(dirty)
        expect(hasCycle(graph)).toBe(false)
        expect(graph.nodes).toBe(dirty.nodes)
        for (const edge of graph.edges) expect(dirty.edges).toContain(edge)
        expect(graph.edges.length + removed.length).toBe(dirty.edges.length)
      }),
      { numRuns },
    )
  })

  it('gives a graph without cycles back as it was, and so its own result (C45)', () => {
    fc.assert(
      fc.property(acyclicGraph(), (clean) => {
        expect(sanitizeGraph(clean)).toEqual({ graph: clean, removed: [] })
      }),
      { numRuns },
    )
    fc.assert(
      fc.property(anyGraph(), (dirty) => {
        const { graph } = sanitizeGraph(dirty)
        expect(sanitizeGraph(graph)).toEqual({ graph, removed: [] })
      }),
      { numRuns },
    )
  })

  it('breaks a cycle at a parameter edge only where parameter edges make a cycle by themselves (C45)', () => {
    fc.assert(
      fc.property(anyGraph(7), (dirty) => {
        const broken = sanitizeGraph(dirty).removed.filter(({ reason }) => reason === 'cycle')
        if (broken.some(({ edge }) => edge.kind === 'parameter'))
          expect(hasCycle(parameters(dirty))).toBe(true)
      }),
      { numRuns },
    )
  })

  it('removes for a cycle only what lies on one, at that moment', () => {
    fc.assert(
      fc.property(anyGraph(7), (dirty) => {
        const { graph, removed } = sanitizeGraph(dirty)
        const broken = removed.filter(({ reason }) => reason === 'cycle').map(({ edge }) => edge)
        for (const [k, edge] of broken.entries()) {
          const edges = [...graph.edges, ...broken.slice(k)]
          const reaches = (at: string, seen: readonly string[] = []): boolean =>
            at === edge.from ||
            edges.some(({ from, to }) => from === at && !seen.includes(to) && reaches(to, [...seen, at]))
          expect(reaches(edge.to)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('puts back what closes no cycle, if asked to', () => {
    let more = 0
    fc.assert(
      fc.property(anyGraph(7), (dirty) => {
        const { graph, removed } = sanitizeGraph(dirty, { reinsert: true })
        expect(hasCycle(graph)).toBe(false)
        for (const { edge, reason } of removed)
          if (reason === 'cycle')
            expect(hasCycle({ nodes: graph.nodes, edges: [...graph.edges, edge] })).toBe(true)
        more += graph.edges.length - sanitizeGraph(dirty).graph.edges.length
      }),
      { numRuns, seed: 1 },
    )
    expect(more).toBeGreaterThan(0)
  })

  it('removes only c→a in the worked example (D6)', () => {
    const edges: ToolEdge[] = [
      { from: 'a', to: 'b', kind: 'parameter', confidence: 0.9 },
      { from: 'b', to: 'c', kind: 'parameter', confidence: 0.8 },
      { from: 'c', to: 'a', kind: 'semantic', confidence: 0.95 },
      { from: 'c', to: 'd', kind: 'semantic' },
    ]
    const { graph, removed } = sanitizeGraph({ nodes: ['a', 'b', 'c', 'd'], edges })
    expect(removed.map(({ edge, reason }) => [pair(edge), reason])).toEqual([['c→a', 'cycle']])
    expect(graph.edges.map(pair)).toEqual(['a→b', 'b→c', 'c→d'])
  })

  const firstOut = (edges: ToolEdge[]): string =>
    pair(sanitizeGraph({ nodes: ['a', 'b', 'c', 'd'], edges }).removed[0]!.edge)
  const p = (from: string, to: string, confidence?: number): ToolEdge => ({
    from,
    to,
    kind: 'parameter',
    ...(confidence !== undefined && { confidence }),
  })

  it('asks for kind, then confidence, then what is unlocked, then the order of the input (B38)', () => {
    expect(firstOut([p('a', 'b', 0.1), { ...p('b', 'a', 1), kind: 'semantic' }])).toBe('b→a')
    expect(firstOut([p('a', 'b', 0.2), p('b', 'a', 0.7)])).toBe('a→b')
    expect(firstOut([p('a', 'b'), p('b', 'a', 0.1)])).toBe('a→b')
    expect(firstOut([p('a', 'b'), p('b', 'a')])).toBe('b→a')
    // Two cycles through a: without c→a the other one is left, without a→b neither.
    expect(firstOut([p('a', 'b'), p('b', 'c'), p('c', 'a'), p('b', 'a')])).toBe('a→b')
  })

  it('keeps the better of parallel edges and both bindings', () => {
    const edges: ToolEdge[] = [
      { from: 'a', to: 'b', kind: 'semantic', confidence: 1 },
      { from: 'a', to: 'b', kind: 'parameter', bindings: [['id', 'x']] },
      { from: 'a', to: 'b', kind: 'parameter', bindings: [['name', 'y']] },
    ]
    const { graph, removed } = sanitizeGraph({ nodes: ['a', 'b'], edges })
    const bindings = [
      ['id', 'x'],
      ['name', 'y'],
    ]
    expect(graph.edges).toEqual([{ from: 'a', to: 'b', kind: 'parameter', bindings }])
    expect(removed.map(({ edge, reason }) => [edge.kind, reason])).toEqual([
      ['semantic', 'parallel'],
      ['parameter', 'parallel'],
    ])
  })

  const tool = (name: string, input: object, output: object): ToolDefinition => ({
    name,
    description: '',
    kind: 'query',
    inputSchema: { type: 'object', properties: input },
    outputSchema: { type: 'object', properties: output },
  })
  const tools = [
    tool(
      'find',
      { q: { type: 'string' } },
      { rows: { type: 'array', items: { properties: { id: { type: 'integer' } } } } },
    ),
    tool('open', { id: { type: 'number' } }, { text: { type: 'string' } }),
    tool('close', { id: { type: 'string' } }, {}),
  ]
  const reasons = (edges: ToolEdge[], unknown: 'error' | 'drop' = 'drop'): [string, RemovalReason][] =>
    sanitizeGraph({ nodes: tools.map(({ name }) => name), edges }, { tools, unknown }).removed.map(
      ({ edge, reason }) => [pair(edge), reason],
    )

  it('removes edges that cannot be followed (B39)', () => {
    expect(
      reasons([
        p('find', 'open'), // id is an integer, which is a number
        p('find', 'close'), // id is no string
        { from: 'find', to: 'close', kind: 'semantic' },
        { ...p('open', 'close'), bindings: [['text', 'id']] }, // named apart, bound by hand
        { ...p('open', 'find'), bindings: [['title', 'q']] }, // no such output
        p('open', 'open'),
        p('ghost', 'open'),
      ]),
    ).toEqual([
      ['find→close', 'not-executable'],
      ['open→find', 'not-executable'],
      ['open→open', 'self-loop'],
      ['ghost→open', 'unknown-tool'],
    ])
  })

  it('refuses an edge of an unknown tool that a person wrote, a kind and a confidence that are none', () => {
    expect(() => reasons([p('find', 'open'), p('find', 'opne')], 'error')).toThrow(
      'sanitizeGraph: graph.edges[1].to: expected a node, got unknown "opne"',
    )
    expect(() => reasons([p('find', 'open', 2)])).toThrow(
      'graph.edges[0].confidence: expected a number in [0, 1]',
    )
    expect(() => sanitizeGraph({ nodes: ['a'], edges: edgesOf('aa', 'other' as 'semantic') })).toThrow(
      'graph.edges[0].kind: expected "parameter" or "semantic"',
    )
  })
})
