/**
 * Messages of any format → what was said, turn by turn, and which calls each message makes.
 *
 * A reader of logs lets messages go; whoever wants to show a few of them reads those lines once more, with this.
 */
import { formatChoice } from '../formats/detect.js'
import type { FunctionDoc } from '../formats/document.js'
import type { Fields } from '../formats/fields.js'
import type { FormatName } from '../formats/formats.js'
import { parse, withoutNaN } from '../formats/line.js'
import type { MessageFormat } from '../formats/message-format.js'
import { messageTurns } from '../formats/message-turns.js'
import { rolloutCounter } from '../formats/read-document.js'
import { type Id, unitOf } from '../formats/record.js'
import type { Turns } from '../formats/turns.js'
import type { ToolCall } from '../reward/call.js'
import type { ShownMessage } from './model-types.js'

/** Characters of a message that are shown. */
const MAX_TEXT = 3000

/** Messages of a rollout that are shown. */
const MAX_MESSAGES = 400

export interface Conversation {
  readonly group: Id
  readonly rollout: Id
  readonly role: string | undefined
  readonly messages: readonly ShownMessage[]
}

/** The fields of a message, or of a part of it, that hold text. */
const textFields = [
  'reasoning_content',
  'thinking',
  'content',
  'text',
  'output',
  'refusal',
  'result',
] as const

/** What a message or a part of it says. Calls have their own place. */
function textOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth > 4) return ''
  if (Array.isArray(value))
    return value
      .map((part) => textOf(part, depth + 1))
      .filter((text) => text !== '')
      .join('\n')
  const fields = value as Fields
  if (typeof fields.type === 'string' && /^(tool_use|tool-call|function_call)$/.test(fields.type)) return ''
  const texts = textFields.map((name) => textOf(fields[name], depth + 1)).filter((text) => text !== '')
  if (texts.length > 0) return texts.join('\n')
  return depth > 0 && typeof fields.type === 'string' ? `[${fields.type}]` : ''
}

function roleOf({ role, type, from }: Fields): string {
  for (const name of [role, from, type]) if (typeof name === 'string') return name.slice(0, 40)
  return 'message'
}

/** The calls that message m makes, by the turn that they belong to. */
function callsOf(
  format: MessageFormat,
  message: Fields,
  m: number,
  turn: number,
  turns: Turns,
): (readonly [turn: number, count: number])[] {
  const isSteps = turns === 'step' && format.stepsOf !== undefined && format.kindOf(message, m, []) === 'step'
  if (isSteps) {
    const steps = format.stepsOf!(message, m)
    return steps.map((step, s) => [turn - steps.length + 1 + s, step.length])
  }
  const into: ToolCall[] = []
  format.pushCalls(message, m, into)
  return [[turn, into.length]]
}

/** Takes what was said out of the messages of one rollout.
 * @param format - reads the messages; one of `messageFormats`
 * @param messages - as a reader of calls has taken them without an error
 * @param turns - what counts as a turn, as for the calls
 */
export function shownMessages(
  format: MessageFormat,
  messages: readonly unknown[],
  turns: Turns,
): ShownMessage[] {
  const { turn } = messageTurns(format, messages, turns)
  const made = messages.map((message, m) => callsOf(format, message as Fields, m, turn[m]!, turns))
  const next = new Map<number, number>()
  for (const [t, count] of made.flat()) next.set(t, (next.get(t) ?? 0) + count)
  let offset = 0
  for (const t of [...next.keys()].sort((a, b) => a - b)) {
    const count = next.get(t)!
    next.set(t, offset)
    offset += count
  }
  const shown = messages.map((message, m): ShownMessage => {
    const text = textOf(message)
    const calls = made[m]!.flatMap(([t, count]) => {
      const start = next.get(t)!
      next.set(t, start + count)
      return Array.from({ length: count }, (_, k) => start + k)
    })
    return {
      role: roleOf(message as Fields),
      turn: turn[m]!,
      text: text.slice(0, MAX_TEXT),
      ...(text.length > MAX_TEXT && { cut: text.length - MAX_TEXT }),
      calls,
    }
  })
  return shown.slice(0, MAX_MESSAGES)
}

export interface ConversationOptions {
  readonly from?: FormatName | undefined
  readonly turns?: 'user' | 'step' | undefined
  readonly functions?: readonly FunctionDoc[] | undefined
}

export interface ConversationReader {
  /** Takes a line, or a document, that a log's reader has taken with the same options.
   * @throws TaraError as the log's reader
   */
  readonly addLine: (text: string) => void
  /** Takes a record that is parsed already. */
  readonly addRecord: (record: unknown) => void
  /** Those that were wanted, in the order in which they came. */
  readonly conversations: readonly Conversation[]
}

/** Makes a reader of conversations.
 * @param isWanted - chooses rollouts
 * @param options - those of the log's reader
 * @throws TaraError (from its methods) as the log's reader; making it never throws
 */
export function conversationReader(
  isWanted: (key: Omit<Conversation, 'messages'>) => boolean,
  { from, turns = 'user', functions }: ConversationOptions = {},
): ConversationReader {
  const formats = formatChoice(from, 'log', () => 'log')
  const nextRollout = rolloutCounter()
  const conversations: Conversation[] = []

  function add(fields: Fields, formatOf: (messages: unknown) => MessageFormat): void {
    const { messages } = fields
    if (!Array.isArray(messages)) return
    const format = formatOf(messages)
    const key = {
      group: fields.group as Id,
      rollout: fields.rollout as Id,
      role: (fields.role ?? undefined) as string | undefined,
    }
    if (!isWanted(key)) return
    const unit = unitOf(fields.turns, turns)
    const marks = unit === 'explicit' ? (fields.turns as (number | null)[]) : unit
    conversations.push({ ...key, messages: shownMessages(format, messages, marks) })
  }

  function addRecord(value: unknown): void {
    const document = formats.documentOf(value)
    if (document === undefined) add(value as Fields, (messages) => formats.of(messages))
    else
      for (const { fields, format } of document.recordsOf(value, { functions, nextRollout }))
        add(fields, () => format)
  }

  return {
    conversations,
    addRecord,
    addLine: (text) => addRecord(parse(text) ?? parse(withoutNaN(text, 'null'))),
  }
}
