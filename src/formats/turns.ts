/**
 * Messages of any format → the tool calls of each turn.
 *
 * What a message is to the turns and which calls it makes is the format's to say. What a turn is is said here.
 */
import { fail, show } from '../errors.js'
import type { CallRollout, ToolCall } from '../reward/call.js'
import type { Fields } from './fields.js'
import type { MessageFormat } from './message-format.js'

/** What counts as a turn: `user`, one user message and everything until the next; `step`, each assistant message;
 * or one turn index, or null for none, a message. */
export type Turns = 'user' | 'step' | readonly (number | null)[]

/** Turn marks at or above this are refused: they would allocate that many turns. */
const MAX_TURNS = 1_000_000

function checkMarks(marks: readonly unknown[], numMessages: number): void {
  if (marks.length !== numMessages)
    fail('LENGTH', 'turns', `${numMessages} entries, one a message`, `${marks.length}`)
  for (let m = 0; m < marks.length; m++) {
    const mark = marks[m]
    if (mark !== null && !(Number.isInteger(mark) && (mark as number) >= 0 && (mark as number) < MAX_TURNS))
      fail('RANGE', `turns[${m}]`, `a turn index from 0 to ${MAX_TURNS - 1}, or null`, show(mark))
  }
}

/** Pulls the tool calls of each turn out of messages.
 *
 * Messages before the first turn belong to none; their calls are returned as `before`. A user message that itself
 * makes calls opens no turn; its calls are the `user` side's.
 * @param format - reads the messages: one of `messageFormats`
 * @param messages - in order
 * @param turns - what counts as a turn, see `Turns`; with explicit marks, turns may skip an index (not reached)
 * @returns one entry a logged turn
 * @throws TaraError `TYPE`, `LENGTH`, `RANGE` with the path of the fault: `messages[4].content[0].name: …`
 */
export function fromMessages(
  format: MessageFormat,
  messages: readonly unknown[],
  turns: Turns = 'user',
): CallRollout & { readonly before: readonly ToolCall[] } {
  if (!Array.isArray(messages)) fail('TYPE', 'messages', 'a list of messages', show(messages))
  const marks = typeof turns === 'string' ? undefined : turns
  if (marks === undefined && turns !== 'user' && turns !== 'step')
    fail('OPTION', 'turns', '"user", "step" or a list of turn indices', show(turns))
  if (marks !== undefined) checkMarks(marks, messages.length)

  const before: ToolCall[] = []
  const logged: (ToolCall[] | null)[] = []
  if (turns === 'user' && format.isOneTurn?.(messages) === true) logged.push([])
  let current = logged.length - 1
  for (let m = 0; m < messages.length; m++) {
    const message: unknown = messages[m]
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      fail('TYPE', `messages[${m}]`, 'a message', show(message))
    const kind = format.kindOf(message as Fields, m, messages)
    if (marks !== undefined) current = marks[m] ?? -1
    else if (kind === turns) {
      if (kind === 'step' && format.stepsOf !== undefined) {
        for (const calls of format.stepsOf(message as Fields, m)) logged.push(calls)
        current = logged.length - 1
        continue
      }
      current = logged.length
    }
    while (logged.length <= current) logged.push(null)
    format.pushCalls(message as Fields, m, current < 0 ? before : (logged[current] ??= []))
  }
  return { turns: logged, before }
}
