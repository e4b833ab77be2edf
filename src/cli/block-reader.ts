/**
 * The bytes of a log, cut into blocks of whole lines, through workers and back into the log's reader in order.
 */
import { TaraError } from '../errors.js'
import { checkLine } from '../formats/lines.js'
import type { LogReader } from '../formats/log-types.js'
import { unpackBlock } from './block.js'
import type { Workers } from './workers.js'

export interface BlockReader {
  /** Takes the next bytes, which may be used again afterwards. */
  push(chunk: Uint8Array): Promise<void>
  /** Takes the last line and waits for all that is under way. */
  end(): Promise<void>
}

/** Two pieces in a buffer of their own, with a newline behind them where one is asked for. */
function joined(a: Uint8Array, b: Uint8Array, newline: boolean): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(a.length + b.length + (newline ? 1 : 0))
  whole.set(a)
  whole.set(b, a.length)
  if (newline) whole[whole.length - 1] = 0x0a
  return whole
}

/** Gives whole lines to workers and takes them back in order.
 * @param place - names the log in errors
 * @param firstLine - lines that were read before
 * @param maxLine - cap of one line in bytes
 * @throws TaraError (from its methods) what the log's reader throws, and `WORKER` where a worker died
 */
export function blockReader(
  log: LogReader,
  place: string,
  firstLine: number,
  maxLine: number,
  workers: Workers,
): BlockReader {
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
