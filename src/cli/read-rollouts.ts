/**
 * The bytes of a log → its reader, on this thread or with workers that score the lines. Both give the same.
 */
import { availableParallelism } from 'node:os'
import { TaraError } from '../errors.js'
import { checkLine, lineSplitter } from '../formats/lines.js'
import { rolloutLog } from '../formats/log.js'
import { type LogOptions, logDefaults } from '../formats/log-options.js'
import type { LogReader, RolloutLog } from '../formats/log-types.js'
import { unpackBlock } from './block.js'
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
  readonly workers: number | undefined
  readonly tasks: readonly TaskLine[] | undefined
}

/** How many workers a log is worth. */
function numWorkers(
  input: Input,
  { keep, tokenize, from = 'openai' }: Partial<LogOptions>,
  asked?: number,
): number {
  if (keep !== undefined || tokenize !== undefined || from !== 'openai') return 1 // they would find nothing to do
  return asked ?? ((input.size ?? 0) >= LARGE ? Math.min(availableParallelism(), MOST) : 1)
}

/** Two pieces in a buffer of their own, with a newline behind them where one is asked for. */
function joined(a: Uint8Array, b: Uint8Array, newline: boolean): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(a.length + b.length + (newline ? 1 : 0))
  whole.set(a)
  whole.set(b, a.length)
  if (newline) whole[whole.length - 1] = 0x0a
  return whole
}

/** Gives whole lines to workers and takes them back in order. */
function blockReader(log: LogReader, place: string, firstLine: number, maxLine: number, workers: Workers) {
  const underWay: ReturnType<Workers['score']>[] = []
  let carry: Uint8Array = new Uint8Array(0)
  let lines = firstLine

  async function takeOne(): Promise<void> {
    const { bytes, block } = await underWay.shift()!.catch((error: unknown) => {
      throw new TaraError(
        'WORKER',
        `${place}:${lines + 1}`,
        `expected a worker that reads the lines from here on, got one that ended: ${(error as Error).message}`,
      )
    })
    unpackBlock(block, ({ start, end, line, scored }) => {
      checkLine(place, lines + line, end - start, maxLine)
      log.addScored(bytes, start, end, lines + line, scored)
    })
    lines += block.numLines
  }

  function give(bytes: Uint8Array<ArrayBuffer>): void {
    const reply = workers.score(bytes)
    reply.catch(() => {}) // told when its turn comes
    underWay.push(reply)
  }

  return {
    async push(chunk: Uint8Array): Promise<void> {
      const end = chunk.lastIndexOf(0x0a) + 1
      if (end > 0) {
        give(joined(carry, chunk.subarray(0, end), false))
        carry = chunk.slice(end)
      } else carry = joined(carry, chunk, false)
      while (underWay.length > workers.depth || (carry.length > maxLine && underWay.length > 0))
        await takeOne()
      checkLine(place, lines + 1, carry.length, maxLine)
    },
    async end(): Promise<void> {
      if (carry.length > 0) give(joined(carry, new Uint8Array(0), true))
      while (underWay.length > 0) await takeOne()
    },
  }
}

/** Reads a log.
 * @throws TaraError with file, line and path; `WORKER` where a worker died
 */
export async function readRollouts(
  input: Input,
  maxLine: number,
  options: Partial<LogOptions>,
  { workers: asked, tasks }: WorkerOptions,
  io: Io,
): Promise<RolloutLog> {
  const count = numWorkers(input, options, asked)
  const log = rolloutLog(input.name, options)
  const texts = linesOrDocument(input.name, maxLine, log)
  const splitter = lineSplitter(input.name, maxLine, texts.addLine)
  const shown = progress(io, input)
  let workers: Workers | undefined
  let blocks: ReturnType<typeof blockReader> | undefined
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
      if (end > 0) rest = chunk.slice(end)
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
