/**
 * The flags of the estimators, and of what is done to their results.
 */
import { taraDefaults } from '../advantage/options.js'
import { gigpoDefaults } from '../baselines/gigpo.js'
import { grpoDefaults } from '../baselines/grpo.js'
import { reinforcePpDefaults } from '../baselines/reinforcePp.js'
import { rlooDefaults } from '../baselines/rloo.js'
import { turnCreditDefaults } from '../baselines/turnCredit.js'
import { whitenings } from '../baselines/whiten.js'
import type { Flag } from './flag.js'
import { aGate, aNumber, aSwitch, aWeighting } from './flag-values.js'

/** TARA's and the estimators' options. */
export const estimatorFlags: readonly Flag[] = [
  {
    name: 'gamma',
    value: '<number>',
    text: 'discount of later turns, 0 to 1',
    shown: taraDefaults.gamma,
    parse: aNumber,
  },
  {
    name: 'lambda',
    value: '<number>',
    text: 'weight of the future part, 0 to below 1',
    shown: taraDefaults.lambda,
    parse: aNumber,
  },
  { name: 'allowLambdaOne', text: 'allow lambda 1' },
  {
    name: 'epsilon',
    value: '<number>',
    text: 'added to every standard deviation',
    shown: taraDefaults.epsilon,
    parse: aNumber,
  },
  {
    name: 'gate',
    value: '<rule>',
    text: 'what lets future credit through: reward, none or threshold:NUMBER',
    shown: taraDefaults.gate,
    parse: aGate,
  },
  {
    name: 'futureIndex',
    value: '<rule>',
    text: 'weight of the next turn: 1 (eq3) or gamma (eq7)',
    shown: taraDefaults.futureIndex,
    choices: ['eq3', 'eq7'],
  },
  {
    name: 'unreached',
    value: '<rule>',
    text: 'an unreached turn votes as 0, or not at all',
    shown: 'zero with a golden trace, else exclude',
    choices: ['zero', 'exclude'],
  },
  {
    name: 'truncated',
    value: '<rule>',
    text: 'a rollout cut off by a limit is a failure, left out, or votes untrained',
    shown: taraDefaults.truncated,
    choices: ['fail', 'exclude', 'mask'],
  },
  {
    name: 'scale',
    value: '<rule>',
    text: 'divide by the standard deviation, or not',
    shown: taraDefaults.scale,
    choices: ['std', 'none'],
  },
  {
    name: 'correction',
    value: '<0|1>',
    text: 'divisor of the variance: n - correction',
    shown: taraDefaults.correction,
    parse: aNumber,
  },
  {
    name: 'baseline',
    value: '<rule>',
    text: 'what is subtracted',
    shown: taraDefaults.baseline,
    choices: ['mean', 'leave-one-out'],
  },
  {
    name: 'reward',
    value: '<rule>',
    text: 'scalar of a rollout, for estimators that have one; outcome for mt-grpo and turn-credit only',
    shown: grpoDefaults.reward,
    choices: ['trace', 'mean', 'discounted', 'outcome'],
  },
  {
    name: 'omega',
    value: '<number>',
    text: 'weight of the state part (gigpo)',
    shown: gigpoDefaults.omega,
    parse: aNumber,
  },
  {
    name: 'beta',
    value: '<number>',
    text: 'weight of the shaping (turn-credit)',
    shown: turnCreditDefaults.beta,
    parse: aNumber,
  },
  {
    name: 'weights',
    value: '<name=number,…>',
    text: 'weights of the named rewards (gdpo)',
    shown: '1 each',
    parse: aWeighting,
  },
  {
    name: 'whiten',
    value: '<trainer>',
    text: 'whose last step over the batch (reinforce-pp)',
    shown: reinforcePpDefaults.whiten,
    choices: Object.keys(whitenings),
  },
  {
    name: 'groupOfOne',
    value: '<rule>',
    text: 'a lone rollout gets 0, its reward, or is an error (rloo, opo, reinforce-pp-baseline)',
    shown: rlooDefaults.groupOfOne,
    choices: ['zero', 'raw', 'refuse'],
  },
  {
    name: 'lastStep',
    value: '<on|off>',
    text: 'normalize over the batch at the end (gdpo)',
    shown: 'on',
    parse: aSwitch,
  },
  { name: 'realRewards', text: 'allow rewards other than 0 and 1' },
]

/** What any estimator can be given, and what is done to its result. */
export const resultFlags: readonly Flag[] = [
  {
    name: 'states',
    value: '<file>',
    text: 'states and state scores of turns, one rollout a line (gigpo, turn-credit)',
  },
  {
    name: 'rescale',
    value: '<unit>',
    text: 'bring the advantages to one scale over the log',
    choices: ['rms'],
  },
]
