/**
 * OpenAI chat messages → what a chat template takes: content is text, arguments are objects.
 *
 * A template that writes arguments as JSON would quote argument text a second time, so the text is parsed first. What
 * the assistant wrote (content, reasoning, argument texts) is kept beside it, to be compared with what was rendered.
 */

import { fail, show } from '../errors.js'
import { type Fields, isFields } from './fields.js'

import { markNumbers } from './written-numbers.js'

/** One call that the assistant made. */
export interface WrittenCall {
  readonly place: string
  readonly name: string
  /** The text of its arguments; undefined where the log has an object or nothing. */
  readonly text: string | undefined
  /** Its arguments as text, whatever the log has. */
  readonly shown: string
  /** Whether its arguments end where a limit may have cut them off: text that is no JSON object, or nothing. */
  readonly isOpen: boolean
}

/** A message as the template takes it. */
export interface TemplateMessage {
  readonly place: string
  readonly role: string
  /** With arguments as objects; undefined where an argument text is no JSON object. */
  readonly parsed: Fields | undefined
  /** With argument texts as they are, for templates that write them without quoting. */
  readonly verbatim: Fields
  readonly content: string
  readonly reasoning: string
  readonly calls: readonly WrittenCall[]
}

function contentOf(place: string, content: unknown): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return fail('TYPE', place, 'text, a list of text parts or null', show(content))
  return content
    .map((part: unknown, k) => {
      if (typeof part === 'string') return part
      if (isFields(part) && part.type === 'text' && typeof part.text === 'string') return part.text
      return fail(
        'TYPE',
        `${place}[${k}]`,
        'a part of type text',
        isFields(part) ? `one of type ${show(part.type)}` : show(part),
      )
    })
    .join('')
}

function reasoningOf(place: string, message: Fields): string {
  const name = message.reasoning_content === undefined ? 'reasoning' : 'reasoning_content'
  const reasoning = message[name] ?? ''
  if (typeof reasoning !== 'string') return fail('TYPE', `${place}.${name}`, 'text or null', show(reasoning))
  return reasoning
}

/** The object of an argument text; undefined where it is none. */
function parsedArguments(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(markNumbers(text))
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

interface CallForms {
  readonly written: WrittenCall
  readonly parsed: Fields | undefined
  readonly verbatim: Fields
}

function callOf(place: string, call: unknown): CallForms {
  if (!isFields(call)) return fail('TYPE', place, 'a call', show(call))
  const isWrapped = call.function !== undefined
  const body = isWrapped ? call.function : call
  const here = isWrapped ? `${place}.function` : place
  if (!isFields(body)) return fail('TYPE', here, 'an object with name and arguments', show(body))
  if (typeof body.name !== 'string') return fail('TYPE', `${here}.name`, 'a string', show(body.name))
  const given = body.arguments ?? {}
  const text = typeof given === 'string' && given.trim() !== '' ? given : undefined
  const value = typeof given === 'string' ? parsedArguments(given) : given
  const withArguments = (args: unknown): Fields =>
    isWrapped ? { ...call, function: { ...body, arguments: args } } : { ...call, arguments: args }
  return {
    written: {
      place: `${here}.arguments`,
      name: body.name,
      text,
      shown: text ?? JSON.stringify(given),
      isOpen: text === undefined ? typeof (body.arguments ?? '') === 'string' : value === undefined,
    },
    parsed: value === undefined ? undefined : withArguments(value),
    verbatim: withArguments(text ?? value),
  }
}

function callsOf(place: string, message: Fields): CallForms[] {
  if (message.function_call !== undefined && message.function_call !== null)
    fail('TYPE', `${place}.function_call`, 'tool_calls, which chat templates read', 'function_call')
  const calls = message.tool_calls ?? []
  if (!Array.isArray(calls))
    return fail('TYPE', `${place}.tool_calls`, 'a list of calls or null', show(calls))
  return calls.map((call: unknown, c) => callOf(`${place}.tool_calls[${c}]`, call))
}

/** Reads one message.
 * @param place - of the message, for errors: `messages[3]`
 * @throws TaraError `TYPE`
 */
export function templateMessage(place: string, value: unknown): TemplateMessage {
  if (!isFields(value)) return fail('TYPE', place, 'a message', show(value))
  const { role } = value
  if (typeof role !== 'string') return fail('TYPE', `${place}.role`, 'a string', show(role))
  const content = contentOf(`${place}.content`, value.content)
  if (role !== 'assistant') {
    const message = { ...value, content }
    return { place, role, parsed: message, verbatim: message, content, reasoning: '', calls: [] }
  }
  const reasoning = reasoningOf(place, value)
  const { tool_calls: _calls, reasoning: _reasoning, reasoning_content: _content, ...others } = value
  const calls = callsOf(place, value)
  const base = { ...others, content, ...(reasoning.trim() !== '' && { reasoning_content: reasoning }) }
  const withCalls = (list: readonly (Fields | undefined)[]): Fields =>
    list.length === 0 ? base : { ...base, tool_calls: list }
  return {
    place,
    role,
    parsed: calls.some(({ parsed }) => parsed === undefined)
      ? undefined
      : withCalls(calls.map(({ parsed }) => parsed)),
    verbatim: withCalls(calls.map(({ verbatim }) => verbatim)),
    content,
    reasoning,
    calls: calls.map(({ written }) => written),
  }
}
