/**
 * Anthropic messages → tool calls: content blocks `tool_use`, `server_tool_use` and `mcp_tool_use`.
 *
 * Tool results come in user messages: one that holds nothing else opens no turn. Text and thinking are never searched
 * for calls.
 */
import type { Fields } from './fields.js'
import type { MessageFormat } from './message-format.js'
import { asCall, asPart, partsOf, roleOf, sideOf } from './structure.js'

const isUse = (type: string): boolean => type.endsWith('tool_use')
const isResult = (type: string): boolean => type.endsWith('tool_result')

const blocksOf = (message: Fields, m: number): readonly unknown[] | undefined =>
  partsOf(`messages[${m}].content`, message.content, 'text or a list of blocks')

export const anthropic: MessageFormat = {
  name: 'anthropic',
  kindOf(message, m) {
    const role = roleOf(message, m)
    const blocks = blocksOf(message, m)
    let numResults = 0
    let makesCalls = false
    for (let k = 0; k < (blocks?.length ?? 0); k++) {
      const { type } = asPart(`messages[${m}].content[${k}]`, blocks![k])
      if (isUse(type)) makesCalls = true
      else if (isResult(type)) numResults++
    }
    if (role === 'assistant') return 'step'
    if (role !== 'user' || makesCalls) return 'other'
    return numResults > 0 && numResults === blocks!.length ? 'other' : 'user'
  },
  pushCalls(message, m, into) {
    const { role } = message
    const blocks = role === 'assistant' || role === 'user' ? blocksOf(message, m) : undefined
    for (let k = 0; k < (blocks?.length ?? 0); k++) {
      const block = blocks![k] as Fields & { readonly type: string }
      if (!isUse(block.type)) continue
      into.push(asCall(`messages[${m}].content[${k}]`, 'name', block.name, block.input, sideOf(role)))
    }
  },
}
