/**
 * The flags of the command line: one table, from which commander's options and the library's options are made.
 *
 * A flag is the kebab-case of its option's name. Defaults stand in the library's tables and are only shown here.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { taraDefaults } from '../advantage/options.js'
import { grpoDefaults } from '../baselines/grpo.js'
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

function aList(raw: string): string[] {
  return raw.split(',').map((part) => part.trim())
}

function aGate(raw: string): unknown {
  if (raw === 'reward' || raw === 'none') return raw
  if (raw.startsWith('threshold:')) return { threshold: aNumber(raw.slice('threshold:'.length)) }
  throw new InvalidArgumentError('expected reward, none or threshold:NUMBER')
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
    text: 'scalar of a rollout (grpo)',
    shown: grpoDefaults.reward,
    choices: ['trace', 'mean', 'discounted'],
  },
  { name: 'realRewards', text: 'allow rewards other than 0 and 1' },
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
