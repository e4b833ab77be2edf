/**
 * What a set of tasks looks like: counts and histograms over the data at hand.
 */
import { hashParts } from './draw.js'
import { longestPath } from './graph.js'
import type { EnvironmentSource, Task } from './types.js'

/** How often each value occurs, by value. */
export type Histogram = readonly (readonly [value: number, count: number])[]

export interface TaskStats {
  readonly environments: number
  readonly tools: number
  readonly tasks: number
  readonly calls: number
  /** Environments by number of tools. */
  readonly toolCounts: Histogram
  /** Tasks by number of turns. */
  readonly turns: Histogram
  /** Different graphs by number of nodes, of edges, and of nodes of the longest chain. */
  readonly nodes: Histogram
  readonly edges: Histogram
  readonly longestPaths: Histogram
  /** Tasks that were tried, by share of attempts that passed, in steps of a tenth, rounded down. */
  readonly passRates: Histogram
  /** Over the tasks that were tried: attempts that passed per attempt; 0 where none was. */
  readonly passRate: number
  /** Tasks with a turn whose calls do not commute. */
  readonly ordered: number
}

export interface StatsCounter {
  readonly addEnvironment: (source: Pick<EnvironmentSource, 'tools'>) => void
  readonly addTask: (task: Task) => void
  readonly stats: () => TaskStats
}

type Counts = Map<number, number>

function count(counts: Counts, value: number): void {
  counts.set(value, (counts.get(value) ?? 0) + 1)
}

function histogram(counts: Counts): Histogram {
  return [...counts].sort(([a], [b]) => a - b)
}

/** Opens a count that takes one task at a time and keeps none. Opening never throws; adding a task whose graph has a
 * cycle does, a TaraError `MISMATCH`.
 */
export function statsCounter(): StatsCounter {
  const toolCounts: Counts = new Map()
  const turns: Counts = new Map()
  const nodes: Counts = new Map()
  const edges: Counts = new Map()
  const longest: Counts = new Map()
  const passRates: Counts = new Map()
  const graphs = new Set<string>()
  const total = { environments: 0, tools: 0, tasks: 0, calls: 0, ordered: 0, attempts: 0, passed: 0 }

  function addGraph({ environment, graph }: Task): void {
    const key = `${environment} ${hashParts(environment, ...graph.nodes, JSON.stringify(graph.edges))}`
    if (graphs.has(key)) return
    graphs.add(key)
    count(nodes, graph.nodes.length)
    count(edges, graph.edges.length)
    count(longest, longestPath(graph))
  }
  return {
    addEnvironment: ({ tools }) => {
      total.environments++
      total.tools += tools.length
      count(toolCounts, tools.length)
    },
    addTask: (task) => {
      const { golden, attempts, passed, orderMatters = [] } = task
      total.tasks++
      total.calls += golden.reduce((sum, calls) => sum + calls.length, 0)
      total.attempts += attempts
      total.passed += passed
      if (orderMatters.length > 0) total.ordered++
      if (attempts > 0) count(passRates, Math.floor((10 * passed) / attempts) / 10)
      count(turns, golden.length)
      addGraph(task)
    },
    stats: () => {
      const { attempts, passed, ...counts } = total
      return {
        ...counts,
        toolCounts: histogram(toolCounts),
        turns: histogram(turns),
        nodes: histogram(nodes),
        edges: histogram(edges),
        longestPaths: histogram(longest),
        passRates: histogram(passRates),
        passRate: attempts === 0 ? 0 : passed / attempts,
      }
    },
  }
}

/** Counts environments and tasks.
 * @throws TaraError `MISMATCH` for a task whose graph has a cycle
 */
export function stats(
  sources: readonly Pick<EnvironmentSource, 'tools'>[],
  tasks: Iterable<Task>,
): TaskStats {
  const counter = statsCounter()
  for (const source of sources) counter.addEnvironment(source)
  for (const task of tasks) counter.addTask(task)
  return counter.stats()
}

/** Takes the mean of a histogram, 0 where it is empty; never throws. */
export function histogramMean(values: Histogram): number {
  const all = values.reduce((sum, [, times]) => sum + times, 0)
  return all === 0 ? 0 : values.reduce((sum, [value, times]) => sum + value * times, 0) / all
}

/** Draws a histogram as lines of text: value, bar, count.
 * Never throws.
 * @param width - of the longest bar, in characters
 */
export function histogramLines(values: Histogram, width = 30): string[] {
  const most = Math.max(0, ...values.map(([, times]) => times))
  const digits = Math.max(0, ...values.map(([value]) => String(value).length))
  return values.map(([value, times]) => {
    const bar = '#'.repeat(Math.max(1, Math.round((width * times) / most)))
    return `${String(value).padStart(digits)}  ${bar} ${times}`
  })
}
