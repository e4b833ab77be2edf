/**
 * An agent that is a language model: it sees the requests and the tools, and calls until it answers.
 */

import { aCount, resolveOptions } from '../options.js'
import type { ToolCall } from '../reward/call.js'
import type { Agent } from './agent.js'
import type { ChatEndpoint } from './chat-endpoint.js'
import { type ChatMessage, type ChatToolCall, chatTool, resultText } from './chat-message.js'
import type { CallResult, Environment } from './types.js'

export interface ChatAgentOptions {
  /** Replies of the model in one turn; a turn that is not over then ends there. */
  readonly maxSteps: number
  /** Sent where it is given. */
  readonly temperature: number | undefined
}

export const chatAgentDefaults: Readonly<ChatAgentOptions> = Object.freeze({
  maxSteps: 16,
  temperature: undefined,
})

/** Makes a call as the model wrote it. Text that is no JSON is told to the model, like any other fault. */
async function make(environment: Environment, { function: made }: ChatToolCall): Promise<CallResult> {
  let args: unknown = {}
  try {
    if (made.arguments.trim() !== '') args = JSON.parse(made.arguments)
  } catch {
    const message = `${made.name}: arguments: expected JSON, got ${JSON.stringify(made.arguments.slice(0, 60))}`
    return { ok: false, error: { code: 'invalid-arguments', message } }
  }
  return environment.call(made.name, args)
}

const asCall = ({ function: { name, arguments: text } }: ChatToolCall): ToolCall => ({
  name,
  arguments: text,
})

/** An agent over a chat endpoint with tool calls. Attempts differ by the `seed` that is sent: 0, 1, ….
 * @param options - see `chatAgentDefaults`
 * @throws TaraError `OPTION`; from the agent what `ChatEndpoint.ask` throws
 */
export function chatAgent(endpoint: ChatEndpoint, options?: Partial<ChatAgentOptions>): Agent {
  const { maxSteps, temperature } = resolveOptions<ChatAgentOptions>(
    'chatAgent',
    options,
    chatAgentDefaults,
    {
      maxSteps: (value) => (value === 0 ? 'a whole number, 1 or more' : aCount(value)),
      temperature: (value) =>
        value === undefined || (typeof value === 'number' && value >= 0 && value <= 2)
          ? undefined
          : 'a number in [0, 2]',
    },
  )

  return {
    name: `chat:${endpoint.model}`,
    async solve(task, environment, attempt, onMessage = () => {}) {
      const { description, tools } = environment.source
      const shared = {
        tools: tools.map(chatTool),
        seed: attempt,
        ...(temperature !== undefined && { temperature }),
      }
      const messages: ChatMessage[] = []
      const add = (message: ChatMessage): void => {
        messages.push(message)
        onMessage(message)
      }
      const instruction = 'Do what the user asks with the tools, no more; then answer in a sentence.'
      add({ role: 'system', content: `${description}\n${instruction}` })
      const turns: ToolCall[][] = []
      for (const request of task.requests) {
        const calls: ToolCall[] = []
        turns.push(calls)
        add({ role: 'user', content: request })
        for (let step = 0; step < maxSteps; step++) {
          const reply = await endpoint.ask({ ...shared, messages }, (message) => ({
            ok: true,
            value: message,
          }))
          add(reply)
          if (reply.tool_calls === undefined) break
          for (const call of reply.tool_calls) {
            calls.push(asCall(call))
            const content = resultText(await make(environment, call))
            add({ role: 'tool', tool_call_id: call.id, content })
          }
        }
      }
      return turns
    },
  }
}
