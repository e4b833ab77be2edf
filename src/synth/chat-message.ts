/**
 * Messages and tools as OpenAI-compatible endpoints, logs of rollouts and chat templates take them.
 */
import type { CallResult, JsonSchema, ToolDefinition } from './types.js'

export interface ChatToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly tool_calls?: readonly ChatToolCall[]
  readonly tool_call_id?: string
}

export interface ChatTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema }
}

export function chatTool({ name, description, inputSchema }: ToolDefinition): ChatTool {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

/** A result as a model reads it: the output, or what was wrong with the call. */
export function resultText(result: CallResult): string {
  return JSON.stringify(result.ok ? result.output : { error: result.error.message })
}
