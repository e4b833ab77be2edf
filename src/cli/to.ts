/**
 * `--to TRAINER`: the table that a trainer loads, in place of one line a rollout.
 */
import { taraDefaults } from '../advantage/options.js'
import type { RolloutLog } from '../formats/log-types.js'
import type { TokenSpans } from '../tokens/spans.js'
import { toAtropos } from '../trainers/atropos.js'
import type { TrainerInput } from '../trainers/input.js'
import { paddedDefaults } from '../trainers/options.js'
import { toPrimeRl } from '../trainers/prime-rl.js'
import { toRllm } from '../trainers/rllm.js'
import type { Table } from '../trainers/table.js'
import { toTinker } from '../trainers/tinker.js'
import { type TrainerInfo, type TrainerName, trainers } from '../trainers/trainers.js'
import { toTrl } from '../trainers/trl.js'
import { toTurns } from '../trainers/turns.js'
import { toVerl } from '../trainers/verl.js'
import { estimatorFlags, resultFlags } from './estimator-flags.js'
import { UsageError } from './failure.js'
import { type Flag, type Given, kebab, pick } from './flag.js'
import { aNumber, aWholeNumber } from './flag-values.js'
import { creditFlags, filterFlags, policyFlags } from './flags.js'
import type { TurnNumbers } from './rows.js'
import { taraSettings } from './settings.js'
import { binaryKind } from './write-table.js'

const weightFlags: readonly Flag[] = [
  {
    name: 'lossWeights',
    value: '<reduction>',
    text: 'also a weight a token: 1, or shares of 1 a turn, 1 a sequence, 1 a constant number of tokens',
    choices: ['token', 'turn-mean', 'sequence-mean', 'constant'],
  },
  {
    name: 'constant',
    value: '<number>',
    text: 'tokens that --loss-weights constant divides by',
    parse: aNumber,
  },
  {
    name: 'dtype',
    value: '<type>',
    text: 'type of advantages and weights',
    shown: 'float32, float64 for turns',
    choices: ['float32', 'float64'],
  },
]

const paddingFlags: readonly Flag[] = [
  {
    name: 'side',
    value: '<side>',
    text: 'where responses are padded',
    shown: paddedDefaults.side,
    choices: ['right', 'left'],
  },
  {
    name: 'width',
    value: '<tokens>',
    text: 'width of responses',
    shown: 'the longest',
    parse: aWholeNumber,
  },
  {
    name: 'promptWidth',
    value: '<tokens>',
    text: 'width of prompts',
    shown: 'the longest',
    parse: aWholeNumber,
  },
  {
    name: 'padId',
    value: '<id>',
    text: 'token id of padding',
    shown: paddedDefaults.padId,
    parse: aWholeNumber,
  },
]

/** The flags of an export. */
export const exportFlags: readonly Flag[] = [
  {
    name: 'to',
    value: '<trainer>',
    text: 'write the arrays of this trainer; what kind of file, the name of the output says (docs/trainers.md)',
    choices: trainers.map(({ name }) => name),
  },
  ...weightFlags,
  ...paddingFlags,
]

/** The trainer whose table is written; undefined where one line a rollout is. A binary file holds a table anyway.
 * @throws UsageError for a flag that has no place
 */
export function exportOf(given: Given, output: string | undefined): TrainerInfo | undefined {
  const name = given.to ?? (binaryKind(output) === undefined ? undefined : 'turns')
  const trainer = trainers.find((one) => one.name === name)
  for (const { name: option } of [...weightFlags, ...paddingFlags]) {
    if (given[option] === undefined) continue
    const isWeight = weightFlags.some((flag) => flag.name === option)
    if (trainer === undefined) throw new UsageError(`--${kebab(option)} needs --to`)
    if (!isWeight && !trainer.isPadded)
      throw new UsageError(`--${kebab(option)} is not an option of --to ${trainer.name}`)
  }
  const reduced = ['lossWeights', 'constant'].find((option) => given[option] !== undefined)
  if (reduced !== undefined && !trainer?.needsTokens && given.tokens !== true)
    throw new UsageError(`--${kebab(reduced)} needs --tokens`)
  return trainer
}

/** What the file says of how its numbers came about. */
function aboutOf(given: Given): Record<string, string> {
  const estimator = (given.estimator as string | undefined) ?? 'tara'
  const more = pick(given, [...resultFlags, ...policyFlags, ...creditFlags, ...filterFlags])
  const own = estimator === 'tara' ? { ...taraDefaults, ...taraSettings(given) } : pick(given, estimatorFlags)
  return { estimator, options: JSON.stringify({ ...own, ...more }) }
}

const tables: Readonly<
  Record<Exclude<TrainerName, 'turns'>, (input: TrainerInput, options: object) => Table>
> = {
  tinker: toTinker,
  verl: toVerl,
  trl: toTrl,
  'prime-rl': toPrimeRl,
  rllm: toRllm,
  atropos: toAtropos,
}

/** Makes the table of a trainer, its rows in input order.
 * @param spans - of the log; undefined where the trainer needs none
 * @throws TaraError with file and line
 */
export function tableFor(
  { name }: TrainerInfo,
  log: Pick<RolloutLog, 'batch' | 'keys' | 'status' | 'inputOrder' | 'tokens' | 'placeOf'>,
  numbers: TurnNumbers,
  spans: TokenSpans | undefined,
  given: Given,
): Table {
  const options = pick(given, [...weightFlags, ...paddingFlags])
  const { batch, keys, status, inputOrder: order } = log
  const common = { batch, keys, turnAdvantage: numbers.advantage, order, about: aboutOf(given) }
  if (name === 'turns') {
    const { local, future } = numbers
    const parts = { ...(local && { local }), ...(future && { future }) }
    return toTurns({ ...common, ...parts, status, spans }, { ...options, tokens: given.tokens === true })
  }
  const place = (i: number): string => `${log.placeOf(i)}: tokens`
  return tables[name]({ ...common, spans: spans!, tokens: log.tokens!, place }, options)
}
