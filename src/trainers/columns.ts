/**
 * Columns of a table of sequences: the names of a row, lists of any length, and rows of one width.
 */
import { asOffsets } from '../batch/check.js'
import { fail } from '../errors.js'
import type { RolloutName, SequenceRow } from './input.js'
import type { Column, DenseColumn, ListColumn, Numbers } from './table.js'

/** A range of the tokens of a sequence, counted within it. */
export type Range = (row: SequenceRow) => readonly [start: number, end: number]

/** All tokens. */
export const wholeSequence: Range = ({ length }) => [0, length]

/** The tokens that are predicted: all but the first. */
export const targets: Range = ({ length }) => [Math.min(1, length), length]

/** What the targets are predicted from: all tokens but the last. */
export const inputs: Range = ({ length }) => [0, Math.max(length - 1, 0)]

export const promptOf: Range = ({ border }) => [0, border]

export const responseOf: Range = ({ border, length }) => [border, length]

/** An array of the same type. */
export function likeOf<Values extends Numbers>(values: Values, length: number): Values {
  const Type = values.constructor as new (length: number) => Values
  return new Type(length)
}

const isInt32 = (value: string | number): boolean => typeof value === 'number' && (value | 0) === value

/** Ids as a column: integers where all are, text where all are text or large; JSON where both occur, as 5 and "5" are
 * two names. */
export function idColumn(ids: readonly (string | number)[]): Column {
  if (ids.every(isInt32)) return { kind: 'dense', values: Int32Array.from(ids as readonly number[]) }
  const isMixed = new Set(ids.map((id) => typeof id)).size > 1
  return { kind: 'text', values: ids.map((id) => (isMixed ? JSON.stringify(id) : String(id))) }
}

/** The columns that name the rollout of each row: `group`, `rollout`, and `role` where a rollout has one.
 * @param rollouts - `[numRows]` indices into the batch
 */
export function nameColumns(keys: readonly RolloutName[], rollouts: readonly number[]): [string, Column][] {
  const columns: [string, Column][] = [
    ['group', idColumn(rollouts.map((i) => keys[i]!.group))],
    ['rollout', idColumn(rollouts.map((i) => keys[i]!.rollout))],
  ]
  if (rollouts.some((i) => keys[i]!.role !== undefined))
    columns.push(['role', { kind: 'text', values: rollouts.map((i) => keys[i]!.role ?? null) }])
  return columns
}

/** One integer a row. */
export function counts<Row>(rows: readonly Row[], countOf: (row: Row) => number): DenseColumn {
  return { kind: 'dense', values: Int32Array.from(rows, countOf) }
}

/** `group`, `rollout`, `role` and `sequence` of each row. */
export function sequenceColumns(
  keys: readonly RolloutName[],
  rows: readonly SequenceRow[],
): [string, Column][] {
  return [
    ...nameColumns(
      keys,
      rows.map(({ rollout }) => rollout),
    ),
    ['sequence', counts(rows, ({ sequence }) => sequence)],
  ]
}

/** A list a row: the values of a range of its tokens. */
export function listColumn(rows: readonly SequenceRow[], flat: Numbers, range: Range): ListColumn {
  const ptr = new Int32Array(rows.length + 1)
  rows.forEach((row, n) => {
    const [start, end] = range(row)
    ptr[n + 1] = ptr[n]! + end - start
  })
  const values = likeOf(flat, ptr[rows.length]!)
  rows.forEach((row, n) => {
    const [start, end] = range(row)
    values.set(flat.subarray(row.origin + start, row.origin + end), ptr[n])
  })
  return { kind: 'list', values, ptr: asOffsets('listColumn', ptr) }
}

/** The longest range of all rows. */
export function longest(rows: readonly SequenceRow[], range: Range): number {
  return rows.reduce((most, row) => {
    const [start, end] = range(row)
    return Math.max(most, end - start)
  }, 0)
}

/** The width of padded rows.
 * @param place - `toVerl: options.width`
 * @throws TaraError `OPTION` below the longest, `TOO_LARGE` from 2^31 entries
 */
export function widthOf(place: string, rows: readonly SequenceRow[], range: Range, given?: number): number {
  const least = longest(rows, range)
  const width = given ?? least
  if (width < least) fail('OPTION', place, `at least ${least}, the longest`, `${width}`)
  if (width * rows.length > 0x7fffffff)
    fail('TOO_LARGE', place, 'at most 2147483647 entries', `${rows.length} x ${width}`)
  return width
}

/** `[numRows, width]`: the values of a range of each row's tokens, and `fill` on one side of them. */
export function paddedColumn(
  rows: readonly SequenceRow[],
  flat: Numbers,
  range: Range,
  { width, side, fill }: { readonly width: number; readonly side: 'right' | 'left'; readonly fill: number },
): DenseColumn {
  const values = likeOf(flat, rows.length * width)
  if (fill !== 0) values.fill(fill)
  rows.forEach((row, n) => {
    const [start, end] = range(row)
    const at = n * width + (side === 'left' ? width - (end - start) : 0)
    values.set(flat.subarray(row.origin + start, row.origin + end), at)
  })
  return { kind: 'dense', values, width }
}
