import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findCycles, topologicalOrder, unlockedTools } from '../../src/synth/graph.js'
import { sanitizeGraph } from '../../src/synth/sanitize.js'
import type { ToolGraph } from '../../src/synth/types.js'
import { unlockStages } from '../../src/synth/unlock.js'

const file = new URL('../../../shared/cases/cases.jsonl', import.meta.url)
const isHere = existsSync(file)

interface Case {
  readonly id: string
  readonly kind: string
  readonly area: string
  readonly input: {
    readonly nodes: readonly string[]
    readonly edges: readonly (readonly [string, string])[]
    readonly completed?: readonly string[]
    readonly failed?: readonly string[]
  }
  readonly expected: {
    readonly removedEdges?: readonly (readonly [string, string])[]
    readonly order?: readonly string[]
    readonly unlockedAtStart?: readonly string[]
    readonly isAcyclicBefore?: boolean
    readonly cycles?: readonly (readonly string[])[]
    readonly error?: string
    readonly node?: string
    readonly unlocked?: readonly string[]
    readonly unreachable?: readonly string[]
  }
}

const cases: readonly Case[] = isHere
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Case => JSON.parse(line))
      .filter(({ area }) => area === 'graph')
  : []

describe.skipIf(!isHere)('cases of tool graphs (skipped without ../shared/cases)', () => {
  it('are all there', () => {
    expect(cases.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['B101', 'B102', 'B103', 'B104', 'B105']),
    )
  })
  for (const { id, kind, input, expected } of cases)
    it(`${id}: ${kind}`, () => {
      const { nodes, completed, failed } = input
      const edges = input.edges.map(([from, to]) => ({ from, to, kind: 'parameter' as const }))
      const dirty: ToolGraph = { nodes, edges }
      if (expected.error !== undefined) {
        expect(expected.error).toBe('unknown-node')
        for (const read of [sanitizeGraph, unlockStages, topologicalOrder, unlockedTools, findCycles])
          expect(() => read(dirty)).toThrow(`expected a node, got unknown "${expected.node}"`)
        return
      }
      if (expected.unreachable !== undefined) {
        const { unlocked, unreachable } = expected
        expect(unlockedTools(dirty, completed, failed)).toEqual({ unlocked, unreachable })
        return
      }
      if (expected.cycles !== undefined) expect(findCycles(dirty)).toEqual(expected.cycles)
      if (expected.isAcyclicBefore === false) expect(() => topologicalOrder(dirty)).toThrow(/without cycles/)
      const { graph, removed } = sanitizeGraph(dirty)
      if (expected.removedEdges !== undefined)
        expect(removed.map(({ edge }) => [edge.from, edge.to])).toEqual(expected.removedEdges)
      if (expected.order !== undefined) expect(topologicalOrder(graph)).toEqual(expected.order)
      if (expected.unlockedAtStart !== undefined)
        expect(unlockedTools(graph).unlocked).toEqual(expected.unlockedAtStart)
      expect(unlockStages(graph).flat().sort()).toEqual([...nodes].sort())
    })
})
