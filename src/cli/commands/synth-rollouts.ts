/**
 * `tara synth rollouts IN`: an agent tries each task k times; one record a rollout, as `tara advantages` reads them.
 */
import { Command, Option } from 'commander'
import { fail } from '../../errors.js'
import { fromOpenAI } from '../../formats/openai.js'
import { openEnvironment } from '../../synth/environment.js'
import { traceRewards } from '../../synth/pass-at-k.js'
import { replay } from '../../synth/replay.js'
import { type RolloutRecord, rollOut } from '../../synth/rollouts.js'
import type { EnvironmentSource, Task } from '../../synth/types.js'
import { addFlags, type Given } from '../flag.js'
import { aWholeNumber } from '../flag-values.js'
import { openInput } from '../input.js'
import type { Io } from '../io.js'
import { checkOutput, writeOutput } from '../output.js'
import { aCountFromOne, agentOf, anAgent, endpointFlags, endpointOf } from '../synth-flags.js'
import { sourcesOf } from '../synth-sources.js'
import { tally } from '../tally.js'
import { readTasks } from '../tasks.js'

const defaults = { attempts: 8, agent: 'scripted:0.8', seed: 0 } as const

export function synthRolloutsCommand(io: Io): Command {
  const command = new Command('rollouts')
    .description('Lets an agent try each task several times and writes what it did as a log of rollouts.')
    .argument('<in>', 'tasks, as tara synth tasks writes them; plain or gzip; - for stdin')
    .option('-o, --output <file>', 'where to write; - for stdout (default: -)')
    .addOption(
      new Option(
        '-k, --attempts <number>',
        `rollouts of each task (default: ${defaults.attempts})`,
      ).argParser(aCountFromOne),
    )
    .addOption(
      new Option(
        '--agent <name>',
        `scripted:SKILL is right in a turn with that probability; chat is a model (default: ${defaults.agent})`,
      ).argParser(anAgent),
    )
    .addOption(
      new Option('--seed <number>', `seed of the scripted agent (default: ${defaults.seed})`).argParser(
        aWholeNumber,
      ),
    )
    .option('--environments <folder>', 'folder of the environments, where the tasks are of your own')
    .option('-q, --quiet', 'no summary on stderr')
  addFlags(command, 'Endpoint', endpointFlags)
  return command
    .addHelpText(
      'after',
      '\nExample:\n  $ tara synth rollouts tasks.jsonl -k 8 --agent scripted:0.8 -o rollouts.jsonl',
    )
    .action((path: string, given: Given) => synthRollouts(path, given, io))
}

/** What came of the rollouts so far. */
interface Counts {
  tasks: number
  rollouts: number
  solved: number
  turns: number
  right: number
}

function sourceOf(
  sources: ReadonlyMap<string, EnvironmentSource>,
  { environment }: Task,
  place: string,
): EnvironmentSource {
  const source = sources.get(environment)
  if (source !== undefined) return source
  const names = [...sources.keys()].join(', ')
  return fail('MISMATCH', `${place}: environment`, `one of ${names}`, JSON.stringify(environment))
}

/** Makes the calls of the golden trace once: an agent cannot be right where they do not work. */
async function checkGolden(task: Task, source: EnvironmentSource, place: string): Promise<void> {
  const { failures } = await replay(source, task.golden, { seed: task.seed })
  const [first] = failures
  if (first === undefined) return
  const { turn, call, name, message } = first
  fail('GOLDEN', `${place}: golden[${turn}][${call}] ${name}`, 'a call that works', message)
}

function countIn(counts: Counts, task: Task, { messages }: RolloutRecord): void {
  const rewards = traceRewards(
    task.golden,
    fromOpenAI(messages).turns.map((calls) => calls ?? []),
  )
  const right = rewards.filter((reward) => reward === 1).length
  counts.rollouts++
  counts.turns += rewards.length
  counts.right += right
  if (right === rewards.length) counts.solved++
}

async function synthRollouts(path: string, given: Given, io: Io): Promise<void> {
  const {
    attempts,
    agent: name,
    seed,
  } = { ...defaults, ...given } as {
    attempts: number
    agent: string
    seed: number
  }
  const output = given.output as string | undefined
  const agent = agentOf(name, seed, endpointOf(given))
  const sources = new Map(
    (await sourcesOf(given.environments as string | undefined, io)).map((source) => [source.name, source]),
  )
  const input = await openInput(path, io)
  await checkOutput(output, [input])
  const counts: Counts = { tasks: 0, rollouts: 0, solved: 0, turns: 0, right: 0 }
  const shown = tally(io)
  try {
    await writeOutput(output, io, async (write) => {
      for await (const { task, place } of readTasks(input)) {
        const source = sourceOf(sources, task, place)
        await checkGolden(task, source, place)
        for (let attempt = 0; attempt < attempts; attempt++) {
          const record = await rollOut(task, openEnvironment(source, { seed: task.seed }), agent, attempt)
          await write(`${JSON.stringify(record)}\n`)
          countIn(counts, task, record)
          shown.count(`tasks ${counts.tasks}, rollouts ${counts.rollouts}`)
        }
        counts.tasks++
      }
      if (counts.tasks === 0) fail('EMPTY', input.name, 'tasks', 'none')
    })
  } finally {
    shown.done()
  }
  if (given.quiet !== true) io.err(summaryOf(counts, agent.name))
}

const share = (part: number, whole: number): string =>
  whole === 0 ? `${part} of ${whole}` : `${part} of ${whole} (${((100 * part) / whole).toFixed(1)}%)`

function summaryOf({ tasks, rollouts, solved, turns, right }: Counts, agent: string): string {
  return (
    `${tasks} ${tasks === 1 ? 'task' : 'tasks'}, ${rollouts} rollouts by ${agent}\n` +
    `rollouts right in every turn: ${share(solved, rollouts)}; turns right: ${share(right, turns)}\n`
  )
}
