/**
 * Pass@k: a task stays if an agent solves it in one of k attempts.
 *
 * Solved means trace score 1: Eq. 1 holds in every turn of the golden trace. A task that is solved with probability q
 * an attempt stays with probability 1 − (1 − q)^k. Nothing is left out at the other end.
 */
import { fail, show } from '../errors.js'
import { aBoolean, type Check, resolveOptions } from '../options.js'
import type { ToolCall } from '../reward/call.js'
import { compileGolden, scoreRollout } from '../reward/golden.js'
import { resolveCoveragePolicy } from '../reward/policy.js'
import type { Agent } from './agent.js'
import type { Environment, Task } from './types.js'

export interface PassAtKOptions {
  /** The most attempts. */
  readonly k: number
  /** Ends at the first attempt that passes; `passed` is then 0 or 1. */
  readonly stopEarly: boolean
}

export const passAtKDefaults: Readonly<PassAtKOptions> = Object.freeze({ k: 8, stopEarly: true })

export interface PassCount {
  readonly attempts: number
  /** Attempts with trace score 1. */
  readonly passed: number
}

const anAttemptCount: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 1 ? undefined : 'a whole number, 1 or more'

/** The rewards of the turns of an attempt, with the default coverage policy. */
export function traceRewards(
  golden: Task['golden'],
  turns: readonly (readonly ToolCall[])[],
): readonly number[] {
  const compiled = compileGolden('golden', golden, resolveCoveragePolicy('traceRewards', undefined))
  return scoreRollout(compiled, { turns }, 'turn').reward
}

/** Lets an agent try a task, each attempt in a state of its own.
 * @param open - gives a fresh state, that which the golden trace was made in
 * @param options - see `passAtKDefaults`
 * @throws TaraError `OPTION`, `TYPE` for an agent that returns no lists of calls; whatever the agent throws
 */
export async function passAtK(
  task: Task,
  open: () => Environment,
  agent: Agent,
  options?: Partial<PassAtKOptions>,
): Promise<PassCount> {
  const { k, stopEarly } = resolveOptions<PassAtKOptions>('passAtK', options, passAtKDefaults, {
    k: anAttemptCount,
    stopEarly: aBoolean,
  })
  let passed = 0
  let attempts = 0
  while (attempts < k && !(stopEarly && passed > 0)) {
    const turns = await agent.solve(task, open(), attempts++)
    if (!Array.isArray(turns) || !turns.every((calls) => Array.isArray(calls)))
      fail('TYPE', `passAtK: ${agent.name}`, 'one list of calls a turn', show(turns))
    if (traceRewards(task.golden, turns).every((reward) => reward === 1)) passed++
  }
  return { attempts, passed }
}
