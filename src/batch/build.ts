/**
 * Nested rewards → `TurnBatch`, in two passes: count, then fill. What is flat already is checked in `flat.ts`.
 */
import { fail, show } from '../errors.js'
import { aBoolean, resolveOptions } from '../options.js'
import { asOffsets, asScore, checkLength, failReward, isReward, isUnreadable } from './check.js'
import type { TurnBatch } from './layout.js'
import { type GroupShape, isList, type RewardGroup, shapeOf } from './shape.js'

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

/** The arrays that a group is written into. */
type Target = TurnBatch & { readonly columns: Record<string, Float64Array> }

function setFlags(
  place: string,
  value: unknown,
  target: Uint8Array,
  start: number,
  length: number,
  unit: string,
): void {
  if (!isList(value)) fail('TYPE', place, `a list of true and false, one a ${unit}`, show(value))
  checkLength(place, value, length, unit)
  for (let k = 0; k < length; k++) {
    const flag = value[k]
    if (typeof flag !== 'boolean') fail('TYPE', `${place}[${k}]`, 'true or false', show(flag))
    target[start + k] = flag ? 1 : 0
  }
}

function setOutcome(shape: GroupShape, target: Target, first: number): void {
  const place = `${shape.place}.outcome`
  const scores: unknown = shape.group.outcome
  if (!isList(scores)) fail('TYPE', place, 'a list with one number or null a rollout', show(scores))
  checkLength(place, scores, shape.numRollouts, 'rollout')
  for (let k = 0; k < scores.length; k++) {
    if (scores[k] === null) continue
    target.outcome![first + k] = asScore(`${place}[${k}]`, scores[k])
    target.hasOutcome![first + k] = 1
  }
}

/** Whether a reward of rollout k is null, NaN or infinite. */
function isBroken({ columns, rows }: GroupShape, k: number): boolean {
  return [rows, ...columns.map(([, table]) => table)].some((table) => table[k]!.some(isUnreadable))
}

function setRewards(
  { group, place, columns, rows }: GroupShape,
  target: Target,
  k: number,
  start: number,
): void {
  const { realRewards } = target
  for (let t = 0; t < rows[k]!.length; t++) {
    let sum = 0
    for (const [name, table] of columns) {
      const part = table[k]![t]
      if (!isReward(part, realRewards)) failReward(`${place}.columns.${name}[${k}][${t}]`, part, realRewards)
      target.columns[name]![start + t] = part + 0
      sum += part
    }
    const reward = group.rewards === undefined ? sum : group.rewards[k]![t]
    if (!isReward(reward, realRewards))
      failReward(
        `${place}.${group.rewards === undefined ? 'columns (their sum)' : 'rewards'}[${k}][${t}]`,
        reward,
        realRewards,
      )
    target.reward[start + t] = reward + 0
    target.reached[start + t] = 1
  }
}

/** Pass 2: writes one group, whose first rollout is `first`. */
function setGroup(shape: GroupShape, target: Target, first: number, allowInvalid: boolean): void {
  const { group, place, numRollouts: K, numTurns: T } = shape
  if (group.valid !== undefined) setFlags(`${place}.valid`, group.valid, target.valid, first, K, 'rollout')
  if (group.truncated !== undefined)
    setFlags(`${place}.truncated`, group.truncated, target.truncated!, first, K, 'rollout')
  if (group.outcome !== undefined) setOutcome(shape, target, first)
  for (let k = 0; k < K; k++) {
    const start = target.turnPtr[first + k]!
    if (group.masked !== undefined)
      setFlags(`${place}.masked`, group.masked, target.masked!, start, T, 'turn')
    if (allowInvalid && isBroken(shape, k)) target.valid[first + k] = 0
    if (target.valid[first + k] === 1) setRewards(shape, target, k, start)
  }
}

function checkColumnNames(shapes: readonly GroupShape[]): string[] {
  const names = shapes[0]?.columns.map(([name]) => name) ?? []
  for (const { place, columns } of shapes) {
    const own = columns.map(([name]) => name)
    if (own.length !== names.length || own.some((name) => !names.includes(name)))
      fail(
        'MISMATCH',
        `${place}.columns`,
        `the first group's: ${names.join(', ') || 'none'}`,
        own.join(', ') || 'none',
      )
  }
  return names
}

/** Builds a batch from nested rewards.
 * @param groups - one entry a task, see `RewardGroup`; a group without rollouts is allowed
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
  const shapes = groups.map((group: RewardGroup, g) => shapeOf(`turnBatch: groups[${group?.id ?? g}]`, group))
  const columnNames = checkColumnNames(shapes)

  const groupPtr = [0]
  const turnPtr = [0]
  for (const { numRollouts, numTurns } of shapes) {
    for (let i = 0; i < numRollouts; i++) turnPtr.push(turnPtr.at(-1)! + numTurns)
    groupPtr.push(turnPtr.length - 1)
  }
  const rollouts = turnPtr.length - 1
  const turns = turnPtr.at(-1)!
  const has = (name: keyof RewardGroup): boolean => shapes.some(({ group }) => group[name] !== undefined)
  const columns: Record<string, Float64Array> = Object.create(null)
  for (const name of columnNames) columns[name] = new Float64Array(turns)
  const batch: Target = {
    groupPtr: asOffsets('turnBatch: groups', groupPtr),
    turnPtr: asOffsets('turnBatch: turns', turnPtr),
    reward: new Float64Array(turns),
    reached: new Uint8Array(turns),
    valid: new Uint8Array(rollouts).fill(1),
    hasGolden: Uint8Array.from(shapes, ({ group }) => (group.numTurns === undefined ? 0 : 1)),
    ...(has('truncated') && { truncated: new Uint8Array(rollouts) }),
    ...(has('masked') && { masked: new Uint8Array(turns) }),
    ...(has('outcome') && { outcome: new Float64Array(rollouts), hasOutcome: new Uint8Array(rollouts) }),
    columns,
    realRewards,
  }
  shapes.forEach((shape, g) => {
    setGroup(shape, batch, batch.groupPtr[g]!, allowInvalid)
  })
  if (columnNames.length > 0) return batch
  const { columns: _none, ...plain } = batch
  return plain
}
