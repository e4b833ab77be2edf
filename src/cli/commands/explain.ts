/**
 * `tara explain IN --group --rollout --turn`: one turn of one rollout, from its calls to its advantage.
 */
import { Command, Option } from 'commander'
import { taraDefaults } from '../../advantage/options.js'
import { numGroups, type TurnBatch } from '../../batch/layout.js'
import { explainTurn } from '../../diagnose/explain.js'
import type { RolloutKey } from '../../formats/assemble.js'
import type { KeptRollout, RolloutLog } from '../../formats/log-types.js'
import type { Id } from '../../formats/record.js'
import { estimatorFlags } from '../estimator-flags.js'
import {
  type Explanation,
  explanationJson,
  explanationText,
  type TurnCalls,
  turnCalls,
} from '../explanation.js'
import { UsageError } from '../failure.js'
import { addFlags, type Given } from '../flag.js'
import { aWholeNumber } from '../flag-values.js'
import { creditFlags, policyFlags, readFlags } from '../flags.js'
import { checkGateOf } from '../gate.js'
import type { Io } from '../io.js'
import { openInputs, readLog } from '../read.js'
import { readSettings, taraSettings } from '../settings.js'

export function explainCommand(io: Io): Command {
  const command = new Command('explain')
    .description('Shows how one turn of one rollout came to its advantage.')
    .argument('<in>', 'JSONL of rollouts, plain or gzip; - for stdin')
    .requiredOption('--group <id>', 'the group')
    .requiredOption('--rollout <id>', 'the rollout')
    .addOption(
      new Option('--turn <index>', 'the turn, counted from 0').argParser(aWholeNumber).makeOptionMandatory(),
    )
    .option('--role <name>', 'the role, where a group has several')
    .option('--json', 'write JSON')
  addFlags(
    command,
    'Estimator',
    estimatorFlags.filter(({ name }) => Object.hasOwn(taraDefaults, name)),
  )
  addFlags(command, 'Matching', [...policyFlags, ...creditFlags])
  addFlags(command, 'Reading', readFlags)
  return command
    .addHelpText('after', '\nExample:\n  $ tara explain rollouts.jsonl --group task-17 --rollout 0 --turn 2')
    .action((path: string, given: Given) => explain(path, given, io))
}

function groupOf(batch: TurnBatch, rollout: number): number {
  let g = 0
  while (g < numGroups(batch) && batch.groupPtr[g + 1]! <= rollout) g++
  return g
}

/** Whether a flag names an id: as it is, or as JSON, which tells the text "5" from the number. */
const isNamed = (id: Id, given: unknown): boolean => String(id) === given || JSON.stringify(id) === given

/** How many ids of a key are numbers: of 5 and "5", `--group 5` means the number. */
const numNumbers = ({ group, rollout }: RolloutKey): number =>
  [group, rollout].filter((id) => typeof id === 'number').length

/** Index of the rollout that the flags name.
 * @throws UsageError where there is none, or several
 */
function find(log: RolloutLog, isWanted: (key: RolloutKey) => boolean, given: Given): number {
  const all = log.keys.flatMap((key, i) => (isWanted(key) ? [i] : []))
  const most = Math.max(...all.map((i) => numNumbers(log.keys[i]!)))
  const found = all.filter((i) => numNumbers(log.keys[i]!) === most)
  if (found.length === 1) return found[0]!
  const named = `group ${String(given.group)}, rollout ${String(given.rollout)}`
  if (found.length === 0) throw new UsageError(`${named}: not in the log`)
  const roles = found.map((i) => log.keys[i]!.role ?? 'none, which is ""').join('; ')
  throw new UsageError(`${named}: in ${found.length} roles (${roles}); choose one with --role`)
}

async function explain(path: string, given: Given, io: Io): Promise<void> {
  const isWanted = ({ group, rollout, role }: RolloutKey): boolean =>
    isNamed(group, given.group) &&
    isNamed(rollout, given.rollout) &&
    (given.role === undefined || (role ?? '') === given.role)
  const options = taraSettings(given)
  const settings = readSettings(given)
  const inputs = await openInputs(path, given.golden as string | undefined, io)
  const log = await readLog(inputs, { ...settings, keep: isWanted }, io)
  for (const warning of log.warnings) io.warn(warning)

  checkGateOf(log, options.gate)

  const i = find(log, isWanted, given)
  const t = given.turn as number
  const T = log.batch.turnPtr[i + 1]! - log.batch.turnPtr[i]!
  if (t >= T)
    throw new UsageError(
      T === 0
        ? '--turn: expected a rollout with turns, got one without'
        : `--turn: expected 0 to ${T - 1}, got ${t}`,
    )
  const isChosen = ({ key }: KeptRollout): boolean =>
    key.group === log.keys[i]!.group && key.rollout === log.keys[i]!.rollout && key.role === log.keys[i]!.role
  const kept = log.kept.find(isChosen)
  const calls: TurnCalls | undefined = kept && turnCalls(kept, t)
  const explanation: Explanation = {
    key: log.keys[i]!,
    status: log.status[i]!,
    turn: t,
    reached: log.batch.reached[log.batch.turnPtr[i]! + t] === 1,
    masked: log.batch.masked?.[log.batch.turnPtr[i]! + t] === 1,
    lambda: options.lambda ?? taraDefaults.lambda,
    calls,
    numbers: explainTurn(log.batch, groupOf(log.batch, i), i, t, options),
  }
  await io.out(given.json === true ? explanationJson(explanation) : explanationText(explanation))
}
