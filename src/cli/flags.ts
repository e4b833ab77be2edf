/**
 * The flags of matching, filtering and reading a log.
 */
import { formatNames } from '../formats/formats.js'
import { MAX_LINE } from '../formats/lines.js'
import { coverageDefaults } from '../reward/policy.js'
import type { Flag } from './flag.js'
import { aList, aNumber, aRange, aReplacement, aWholeNumber } from './flag-values.js'

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

/** What is counted of the matches. */
export const creditFlags: readonly Flag[] = [
  {
    name: 'partial',
    value: '<credit>',
    text: 'partial credit: the share of golden calls covered, or F1',
    choices: ['share', 'f1'],
  },
  { name: 'exactOnly', text: 'partial credit counts equal calls only' },
]

/** How a log is read. */
export const readFlags: readonly Flag[] = [
  {
    name: 'from',
    value: '<format>',
    text: 'format of the log; found out where it is not named',
    choices: formatNames,
  },
  {
    name: 'functions',
    value: '<file>',
    text: 'JSON file: function docs that name positional arguments (bfcl)',
  },
  {
    name: 'golden',
    value: '<file>',
    text: 'golden traces by group: one task a line, or a file of a benchmark',
  },
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
  {
    name: 'workers',
    value: '<number>',
    text: 'threads that read the log',
    shown: 'cores, 1 for small inputs',
    parse: aWholeNumber,
  },
  { name: 'maxLine', value: '<bytes>', text: 'longest line', shown: MAX_LINE, parse: aNumber },
]
