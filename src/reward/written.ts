/**
 * Calls that still lie in the bytes of their line: most are counted where they stand, without being built.
 */
import type { Status } from '../batch/layout.js'
import { stringOf, textOf } from './bytes.js'
import type { CallRollout, ToolCall } from './call.js'

/** How the arguments of a call are written. */
export const NO_ARGUMENTS = 0
/** As text of JSON, in a string. */
export const TEXT = 1
/** As an object. */
export const OBJECT = 2

/** Calls in bytes that are known to be JSON. */
export interface WrittenCalls {
  bytes: Uint8Array
  numCalls: number
  /** `[numCalls]` the name, between its quotes. */
  readonly nameStart: number[]
  readonly nameEnd: number[]
  /** `[numCalls]` the arguments: a text between its quotes, an object with its braces. */
  readonly argumentsKind: number[]
  readonly argumentsStart: number[]
  readonly argumentsEnd: number[]
  /** `[numCalls]` the side, between its quotes; 0 and 0 where it is not said. */
  readonly sideStart: number[]
  readonly sideEnd: number[]
  /** `[numCalls]` 1 for a call in a user's message, whose side is `user` where it is not said. */
  readonly isUsers: number[]
}

/** What one rollout did, turn by turn, as written. */
export interface WrittenRollout {
  readonly calls: WrittenCalls
  readonly status: Status
  readonly numTurns: number
  /** `[numTurns]` first call of each turn; calls before that of turn 0 belong to none. */
  readonly turnStart: number[]
}

/** Builds call `c`. */
export function builtCall(calls: WrittenCalls, c: number): ToolCall {
  const { bytes } = calls
  const name = stringOf(bytes, calls.nameStart[c]!, calls.nameEnd[c]!)
  const kind = calls.argumentsKind[c]
  const start = calls.argumentsStart[c]!
  const end = calls.argumentsEnd[c]!
  let given: string | undefined
  if (kind === TEXT) given = stringOf(bytes, start, end)
  else if (kind === OBJECT) given = textOf(bytes, start, end)
  const isSaid = calls.sideStart[c]! > 0
  if (!isSaid && calls.isUsers[c] === 0) return { name, arguments: given }
  const requestor = isSaid ? stringOf(bytes, calls.sideStart[c]!, calls.sideEnd[c]!) : 'user'
  return { name, arguments: given, requestor }
}

/** The call after the last of turn t. */
export const turnEnd = ({ calls, numTurns, turnStart }: WrittenRollout, t: number): number =>
  t + 1 < numTurns ? turnStart[t + 1]! : calls.numCalls

/** Builds all calls of a rollout. */
export function builtRollout(rollout: WrittenRollout): CallRollout {
  const { calls, numTurns, turnStart } = rollout
  const built = (start: number, end: number): ToolCall[] => {
    const list: ToolCall[] = []
    for (let c = start; c < end; c++) list.push(builtCall(calls, c))
    return list
  }
  const turns: ToolCall[][] = []
  for (let t = 0; t < numTurns; t++) turns.push(built(turnStart[t]!, turnEnd(rollout, t)))
  return { status: rollout.status, turns, before: built(0, numTurns > 0 ? turnStart[0]! : calls.numCalls) }
}
