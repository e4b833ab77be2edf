/**
 * What the gate does to the gradient of the first of two turns.
 *
 * The first turn is right with probability p = 0.4. The second is then right with probability `afterRight`, else with
 * `afterWrong`. All groups of two rollouts are enumerated. Leave-one-out on two rollouts without division is unbiased, so
 * the open gate shows the gradient of r + λ·(what follows); the gate shows what TARA climbs.
 */
import { tara, turnBatch } from 'tara-rl'

const p = 0.4

function gradient(gate: 'reward' | 'none', afterRight: number, afterWrong: number): number {
  const outcomes = [
    { row: [1, 1], probability: p * afterRight },
    { row: [1, 0], probability: p * (1 - afterRight) },
    { row: [0, 1], probability: (1 - p) * afterWrong },
    { row: [0, 0], probability: (1 - p) * (1 - afterWrong) },
  ]
  let expected = 0
  for (const a of outcomes)
    for (const b of outcomes) {
      const batch = turnBatch([{ rewards: [a.row, b.row] }])
      const advantage = tara(batch, { gate, scale: 'none', baseline: 'leave-one-out' })
      for (const i of [0, 1]) {
        const score = batch.reward[2 * i] === 1 ? 1 - p : -p // ∇log π at the logit of "right"
        expected += (a.probability * b.probability * (advantage[2 * i] ?? 0) * score) / 2
      }
    }
  return expected
}

const show = (afterRight: number, afterWrong: number): string =>
  (['reward', 'none'] as const).map((gate) => gradient(gate, afterRight, afterWrong).toFixed(3)).join(' ')

// With the gate, and without it.
console.log(show(0.6, 0)) // => 0.312 0.312
console.log(show(0.6, 0.5)) // => 0.312 0.252
console.log(show(0.2, 0.9)) // => 0.264 0.156
