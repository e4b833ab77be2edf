/**
 * Tokens whose turn is told token by token: one turn index a token, null where the policy did not write it.
 *
 *     {"turnIds": [null, null, 0, 0, null, 1]}  is  {"length": 6, "turns": [[[2, 4]], [[5, 6]]]}
 *
 * A stretch of one index is one span. Within a sequence the indices do not descend.
 */
import { fail, show } from '../errors.js'
import type { SequenceSpan } from './read.js'

/** Turn indices from here on are refused: they would allocate that many turns. */
const MAX_TURNS = 1_000_000

/** Adds the spans of one sequence to those of the turns.
 * @param place - of the list, for errors: `tokens.turnIds`
 * @param value - `[numTokens]` a turn index or null each
 * @param numTurns - turns that there are, where the rollout's messages say so; else any index is taken
 * @param turns - the spans of each turn so far; grows
 * @throws TaraError `TYPE`; `RANGE` for what is no turn index; `SPAN` for one that descends
 */
export function readTurnIds(
  place: string,
  value: unknown,
  sequence: number,
  numTurns: number | undefined,
  turns: SequenceSpan[][],
): void {
  if (!Array.isArray(value)) fail('TYPE', place, 'a list with a turn index or null a token', show(value))
  const limit = numTurns ?? MAX_TURNS
  let latest = 0
  for (let start = 0, end = 0; start < value.length; start = end) {
    const turn: unknown = value[start]
    for (end = start + 1; end < value.length && value[end] === turn; ) end++
    if (turn === null) continue
    if (!(Number.isInteger(turn) && (turn as number) >= 0 && (turn as number) < limit))
      fail(
        'RANGE',
        `${place}[${start}]`,
        limit === 0 ? 'null, as the rollout has no turn' : `a turn index from 0 to ${limit - 1}, or null`,
        show(turn),
      )
    if ((turn as number) < latest)
      fail('SPAN', `${place}[${start}]`, `${latest} or more, as turns follow each other`, show(turn))
    latest = turn as number
    while (turns.length <= latest) turns.push([])
    turns[latest]!.push([sequence, start, end])
  }
}
