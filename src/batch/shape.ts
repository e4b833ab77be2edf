/**
 * Pass 1 of `turnBatch`: how many rollouts and turns each group has, and that its tables agree.
 */
import { fail, show } from '../errors.js'
import { checkLength } from './check.js'

/** `[K][≤T]` one row a rollout. */
export type RewardTable = readonly (readonly (number | null)[])[]

/** One task and its K rollouts, already scored. */
export interface RewardGroup {
  /** Named in errors in place of the index. */
  readonly id?: string | number
  /** `[K][≤T]` reward of each turn; a short row means that the rest was not reached. Default: the sum of `columns`. */
  readonly rewards?: RewardTable
  /** `[K][≤T]` each: named reward components, shaped like `rewards`. */
  readonly columns?: Readonly<Record<string, RewardTable>>
  /** T, where a golden trace fixes it; then an unreached turn was due. Default: the longest row. */
  readonly numTurns?: number
  /** `[K]` false for a rollout lost to an outside cause. Its rewards are not read. Default: all true. */
  readonly valid?: readonly boolean[]
  /** `[K]` true for a rollout that a limit ended. Default: all false. */
  readonly truncated?: readonly boolean[]
  /** `[K]` a score of the whole rollout, `null` where there is none. */
  readonly outcome?: readonly (number | null)[]
  /** `[T]` true for a turn that is taken out before anything is computed. Default: all false. */
  readonly masked?: readonly boolean[]
}

/** A group whose tables were found to agree. */
export interface GroupShape {
  readonly group: RewardGroup
  readonly place: string
  readonly numRollouts: number
  readonly numTurns: number
  /** Named components; empty where there are none. */
  readonly columns: readonly (readonly [name: string, table: RewardTable])[]
  /** The rewards, or the first component where only components are given: same rows, same lengths. */
  readonly rows: RewardTable
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))
}

function asTable(place: string, value: unknown): RewardTable {
  if (!isList(value)) return fail('TYPE', place, 'a list with one row of rewards a rollout', show(value))
  for (let i = 0; i < value.length; i++)
    if (!isList(value[i])) fail('TYPE', `${place}[${i}]`, 'a list of rewards, one a turn', show(value[i]))
  return value as RewardTable
}

function asColumns(place: string, value: unknown): (readonly [string, RewardTable])[] {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null || isList(value))
    return fail('TYPE', place, 'an object of named rewards', show(value))
  const names = Object.keys(value)
  if (names.length === 0) fail('MISSING', place, 'at least one named reward', 'none')
  return Object.entries(value).map(([name, table]) => [name, asTable(`${place}.${name}`, table)] as const)
}

function checkSameRows(place: string, table: RewardTable, rows: RewardTable): void {
  checkLength(place, table, rows.length, 'rollout')
  for (let i = 0; i < rows.length; i++)
    if (table[i]!.length !== rows[i]!.length)
      fail(
        'LENGTH',
        `${place}[${i}]`,
        `${rows[i]!.length} values, as in the rest of the row`,
        `${table[i]!.length}`,
      )
}

/** Counts rollouts and turns of a group.
 * @throws TaraError `TYPE`, `LENGTH`, `MISSING`, `RANGE`
 */
export function shapeOf(place: string, group: RewardGroup): GroupShape {
  if (typeof group !== 'object' || group === null || isList(group))
    fail('TYPE', place, 'a group', show(group))
  const columns = asColumns(`${place}.columns`, group.columns)
  const rows = group.rewards === undefined ? columns[0]?.[1] : asTable(`${place}.rewards`, group.rewards)
  if (rows === undefined)
    return fail('MISSING', `${place}.rewards`, 'a list with one row of rewards a rollout', 'undefined')
  for (const [name, table] of columns) checkSameRows(`${place}.columns.${name}`, table, rows)
  const longest = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const numTurns = group.numTurns === undefined ? longest : group.numTurns
  if (!Number.isSafeInteger(numTurns) || numTurns < 0)
    fail('RANGE', `${place}.numTurns`, 'a whole number, 0 or more', show(numTurns))
  if (longest > numTurns)
    fail('LENGTH', `${place}.rewards`, `rows of at most ${numTurns} turns`, `${longest}`)
  return { group, place, numRollouts: rows.length, numTurns, columns, rows }
}
