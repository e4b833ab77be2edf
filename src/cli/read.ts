/**
 * A rollout log from a path, with golden traces from another where they are given.
 */

import { fail } from '../errors.js'
import { type GoldenTable, goldenTable } from '../formats/golden-table.js'
import { asText, lineSplitter, type OnLine } from '../formats/lines.js'
import type { LogOptions } from '../formats/log-options.js'
import type { RolloutLog } from '../formats/log-types.js'
import { UsageError } from './failure.js'
import { linesOrDocument } from './gather.js'
import { type Input, openInput, textChunks } from './input.js'
import type { Io } from './io.js'
import { progress } from './progress.js'
import { numWorkers, readRollouts } from './read-rollouts.js'
import type { TaskLine } from './workers.js'

export interface ReadOptions extends Partial<LogOptions> {
  readonly maxLine: number
  /** Threads that score the log; undefined: as many as there are cores for a large file, else none. */
  readonly workers?: number | undefined
}

/** Passes on every line of an input that is not blank. */
export async function eachLine(input: Input, maxLine: number, io: Io, onLine: OnLine): Promise<void> {
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
  { maxLine, workers, ...options }: ReadOptions,
  io: Io,
): Promise<RolloutLog> {
  try {
    const count = numWorkers(inputs.log, options, workers)
    const tasks = inputs.golden && (await readTasks(inputs.golden, maxLine, options, count > 1, io))
    const reading = { ...options, golden: tasks?.table }
    const log = await readRollouts(inputs.log, maxLine, reading, { workers: count, tasks: tasks?.lines }, io)
    return { ...log, warnings: [...(tasks?.warnings ?? []), ...log.warnings] }
  } finally {
    for (const input of [inputs.log, inputs.golden]) void input?.close().catch(() => {}) // it may be open after a fault
  }
}

/** @param keepLines - workers read the tasks again */
async function readTasks(
  input: Input,
  maxLine: number,
  { strict = false, from, turns, functions }: Partial<LogOptions>,
  keepLines: boolean,
  io: Io,
): Promise<{
  readonly table: GoldenTable
  readonly warnings: readonly string[]
  readonly lines: TaskLine[]
}> {
  const seen = new Set<string>()
  const warnings: string[] = []
  const onUnknown = (name: string, place: string): void => {
    if (strict) fail('UNKNOWN_FIELD', name, 'a field of a task', 'a field nobody reads')
    if (!seen.has(name)) warnings.push(`${place}: field ${JSON.stringify(name)} is not read`)
    seen.add(name)
  }
  const table = goldenTable(onUnknown, { from, turns, functions })
  const lines: TaskLine[] = []
  const addLine = (text: string, line: number): void => {
    const place = line === 0 ? input.name : `${input.name}:${line}`
    table.addLine(text, place)
    if (keepLines) lines.push({ text, place })
  }
  const texts = linesOrDocument(input.name, maxLine, { addBytes: asText(input.name, addLine), addLine })
  await eachLine(input, maxLine, io, texts.addLine)
  texts.end()
  return { table, warnings, lines }
}
