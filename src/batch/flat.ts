/**
 * Arrays that are flat already → `TurnBatch`: checked, branded, not copied.
 */
import { fail, show } from '../errors.js'
import { asOffsets, asScore, checkLength, failReward, isReward } from './check.js'
import type { TurnBatch } from './layout.js'

/** The fields of a `TurnBatch` before they are checked. What is left out: all reached, all valid, no golden trace. */
export interface FlatBatch {
  readonly groupPtr: ArrayLike<number>
  readonly turnPtr: ArrayLike<number>
  readonly reward: Float64Array
  readonly reached?: Uint8Array
  readonly valid?: Uint8Array
  readonly truncated?: Uint8Array
  readonly masked?: Uint8Array
  readonly hasGolden?: Uint8Array
  readonly outcome?: Float64Array
  readonly hasOutcome?: Uint8Array
  readonly columns?: Readonly<Record<string, Float64Array>>
  /** Allows rewards other than 0 and 1. Default false. */
  readonly realRewards?: boolean
}

const fields: readonly (keyof FlatBatch)[] = [
  'groupPtr',
  'turnPtr',
  'reward',
  'reached',
  'valid',
  'truncated',
  'masked',
  'hasGolden',
  'outcome',
  'hasOutcome',
  'columns',
  'realRewards',
]

function flagsOf(
  name: string,
  value: Uint8Array | undefined,
  length: number,
  unit: string,
): Uint8Array | undefined {
  if (value === undefined) return undefined
  const place = `turnBatchFromFlat: ${name}`
  if (!(value instanceof Uint8Array)) fail('TYPE', place, 'a Uint8Array', show(value))
  checkLength(place, value, length, unit)
  for (let i = 0; i < length; i++)
    if (value[i]! > 1) fail('RANGE', `${place}[${i}]`, '0 or 1', show(value[i]))
  return value
}

function floats(place: string, value: unknown, length: number, unit: string): Float64Array {
  if (!(value instanceof Float64Array)) return fail('TYPE', place, 'a Float64Array', show(value))
  checkLength(place, value, length, unit)
  return value
}

/** All rollouts of a group have one T and one mask. */
function checkGroups(batch: TurnBatch): void {
  const { groupPtr, turnPtr, masked } = batch
  for (let g = 0; g + 1 < groupPtr.length; g++) {
    const first = groupPtr[g]!
    for (let i = first; i < groupPtr[g + 1]!; i++) {
      const T = turnPtr[first + 1]! - turnPtr[first]!
      const start = turnPtr[i]!
      if (turnPtr[i + 1]! - start !== T)
        fail(
          'LENGTH',
          `turnBatchFromFlat: turnPtr[${i + 1}]`,
          `${start + T}, as many turns as the group's first rollout`,
          show(turnPtr[i + 1]),
        )
      if (masked === undefined) continue
      for (let t = 0; t < T; t++)
        if (masked[start + t] !== masked[turnPtr[first]! + t])
          fail(
            'MISMATCH',
            `turnBatchFromFlat: masked[${start + t}]`,
            "the mask of the group's first rollout",
            show(masked[start + t]),
          )
    }
  }
}

/** Checks and brands arrays that are flat already. They are used as they are, not copied.
 * @param flat - see `TurnBatch` for shapes; rewards of invalid rollouts and of unreached turns must be 0
 * @throws TaraError `TYPE`, `LENGTH`, `RANGE`, `MISMATCH`
 */
export function turnBatchFromFlat(flat: FlatBatch): TurnBatch {
  if (typeof flat !== 'object' || flat === null)
    fail('TYPE', 'turnBatchFromFlat', 'an object of arrays', show(flat))
  for (const name of Object.keys(flat))
    if (!fields.includes(name as keyof FlatBatch))
      fail('OPTION', `turnBatchFromFlat: ${name}`, `one of ${fields.join(', ')}`, 'an unknown field')
  const turnPtr = asOffsets('turnBatchFromFlat: turnPtr', flat.turnPtr)
  const rollouts = turnPtr.length - 1
  const groupPtr = asOffsets('turnBatchFromFlat: groupPtr', flat.groupPtr, rollouts)
  const groups = groupPtr.length - 1
  const turns = turnPtr[rollouts]!
  const reward = floats('turnBatchFromFlat: reward', flat.reward, turns, 'turn')
  const realRewards = flat.realRewards ?? false
  if (typeof realRewards !== 'boolean')
    fail('TYPE', 'turnBatchFromFlat: realRewards', 'true or false', show(realRewards))
  const reached = flagsOf('reached', flat.reached, turns, 'turn') ?? new Uint8Array(turns).fill(1)
  const valid = flagsOf('valid', flat.valid, rollouts, 'rollout') ?? new Uint8Array(rollouts).fill(1)
  const truncated = flagsOf('truncated', flat.truncated, rollouts, 'rollout')
  const masked = flagsOf('masked', flat.masked, turns, 'turn')
  const hasGolden = flagsOf('hasGolden', flat.hasGolden, groups, 'group') ?? new Uint8Array(groups)
  for (let i = 0; i < rollouts; i++) {
    for (let j = turnPtr[i]!; j < turnPtr[i + 1]!; j++) {
      if (!isReward(reward[j], realRewards))
        failReward(`turnBatchFromFlat: reward[${j}]`, reward[j], realRewards)
      if (reward[j] !== 0 && !(reached[j] && valid[i]))
        fail(
          'MISMATCH',
          `turnBatchFromFlat: reward[${j}]`,
          '0 where the turn is not reached or the rollout not valid',
          show(reward[j]),
        )
    }
  }
  const outcome = flat.outcome && floats('turnBatchFromFlat: outcome', flat.outcome, rollouts, 'rollout')
  const hasOutcome =
    outcome &&
    (flagsOf('hasOutcome', flat.hasOutcome, rollouts, 'rollout') ?? new Uint8Array(rollouts).fill(1))
  if (outcome) for (let i = 0; i < rollouts; i++) asScore(`turnBatchFromFlat: outcome[${i}]`, outcome[i])
  const columns = flat.columns
  for (const [name, column] of Object.entries(columns ?? {})) {
    floats(`turnBatchFromFlat: columns.${name}`, column, turns, 'turn')
    for (let j = 0; j < turns; j++)
      if (!isReward(column[j], realRewards))
        failReward(`turnBatchFromFlat: columns.${name}[${j}]`, column[j], realRewards)
  }
  const batch: TurnBatch = {
    groupPtr,
    turnPtr,
    reward,
    reached,
    valid,
    hasGolden,
    realRewards,
    ...(truncated && { truncated }),
    ...(masked && { masked }),
    ...(outcome && hasOutcome && { outcome, hasOutcome }),
    ...(columns && { columns }),
  }
  checkGroups(batch)
  return batch
}
