/**
 * What shows the format of messages. Plain text fits every format and shows nothing.
 */
import type { Fields } from './fields.js'
import type { MessageFormatName } from './formats.js'

/** How Hermes text begins a call. */
const TAG = '<tool_call>'

/** Items of the Responses API that have no role. */
const isItem = (type: string): boolean =>
  type.endsWith('_call') ||
  type.endsWith('_call_output') ||
  type === 'reasoning' ||
  type === 'compaction' ||
  type === 'item_reference' ||
  type.startsWith('mcp_')

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0

/** Whether the content of a message is one part: elsewhere it is a list of them. */
const isPart = (content: unknown): boolean =>
  typeof content === 'object' && content !== null && typeof (content as Fields).type === 'string'

/** The format that a message shows by its own fields. */
export function formatOfFields(message: Fields): MessageFormatName | undefined {
  if (message.role === undefined) {
    if (message.jsonrpc !== undefined || message.method !== undefined) return 'mcp'
    return typeof message.type === 'string' && isItem(message.type) ? 'responses' : undefined
  }
  if (isFilled(message.tool_calls) || (message.function_call !== undefined && message.function_call !== null))
    return 'openai'
  if (Array.isArray(message.parts) || isFilled(message.toolInvocations)) return 'ai-sdk'
  return isPart(message.content) ? 'mcp' : undefined
}

/** The format that a part of a message's content shows. */
export function formatOfPart(part: unknown): MessageFormatName | undefined {
  if (typeof part !== 'object' || part === null) return undefined
  const { type, thinking } = part as Fields
  switch (type) {
    case 'text':
    case 'image_url':
      return undefined
    case 'thinking':
      return typeof thinking === 'string' ? 'anthropic' : undefined // other writers put a list there
    case 'redacted_thinking':
      return 'anthropic'
    case 'tool-call':
    case 'tool-result':
    case 'tool-approval-request':
    case 'tool-approval-response':
      return 'ai-sdk'
    case 'input_text':
    case 'output_text':
    case 'input_image':
    case 'input_file':
      return 'responses'
  }
  return typeof type === 'string' && (type.endsWith('tool_use') || type.endsWith('tool_result'))
    ? 'anthropic'
    : undefined
}

/** The number of the first part that shows a format; −1 where none does. */
export function tellingPart(content: readonly unknown[]): number {
  for (let k = 0; k < content.length; k++) if (formatOfPart(content[k]) !== undefined) return k
  return -1
}

/** Whether a message is text of the assistant that holds calls as Hermes models write them. */
export function hasTaggedCall({ role, content }: Fields): boolean {
  if (role !== 'assistant') return false
  if (typeof content === 'string') return content.includes(TAG)
  return (
    Array.isArray(content) &&
    content.some((part: Fields | null) => typeof part?.text === 'string' && part.text.includes(TAG))
  )
}

/** What of a message shows its format, for an error. */
export function tell(message: Fields, m: number): { readonly path: string; readonly fact: string } {
  const place = `messages[${m}]`
  if (message.role === undefined)
    return typeof message.type === 'string' && message.jsonrpc === undefined
      ? { path: `${place}.type`, fact: JSON.stringify(message.type) }
      : { path: place, fact: 'a JSON-RPC message' }
  const field = ['tool_calls', 'function_call', 'parts', 'toolInvocations'].find(
    (name) => message[name] !== undefined && message[name] !== null,
  )
  return field === undefined
    ? { path: `${place}.content`, fact: 'a single part' }
    : { path: `${place}.${field}`, fact: 'one' }
}
