/**
 * Rows that only center: no divisor.
 */
import { tara } from '../../src/advantage/tara.js'
import { drGrpo } from '../../src/baselines/drGrpo.js'
import { gigpo } from '../../src/baselines/gigpo.js'
import { mtGrpo } from '../../src/baselines/mtGrpo.js'
import { opo } from '../../src/baselines/opo.js'
import { processGrpo } from '../../src/baselines/processGrpo.js'
import { reinforce } from '../../src/baselines/reinforce.js'
import { returnToGo } from '../../src/baselines/returnToGo.js'
import { rloo } from '../../src/baselines/rloo.js'
import { turnCredit } from '../../src/baselines/turnCredit.js'
import { type Estimator, returnOf, type Target } from './enumerate.js'
import type { Trajectory } from './games.js'
import { centered, gate, type Subject, sumOf, toGo } from './subject.js'

const rewardAt = ({ turns }: Trajectory, t: number): number => turns[t]!.reward
const after = ({ turns }: Trajectory, t: number, gamma: number): number =>
  turns.slice(t + 1).reduceRight((future, { reward }) => reward + gamma * future, 0)
const gated =
  (gamma: number, lambda: number): Target =>
  (trajectory, t) =>
    rewardAt(trajectory, t) + (rewardAt(trajectory, t) >= 0.5 ? lambda * after(trajectory, t, gamma) : 0)

/** r[u] of the turns up to t are shared out: c[t] = Σ_{u≥t} d[u] / (u + 1), d[0] = 0. */
const creditOf = ({ turns }: Trajectory, t: number): number =>
  turns.reduce((c, { reward }, u) => (u >= Math.max(t, 1) ? c + reward / (u + 1) : c), 0)
const meanCredit = (trajectory: Trajectory): number =>
  trajectory.turns.reduce((c, _, t) => c + creditOf(trajectory, t), 0) / trajectory.turns.length

/** Sums from each turn on, over the turns that the rollout reached. */
const addedUp =
  (estimator: Estimator): Estimator =>
  (sample) => {
    const { turnPtr, reached } = sample.batch
    const A = Float64Array.from(estimator(sample))
    for (let i = 0; i + 1 < turnPtr.length; i++)
      for (let j = turnPtr[i + 1]! - 2; j >= turnPtr[i]!; j--) if (reached[j + 1] === 1) A[j]! += A[j + 1]!
    return A
  }

const local: Estimator = ({ batch }) => mtGrpo(batch, { ...centered, lambda: 0 })

export const drGrpoRow: Subject = {
  name: 'dr-grpo',
  settings: '',
  estimator: ({ batch }) => drGrpo(batch, sumOf),
  why: 'one mean a rollout; its own R is in it',
}
export const rlooRow: Subject = {
  name: 'rloo',
  settings: '',
  estimator: ({ batch }) => rloo(batch, sumOf),
  why: 'the others owe nothing to its choice',
}
export const opoRow: Subject = {
  name: 'opo',
  settings: '',
  estimator: ({ batch, turnTokens }) => opo(batch, { ...sumOf, turnTokens }),
  why: 'its own R is in the mean, weighed by the length that it chose',
}
export const openGate: Subject = {
  name: 'tara',
  settings: 'gate none, scale none',
  estimator: ({ batch }) => tara(batch, { ...toGo, ...centered, gate: 'none' }),
  why: 'adds up, then centers once: one mean a turn, whatever follows',
}
export const closedGate: Subject = {
  name: 'tara',
  settings: 'scale none',
  estimator: ({ batch }) => tara(batch, { ...toGo, ...centered, gate }),
  target: ['gate', gated(1, 1)],
  why: 'a turn that failed is not paid for what follows',
}
export const halfGate: Subject = {
  name: 'tara',
  settings: 'γ = λ = 0.5, scale none',
  estimator: ({ batch }) => tara(batch, { ...centered, gate }),
  target: ['gate, γ, λ', gated(0.5, 0.5)],
  why: 'as above, and what follows counts for half',
}
export const toGoRow: Subject = {
  name: 'return-to-go',
  settings: 'scale none',
  estimator: ({ batch }) => returnToGo(batch, { ...centered, gamma: 1 }),
  why: 'adds up, then centers once; who reached the turn is settled before it is played',
}
export const processRow: Subject = {
  name: 'process-grpo',
  settings: 'scale none',
  estimator: ({ batch }) => processGrpo(batch, centered),
  why: 'each further turn is charged the mean of all turns',
}
export const mtRow: Subject = {
  name: 'mt-grpo',
  settings: 'scale none',
  estimator: ({ batch }) => mtGrpo(batch, centered),
  target: ['r + R', (trajectory, t) => rewardAt(trajectory, t) + returnOf(trajectory)],
  why: "a turn's own reward counts twice, what follows once",
}
export const gigpoRow: Subject = {
  name: 'gigpo',
  settings: 'γ = 1',
  estimator: ({ batch, states }) => gigpo(batch, { ...sumOf, states }),
  times: 2,
  why: 'the return counts twice, from the start and from the state on: 1 + ω times the truth',
}

export const centeredSubjects: readonly Subject[] = [
  {
    name: 'reinforce',
    settings: '',
    estimator: ({ batch }) => reinforce(batch, sumOf),
    why: 'no baseline',
  },
  rlooRow,
  drGrpoRow,
  {
    ...drGrpoRow,
    settings: 'reward trace, the default',
    estimator: ({ batch }) => drGrpo(batch),
    target: ['Π r', ({ turns }) => turns.reduce((product, { reward }) => product * reward, 1)],
    why: 'a rollout is worth the product of its turns',
  },
  opoRow,
  openGate,
  {
    ...openGate,
    settings: 'gate none, scale none, leave-one-out',
    estimator: ({ batch }) => tara(batch, { ...toGo, ...centered, gate: 'none', baseline: 'leave-one-out' }),
    why: 'as above without the own term; a lone survivor learns nothing',
  },
  toGoRow,
  {
    ...toGoRow,
    settings: 'scale none, leave-one-out',
    estimator: ({ batch }) => returnToGo(batch, { ...centered, gamma: 1, baseline: 'leave-one-out' }),
    why: 'as above without the own term; a lone survivor learns nothing',
  },
  {
    ...toGoRow,
    settings: 'γ = 0.5, the default, scale none',
    estimator: ({ batch }) => returnToGo(batch, centered),
    target: ['γ', (trajectory, t) => rewardAt(trajectory, t) + 0.5 * after(trajectory, t, 0.5)],
    why: 'what follows counts for less',
  },
  closedGate,
  halfGate,
  mtRow,
  {
    ...mtRow,
    settings: 'λ = 0, scale none',
    estimator: local,
    target: ['own turn only', rewardAt],
    why: 'short-sighted: a turn is worth its own reward',
  },
  gigpoRow,
  {
    name: 'turn-credit',
    settings: 'β = 0',
    estimator: ({ batch, turnTokens, stateScores }) =>
      turnCredit(batch, { gamma: 1, beta: 0, turnTokens, stateScores }),
    target: ['R + Σ d', (trajectory) => 2 * returnOf(trajectory) - rewardAt(trajectory, 0)],
    why: 'what the state gained after the first turn is paid on top',
  },
  {
    name: 'turn-credit',
    settings: '',
    estimator: ({ batch, turnTokens, stateScores }) =>
      turnCredit(batch, { gamma: 1, turnTokens, stateScores }),
    target: [
      'R + Σ d + shaping',
      (trajectory, t) =>
        2 * returnOf(trajectory) - rewardAt(trajectory, 0) + creditOf(trajectory, t) - meanCredit(trajectory),
    ],
    why: 'as above; shares move between the turns of a rollout',
  },
  processRow,
  {
    ...processRow,
    settings: 'scale none, unreached zero',
    estimator: ({ batch }) => processGrpo(batch, { ...centered, unreached: 'zero' }),
    why: 'all are charged for all T turns',
  },
  {
    name: 'not offered',
    settings: 'r − mean of those who reached the turn, then added up',
    estimator: addedUp(local),
    why: 'each further turn is charged what it earns on average',
  },
  {
    name: 'not offered',
    settings: 'r − mean with 0 for those who did not, own turns added up',
    estimator: addedUp(({ batch }) => mtGrpo(batch, { ...centered, lambda: 0, unreached: 'zero' })),
    why: 'smaller means, charged in the same way',
  },
]
