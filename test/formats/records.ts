/**
 * Records, and what the reader says of them.
 */
import { TaraError } from '../../src/errors.js'
import { rolloutLog } from '../../src/formats/log.js'
import type { LogOptions } from '../../src/formats/log-options.js'
import type { RolloutLog } from '../../src/formats/log-types.js'

export type Fields = Readonly<Record<string, unknown>>

/** A tool call as OpenAI has it. Arguments that are not text are put in as they are. */
export const call = (name: string, args: unknown = {}): Fields => ({
  type: 'function',
  id: 'call_0',
  function: { name, arguments: args },
})

export const user = (content = 'do it'): Fields => ({ role: 'user', content })

export const assistant = (...calls: readonly Fields[]): Fields => ({
  role: 'assistant',
  content: null,
  tool_calls: calls,
})

/** A record with messages; its golden trace asks for `f` in each of `numTurns` turns. */
export function record(
  messages: readonly Fields[],
  golden: unknown = [[{ name: 'f' }]],
  more: Fields = {},
): Fields {
  return { group: 'g', rollout: 0, messages, golden, ...more }
}

/** A scored record. */
export const scored = (rollout: unknown, rewards: unknown, more: Fields = {}): Fields => ({
  group: 'g',
  rollout,
  rewards,
  ...more,
})

/** Reads lines of JSONL; a record is written as one. */
export function readLog(lines: readonly (string | Fields)[], options?: Partial<LogOptions>): RolloutLog {
  const reader = rolloutLog('in', options)
  lines.forEach((line, k) => {
    reader.addLine(typeof line === 'string' ? line : JSON.stringify(line), k + 1)
  })
  return reader.finish()
}

/** The message with which lines are refused; `read` where they are not. */
export function refusal(lines: readonly (string | Fields)[], options?: Partial<LogOptions>): string {
  try {
    readLog(lines, options)
    return 'read'
  } catch (error) {
    if (error instanceof TaraError) return error.message
    throw error
  }
}

/** `[K][T]` rewards in the order of the input. */
export function rewardsOf(log: RolloutLog): number[][] {
  const { reward, turnPtr } = log.batch
  return Array.from(log.inputOrder, (i) => [...reward.subarray(turnPtr[i]!, turnPtr[i + 1]!)])
}

/** `[K][T]` reach marks in the order of the input. */
export function reachedOf(log: RolloutLog): number[][] {
  const { reached, turnPtr } = log.batch
  return Array.from(log.inputOrder, (i) => [...reached.subarray(turnPtr[i]!, turnPtr[i + 1]!)])
}
