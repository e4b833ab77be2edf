/**
 * A record that is scored already → its row of the log.
 */
import { failReward, isReward, isUnreadable } from '../batch/check.js'
import { fail } from '../errors.js'
import type { LogGroup } from './groups.js'
import { float64Pool } from './pool.js'
import type { RewardRow } from './record.js'
import type { LogRows } from './rows.js'

/** The named components of a row; none for a plain one. */
const columnsOf = (row: RewardRow): [string, readonly number[]][] =>
  Array.isArray(row) ? [] : Object.entries(row as Readonly<Record<string, readonly number[]>>)

/** Every record of a log has the same named components, or none has any.
 * @throws TaraError `MISMATCH`
 */
export function checkColumns(rows: LogRows, names: readonly string[]): void {
  if (rows.rollout.length === 0) for (const name of names) rows.columns.set(name, float64Pool())
  if (names.length === rows.columns.size && names.every((name) => rows.columns.has(name))) return
  const wanted = [...rows.columns.keys()].join(', ') || 'none'
  fail('MISMATCH', 'rewards', `the named rewards of the first record (${wanted})`, names.join(', ') || 'none')
}

/** Whether a value of the row is null, NaN or infinite. */
export function isBroken(row: RewardRow): boolean {
  const tables: (readonly number[])[] = Array.isArray(row) ? [row] : Object.values(row)
  return tables.some((values) => values.some(isUnreadable))
}

/** Widens T by a row, or checks that it keeps within the golden trace. */
function fitTurns(group: LogGroup, length: number): void {
  if (group.golden === undefined) group.numTurns = Math.max(group.numTurns, length)
  else if (length > group.numTurns)
    fail(
      'LENGTH',
      'rewards',
      `at most ${group.numTurns} rewards, one a turn of the golden trace`,
      `${length}`,
    )
}

/** Pushes a scored row.
 * @param votes - false for a rollout that is out: its values are not read, its row is zeros
 * @throws TaraError `TYPE`, `RANGE`, `LENGTH`, `MISMATCH`
 */
export function pushRewards(
  rows: LogRows,
  group: LogGroup,
  given: RewardRow,
  votes: boolean,
  realRewards: boolean,
): void {
  const columns = columnsOf(given)
  checkColumns(
    rows,
    columns.map(([name]) => name),
  )
  const plain = Array.isArray(given) ? (given as readonly number[]) : undefined
  const length = (plain ?? columns[0]![1]).length
  fitTurns(group, length)
  for (let t = 0; t < length; t++) {
    let sum = 0
    for (const [name, values] of columns) {
      const part = values[t]!
      if (votes && !isReward(part, realRewards)) failReward(`rewards.${name}[${t}]`, part, realRewards)
      rows.columns.get(name)!.push(votes ? part + 0 : 0)
      sum += part
    }
    const reward = plain === undefined ? sum : plain[t]!
    if (votes && !isReward(reward, realRewards))
      failReward(
        plain === undefined ? `rewards[${t}] (sum of the named)` : `rewards[${t}]`,
        reward,
        realRewards,
      )
    rows.reward.push(votes && group.masked?.[t] !== 1 ? reward + 0 : 0)
    rows.reached.push(votes ? 1 : 0)
  }
}
