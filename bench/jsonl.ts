/**
 * A log of tool calls → advantages, one thread, against parsing the same lines and throwing them away.
 */
import { tara } from 'tara-rl'
import { type LogReader, lineSplitter, MAX_LINE, type RolloutLog, rolloutLog } from 'tara-rl/formats'
import { makeLog } from './make-log.js'
import { check, compare } from './measure.js'
import { compared, type Result } from './result.js'

const CHUNK = 1 << 20

/** In Node, though not in its types. */
export type Utf8Buffer = Buffer & { utf8Slice(start: number, end: number): string }

/** Stays alive while the next log is read: where nothing of a shape is alive, compiled code that knows it is dropped with
 * the garbage, and a program that reads a log does not do that in between. */
let latest: LogReader

function readLog(bytes: Buffer): RolloutLog {
  const log = rolloutLog('bench.jsonl')
  const lines = lineSplitter('bench.jsonl', MAX_LINE, log.addBytes)
  for (let start = 0; start < bytes.length; start += CHUNK) lines.push(bytes.subarray(start, start + CHUNK))
  lines.end()
  latest = log
  return latest.finish()
}

/** The limit: every line through `JSON.parse`, nothing else. */
export function parseOnly(bytes: Utf8Buffer): number {
  let records = 0
  let start = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    const record: unknown = JSON.parse(bytes.utf8Slice(start, end))
    if (record !== null) records++
    start = end + 1
  }
  return records
}

/** A log and what its rewards must be; nothing else of how it was made stays in memory. */
export function logInMemory(isQuick: boolean): {
  megabytes: number
  bytes: Utf8Buffer
  numRollouts: number
  expected: Float64Array
} {
  const megabytes = isQuick ? 16 : 128
  const whole = Buffer.alloc((megabytes + 2) * 1e6)
  let length = 0
  const rewards = makeLog(megabytes * 1e6, 11, (block) => {
    length += whole.write(block, length, 'latin1')
  })
  const bytes = whole.subarray(0, length) as Utf8Buffer
  return { megabytes, bytes, numRollouts: rewards.length, expected: Float64Array.from(rewards.flat()) }
}

export function jsonl(isQuick: boolean): Result[] {
  const { megabytes, bytes, numRollouts, expected } = logInMemory(isQuick)
  const { batch } = readLog(bytes)
  check(parseOnly(bytes) === numRollouts, 'the number of lines')
  check(
    batch.reward.length === expected.length && expected.every((reward, j) => reward === batch.reward[j]),
    'rewards of the log',
  )
  const timing = compare(
    () => tara(readLog(bytes).batch),
    () => parseOnly(bytes),
    isQuick ? 5 : 7,
  )
  const speed = (milliseconds: number): string => `${(bytes.length / 1e3 / milliseconds).toFixed(0)} MB/s`
  const size = `${megabytes} MB, ${numRollouts} rollouts`
  return [
    compared(
      'JSONL with matching, one thread',
      size,
      timing,
      'JSON.parse(utf8Slice)',
      { must: 1.25, aim: 1.1 },
      speed,
    ),
  ]
}
