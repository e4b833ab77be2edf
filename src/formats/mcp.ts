/**
 * Messages of the Model Context Protocol → tool calls: JSON-RPC requests `tools/call`, mixed with chat messages.
 *
 * MCP has no user messages. Where a log puts in messages that have a `role`, they make the turns as in any chat; a list
 * without any is one user turn. A step begins with an assistant message, or with a call after a response: calls that were
 * sent together belong together.
 */
import { fail, show } from '../errors.js'
import type { Fields } from './fields.js'
import type { MessageFormat } from './message-format.js'
import { asCall, asFields, roleOf } from './structure.js'

const CALL = 'tools/call'

const hasRole = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as Fields).role !== undefined

/** A request or notification other than a call: it ends no step. */
const isAside = ({ method, role }: Fields): boolean =>
  role === undefined && method !== undefined && method !== CALL

function checkContent(place: string, content: unknown): void {
  if (content === undefined || content === null || typeof content === 'string') return
  if (!Array.isArray(content)) asFields(place, content, 'text, a part or a list of parts')
  else for (let k = 0; k < content.length; k++) asFields(`${place}[${k}]`, content[k], 'a part')
}

function checkRpc(message: Fields, m: number): void {
  const { method } = message
  if (method === undefined) {
    if (message.result === undefined && message.error === undefined)
      fail('MISSING', `messages[${m}]`, 'a message with a role, method, result or error', 'none of them')
  } else if (typeof method !== 'string') fail('TYPE', `messages[${m}].method`, 'a string', show(method))
}

/** Whether the calls and the message before message m, but for asides, belong to its step. */
function continuesStep(messages: readonly unknown[], m: number): boolean {
  let before = m - 1
  while (before >= 0 && isAside(asFields(`messages[${before}]`, messages[before], 'a message'))) before--
  if (before < 0) return false
  const { role, method } = messages[before] as Fields
  return role === undefined ? method === CALL : role === 'assistant'
}

export const mcp: MessageFormat = {
  name: 'mcp',
  kindOf(message, m, messages) {
    if (hasRole(message)) {
      const role = roleOf(message, m)
      checkContent(`messages[${m}].content`, message.content)
      if (role === 'assistant') return 'step'
      return role === 'user' ? 'user' : 'other'
    }
    checkRpc(message, m)
    return message.method === CALL && !continuesStep(messages, m) ? 'step' : 'other'
  },
  pushCalls(message, m, into) {
    if (hasRole(message) || message.method !== CALL) return
    const place = `messages[${m}].params`
    const params = asFields(place, message.params, 'an object with name and arguments')
    into.push(asCall(place, 'name', params.name, params.arguments))
  },
  isWritten: ({ method }) => method === CALL,
  isOneTurn: (messages) => messages.length > 0 && !messages.some(hasRole),
}
