/**
 * An agent: who solves a task by calling tools, turn by turn.
 */
import type { ToolCall } from '../reward/call.js'
import type { ChatMessage } from './chat-message.js'
import type { Environment, Task } from './types.js'

/** Solves tasks: a stand-in with a skill level, or a language model. */
export interface Agent {
  /** What a report calls it: `scripted:0.8`. */
  readonly name: string
  /** Solves one task in a state of its own.
   * @param task - the requests are what the user says; a language model never sees golden trace and trace
   * @param environment - the rollout's own state; the agent's calls change it
   * @param attempt - from 0; another attempt may go another way
   * @param onMessage - told of each message as a log holds it, the user's too; an agent may leave it out
   * @returns the calls of each turn, one list a request
   */
  solve(
    task: Task,
    environment: Environment,
    attempt: number,
    onMessage?: (message: ChatMessage) => void,
  ): Promise<readonly (readonly ToolCall[])[]>
}
