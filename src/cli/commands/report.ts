/**
 * `tara report IN`: where credit went, as one page that opens from disk, or as its model in JSON.
 *
 * The log is read twice: first for its numbers, then those lines again whose calls and messages are shown.
 */
import { Command, Option } from 'commander'
import { taraDefaults } from '../../advantage/options.js'
import { taraParts } from '../../advantage/tara.js'
import { TaraError } from '../../errors.js'
import type { KeptRollout, RolloutLog } from '../../formats/log-types.js'
import { type Conversation, conversationReader } from '../../report/conversation.js'
import { keyText } from '../../report/details.js'
import { reportHtml } from '../../report/html.js'
import { informativeRollouts, type ReportOptions, reportDefaults, reportModel } from '../../report/model.js'
import { type Again, again, someLines } from '../again.js'
import { emptyBatch } from '../estimate.js'
import { estimatorFlags } from '../estimator-flags.js'
import { UsageError } from '../failure.js'
import { logFilter, receiptLines } from '../filter.js'
import { addFlags, type Given, kebab, pick } from '../flag.js'
import { aWholeNumber } from '../flag-values.js'
import { creditFlags, filterFlags, policyFlags, readFlags } from '../flags.js'
import { checkGateOf } from '../gate.js'
import type { Io } from '../io.js'
import { checkOutput, writeOutput } from '../output.js'
import { openInputs, type ReadOptions, readLog } from '../read.js'
import { readSettings, taraSettings } from '../settings.js'

export function reportCommand(io: Io): Command {
  const command = new Command('report')
    .description('Draws where credit goes: an overview, a heat map of each group, and its conversations.')
    .argument('<in>', 'JSONL of rollouts, plain or gzip; - for stdin')
    .option(
      '-o, --output <file>',
      'where to write the page, or with a name in .json its model; - for stdout (default: -)',
    )
    .addOption(
      new Option(
        '--details <number>',
        `groups that are shown in full, the most informative ones (default: ${reportDefaults.details})`,
      ).argParser(aWholeNumber),
    )
    .option('-q, --quiet', 'no summary on stderr')
  addFlags(
    command,
    'Estimator',
    estimatorFlags.filter(({ name }) => Object.hasOwn(taraDefaults, name)),
  )
  addFlags(command, 'Filter', filterFlags)
  addFlags(command, 'Matching', [...policyFlags, ...creditFlags])
  addFlags(command, 'Reading', readFlags)
  return command
    .addHelpText('after', '\nExample:\n  $ tara report rollouts.jsonl -o report.html')
    .action((path: string, given: Given) => report(path, given, io))
}

/** The log and its golden traces, as often as they are asked for. */
interface Sources {
  readonly log: Again
  readonly golden: Again | undefined
}

/** Reads the log with its tokens where every record has them, else without. */
async function readNumbers(sources: Sources, options: ReadOptions, io: Io): Promise<RolloutLog> {
  const inputs = async (): Promise<Parameters<typeof readLog>[0]> => ({
    log: await sources.log(),
    golden: await sources.golden?.(),
  })
  try {
    return await readLog(await inputs(), { ...options, tokens: true }, io)
  } catch (error) {
    const isWithout =
      error instanceof TaraError &&
      (error.code === 'MISSING' || error.code === 'MISMATCH') &&
      / (tokens|scope)$/.test(error.path)
    if (!isWithout) throw error
    return readLog(await inputs(), options, io)
  }
}

/** Reads those rollouts again that are shown in full: their calls, and what was said. */
async function readDetails(
  sources: Sources,
  log: RolloutLog,
  { maxLine, ...options }: ReadOptions,
  chosen: readonly number[],
  io: Io,
): Promise<{ kept: readonly KeptRollout[]; conversations: readonly Conversation[] }> {
  const keys = new Set(chosen.map((i) => keyText(log.keys[i]!)))
  const lines = new Set(chosen.map((i) => log.line[i]!))
  const isWanted = (key: Parameters<typeof keyText>[0]): boolean => keys.has(keyText(key))
  const said = conversationReader(isWanted, options)
  const input = someLines(
    await sources.log(),
    maxLine,
    (line) => lines.has(line),
    (text) => said.addLine(text),
  )
  const reading = { ...options, maxLine, allowSingletons: true, shifted: false, keep: isWanted }
  const { kept } = await readLog({ log: input, golden: await sources.golden?.() }, reading, io)
  return { kept, conversations: said.conversations }
}

const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`

/** Flags of matching and filtering that were given, to be shown. */
function shownSettings(given: Given): Record<string, string> {
  const picked = pick(given, [...policyFlags, ...creditFlags, ...filterFlags])
  return Object.fromEntries(
    Object.entries(picked).map(([name, value]) => [
      kebab(name),
      typeof value === 'function'
        ? 'a replacement'
        : typeof value === 'string'
          ? value
          : JSON.stringify(value),
    ]),
  )
}

async function report(path: string, given: Given, io: Io): Promise<void> {
  const output = given.output as string | undefined
  const tara = taraSettings(given)
  const options: Partial<ReportOptions> = {
    tara,
    settings: shownSettings(given),
    ...(given.details !== undefined && { details: given.details as number }),
  }
  const settings: ReadOptions = { ...readSettings(given), shifted: true }
  const filter = logFilter(given)
  taraParts(emptyBatch({}), tara) // refuses a wrong option before a long read
  if (given.golden === '-') throw new UsageError('stdin can only be the log')
  const inputs = await openInputs(path, given.golden as string | undefined, io)
  await checkOutput(output, [inputs.log, ...(inputs.golden ? [inputs.golden] : [])], [given.defaults] as (
    | string
    | undefined
  )[])
  const sources: Sources = {
    log: again(path, inputs.log, io),
    golden: inputs.golden && again(given.golden as string, inputs.golden, io),
  }
  const { log, filtered } = filter(await readNumbers(sources, settings, io))
  checkGateOf(log, tara.gate)
  const chosen = informativeRollouts(log, options)
  const details =
    chosen.length === 0
      ? { kept: [], conversations: [] }
      : await readDetails(sources, log, settings, chosen, io)
  const model = reportModel({ source: inputs.log.name, log, ...details }, options)
  const isModel = output?.endsWith('.json') === true
  await writeOutput(output, io, (write) =>
    write(isModel ? `${JSON.stringify(model, null, 1)}\n` : reportHtml(model)),
  )
  for (const warning of log.warnings) io.warn(warning)
  if (given.quiet === true) return
  if (filtered !== undefined) io.err(receiptLines(filtered, given))
  const isPage = !isModel && output !== undefined && output !== '-'
  io.err(
    `${count(model.read.groups, 'group')}, ${count(model.read.rollouts, 'rollout')}; ` +
      `details of ${count(model.details.length, 'group')}${isPage ? `; open ${output} in a browser` : ''}\n`,
  )
}
