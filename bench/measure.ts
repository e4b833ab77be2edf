/**
 * Timing: two things in turn, so that what else the machine does falls on both; medians, and how far the runs lie apart.
 */

/** Milliseconds of every run, and what is read off them. */
export interface Timing {
  readonly median: number
  /** The middle half of the runs lies between these. */
  readonly quartiles: readonly [low: number, high: number]
  readonly runs: readonly number[]
}

export interface Comparison {
  readonly ours: Timing
  readonly theirs: Timing
  /** Median over median. */
  readonly ratio: number
}

/** Work to time. What it returns is kept until the clock has stopped, so that it cannot be left out. */
export type Work = () => unknown

let sink: unknown

/** Milliseconds of warming up. */
const WARM = 200

/** The value below which a share of the runs lies, between runs by the straight line. */
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1)
  const below = sorted[Math.floor(at)]!
  return below + (at - Math.floor(at)) * (sorted[Math.ceil(at)]! - below)
}

export function timingOf(runs: readonly number[]): Timing {
  const sorted = [...runs].sort((a, b) => a - b)
  return {
    median: quantile(sorted, 0.5),
    quartiles: [quantile(sorted, 0.25), quantile(sorted, 0.75)],
    runs,
  }
}

/** Times one run, with `repeat` calls in it; milliseconds a call.
 * @param collects - whether garbage is collected before the clock starts. That also throws away compiled code which knows
 *   a shape of object of which nothing is alive; so work that leaves next to no garbage is timed without
 */
function time(work: Work, repeat: number, collects: boolean): number {
  sink = undefined
  if (collects) globalThis.gc?.()
  const start = performance.now()
  for (let k = 0; k < repeat; k++) sink = work()
  const end = performance.now()
  if (sink === time) throw new Error('unreachable: keeps the result alive')
  return (end - start) / repeat
}

/** Calls until the code is compiled and its memory is there: three times, and for `WARM` milliseconds.
 * @returns milliseconds of the fastest call
 */
function warm(work: Work): number {
  const start = performance.now()
  let fastest = Number.POSITIVE_INFINITY
  for (let k = 0; k < 3 || performance.now() - start < WARM; k++) {
    const before = performance.now()
    sink = work()
    fastest = Math.min(fastest, performance.now() - before)
  }
  return fastest
}

/** How many calls of `once` milliseconds make a run long enough for the clock. */
function repeats(once: number, atLeast: number): number {
  return Math.max(1, Math.min(10_000, Math.ceil(atLeast / Math.max(once, 1e-4))))
}

/** Warms up, and returns what times one run: milliseconds a call.
 * @param collects - see `time`
 */
export function timer(work: Work, collects: boolean, atLeast = 5): () => number {
  const repeat = repeats(warm(work), atLeast)
  return () => time(work, repeat, collects)
}

/** Times several things in turn, warm.
 * @param runs - timed runs of each, after those that warm up
 * @param atLeast - milliseconds of a run; short work is called more than once in it
 * @param collects - see `time`
 */
export function timeInTurn(works: readonly Work[], runs = 7, atLeast = 5, collects = true): Timing[] {
  const times = works.map((work) => ({ work, repeat: repeats(warm(work), atLeast), runs: [] as number[] }))
  for (let k = 0; k < runs; k++) for (const one of times) one.runs.push(time(one.work, one.repeat, collects))
  return times.map((one) => timingOf(one.runs))
}

/** Times two things in turn, as `timeInTurn`. */
export function compare(
  ours: Work,
  theirs: Work,
  runs?: number,
  atLeast?: number,
  collects?: boolean,
): Comparison {
  const [first, second] = timeInTurn([ours, theirs], runs, atLeast, collects)
  return { ours: first!, theirs: second!, ratio: first!.median / second!.median }
}

/** Ends the bench if an answer is wrong: a wrong answer has no speed. */
export function check(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`bench: wrong answer: ${what}`)
}
