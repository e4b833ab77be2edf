/**
 * `tara advantages IN`: a log of rollouts in, one line of advantages a rollout out.
 */
import { Command, Option } from 'commander'
import { taraParts } from '../../advantage/tara.js'
import { rescale } from '../../baselines/rescale.js'
import { numGroups, type TurnBatch } from '../../batch/layout.js'
import { excludesUnreached, type UnreachedRule } from '../../batch/votes.js'
import { type DiagnoseOptions, type Diagnosis, diagnose, diagnoseDefaults } from '../../diagnose/diagnose.js'
import { TaraError } from '../../errors.js'
import type { RolloutLog } from '../../formats/log-types.js'
import { tokenSpans } from '../../tokens/spans.js'
import type { TrainerInfo } from '../../trainers/trainers.js'
import { checkStates, emptyBatch, estimate, readFor, readStates, spansOf } from '../estimate.js'
import { estimatorFlags, resultFlags } from '../estimator-flags.js'
import { accumulatesNormalized, anEstimator, needsTokens, type TurnData } from '../estimators.js'
import { logFilter, receiptLines, voteSettings } from '../filter.js'
import { addFlags, type Given, pick } from '../flag.js'
import { creditFlags, filterFlags, policyFlags, readFlags } from '../flags.js'
import { checkGateOf } from '../gate.js'
import type { Io } from '../io.js'
import { checkApart, writeMetrics } from '../metrics.js'
import { checkOutput, writeOutput } from '../output.js'
import { openInputs } from '../read.js'
import { type TurnNumbers, writeRows } from '../rows.js'
import { readSettings, taraSettings } from '../settings.js'
import { diagnosisLines, summaryLines } from '../summary.js'
import { exportFlags, exportOf, tableFor } from '../to.js'
import { tokenizeFlags, tokenizeFor } from '../tokenize.js'
import { encoderFor, writeTable } from '../write-table.js'

export function advantagesCommand(io: Io): Command {
  const command = new Command('advantages')
    .description('Turns a log of rollouts into advantages per turn and, with --tokens, per token.')
    .argument('<in>', 'JSONL of rollouts, plain or gzip; - for stdin')
    .option('-o, --output <file>', 'where to write; - for stdout (default: -)')
    .option('--tokens', 'write token_advantages and loss_mask from the spans in the records')
    .addOption(
      new Option(
        '--estimator <name[:dialect]>',
        'what computes the advantage; tara estimators lists them (default: tara)',
      ).argParser(anEstimator),
    )
    .option('--metrics <file>', 'where to write the diagnosis as one JSON object')
    .option('-q, --quiet', 'no summary on stderr')
  addFlags(command, 'Estimator', [...estimatorFlags, ...resultFlags])
  addFlags(command, 'Filter', filterFlags)
  addFlags(command, 'Matching', [...policyFlags, ...creditFlags])
  addFlags(command, 'Reading', readFlags)
  addFlags(command, 'Tokens', tokenizeFlags)
  addFlags(command, 'Export', exportFlags)
  return command
    .addHelpText('after', '\nExample:\n  $ tara advantages rollouts.jsonl --tokens -o advantages.jsonl')
    .action((path: string, given: Given) => advantages(path, given, io))
}

const nameOf = (given: Given): string => (given.estimator as string | undefined) ?? 'tara'

function compute(batch: TurnBatch, given: Given, data: TurnData): TurnNumbers {
  const name = nameOf(given)
  if (name !== 'tara') return { advantage: estimate(name, given, batch, data) }
  const parts = taraParts(batch, taraSettings(given))
  if (given.rescale === 'rms') rescale(batch, parts.advantage, 'rms', parts.advantage)
  return parts
}

/** Refuses a wrong option before a long read; what an estimator needs of the batch shows later. */
function checkOptions(given: Given): void {
  try {
    compute(emptyBatch(given), given, {})
  } catch (error) {
    if (!(error instanceof TaraError) || error.code === 'OPTION') throw error
  }
}

/** Refuses a wrong option of an export before a long read. */
function checkExport(trainer: TrainerInfo, given: Given): void {
  const batch = emptyBatch({})
  const none = { keys: [], status: [], inputOrder: new Int32Array(), tokens: [], placeOf: () => '' }
  const numbers = { advantage: new Float64Array() }
  tableFor(trainer, { batch, ...none }, numbers, tokenSpans(batch, []), given)
}

function diagnosisOf({ batch, counts, calls }: RolloutLog, numbers: TurnNumbers, given: Given): Diagnosis {
  const flags = estimatorFlags.filter(({ name }) => Object.hasOwn(diagnoseDefaults, name))
  const options =
    nameOf(given) === 'tara' ? (pick(given, flags) as Partial<DiagnoseOptions>) : voteSettings(given)
  return diagnose(batch, numbers, options, { ...counts, ...calls })
}

/** Whether a group's rollouts reached different numbers of turns, and only those reached count. */
function hasVaryingTurns({ batch }: RolloutLog, given: Given): boolean {
  const { groupPtr, turnPtr, valid, reached } = batch
  for (let g = 0; g < numGroups(batch); g++) {
    if (!excludesUnreached(batch, g, given.unreached as UnreachedRule | undefined)) continue
    for (let i = groupPtr[g]!; i < groupPtr[g + 1]!; i++)
      if (valid[i] === 1 && reached.subarray(turnPtr[i]!, turnPtr[i + 1]!).includes(0)) return true
  }
  return false
}

function warnings(log: RolloutLog, given: Given): string[] {
  const name = nameOf(given)
  if (!accumulatesNormalized(name) || !hasVaryingTurns(log, given)) return [...log.warnings]
  return [
    ...log.warnings,
    `${name} adds up normalized rewards, and rollouts of a group reached different numbers of turns: its gradient is biased where the policy decides that (docs/estimators.md)`,
  ]
}

async function advantages(path: string, given: Given, io: Io): Promise<void> {
  const output = given.output as string | undefined
  const metricsPath = given.metrics as string | undefined
  const settings = readSettings(given)
  const filter = logFilter(given)
  checkOptions(given)
  checkStates([nameOf(given)], given)
  const trainer = exportOf(given, output)
  if (trainer !== undefined) checkExport(trainer, given)
  const encoder = trainer && (await encoderFor(output))
  const wantsTokens = given.tokens === true || trainer?.needsTokens === true
  const tokenize = await tokenizeFor(given, wantsTokens || needsTokens(nameOf(given), given))
  if (metricsPath !== undefined) await checkApart(metricsPath, output)
  const isDiagnosed = given.quiet !== true || metricsPath !== undefined
  const states = await readStates(given, settings.maxLine, io)
  const inputs = await openInputs(path, given.golden as string | undefined, io)
  const read = [inputs.log, ...(inputs.golden ? [inputs.golden] : [])]
  for (const target of metricsPath === undefined ? [output] : [output, metricsPath])
    await checkOutput(target, read, [given.defaults, given.states, given.functions] as (string | undefined)[])
  const reading = {
    ...settings,
    tokens: wantsTokens,
    ...(tokenize && { tokenize }),
    shifted: isDiagnosed,
  }
  const { log, filtered } = filter(await readFor([[nameOf(given), given]], inputs, reading, io))
  if (nameOf(given) === 'tara') checkGateOf(log, given.gate)
  const spans = spansOf(log, given)
  const numbers = compute(log.batch, given, { ...states?.finish(log), turnTokens: spans })
  const written = reading.tokens ? spans : undefined
  if (trainer === undefined) await writeOutput(output, io, (write) => writeRows(log, numbers, written, write))
  else await writeTable(output, encoder!, tableFor(trainer, log, numbers, written, given), io)
  const diagnosis = isDiagnosed ? diagnosisOf(log, numbers, given) : undefined
  if (metricsPath !== undefined) await writeMetrics(metricsPath, diagnosis!, filtered, io)
  for (const warning of warnings(log, given)) io.warn(warning)
  if (diagnosis === undefined || given.quiet === true) return
  if (filtered !== undefined) io.err(receiptLines(filtered, given))
  io.err(summaryLines(diagnosis.summary, log.counts, written) + diagnosisLines(diagnosis))
}
