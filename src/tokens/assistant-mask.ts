/**
 * Tokens told by a mask of what the assistant wrote, and the number of tokens of each message.
 *
 *     {"mask": [0, 0, 1, 1, 0, 1], "messages": [2, 2, 1, 1]}
 *
 * Each run of ones lies in messages of one turn, and the assistant wrote them. A run that crosses any other border of
 * two messages is ambiguous: nothing tells whose token is wrong, so it is refused.
 */
import { fail, show } from '../errors.js'
import { checkOneTurn, type MessageTurns } from './message-turns.js'
import { asTokenCount, type TokenSpan } from './read.js'

function asCounts(place: string, value: unknown, numMessages: number, numTokens: number): readonly number[] {
  if (!Array.isArray(value))
    fail('TYPE', place, 'a list with the number of tokens of each message', show(value))
  if (value.length !== numMessages)
    fail('LENGTH', place, `${numMessages} entries, one a message`, `${value.length}`)
  let sum = 0
  for (let m = 0; m < value.length; m++) sum += asTokenCount(`${place}[${m}]`, value[m])
  if (sum !== numTokens) fail('LENGTH', place, `${numTokens} tokens in all, as the mask has`, `${sum}`)
  return value
}

/** The end of the run of ones that begins at `start`. */
function runEnd(place: string, mask: readonly unknown[], start: number): number {
  let end = start
  while (end < mask.length && mask[end] === 1) end++
  if (end < mask.length && mask[end] !== 0) fail('RANGE', `${place}[${end}]`, '0 or 1', show(mask[end]))
  return end
}

/** Reads the spans of each turn from a mask.
 * @param place - of the form, for errors: `tokens`
 * @param mask - `[numTokens]` 1 where the assistant wrote the token, 0 elsewhere
 * @param lengths - `[numMessages]` tokens of each message
 * @returns `[numTurns]` lists of spans
 * @throws TaraError `TYPE`, `RANGE`, `LENGTH`; `SPAN` for a run in two turns, or in a message that the assistant
 *   did not write; `MISMATCH` for a message that holds several turns
 */
export function readMask(
  place: string,
  mask: unknown,
  lengths: unknown,
  messages: MessageTurns,
): TokenSpan[][] {
  if (!Array.isArray(mask)) fail('TYPE', `${place}.mask`, 'a list of 0 and 1, one a token', show(mask))
  const counts = asCounts(`${place}.messages`, lengths, messages.turn.length, mask.length)
  const turns: TokenSpan[][] = Array.from({ length: messages.numTurns }, () => [])
  let message = -1
  let messageEnd = 0
  for (let start = 0, end = 0; start < mask.length; start = end) {
    if (mask[start] === 0) {
      end = start + 1
      continue
    }
    end = runEnd(`${place}.mask`, mask, start)
    if (end === start) fail('RANGE', `${place}.mask[${start}]`, '0 or 1', show(mask[start]))
    while (messageEnd <= start) messageEnd += counts[++message]!
    if (!messages.isWritten[message])
      fail('SPAN', `${place}.mask[${start}]`, `0, as the assistant did not write message ${message}`, '1')
    const turn = messages.turn[message]!
    checkOneTurn(`${place}.mask[${start}]`, 'mask', messages, message)
    while (end > messageEnd) {
      const border = messageEnd
      const before = message
      while (messageEnd <= border) messageEnd += counts[++message]!
      if (!messages.isWritten[message] || messages.turn[message] !== turn)
        fail(
          'SPAN',
          `${place}.mask[${start}]`,
          `a run of ones in one turn (message ${before} ends at ${border}; a run in two turns is ambiguous)`,
          `one up to ${end}`,
        )
      checkOneTurn(`${place}.mask[${border}]`, 'mask', messages, message)
    }
    if (turn >= 0) turns[turn]!.push([start, end])
  }
  return turns
}
