/**
 * The closing lines of `tara synth tasks`, for stderr.
 */
import type { GenerateEvent } from '../synth/generate.js'
import { type Histogram, histogramLines, histogramMean, type TaskStats } from '../synth/stats.js'
import { printable } from './printable.js'

/** What happened besides tasks. */
export interface EventCounts {
  /** Edges that were removed from graphs, by reason. */
  readonly removed: ReadonlyMap<string, number>
  /** Candidates that became no task, by reason. */
  readonly rejected: ReadonlyMap<string, number>
  /** Tools in no task, and why where that is known: `bank.close_account (refused: There is no account.)`. */
  readonly uncovered: readonly string[]
}

export interface EventCounter {
  readonly add: (event: GenerateEvent) => void
  readonly counts: () => EventCounts
  /** Why candidates became no task, in one line, with the first case of each reason. */
  readonly reasons: () => string
}

const byReason = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([why, times]) => `${why} ${times}`).join(', ')

/** Counts events and keeps none. */
export function eventCounter(): EventCounter {
  const removed = new Map<string, number>()
  const rejected = new Map<string, number>()
  const first = new Map<string, string>()
  const uncovered: string[] = []
  const ungroundable = new Map<string, string>()
  const countIn = (counts: Map<string, number>, key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return {
    add(event) {
      if (event.kind === 'graph') for (const { reason } of event.removed) countIn(removed, reason)
      if (event.kind === 'rejected') {
        countIn(rejected, event.why)
        if (!first.has(event.why)) first.set(event.why, `${event.group}: ${event.detail}`)
      }
      if (event.kind === 'ungroundable') ungroundable.set(`${event.environment}.${event.tool}`, event.reason)
      if (event.kind === 'environment')
        for (const tool of event.uncovered) {
          const name = `${event.environment}.${tool}`
          const reason = ungroundable.get(name)
          uncovered.push(reason === undefined ? name : `${name} (${reason})`)
        }
    },
    counts: () => ({ removed, rejected, uncovered }),
    reasons: () =>
      rejected.size === 0
        ? 'no candidates'
        : [...first].map(([why, detail]) => `${why} ${rejected.get(why)} (${detail})`).join('; '),
  }
}

const number = (value: number): string => String(Number(value.toFixed(2)))

/** A block of lines, each ended. */
export function taskSummary(stats: TaskStats, { removed, rejected, uncovered }: EventCounts): string {
  const lines = [
    `${stats.tasks} ${stats.tasks === 1 ? 'task' : 'tasks'} from ${stats.environments} environments, ${stats.tools} tools: ` +
      `${number(histogramMean(stats.turns))} turns and ${number(stats.calls / stats.tasks)} calls a task`,
    `turns whose calls depend on their order: in ${stats.ordered} tasks`,
  ]
  if (removed.size > 0) lines.push(`edges removed from graphs: ${byReason(removed)}`)
  if (rejected.size > 0) lines.push(`candidates left out: ${byReason(rejected)}`)
  if (uncovered.length > 0) lines.push(`tools in no task: ${uncovered.join(', ')}`)
  return lines.map((line) => `${printable(line)}\n`).join('')
}

/** Numbers and histograms, each line ended. */
export function statsLines(stats: TaskStats): string {
  const blocks: (readonly [string, Histogram])[] = [
    ['tools of an environment', stats.toolCounts],
    ['turns of a task', stats.turns],
    ['nodes of a graph', stats.nodes],
    ['edges of a graph', stats.edges],
    ['longest path of a graph, in nodes', stats.longestPaths],
    ['pass rate of a task', stats.passRates],
  ]
  const head = `environments ${stats.environments}, tools ${stats.tools}, tasks ${stats.tasks}, calls ${stats.calls}`
  const rate = `pass rate over all attempts: ${number(stats.passRate)}`
  const drawn = blocks
    .filter(([, values]) => values.length > 0)
    .flatMap(([title, values]) => [
      '',
      `${title}: mean ${number(histogramMean(values))}`,
      ...histogramLines(values),
    ])
  return ['', head, rate, ...drawn].map((line) => `${line}\n`).join('')
}
