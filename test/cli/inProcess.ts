/**
 * A command in this process: as quick as a function call, for the many small cases.
 */
import { CommanderError } from 'commander'
import { advantagesCommand } from '../../src/cli/commands/advantages.js'
import { explainCommand } from '../../src/cli/commands/explain.js'
import { UsageError } from '../../src/cli/failure.js'
import type { Io } from '../../src/cli/io.js'
import { TaraError } from '../../src/errors.js'

export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  /** `usage` or `data`: which exit code it would be; undefined where the command went well. */
  readonly fault: 'usage' | 'data' | undefined
  readonly message: string
}

const commands = { advantages: advantagesCommand, explain: explainCommand }

/** Runs a command.
 * @param args - the name of the command and its words
 */
export async function inProcess(name: keyof typeof commands, ...args: readonly string[]): Promise<Outcome> {
  let stdout = ''
  let stderr = ''
  const io: Io = {
    out: async (data) => {
      stdout += String(data)
    },
    err: (text) => {
      stderr += text
    },
    warn: (text) => {
      stderr += `warning: ${text}\n`
    },
    keepStdoutForData: () => {},
    isTerminal: false,
    undo: new Set(),
    waiting: new Set(),
    now: () => 0,
  }
  const command = commands[name](io)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
  try {
    await command.parseAsync([...args], { from: 'user' })
    return { stdout, stderr, fault: undefined, message: '' }
  } catch (error) {
    const isUsage =
      error instanceof UsageError ||
      error instanceof CommanderError ||
      (error instanceof TaraError && error.code === 'OPTION')
    if (!isUsage && !(error instanceof TaraError)) throw error
    return { stdout, stderr, fault: isUsage ? 'usage' : 'data', message: error.message }
  }
}
