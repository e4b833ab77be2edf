/**
 * OpenAI chat messages → the tool calls of each turn.
 *
 * Read: `tool_calls` (also null), the older `function_call`, content as text or parts, arguments as text or object,
 * a `requestor` on calls. What a model wrote (arguments) passes unread; what a logger wrote (the structure around
 * them) is checked. Text is never searched for calls.
 */
import { fail, show } from '../errors.js'
import type { CallRollout, JsonValue, ToolCall } from '../reward/call.js'
import type { Fields } from './fields.js'
import type { MessageFormat } from './message-format.js'
import { asFields, roleOf } from './structure.js'
import { fromMessages, type Turns } from './turns.js'

export type { Turns }

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

export const openai: MessageFormat = {
  name: 'openai',
  kindOf(message, m) {
    const role = roleOf(message, m)
    if (message.content !== null && typeof message.content !== 'string')
      checkContent(`messages[${m}].content`, message.content)
    if (role === 'assistant') return 'step'
    return role === 'user' && !makesCalls(message) ? 'user' : 'other'
  },
  pushCalls(message, m, into) {
    if (message.role === 'assistant' || message.role === 'user') pushCalls(message, m, into)
  },
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
  return fromMessages(openai, messages, turns)
}
