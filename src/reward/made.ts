/**
 * Calls that a rollout made, read. What a model wrote is data: a fault in it marks the call and never throws.
 */
import { type ParsedArguments, readArguments } from './arguments.js'
import type { ResolvedPolicy } from './policy.js'

export interface MadeCall {
  /** As it is compared; empty for a call without a name. */
  readonly name: string
  readonly side: string
  readonly arguments: ParsedArguments
}

const notACall: MadeCall = Object.freeze({
  name: '',
  side: 'assistant',
  arguments: Object.freeze({
    ok: false,
    problem: 'not-a-call',
    detail: 'expected a call with a name, got none',
  }),
})

const repeatedKey: ParsedArguments = Object.freeze({
  ok: false,
  problem: 'duplicate-key',
  detail: 'expected each key once, got one again',
})

/** Reads one call. */
export function readCall(call: unknown, policy: ResolvedPolicy): MadeCall {
  if (typeof call !== 'object' || call === null) return notACall
  const { name, arguments: given, requestor, problem } = call as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || problem === 'not-a-call') return notACall
  return {
    name: policy.normalizeName === undefined ? name : policy.nameOf(name),
    side: typeof requestor === 'string' ? requestor : 'assistant',
    arguments: problem === 'duplicate-key' ? repeatedKey : readArguments(given, policy.memo),
  }
}

/** Reads calls, appending to `made`. */
export function readCalls(
  calls: readonly unknown[],
  policy: ResolvedPolicy,
  made: MadeCall[] = [],
): MadeCall[] {
  for (let j = 0; j < calls.length; j++) made.push(readCall(calls[j], policy))
  return made
}

/** How many calls cannot be read. */
export function countMalformed(calls: readonly MadeCall[]): number {
  let count = 0
  for (let j = 0; j < calls.length; j++) if (!calls[j]!.arguments.ok) count++
  return count
}
