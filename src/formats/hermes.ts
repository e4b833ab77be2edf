/**
 * Hermes and Qwen text → tool calls: `<tool_call>{"name": …, "arguments": …}</tool_call>` in what the assistant wrote.
 *
 * A call's body runs to the first `<` outside a JSON string, where its closing tag must stand: tags in strings end
 * nothing. What stands in `<think>…</think>` is reasoning. A `</think>` that nothing opened (the opening tag was in the
 * prompt) makes everything before it reasoning. A body that cannot be read, or has no closing tag, is a malformed call;
 * nothing is repaired. Only assistant text is searched, and only where the message has no structured `tool_calls`.
 */
import { fail, show } from '../errors.js'
import type { JsonObject, ToolCall } from '../reward/call.js'
import { parseJson } from '../reward/json.js'
import type { Fields } from './fields.js'
import type { MessageFormat } from './message-format.js'
import { openai } from './openai.js'

const THINK = '<think>'
const THINK_END = '</think>'
const CALL = '<tool_call>'
const CALL_END = '</tool_call>'
const RESPONSE = '<tool_response>'
const RESPONSE_END = '</tool_response>'

/** The first `<` or backslash outside a string: neither stands there in JSON. Two scans that start at different tags
 * never both run through a third one, as it cannot be in a string for both; all scans together are linear. */
function endOfBody(text: string, start: number): number {
  let isString = false
  for (let k = start; k < text.length; k++) {
    const code = text.charCodeAt(k)
    if (code === 34) isString = !isString
    else if (isString && code === 92) k++
    else if (!isString && (code === 60 || code === 92)) return k
  }
  return text.length
}

/** The call that a body asks for; its arguments stay text, so that nothing of them is lost. */
function readBody(body: string): ToolCall {
  const unreadable = { name: '', arguments: body, problem: 'not-a-call' } as const
  const repeated = new Set<object>()
  const parsed = parseJson(body, { member: 'arguments', repeated })
  if (!parsed.ok) return unreadable
  const { value, memberStart, memberEnd } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value) || repeated.has(value))
    return unreadable
  const { name, arguments: given } = value as JsonObject
  if (typeof name !== 'string') return unreadable
  if (memberStart < 0) return { name }
  return { name, arguments: typeof given === 'string' ? given : body.slice(memberStart, memberEnd) }
}

/** Finds the calls in what an assistant wrote.
 * @param text - of one message, sampled or rendered; linear in its length, whatever it holds
 * @returns the calls in order, those that cannot be read among them (`problem`), those in reasoning not
 */
export function hermesCalls(text: string): ToolCall[] {
  const calls: ToolCall[] = []
  let isThinking = false
  let at = text.indexOf('<')
  while (at >= 0) {
    if (text.startsWith(CALL, at)) {
      const start = at + CALL.length
      const end = endOfBody(text, start)
      const isClosed = text.startsWith(CALL_END, end)
      const body = text.slice(start, end)
      if (!isThinking)
        calls.push(isClosed ? readBody(body) : { name: '', arguments: body, problem: 'not-a-call' })
      at = isClosed ? end + CALL_END.length : start
    } else if (text.startsWith(THINK_END, at)) {
      if (!isThinking) calls.length = 0
      isThinking = false
      at += THINK_END.length
    } else if (text.startsWith(THINK, at)) {
      isThinking = true
      at += THINK.length
    } else at++
    at = text.indexOf('<', at)
  }
  return calls
}

/** The text of a message; parts that are no text are left out. */
function textOf(content: unknown, m: number): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown, k) => {
      if (typeof part === 'string') return part
      const { type, text } = part as Fields
      if (type !== 'text') return ''
      if (typeof text !== 'string') fail('TYPE', `messages[${m}].content[${k}].text`, 'text', show(text))
      return text
    })
    .join('')
}

/** Whether a user message holds tool results and nothing else, as chat templates render them. */
function isResponses(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.startsWith(RESPONSE) && trimmed.endsWith(RESPONSE_END)
}

/** Chat messages whose calls stand in the assistant's text. */
export const hermes: MessageFormat = {
  name: 'hermes',
  kindOf(message, m, messages) {
    const kind = openai.kindOf(message, m, messages)
    return kind === 'user' && isResponses(textOf(message.content, m)) ? 'other' : kind
  },
  pushCalls(message, m, into) {
    const before = into.length
    openai.pushCalls(message, m, into)
    if (message.role !== 'assistant' || into.length > before) return
    for (const call of hermesCalls(textOf(message.content, m))) into.push(call)
  },
}
