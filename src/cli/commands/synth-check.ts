/**
 * `tara synth check [DIR]`: tests the tools of environments and says which environments are fit.
 */
import { Command, Option } from 'commander'
import { fail } from '../../errors.js'
import { checkDefaults, checkEnvironment } from '../../synth/check.js'
import { type EnvironmentReport, reportText } from '../../synth/check-report.js'
import type { Given } from '../flag.js'
import { aNumber, aWholeNumber } from '../flag-values.js'
import type { Io } from '../io.js'
import { printable } from '../printable.js'
import { sourcesOf } from '../synth-sources.js'

export function synthCheckCommand(io: Io): Command {
  return new Command('check')
    .description(
      'Tests each tool of the environments with calls made from its schema; exit code 1 if one is not fit.',
    )
    .argument('[dir]', 'folder of environments; those that come with the library if not given')
    .addOption(
      new Option(
        '--seed <number>',
        `which calls are tried follows from it (default: ${checkDefaults.seed})`,
      ).argParser(aWholeNumber),
    )
    .addOption(
      new Option(
        '--timeout <ms>',
        `how long a call may take, in milliseconds (default: ${checkDefaults.timeout})`,
      ).argParser(aNumber),
    )
    .option('--json', 'write JSON, one environment a line')
    .addHelpText('after', '\nExample:\n  $ tara synth check environments')
    .action((folder: string | undefined, given: Given) => synthCheck(folder, given, io))
}

/** The report, line by line safe for a terminal. */
function textOf(report: EnvironmentReport): string {
  return reportText(report)
    .split('\n')
    .map((line) => printable(line))
    .join('\n')
}

async function synthCheck(folder: string | undefined, given: Given, io: Io): Promise<void> {
  const { seed = checkDefaults.seed, timeout = checkDefaults.timeout } = given as {
    readonly seed?: number
    readonly timeout?: number
  }
  const sources = await sourcesOf(folder, io)
  let fit = 0
  for (const source of sources) {
    const report = await checkEnvironment(source, { seed, timeout })
    if (report.isFit) fit++
    await io.out(given.json === true ? `${JSON.stringify(report)}\n` : textOf(report))
  }
  if (given.json !== true) await io.out(`${fit} of ${sources.length} environments are fit\n`)
  if (fit < sources.length)
    fail('MISMATCH', 'synth check', 'environments that are all fit', `${sources.length - fit} that are not`)
}
