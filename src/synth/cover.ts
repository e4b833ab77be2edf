/**
 * Stages that reach the tools no trace has used yet.
 *
 * A trace that runs until every tool had its turn covers them all. One that is cut off after some stages does not: of
 * the unlocked tools those come first that are used least, or that lead to such a tool.
 */

import { sample } from './draw.js'
import { type Adjacency, adjacency } from './graph.js'
import type { ToolGraph } from './types.js'
import { type UnlockOptions, unlockStages, unlockWith } from './unlock.js'

/** How often the least used tool at or behind each node was used. */
function leastUses({ next }: Adjacency, uses: readonly number[]): number[] {
  const least = [...uses]
  for (let changed = true; changed; ) {
    changed = false
    for (const [node, tos] of next.entries())
      for (const to of tos)
        if (least[to]! < least[node]!) {
          least[node] = least[to]!
          changed = true
        }
  }
  return least
}

/** Draws stages as Algorithm 1 does, but where they are cut off prefers tools that lead to less used ones; among equals
 * the draw decides.
 * @param uses - how often each tool was used; a tool that is not in it never was
 * @throws TaraError as `unlockStages` does
 */
export function coverStages(
  graph: ToolGraph,
  uses: ReadonlyMap<string, number>,
  options?: Partial<UnlockOptions>,
): string[][] {
  if (options?.maxStages === undefined) return unlockStages(graph, options)
  const counts = graph.nodes.map((node) => uses.get(node) ?? 0)
  const least = leastUses(adjacency('coverStages: graph', graph), counts)
  return unlockWith(graph, options, (draw, queue, k) =>
    sample(draw, queue)
      .sort((a, b) => least[a]! - least[b]! || counts[a]! - counts[b]!)
      .slice(0, k),
  )
}

/** The tools of a graph that no trace has used. */
export function uncovered(graph: ToolGraph, uses: ReadonlyMap<string, number>): string[] {
  return graph.nodes.filter((node) => (uses.get(node) ?? 0) === 0)
}
