/**
 * Some rollouts of a batch: the batch of those alone, and how to carry along what else is known of them.
 */
import { turnBatchFromFlat } from '../batch/flat.js'
import type { TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'

/** Checks that indices of rollouts ascend and are there.
 * @throws TaraError `RANGE`
 */
function checkKept(place: string, kept: Int32Array, numRollouts: number): void {
  for (let n = 0; n < kept.length; n++) {
    const low = n === 0 ? 0 : kept[n - 1]! + 1
    if (!(kept[n]! >= low && kept[n]! < numRollouts))
      fail('RANGE', `${place}[${n}]`, `an index from ${low} to ${numRollouts - 1}`, show(kept[n]))
  }
}

/** Picks the entries of the kept rollouts: keys, token spans, anything with one entry a rollout.
 * @param values - `[numRollouts]` of the batch that was filtered
 * @param kept - indices of the rollouts, ascending; see `filterGroups`
 * @returns one entry a kept rollout, in the same order
 * @throws TaraError `RANGE` for an index that is not there
 */
export function takeRollouts<T>(values: readonly T[], kept: Int32Array): T[] {
  checkKept('takeRollouts: kept', kept, values.length)
  return Array.from(kept, (i) => values[i]!)
}

type Numbers = Float64Array | Uint8Array | Int32Array

function turnsOf<A extends Numbers>(values: A, turnPtr: Int32Array, kept: Int32Array, out: A): A {
  let to = 0
  for (const i of kept) {
    const row = values.subarray(turnPtr[i]!, turnPtr[i + 1]!)
    out.set(row, to)
    to += row.length
  }
  return out
}

function numTurnsOf({ turnPtr }: TurnBatch, kept: Int32Array): number {
  return kept.reduce((sum, i) => sum + turnPtr[i + 1]! - turnPtr[i]!, 0)
}

/** Picks the turns of the kept rollouts: advantages, a gate, anything with one number a turn.
 * @param values - `[numTurns]` of the batch that was filtered
 * @param batch - the batch that was filtered
 * @param kept - indices of the rollouts, ascending; see `filterGroups`
 * @returns `[numTurns]` of the kept rollouts, a copy
 * @throws TaraError `RANGE` for an index that is not there, `LENGTH`
 */
export function takeTurns(values: Float64Array, batch: TurnBatch, kept: Int32Array): Float64Array {
  checkKept('takeTurns: kept', kept, batch.turnPtr.length - 1)
  if (values.length !== batch.reward.length)
    fail('LENGTH', 'takeTurns: values', `${batch.reward.length} values, one a turn`, `${values.length}`)
  return turnsOf(values, batch.turnPtr, kept, new Float64Array(numTurnsOf(batch, kept)))
}

/** The batch of the kept rollouts. All arrays are copies.
 * @param kept - indices of the rollouts, ascending, of the kept groups alone
 * @param keptGroups - indices of the groups, ascending
 */
export function takeBatch(batch: TurnBatch, kept: Int32Array, keptGroups: Int32Array): TurnBatch {
  const { turnPtr } = batch
  const numTurns = numTurnsOf(batch, kept)
  const newTurnPtr = new Int32Array(kept.length + 1)
  kept.forEach((i, n) => {
    newTurnPtr[n + 1] = newTurnPtr[n]! + turnPtr[i + 1]! - turnPtr[i]!
  })
  const groupPtr = new Int32Array(keptGroups.length + 1)
  let n = 0
  keptGroups.forEach((g, h) => {
    while (n < kept.length && kept[n]! < batch.groupPtr[g + 1]!) n++
    groupPtr[h + 1] = n
  })
  const floats = (values: Float64Array): Float64Array =>
    turnsOf(values, turnPtr, kept, new Float64Array(numTurns))
  const flags = (values: Uint8Array): Uint8Array => turnsOf(values, turnPtr, kept, new Uint8Array(numTurns))
  const marks = (values: Uint8Array): Uint8Array => Uint8Array.from(kept, (i) => values[i]!)
  const { truncated, masked, outcome, hasOutcome, columns } = batch
  const stillTruncated = truncated && marks(truncated)
  const stillOutcome = hasOutcome && marks(hasOutcome)
  return turnBatchFromFlat({
    groupPtr,
    turnPtr: newTurnPtr,
    reward: floats(batch.reward),
    reached: flags(batch.reached),
    valid: marks(batch.valid),
    hasGolden: Uint8Array.from(keptGroups, (g) => batch.hasGolden[g]!),
    realRewards: batch.realRewards,
    ...(stillTruncated?.includes(1) && { truncated: stillTruncated }),
    ...(masked && { masked: flags(masked) }),
    ...(outcome &&
      stillOutcome?.includes(1) && {
        outcome: Float64Array.from(kept, (i) => outcome[i]!),
        hasOutcome: stillOutcome,
      }),
    ...(columns && {
      columns: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, floats(column)])),
    }),
  })
}
