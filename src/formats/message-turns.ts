/**
 * Which turn each message of a conversation belongs to: the same split that the calls are read with, message by message.
 */
import type { MessageTurns } from '../tokens/message-turns.js'
import type { Fields } from './fields.js'
import type { MessageFormat } from './message-format.js'
import type { Turns } from './turns.js'

/** Tells the turn of each message.
 *
 * The policy wrote the messages of role `assistant`, and what begins a step where the format has no roles. A message that
 * holds several steps belongs to the last of them.
 * @param format - the format of the messages
 * @param messages - in order, checked by the reader of calls
 * @param turns - what counts as a turn
 */
export function messageTurns(
  format: Pick<MessageFormat, 'kindOf' | 'stepsOf' | 'isOneTurn'>,
  messages: readonly unknown[],
  turns: Turns = 'user',
): MessageTurns {
  const turn: number[] = []
  const isWritten: boolean[] = []
  let numTurns = turns === 'user' && format.isOneTurn?.(messages) === true ? 1 : 0
  let current = numTurns - 1
  for (let m = 0; m < messages.length; m++) {
    const message = messages[m] as Fields
    const kind = format.kindOf(message, m, messages)
    if (typeof turns !== 'string') current = turns[m] ?? -1
    else if (kind === turns)
      current = numTurns - 1 + (kind === 'step' ? (format.stepsOf?.(message, m).length ?? 1) : 1)
    numTurns = Math.max(numTurns, current + 1)
    turn.push(current)
    isWritten.push(message.role === undefined ? kind === 'step' : message.role === 'assistant')
  }
  return { turn, isWritten, numTurns }
}
