/**
 * Tasks and an agent → rollouts: records `tara.rollout/1` with OpenAI chat messages.
 */
import type { ToolCall } from '../reward/call.js'
import type { Agent } from './agent.js'
import { type ChatMessage, type ChatTool, chatTool } from './chat-message.js'
import type { Environment, Task } from './types.js'

/** A line of a log: `group` joins it to its task, whose golden trace it is scored with. */
export interface RolloutRecord {
  readonly schema: 'tara.rollout/1'
  readonly group: string
  readonly rollout: number
  readonly messages: readonly ChatMessage[]
  /** For the chat template. */
  readonly tools: readonly ChatTool[]
}

/** Messages of an agent that tells none: requests and calls, without results. */
function bareMessages(task: Task, turns: readonly (readonly ToolCall[])[]): ChatMessage[] {
  return turns.flatMap((calls, t) => {
    const user: ChatMessage = { role: 'user', content: task.requests[t] ?? '' }
    if (calls.length === 0) return [user]
    const made = calls.map(({ name, arguments: args }, c) => ({
      id: `call_${t}_${c}`,
      type: 'function' as const,
      function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
    }))
    return [user, { role: 'assistant' as const, content: null, tool_calls: made }]
  })
}

/** Lets an agent try a task once and keeps what was said and done.
 * @param environment - a fresh state, that which the golden trace was made in; the agent's calls change it
 * @param attempt - from 0; the id of the rollout in its group
 * @throws whatever the agent throws
 */
export async function rollOut(
  task: Task,
  environment: Environment,
  agent: Agent,
  attempt: number,
): Promise<RolloutRecord> {
  const told: ChatMessage[] = []
  const turns = await agent.solve(task, environment, attempt, (message) => {
    told.push(message)
  })
  return {
    schema: 'tara.rollout/1',
    group: task.group,
    rollout: attempt,
    messages: told.length > 0 ? told : bareMessages(task, turns),
    tools: environment.source.tools.map(chatTool),
  }
}
