/**
 * A graph as a judge proposes it → one that can be unlocked: without cycles, every edge one that can be followed.
 *
 * In this order: edges that cannot be followed leave (of unknown tools, of a tool to itself, parameter edges whose
 * source gives nothing the target takes), parallel edges become one, cycles are broken. To break a cycle the edge of
 * lowest priority among those inside a strongly connected component leaves, again and again. Priority: a parameter edge
 * before a semantic one, then the higher confidence (none counts as 0), then the edge whose removal would unlock fewer
 * tools, then the one listed first.
 */
import { fail, show } from '../errors.js'
import { aBoolean, type Check, oneOf, resolveOptions } from '../options.js'
import { adjacency, cyclicComponents, isParallel } from './graph.js'
import { areCompatible, inputsOf, outputPaths } from './schema.js'
import type { ToolDefinition, ToolEdge, ToolGraph } from './types.js'

export type RemovalReason = 'unknown-tool' | 'self-loop' | 'not-executable' | 'parallel' | 'cycle'

export interface RemovedEdge {
  readonly edge: ToolEdge
  readonly reason: RemovalReason
  /** A sentence for people. */
  readonly detail: string
}

export interface SanitizedGraph {
  readonly graph: ToolGraph
  /** In the order of removal. */
  readonly removed: readonly RemovedEdge[]
}

export interface SanitizeOptions {
  /** Schemas to test parameter edges against; without them none is tested. */
  readonly tools: readonly ToolDefinition[] | undefined
  /** An edge of an unknown tool: an error where a person wrote it, dropped where a judge proposed it. */
  readonly unknown: 'error' | 'drop'
  /** Puts back, by priority, what turns out not to close a cycle once all are broken. */
  readonly reinsert: boolean
}

export const sanitizeDefaults: Readonly<SanitizeOptions> = Object.freeze({
  tools: undefined,
  unknown: 'error',
  reinsert: false,
})

const aList: Check = (value) => (value === undefined || Array.isArray(value) ? undefined : 'a list of tools')

const checks = { tools: aList, unknown: oneOf('error', 'drop'), reinsert: aBoolean }

/** The bindings that can be followed: the output has the path, the tool the argument, and the types agree. */
export function executableBindings(
  edge: ToolEdge,
  from: ToolDefinition,
  to: ToolDefinition,
): readonly (readonly [output: string, argument: string])[] {
  const outputs = outputPaths(from.outputSchema)
  const inputs = inputsOf(to)
  const pairs =
    edge.bindings ??
    inputs.flatMap(({ name }) =>
      outputs.filter((output) => output.name === name).map(({ path }) => [path, name] as const),
    )
  return pairs.filter(([path, argument]) => {
    const given = outputs.find((output) => output.path === path)?.types
    const wanted = inputs.find(({ name }) => name === argument)?.types
    return given !== undefined && wanted !== undefined && areCompatible(given, wanted)
  })
}

/** Below 0 where `a` is of lower priority, by kind and confidence alone. */
function compareRank(a: ToolEdge, b: ToolEdge): number {
  if (a.kind !== b.kind) return a.kind === 'semantic' ? -1 : 1
  return (a.confidence ?? 0) - (b.confidence ?? 0)
}

function removal(edge: ToolEdge, reason: RemovalReason, detail: string): RemovedEdge {
  return { edge, reason, detail: `${edge.from} → ${edge.to} (${edge.kind}): ${detail}` }
}

function checkEdge(place: string, { kind, confidence }: ToolEdge): void {
  if (kind !== 'parameter' && kind !== 'semantic')
    fail('OPTION', `${place}.kind`, '"parameter" or "semantic"', show(kind))
  if (confidence !== undefined && !(typeof confidence === 'number' && confidence >= 0 && confidence <= 1))
    fail('RANGE', `${place}.confidence`, 'a number in [0, 1]', show(confidence))
}

/** Why an edge cannot be followed, or nothing. */
function uselessness(
  edge: ToolEdge,
  nodes: ReadonlySet<string>,
  tools: ReadonlyMap<string, ToolDefinition>,
): RemovedEdge | undefined {
  const stranger = [edge.from, edge.to].find((name) => !nodes.has(name))
  if (stranger !== undefined) return removal(edge, 'unknown-tool', `there is no tool ${show(stranger)}`)
  if (edge.from === edge.to) return removal(edge, 'self-loop', 'a tool cannot come before itself')
  const from = tools.get(edge.from)
  const to = tools.get(edge.to)
  if (edge.kind === 'semantic' || from === undefined || to === undefined) return undefined
  if (executableBindings(edge, from, to).length > 0) return undefined
  return removal(edge, 'not-executable', 'no output of the one is an argument of the other, by name and type')
}

/** Of two parallel edges the one that stays: of higher rank, else the first. Bindings of both are kept. */
function merged(first: ToolEdge, second: ToolEdge): { kept: ToolEdge; gone: ToolEdge } {
  const [kept, gone] = compareRank(first, second) >= 0 ? [first, second] : [second, first]
  if (kept.kind !== gone.kind || kept.bindings === undefined || gone.bindings === undefined)
    return { kept, gone }
  const more = gone.bindings.filter(
    ([path, name]) => !kept.bindings!.some(([p, n]) => p === path && n === name),
  )
  return { kept: more.length === 0 ? kept : { ...kept, bindings: [...kept.bindings, ...more] }, gone }
}

function collapse(edges: readonly ToolEdge[], removed: RemovedEdge[]): ToolEdge[] {
  const kept: ToolEdge[] = []
  for (const edge of edges) {
    const at = kept.findIndex((other) => isParallel(edge, other))
    if (at < 0) {
      kept.push(edge)
      continue
    }
    const pair = merged(kept[at]!, edge)
    kept[at] = pair.kept
    removed.push(removal(pair.gone, 'parallel', 'another edge joins the same tools'))
  }
  return kept
}

/** How many nodes Kahn's algorithm gets to. */
function unlockCount(nodes: readonly string[], edges: readonly ToolEdge[]): number {
  const { next, needs } = adjacency('sanitizeGraph: graph', { nodes, edges })
  const ready = [...needs.keys()].filter((node) => needs[node] === 0)
  let count = 0
  for (let at = 0; at < ready.length; at++, count++)
    for (const to of next[ready[at]!]!) if (--needs[to]! === 0) ready.push(to)
  return count
}

/** The edge of lowest priority among those inside a component; `undefined` where there is no cycle. */
function weakest(nodes: readonly string[], edges: readonly ToolEdge[]): ToolEdge | undefined {
  const { index, next } = adjacency('sanitizeGraph: graph', { nodes, edges })
  const component = new Int32Array(nodes.length).fill(-1)
  for (const [k, members] of cyclicComponents(next).entries()) for (const node of members) component[node] = k
  const at = (name: string): number => component[index.get(name)!]!
  const inside = edges.filter(({ from, to }) => at(from) >= 0 && at(from) === at(to))
  if (inside.length === 0) return undefined
  const lowest = inside.reduce((low, edge) => (compareRank(edge, low) < 0 ? edge : low))
  const tied = inside.filter((edge) => compareRank(edge, lowest) === 0)
  let best = tied.at(-1)!
  let gain = -1
  if (tied.length === 1) return best
  for (const edge of tied) {
    const count = unlockCount(
      nodes,
      edges.filter((other) => other !== edge),
    )
    if (count >= gain) best = edge
    gain = Math.max(gain, count)
  }
  return best
}

function breakCycles(
  nodes: readonly string[],
  edges: readonly ToolEdge[],
  removed: RemovedEdge[],
): ToolEdge[] {
  let kept = [...edges]
  for (;;) {
    const edge = weakest(nodes, kept)
    if (edge === undefined) return kept
    kept = kept.filter((other) => other !== edge)
    removed.push(removal(edge, 'cycle', 'of lowest priority on a cycle'))
  }
}

/** Puts edges back that close no cycle any more; the order of `edges` is kept. */
function reinserted(
  nodes: readonly string[],
  edges: readonly ToolEdge[],
  kept: readonly ToolEdge[],
): ToolEdge[] {
  const gone = edges.filter((edge) => !kept.includes(edge)).sort((a, b) => compareRank(b, a))
  let all = [...kept]
  for (const edge of gone) {
    const more = edges.filter((other) => other === edge || all.includes(other))
    if (cyclicComponents(adjacency('sanitizeGraph: graph', { nodes, edges: more }).next).length === 0)
      all = more
  }
  return all
}

/** Makes a graph of tools acyclic and followable, and says what left and why. A graph that already is both comes back
 * as it was.
 * @param graph - edges in the order of the judge; not changed
 * @throws TaraError `MISSING` for an edge of an unknown tool, unless such edges are dropped; `DUPLICATE` for a node
 *   given twice
 */
export function sanitizeGraph(graph: ToolGraph, options?: Partial<SanitizeOptions>): SanitizedGraph {
  const { tools = [], unknown, reinsert } = resolveOptions('sanitizeGraph', options, sanitizeDefaults, checks)
  const { nodes } = graph
  if (unknown === 'error') adjacency('sanitizeGraph: graph', graph)
  else adjacency('sanitizeGraph: graph', { nodes, edges: [] })
  for (const [k, edge] of graph.edges.entries()) checkEdge(`sanitizeGraph: graph.edges[${k}]`, edge)
  const names = new Set(nodes)
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const removed: RemovedEdge[] = []
  const useful = graph.edges.filter((edge) => {
    const useless = uselessness(edge, names, byName)
    if (useless !== undefined) removed.push(useless)
    return useless === undefined
  })
  const single = collapse(useful, removed)
  let edges = breakCycles(nodes, single, removed)
  if (reinsert) edges = reinserted(nodes, single, edges)
  return { graph: { nodes, edges }, removed: removed.filter(({ edge }) => !edges.includes(edge)) }
}
