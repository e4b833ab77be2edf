/**
 * Tasks with golden traces from environments: graph, stages, grounding, replay, requests, Pass@k.
 *
 * For each environment some graphs are drawn, for each graph some tasks, in turn: the first task of every graph, then
 * the second. Everything follows from the seed; a task does not depend on how fast another was made. Only one
 * environment is in memory at a time, with a digest of the traces it has given.
 */
import { fail, show } from '../errors.js'
import { aBoolean, aCount, aFunction, type Check, optional, resolveOptions } from '../options.js'
import type { Agent } from './agent.js'
import { type Candidate, candidateMaker, type Rejection } from './candidate.js'
import { hashParts } from './draw.js'
import { openEnvironment } from './environment.js'
import { longestPath } from './graph.js'
import { type EdgeJudge, schemaJudge } from './judge.js'
import { passAtK } from './pass-at-k.js'
import { type RemovedEdge, sanitizeGraph } from './sanitize.js'
import { templateWriter } from './template-writer.js'
import type { EnvironmentSource, GroundedCall, Task, ToolDefinition, ToolGraph } from './types.js'
import { aPositiveCount } from './unlock.js'
import { compiledTools } from './validators.js'
import type { RequestWriter } from './writer.js'

export interface GenerateOptions {
  readonly seed: number
  /** Graphs an environment: each is inferred with a seed of its own. */
  readonly graphs: number
  readonly tasksPerGraph: number
  /** The most tasks an environment gives. */
  readonly keep: number
  /** The most calls of a turn. */
  readonly stageSize: number
  /** The most turns of a task; unset, a task uses every tool that can be grounded. */
  readonly maxStages: number | undefined
  /** Leaves out tasks with a turn whose calls do not commute; otherwise the task says which turns these are. */
  readonly commuting: boolean
  readonly judge: EdgeJudge
  readonly writer: RequestWriter
  /** Who tries the tasks for Pass@k; unset, none does and every task stays. */
  readonly agent: Agent | undefined
  /** k of Pass@k. */
  readonly attempts: number
  /** Of the environment, in milliseconds. */
  readonly timeout: number
  /** Is told what happens, in order. */
  readonly onEvent: ((event: GenerateEvent) => void) | undefined
}

/** What happens on the way, for progress and a summary. */
export type GenerateEvent =
  | {
      readonly kind: 'graph'
      readonly environment: string
      readonly index: number
      readonly graph: ToolGraph
      readonly longestPath: number
      readonly removed: readonly RemovedEdge[]
    }
  /** A tool found no arguments, again and again, and is left out of the graph from here on. */
  | {
      readonly kind: 'ungroundable'
      readonly environment: string
      readonly tool: string
      readonly reason: string
    }
  /** A candidate that did not become a task. */
  | {
      readonly kind: 'rejected'
      readonly environment: string
      readonly group: string
      readonly why: Rejection['why'] | 'not-solved'
      readonly detail: string
    }
  | { readonly kind: 'task'; readonly environment: string; readonly task: Task }
  /** Done with an environment; the tools that no task of it uses. */
  | {
      readonly kind: 'environment'
      readonly environment: string
      readonly kept: number
      readonly uncovered: readonly string[]
    }

export const generateDefaults: Readonly<GenerateOptions> = Object.freeze({
  seed: 0,
  graphs: 3,
  tasksPerGraph: 5,
  keep: 10,
  stageSize: 3,
  maxStages: undefined,
  commuting: false,
  judge: schemaJudge(),
  writer: templateWriter,
  agent: undefined,
  attempts: 8,
  timeout: 10_000,
  onEvent: undefined,
})

function having(method: string): Check {
  return (value) =>
    typeof (value as Record<string, unknown> | null | undefined)?.[method] === 'function'
      ? undefined
      : `an object with the method ${method}`
}

const checks: { readonly [Name in keyof GenerateOptions]-?: Check } = {
  seed: aCount,
  graphs: aPositiveCount,
  tasksPerGraph: aPositiveCount,
  keep: aPositiveCount,
  stageSize: aPositiveCount,
  maxStages: optional(aPositiveCount),
  commuting: aBoolean,
  judge: having('infer'),
  writer: having('write'),
  agent: optional(having('solve')),
  attempts: aPositiveCount,
  timeout: aPositiveCount,
  onEvent: optional(aFunction),
}

function checkSources(sources: readonly EnvironmentSource[]): void {
  if (!Array.isArray(sources)) fail('TYPE', 'generateTasks: sources', 'a list of environments', show(sources))
  const names = new Set<string>()
  for (const [k, source] of sources.entries()) {
    compiledTools(source)
    if (source.tools.length === 0)
      fail('EMPTY', `generateTasks: sources[${k}].tools`, 'tools', 'an empty list')
    if (names.has(source.name))
      fail('DUPLICATE', `generateTasks: sources[${k}].name`, 'a name of its own', show(source.name))
    names.add(source.name)
  }
}

/** What a judge and a language model may see of a tool: not its handler. */
function definitionsOf({ tools }: EnvironmentSource): ToolDefinition[] {
  return tools.map(({ handler: _, ...definition }) => definition)
}

async function graphsOf(source: EnvironmentSource, options: GenerateOptions): Promise<ToolGraph[]> {
  const tools = definitionsOf(source)
  const nodes = tools.map(({ name }) => name)
  const graphs: ToolGraph[] = []
  for (let index = 0; index < options.graphs; index++) {
    const edges = await options.judge.infer(tools, hashParts(options.seed, 'graph', source.name, index))
    const { graph, removed } = sanitizeGraph({ nodes, edges }, { tools, unknown: 'drop' })
    const event = { environment: source.name, index, graph, longestPath: longestPath(graph), removed }
    options.onEvent?.({ kind: 'graph', ...event })
    graphs.push(graph)
  }
  return graphs
}

async function requestsFor(
  trace: readonly (readonly GroundedCall[])[],
  source: EnvironmentSource,
  { writer }: GenerateOptions,
): Promise<readonly string[]> {
  const requests = await writer.write(trace, definitionsOf(source))
  if (
    !Array.isArray(requests) ||
    requests.length !== trace.length ||
    requests.some((text) => typeof text !== 'string')
  )
    fail('LENGTH', `generateTasks: ${writer.name}`, `${trace.length} requests, one a turn`, show(requests))
  return requests
}

/** A candidate as a task, tried by the agent where there is one; `undefined` where the agent never solves it. */
async function asTask(
  { group, seed, graph, trace, orderMatters }: Candidate,
  source: EnvironmentSource,
  options: GenerateOptions,
): Promise<Task | undefined> {
  const task: Task = {
    group,
    environment: source.name,
    seed,
    requests: await requestsFor(trace, source, options),
    golden: trace.map((calls) => calls.map((call) => ({ name: call.name, arguments: call.arguments }))),
    trace,
    graph,
    ...(orderMatters.length > 0 && { orderMatters }),
    attempts: 0,
    passed: 0,
  }
  const { agent, attempts, timeout } = options
  if (agent === undefined) return task
  const open = (): ReturnType<typeof openEnvironment> =>
    openEnvironment(source, { seed, timeout, throwFaults: true })
  const count = await passAtK(task, open, agent, { k: attempts })
  return count.passed === 0 ? undefined : { ...task, ...count }
}

async function* tasksOf(
  source: EnvironmentSource,
  options: GenerateOptions,
): AsyncGenerator<Task, void, undefined> {
  const environment = source.name
  const tell = options.onEvent ?? (() => undefined)
  const graphs = await graphsOf(source, options)
  const maker = candidateMaker(source, graphs, options, (tool, reason) =>
    tell({ kind: 'ungroundable', environment, tool, reason }),
  )
  let kept = 0
  for (let n = 0; n < options.tasksPerGraph; n++)
    for (let g = 0; g < graphs.length && kept < options.keep; g++) {
      const made = await maker.make(g, n)
      const { group } = made
      if ('why' in made) {
        tell({ kind: 'rejected', environment, group, why: made.why, detail: made.detail })
        continue
      }
      const task = await asTask(made, source, options)
      if (task === undefined) {
        const detail = `no attempt of ${options.attempts} had trace score 1`
        tell({ kind: 'rejected', environment, group, why: 'not-solved', detail })
        continue
      }
      maker.accept(made)
      kept++
      tell({ kind: 'task', environment, task })
      yield task
    }
  tell({ kind: 'environment', environment, kept, uncovered: maker.uncovered() })
}

/** Makes tasks, one after the other, from environments in their order.
 *
 * Every golden trace has been replayed with the outputs it records; where its graph has a dependency between two of its
 * tools, a later turn takes a value from an earlier one; no two tasks of an environment have the same golden trace.
 * @param options - see `generateDefaults`
 * @throws TaraError with the place, before the first task: an option, schemas, tools named twice, two environments of
 *   one name; later a tool that hangs, breaks or gives what its output schema does not say, as `environment.tool`, and
 *   whatever the judge, the writer or the agent throws
 */
export async function* generateTasks(
  sources: readonly EnvironmentSource[],
  options?: Partial<GenerateOptions>,
): AsyncGenerator<Task, void, undefined> {
  const settings = resolveOptions('generateTasks', options, generateDefaults, checks)
  checkSources(sources)
  for (const source of sources) yield* tasksOf(source, settings)
}
