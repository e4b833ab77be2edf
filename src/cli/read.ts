/**
 * A rollout log from a path, with golden traces from another where they are given.
 */

import { fail } from '../errors.js'
import { goldenTable } from '../formats/golden-table.js'
import { lineSplitter } from '../formats/lines.js'
import { type RolloutLog, rolloutLog } from '../formats/log.js'
import type { LogOptions } from '../formats/log-options.js'
import { UsageError } from './failure.js'
import { type Input, openInput, textChunks } from './input.js'
import type { Io } from './io.js'
import { progress } from './progress.js'

export interface ReadOptions extends Partial<LogOptions> {
  readonly maxLine: number
}

async function eachLine(
  input: Input,
  maxLine: number,
  io: Io,
  onLine: (text: string, line: number) => void,
): Promise<void> {
  const shown = progress(io, input)
  const lines = lineSplitter(input.name, maxLine, onLine)
  try {
    for await (const chunk of textChunks(input, shown.bytes)) lines.push(chunk)
    lines.end()
  } finally {
    shown.done()
  }
}

/** Opens the inputs of a command, the log first.
 * @throws UsageError where one cannot be read
 */
export async function openInputs(
  log: string,
  golden: string | undefined,
  io: Io,
): Promise<{ log: Input; golden: Input | undefined }> {
  if (log === '-' && golden === '-')
    throw new UsageError('stdin cannot be both the log and the golden traces')
  const opened = await openInput(log, io)
  try {
    return { log: opened, golden: golden === undefined ? undefined : await openInput(golden, io) }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Reads a whole log.
 * @throws TaraError with file, line and path; UsageError where reading fails
 */
export async function readLog(
  inputs: { readonly log: Input; readonly golden: Input | undefined },
  { maxLine, ...options }: ReadOptions,
  io: Io,
): Promise<RolloutLog> {
  if (inputs.golden === undefined) return read(inputs.log, maxLine, options, io)
  const seen = new Set<string>()
  const warnings: string[] = []
  const tasks = goldenTable((name, place) => {
    if (options.strict) fail('UNKNOWN_FIELD', name, 'a field of a task', 'a field nobody reads')
    if (!seen.has(name)) warnings.push(`${place}: field ${JSON.stringify(name)} is not read`)
    seen.add(name)
  })
  await eachLine(inputs.golden, maxLine, io, (text, line) =>
    tasks.addLine(text, `${inputs.golden!.name}:${line}`),
  )
  const log = await read(inputs.log, maxLine, { ...options, golden: tasks }, io)
  return { ...log, warnings: [...warnings, ...log.warnings] }
}

async function read(
  input: Input,
  maxLine: number,
  options: Partial<LogOptions>,
  io: Io,
): Promise<RolloutLog> {
  const log = rolloutLog(input.name, options)
  await eachLine(input, maxLine, io, log.addLine)
  return log.finish()
}
