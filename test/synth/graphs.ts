/** Random tool graphs, and slow, obvious versions of what is asked of them. */
import fc from 'fast-check'
import type { ToolEdge, ToolGraph } from '../../src/synth/types.js'

export const names = (n: number): string[] => Array.from({ length: n }, (_, k) => `t${k}`)

const kind = fc.constantFrom('parameter' as const, 'semantic' as const)
const confidence = fc.option(fc.constantFrom(0, 0.25, 0.5, 0.9, 1), { nil: undefined })

function edgeOf(from: number, to: number, k: ToolEdge['kind'], c: number | undefined): ToolEdge {
  return { from: `t${from}`, to: `t${to}`, kind: k, ...(c !== undefined && { confidence: c }) }
}

/** Any edges: cycles, parallel ones, loops. */
export const anyGraph = (maxNodes = 9): fc.Arbitrary<ToolGraph> =>
  fc.integer({ min: 1, max: maxNodes }).chain((n) => {
    const node = fc.nat(n - 1)
    const edge = fc.tuple(node, node, kind, confidence).map(([from, to, k, c]) => edgeOf(from, to, k, c))
    return fc.array(edge, { maxLength: 2 * n }).map((edges) => ({ nodes: names(n), edges }))
  })

/** No cycles and no parallel edges; the order of the nodes tells nothing. */
export const acyclicGraph = (maxNodes = 13): fc.Arbitrary<ToolGraph> =>
  fc.integer({ min: 1, max: maxNodes }).chain((n) => {
    const pair = fc.tuple(fc.nat(n - 1), fc.nat(n - 1), kind, confidence).filter(([a, b]) => a !== b)
    const order = fc.shuffledSubarray(names(n), { minLength: n, maxLength: n })
    return fc.tuple(fc.array(pair, { maxLength: n === 1 ? 0 : 2 * n }), order).map(([pairs, nodes]) => {
      const edges = pairs.map(([a, b, k, c]) => edgeOf(Math.min(a, b), Math.max(a, b), k, c))
      const isFirst = (edge: ToolEdge, k: number): boolean =>
        edges.findIndex(({ from, to }) => from === edge.from && to === edge.to) === k
      return { nodes, edges: edges.filter(isFirst) }
    })
  })

/** Whether some walk along the edges comes back: by trying every walk. */
export function hasCycle({ nodes, edges }: ToolGraph): boolean {
  const comesBack = (at: string, trail: readonly string[]): boolean =>
    edges.some(({ from, to }) => from === at && (trail.includes(to) || comesBack(to, [...trail, to])))
  return nodes.some((node) => comesBack(node, [node]))
}

/** Nodes of the longest chain, by trying every walk of an acyclic graph. */
export function longestWalk({ nodes, edges }: ToolGraph): number {
  const from = (node: string): number =>
    1 + Math.max(0, ...edges.filter((edge) => edge.from === node).map(({ to }) => from(to)))
  return Math.max(0, ...nodes.map(from))
}

/** `a b, c` where `b c` needs `a`… : edges of two-letter words. */
export const edgesOf = (text: string, k: ToolEdge['kind'] = 'parameter'): ToolEdge[] =>
  text.split(' ').map(([from = '', to = '']) => ({ from, to, kind: k }))
