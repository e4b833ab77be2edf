/**
 * The order that a tool graph asks for: successors, cycles, what is unlocked, how long the longest chain is.
 *
 * An edge `from → to` says that `to` needs `from`. Everything here answers in the order of `nodes`.
 */
import { fail, show } from '../errors.js'
import type { ToolEdge, ToolGraph } from './types.js'

/** A graph by index. */
export interface Adjacency {
  readonly index: ReadonlyMap<string, number>
  /** Different successors of each node, in the order of the edges. */
  readonly next: readonly (readonly number[])[]
  /** How many different nodes each node needs. */
  readonly needs: Int32Array
}

/** Reads a graph by index; parallel edges count once.
 * @param place - names the graph in errors
 * @throws TaraError `DUPLICATE` for a node given twice, `MISSING` for an edge of an unknown node
 */
export function adjacency(place: string, { nodes, edges }: ToolGraph): Adjacency {
  const index = new Map<string, number>()
  for (const [k, node] of nodes.entries()) {
    if (index.has(node)) fail('DUPLICATE', `${place}.nodes[${k}]`, 'a name of its own', show(node))
    index.set(node, k)
  }
  const next: number[][] = nodes.map(() => [])
  const needs = new Int32Array(nodes.length)
  for (const [k, edge] of edges.entries()) {
    const from = index.get(edge.from)
    const to = index.get(edge.to)
    if (from === undefined)
      fail('MISSING', `${place}.edges[${k}].from`, 'a node', `unknown ${show(edge.from)}`)
    if (to === undefined) fail('MISSING', `${place}.edges[${k}].to`, 'a node', `unknown ${show(edge.to)}`)
    if (next[from]!.includes(to)) continue
    next[from]!.push(to)
    needs[to]!++
  }
  return { index, next, needs }
}

/** Strongly connected components of more than one node, and nodes with an edge to themselves (Tarjan, iterative). */
export function cyclicComponents(next: readonly (readonly number[])[]): number[][] {
  const order = new Int32Array(next.length).fill(-1)
  const low = new Int32Array(next.length)
  const isOpen = new Uint8Array(next.length)
  const open: number[] = []
  const found: number[][] = []
  let visited = 0
  function enter(node: number): { node: number; at: number } {
    order[node] = low[node] = visited++
    isOpen[node] = 1
    open.push(node)
    return { node, at: 0 }
  }
  function close(node: number): void {
    const members: number[] = []
    let member: number
    do {
      member = open.pop()!
      isOpen[member] = 0
      members.push(member)
    } while (member !== node)
    if (members.length > 1 || next[node]!.includes(node)) found.push(members.sort((a, b) => a - b))
  }
  for (let root = 0; root < next.length; root++) {
    if (order[root]! >= 0) continue
    const frames = [enter(root)]
    while (frames.length > 0) {
      const frame = frames.at(-1)!
      const child = next[frame.node]![frame.at++]
      if (child === undefined) {
        frames.pop()
        const parent = frames.at(-1)?.node
        if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[frame.node]!)
        if (low[frame.node] === order[frame.node]) close(frame.node)
      } else if (order[child]! < 0) frames.push(enter(child))
      else if (isOpen[child] === 1) low[frame.node] = Math.min(low[frame.node]!, order[child]!)
    }
  }
  return found.sort((a, b) => a[0]! - b[0]!)
}

/** Finds the nodes that lie on cycles, one list for each set of nodes that reach each other. Nodes that merely come
 * after a cycle are not named.
 * @throws TaraError `DUPLICATE`, `MISSING` for nodes and edges that do not fit
 */
export function findCycles(graph: ToolGraph): string[][] {
  const { next } = adjacency('findCycles: graph', graph)
  return cyclicComponents(next).map((members) => members.map((member) => graph.nodes[member]!))
}

/** Throws for a graph with a cycle, naming the nodes on it. */
export function checkAcyclic(place: string, { next }: Adjacency, nodes: readonly string[]): void {
  const [cycle] = cyclicComponents(next)
  if (cycle !== undefined)
    fail(
      'MISMATCH',
      place,
      'a graph without cycles',
      `a cycle through ${cycle.map((k) => nodes[k]).join(', ')}`,
    )
}

/** Orders the nodes so that each comes after all that it needs; of those that may come next, the first in `nodes`.
 * @throws TaraError `MISMATCH` for a cycle
 */
export function topologicalOrder(graph: ToolGraph): string[] {
  const around = adjacency('topologicalOrder: graph', graph)
  checkAcyclic('topologicalOrder: graph', around, graph.nodes)
  const waits = around.needs.slice()
  const isDone = new Uint8Array(waits.length)
  const order: string[] = []
  while (order.length < waits.length) {
    const node = waits.findIndex((count, k) => count === 0 && isDone[k] === 0)
    isDone[node] = 1
    order.push(graph.nodes[node]!)
    for (const to of around.next[node]!) waits[to]!--
  }
  return order
}

/** Counts the nodes of the longest chain, 0 for an empty graph.
 * @throws TaraError `MISMATCH` for a cycle
 */
export function longestPath(graph: ToolGraph): number {
  const { index, next } = adjacency('longestPath: graph', graph)
  const length = new Int32Array(graph.nodes.length).fill(1)
  let longest = 0
  for (const name of topologicalOrder(graph)) {
    const node = index.get(name)!
    longest = Math.max(longest, length[node]!)
    for (const to of next[node]!) length[to] = Math.max(length[to]!, length[node]! + 1)
  }
  return longest
}

/** What can be done now, and what never. */
export interface Unlocked {
  /** Not done, and all that they need is done. */
  readonly unlocked: readonly string[]
  /** Need, directly or not, something that failed or that is on a cycle. */
  readonly unreachable: readonly string[]
}

/** Says which nodes are unlocked once some are done and some have failed.
 * @throws TaraError `MISSING` for a name that is no node
 */
export function unlockedTools(
  graph: ToolGraph,
  done: Iterable<string> = [],
  failed: Iterable<string> = [],
): Unlocked {
  const { index, next, needs } = adjacency('unlockedTools: graph', graph)
  const at = (list: string, name: string): number =>
    index.get(name) ?? fail('MISSING', `unlockedTools: ${list}`, 'names of nodes', show(name))
  const isDone = new Set(Array.from(done, (name) => at('done', name)))
  const hasFailed = new Set(Array.from(failed, (name) => at('failed', name)))
  const waits = needs.slice()
  for (const node of isDone) for (const to of next[node]!) waits[to]!--
  const isOpen = (node: number): boolean => waits[node] === 0 && !isDone.has(node) && !hasFailed.has(node)
  const unlocked = [...waits.keys()].filter(isOpen)
  const possible = [...unlocked]
  for (let k = 0; k < possible.length; k++)
    for (const to of next[possible[k]!]!) {
      waits[to]!--
      if (isOpen(to)) possible.push(to)
    }
  const isReached = new Set([...isDone, ...hasFailed, ...possible])
  return {
    unlocked: unlocked.map((node) => graph.nodes[node]!),
    unreachable: graph.nodes.filter((_, node) => !isReached.has(node)),
  }
}

/** Whether two edges join the same nodes in the same direction. */
export function isParallel(a: ToolEdge, b: ToolEdge): boolean {
  return a.from === b.from && a.to === b.to
}
