/**
 * Some groups of a batch, computed by the float64 core and put back where they came from.
 */
import type { TaraOptions } from '../advantage/options.js'
import { taraParts } from '../advantage/tara.js'
import { asOffsets } from '../batch/check.js'
import type { TurnBatch } from '../batch/layout.js'

/** The parts that both kernels know, `[numTurns]` each. */
export interface FusedParts {
  /** A, dimensionless. Eq. 5. */
  readonly advantage: Float64Array
  /** A_local, dimensionless. Eq. 2. */
  readonly local: Float64Array
  /** A_future, dimensionless, before λ. Eq. 4. */
  readonly future: Float64Array
}

type Values = Float64Array | Uint8Array

/** Copies stretches of `from`, one after the other, into fresh memory of the same kind. */
function gathered<Array_ extends Values>(
  make: (length: number) => Array_,
  from: Array_,
  spans: readonly Span[],
): Array_ {
  const to = make(spans.reduce((sum, [start, end]) => sum + end - start, 0))
  let at = 0
  for (const [start, end] of spans) {
    to.set(from.subarray(start, end), at)
    at += end - start
  }
  return to
}

type Span = readonly [start: number, end: number]

const floats = (length: number): Float64Array => new Float64Array(length)
const flags = (length: number): Uint8Array => new Uint8Array(length)

/** Computes the groups with `taraParts` and writes their turns into `out`.
 * @param groups - indices, each once, at least one
 */
export function coreGroups(
  batch: TurnBatch,
  groups: readonly number[],
  options: Partial<TaraOptions>,
  out: FusedParts,
): void {
  const { groupPtr, turnPtr } = batch
  const rollouts: Span[] = groups.map((g) => [groupPtr[g]!, groupPtr[g + 1]!])
  const turns: Span[] = rollouts.map(([first, end]) => [turnPtr[first]!, turnPtr[end]!])
  const partGroups = [0]
  const partTurns = [0]
  for (const [first, end] of rollouts) {
    for (let i = first; i < end; i++) partTurns.push(partTurns.at(-1)! + turnPtr[i + 1]! - turnPtr[i]!)
    partGroups.push(partTurns.length - 1)
  }
  const part: TurnBatch = {
    groupPtr: asOffsets('coreGroups', partGroups),
    turnPtr: asOffsets('coreGroups', partTurns),
    reward: gathered(floats, batch.reward, turns),
    reached: gathered(flags, batch.reached, turns),
    valid: gathered(flags, batch.valid, rollouts),
    hasGolden: Uint8Array.from(groups, (g) => batch.hasGolden[g]!),
    ...(batch.truncated && { truncated: gathered(flags, batch.truncated, rollouts) }),
    ...(batch.masked && { masked: gathered(flags, batch.masked, turns) }),
    realRewards: batch.realRewards,
  }
  const { gate } = options
  const given = gate instanceof Float64Array ? { ...options, gate: gathered(floats, gate, turns) } : options
  const result = taraParts(part, given)
  let at = 0
  for (const [start, end] of turns) {
    for (const name of ['advantage', 'local', 'future'] as const)
      out[name].set(result[name].subarray(at, at + end - start), start)
    at += end - start
  }
}
