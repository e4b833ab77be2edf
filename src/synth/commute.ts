/**
 * Do the calls of a turn commute? Eq. 1 asks for the calls of a turn in any order, so a turn in which the order
 * matters can be right by its calls and yet leave another state for the turns after it.
 *
 * Every order of a turn is made from the state at its start. A call has the clock it has in the trace, whatever its
 * place: only what the calls do to each other counts.
 */
import { resolveOptions } from '../options.js'
import { jsonEqual } from '../reward/equal.js'
import { drawFrom, sample } from './draw.js'
import { type EnvironmentOptions, environmentDefaults, openEnvironment } from './environment.js'
import { stateHash } from './state-hash.js'
import type { Environment, EnvironmentSource, GroundedCall, Snapshot } from './types.js'
import { aPositiveCount } from './unlock.js'

export interface CommuteOptions extends EnvironmentOptions {
  /** The most orders that are tried a turn; of more, as many are drawn. */
  readonly maxOrders: number
  /** Paths of lists of the database whose order does not count. */
  readonly unordered: readonly string[]
}

export const commuteDefaults: Readonly<CommuteOptions> = Object.freeze({
  ...environmentDefaults,
  maxOrders: 24,
  unordered: Object.freeze([]),
})

/** An order in which something else happens. */
export interface OrderConflict {
  /** Indices of the calls of the turn, in the order they were made. */
  readonly order: readonly number[]
  /** The call that went another way; absent where all outputs are equal but the state is not. */
  readonly call?: number
  readonly what: 'error' | 'output' | 'state'
}

export interface TurnOrders {
  readonly turn: number
  /** Orders that were tried, the trace's own not among them. */
  readonly tried: number
  /** Whether these are all. */
  readonly isComplete: boolean
  readonly conflicts: readonly OrderConflict[]
}

/** All orders of `n` things but the first, in lexicographic order. */
function* otherOrders(n: number): Generator<number[]> {
  const order = Array.from({ length: n }, (_, k) => k)
  for (;;) {
    let k = n - 2
    while (k >= 0 && order[k]! > order[k + 1]!) k--
    if (k < 0) return
    let other = n - 1
    while (order[other]! < order[k]!) other--
    ;[order[k], order[other]] = [order[other]!, order[k]!]
    order.push(...order.splice(k + 1).reverse())
    yield [...order]
  }
}

function ordersOf(n: number, most: number, seed: number): { orders: number[][]; isComplete: boolean } {
  let count = 1
  for (let k = 2; k <= n && count <= most; k++) count *= k
  if (count - 1 <= most) return { orders: [...otherOrders(n)], isComplete: true }
  const draw = drawFrom(seed, 'orders', n)
  const first = Array.from({ length: n }, (_, k) => k)
  const orders = Array.from({ length: most }, () => sample(draw, first))
  return { orders: orders.filter((order) => order.some((at, k) => at !== k)), isComplete: false }
}

async function conflictOf(
  environment: Environment,
  start: Snapshot,
  calls: readonly GroundedCall[],
  order: readonly number[],
  isSame: (after: Snapshot) => boolean,
): Promise<OrderConflict | undefined> {
  let state = start
  for (const call of order) {
    environment.restore({ ...state, calls: start.calls + call })
    const result = await environment.call(calls[call]!.name, calls[call]!.arguments)
    if (!result.ok) return { order, call, what: 'error' }
    if (!jsonEqual(result.output, calls[call]!.output)) return { order, call, what: 'output' }
    state = environment.snapshot()
  }
  return isSame(state) ? undefined : { order, what: 'state' }
}

/** Replays every turn of a trace in other orders and reports what then differs.
 * @param trace - one that replays; each call with its output
 * @param options - `seed` is that of the trace
 * @returns one report for each turn of two or more calls; a turn commutes where it has no conflicts
 * @throws TaraError for a source or an option that will not do; for a call only with `throwFaults`
 */
export async function commutation(
  source: EnvironmentSource,
  trace: readonly (readonly GroundedCall[])[],
  options?: Partial<CommuteOptions>,
): Promise<readonly TurnOrders[]> {
  const { maxOrders, unordered, ...settings } = resolveOptions('commutation', options, commuteDefaults, {
    seed: () => undefined,
    timeout: () => undefined,
    throwFaults: () => undefined,
    maxOrders: aPositiveCount,
    unordered: (value) => (Array.isArray(value) ? undefined : 'a list of paths'),
  })
  const environment = openEnvironment(source, settings)
  const reports: TurnOrders[] = []
  for (const [turn, calls] of trace.entries()) {
    const start = environment.snapshot()
    for (const { name, arguments: args } of calls) await environment.call(name, args)
    if (calls.length < 2) continue
    const end = environment.snapshot()
    const hash = stateHash(end.database, { unordered })
    const isSame = ({ database }: Snapshot): boolean => stateHash(database, { unordered }) === hash
    const { orders, isComplete } = ordersOf(calls.length, maxOrders, settings.seed)
    const conflicts: OrderConflict[] = []
    for (const order of orders) {
      const conflict = await conflictOf(environment, start, calls, order, isSame)
      if (conflict !== undefined) conflicts.push(conflict)
    }
    environment.restore(end)
    reports.push({ turn, tried: orders.length, isComplete, conflicts })
  }
  return reports
}
