/**
 * ParaAgent's decoupled multi-level advantage: trajectory, phase and step are compared each at its own level.
 *
 *     A[s] = λ_τ·z(R_τ)[i] + λ_p·z(R_phase)[p] + λ_s·z(R_step)[s],  step s in phase p of rollout i        (its Eq. 7)
 *     z = (R − μ) / (σ + ε),  0 where all R are equal
 *
 * Decoupled: each level is normalized by itself, then the levels are added. Normalizing the weighted sum of rewards is
 * another estimator, in which the level with the widest rewards drowns the others.
 * The paper states the weights; over which steps and phases μ and σ are taken is this project's reading (`over`).
 */
import { type Normalization, normalize } from '../advantage/moments.js'
import { normalizationChecks } from '../advantage/options.js'
import { float64Out } from '../batch/check.js'
import type { Offsets } from '../batch/layout.js'
import { between, oneOf, resolveOptions } from '../options.js'
import type { LevelBatch } from './levels.js'

export interface MultilevelOptions extends Normalization {
  /** λ_τ, 0 … 1e6. */
  readonly trajectoryWeight: number
  /** λ_p, 0 … 1e6. */
  readonly phaseWeight: number
  /** λ_s, 0 … 1e6. */
  readonly stepWeight: number
  /** Which phases, and which steps, are compared. `group`: all of the group's rollouts together. `index`: those at the
   * same place, a phase by its number in the rollout, a step by that and its number in the phase. `rollout`: those of
   * one rollout. Trajectories are always compared over the group. */
  readonly over: 'group' | 'index' | 'rollout'
}

export const multilevelDefaults: Readonly<MultilevelOptions> = Object.freeze({
  trajectoryWeight: 1,
  phaseWeight: 0.5,
  stepWeight: 0.25,
  over: 'group',
  epsilon: 1e-6,
  scale: 'std',
  correction: 0,
  baseline: 'mean',
})

/** Largest weight: a weighted sum of centered rewards stays finite. */
const MAX_WEIGHT = 1e6

/** The members of a level that are compared with one another, by a name of their set. */
type Sets = Map<number | string, number[]>

function put(sets: Sets, name: number | string, member: number): void {
  const set = sets.get(name)
  if (set === undefined) sets.set(name, [member])
  else set.push(member)
}

/** Writes z of each set; members of no set stay 0. */
function normalizeSets(sets: Sets, reward: Float64Array, z: Float64Array, rule: Normalization): void {
  for (const members of sets.values()) {
    const x = Float64Array.from(members, (member) => reward[member]!)
    normalize(x, x.length, rule)
    for (let k = 0; k < members.length; k++) z[members[k]!] = x[k]!
  }
}

/** Computes one advantage a step: the weighted sum of what its trajectory, its phase and it earned over others.
 *
 * What has no reward at a level is compared with nobody there and gets 0 from it; rollouts that are not valid get 0.
 * With σ of the population the size is at most Σ λ·√(n − 1), n the members of the set at each level.
 * @param levels - from `levelBatch`; real rewards
 * @param options - see `multilevelDefaults`
 * @param out - `[numSteps]`, dimensionless; written after everything has been read, so it may share memory with rewards
 * @returns for tokens: `broadcast(advantage, tokenSpans(stepTurns(levels), tokens))`
 * @throws TaraError `OPTION`, `TYPE`, `LENGTH`
 */
export function multilevelAdvantage(
  levels: LevelBatch,
  options?: Partial<MultilevelOptions>,
  out?: Float64Array,
): Float64Array {
  const aWeight = between(0, MAX_WEIGHT)
  const resolved = resolveOptions<MultilevelOptions>('multilevelAdvantage', options, multilevelDefaults, {
    ...normalizationChecks,
    trajectoryWeight: aWeight,
    phaseWeight: aWeight,
    stepWeight: aWeight,
    over: oneOf('group', 'index', 'rollout'),
  })
  const advantage = float64Out('multilevelAdvantage: out', out, levels.stepReward.length)
  const { groupPtr, phasePtr, stepPtr, valid } = levels
  const trajectory = new Float64Array(levels.trajectoryReward.length)
  const phase = new Float64Array(levels.phaseReward.length)
  const step = new Float64Array(levels.stepReward.length)
  for (let g = 0; g + 1 < groupPtr.length; g++) {
    const voters: number[] = []
    for (let i = groupPtr[g]!; i < groupPtr[g + 1]!; i++) if (valid[i] === 1) voters.push(i)
    const { trajectories, phases, steps } = setsOf(levels, voters, resolved.over)
    normalizeSets(trajectories, levels.trajectoryReward, trajectory, resolved)
    normalizeSets(phases, levels.phaseReward, phase, resolved)
    normalizeSets(steps, levels.stepReward, step, resolved)
  }
  const { trajectoryWeight, phaseWeight, stepWeight } = resolved
  advantage.fill(0)
  forEachStep(phasePtr, stepPtr, (i, p, s) => {
    if (valid[i] === 1)
      advantage[s] = trajectoryWeight * trajectory[i]! + phaseWeight * phase[p]! + stepWeight * step[s]! + 0
  })
  return advantage
}

function forEachStep(
  phasePtr: Offsets,
  stepPtr: Offsets,
  visit: (i: number, p: number, s: number) => void,
): void {
  for (let i = 0; i + 1 < phasePtr.length; i++)
    for (let p = phasePtr[i]!; p < phasePtr[i + 1]!; p++)
      for (let s = stepPtr[p]!; s < stepPtr[p + 1]!; s++) visit(i, p, s)
}

/** Sorts what the voters of a group have into sets that are compared. */
function setsOf(
  { phasePtr, stepPtr, hasTrajectoryReward, hasPhaseReward, hasStepReward }: LevelBatch,
  voters: readonly number[],
  over: MultilevelOptions['over'],
): { trajectories: Sets; phases: Sets; steps: Sets } {
  const trajectories: Sets = new Map()
  const phases: Sets = new Map()
  const steps: Sets = new Map()
  for (const i of voters) {
    if (hasTrajectoryReward[i] === 1) put(trajectories, 0, i)
    for (let p = phasePtr[i]!; p < phasePtr[i + 1]!; p++) {
      const place = over === 'group' ? 0 : over === 'rollout' ? i : p - phasePtr[i]!
      if (hasPhaseReward[p] === 1) put(phases, place, p)
      for (let s = stepPtr[p]!; s < stepPtr[p + 1]!; s++)
        if (hasStepReward[s] === 1) put(steps, over === 'index' ? `${place} ${s - stepPtr[p]!}` : place, s)
    }
  }
  return { trajectories, phases, steps }
}
