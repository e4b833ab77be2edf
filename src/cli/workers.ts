/**
 * Worker threads that score blocks of a log; the blocks come back in the order in which they were given.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { TaraError } from '../errors.js'
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

interface Reply {
  readonly buffer: ArrayBuffer
  readonly block: ScoredBlock
}

export interface Workers {
  /** Gives a block to the next worker. Resolves in the order of the calls when the block is scored.
   * @param bytes - whole lines, from the start of their buffer; the buffer moves to the worker and back
   * @throws TaraError `WORKER` where the worker died
   */
  score(bytes: Uint8Array<ArrayBuffer>): Promise<{ readonly bytes: Uint8Array; readonly block: ScoredBlock }>
  /** Blocks that may be under way before giving more only costs memory. */
  readonly depth: number
  close(): Promise<void>
}

/** Starts workers.
 * @param place - names the log in errors
 */
export function startWorkers(count: number, place: string, setup: Setup): Workers {
  const threads = Array.from(
    { length: count },
    () => new Worker(new URL('./worker.js', import.meta.url), { workerData: setup }),
  )
  const last: Promise<unknown>[] = threads.map(() => Promise.resolve())
  let next = 0

  async function ask(thread: Worker, bytes: Uint8Array<ArrayBuffer>): Promise<Reply> {
    const stop = new AbortController()
    const { signal } = stop
    try {
      thread.postMessage(bytes.buffer, [bytes.buffer])
      const died = async (): Promise<never> => {
        const [code] = (await once(thread, 'exit', { signal })) as [number]
        throw new TaraError(
          'WORKER',
          place,
          `expected a worker that lives, got one that ended with code ${code}`,
        )
      }
      const [reply] = (await Promise.race([once(thread, 'message', { signal }), died()])) as [Reply]
      return reply
    } catch (error) {
      if (error instanceof TaraError) throw error
      throw new TaraError('WORKER', place, `expected a worker that lives, got: ${(error as Error).message}`)
    } finally {
      stop.abort()
    }
  }

  return {
    depth: 2 * count,
    score(bytes) {
      const w = next++ % count
      const reply = last[w]!.then(() => ask(threads[w]!, bytes))
      last[w] = reply.catch(() => {})
      return reply.then(({ buffer, block }) => ({ bytes: new Uint8Array(buffer), block }))
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.terminate()))
    },
  }
}
