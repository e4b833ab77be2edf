/**
 * The tokens of one record: told in one of the forms of `tokens`, or rendered from its messages.
 */
import { fail, show } from '../errors.js'
import { hasTokenForm, resolveTokens } from '../tokens/forms.js'
import { type RolloutTokens, readLengths, readSpans } from '../tokens/read.js'
import { asTokenIds } from '../tokens/sequence-list.js'

import { type Fields, isFields } from './fields.js'
import { parse, withoutNaN } from './line.js'
import { messageTurns } from './message-turns.js'
import type { RolloutRecord } from './record.js'
import type { Conversation } from './tokenize.js'
import type { Turns } from './turns.js'
import { markNumbers } from './written-numbers.js'

/** Renders and encodes the messages of a record that tells no spans: `(one) => tokenize(tokenizer, one)`. */
export type Tokenize = (conversation: Conversation) => RolloutTokens

/** Formats whose messages a chat template takes. */
const renderedFormats: ReadonlySet<string> = new Set(['openai', 'hermes'])

/** Whether a value holds a number that may have been written otherwise than JavaScript writes it. */
function holdsNumber(value: unknown): boolean {
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'number' || typeof next === 'bigint') return true
    if (typeof next === 'object' && next !== null) for (const child of Object.values(next)) open.push(child)
  }
  return false
}

/** Calls of a message whose arguments are no text. */
function objectArguments(message: unknown): unknown[] {
  const calls =
    isFields(message) && Array.isArray(message.tool_calls) ? (message.tool_calls as unknown[]) : []
  return calls.map((call) => {
    const body = isFields(call) && isFields(call.function) ? call.function : call
    return isFields(body) && typeof body.arguments !== 'string' ? body.arguments : undefined
  })
}

/** Messages and tools of a record, their numbers as they were written where the line is known. */
function asWritten(fields: Fields, text: string | undefined): { messages: unknown[]; tools: unknown } {
  const messages = fields.messages as unknown[]
  const { tools } = fields
  if (text !== undefined) {
    const marked = markNumbers(text)
    if (marked === text) return { messages, tools }
    const again = (parse(marked) ?? parse(withoutNaN(marked, 'null'))) as Fields
    return { messages: again.messages as unknown[], tools: again.tools }
  }
  messages.forEach((message, m) => {
    if (objectArguments(message).some(holdsNumber))
      fail(
        'TYPE',
        `messages[${m}].tool_calls`,
        'arguments as JSON text, as a number in an object may have been written otherwise',
        'an object with numbers',
      )
  })
  return { messages, tools }
}

function asTools(tools: unknown): readonly unknown[] | undefined {
  if (tools === undefined || tools === null) return undefined
  if (!Array.isArray(tools)) return fail('TYPE', 'tools', 'a list of tools', show(tools))
  return tools
}

/** The ids of a record that tells no spans; undefined where it tells nothing.
 * @throws TaraError `TYPE`, `RANGE`
 */
function sampledIds(tokens: unknown): (readonly number[])[] | undefined {
  if (tokens === undefined) return undefined
  const { ids, sequences } = tokens as Fields
  if (!Array.isArray(sequences)) return [asTokenIds('tokens.ids', ids)]
  return sequences.map((one: unknown, q) =>
    asTokenIds(`tokens.sequences[${q}].ids`, isFields(one) ? one.ids : one),
  )
}

function turnsOf({ unit }: RolloutRecord, fields: Fields): Turns {
  return unit === 'explicit' ? (fields.turns as (number | null)[]) : unit
}

function rendered(
  record: RolloutRecord,
  fields: Fields,
  text: string | undefined,
  tokenize: Tokenize,
): RolloutTokens {
  const name = record.format?.name ?? ''
  if (!renderedFormats.has(name))
    fail('MISMATCH', 'messages', 'OpenAI chat messages, which chat templates take', `${name} messages`)
  const { messages, tools } = asWritten(fields, text)
  const sampled = sampledIds(record.tokens)
  return tokenize({
    messages,
    tools: asTools(tools),
    turns: turnsOf(record, fields),
    ...(record.format && { format: record.format }),
    isTruncated: record.status === 'truncated',
    ...(sampled && { sampled }),
  })
}

/** Turns that have a list of spans each: logged or scored ones. */
function turnsTold({ numTurns, rewards }: RolloutRecord): number {
  if (numTurns !== undefined) return numTurns
  const row = Array.isArray(rewards) ? rewards : Object.values(rewards ?? {})[0]
  return row?.length ?? 0
}

/** Reads the tokens of a record and checks its spans by themselves; a log with messages has one list a logged turn.
 * @param text - the line as it was written, where there is one
 * @param isNeeded - whether a rollout that is not aborted must have tokens
 * @param tokenize - renders messages of records that tell no spans
 * @returns null where the record tells nothing
 * @throws TaraError with a path from the record's root: `MISSING`, `MISMATCH`, `SPAN`, `TYPE`, `RANGE`, `LENGTH`
 */
export function recordTokens(
  record: RolloutRecord,
  fields: Fields,
  text: string | undefined,
  isNeeded: boolean,
  tokenize: Tokenize | undefined,
): RolloutTokens | null {
  const { tokens: told, calls } = record
  const isRendered =
    isNeeded && tokenize !== undefined && calls !== undefined && (told === undefined || !hasTokenForm(told))
  if (told === undefined && (!isRendered || record.status === 'aborted')) {
    if (isNeeded && record.status !== 'aborted') fail('MISSING', 'tokens', 'token spans', 'undefined')
    return null
  }
  if (!isNeeded && !hasTokenForm(told)) {
    sampledIds(told) // nobody asks where they are
    return null
  }
  if (isNeeded && record.scope === 'rollout')
    fail('MISMATCH', 'scope', '"turn" for token output', '"rollout"')
  const given = isRendered
    ? rendered(record, fields, text, tokenize)
    : resolveTokens('tokens', told, {
        numTurns: turnsTold(record),
        messages: () =>
          calls && messageTurns(record.format!, fields.messages as unknown[], turnsOf(record, fields)),
      })
  readSpans('tokens', given, readLengths('tokens', given), () => {})
  const logged = record.numTurns ?? given.turns.length
  if (record.scope === 'turn' && given.turns.length !== logged)
    fail('SPAN', 'tokens.turns', `${logged} lists, one a logged turn`, `${given.turns.length}`)
  return given
}
