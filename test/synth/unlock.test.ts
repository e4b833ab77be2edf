import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverStages } from '../../src/synth/cover.js'
import { findCycles, longestPath, topologicalOrder, unlockedTools } from '../../src/synth/graph.js'
import type { ToolGraph } from '../../src/synth/types.js'
import { unlockStages } from '../../src/synth/unlock.js'
import { acyclicGraph, anyGraph, edgesOf, hasCycle, longestWalk } from './graphs.js'

const seed = fc.nat()
const stageSize = fc.integer({ min: 1, max: 5 })
const d6: ToolGraph = { nodes: ['a', 'b', 'c', 'd', 'e'], edges: edgesOf('ac bc cd be') }

/** What C42 says, told from the stages alone: undefined where it holds. */
function brokenRule({ nodes, edges }: ToolGraph, stages: string[][], N: number): string | undefined {
  const at = new Map(stages.flatMap((stage, t) => stage.map((node) => [node, t] as const)))
  if (stages.flat().length !== nodes.length || at.size !== nodes.length) return 'each node once'
  if (edges.some(({ from, to }) => at.get(from)! >= at.get(to)!)) return 'edges lead to later stages'
  for (const [t, stage] of stages.entries()) {
    const isOpen = (node: string): boolean =>
      at.get(node)! >= t && edges.every(({ from, to }) => to !== node || at.get(from)! < t)
    if (stage.length !== Math.min(nodes.filter(isOpen).length, N)) return 'min(|Q|, N) a stage'
  }
  return undefined
}

describe('unlockStages', () => {
  it('takes every tool once, edges to later stages, min(|Q|, N) of the queue each time (C42)', () => {
    fc.assert(
      fc.property(acyclicGraph(), seed, stageSize, (graph, s, N) => {
        expect(brokenRule(graph, unlockStages(graph, { seed: s, stageSize: N }), N)).toBeUndefined()
      }),
      { numRuns: 3000 },
    )
  })

  it('has between max(L, ⌈n/N⌉) and L + (n − L)/N stages, and L where N is at least n (C43)', () => {
    fc.assert(
      fc.property(acyclicGraph(), seed, stageSize, (graph, s, N) => {
        const n = graph.nodes.length
        const L = longestWalk(graph)
        const m = unlockStages(graph, { seed: s, stageSize: N }).length
        expect(longestPath(graph)).toBe(L)
        expect(m).toBeGreaterThanOrEqual(Math.max(L, Math.ceil(n / N)))
        expect(m).toBeLessThanOrEqual(L + (n - L) / N)
        expect(unlockStages(graph, { seed: s, stageSize: n })).toHaveLength(L)
      }),
      { numRuns: 3000 },
    )
  })

  it('gives the same stages for the same seed (C44)', () => {
    fc.assert(
      fc.property(acyclicGraph(), seed, (graph, s) => {
        expect(unlockStages(graph, { seed: s })).toEqual(unlockStages(graph, { seed: s }))
      }),
      { numRuns: 1000 },
    )
  })

  it('gives other stages for other seeds, each choice of a stage about as often', () => {
    const graph = { nodes: ['a', 'b', 'c', 'd'], edges: [] }
    const counts = new Map<string, number>()
    for (let s = 0; s < 1200; s++) {
      const first = unlockStages(graph, { seed: s, stageSize: 2 })[0]!.sort().join('')
      counts.set(first, (counts.get(first) ?? 0) + 1)
    }
    expect(counts.size).toBe(6)
    // 200 ± 5 standard deviations
    for (const count of counts.values()) expect(Math.abs(count - 200)).toBeLessThan(65)
  })

  it('refuses a cycle, which would drop the nodes on and behind it (C46), and names the nodes on it alone', () => {
    const graph = { nodes: ['0', '1', '2', '3'], edges: edgesOf('01 12 21 23') }
    expect(() => unlockStages(graph)).toThrow(/without cycles, got a cycle through 1, 2$/)
    fc.assert(
      fc.property(anyGraph(6), (any) => {
        if (hasCycle(any)) expect(() => unlockStages(any)).toThrow(/cycle/)
        else expect(unlockStages(any).flat().sort()).toEqual([...any.nodes].sort())
      }),
      { numRuns: 1000 },
    )
  })

  it('counts parallel edges once', () => {
    const graph = { nodes: ['a', 'b'], edges: [...edgesOf('ab ab'), ...edgesOf('ab', 'semantic')] }
    expect(unlockStages(graph)).toEqual([['a'], ['b']])
  })

  it('stops after maxStages', () => {
    const whole = unlockStages(d6, { seed: 5, stageSize: 1 })
    expect(unlockStages(d6, { seed: 5, stageSize: 1, maxStages: 3 })).toEqual(whole.slice(0, 3))
  })

  it('is forced in the worked example (D6)', () => {
    for (let s = 0; s < 50; s++)
      expect(unlockStages(d6, { seed: s, stageSize: 2 }).map((stage) => stage.sort())).toEqual([
        ['a', 'b'],
        ['c', 'e'],
        ['d'],
      ])
  })

  it('refuses what is no option and no graph', () => {
    expect(() => unlockStages(d6, { stageSize: 0 })).toThrow(
      'unlockStages: options.stageSize: expected a whole number',
    )
    expect(() => unlockStages({ nodes: ['a', 'a'], edges: [] })).toThrow(
      'graph.nodes[1]: expected a name of its own',
    )
    expect(() => unlockStages({ nodes: ['a'], edges: edgesOf('xa') })).toThrow(
      'edges[0].from: expected a node',
    )
  })
})

describe('coverStages', () => {
  it('is Algorithm 1 where nothing is cut off', () => {
    const uses = new Map([['a', 3]])
    expect(coverStages(d6, uses, { seed: 4, stageSize: 1 })).toEqual(
      unlockStages(d6, { seed: 4, stageSize: 1 }),
    )
  })

  it('goes towards tools that were never used', () => {
    const uses = new Map(['a', 'b', 'c', 'd'].map((name) => [name, 2]))
    for (let s = 0; s < 20; s++)
      expect(coverStages(d6, uses, { seed: s, stageSize: 1, maxStages: 2 })).toEqual([['b'], ['e']])
  })
})

describe('the order of a graph', () => {
  it('finds cycles exactly where walking around finds them', () => {
    fc.assert(
      fc.property(anyGraph(6), (graph) => {
        expect(findCycles(graph).length > 0).toBe(hasCycle(graph))
      }),
      { numRuns: 2000 },
    )
  })

  it('puts every node after all it needs', () => {
    fc.assert(
      fc.property(acyclicGraph(), (graph) => {
        const order = topologicalOrder(graph)
        expect([...order].sort()).toEqual([...graph.nodes].sort())
        for (const { from, to } of graph.edges) expect(order.indexOf(from)).toBeLessThan(order.indexOf(to))
      }),
      { numRuns: 500 },
    )
  })

  it('says what is unlocked and what can never be', () => {
    expect(unlockedTools(d6)).toEqual({ unlocked: ['a', 'b'], unreachable: [] })
    expect(unlockedTools(d6, ['b'], ['a'])).toEqual({ unlocked: ['e'], unreachable: ['c', 'd'] })
    const loop = { nodes: ['a', 'b', 'c', 'd'], edges: edgesOf('ab ba bc') }
    expect(unlockedTools(loop)).toEqual({ unlocked: ['d'], unreachable: ['a', 'b', 'c'] })
    expect(unlockedTools(loop, ['a'])).toEqual({ unlocked: ['b', 'd'], unreachable: [] })
    expect(() => unlockedTools(d6, ['z'])).toThrow('unlockedTools: done: expected names of nodes, got "z"')
  })
})
