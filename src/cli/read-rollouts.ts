/**
 * The bytes of a log → its reader, on this thread or with workers that score the lines. Both give the same.
 */
import { availableParallelism } from 'node:os'
import { lineSplitter } from '../formats/lines.js'
import { rolloutLog } from '../formats/log.js'
import { type LogOptions, logDefaults } from '../formats/log-options.js'
import type { RolloutLog } from '../formats/log-types.js'
import { copyOf } from '../reward/bytes.js'
import { type BlockReader, blockReader } from './block-reader.js'
import { linesOrDocument } from './gather.js'
import { type Input, textChunks } from './input.js'
import type { Io } from './io.js'
import { progress } from './progress.js'
import { startWorkers, type TaskLine, type Workers } from './workers.js'

/** A smaller file is read before workers have started. */
const LARGE = 32e6

/** More workers than this wait for the thread that reads. */
const MOST = 8

export interface WorkerOptions {
  /** 1: this thread alone. */
  readonly workers: number
  readonly tasks: readonly TaskLine[] | undefined
}

/** How many workers a log is worth.
 * @param asked - what the user says
 */
export function numWorkers(
  input: Input,
  { keep, tokenize, from = 'openai' }: Partial<LogOptions>,
  asked?: number,
): number {
  if (keep !== undefined || tokenize !== undefined || from !== 'openai') return 1 // they would find nothing to do
  return asked ?? ((input.size ?? 0) >= LARGE ? Math.min(availableParallelism(), MOST) : 1)
}

/** Reads a log.
 * @throws TaraError with file, line and path; `WORKER` where a worker died
 */
export async function readRollouts(
  input: Input,
  maxLine: number,
  options: Partial<LogOptions>,
  { workers: count, tasks }: WorkerOptions,
  io: Io,
): Promise<RolloutLog> {
  const log = rolloutLog(input.name, options)
  const texts = linesOrDocument(input.name, maxLine, log)
  const splitter = lineSplitter(input.name, maxLine, texts.addLine)
  const shown = progress(io, input)
  let workers: Workers | undefined
  let blocks: BlockReader | undefined
  let rest: Uint8Array | undefined // behind the last newline; a first line was read here
  try {
    for await (const chunk of textChunks(input, shown.bytes)) {
      if (rest !== undefined && count > 1 && !texts.isDocument()) {
        workers = startWorkers(count, setupOf(options, tasks))
        blocks = blockReader(log, input.name, splitter.end(), maxLine, workers)
        await blocks.push(rest)
      } else if (rest !== undefined) splitter.push(rest)
      rest = undefined
      if (blocks !== undefined) {
        await blocks.push(chunk)
        continue
      }
      const end = chunk.lastIndexOf(0x0a) + 1
      splitter.push(chunk.subarray(0, end))
      if (end > 0) rest = copyOf(chunk, end, chunk.length)
      else splitter.push(chunk)
    }
    if (rest !== undefined) splitter.push(rest)
    if (blocks === undefined) splitter.end()
    else await blocks.end()
  } finally {
    shown.done()
    await workers?.close()
  }
  texts.end()
  return log.finish()
}

function setupOf(options: Partial<LogOptions>, tasks: readonly TaskLine[] | undefined) {
  const { policy, partial, exactOnly, turns, shifted, from, functions } = { ...logDefaults, ...options }
  return { options: { policy, partial, exactOnly, turns, shifted }, tasks, from, functions }
}
