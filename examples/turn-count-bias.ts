/**
 * What happens to credit when the policy decides how many turns there are.
 *
 * A rollout stops at once and earns 1, or goes on, earns 0 and then 1.5. Going on is better by 0.5. The policy goes on
 * with probability p = 0.4. The gradient of the expected return by the logit of "go on" is p·(1 − p)·0.5 = 0.12; a group
 * of K = 6 that is its own baseline shows (K − 1)/K of it, 0.1. All 2⁶ groups are enumerated, so the figures are exact.
 */
import { tara, turnBatch } from 'tara-rl'

const K = 6
const p = 0.4
const stop = [1]
const goOn = [0, 1.5]

/** The advantage of the first turn of each rollout. */
type Estimator = (rows: readonly (readonly number[])[]) => number[]

const sum = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0)
const mean = (x: readonly number[]): number => sum(x) / x.length

/** Mean of turn t over those who reached it. */
const survivors = (rows: Parameters<Estimator>[0], t: number): number =>
  mean(rows.filter((row) => t < row.length).map((row) => row[t] ?? 0))

/** Mean of turn t over all, 0 where it was not reached. */
const padded = (rows: Parameters<Estimator>[0], t: number): number => mean(rows.map((row) => row[t] ?? 0))

/** Each turn is centered on its own baseline, then the row is added up: normalize, then accumulate. */
const centeredThenSummed =
  (baseline: typeof survivors): Estimator =>
  (rows) =>
    rows.map((row) => sum(row.map((r, t) => r - baseline(rows, t))))

/** All step rewards of the group have one mean, then the row is added up. Dividing by their σ does not change the sign. */
const pooledThenSummed: Estimator = (rows) => rows.map((row) => sum(row.map((r) => r - mean(rows.flat()))))

/** The row is added up, then centered once: what TARA does with the gate open. */
const openTara: Estimator = (rows) => {
  const batch = turnBatch([{ rewards: rows, numTurns: 2 }], { realRewards: true })
  const advantage = tara(batch, { gate: 'none', scale: 'none', gamma: 1, lambda: 1, allowLambdaOne: true })
  return rows.map((_, i) => advantage[2 * i] ?? 0)
}

/** E[ mean over the group of A·∇log π ] at the logit of "go on". */
function gradient(estimator: Estimator): number {
  let expected = 0
  for (let group = 0; group < 2 ** K; group++) {
    const goes = Array.from({ length: K }, (_, i) => ((group >> i) & 1) === 1)
    const probability = goes.reduce((product, go) => product * (go ? p : 1 - p), 1)
    const advantage = estimator(goes.map((go) => (go ? goOn : stop)))
    expected += probability * mean(goes.map((go, i) => (advantage[i] ?? 0) * (go ? 1 - p : -p)))
  }
  return expected
}

const show = (estimator: Estimator): string => (gradient(estimator) + 0).toFixed(2)

console.log(show(openTara)) // => 0.10
console.log(show(centeredThenSummed(survivors))) // => -0.20
console.log(show(centeredThenSummed(padded))) // => -0.02
console.log(show(pooledThenSummed)) // => -0.07
