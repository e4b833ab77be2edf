/**
 * The estimators once more, slow and plain, over nested lists: formulas as they are written, nothing shared with src/.
 *
 * A group is a list of rollouts; a rollout has the turns that it reached and nothing else. Every function returns a value a
 * turn in the same nesting.
 */
export interface Turn {
  readonly reward: number
  readonly a: number
  readonly b: number
  readonly tokens: number
  readonly state: string
  readonly score: number
}

export interface Attempt {
  readonly cells: readonly Turn[]
  readonly outcome: number
}

export type Task = readonly Attempt[]
type Nested = number[][][]

const sum = (x: readonly number[]): number => x.reduce((total, value) => total + value, 0)
const mean = (x: readonly number[]): number => sum(x) / x.length
const std = (x: readonly number[], ddof: number): number =>
  Math.sqrt(sum(x.map((value) => (value - mean(x)) ** 2)) / (x.length - ddof))
const alike = (x: readonly number[]): boolean => new Set(x).size <= 1
const without = (x: readonly number[], i: number): number[] => x.filter((_, j) => j !== i)

/** The scalar of a rollout. */
const product = (attempt: Attempt, key: 'reward' | 'a' | 'b' = 'reward'): number =>
  attempt.cells.reduce((total, cell) => total * cell[key], 1)

const perRollout = (task: Task, values: readonly number[]): number[][] =>
  task.map(({ cells }, i) => cells.map(() => values[i]!))

const zScore = (x: readonly number[], ddof: number, epsilon: number): number[] =>
  alike(x) ? x.map(() => 0) : x.map((value) => (value - mean(x)) / (std(x, ddof) + epsilon))

const leaveOneOut = (x: readonly number[]): number[] =>
  x.map((value, i) => {
    const others = without(x, i)
    if (alike(x)) return 0
    if (alike(others)) return value - others[0]!
    return (value - mean(others)) / (std(others, 1) + 1e-6)
  })

export const groupRules: Readonly<Record<string, (x: readonly number[]) => number[]>> = {
  paper: (x) => zScore(x, 0, 1e-6),
  verl: (x) => (x.length === 1 ? [...x] : zScore(x, 1, 1e-6)),
  trl: (x) => zScore(x, 1, 1e-4),
  openrlhf: (x) => zScore(x, 1, 1e-9),
  nemo: leaveOneOut,
  art: (x) => zScore(x, 0, 1e-6),
  skyrl: (x) => (x.length === 1 ? [...x] : zScore(x, 1, 1e-6)),
  dr: (x) => x.map((value) => value - mean(x)),
  rloo: (x) => x.map((value, i) => (x.length === 1 ? 0 : value - mean(without(x, i)))),
  max: (x) => x.map((value) => (value - mean(x)) / (mean(x) + 1e-6)),
  raw: (x) => [...x],
}

export function byGroup(tasks: readonly Task[], rule: (x: readonly number[]) => number[]): Nested {
  return tasks.map((task) => perRollout(task, rule(task.map((attempt) => product(attempt)))))
}

export function opo(tasks: readonly Task[]): Nested {
  return tasks.map((task) => {
    const tokens = task.flatMap((attempt) =>
      attempt.cells.flatMap(({ tokens }) => new Array<number>(tokens).fill(product(attempt))),
    )
    return perRollout(
      task,
      task.map((attempt) => (task.length === 1 ? 0 : product(attempt) - mean(tokens))),
    )
  })
}

/** Whitens one value a rollout, written out token by token. */
function whiten(tasks: readonly Task[], values: number[][], rule: string): Nested {
  const x = tasks.flatMap((task, g) =>
    task.flatMap(({ cells }, i) =>
      new Array<number>(
        rule === 'rllm' || rule === 'trl' || rule === 'nemoLast' ? 1 : sum(cells.map(({ tokens }) => tokens)),
      ).fill(values[g]![i]!),
    ),
  )
  const d = {
    verl: () => Math.sqrt(std(x, 1) ** 2 + 1e-8),
    openrlhf: () => Math.sqrt(Math.max(std(x, 0) ** 2, 1e-8)),
    rllm: () => std(x, 0) + 1e-6,
    trl: () => std(x, 1) + 1e-4,
    nemoLast: () => std(x, 1),
  }[rule]!()
  return tasks.map((task, g) =>
    perRollout(
      task,
      values[g]!.map((value) => (alike(x) ? 0 : (value - mean(x)) / d)),
    ),
  )
}

export function reinforcePp(tasks: readonly Task[], rule: string, centers: boolean): Nested {
  const values = tasks.map((task) => {
    const x = task.map((attempt) => product(attempt))
    return centers ? groupRules.dr!(x) : x
  })
  return whiten(tasks, values, rule)
}

export function gdpo(
  tasks: readonly Task[],
  dialect: 'trl' | 'verl' | 'nemo',
  weights: { a: number; b: number },
): Nested {
  const rule = groupRules[dialect]!
  const values = tasks.map((task) => {
    const a = rule(task.map((attempt) => product(attempt, 'a')))
    const b = rule(task.map((attempt) => product(attempt, 'b')))
    return a.map((value, i) => weights.a * value + weights.b * b[i]!)
  })
  return whiten(tasks, values, dialect === 'nemo' ? 'nemoLast' : dialect)
}

/** Turn t of the rollouts that reached it, normalized. */
function byTurn(task: Task, values: number[][], rule: (x: readonly number[]) => number[]): number[][] {
  return task.map(({ cells }, i) =>
    cells.map((_, t) => {
      const reached = task.map((_, j) => j).filter((j) => task[j]!.cells.length > t)
      return rule(reached.map((j) => values[j]![t]!))[reached.indexOf(i)]!
    }),
  )
}

const returns = ({ cells }: Attempt, gamma: number): number[] =>
  cells.map((_, t) => sum(cells.slice(t).map(({ reward }, k) => gamma ** k * reward)))

export function mtGrpo(tasks: readonly Task[], lambda: number): Nested {
  return tasks.map((task) => {
    const rule = (x: readonly number[]): number[] => zScore(x, 0, 0)
    const R = rule(task.map(({ outcome }) => outcome))
    const local = byTurn(
      task,
      task.map(({ cells }) => cells.map(({ reward }) => reward)),
      rule,
    )
    return local.map((row, i) => row.map((value) => value + lambda * R[i]!))
  })
}

export function returnToGo(tasks: readonly Task[], gamma: number): Nested {
  return tasks.map((task) =>
    byTurn(
      task,
      task.map((attempt) => returns(attempt, gamma)),
      groupRules.paper!,
    ),
  )
}

export function processGrpo(tasks: readonly Task[], gamma: number): Nested {
  return tasks.map((task) => {
    const pool = task.flatMap(({ cells }) => cells.map(({ reward }) => reward))
    const z = (reward: number): number => (alike(pool) ? 0 : (reward - mean(pool)) / std(pool, 0))
    return task.map(({ cells }) =>
      cells.map((_, t) => sum(cells.slice(t).map(({ reward }, k) => gamma ** k * z(reward)))),
    )
  })
}

export function gigpo(tasks: readonly Task[], omega: number): Nested {
  return tasks.map((task) => {
    const episode = groupRules.dr!(task.map((attempt) => product(attempt)))
    const G = task.map((attempt) => returns(attempt, 0.95))
    return task.map(({ cells }, i) =>
      cells.map(({ state }, t) => {
        const same = task.flatMap((other, j) =>
          other.cells.flatMap((cell, u) => (cell.state === state ? [G[j]![u]!] : [])),
        )
        return episode[i]! + omega * (G[i]![t]! - mean(same))
      }),
    )
  })
}

export function turnCredit(tasks: readonly Task[], gamma: number, beta: number): Nested {
  return tasks.map((task) => {
    const change = task.map(({ cells }) =>
      cells.map(({ score }, u) => {
        const before = cells
          .slice(0, u)
          .map((cell) => cell.score)
          .filter((value) => !Number.isNaN(value))
        return Number.isNaN(score) || before.length === 0 ? 0 : score - before.at(-1)!
      }),
    )
    const total = task.map(({ outcome }, i) => outcome + sum(change[i]!))
    return task.map(({ cells }, i) => {
      const credit = cells.map((_, t) =>
        sum(
          change[i]!.map((d, u) =>
            u < t ? 0 : (gamma ** (u - t) * d) / sum(cells.slice(0, u + 1).map((_, k) => gamma ** k)),
          ),
        ),
      )
      const average = mean(cells.flatMap(({ tokens }, t) => new Array<number>(tokens).fill(credit[t]!)))
      return credit.map((c) => total[i]! - mean(total) + beta * (c - average))
    })
  })
}
