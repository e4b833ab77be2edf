/**
 * Scores of a layered plan: the first three that ParaAgent's phase reward adds up.
 *
 * The paper gives their names only. Here: L1 is the share of planned tools that retrieval had returned, L2 the recall
 * of the required hard dependencies, L3 whether the layers respect the declared ones. A share of nothing is 1. A step
 * in two layers and a dependency on a step that is nowhere are faults of the model: they cost the score.
 */
import { fail, show } from '../errors.js'

/** `[from, to]`: to needs from. */
export type PlanEdge = readonly [from: string, to: string]

function checkList(place: string, value: unknown, wish: string): void {
  if (!Array.isArray(value)) fail('TYPE', place, wish, show(value))
}

const edgeName = ([from, to]: PlanEdge): string => JSON.stringify([from, to])

function shareIn(wanted: ReadonlySet<string>, found: ReadonlySet<string>): number {
  if (wanted.size === 0) return 1
  let count = 0
  for (const name of wanted) if (found.has(name)) count++
  return count / wanted.size
}

/** Computes L1: the share of planned tools, each counted once, that retrieval returned.
 * @returns in [0, 1]; 1 where nothing is planned
 * @throws TaraError `TYPE`
 */
export function retrievalGrounding(planned: readonly string[], retrieved: readonly string[]): number {
  checkList('retrievalGrounding: planned', planned, 'a list of tools')
  checkList('retrievalGrounding: retrieved', retrieved, 'a list of tools')
  return shareIn(new Set(planned), new Set(retrieved))
}

/** Computes L2: the share of required hard dependencies, each counted once, that the plan declared.
 * @returns in [0, 1]; 1 where none is required; what is declared beyond plays no part
 * @throws TaraError `TYPE`
 */
export function dependencyRecall(required: readonly PlanEdge[], declared: readonly PlanEdge[]): number {
  checkList('dependencyRecall: required', required, 'a list of edges')
  checkList('dependencyRecall: declared', declared, 'a list of edges')
  return shareIn(new Set(required.map(edgeName)), new Set(declared.map(edgeName)))
}

/** Computes L3: 1 if every step of the plan is in one layer and every declared hard dependency leads to a later one.
 * @param layers - the steps of each layer, first layer first
 * @param declared - a dependency on a step that is in no layer makes it 0
 * @throws TaraError `TYPE`
 */
export function layeredPlan(layers: readonly (readonly string[])[], declared: readonly PlanEdge[]): 0 | 1 {
  checkList('layeredPlan: layers', layers, 'a list of layers')
  checkList('layeredPlan: declared', declared, 'a list of edges')
  const layerOf = new Map<string, number>()
  for (let l = 0; l < layers.length; l++) {
    checkList(`layeredPlan: layers[${l}]`, layers[l], 'a list of steps')
    for (const step of layers[l]!) {
      if (layerOf.has(step)) return 0
      layerOf.set(step, l)
    }
  }
  for (const [from, to] of declared) {
    const before = layerOf.get(from)
    const after = layerOf.get(to)
    if (before === undefined || after === undefined || before >= after) return 0
  }
  return 1
}
