/**
 * `tara synth`: environments → tasks with golden traces → rollouts to try a chain with.
 */
import { Command } from 'commander'
import type { Io } from '../io.js'
import { synthCheckCommand } from './synth-check.js'
import { synthRolloutsCommand } from './synth-rollouts.js'
import { synthTasksCommand } from './synth-tasks.js'

export function synthCommand(io: Io): Command {
  const command = new Command('synth')
    .description('Makes tasks with golden traces from environments of tools, and rollouts of them.')
    .addHelpText('after', '\nExample:\n  $ tara synth tasks -o tasks.jsonl')
  for (const make of [synthTasksCommand, synthRolloutsCommand, synthCheckCommand])
    command.addCommand(make(io))
  return command
}
