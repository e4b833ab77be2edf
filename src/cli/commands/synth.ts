/**
 * `tara synth`: environments → tasks with golden traces → rollouts to try a chain with.
 */
import { Command } from 'commander'
import type { Io } from '../io.js'

/** Makes the command. Its own commands, and the packages that they need, are loaded where it is asked for.
 * @param isAsked - whether the words of the command line name it
 */
export async function synthCommand(io: Io, isAsked: boolean): Promise<Command> {
  const command = new Command('synth')
    .description('Makes tasks with golden traces from environments of tools, and rollouts of them.')
    .addHelpText('after', '\nExample:\n  $ tara synth tasks -o tasks.jsonl')
  if (!isAsked) return command
  const [{ synthTasksCommand }, { synthRolloutsCommand }, { synthCheckCommand }] = await Promise.all([
    import('./synth-tasks.js'),
    import('./synth-rollouts.js'),
    import('./synth-check.js'),
  ])
  for (const make of [synthTasksCommand, synthRolloutsCommand, synthCheckCommand])
    command.addCommand(make(io))
  return command
}
