/**
 * Documents of other tools, read and scored.
 */
import type { Status } from '../../src/batch/layout.js'
import { TaraError } from '../../src/errors.js'
import type { DocumentFormat, DocumentOptions, DocumentRecord } from '../../src/formats/document.js'
import { fromMessages, type Turns } from '../../src/formats/turns.js'
import type { CallRollout, GoldenTurn, Scope } from '../../src/reward/call.js'
import { scoreGroups } from '../../src/reward/score.js'

export const recordsOf = (
  format: DocumentFormat,
  value: unknown,
  options?: DocumentOptions,
): DocumentRecord[] => [...format.recordsOf(value, options)]

/** The calls of a record, turn by turn. */
export function callsOf({ fields, format }: DocumentRecord, turns: Turns = 'user'): CallRollout {
  const { turns: logged, before } = fromMessages(format, fields.messages as readonly unknown[], turns)
  return { turns: logged, before, status: fields.status as Status | undefined }
}

/** Rewards of each record of one group, turn by turn. */
export function rewardsOf(records: readonly DocumentRecord[], golden?: unknown): number[][] {
  const trace = (golden ?? records[0]!.fields.golden) as readonly GoldenTurn[]
  const scope = records[0]!.fields.scope as Scope | undefined
  const rollouts = records.map((one) => callsOf(one))
  const { batch } = scoreGroups([{ golden: trace, rollouts, ...(scope && { scope }) }])
  return rollouts.map((_, i) => [...batch.reward.slice(batch.turnPtr[i], batch.turnPtr[i + 1])])
}

/** The message with which a document is refused; `read` where it is not. */
export function refusal(format: DocumentFormat, value: unknown, options?: DocumentOptions): string {
  try {
    for (const record of recordsOf(format, value, options)) callsOf(record)
    for (const _ of format.tasksOf?.(value, options) ?? []);
    return 'read'
  } catch (error) {
    if (error instanceof TaraError) return error.message
    throw error
  }
}
