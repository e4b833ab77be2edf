/**
 * `tara synth tasks [DIR]`: environments in, one task with its golden trace a line out.
 */
import { Command, Option } from 'commander'
import { fail } from '../../errors.js'
import { chatJudge } from '../../synth/chat-judge.js'
import { chatWriter } from '../../synth/chat-writer.js'
import { type GenerateOptions, generateDefaults, generateTasks } from '../../synth/generate.js'
import { statsCounter } from '../../synth/stats.js'
import { addFlags, type Flag, type Given, pick } from '../flag.js'
import { aWholeNumber } from '../flag-values.js'
import type { Io } from '../io.js'
import { checkOutput, writeOutput } from '../output.js'
import { aCountFromOne, agentOf, anAgentOrNone, endpointFlags, endpointOf } from '../synth-flags.js'
import { sourcesOf } from '../synth-sources.js'
import { eventCounter, statsLines, taskSummary } from '../synth-summary.js'
import { tally } from '../tally.js'

const AGENT = 'scripted:1'

const count = (name: keyof GenerateOptions & string, text: string): Flag => ({
  name,
  value: '<number>',
  text,
  shown: generateDefaults[name],
  parse: aCountFromOne,
})

const samplingFlags: readonly Flag[] = [
  count('graphs', 'graphs of each environment'),
  count('tasksPerGraph', 'tasks tried from each graph'),
  count('keep', 'most tasks of an environment'),
  count('stageSize', 'most calls of a turn'),
  count('maxStages', 'most turns of a task; else a task goes through all tools of its graph'),
  { name: 'commuting', text: 'leave out tasks with a turn whose calls depend on their order' },
]

const roleFlags: readonly Flag[] = [
  {
    name: 'judge',
    value: '<name>',
    text: 'who says which tool depends on which: the schemas, or a model',
    shown: 'schema',
    choices: ['schema', 'chat'],
  },
  {
    name: 'writer',
    value: '<name>',
    text: 'who writes what the user says: a template, or a model',
    shown: 'template',
    choices: ['template', 'chat'],
  },
  {
    name: 'agent',
    value: '<name>',
    text: 'who tries the tasks: scripted:SKILL, chat for a model, or none',
    shown: AGENT,
    parse: anAgentOrNone,
  },
]

export function synthTasksCommand(io: Io): Command {
  const command = new Command('tasks')
    .description('Makes tasks of several turns with golden traces that replay, from environments of tools.')
    .argument('[dir]', 'folder of environments; those that come with the library if not given')
    .option('-o, --output <file>', 'where to write; - for stdout (default: -)')
    .addOption(
      new Option(
        '--seed <number>',
        `the same seed gives the same tasks (default: ${generateDefaults.seed})`,
      ).argParser(aWholeNumber),
    )
    .addOption(
      new Option(
        '-k, --attempts <number>',
        `attempts of the agent; a task stays if one is right in every turn (default: ${generateDefaults.attempts})`,
      ).argParser(aCountFromOne),
    )
    .option('--stats', 'also counts and histograms of the tasks on stderr')
    .option('-q, --quiet', 'no summary on stderr')
  addFlags(command, 'Sampling', samplingFlags)
  addFlags(command, 'Roles', roleFlags)
  addFlags(command, 'Endpoint', endpointFlags)
  return command
    .addHelpText('after', '\nExample:\n  $ tara synth tasks environments --seed 7 -o tasks.jsonl')
    .action((folder: string | undefined, given: Given) => synthTasks(folder, given, io))
}

function optionsOf(given: Given): Partial<GenerateOptions> {
  const seed = (given.seed as number | undefined) ?? generateDefaults.seed
  const endpoint = endpointOf(given)
  const agent = (given.agent as string | undefined) ?? AGENT
  return {
    ...(pick(given, samplingFlags) as Partial<GenerateOptions>),
    seed,
    ...(given.attempts !== undefined && { attempts: given.attempts as number }),
    ...(given.judge === 'chat' && { judge: chatJudge(endpoint()) }),
    ...(given.writer === 'chat' && { writer: chatWriter(endpoint()) }),
    ...(agent !== 'none' && { agent: agentOf(agent, seed, endpoint) }),
  }
}

async function synthTasks(folder: string | undefined, given: Given, io: Io): Promise<void> {
  const output = given.output as string | undefined
  const options = optionsOf(given)
  await checkOutput(output, [])
  const sources = await sourcesOf(folder, io)
  const counter = statsCounter()
  for (const source of sources) counter.addEnvironment(source)
  const events = eventCounter()
  const shown = tally(io)
  let numTasks = 0
  const onEvent: GenerateOptions['onEvent'] = (event) => {
    events.add(event)
    shown.count(`${event.environment}: tasks ${numTasks}`)
  }
  try {
    await writeOutput(output, io, async (write) => {
      for await (const task of generateTasks(sources, { ...options, onEvent })) {
        numTasks++
        counter.addTask(task)
        await write(`${JSON.stringify(task)}\n`)
      }
      if (numTasks === 0) fail('EMPTY', 'synth tasks', 'a task', `none: ${events.reasons()}`)
    })
  } finally {
    shown.done()
  }
  const stats = counter.stats()
  if (given.quiet !== true) io.err(taskSummary(stats, events.counts()))
  if (given.stats === true) io.err(statsLines(stats))
}
