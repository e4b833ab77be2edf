/**
 * The filters of the command line: a log without the rollouts they drop, and the receipt.
 */

import { turnBatch } from '../batch/build.js'
import type { TurnBatch } from '../batch/layout.js'
import type { VoteRules } from '../diagnose/columns.js'
import { type Filtered, filterGroups, type GroupFilters } from '../diagnose/filter.js'
import { takeRollouts } from '../diagnose/select.js'
import type { RolloutLog } from '../formats/log-types.js'
import { type Given, kebab } from './flag.js'
import { filterFlags } from './flags.js'

/** Who votes, from the flags that every estimator has. */
export function voteSettings(given: Given): Partial<VoteRules> {
  return { unreached: given.unreached, truncated: given.truncated } as Partial<VoteRules>
}

/** The filters by the flags that stand for them. */
const filterOf: Readonly<Record<string, keyof GroupFilters>> = {
  dropTruncated: 'truncated',
  minGroupSize: 'minGroupSize',
  meanReward: 'meanReward',
  dropFlat: 'flat',
}

function filterSettings(given: Given): Partial<GroupFilters> {
  return Object.fromEntries(
    Object.entries(filterOf)
      .filter(([flag]) => given[flag] !== undefined)
      .map(([flag, filter]) => [filter, given[flag] === true ? 'drop' : given[flag]]),
  )
}

/** The log without what the filters drop, still in the order of its input. */
function logOf(log: RolloutLog, { batch, kept }: Filtered): RolloutLog {
  const placeNow = new Int32Array(log.keys.length).fill(-1)
  kept.forEach((i, n) => {
    placeNow[i] = n
  })
  return {
    ...log,
    batch,
    keys: takeRollouts(log.keys, kept),
    status: takeRollouts(log.status, kept),
    line: Int32Array.from(kept, (i) => log.line[i]!),
    tokens: log.tokens && takeRollouts(log.tokens, kept),
    inputOrder: log.inputOrder.map((i) => placeNow[i]!).filter((n) => n >= 0),
    placeOf: (rollout) => log.placeOf(kept[rollout]!),
  }
}

export interface FilteredLog {
  readonly log: RolloutLog
  /** The receipt; undefined where no filter is asked for. */
  readonly filtered: Filtered | undefined
}

/** The filters that are asked for, checked before there is a log to run them on.
 * @throws TaraError `OPTION`
 */
export function logFilter(given: Given): (log: RolloutLog) => FilteredLog {
  if (!filterFlags.some(({ name }) => given[name] !== undefined))
    return (log) => ({ log, filtered: undefined })
  const run = (batch: TurnBatch): Filtered => filterGroups(batch, filterSettings(given), voteSettings(given))
  run(turnBatch([]))
  return (log) => {
    const filtered = run(log.batch)
    return { log: logOf(log, filtered), filtered }
  }
}

const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`

/** The receipt: what stayed, and what each filter that was asked for took. Lines for stderr. */
export function receiptLines({ counts }: Filtered, given: Given): string {
  const lines = [
    `kept ${count(counts.keptRollouts, 'rollout')} of ${count(counts.keptGroups, 'group')}`,
    ...Object.entries(filterOf)
      .filter(([flag]) => given[flag] !== undefined)
      .map(([flag, filter]) => {
        const { groups, rollouts } = counts.dropped[filter]
        return `dropped by --${kebab(flag)}: ${count(rollouts, 'rollout')}, ${count(groups, 'whole group')}`
      }),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
