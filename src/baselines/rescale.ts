/**
 * One scale for all estimators, so that a comparison does not compare step sizes.
 *
 *     A' = A / √(mean of A² over the batch's trained turns)
 *
 * Trained turns are those that valid rollouts reached and that are not masked; silent ones count with their 0. Which they are
 * depends on the batch alone, so that the same turns count for every estimator.
 */
import { turnOut } from '../advantage/check.js'
import { checkLength } from '../batch/check.js'
import { numRollouts, type TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'

/** Divides advantages by their root mean square over the trained turns of the batch. Zeros stay zero.
 * @param batch - the batch they were computed from
 * @param advantage - `[numTurns]` from any estimator, finite; not changed unless it is `out`
 * @param unit - `rms`: the root mean square becomes 1; where it is 0 already, the values stay as they are
 * @param out - `[numTurns]`, dimensionless; may be `advantage`, shares no memory with the rewards
 * @throws TaraError `OPTION`, `TYPE`, `LENGTH`, `RANGE` for a value that is not finite or does not stay so, `MISMATCH`
 */
export function rescale(
  batch: TurnBatch,
  advantage: Float64Array,
  unit: 'rms',
  out?: Float64Array,
): Float64Array {
  if (unit !== 'rms') fail('OPTION', 'rescale: unit', '"rms"', show(unit))
  if (!(advantage instanceof Float64Array))
    fail('TYPE', 'rescale: advantage', 'a Float64Array', show(advantage))
  checkLength('rescale: advantage', advantage, batch.reward.length, 'turn')
  const result = turnOut('rescale: out', out, batch, out === advantage ? {} : { advantage })
  for (let j = 0; j < advantage.length; j++)
    if (!Number.isFinite(advantage[j]))
      fail('RANGE', `rescale: advantage[${j}]`, 'a finite number', show(advantage[j]))

  const trained = trainedTurns(batch)
  let largest = 0
  for (const j of trained) largest = Math.max(largest, Math.abs(advantage[j]!))
  const size = largest === 0 ? 1 : largest // squares of A / size neither overflow nor vanish
  let squares = 0
  for (const j of trained) squares += (advantage[j]! / size) ** 2
  const root = largest === 0 ? 1 : Math.sqrt(squares / trained.length)
  for (let j = 0; j < advantage.length; j++)
    if (!Number.isFinite(advantage[j]! / size / root))
      fail('RANGE', `rescale: advantage[${j}]`, `a number near the largest, ${size}`, show(advantage[j]))
  for (let j = 0; j < advantage.length; j++) result[j] = advantage[j]! / size / root + 0
  return result
}

/** Flat indices of the turns that valid rollouts reached and that are not masked. */
function trainedTurns(batch: TurnBatch): number[] {
  const { turnPtr, reached, valid, masked } = batch
  const turns: number[] = []
  for (let i = 0; i < numRollouts(batch); i++)
    for (let j = turnPtr[i]!; j < turnPtr[i + 1]!; j++)
      if (valid[i] === 1 && reached[j] === 1 && masked?.[j] !== 1) turns.push(j)
  return turns
}
