/**
 * What stays of the records of a log, flat and in input order.
 */
import type { Status } from '../batch/layout.js'
import type { RolloutTokens } from '../tokens/read.js'
import { float64Pool, int32Pool, type Pool, uint8Pool } from './pool.js'
import type { Id } from './record.js'

export const statusNames: readonly Status[] = ['complete', 'truncated', 'aborted']

export interface LogRows {
  /** Index of the record's group. */
  readonly group: Pool<Int32Array>
  /** Line of the record, counted from 1. */
  readonly line: Pool<Int32Array>
  /** Index into `statusNames`. */
  readonly status: Pool<Uint8Array>
  /** Start of the record's row in `reward`, `reached` and `columns`. */
  readonly rowPtr: Pool<Int32Array>
  readonly reward: Pool<Float64Array>
  readonly reached: Pool<Uint8Array>
  /** Named reward components; the same names in every record. */
  readonly columns: Map<string, Pool<Float64Array>>
  readonly outcome: Pool<Float64Array>
  readonly hasOutcome: Pool<Uint8Array>
  readonly rollout: Id[]
  /** Empty where tokens are not kept. */
  readonly tokens: (RolloutTokens | null)[]
}

export function logRows(): LogRows {
  return {
    group: int32Pool(),
    line: int32Pool(),
    status: uint8Pool(),
    rowPtr: int32Pool(),
    reward: float64Pool(),
    reached: uint8Pool(),
    columns: new Map(),
    outcome: float64Pool(),
    hasOutcome: uint8Pool(),
    rollout: [],
    tokens: [],
  }
}
