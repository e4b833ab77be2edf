/**
 * The layout that hierarchical rewards need: groups → rollouts → phases → steps as flat arrays, float64.
 *
 * A rollout has any number of phases, a phase any number of steps; nothing is padded. A step is what the policy
 * generates at one go. Each level has rewards of its own, and a rollout, phase or step may be without one: a phase
 * that nobody judged, a step outside every phase that counts (it has tokens and gets the other levels' credit).
 */
import { asOffsets, checkLength, failReward, isReward } from '../batch/check.js'
import { turnBatchFromFlat } from '../batch/flat.js'
import type { Offsets, TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'

export interface LevelBatch {
  /** `[numGroups+1]` rollouts of group g. */
  readonly groupPtr: Offsets
  /** `[numRollouts+1]` phases of rollout i. */
  readonly phasePtr: Offsets
  /** `[numPhases+1]` steps of phase p. */
  readonly stepPtr: Offsets
  /** `[numRollouts]`, `[numPhases]`, `[numSteps]` rewards; 0 where there is none. */
  readonly trajectoryReward: Float64Array
  readonly phaseReward: Float64Array
  readonly stepReward: Float64Array
  /** `[numRollouts]`, `[numPhases]`, `[numSteps]` 1 where there is a reward. */
  readonly hasTrajectoryReward: Uint8Array
  readonly hasPhaseReward: Uint8Array
  readonly hasStepReward: Uint8Array
  /** `[numRollouts]` 0 for a rollout lost to an outside cause: it neither votes nor learns. */
  readonly valid: Uint8Array
}

/** The fields of a `LevelBatch` before they are checked. What is left out: all valid, all with a reward. */
export interface FlatLevels {
  readonly groupPtr: ArrayLike<number>
  readonly phasePtr: ArrayLike<number>
  readonly stepPtr: ArrayLike<number>
  readonly trajectoryReward: Float64Array
  readonly phaseReward: Float64Array
  readonly stepReward: Float64Array
  readonly hasTrajectoryReward?: Uint8Array
  readonly hasPhaseReward?: Uint8Array
  readonly hasStepReward?: Uint8Array
  readonly valid?: Uint8Array
}

const fields: readonly (keyof FlatLevels)[] = [
  'groupPtr',
  'phasePtr',
  'stepPtr',
  'trajectoryReward',
  'phaseReward',
  'stepReward',
  'hasTrajectoryReward',
  'hasPhaseReward',
  'hasStepReward',
  'valid',
]

function flags(name: string, value: Uint8Array | undefined, length: number, unit: string): Uint8Array {
  const place = `levelBatch: ${name}`
  if (value === undefined) return new Uint8Array(length).fill(1)
  if (!(value instanceof Uint8Array)) fail('TYPE', place, 'a Uint8Array', show(value))
  checkLength(place, value, length, unit)
  for (let k = 0; k < length; k++)
    if (value[k]! > 1) fail('RANGE', `${place}[${k}]`, '0 or 1', show(value[k]))
  return value
}

function rewards(name: string, value: Float64Array, has: Uint8Array, unit: string): Float64Array {
  const place = `levelBatch: ${name}`
  if (!(value instanceof Float64Array)) fail('TYPE', place, 'a Float64Array', show(value))
  checkLength(place, value, has.length, unit)
  for (let k = 0; k < value.length; k++) {
    if (!isReward(value[k], true)) failReward(`${place}[${k}]`, value[k], true)
    if (value[k] !== 0 && has[k] === 0)
      fail('MISMATCH', `${place}[${k}]`, `0 where the ${unit} has no reward`, show(value[k]))
  }
  return value
}

/** Checks and brands flat arrays. They are used as they are, not copied.
 * @param flat - see `LevelBatch` for shapes; rewards are finite and at most 1e300 in size. Those of an invalid rollout
 *   play no part
 * @throws TaraError `TYPE`, `LENGTH`, `RANGE`, `MISMATCH`, `OPTION` for an unknown field
 */
export function levelBatch(flat: FlatLevels): LevelBatch {
  if (typeof flat !== 'object' || flat === null) fail('TYPE', 'levelBatch', 'an object of arrays', show(flat))
  for (const name of Object.keys(flat))
    if (!fields.includes(name as keyof FlatLevels))
      fail('OPTION', `levelBatch: ${name}`, `one of ${fields.join(', ')}`, 'an unknown field')
  const stepPtr = asOffsets('levelBatch: stepPtr', flat.stepPtr)
  const phases = stepPtr.length - 1
  const phasePtr = asOffsets('levelBatch: phasePtr', flat.phasePtr, phases)
  const rollouts = phasePtr.length - 1
  const groupPtr = asOffsets('levelBatch: groupPtr', flat.groupPtr, rollouts)
  const hasTrajectoryReward = flags('hasTrajectoryReward', flat.hasTrajectoryReward, rollouts, 'rollout')
  const hasPhaseReward = flags('hasPhaseReward', flat.hasPhaseReward, phases, 'phase')
  const hasStepReward = flags('hasStepReward', flat.hasStepReward, stepPtr[phases]!, 'step')
  return {
    groupPtr,
    phasePtr,
    stepPtr,
    trajectoryReward: rewards('trajectoryReward', flat.trajectoryReward, hasTrajectoryReward, 'rollout'),
    phaseReward: rewards('phaseReward', flat.phaseReward, hasPhaseReward, 'phase'),
    stepReward: rewards('stepReward', flat.stepReward, hasStepReward, 'step'),
    hasTrajectoryReward,
    hasPhaseReward,
    hasStepReward,
    valid: flags('valid', flat.valid, rollouts, 'rollout'),
  }
}

/** Views steps as turns, for `tokenSpans` and what follows it: turn j of the result is step j of the batch.
 *
 * Every rollout stands alone, since rollouts of one group differ in their number of steps: compare rollouts with
 * `multilevelAdvantage`, not with an estimator over this view.
 * @param levels - from `levelBatch`
 * @returns turns with rewards of 0; never throws for a `LevelBatch`
 */
export function stepTurns(levels: LevelBatch): TurnBatch {
  const { phasePtr, stepPtr, valid } = levels
  const numRollouts = phasePtr.length - 1
  return turnBatchFromFlat({
    groupPtr: Int32Array.from({ length: numRollouts + 1 }, (_, i) => i),
    turnPtr: Int32Array.from(phasePtr, (phase) => stepPtr[phase]!),
    reward: new Float64Array(stepPtr[stepPtr.length - 1]!),
    valid,
    realRewards: true,
  })
}
