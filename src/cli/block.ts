/**
 * Scored lines of one block of a log, as they pass from a worker to the reader: flat arrays and one JSON text.
 */
import type { ScoredLine } from '../formats/line-scorer.js'

/** Numbers of a line in `facts`. */
const WIDTH = 17

export interface ScoredBlock {
  /** Lines of the block, blank ones too. */
  readonly numLines: number
  /** `[lines that are not blank, WIDTH]` where the line stands and what was counted. */
  readonly facts: Float64Array
  /** The fields of each scored line, a JSON list. */
  readonly fields: string
  /** `[scored lines, T]` one row behind the other. */
  readonly reward: Float64Array
  readonly reached: Uint8Array
}

/** One line of a block, from its start. */
export interface BlockLine {
  readonly start: number
  readonly end: number
  /** Counted from 1 in the block. */
  readonly line: number
  /** Undefined where the log's reader must read the line. */
  readonly scored: ScoredLine | undefined
}

/** Packs the lines of a block. */
export function packBlock(numLines: number, lines: readonly BlockLine[]): ScoredBlock {
  const facts = new Float64Array(lines.length * WIDTH)
  const fields: unknown[] = []
  const reward: number[] = []
  const reached: number[] = []
  lines.forEach(({ start, end, line, scored }, n) => {
    const at = n * WIDTH
    facts.set([start, end, line], at)
    if (scored === undefined) return
    const { goldenStart, goldenEnd, numTurns, score, shifts } = scored
    const { surplus, surplusCalls, early, extra, malformed, tested } = score
    const counts = [surplus, surplusCalls, early, extra, malformed, tested]
    const { missedTurns, oneTurnEarly, oneTurnLate } = shifts
    facts.set([1, goldenStart, goldenEnd, numTurns, score.reward.length, ...counts], at + 3)
    facts.set([missedTurns, oneTurnEarly, oneTurnLate], at + 14)
    fields.push(scored.fields)
    for (const value of score.reward) reward.push(value)
    for (const value of score.reached) reached.push(value)
  })
  return {
    numLines,
    facts,
    fields: JSON.stringify(fields),
    reward: Float64Array.from(reward),
    reached: Uint8Array.from(reached),
  }
}

/** Hands on the lines of a block as they were packed. */
export function unpackBlock(
  { facts, fields, reward, reached }: ScoredBlock,
  onLine: (line: BlockLine) => void,
): void {
  const fieldsOf = JSON.parse(fields) as Readonly<Record<string, unknown>>[]
  let scoredLines = 0
  let turn = 0
  for (let at = 0; at < facts.length; at += WIDTH) {
    const [start, end, line, isScored, goldenStart, goldenEnd, numTurns, T] = facts.subarray(at, at + 8)
    let scored: ScoredLine | undefined
    if (isScored === 1) {
      const next = turn + T!
      scored = {
        fields: fieldsOf[scoredLines++]!,
        goldenStart: goldenStart!,
        goldenEnd: goldenEnd!,
        numTurns: numTurns!,
        score: {
          reward: Array.from(reward.subarray(turn, next)),
          reached: Array.from(reached.subarray(turn, next)),
          coverage: [],
          surplus: facts[at + 8]!,
          surplusCalls: facts[at + 9]!,
          early: facts[at + 10]!,
          extra: facts[at + 11]!,
          malformed: facts[at + 12]!,
          tested: facts[at + 13]!,
        },
        shifts: {
          missedTurns: facts[at + 14]!,
          oneTurnEarly: facts[at + 15]!,
          oneTurnLate: facts[at + 16]!,
        },
      }
      turn = next
    }
    onLine({ start: start!, end: end!, line: line!, scored })
  }
}
