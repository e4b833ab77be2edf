/**
 * Which turn each message of a conversation belongs to: the same split that the calls are read with, message by message.
 */
import type { MessageTurns } from '../tokens/message-turns.js'
import type { Fields } from './fields.js'
import type { MessageFormat } from './message-format.js'
import type { Turns } from './turns.js'

/** Tells the turn of each message.
 *
 * The policy wrote the messages of role `assistant`; of one without a role the format says whether it did. A message that
 * holds several steps, each a turn, belongs to the last of them.
 * @param format - the format of the messages
 * @param messages - in order, checked by the reader of calls
 * @param turns - what counts as a turn
 */
export function messageTurns(
  format: Pick<MessageFormat, 'kindOf' | 'stepsOf' | 'isWritten' | 'isOneTurn'>,
  messages: readonly unknown[],
  turns: Turns = 'user',
): MessageTurns {
  const turn: number[] = []
  const isWritten: boolean[] = []
  const holdsSeveral: boolean[] = []
  const steps: number[] = []
  let numTurns = turns === 'user' && format.isOneTurn?.(messages) === true ? 1 : 0
  let current = numTurns - 1
  for (let m = 0; m < messages.length; m++) {
    const message = messages[m] as Fields
    const kind = format.kindOf(message, m, messages)
    const numSteps = kind === 'step' ? (format.stepsOf?.(message, m).length ?? 1) : 0
    const begun = kind !== turns ? 0 : kind === 'step' ? numSteps : 1 // turns
    if (typeof turns !== 'string') current = turns[m] ?? -1
    else if (begun > 0) current = numTurns - 1 + begun
    numTurns = Math.max(numTurns, current + 1)
    turn.push(current)
    holdsSeveral.push(begun > 1)
    for (let s = numSteps - 1; s >= 0; s--) steps.push(begun > 1 ? current - s : current)
    isWritten.push(
      message.role === undefined
        ? (format.isWritten?.(message) ?? kind === 'step')
        : message.role === 'assistant',
    )
  }
  return { turn, isWritten, holdsSeveral, steps, numTurns }
}
