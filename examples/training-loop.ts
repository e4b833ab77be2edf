/**
 * A training loop in TypeScript: sample, score, compare, broadcast, update. The policy is a table of logits.
 *
 * Each task has three turns, and each turn needs one call: the right tool with the right value. The policy writes two
 * tokens a turn, the tool and the value, and the environment writes one before and one after them. REINFORCE with the
 * advantages of the tokens:
 *
 *     ∇ = (1/N) Σ_k A[k] ∇ log π(token k)   over the N trained tokens k
 */
import {
  broadcast,
  type GoldenTurn,
  grpo,
  lossMask,
  scoreGroups,
  type ToolCall,
  type TurnBatch,
  tara,
  tokenSpans,
} from 'tara-rl'

const tools = ['search', 'book', 'pay', 'cancel']
const values = ['red', 'green', 'blue', 'white']
const T = 3 // turns of a task
const K = 16 // rollouts of a task
const perTurn = 4 // tokens of a turn: what the user says, tool, value, what the tool says
const numTasks = 8

/** Numbers in [0, 1), the same in every run. */
function generator(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const call = (tool: number, value: number): ToolCall => ({
  name: tools[tool]!,
  arguments: { value: values[value]! },
})

const golden: GoldenTurn[][] = Array.from({ length: numTasks }, (_, task) =>
  Array.from({ length: T }, (_, t) => [call((task + t) % 4, (task * 3 + t * 2) % 4)]),
)

/** Where the logits of token `k` of a task start: four for each token that the policy writes. */
const logitsOf = (task: number, k: number): number => (task * T * perTurn + k) * 4

function probabilities(logits: Float64Array, at: number): number[] {
  const weights = [0, 1, 2, 3].map((option) => Math.exp(logits[at + option]!))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

function sample(logits: Float64Array, at: number, random: () => number): number {
  let left = random()
  const p = probabilities(logits, at)
  const option = p.findIndex((share) => (left -= share) < 0)
  return option < 0 ? 3 : option
}

/** One rollout: the option taken at each token, and the calls that come of them. */
function rollOut(logits: Float64Array, task: number, random: () => number) {
  const taken = new Int32Array(T * perTurn)
  const turns = Array.from({ length: T }, (_, t) => {
    const k = t * perTurn
    const tool = (taken[k + 1] = sample(logits, logitsOf(task, k + 1), random))
    const value = (taken[k + 2] = sample(logits, logitsOf(task, k + 2), random))
    return [call(tool, value)]
  })
  return { taken, turns }
}

/** The policy's tokens, turn by turn; the same for every rollout here. */
const tokens = {
  length: T * perTurn,
  turns: Array.from({ length: T }, (_, t) => [[t * perTurn + 1, t * perTurn + 3] as const]),
}

/** Trains a policy; the share of rollouts that get all turns right, in the first and in the last five steps. */
function train(estimator: (batch: TurnBatch) => Float64Array, steps: number, rate: number): [string, string] {
  const random = generator(7)
  const logits = new Float64Array(numTasks * T * perTurn * 4)
  const solved: number[] = []
  for (let step = 0; step < steps; step++) {
    const groups = golden.map((trace, task) => ({
      golden: trace,
      rollouts: Array.from({ length: K }, () => rollOut(logits, task, random)),
    }))
    const { batch } = scoreGroups(groups)
    const rollouts = groups.flatMap((group) => group.rollouts)
    const spans = tokenSpans(
      batch,
      rollouts.map(() => tokens),
    )
    const advantage = broadcast(estimator(batch), spans)
    const mask = lossMask(spans)
    const size = rate / mask.reduce((sum, is) => sum + is, 0)
    const before = logits.slice()
    rollouts.forEach(({ taken }, i) => {
      for (let k = 0; k < tokens.length; k++) {
        const at = logitsOf(Math.floor(i / K), k)
        const A = advantage[i * tokens.length + k]!
        if (mask[i * tokens.length + k] === 0 || A === 0) continue
        probabilities(before, at).forEach((p, option) => {
          logits[at + option]! += size * A * ((option === taken[k] ? 1 : 0) - p)
        })
      }
    })
    const right = rollouts.filter((_, i) => batch.reward.subarray(i * T, i * T + T).every((r) => r === 1))
    solved.push(right.length / rollouts.length)
  }
  const percent = (steps: readonly number[]): string =>
    `${Math.round((100 * steps.reduce((sum, share) => sum + share, 0)) / steps.length)} %`
  return [percent(solved.slice(0, 5)), percent(solved.slice(-5))]
}

const [start, end] = train((batch) => tara(batch), 200, 40)
console.log(`TARA: ${start} of the rollouts right at first, ${end} in the end`)
// => TARA: 0 % of the rollouts right at first, 100 % in the end

// One scalar a rollout is 1 only where all three turns are right: most groups then have nothing to compare.
const [first, last] = train((batch) => grpo(batch), 200, 40)
console.log(`GRPO: ${first} of the rollouts right at first, ${last} in the end`)
// => GRPO: 0 % of the rollouts right at first, 0 % in the end
