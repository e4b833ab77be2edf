/**
 * Trajectory GRPO from spans to tokens: a scalar a rollout, compared in its group, at every trained token.
 *
 * The limit is filling the same bytes. What trainers do instead, a masked matrix of the padded batch, is in peers/.
 */
import { broadcast, grpo, type TurnBatch, tokenSpans, turnBatchFromFlat } from 'tara-rl'
import { check, compare } from './measure.js'
import { random } from './random.js'
import { compared, milliseconds, type Result } from './result.js'

const GROUP = 8
const TURNS = 6
const SPAN = 512

function rewardsOf(rollouts: number): TurnBatch {
  const next = random(8)
  return turnBatchFromFlat({
    groupPtr: Int32Array.from({ length: rollouts / GROUP + 1 }, (_, g) => g * GROUP),
    turnPtr: Int32Array.from({ length: rollouts + 1 }, (_, i) => i * TURNS),
    reward: Float64Array.from({ length: rollouts * TURNS }, () => (next() < 0.9 ? 1 : 0)),
  })
}

export function trajectoryGrpo(isQuick: boolean): Result[] {
  return (isQuick ? [32] : [32, 200]).map((megabytes) => {
    const length = 2 * SPAN * TURNS
    const rollouts = GROUP * Math.ceil((megabytes * 1e6) / 4 / length / GROUP)
    const batch = rewardsOf(rollouts)
    const turns = Array.from({ length: TURNS }, (_, t): [number, number][] => [
      [(2 * t + 1) * SPAN, (2 * t + 2) * SPAN],
    ])
    const spans = tokenSpans(batch, new Array(rollouts).fill({ length, turns }))
    const values = new Float64Array(batch.reward.length)
    const out = new Float32Array(rollouts * length)
    const work = (): Float32Array => broadcast(grpo(batch, undefined, values), spans, {}, out)
    work()
    check(
      out.every((x, token) => {
        const i = Math.floor(token / length)
        return x === ((Math.floor(token / SPAN) & 1) === 0 ? 0 : Math.fround(values[i * TURNS]!))
      }),
      'GRPO at every token',
    )
    const timing = compare(work, () => out.fill(1.5), isQuick ? 5 : 9, 20, false)
    return compared(
      'trajectory GRPO, reused out',
      `${megabytes} MB, ${rollouts} rollouts, span ${SPAN}`,
      timing,
      'fill(1.5)',
      undefined,
      milliseconds,
    )
  })
}
