/**
 * A worker thread: takes blocks of whole lines, gives them back with their scores.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { lineScorer } from '../formats/line-scorer.js'
import { isBlank } from '../formats/lines.js'
import { type BlockLine, packBlock, type ScoredBlock } from './block.js'
import type { Setup, SharedLines } from './workers.js'

const { options, tasks, from, functions } = workerData as Setup

// What reads golden traces of every format is loaded where there are some: threads start anew in each run.
const { goldenTable } = tasks ? await import('../formats/golden-table.js') : {}
const table = goldenTable?.(() => {}, { turns: options.turns, from, functions })
for (const { text, place } of tasks ?? []) table?.addLine(text, place)

const score = lineScorer({ ...options, golden: table })

/** Scores a block of whole lines, the last with its newline. A `Buffer` finds them many times faster. */
function scoreBlock(bytes: Buffer): ScoredBlock {
  const lines: BlockLine[] = []
  let line = 0
  let start = 0
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
    line++
    if (!isBlank(bytes, start, end)) lines.push({ start, end, line, scored: score(bytes, start, end) })
    start = end + 1
  }
  return packBlock(line, lines)
}

parentPort?.on('message', ({ buffer, length }: SharedLines) => {
  const block = scoreBlock(Buffer.from(buffer, 0, length))
  const moved = [block.facts.buffer, block.reward.buffer, block.reached.buffer] as ArrayBuffer[]
  parentPort?.postMessage(block, moved)
})
