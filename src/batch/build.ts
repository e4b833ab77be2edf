/**
 * Nested rewards → `TurnBatch`, in two passes: count, then fill. What is flat already is checked in `flat.ts`.
 */
import { fail, show } from '../errors.js'
import { aBoolean, resolveOptions } from '../options.js'
import { asOffsets, asReward, checkLength, MAX_REWARD } from './check.js'
import type { TurnBatch } from './layout.js'

/** One task and its K rollouts, already scored. */
export interface RewardGroup {
  /** Named in errors in place of the index. */
  readonly id?: string | number
  /** `[K][≤T]` reward of each turn; a short row means that the rest was not reached. Default: the sum of `columns`. */
  readonly rewards?: readonly (readonly (number | null)[])[]
  /** `[K][≤T]` each: named reward components, shaped like `rewards`. */
  readonly columns?: Readonly<Record<string, readonly (readonly (number | null)[])[]>>
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

export interface TurnBatchOptions {
  /** Allows rewards other than 0 and 1, finite and at most 1e300 in size. Default false. */
  readonly realRewards: boolean
  /** Takes a rollout with a reward of null, NaN or ±Infinity as invalid instead of refusing it. Default false. */
  readonly allowInvalid: boolean
}

export const turnBatchDefaults: Readonly<TurnBatchOptions> = Object.freeze({
  realRewards: false,
  allowInvalid: false,
})

interface GroupShape {
  readonly place: string
  readonly numRollouts: number
  readonly numTurns: number
}

const isList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))

function tableOf(
  place: string,
  value: unknown,
  numRollouts?: number,
): readonly (readonly (number | null)[])[] {
  if (!isList(value)) fail('TYPE', place, 'a list with one row of rewards a rollout', show(value))
  if (numRollouts !== undefined) checkLength(place, value, numRollouts, 'rollout')
  for (let i = 0; i < value.length; i++)
    if (!isList(value[i])) fail('TYPE', `${place}[${i}]`, 'a list of rewards, one a turn', show(value[i]))
  return value as readonly (readonly (number | null)[])[]
}

function columnsOf(place: string, group: RewardGroup): [string, readonly (readonly (number | null)[])[]][] {
  const { columns } = group
  if (columns === undefined) return []
  if (typeof columns !== 'object' || columns === null || isList(columns))
    fail('TYPE', `${place}.columns`, 'an object of named rewards', show(columns))
  const named = Object.entries(columns).map(
    ([name, table]) =>
      [name, tableOf(`${place}.columns.${name}`, table)] as [string, readonly (readonly (number | null)[])[]],
  )
  if (named.length === 0) fail('MISSING', `${place}.columns`, 'at least one named reward', 'none')
  return named
}

/** Pass 1: how many rollouts and turns the group has. */
function shapeOf(place: string, group: RewardGroup): GroupShape {
  if (typeof group !== 'object' || group === null || isList(group))
    fail('TYPE', place, 'a group', show(group))
  const tables = columnsOf(place, group)
  if (group.rewards !== undefined) tables.unshift(['rewards', tableOf(`${place}.rewards`, group.rewards)])
  const first = tables[0]
  if (first === undefined)
    return fail('MISSING', `${place}.rewards`, 'a list with one row of rewards a rollout', 'undefined')
  const numRollouts = first[1].length
  let longest = 0
  for (let i = 0; i < numRollouts; i++) longest = Math.max(longest, first[1][i]!.length)
  for (const [name, table] of tables) {
    checkLength(`${place}.columns.${name}`, table, numRollouts, 'rollout')
    for (let i = 0; i < numRollouts; i++)
      if (table[i]!.length !== first[1][i]!.length)
        fail(
          'LENGTH',
          `${place}.columns.${name}[${i}]`,
          `${first[1][i]!.length} values, as in ${first[0]}`,
          `${table[i]!.length}`,
        )
  }
  if (group.numTurns === undefined) return { place, numRollouts, numTurns: longest }
  if (!Number.isInteger(group.numTurns) || group.numTurns < 0)
    fail('RANGE', `${place}.numTurns`, 'a whole number, 0 or more', show(group.numTurns))
  if (longest > group.numTurns)
    fail('LENGTH', `${place}.${first[0]}`, `rows of at most ${group.numTurns} turns`, `${longest}`)
  return { place, numRollouts, numTurns: group.numTurns }
}

function flags(place: string, value: unknown, length: number, unit: string): readonly boolean[] | undefined {
  if (value === undefined) return undefined
  if (!isList(value)) fail('TYPE', place, 'a list of true and false', show(value))
  checkLength(place, value, length, unit)
  for (let i = 0; i < length; i++)
    if (typeof value[i] !== 'boolean') fail('TYPE', `${place}[${i}]`, 'true or false', show(value[i]))
  return value as readonly boolean[]
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)

/** Builds a batch from nested rewards.
 * @param groups - one entry a task, see `RewardGroup`; an empty group is allowed
 * @param options - see `turnBatchDefaults`
 * @returns rollouts and turns in the order given
 * @throws TaraError with the path of the fault: `turnBatch: groups[3].rewards[1][2]: expected 0 or 1, got 0.5`
 */
export function turnBatch(groups: readonly RewardGroup[], options?: Partial<TurnBatchOptions>): TurnBatch {
  const { realRewards, allowInvalid } = resolveOptions('turnBatch', options, turnBatchDefaults, {
    realRewards: aBoolean,
    allowInvalid: aBoolean,
  })
  if (!Array.isArray(groups)) fail('TYPE', 'turnBatch: groups', 'a list of groups', show(groups))
  const shapes = groups.map((group, g) => shapeOf(`turnBatch: groups[${group?.id ?? g}]`, group))

  const groupPtr = [0]
  const turnPtr = [0]
  let rollouts = 0
  let turns = 0
  for (const shape of shapes) {
    for (let i = 0; i < shape.numRollouts; i++) turnPtr.push((turns += shape.numTurns))
    groupPtr.push((rollouts += shape.numRollouts))
  }
  const columnNames = groups.length === 0 ? [] : Object.keys(groups[0]!.columns ?? {})
  const batch = {
    groupPtr: asOffsets('turnBatch: groups', groupPtr),
    turnPtr: asOffsets('turnBatch: turns', turnPtr),
    reward: new Float64Array(turns),
    reached: new Uint8Array(turns),
    valid: new Uint8Array(rollouts).fill(1),
    hasGolden: new Uint8Array(groups.length),
    realRewards,
  }
  const truncated = groups.some((group) => group.truncated !== undefined)
    ? new Uint8Array(rollouts)
    : undefined
  const masked = groups.some((group) => group.masked !== undefined) ? new Uint8Array(turns) : undefined
  const hasOutcome = groups.some((group) => group.outcome !== undefined)
    ? new Uint8Array(rollouts)
    : undefined
  const outcome = hasOutcome && new Float64Array(rollouts)
  const columns: Record<string, Float64Array> = Object.create(null)
  for (const name of columnNames) columns[name] = new Float64Array(turns)

  for (let g = 0; g < groups.length; g++) {
    const group = groups[g]!
    const { place, numRollouts: K, numTurns: T } = shapes[g]!
    const named = columnsOf(place, group)
    const wished = columnNames.join(', ') || 'no columns'
    if (named.length !== columnNames.length || named.some(([name]) => !Object.hasOwn(columns, name)))
      fail(
        'MISMATCH',
        `${place}.columns`,
        `${wished}, as in the first group`,
        named.map(([name]) => name).join(', ') || 'none',
      )
    const valid = flags(`${place}.valid`, group.valid, K, 'rollout')
    const cut = flags(`${place}.truncated`, group.truncated, K, 'rollout')
    const out = flags(`${place}.masked`, group.masked, T, 'turn')
    batch.hasGolden[g] = group.numTurns === undefined ? 0 : 1
    if (group.outcome !== undefined) {
      if (!isList(group.outcome))
        fail('TYPE', `${place}.outcome`, 'a list with one number or null a rollout', show(group.outcome))
      checkLength(`${place}.outcome`, group.outcome, K, 'rollout')
    }
    for (let k = 0; k < K; k++) {
      const i = batch.groupPtr[g]! + k
      const start = batch.turnPtr[i]!
      const length = (group.rewards ?? named[0]![1])[k]!.length
      if (out) for (let t = 0; t < T; t++) masked![start + t] = out[t] ? 1 : 0
      if (cut?.[k]) truncated![i] = 1
      const score = group.outcome?.[k]
      if (score !== undefined && score !== null) {
        if (typeof score !== 'number' || !(Math.abs(score) <= MAX_REWARD))
          fail(
            'RANGE',
            `${place}.outcome[${k}]`,
            `null or a finite number of at most ${MAX_REWARD} in size`,
            show(score),
          )
        outcome![i] = score + 0
        hasOutcome![i] = 1
      }
      const tables = group.rewards === undefined ? named : [...named, ['rewards', group.rewards] as const]
      const broken = allowInvalid && tables.some(([, table]) => table[k]!.some((value) => !isNumber(value)))
      if (valid?.[k] === false || broken) {
        batch.valid[i] = 0
        continue
      }
      for (let t = 0; t < length; t++) {
        let sum = 0
        for (const [name, table] of named)
          sum += columns[name]![start + t] = asReward(
            `${place}.columns.${name}[${k}][${t}]`,
            table[k]![t],
            realRewards,
          )
        batch.reward[start + t] =
          group.rewards === undefined
            ? asReward(`${place}.columns (their sum)[${k}][${t}]`, sum, realRewards)
            : asReward(`${place}.rewards[${k}][${t}]`, group.rewards[k]![t], realRewards)
        batch.reached[start + t] = 1
      }
    }
  }
  return {
    ...batch,
    ...(truncated && { truncated }),
    ...(masked && { masked }),
    ...(outcome && hasOutcome && { outcome, hasOutcome }),
    ...(columnNames.length > 0 && { columns }),
  }
}
