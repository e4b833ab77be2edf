/**
 * Token ids and log-probabilities of the sequences of a batch, where the records have them.
 *
 * All sequences have them or none has: a column that is there for some rows only would be a trap.
 */
import { fail, show } from '../errors.js'
import type { RolloutTokens } from '../tokens/read.js'
import type { SequenceRow } from './input.js'

/** What a sequence may say of its tokens, one value a token. */
interface SequenceFields {
  readonly length?: number
  readonly ids?: readonly number[]
  readonly logprobs?: readonly (number | null)[]
}

export interface SequenceReading {
  readonly rows: readonly SequenceRow[]
  /** `[numRollouts]` */
  readonly tokens: readonly (RolloutTokens | null)[]
  /** Tokens of the batch. */
  readonly numTokens: number
  /** Names a sequence in errors. */
  readonly placeOf: (row: SequenceRow) => string
}

function fieldsOf(tokens: readonly (RolloutTokens | null)[], row: SequenceRow): SequenceFields {
  const given = tokens[row.rollout]!
  const fields: SequenceFields = 'sequences' in given ? given.sequences[row.sequence]! : given
  return fields
}

/** The lists of a field by row, each as long as its sequence; undefined where no row has one. */
function listsOf<Name extends 'ids' | 'logprobs'>(
  { rows, tokens, placeOf }: SequenceReading,
  name: Name,
  isNeeded: string | undefined,
): NonNullable<SequenceFields[Name]>[] | undefined {
  const wish = name === 'ids' ? 'a list of token ids' : 'a list of log-probabilities'
  const lists = rows.map((row) => fieldsOf(tokens, row)[name])
  const has = lists.findIndex((list) => list !== undefined && list !== null)
  const lacks = lists.findIndex((list) => list === undefined || list === null)
  if (has < 0 && (isNeeded === undefined || lacks < 0)) return undefined
  if (lacks >= 0)
    fail(
      'MISSING',
      `${placeOf(rows[lacks]!)}.${name}`,
      isNeeded === undefined ? `${wish}, as other sequences have one` : `${wish}, which ${isNeeded} needs`,
      show(lists[lacks]),
    )
  return rows.map((row, n) => {
    const list = lists[n]!
    const here = `${placeOf(row)}.${name}`
    if (!Array.isArray(list)) return fail('TYPE', here, wish, show(list))
    if (list.length !== row.length)
      fail('LENGTH', here, `one a token, ${row.length} in all`, `${list.length}`)
    return list
  })
}

/** `[numTokens]` the token ids, or undefined where no sequence has them.
 * @param isNeeded - who cannot do without
 * @throws TaraError `MISSING`, `TYPE`, `LENGTH`, `RANGE` for what is no id of 31 bits
 */
export function readIds(reading: SequenceReading, isNeeded: string | undefined): Int32Array | undefined {
  const lists = listsOf(reading, 'ids', isNeeded)
  if (lists === undefined) return isNeeded === undefined ? undefined : new Int32Array(0)
  const ids = new Int32Array(reading.numTokens)
  reading.rows.forEach((row, n) => {
    const list = lists[n]!
    for (let k = 0; k < list.length; k++) {
      const id = list[k]!
      if (!(Number.isInteger(id) && id >= 0 && id <= 0x7fffffff))
        fail('RANGE', `${reading.placeOf(row)}.ids[${k}]`, 'a token id, 0 to 2147483647', show(id))
      ids[row.origin + k] = id
    }
  })
  return ids
}

/** `[numTokens]` the log-probabilities of the trained tokens, 0 elsewhere; undefined where no sequence has them.
 * @throws TaraError `MISSING`, `TYPE`, `LENGTH`, `RANGE` for a trained token without a finite one
 */
export function readLogprobs(
  reading: SequenceReading,
  mask: Uint8Array,
  dtype: 'float32' | 'float64',
): Float32Array | Float64Array | undefined {
  const lists = listsOf(reading, 'logprobs', undefined)
  if (lists === undefined) return undefined
  const logprobs = dtype === 'float32' ? new Float32Array(mask.length) : new Float64Array(mask.length)
  reading.rows.forEach((row, n) => {
    const list = lists[n]!
    for (let k = 0; k < list.length; k++) {
      if (mask[row.origin + k] === 0) continue
      const value: unknown = list[k]
      const held = typeof value === 'number' && dtype === 'float32' ? Math.fround(value) : value
      if (typeof held !== 'number' || !Number.isFinite(held))
        fail(
          'RANGE',
          `${reading.placeOf(row)}.logprobs[${k}]`,
          `a finite number that ${dtype} can hold, as the token is trained`,
          show(value),
        )
      logprobs[row.origin + k] = held + 0
    }
  })
  return logprobs
}
