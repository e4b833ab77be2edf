#!/usr/bin/env node
/**
 * The command line: the only file that prints or exits.
 */
import { Console } from 'node:console'
import { fstatSync, readFileSync, writeSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { Command, CommanderError } from 'commander'
import { TaraError } from '../errors.js'
import { advantagesCommand } from './commands/advantages.js'
import { compareCommand } from './commands/compare.js'
import { demoCommand } from './commands/demo.js'
import { estimatorsCommand } from './commands/estimators.js'
import { explainCommand } from './commands/explain.js'
import { reportCommand } from './commands/report.js'
import { synthCommand } from './commands/synth.js'
import { exitCode, fileError, systemCode, UsageError } from './failure.js'
import { inFlags } from './flag-names.js'
import type { Io } from './io.js'
import { printable } from './printable.js'

// What a log leaves behind is small beside the text that passes through: collect before the heap has doubled.
setFlagsFromString('--heap-growing-percent=20')

const undo = new Set<() => void>()

const waiting = new Set<string>()

let isStopping = false

function stop(code: number): never {
  isStopping = true
  for (const work of undo) work()
  process.exit(code)
}

/** Ends on a signal. A thread that waits for a pipe would keep `process.exit` waiting too: then the signal itself ends
 * the run, which a shell reports as the same code.
 */
function interrupt(signal: NodeJS.Signals, code: number): void {
  if (waiting.size === 0) stop(code)
  for (const work of undo) work()
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Writes to a stdout that is a file: all of it, as `process.stdout` would not notice that a full disk took a part. */
async function outToFile(data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at)
}

function outToStream(data: string | Uint8Array): Promise<void> {
  return new Promise((done, refuse) => {
    process.stdout.write(data, (error) => (error ? refuse(error) : done()))
  })
}

const io: Io = {
  out: fstatSync(1).isFile() ? outToFile : outToStream,
  err: (text) => {
    process.stderr.write(text)
  },
  warn: (text) => {
    process.stderr.write(`warning: ${printable(text)}\n`)
  },
  keepStdoutForData: () => {
    Object.assign(console, new Console({ stdout: process.stderr, stderr: process.stderr }))
  },
  isTerminal: process.stderr.isTTY === true,
  undo,
  waiting,
  now: () => performance.now(),
}

function version(): string {
  return (
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  ).version
}

/** The command that runs. */
let current: Command | undefined

async function program(): Promise<Command> {
  const main = new Command('tara')
    .description('Turn-aware relative advantage for agents that use tools over many turns.')
    .version(version())
    .addHelpText(
      'after',
      '\nExample:\n  $ tara advantages rollouts.jsonl -o advantages.jsonl\n\nExit codes: 0 done, 1 bad data, 2 wrong usage or unreadable file, 130 interrupted.',
    )
  main.hook('preAction', (_, command) => {
    current = command
  })
  const commands = [
    advantagesCommand,
    explainCommand,
    compareCommand,
    reportCommand,
    estimatorsCommand,
    demoCommand,
  ]
  for (const make of commands) main.addCommand(make(io))
  main.addCommand(await synthCommand(io, process.argv.includes('synth')))
  for (const command of [main, ...main.commands, ...main.commands.flatMap(({ commands }) => commands)])
    command.exitOverride().showHelpAfterError('(--help shows all options)')
  return main
}

/** Says what went wrong and ends with its code. */
function report(error: unknown): never {
  if (error instanceof CommanderError) return stop(error.exitCode === 0 ? 0 : exitCode.usage)
  if (systemCode(error) === 'EPIPE') return stop(0) // the reader has seen enough
  const known = systemCode(error) === undefined ? error : fileError('write', 'stdout', error)
  if (known instanceof TaraError || known instanceof UsageError) {
    const { message } = known instanceof TaraError && current !== undefined ? inFlags(known, current) : known
    io.err(`tara: ${printable(message)}\n`)
    return stop(known instanceof TaraError && known.code !== 'OPTION' ? exitCode.badData : exitCode.usage)
  }
  io.err(`tara: this is a fault of tara itself\n${error instanceof Error ? error.stack : String(error)}\n`)
  return stop(exitCode.badData)
}

/** An error that comes when nobody waits for it, as of a timer that a handler left behind. */
function reportUncaught(error: unknown): never {
  if (systemCode(error) === 'EPIPE') return stop(0)
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  io.err(`tara: an error outside of the run, of a module that was loaded or of tara itself\n${text}\n`)
  return stop(exitCode.badData)
}

/** Somebody else ended the run, as a module that calls `process.exit`: that is no success, whatever the code. */
function endUnfinished(why: string): void {
  if (isStopping) return
  isStopping = true
  for (const work of undo) work()
  io.err(`tara: ended before it was done: ${why}\n`)
  process.exitCode = exitCode.badData
}

process.on('uncaughtException', reportUncaught)
process.on('unhandledRejection', reportUncaught)
process.on('beforeExit', () => endUnfinished('what it waits for can never come'))
process.on('exit', () => endUnfinished('a module that was loaded ended the process'))
process.on('SIGHUP', (signal) => interrupt(signal, exitCode.hungUp))
process.on('SIGINT', (signal) => interrupt(signal, exitCode.interrupted))
process.on('SIGTERM', (signal) => interrupt(signal, exitCode.terminated))
process.on('SIGXFSZ', () => {}) // the write then fails, and says so
process.stdout.on('error', report)
process.stderr.on('error', () => {}) // nobody listens there; the exit code still tells

program()
  .then((main) => main.parseAsync())
  .then(() => stop(0), report)
