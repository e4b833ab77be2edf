/**
 * What the reader of a message format says about one message; how messages fall into turns is in `turns.ts`.
 */
import type { ToolCall } from '../reward/call.js'
import type { Fields } from './fields.js'

/** What a message is to the turns: `user` opens a user turn, `step` begins an assistant step, `other` does neither. */
export type MessageKind = 'user' | 'step' | 'other'

/** Reads the messages of one format. Places in errors start at the record: `messages[4].content[0].name`. */
export interface MessageFormat {
  /** As `--from` names it: `openai`, `anthropic`. */
  readonly name: string
  /** What message m is. A user message that only carries tool results or makes calls itself is `other`. */
  readonly kindOf: (message: Fields, m: number, messages: readonly unknown[]) => MessageKind
  /** Puts the calls that message m makes, in order, behind those in `into`. */
  readonly pushCalls: (message: Fields, m: number, into: ToolCall[]) => void
  /** The calls of each step of message m, where a `step` message may hold several; at least one step. */
  readonly stepsOf?: (message: Fields, m: number) => readonly ToolCall[][]
  /** Whether the assistant wrote a message that has no role. Default: one that begins a step. */
  readonly isWritten?: (message: Fields) => boolean
  /** Whether the messages stand inside a user turn from the start, as no user ever speaks in them. */
  readonly isOneTurn?: (messages: readonly unknown[]) => boolean
}
