/**
 * The gate `reward` is the reward itself: rewards outside [0, 1] need another, and the log says where they stand.
 */
import { taraDefaults } from '../advantage/options.js'
import { fail, show } from '../errors.js'
import type { RolloutLog } from '../formats/log-types.js'

/** Checks that the rewards of a log may be a gate, where they are one.
 * @param gate - the option; `undefined` for its default
 * @throws TaraError `RANGE` with file and line
 */
export function checkGateOf(log: RolloutLog, gate: unknown): void {
  if ((gate ?? taraDefaults.gate) !== 'reward') return
  const { reward, turnPtr } = log.batch
  for (let i = 0; i + 1 < turnPtr.length; i++)
    for (let j = turnPtr[i]!; j < turnPtr[i + 1]!; j++)
      if (!(reward[j]! >= 0 && reward[j]! <= 1))
        fail(
          'RANGE',
          `${log.placeOf(i)}: rewards[${j - turnPtr[i]!}]`,
          'a number in [0, 1], as the gate is the reward (--gate none or --gate threshold:NUMBER takes others)',
          show(reward[j]),
        )
}
