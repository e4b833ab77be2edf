/**
 * ParaAgent's hierarchical rewards: of a step, of a phase, of a whole trajectory.
 *
 *     R_step  = ½·(r_base + r_plan)                                   (its Eq. 4; r_plan: Table 8)
 *     R_phase = 0.1·L1 + 0.2·L2 + 0.2·L3 + 0.5·L4                     (its Table 7)
 *     R_ans   = −½ + F·(Q + U) + ½·(1 − F)·U                          (its Table 9, in closed form)
 *
 * Known of the paper are its tables and captions. r_base and L4 are not described there, so they come from the caller.
 * How these rewards become advantages is in `multilevelAdvantage`.
 */
import { fail, show } from '../errors.js'
import { aBoolean, resolveOptions } from '../options.js'

/** What a step calls for. `need`: a plan, as there is none or it is used up. `may`: a plan is welcome, as something new
 * was seen or a failure can be mended. `no`: nothing new. `answer`: the final step. */
export type PlanState = 'need' | 'may' | 'no' | 'answer'

/** What the step had in its plan: no plan, a valid one that is new, a valid one that repeats an earlier one, or one that
 * cannot be used. */
export type PlanEmission = 'none' | 'new' | 'repeat' | 'invalid'

/** Table 8. Not stated there: `need`/`repeat`, `no`/`new`, `no`/`invalid`, `answer`/`invalid`. */
const planTable: Readonly<Record<PlanState, Readonly<Record<PlanEmission, 0 | 1>>>> = Object.freeze({
  need: Object.freeze({ none: 0, new: 1, repeat: 1, invalid: 0 }),
  may: Object.freeze({ none: 1, new: 1, repeat: 0, invalid: 0 }),
  no: Object.freeze({ none: 1, new: 0, repeat: 0, invalid: 0 }),
  answer: Object.freeze({ none: 0, new: 0, repeat: 0, invalid: 0 }),
})

const named = (names: readonly string[]): string => `one of ${names.map((name) => show(name)).join(', ')}`

function isNameIn(table: object, name: unknown): boolean {
  return typeof name === 'string' && Object.hasOwn(table, name)
}

function asScore(place: string, value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1))
    return fail(typeof value === 'number' ? 'RANGE' : 'TYPE', place, 'a number in [0, 1]', show(value))
  return value + 0
}

/** Says whether a step planned as its state calls for. Table 8.
 * @throws TaraError `RANGE` for an unknown state or emission
 */
export function planReward(state: PlanState, emission: PlanEmission): 0 | 1 {
  if (!isNameIn(planTable, state))
    fail('RANGE', 'planReward: state', named(Object.keys(planTable)), show(state))
  const row = planTable[state]
  if (!isNameIn(row, emission)) fail('RANGE', 'planReward: emission', named(Object.keys(row)), show(emission))
  return row[emission]
}

/** Computes R_step = ½·(r_base + r_plan). Eq. 4.
 * @param base - r_base in [0, 1]: whether format and tool calls are valid, as the caller judges it
 * @param plan - r_plan in [0, 1], from `planReward`
 * @throws TaraError `RANGE`, `TYPE`
 */
export function stepReward(base: number, plan: number): number {
  return (asScore('stepReward: base', base) + asScore('stepReward: plan', plan)) / 2
}

/** The scores of a phase, each in [0, 1]. */
export interface PhaseScores {
  /** L1, retrieval grounding, as from `retrievalGrounding`. */
  readonly grounding: number
  /** L2, dependency declaration, as from `dependencyRecall`. */
  readonly dependencies: number
  /** L3, layered plan, as from `layeredPlan`. */
  readonly layers: number
  /** L4, half of the weight. The paper's name for it is not known, so there is no default. */
  readonly fourth?: number | undefined
}

export interface PhaseOptions {
  /** Without L4, divides by the weights of the others instead of refusing. Default false. */
  readonly renormalize: boolean
}

export const phaseDefaults: Readonly<PhaseOptions> = Object.freeze({ renormalize: false })

/** w of L1, L2, L3 and L4 in tenths: sums of them are exact. */
const tenths = Object.freeze([1, 2, 2, 5] as const)

/** Computes R_phase = Σ w·L, w = 0.1, 0.2, 0.2, 0.5. Table 7.
 * @param options - see `phaseDefaults`
 * @returns in [0, 1]
 * @throws TaraError `MISSING` without L4 unless `renormalize`; `RANGE`, `TYPE`, `OPTION`
 */
export function phaseReward(scores: PhaseScores, options?: Partial<PhaseOptions>): number {
  const { renormalize } = resolveOptions('phaseReward', options, phaseDefaults, { renormalize: aBoolean })
  if (typeof scores !== 'object' || scores === null)
    fail('TYPE', 'phaseReward: scores', 'an object of scores', show(scores))
  const [w1, w2, w3, w4] = tenths
  const known =
    w1 * asScore('phaseReward: scores.grounding', scores.grounding) +
    w2 * asScore('phaseReward: scores.dependencies', scores.dependencies) +
    w3 * asScore('phaseReward: scores.layers', scores.layers)
  if (scores.fourth !== undefined)
    return (known + w4 * asScore('phaseReward: scores.fourth', scores.fourth)) / (w1 + w2 + w3 + w4)
  if (!renormalize)
    fail(
      'MISSING',
      'phaseReward: scores.fourth',
      'a number in [0, 1], half of the weight',
      'undefined (renormalize does without)',
    )
  return known / (w1 + w2 + w3)
}

/** What a judge says. Only YES counts. */
export type JudgeVerdict = 'YES' | 'PARTIAL' | 'NO'

/** A judge's verdicts on the final answer. */
export interface AnswerVerdicts {
  readonly quality: JudgeVerdict
  readonly faithfulness: JudgeVerdict
  readonly utility: JudgeVerdict
}

function isYes(name: keyof AnswerVerdicts, verdicts: AnswerVerdicts): 0 | 1 {
  const verdict = verdicts[name]
  if (verdict !== 'YES' && verdict !== 'PARTIAL' && verdict !== 'NO')
    fail('RANGE', `answerReward: verdicts.${name}`, named(['YES', 'PARTIAL', 'NO']), show(verdict))
  return verdict === 'YES' ? 1 : 0
}

/** Computes R_ans = −½ + F·(Q + U) + ½·(1 − F)·U of the bits of three verdicts. Table 9.
 * @returns −0.5, 0, 0.5 or 1.5
 * @throws TaraError `RANGE` for another verdict, `TYPE`
 */
export function answerReward(verdicts: AnswerVerdicts): number {
  if (typeof verdicts !== 'object' || verdicts === null)
    fail('TYPE', 'answerReward: verdicts', 'an object of verdicts', show(verdicts))
  const Q = isYes('quality', verdicts)
  const F = isYes('faithfulness', verdicts)
  const U = isYes('utility', verdicts)
  return -0.5 + F * (Q + U) + 0.5 * (1 - F) * U
}
