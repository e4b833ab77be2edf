/**
 * One candidate for a task: stages drawn, grounded, replayed and told apart from the others of its environment.
 */
import { canonicalText } from '../reward/canonical.js'
import { commutation } from './commute.js'
import { coverStages, uncovered } from './cover.js'
import { hashParts } from './draw.js'
import { openEnvironment } from './environment.js'
import { groundTrace } from './ground.js'
import { replay } from './replay.js'
import { stateHash } from './state-hash.js'
import type { EnvironmentSource, GroundedCall, ToolGraph } from './types.js'

export interface CandidateOptions {
  readonly seed: number
  readonly stageSize: number
  readonly maxStages: number | undefined
  readonly commuting: boolean
  readonly timeout: number
}

export interface Candidate {
  /** Names the task: `travel-booking-s0-g1-t3`. */
  readonly group: string
  /** Of the environment. */
  readonly seed: number
  /** Without the tools that cannot be grounded. */
  readonly graph: ToolGraph
  readonly trace: readonly (readonly GroundedCall[])[]
  /** Turns whose calls do not commute. */
  readonly orderMatters: readonly number[]
}

export interface Rejection {
  readonly group: string
  readonly why: 'not-grounded' | 'no-dependency' | 'duplicate' | 'not-replayed' | 'order-matters'
  readonly detail: string
}

export interface CandidateMaker {
  /** Draws until a candidate will do, or tells why the last draw would not. */
  readonly make: (graph: number, task: number) => Promise<Candidate | Rejection>
  /** Counts a candidate as a task: its tools are covered, its trace is taken. */
  readonly accept: (candidate: Candidate) => void
  /** Tools that no accepted candidate uses. */
  readonly uncovered: () => string[]
}

/** Failures of one tool, without a success between them, after which it is left out. */
const MAX_BLAME = 4

/** Draws for one candidate, beside those that lead to a tool being left out. */
const RESTARTS = 8

/** Plans that are compared while tools are uncovered. */
const PLANS = 4

function without({ nodes, edges }: ToolGraph, names: ReadonlySet<string>): ToolGraph {
  if (names.size === 0) return { nodes, edges }
  return {
    nodes: nodes.filter((node) => !names.has(node)),
    edges: edges.filter(({ from, to }) => !names.has(from) && !names.has(to)),
  }
}

/** Whether some parameter edge joins two tools of the stages. */
function hasDependency({ edges }: ToolGraph, stages: readonly (readonly string[])[]): boolean {
  const used = new Set(stages.flat())
  return edges.some(({ kind, from, to }) => kind === 'parameter' && used.has(from) && used.has(to))
}

function followsEdge(trace: Candidate['trace']): boolean {
  return trace.flat().some(({ provenance }) => Object.values(provenance).some(({ from }) => from === 'edge'))
}

/** The same for traces of the same calls turn by turn, whatever the order inside a turn. */
function digestOf(trace: Candidate['trace']): string {
  const golden = trace.map((calls) =>
    calls.map((call) => canonicalText('golden', { name: call.name, arguments: call.arguments })).sort(),
  )
  return stateHash({ golden })
}

/** Opens the making of candidates for one environment.
 * @param graphs - sanitized
 * @param onUngroundable - is told when a tool is left out
 * @returns `make` throws TaraError where a tool is at fault: it hangs, breaks or gives the wrong shape
 */
export function candidateMaker(
  source: EnvironmentSource,
  graphs: readonly ToolGraph[],
  { seed, stageSize, maxStages, commuting, timeout }: CandidateOptions,
  onUngroundable: (tool: string, reason: string) => void,
): CandidateMaker {
  const uses = new Map<string, number>()
  const taken = new Set<string>()
  const blame = new Map<string, number>()
  const leftOut = new Set<string>()

  /** Of a few plans the one with the most tools that are not covered yet. */
  function plan(graph: ToolGraph, planSeed: number): string[][] {
    const open = new Set(maxStages === undefined ? [] : uncovered(graph, uses))
    let best: string[][] = []
    let most = -1
    for (let k = 0; k < (open.size > 0 ? PLANS : 1); k++) {
      const stages = coverStages(graph, uses, { seed: hashParts(planSeed, k), stageSize, maxStages })
      const gain = stages.flat().filter((name) => open.has(name)).length
      if (gain > most) best = stages
      most = Math.max(most, gain)
    }
    return best
  }
  function note(tool: string, reason: string): void {
    const count = (blame.get(tool) ?? 0) + 1
    blame.set(tool, count)
    if (count < MAX_BLAME) return
    leftOut.add(tool)
    onUngroundable(tool, reason)
  }
  async function draw(
    group: string,
    taskSeed: number,
    full: ToolGraph,
    r: number,
  ): Promise<Candidate | Rejection> {
    const graph = without(full, leftOut)
    const drawSeed = hashParts(taskSeed, 'draw', r)
    const stages = plan(graph, drawSeed)
    if (stages.length === 0) return { group, why: 'not-grounded', detail: 'no tool can be grounded' }
    const environment = openEnvironment(source, { seed: taskSeed, timeout, throwFaults: true })
    const grounding = await groundTrace(environment, graph, stages, { seed: drawSeed })
    if (!grounding.ok) {
      note(grounding.tool, grounding.reason)
      return { group, why: 'not-grounded', detail: `${grounding.tool}: ${grounding.reason}` }
    }
    const { trace } = grounding
    for (const { name } of trace.flat()) blame.delete(name)
    if (hasDependency(graph, stages) && !followsEdge(trace))
      return { group, why: 'no-dependency', detail: 'no value of a turn comes from an earlier turn' }
    if (taken.has(digestOf(trace)))
      return { group, why: 'duplicate', detail: 'another task has the same golden trace' }
    const again = await replay(source, trace, { seed: taskSeed, timeout, throwFaults: true })
    const [failure] = again.failures
    if (failure !== undefined)
      return {
        group,
        why: 'not-replayed',
        detail: `golden[${failure.turn}][${failure.call}] ${failure.name}: ${failure.message}`,
      }
    const orders = await commutation(source, trace, { seed: taskSeed, timeout, throwFaults: true })
    const orderMatters = orders.filter(({ conflicts }) => conflicts.length > 0).map(({ turn }) => turn)
    if (commuting && orderMatters.length > 0)
      return { group, why: 'order-matters', detail: `the calls of turn ${orderMatters[0]} do not commute` }
    return { group, seed: taskSeed, graph, trace, orderMatters }
  }
  return {
    make: async (g, n) => {
      const group = `${source.name}-s${seed}-g${g}-t${n}`
      const taskSeed = hashParts(seed, 'task', source.name, g, n)
      for (let r = 0; ; r++) {
        const made = await draw(group, taskSeed, graphs[g]!, r)
        if (!('why' in made) || r + 1 >= RESTARTS + MAX_BLAME * leftOut.size) return made
      }
    },
    accept: ({ trace }) => {
      taken.add(digestOf(trace))
      for (const { name } of trace.flat()) uses.set(name, (uses.get(name) ?? 0) + 1)
    },
    uncovered: () => source.tools.map(({ name }) => name).filter((name) => !uses.has(name)),
  }
}
