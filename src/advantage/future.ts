/**
 * Gated future value: what a turn opens up for the turns after it.
 *
 *     S[t] = r[t+1] + γ·S[t+1],  S[T] = 0;   V[t] = δ[t]·S[t]            (Eq. 3)
 *
 * The gate δ multiplies the raw sum once. Recursing on V is a different estimator. Eq. 7 starts one power
 * of γ later: V[t] = δ[t]·γ·S[t]. Turns that are masked have left before γ is applied.
 */

/** Which turns count their future: r itself, all of them, those with r ≥ threshold, or `[numTurns]` given values in [0, 1]. */
export type Gate = 'reward' | 'none' | { readonly threshold: number } | Float64Array

/** Weight of the next turn: γ⁰ (Eq. 3) or γ¹ (Eq. 7). */
export type FutureIndex = 'eq3' | 'eq7'

/** What fixes a future value. */
export interface FutureOptions {
  /** γ, 0 … 1. */
  readonly gamma: number
  /** δ. */
  readonly gate: Gate
  readonly futureIndex: FutureIndex
}

/** δ of the turn at flat index `j`. */
export function gateAt(gate: Gate, reward: Float64Array, j: number): number {
  if (gate === 'reward') return reward[j]! + 0
  if (gate === 'none') return 1
  if (gate instanceof Float64Array) return gate[j]! + 0
  return reward[j]! >= gate.threshold ? 1 : 0
}

/** Writes V of one rollout. Eq. 3, or Eq. 7's V.
 * @param reward - `[numTurns]` r
 * @param start - flat index of the rollout's turn 0
 * @param live - turns that count, in order
 * @param value - V, reward units; turn t is written at `to + t`; may not be `reward`
 */
export function futureRow(
  reward: Float64Array,
  start: number,
  live: readonly number[],
  options: FutureOptions,
  value: Float64Array,
  to: number,
): void {
  const { gamma, gate, futureIndex } = options
  const first = futureIndex === 'eq3' ? 1 : gamma
  let sum = 0
  for (let u = live.length - 1; u >= 0; u--) {
    const t = live[u]!
    const j = start + t
    value[to + t] = gateAt(gate, reward, j) * (first * sum) + 0
    sum = reward[j]! + gamma * sum
  }
}
