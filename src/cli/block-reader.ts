/**
 * The bytes of a log, cut into blocks of whole lines, through workers and back into the log's reader in order.
 */
import { TaraError } from '../errors.js'
import { checkLine } from '../formats/lines.js'
import type { LogReader } from '../formats/log-types.js'
import { copyOf } from '../reward/bytes.js'
import { type ScoredBlock, unpackBlock } from './block.js'
import type { Workers } from './workers.js'

export interface BlockReader {
  /** Takes the next bytes, which may be used again afterwards. */
  push(chunk: Uint8Array): Promise<void>
  /** Takes the last line and waits for all that is under way. */
  end(): Promise<void>
}

const nothing = new Uint8Array(0)

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length)
  whole.set(a)
  whole.set(b, a.length)
  return whole
}

/** Smallest piece of shared memory. */
const PIECE = 1 << 21

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
  const underWay: { readonly bytes: Uint8Array<SharedArrayBuffer>; readonly reply: Promise<ScoredBlock> }[] =
    []
  const free: SharedArrayBuffer[] = []
  let carry: Uint8Array = new Uint8Array(0)
  let lines = firstLine

  /** Shared memory of at least `length` bytes: what comes fresh from the system costs as much as it does to score it. */
  function take(length: number): Uint8Array<SharedArrayBuffer> {
    const known = free.pop()
    const buffer =
      known !== undefined && known.byteLength >= length
        ? known
        : new SharedArrayBuffer(Math.max(PIECE, length))
    return new Uint8Array(buffer, 0, length)
  }

  async function takeOne(): Promise<void> {
    const { bytes, reply } = underWay.shift()!
    const block = await reply.catch((error: unknown) => {
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
    if (bytes.buffer.byteLength === PIECE) free.push(bytes.buffer)
  }

  /** Gives two pieces to a worker, with a newline behind them where it is missing. */
  function give(a: Uint8Array, b: Uint8Array): void {
    const length = a.length + b.length
    const isWhole = b.length > 0
    const bytes = take(isWhole ? length : length + 1)
    bytes.set(a)
    bytes.set(b, a.length)
    if (!isWhole) bytes[length] = 0x0a
    const reply = workers.score({ buffer: bytes.buffer, length: bytes.length })
    reply.catch(() => {}) // told when its turn comes
    underWay.push({ bytes, reply })
  }

  return {
    async push(chunk: Uint8Array): Promise<void> {
      const end = chunk.lastIndexOf(0x0a) + 1
      if (end > 0) {
        give(carry, chunk.subarray(0, end))
        carry = copyOf(chunk, end, chunk.length)
      } else carry = joined(carry, chunk)
      while (underWay.length > workers.depth || (carry.length > maxLine && underWay.length > 0))
        await takeOne()
      checkLine(place, lines + 1, carry.length, maxLine)
    },
    async end(): Promise<void> {
      if (carry.length > 0) give(carry, nothing)
      while (underWay.length > 0) await takeOne()
    },
  }
}
