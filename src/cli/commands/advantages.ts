/**
 * `tara advantages IN`: a log of rollouts in, one line of advantages a rollout out.
 */
import { Command, Option } from 'commander'
import { taraParts } from '../../advantage/tara.js'
import { turnBatch } from '../../batch/build.js'
import type { TurnBatch } from '../../batch/layout.js'
import type { TruncatedRule } from '../../batch/votes.js'
import { summarize } from '../../diagnose/summary.js'
import { tokenSpans } from '../../tokens/spans.js'
import { addFlags, estimatorFlags, type Given, policyFlags, readFlags } from '../flags.js'
import { checkGateOf } from '../gate.js'
import type { Io } from '../io.js'
import { checkOutput, writeOutput } from '../output.js'
import { openInputs, readLog } from '../read.js'
import { type TurnNumbers, writeRows } from '../rows.js'
import { type EstimatorName, estimators, readSettings, taraSettings } from '../settings.js'
import { summaryLines } from '../summary.js'

export function advantagesCommand(io: Io): Command {
  const command = new Command('advantages')
    .description('Turns a log of rollouts into advantages per turn and, with --tokens, per token.')
    .argument('<in>', 'JSONL of rollouts, plain or gzip; - for stdin')
    .option('-o, --output <file>', 'where to write; - for stdout (default: -)')
    .option('--tokens', 'write token_advantages and loss_mask from the spans in the records')
    .addOption(
      new Option('--estimator <name>', 'what computes the advantage (default: tara)').choices(
        Object.keys(estimators),
      ),
    )
    .option('-q, --quiet', 'no summary on stderr')
  addFlags(command, 'Estimator', estimatorFlags)
  addFlags(command, 'Matching', policyFlags)
  addFlags(command, 'Reading', readFlags)
  return command
    .addHelpText('after', '\nExample:\n  $ tara advantages rollouts.jsonl --tokens -o advantages.jsonl')
    .action((path: string, given: Given) => advantages(path, given, io))
}

function compute(batch: TurnBatch, given: Given): TurnNumbers {
  const name = (given.estimator ?? 'tara') as EstimatorName
  return name === 'tara'
    ? taraParts(batch, taraSettings(given))
    : { advantage: estimators[name](given)(batch) }
}

async function advantages(path: string, given: Given, io: Io): Promise<void> {
  const output = given.output as string | undefined
  const settings = readSettings(given)
  const truncated = (given.truncated ?? 'fail') as TruncatedRule
  compute(turnBatch([]), given) // refuses a wrong option before a long read
  const inputs = await openInputs(path, given.golden as string | undefined, io)
  await checkOutput(
    output,
    [inputs.log, ...(inputs.golden ? [inputs.golden] : [])],
    given.defaults as string | undefined,
  )
  const log = await readLog(inputs, { ...settings, tokens: given.tokens === true }, io)
  if (given.estimator === undefined || given.estimator === 'tara') checkGateOf(log, given.gate)
  const numbers = compute(log.batch, given)
  const spans =
    log.tokens && tokenSpans(log.batch, log.tokens, { truncated, place: (i) => `${log.placeOf(i)}: tokens` })
  await writeOutput(output, io, (write) => writeRows(log, numbers, spans, write))
  for (const warning of log.warnings) io.warn(warning)
  if (given.quiet === true) return
  const unreached = given.unreached as 'zero' | 'exclude' | undefined
  io.err(summaryLines(summarize(log.batch, numbers.advantage, { unreached, truncated }), log.counts, spans))
}
