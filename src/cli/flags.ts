/**
 * The flags of the command line: one table, from which commander's options and the library's options are made.
 *
 * A flag is the kebab-case of its option's name. Defaults stand in the library's tables and are only shown here.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { taraDefaults } from '../advantage/options.js'
import { gigpoDefaults } from '../baselines/gigpo.js'
import { grpoDefaults } from '../baselines/grpo.js'
import { reinforcePpDefaults } from '../baselines/reinforcePp.js'
import { rlooDefaults } from '../baselines/rloo.js'
import { turnCreditDefaults } from '../baselines/turnCredit.js'
import { whitenings } from '../baselines/whiten.js'
import { MAX_LINE } from '../formats/lines.js'
import { coverageDefaults } from '../reward/policy.js'

export interface Flag {
  /** The option's name in the library. */
  readonly name: string
  /** What stands after the flag: `<number>`; nothing for a switch. */
  readonly value?: string
  readonly text: string
  /** Shown as the default. */
  readonly shown?: unknown
  readonly choices?: readonly string[]
  readonly parse?: (raw: string) => unknown
}

function aNumber(raw: string): number {
  const value = Number(raw)
  if (raw.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('expected a number')
  return value
}

function aWholeNumber(raw: string): number {
  if (!/^[0-9]{1,9}$/.test(raw)) throw new InvalidArgumentError('expected a whole number from 0')
  return Number(raw)
}

/** `0.1..0.9`; a bound that is left out is open. */
function aRange(raw: string): { min?: number; max?: number } {
  const [low, high, ...more] = raw.split('..')
  if (high === undefined || more.length > 0 || (low === '' && high === ''))
    throw new InvalidArgumentError('expected MIN..MAX, as in 0.1..0.9')
  return { ...(low !== '' && { min: aNumber(low!) }), ...(high !== '' && { max: aNumber(high) }) }
}

/** `a, b` is a and b. */
export function aList(raw: string): string[] {
  return raw.split(',').map((part) => part.trim())
}

function aGate(raw: string): unknown {
  if (raw === 'reward' || raw === 'none') return raw
  if (raw.startsWith('threshold:')) return { threshold: aNumber(raw.slice('threshold:'.length)) }
  throw new InvalidArgumentError('expected reward, none or threshold:NUMBER')
}

/** `format=1,calls=2` */
function aWeighting(raw: string): Record<string, number> {
  const weights: Record<string, number> = Object.create(null)
  for (const part of aList(raw)) {
    const at = part.lastIndexOf('=')
    if (at < 1) throw new InvalidArgumentError('expected NAME=NUMBER, as in format=1,calls=2')
    weights[part.slice(0, at)] = aNumber(part.slice(at + 1))
  }
  return weights
}

function aSwitch(raw: string): boolean {
  if (raw !== 'on' && raw !== 'off') throw new InvalidArgumentError('expected on or off')
  return raw === 'on'
}

/** `.=_` puts `_` for every `.` in a tool's name. */
function aReplacement(raw: string): (name: string) => string {
  const at = raw.indexOf('=', 1)
  if (at < 0) throw new InvalidArgumentError('expected FROM=TO, as in .=_')
  const from = raw.slice(0, at)
  const to = raw.slice(at + 1)
  return (name) => name.replaceAll(from, to)
}

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

/** How golden calls are matched. */
export const policyFlags: readonly Flag[] = [
  {
    name: 'matching',
    value: '<rule>',
    text: 'each golden call needs its own call (multiset), or one may stand for several (set)',
    shown: coverageDefaults.matching,
    choices: ['multiset', 'set'],
  },
  {
    name: 'args',
    value: '<rule>',
    text: 'arguments must be equal, or hold the golden ones',
    shown: coverageDefaults.args,
    choices: ['equal', 'subset'],
  },
  { name: 'defaults', value: '<file>', text: 'JSON file: per tool, arguments that may be left out' },
  {
    name: 'tolerance',
    value: '<number>',
    text: 'largest difference of two equal numbers',
    shown: coverageDefaults.tolerance,
    parse: aNumber,
  },
  {
    name: 'unordered',
    value: '<paths>',
    text: 'lists whose order is free: ids,passengers[].bags',
    parse: aList,
  },
  {
    name: 'normalizeName',
    value: '<from=to>',
    text: 'replace text in the tool names of both sides: .=_',
    parse: aReplacement,
  },
  { name: 'unicode', value: '<form>', text: 'compare strings in this normalization form', choices: ['nfc'] },
  {
    name: 'emptyGolden',
    value: '<rule>',
    text: 'a golden turn without calls is 1, is 1 only without calls, or is taken out',
    shown: coverageDefaults.emptyGolden,
    choices: ['vacuous', 'forbid-calls', 'mask'],
  },
  {
    name: 'maxExtraCalls',
    value: '<number>',
    text: 'more extra calls than this make a turn 0',
    parse: aNumber,
  },
]

/** What is left out, in the order in which it is. */
export const filterFlags: readonly Flag[] = [
  { name: 'dropTruncated', text: 'leave out rollouts cut off by a limit' },
  {
    name: 'minGroupSize',
    value: '<number>',
    text: 'leave out groups in which fewer rollouts vote',
    parse: aWholeNumber,
  },
  {
    name: 'meanReward',
    value: '<min..max>',
    text: 'leave out groups whose mean reward is outside: 0.1..0.9, 0.1.., ..0.9',
    parse: aRange,
  },
  { name: 'dropFlat', text: 'leave out groups whose rollouts all have the same rewards' },
]

/** How a log is read. */
export const readFlags: readonly Flag[] = [
  { name: 'golden', value: '<file>', text: 'golden traces by group, one task a line' },
  {
    name: 'turns',
    value: '<unit>',
    text: 'what a turn is where a record does not say',
    shown: 'user',
    choices: ['user', 'step'],
  },
  { name: 'strict', text: 'refuse fields that are not read' },
  { name: 'allowSingletons', text: 'allow groups that all have one rollout' },
  { name: 'allowInvalid', text: 'take a rollout with a reward of null, NaN or Infinity as aborted' },
  { name: 'maxLine', value: '<bytes>', text: 'longest line', shown: MAX_LINE, parse: aNumber },
]

export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Adds flags to a command, under a heading of its help. */
export function addFlags(command: Command, heading: string, flags: readonly Flag[]): void {
  command.optionsGroup(`${heading}:`)
  for (const { name, value, text, shown, choices, parse } of flags) {
    const note = shown === undefined ? '' : ` (default: ${String(shown)})`
    const option = new Option(`--${kebab(name)}${value === undefined ? '' : ` ${value}`}`, text + note)
    if (choices !== undefined) option.choices(choices)
    else if (parse !== undefined) option.argParser(parse)
    command.addOption(option)
  }
}

export type Given = Readonly<Record<string, unknown>>

/** Those of the given options that stand in a table of flags. */
export function pick(given: Given, flags: readonly Flag[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const { name } of flags) if (given[name] !== undefined) picked[name] = given[name]
  return picked
}
