/**
 * The layout of a batch: groups → rollouts → turns as flat arrays, float64.
 *
 * A group is K rollouts of one task; every rollout of a group has the group's T turns, so the turns of a
 * group are K rows of length T, one after the other. K and T may differ from group to group.
 */

/** Children of `i` are `[ptr[i], ptr[i+1])`. Starts at 0, never falls. Earned from `asOffsets`. */
export type Offsets = Int32Array & { readonly __offsets__: unique symbol }

/** How a rollout ended: by itself, by a limit, or by an outside cause (then it neither votes nor learns). */
export type Status = 'complete' | 'truncated' | 'aborted'

export interface TurnBatch {
  /** `[numGroups+1]` rollouts of group g are `groupPtr[g] … groupPtr[g+1]-1`. */
  readonly groupPtr: Offsets
  /** `[numRollouts+1]` turns of rollout i; every rollout of a group has the group's T. */
  readonly turnPtr: Offsets
  /** `[numTurns]` r[i,t]; 0 where not reached. */
  readonly reward: Float64Array
  /** `[numTurns]` 1 where the rollout got to the turn. */
  readonly reached: Uint8Array
  /** `[numRollouts]` 0 for an aborted rollout: it neither votes nor learns. */
  readonly valid: Uint8Array
  /** `[numRollouts]` 1 for a rollout that a limit ended; absent where there is none. */
  readonly truncated?: Uint8Array
  /** `[numTurns]` 1 where the turn is taken out before anything is computed; the same for all rollouts of a group. */
  readonly masked?: Uint8Array
  /** `[numGroups]` 1 where a golden trace fixes T, so that an unreached turn was due. */
  readonly hasGolden: Uint8Array
  /** `[numRollouts]` a score of the whole rollout; 0 where `hasOutcome` is 0. */
  readonly outcome?: Float64Array
  /** `[numRollouts]` 1 where the rollout has an outcome. Present with `outcome`. */
  readonly hasOutcome?: Uint8Array
  /** `[numTurns]` each: named reward components. */
  readonly columns?: Readonly<Record<string, Float64Array>>
  /** True where rewards other than 0 and 1 were allowed at the border. */
  readonly realRewards: boolean
}

/** Counts the groups of a batch. Never throws. */
export function numGroups(batch: TurnBatch): number {
  return batch.groupPtr.length - 1
}

/** Counts the rollouts of a batch. Never throws. */
export function numRollouts(batch: TurnBatch): number {
  return batch.turnPtr.length - 1
}

/** Counts the turns of a batch, all rollouts together. Never throws. */
export function numTurns(batch: TurnBatch): number {
  return batch.reward.length
}
