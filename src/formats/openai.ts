/**
 * OpenAI chat messages → the tool calls of each turn.
 *
 * Read: `tool_calls` (also null), the older `function_call`, content as text or parts, arguments as text or object,
 * a `requestor` on calls. What a model wrote (arguments) passes unread; what a logger wrote (the structure around
 * them) is checked. Text is never searched for calls.
 */
import { fail, show } from '../errors.js'
import type { CallRollout, JsonValue, ToolCall } from '../reward/call.js'

/** What counts as a turn: `user`, one user message and everything until the next; `step`, each assistant message;
 * or one turn index, or null for none, a message. */
export type Turns = 'user' | 'step' | readonly (number | null)[]

/** Turn marks at or above this are refused: they would allocate that many turns. */
const MAX_TURNS = 1_000_000

type Fields = Readonly<Record<string, unknown>>

function asFields(place: string, value: unknown, wish: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    fail('TYPE', place, wish, show(value))
  return value as Fields
}

function checkContent(place: string, content: unknown): void {
  if (content === undefined || content === null || typeof content === 'string') return
  if (!Array.isArray(content)) fail('TYPE', place, 'text, a list of parts or null', show(content))
  for (let k = 0; k < content.length; k++)
    if (typeof content[k] !== 'string') asFields(`${place}[${k}]`, content[k], 'a part')
}

/** One call from `{ name, arguments }`, whatever it is wrapped in. */
function asCall(place: () => string, body: Fields, requestor: unknown): ToolCall {
  if (typeof body.name !== 'string') fail('TYPE', `${place()}.name`, 'a string', show(body.name))
  if (requestor !== undefined && requestor !== null && typeof requestor !== 'string')
    fail('TYPE', `${place()}.requestor`, 'a string', show(requestor))
  const call = { name: body.name, arguments: body.arguments as string | JsonValue | undefined }
  return typeof requestor === 'string' ? { ...call, requestor } : call
}

function makesCalls(message: Fields): boolean {
  const { tool_calls: calls, function_call: legacy } = message
  return (Array.isArray(calls) && calls.length > 0) || (legacy !== undefined && legacy !== null)
}

function pushCalls(message: Fields, m: number, into: ToolCall[]): void {
  // A user who makes calls is the other side; a log may say so on each call.
  const side = message.role === 'user' ? 'user' : undefined
  const calls = message.tool_calls
  if (calls !== undefined && calls !== null) {
    if (!Array.isArray(calls))
      fail('TYPE', `messages[${m}].tool_calls`, 'a list of calls or null', show(calls))
    for (let c = 0; c < calls.length; c++) {
      const place = `messages[${m}].tool_calls`
      const call = asFields(`messages[${m}].tool_calls[${c}]`, calls[c], 'a call')
      const requestor = call.requestor ?? side
      if (call.type === 'custom') {
        const custom = asFields(`${place}[${c}].custom`, call.custom, 'an object with name and input')
        into.push(
          asCall(() => `${place}[${c}].custom`, { name: custom.name, arguments: custom.input }, requestor),
        )
      } else if (call.function === undefined && call.name !== undefined) {
        into.push(asCall(() => `${place}[${c}]`, call, requestor))
      } else {
        const body = asFields(`${place}[${c}].function`, call.function, 'an object with name and arguments')
        into.push(asCall(() => `${place}[${c}].function`, body, requestor))
      }
    }
  }
  const legacy = message.function_call
  if (legacy !== undefined && legacy !== null)
    into.push(
      asCall(
        () => `messages[${m}].function_call`,
        asFields(`messages[${m}].function_call`, legacy, 'a call or null'),
        side,
      ),
    )
}

function checkMarks(marks: readonly unknown[], numMessages: number): void {
  if (marks.length !== numMessages)
    fail('LENGTH', 'turns', `${numMessages} entries, one a message`, `${marks.length}`)
  for (let m = 0; m < marks.length; m++) {
    const mark = marks[m]
    if (mark !== null && !(Number.isInteger(mark) && (mark as number) >= 0 && (mark as number) < MAX_TURNS))
      fail('RANGE', `turns[${m}]`, `a turn index from 0 to ${MAX_TURNS - 1}, or null`, show(mark))
  }
}

/** Pulls the tool calls of each turn out of OpenAI chat messages.
 *
 * Messages before the first turn belong to none; their calls are returned as `before`. A user message that itself
 * makes calls opens no turn; its calls are the `user` side's.
 * @param messages - chat messages in order
 * @param turns - what counts as a turn, see `Turns`; with explicit marks, turns may skip an index (not reached)
 * @returns one entry a logged turn
 * @throws TaraError `TYPE`, `LENGTH`, `RANGE` with the path of the fault: `messages[4].tool_calls[0].function.name: …`
 */
export function fromOpenAI(
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
  let current = -1
  for (let m = 0; m < messages.length; m++) {
    const message = asFields(`messages[${m}]`, messages[m], 'a message')
    const role = message.role
    if (typeof role !== 'string') fail('TYPE', `messages[${m}].role`, 'a string', show(role))
    if (message.content !== null && typeof message.content !== 'string')
      checkContent(`messages[${m}].content`, message.content)
    if (marks !== undefined) current = marks[m] ?? -1
    else if (turns === 'step' ? role === 'assistant' : role === 'user' && !makesCalls(message))
      current = logged.length
    while (logged.length <= current) logged.push(null)
    const calls = current < 0 ? before : (logged[current] ??= [])
    if (role === 'assistant' || role === 'user') pushCalls(message, m, calls)
  }
  return { turns: logged, before }
}
