/**
 * Worker threads that score blocks of a log.
 */
import { Worker } from 'node:worker_threads'
import type { ScorerOptions } from '../formats/line-scorer.js'
import type { LogOptions } from '../formats/log-options.js'
import type { ScoredBlock } from './block.js'

/** A line of a file of tasks. */
export interface TaskLine {
  readonly text: string
  readonly place: string
}

/** What a worker is made with. */
export interface Setup {
  readonly options: Omit<ScorerOptions, 'golden'>
  /** The lines of a file of tasks. */
  readonly tasks: readonly TaskLine[] | undefined
  /** How tasks are read. */
  readonly from: LogOptions['from']
  readonly functions: LogOptions['functions']
}

/** Whole lines in memory that both threads see. */
export interface SharedLines {
  readonly buffer: SharedArrayBuffer
  readonly length: number
}

export interface Workers {
  /** Gives a block to the next worker. Resolves when it is scored; until then its memory must stay as it is.
   * @throws what ended the worker
   */
  score(lines: SharedLines): Promise<ScoredBlock>
  /** Blocks that may be under way before giving more only costs memory. */
  readonly depth: number
  close(): Promise<void>
}

interface Thread {
  ask(lines: SharedLines): Promise<ScoredBlock>
  end(): Promise<unknown>
}

/** One worker: what it is asked is answered in order, and refused once it has died. */
function startThread(setup: Setup): Thread {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: setup })
  const waiting: { readonly done: (block: ScoredBlock) => void; readonly refuse: (error: Error) => void }[] =
    []
  let fault: Error | undefined
  const die = (error: Error): void => {
    fault ??= error
    for (const { refuse } of waiting.splice(0)) refuse(fault)
  }
  worker.on('message', (block: ScoredBlock) => waiting.shift()?.done(block))
  worker.on('error', die)
  worker.on('exit', (code) => die(new Error(`exit code ${code}`)))
  return {
    ask: (lines) =>
      new Promise((done, refuse) => {
        if (fault !== undefined) return refuse(fault)
        waiting.push({ done, refuse })
        worker.postMessage(lines)
      }),
    end: () => worker.terminate(),
  }
}

/** Starts workers. */
export function startWorkers(count: number, setup: Setup): Workers {
  const threads = Array.from({ length: count }, () => startThread(setup))
  let next = 0
  return {
    depth: 2 * count,
    score: (lines) => threads[next++ % count]!.ask(lines),
    async close() {
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}
