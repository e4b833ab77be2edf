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

/** Whether a value comes back from JSON as it was: a number that was too large when it was read does not. */
function survivesJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(survivesJson)
}

/** Packs the lines of a block. One with a field that JSON does not carry is left to the log's reader. */
export function packBlock(numLines: number, lines: readonly BlockLine[]): ScoredBlock {
  const facts = new Float64Array(lines.length * WIDTH)
  const fields: unknown[] = []
  const reward: number[] = []
  const reached: number[] = []
  lines.forEach(({ start, end, line, scored }, n) => {
    const at = n * WIDTH
    facts[at] = start
    facts[at + 1] = end
    facts[at + 2] = line
    if (scored === undefined || !survivesJson(scored.fields)) return
    const { score, shifts } = scored
    facts[at + 3] = 1
    facts[at + 4] = scored.goldenStart
    facts[at + 5] = scored.goldenEnd
    facts[at + 6] = scored.numTurns
    facts[at + 7] = score.reward.length
    facts[at + 8] = score.surplus
    facts[at + 9] = score.surplusCalls
    facts[at + 10] = score.early
    facts[at + 11] = score.extra
    facts[at + 12] = score.malformed
    facts[at + 13] = score.tested
    facts[at + 14] = shifts.missedTurns
    facts[at + 15] = shifts.oneTurnEarly
    facts[at + 16] = shifts.oneTurnLate
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

function listOf(values: Float64Array | Uint8Array, start: number, end: number): number[] {
  const list: number[] = []
  for (let k = start; k < end; k++) list.push(values[k]!)
  return list
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
    let scored: ScoredLine | undefined
    if (facts[at + 3] === 1) {
      const next = turn + facts[at + 7]!
      scored = {
        fields: fieldsOf[scoredLines++]!,
        goldenStart: facts[at + 4]!,
        goldenEnd: facts[at + 5]!,
        numTurns: facts[at + 6]!,
        score: {
          reward: listOf(reward, turn, next),
          reached: listOf(reached, turn, next),
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
    onLine({ start: facts[at]!, end: facts[at + 1]!, line: facts[at + 2]!, scored })
  }
}
