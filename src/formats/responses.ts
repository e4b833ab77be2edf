/**
 * Items of the OpenAI Responses API → tool calls: what went in and what came out, in one list.
 *
 * Items of the assistant (messages, reasoning, calls) that stand together are one step; a result or a user message ends
 * it. A reference to an item of the list repeats it and is passed over. A tool of the API's own (`web_search_call`, …) is a call of the tool `web_search`, its arguments what the item says
 * of them.
 */
import { fail, show } from '../errors.js'
import type { ToolCall } from '../reward/call.js'
import type { Fields } from './fields.js'
import type { MessageFormat } from './message-format.js'
import { asCall, asPart, partsOf, roleOf } from './structure.js'

/** Items without calls that come from the assistant. */
const ASSISTANT_ITEMS: ReadonlySet<unknown> = new Set([
  'reasoning',
  'compaction',
  'mcp_list_tools',
  'mcp_approval_request',
])

const isCall = (type: unknown): type is string => typeof type === 'string' && type.endsWith('_call')

const isMessage = (item: Fields): boolean =>
  item.type === 'message' || (item.type === undefined && item.role !== undefined)

function isOfAssistant(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const item = value as Fields
  return isMessage(item) ? item.role === 'assistant' : isCall(item.type) || ASSISTANT_ITEMS.has(item.type)
}

const isReference = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as Fields).type === 'item_reference'

/** Refuses a reference to what is not in the list: its calls would be lost. */
function checkReference({ id }: Fields, m: number, items: readonly unknown[]): void {
  if (typeof id !== 'string') fail('TYPE', `messages[${m}].id`, 'a string', show(id))
  const isThere = (item: unknown): boolean =>
    typeof item === 'object' && item !== null && (item as Fields).id === id && !isReference(item)
  if (!items.some(isThere)) fail('MISSING', `messages[${m}].id`, 'the id of an item in the list', show(id))
}

/** Whether the assistant's items go on at item m. */
function continuesStep(m: number, items: readonly unknown[]): boolean {
  let before = m - 1
  while (isReference(items[before])) before--
  return isOfAssistant(items[before])
}

function checkMessage(item: Fields, m: number): void {
  roleOf(item, m)
  const place = `messages[${m}].content`
  const parts = partsOf(place, item.content, 'text or a list of parts')
  for (let k = 0; k < (parts?.length ?? 0); k++) asPart(`${place}[${k}]`, parts![k])
}

/** What an item of one of the API's own tools says of its arguments. */
function ownArguments(item: Fields): unknown {
  const { action, operation, queries, code } = item
  if (action !== undefined) return action
  if (operation !== undefined) return operation
  if (queries !== undefined) return { queries }
  return code === undefined ? item.arguments : { code }
}

function callOf(item: Fields, type: string, place: string): ToolCall {
  switch (type) {
    case 'function_call':
    case 'mcp_call':
      return asCall(place, 'name', item.name, item.arguments)
    case 'custom_tool_call':
      return asCall(place, 'name', item.name, item.input)
    default:
      return asCall(place, 'type', type.slice(0, -'_call'.length), ownArguments(item))
  }
}

export const responses: MessageFormat = {
  name: 'responses',
  kindOf(item, m, items) {
    const { type } = item
    if (isReference(item)) {
      checkReference(item, m, items)
      return 'other'
    }
    if (isMessage(item)) {
      checkMessage(item, m)
      if (item.role === 'user') return 'user'
      if (item.role !== 'assistant') return 'other'
    } else if (!isCall(type) && !ASSISTANT_ITEMS.has(type)) {
      const isKnown = typeof type === 'string' && /_(output|response)$/.test(type)
      if (!isKnown) fail('TYPE', `messages[${m}].type`, 'an item of the Responses API', show(type))
      return 'other'
    }
    return continuesStep(m, items) ? 'other' : 'step'
  },
  isWritten: ({ type }) => isCall(type) || (ASSISTANT_ITEMS.has(type) && type !== 'mcp_list_tools'),
  pushCalls(item, m, into) {
    if (!isMessage(item) && isCall(item.type)) into.push(callOf(item, item.type, `messages[${m}]`))
  },
}
