/**
 * One line of the result: what was measured, against what, and whether that is good enough.
 */
import type { Comparison, Timing } from './measure.js'

/** A limit to stay under: `must` is a promise, `aim` a wish. */
export interface Target {
  readonly must: number
  readonly aim?: number
}

export interface Result {
  readonly path: string
  readonly size: string
  /** Ours, as text with its unit. */
  readonly ours: string
  /** What it is compared with. */
  readonly limit: string
  /** How far the middle half of our runs lies apart, as a share of the median. */
  readonly spread: number | undefined
  /** What the target speaks of: ours over theirs, or a number of its own. */
  readonly ratio: number
  readonly target: Target | undefined
  /** What the table has no room for. */
  readonly detail?: Readonly<Record<string, number>>
  readonly timing?: { readonly ours: Timing; readonly theirs?: Timing }
}

export type Verdict = 'aim' | 'must' | 'missed' | '-'

export function verdictOf({ ratio, target }: Result): Verdict {
  if (target === undefined) return '-'
  if (target.aim !== undefined && ratio <= target.aim) return 'aim'
  return ratio <= target.must ? 'must' : 'missed'
}

/** A result of two timings. */
export function compared(
  path: string,
  size: string,
  { ours, theirs, ratio }: Comparison,
  limit: string,
  target: Target | undefined,
  show: (milliseconds: number) => string = milliseconds,
): Result {
  return {
    path,
    size,
    ours: show(ours.median),
    limit: `${show(theirs.median)} ${limit}`,
    spread: (ours.quartiles[1] - ours.quartiles[0]) / ours.median,
    ratio,
    target,
    timing: { ours, theirs },
  }
}

export function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`
}

const columns = ['path', 'size', 'ours', 'spread', 'limit or peer', 'ratio', 'target', 'verdict'] as const

function cells(result: Result): string[] {
  const { path, size, ours, limit, spread, ratio, target } = result
  const wish =
    target === undefined ? '' : `<= ${target.must}${target.aim === undefined ? '' : ` (${target.aim})`}`
  return [
    path,
    size,
    ours,
    spread === undefined ? '' : `${(100 * spread).toFixed(0)}%`,
    limit,
    ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2),
    wish,
    verdictOf(result),
  ]
}

/** The results as one table of text. */
export function table(results: readonly Result[]): string {
  const rows = [[...columns], ...results.map(cells)]
  const widths = columns.map((_, c) => Math.max(...rows.map((row) => row[c]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, c) => cell.padEnd(widths[c]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
