/**
 * Dynamic Unlocking Sampling (ToolVerse, Algorithm 1): a graph → stages of tools, one stage a turn.
 *
 *     Q = {v : D[v] = 0};  while Q ≠ ∅:  S = min(|Q|, N) of Q, uniform, without replacement;
 *     Q = Q ∖ S;  for u in S, v in Succ(u):  D[v] −= 1;  if D[v] = 0, v joins Q
 *
 * Run to its end it gives every tool exactly once, and every edge leads to a later stage. It would drop the nodes on
 * and behind a cycle in silence, so a cycle is an error here.
 */
import { aCount, type Check, optional, resolveOptions } from '../options.js'
import { type Draw, drawFrom, sample } from './draw.js'
import { adjacency, checkAcyclic } from './graph.js'
import type { ToolGraph } from './types.js'

export interface UnlockOptions {
  readonly seed: number
  /** N: the most tools a stage has. */
  readonly stageSize: number
  /** Stops after so many stages; unset, it goes on until every tool had its turn. */
  readonly maxStages: number | undefined
}

export const unlockDefaults: Readonly<UnlockOptions> = Object.freeze({
  seed: 0,
  stageSize: 3,
  maxStages: undefined,
})

/** A whole number, 1 or more. */
export const aPositiveCount: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'a whole number, 1 or more'

const checks = { seed: aCount, stageSize: aPositiveCount, maxStages: optional(aPositiveCount) }

/** Takes `k` of the queue: the uniform choice of Algorithm 1, or one that prefers some. */
export type Choose = (draw: Draw, queue: readonly number[], k: number) => readonly number[]

/** Algorithm 1 with a choice of its own. */
export function unlockWith(
  graph: ToolGraph,
  options: Partial<UnlockOptions> | undefined,
  choose: Choose,
): string[][] {
  const {
    seed,
    stageSize,
    maxStages = Infinity,
  } = resolveOptions('unlockStages', options, unlockDefaults, checks)
  const around = adjacency('unlockStages: graph', graph)
  checkAcyclic('unlockStages: graph', around, graph.nodes)
  const draw = drawFrom(seed, 'unlock')
  const waits = around.needs.slice()
  let queue = [...waits.keys()].filter((node) => waits[node] === 0)
  const stages: string[][] = []
  while (queue.length > 0 && stages.length < maxStages) {
    const stage = choose(draw, queue, Math.min(queue.length, stageSize))
    queue = queue.filter((node) => !stage.includes(node))
    for (const node of stage) for (const to of around.next[node]!) if (--waits[to]! === 0) queue.push(to)
    stages.push(stage.map((node) => graph.nodes[node]!))
  }
  return stages
}

/** Draws the stages of one task from a graph.
 * @returns at least max(L, ⌈n/N⌉) and at most L + (n − L)/N stages for n tools and L the longest chain, in full
 * @throws TaraError `MISMATCH` for a cycle, `MISSING` for an edge of an unknown tool
 */
export function unlockStages(graph: ToolGraph, options?: Partial<UnlockOptions>): string[][] {
  return unlockWith(graph, options, sample)
}
