/**
 * The rows of a log → one batch: rollouts of a group are brought together, short rows are filled up to T.
 */
import { turnBatchFromFlat } from '../batch/flat.js'
import type { Status, TurnBatch } from '../batch/layout.js'
import type { RolloutTokens } from '../tokens/read.js'
import type { LogGroup } from './groups.js'
import type { Id } from './record.js'
import { type LogRows, statusNames } from './rows.js'

export interface RolloutKey {
  readonly group: Id
  readonly rollout: Id
  readonly role: string | undefined
}

export interface AssembledLog {
  readonly batch: TurnBatch
  /** `[numRollouts]` in batch order: by group in order of first appearance, then as they came. */
  readonly keys: readonly RolloutKey[]
  /** `[numRollouts]` in batch order. */
  readonly status: readonly Status[]
  /** `[numRollouts]` the batch's index of each record, in input order. */
  readonly inputOrder: Int32Array
  /** `[numRollouts]` the line of each rollout, in batch order. */
  readonly line: Int32Array
  /** `[numRollouts]` in batch order; `null` for an aborted rollout without tokens. Only where tokens are kept. */
  readonly tokens: readonly (RolloutTokens | null)[] | undefined
}

/** `[numGroups+1]` offsets of the groups, from the group of each record. */
function groupOffsets(group: Int32Array, numGroups: number): Int32Array {
  const ptr = new Int32Array(numGroups + 1)
  for (const g of group) ptr[g + 1]!++
  for (let g = 0; g < numGroups; g++) ptr[g + 1]! += ptr[g]!
  return ptr
}

/** Puts the batch together.
 * @param rows - what stays of the records, in input order
 * @param groups - the groups by index
 */
export function assemble(rows: LogRows, groups: readonly LogGroup[], realRewards: boolean): AssembledLog {
  const group = rows.group.view()
  const rowPtr = rows.rowPtr.view()
  const numRollouts = group.length
  const groupPtr = groupOffsets(group, groups.length)
  const next = groupPtr.slice()
  const inputOrder = group.map((g) => next[g]!++)
  const turnPtr = new Float64Array(numRollouts + 1) // wide enough to be refused, not wrapped, past 2^31
  for (let n = 0; n < numRollouts; n++) turnPtr[inputOrder[n]! + 1] = groups[group[n]!]!.numTurns
  for (let i = 0; i < numRollouts; i++) turnPtr[i + 1]! += turnPtr[i]!
  const numTurns = turnPtr[numRollouts]!

  /** Moves one value a turn from the records' rows to the batch's. */
  function rowsOf<A extends Float64Array | Uint8Array>(from: A, to: A): A {
    for (let n = 0; n < numRollouts; n++) {
      const end = n + 1 < numRollouts ? rowPtr[n + 1]! : from.length
      to.set(from.subarray(rowPtr[n]!, end), turnPtr[inputOrder[n]!]!)
    }
    return to
  }
  /** Moves one value a rollout. */
  function byRollout<A extends Float64Array | Int32Array | Uint8Array>(from: A, to: A): A {
    for (let n = 0; n < numRollouts; n++) to[inputOrder[n]!] = from[n]!
    return to
  }

  const keys: RolloutKey[] = new Array(numRollouts)
  const status: Status[] = new Array(numRollouts)
  const tokens: (RolloutTokens | null)[] | undefined =
    rows.tokens.length === numRollouts ? new Array(numRollouts) : undefined
  const statusOf = rows.status.view()
  for (let n = 0; n < numRollouts; n++) {
    const i = inputOrder[n]!
    const { id, role } = groups[group[n]!]!
    keys[i] = { group: id, rollout: rows.rollout[n]!, role }
    status[i] = statusNames[statusOf[n]!]!
    if (tokens !== undefined) tokens[i] = rows.tokens[n]!
  }

  const masked = groups.some((one) => one.masked !== undefined) ? new Uint8Array(numTurns) : undefined
  if (masked !== undefined)
    for (let n = 0; n < numRollouts; n++) {
      const mask = groups[group[n]!]!.masked
      if (mask !== undefined) masked.set(mask, turnPtr[inputOrder[n]!]!)
    }
  const columns: Record<string, Float64Array> = Object.create(null)
  for (const [name, column] of rows.columns) columns[name] = rowsOf(column.view(), new Float64Array(numTurns))
  const hasOutcome = rows.hasOutcome.view()

  const batch = turnBatchFromFlat({
    groupPtr,
    turnPtr,
    reward: rowsOf(rows.reward.view(), new Float64Array(numTurns)),
    reached: rowsOf(rows.reached.view(), new Uint8Array(numTurns)),
    valid: byRollout(
      statusOf.map((code) => (statusNames[code] === 'aborted' ? 0 : 1)),
      new Uint8Array(numRollouts),
    ),
    hasGolden: Uint8Array.from(groups, ({ golden }) => (golden === undefined ? 0 : 1)),
    realRewards,
    ...(status.includes('truncated') && {
      truncated: byRollout(
        statusOf.map((code) => (statusNames[code] === 'truncated' ? 1 : 0)),
        new Uint8Array(numRollouts),
      ),
    }),
    ...(masked && { masked }),
    ...(rows.columns.size > 0 && { columns }),
    ...(hasOutcome.includes(1) && {
      outcome: byRollout(rows.outcome.view(), new Float64Array(numRollouts)),
      hasOutcome: byRollout(hasOutcome, new Uint8Array(numRollouts)),
    }),
  })
  return {
    batch,
    keys,
    status,
    inputOrder,
    line: byRollout(rows.line.view(), new Int32Array(numRollouts)),
    tokens,
  }
}
