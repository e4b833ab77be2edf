/**
 * A golden trace that is a conversation: `{ "messages": […], "turns": … }`. Its calls, turn by turn, are the golden calls.
 */
import { below, fail, show } from '../errors.js'
import type { ToolCall } from '../reward/call.js'
import type { Fields } from './fields.js'
import type { MessageFormat } from './message-format.js'
import { fromMessages, type Turns } from './turns.js'

/** Whether a golden trace is written as a conversation. */
export function isConversation(golden: unknown): golden is Fields {
  return typeof golden === 'object' && golden !== null && 'messages' in golden
}

function turnsOf(turns: unknown, otherwise: 'user' | 'step' | 'explicit'): Turns {
  if (Array.isArray(turns) || turns === 'user' || turns === 'step') return turns
  if (turns !== undefined && turns !== null)
    fail('RANGE', 'turns', '"user", "step" or one turn index a message', show(turns))
  if (otherwise === 'explicit')
    fail('MISSING', 'turns', 'what a turn of the golden trace is, as the record has marks', 'undefined')
  return otherwise
}

/** The golden turns of a conversation; one that no message belongs to is empty.
 * @param otherwise - the unit of turns where the conversation names none
 * @throws TaraError with a path from the record's root: `golden.messages[2].role: …`
 */
export function goldenTurns(
  golden: Fields,
  format: MessageFormat,
  otherwise: 'user' | 'step' | 'explicit',
): readonly (readonly ToolCall[])[] {
  try {
    const { turns, before } = fromMessages(
      format,
      golden.messages as readonly unknown[],
      turnsOf(golden.turns, otherwise),
    )
    if (before.length > 0)
      fail(
        'GOLDEN',
        'messages',
        'no calls outside the turns',
        `${before.length}, the first of ${show(before[0]!.name)}`,
      )
    return turns.map((calls) => calls ?? [])
  } catch (error) {
    throw below('golden.', error)
  }
}
