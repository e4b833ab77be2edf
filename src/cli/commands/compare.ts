/**
 * `tara compare IN`: estimators side by side on the same rollouts.
 */
import { Command } from 'commander'
import { type Comparison, compareEstimators, type SignCount } from '../../diagnose/compare.js'
import { TaraError } from '../../errors.js'
import { checkStates, emptyBatch, estimate, readFor, readStates, spansOf } from '../estimate.js'
import { estimatorFlags, resultFlags } from '../estimator-flags.js'
import { estimators, optionsOf, theEstimators } from '../estimators.js'
import { UsageError } from '../failure.js'
import { logFilter, receiptLines, voteSettings } from '../filter.js'
import { addFlags, type Given, kebab } from '../flag.js'
import { aList } from '../flag-values.js'
import { creditFlags, filterFlags, policyFlags, readFlags } from '../flags.js'
import { checkGateOf } from '../gate.js'
import type { Io } from '../io.js'
import { openInputs } from '../read.js'
import { readSettings } from '../settings.js'
import { table } from '../table.js'

const usual = 'tara,grpo'

export function compareCommand(io: Io): Command {
  const command = new Command('compare')
    .description('Sets estimators side by side on the same rollouts. The first is the reference.')
    .argument('<in>', 'JSONL of rollouts, plain or gzip; - for stdin')
    .option('--estimators <names>', `two or more of them, separated by commas (default: ${usual})`)
    .option('--json', 'write JSON')
    .option('-q, --quiet', 'no receipt of the filters on stderr')
  addFlags(command, 'Estimator', [...estimatorFlags, ...resultFlags])
  addFlags(command, 'Filter', filterFlags)
  addFlags(command, 'Matching', [...policyFlags, ...creditFlags])
  addFlags(command, 'Reading', readFlags)
  return command
    .addHelpText('after', '\nExample:\n  $ tara compare rollouts.jsonl --estimators tara,grpo --reward mean')
    .action((path: string, given: Given) => compare(path, given, io))
}

/** The estimators that are asked for.
 * @throws UsageError for a name that is not one, or stands there twice
 */
function namesOf(given: Given): string[] {
  const names = aList((given.estimators as string | undefined) ?? usual)
  names.forEach((name, e) => {
    if (!Object.hasOwn(estimators, name))
      throw new UsageError(
        `--estimators: expected some of ${Object.keys(estimators).join(', ')}, got "${name}"`,
      )
    if (names.indexOf(name) < e) throw new UsageError(`--estimators: ${name} stands there twice`)
  })
  return names
}

/** Whether an estimator has an option. */
function has(name: string, option: string): boolean {
  try {
    optionsOf(name, { [option]: true })
    return true
  } catch (error) {
    if (error instanceof UsageError) return false
    throw error
  }
}

/** The option that an error refuses; undefined for an error of another kind. What an estimator needs of the batch shows
 * when there is one.
 */
function refusedOption(error: unknown): string | undefined {
  if (error instanceof UsageError || !(error instanceof TaraError)) throw error
  if (error.code !== 'OPTION') return undefined
  const option = /options\.(\w+)/.exec(error.path)?.[1]
  if (option === undefined) throw error
  return option
}

interface OwnSettings {
  readonly given: Given
  /** The flags that it has but whose values it refuses, each with the error. */
  readonly refused: ReadonlyMap<string, unknown>
}

/** The call's flags as one estimator takes them: those that it has, without the values that it refuses. */
function settingsFor(name: string, given: Given): OwnSettings {
  const own: Record<string, unknown> = { ...given }
  for (const { name: option } of estimatorFlags)
    if (own[option] !== undefined && !has(name, option)) delete own[option]
  const refused = new Map<string, unknown>()
  for (;;) {
    try {
      estimate(name, own, emptyBatch(own), {})
      return { given: own, refused }
    } catch (error) {
      const option = refusedOption(error)
      if (option === undefined) return { given: own, refused }
      if (own[option] === undefined) throw error
      refused.set(option, error)
      delete own[option]
    }
  }
}

/** The call's flags as each estimator takes them, and a note on every flag that not all of them take.
 * @throws UsageError, TaraError for a flag that none of them takes
 */
function settingsOf(
  names: readonly string[],
  given: Given,
): { settings: Map<string, Given>; notes: string[] } {
  const all = new Map(names.map((name) => [name, settingsFor(name, given)]))
  const notes: string[] = []
  for (const { name: option } of estimatorFlags) {
    if (given[option] === undefined) continue
    const takers = names.filter((name) => all.get(name)!.given[option] !== undefined)
    for (const { refused } of takers.length === 0 ? all.values() : [])
      if (refused.has(option)) throw refused.get(option)
    if (takers.length === 0)
      throw new UsageError(`--${kebab(option)} is not an option of ${theEstimators(names)}`)
    if (takers.length < names.length) notes.push(`--${kebab(option)} goes to ${takers.join(', ')} only`)
  }
  return { settings: new Map(Array.from(all, ([name, own]) => [name, own.given])), notes }
}

async function compare(path: string, given: Given, io: Io): Promise<void> {
  const { settings, notes } = settingsOf(namesOf(given), given)
  checkStates([...settings.keys()], given)
  const reading = readSettings(given)
  const filter = logFilter(given)
  const states = await readStates(given, reading.maxLine, io)
  const inputs = await openInputs(path, given.golden as string | undefined, io)
  const { log, filtered } = filter(await readFor(settings, inputs, reading, io))
  if (settings.has('tara')) checkGateOf(log, given.gate)
  const data = { ...states?.finish(log), turnTokens: spansOf(log, given) }
  const named = Array.from(settings, ([name, own]) => ({
    name,
    advantage: estimate(name, own, log.batch, data),
  }))
  const comparison = compareEstimators(log.batch, named, voteSettings(given))
  await io.out(given.json === true ? `${JSON.stringify(comparison)}\n` : textOf(comparison))
  for (const warning of log.warnings) io.warn(warning)
  if (given.quiet === true) return
  for (const note of notes) io.err(`${note}\n`)
  if (filtered !== undefined) io.err(receiptLines(filtered, given))
}

const digits = (value: number | undefined): string =>
  value === undefined ? '-' : String(Number(value.toPrecision(4)))

const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`

const signs = ({ sameSign, votes }: SignCount): string => percent(sameSign, votes)

function textOf({ groups, turns, votes, reference, estimators: all, pairs }: Comparison): string {
  const facts = [
    ['', 'silent groups', 'silent turns', 'r = 1, A < 0', 'r = 0, A > 0', 'variance'],
    ...all.map((one) => [
      one.name,
      String(one.silentGroups),
      String(one.silentTurns),
      percent(one.correctNegative, one.correct),
      percent(one.failedPositive, one.failed),
      digits(one.variance),
    ]),
  ]
  const head = `groups ${groups}, turns ${turns}, turns of rollouts ${votes}\n\n${table(facts)}`
  if (pairs.length === 0) return head
  const numTurns = pairs[0]!.turns.length
  const agreement = [
    [`against ${reference}`, ...pairs.map((pair) => pair.name)],
    ['correlation', ...pairs.map((pair) => digits(pair.correlation))],
    ['same sign', ...pairs.map(signs)],
    ...Array.from({ length: numTurns }, (_, t) => [
      `  turn ${t}`,
      ...pairs.map((pair) => signs(pair.turns[t]!)),
    ]),
  ]
  return `${head}\n${table(agreement)}`
}
