/**
 * The forms in which a record tells its tokens → lengths and spans, the one form that the library computes with.
 *
 * | form                                      | fields                                        |
 * |-------------------------------------------|-----------------------------------------------|
 * | spans                                     | `length` or `ids`, `turns`                    |
 * | a turn index a token                      | `turnIds`                                     |
 * | a mask and the lengths of the messages    | `mask`, `messages`                            |
 * | ids message by message                    | `messageIds`                                  |
 * | ids step by step                          | `steps`                                       |
 *
 * Spans and turn indices may lie in several `sequences`. All but the last two may come with `ids` and `logprobs`, one
 * a token.
 */
import { fail, show } from '../errors.js'
import { readMask } from './assistant-mask.js'
import { readMessageIds } from './message-ids.js'
import type { MessageTurns } from './message-turns.js'
import {
  asTokenCount,
  type RolloutTokens,
  type SequenceSpan,
  type TokenSpan,
  type TokenValues,
} from './read.js'
import { asLogprobs, asTokenIds } from './sequence-list.js'
import { firstDifference, readSteps } from './steps.js'
import { readTurnIds } from './turn-ids.js'

type Fields = Readonly<Record<string, unknown>>

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** The fields that decide the form. */
const marks = ['turns', 'turnIds', 'mask', 'messageIds', 'steps'] as const
type Mark = (typeof marks)[number]

/** What is known of a rollout besides its tokens. */
export interface TokenContext {
  /** Its messages, where it has them; asked for by the forms that speak of them. */
  readonly messages: () => MessageTurns | undefined
  /** Turns that need a list of spans: those that were logged or scored. */
  readonly numTurns: number
}

/** Length, ids and log-probabilities of one sequence.
 * @param known - its length, where the form tells it
 */
function sequenceOf(place: string, fields: Fields, known?: number): { length: number } & TokenValues {
  const ids = isGiven(fields.ids) ? asTokenIds(`${place}.ids`, fields.ids) : undefined
  const told = isGiven(fields.length) ? asTokenCount(`${place}.length`, fields.length) : undefined
  const length = known ?? told ?? ids?.length ?? asTokenCount(`${place}.length`, fields.length)
  if (told !== undefined && told !== length) fail('LENGTH', `${place}.length`, `${length}`, `${told}`)
  if (ids !== undefined && ids.length !== length)
    fail('LENGTH', `${place}.ids`, `${length} ids, one a token`, `${ids.length}`)
  return {
    length,
    ...(ids && { ids }),
    ...(isGiven(fields.logprobs) && {
      logprobs: asLogprobs(`${place}.logprobs`, fields.logprobs, length),
    }),
  }
}

function asSequences(place: string, value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) fail('TYPE', place, 'a list with one entry a sequence', show(value))
  value.forEach((one: unknown, q) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one))
      fail('TYPE', `${place}[${q}]`, 'an object that tells its tokens', show(one))
  })
  return value
}

/** Lists for every turn, also for those without a token. */
function filled<Span>(turns: Span[][], numTurns: number): Span[][] {
  while (turns.length < numTurns) turns.push([])
  return turns
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0)

function turnIdsOf(place: string, fields: Fields, { messages, numTurns }: TokenContext): RolloutTokens {
  const turns: SequenceSpan[][] = []
  const limit = messages()?.numTurns
  if (!isGiven(fields.sequences)) {
    readTurnIds(`${place}.turnIds`, fields.turnIds, 0, limit, turns)
    const own = filled(turns, numTurns).map((spans) => spans.map(([, start, end]): TokenSpan => [start, end]))
    return { ...sequenceOf(place, fields, lengthOf(fields.turnIds)), turns: own }
  }
  const sequences = asSequences(`${place}.sequences`, fields.sequences).map((one, q) => {
    const here = `${place}.sequences[${q}]`
    readTurnIds(`${here}.turnIds`, one.turnIds, q, limit, turns)
    return sequenceOf(here, one, lengthOf(one.turnIds))
  })
  return { sequences, turns: filled(turns, numTurns) }
}

/** Spans as they are told; lengths may stand as ids. The spans are checked by `readSpans`. */
function spansOf(place: string, fields: Fields): RolloutTokens {
  const turns = fields.turns as TokenSpan[][] & SequenceSpan[][]
  if (!('sequences' in fields)) return { ...sequenceOf(place, fields), turns }
  if (isGiven(fields.length)) fail('MISMATCH', place, 'either length or sequences', 'both')
  const sequences = asSequences(`${place}.sequences`, fields.sequences)
  return { sequences: sequences.map((one, q) => sequenceOf(`${place}.sequences[${q}]`, one)), turns }
}

/** The forms that the tokens of a rollout are told in: one, if all is well. */
function formsOf(fields: Fields): Mark[] {
  const found: Mark[] = marks.filter((name) => isGiven(fields[name]))
  const { sequences } = fields
  if (
    !found.includes('turnIds') &&
    Array.isArray(sequences) &&
    sequences.some((one) => isGiven(one?.turnIds))
  )
    found.push('turnIds')
  return found
}

/** Whether something tells the turns of the tokens; else there are ids at most. */
export function hasTokenForm(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true // and no good one
  const fields = value as Fields
  const { ids, sequences } = fields
  const hasIds =
    isGiven(ids) ||
    (Array.isArray(sequences) && sequences.length > 0 && sequences.every((one) => isGiven(one?.ids)))
  return !hasIds || formsOf(fields).length > 0
}

function formOf(place: string, fields: Fields): Mark {
  const found = formsOf(fields)
  if (found.length > 1) fail('MISMATCH', place, `one of ${found.join(', ')}`, 'several')
  const [form] = found
  if (form !== undefined && form !== 'mask' && isGiven(fields.messages))
    fail('MISMATCH', place, `one of ${form}, mask with messages`, 'parts of both')
  if (form !== undefined && isGiven(fields.sequences) && form !== 'turns' && form !== 'turnIds')
    fail('MISMATCH', place, `one of ${form}, sequences`, 'both')
  if (form !== undefined) return form
  return fail(
    'MISSING',
    place,
    `what tells the turns of the tokens (one of ${marks.join(', ')})`,
    isGiven(fields.ids) ? 'ids only' : 'none',
  )
}

/** Tokens of a form that has ids of its own; a length and ids that stand beside it say the same. */
function agreeing(place: string, fields: Fields, tokens: RolloutTokens): RolloutTokens {
  if (!isGiven(fields.ids) && !isGiven(fields.length)) return tokens
  if ('sequences' in tokens)
    return fail('MISMATCH', place, 'steps of several sequences alone', 'ids or length')
  const { ids = [] } = sequenceOf(place, { ids: fields.ids, length: fields.length }, tokens.length)
  const at = firstDifference(ids, tokens.ids ?? [])
  if (at >= 0) fail('MISMATCH', `${place}.ids[${at}]`, `${tokens.ids?.[at]}, as told elsewhere`, `${ids[at]}`)
  return tokens
}

/** Brings the tokens of a rollout to lengths and spans, whatever form they are told in.
 * @param place - of the tokens, for errors: `tokens`
 * @param value - one of the forms; spans are not checked here but by `readSpans`
 * @throws TaraError `MISSING` for no form, or one that needs messages; `MISMATCH` for two at once, or ids that do not
 *   go on from those before; `SPAN`, `TYPE`, `RANGE`, `LENGTH`
 */
export function resolveTokens(place: string, value: unknown, context: TokenContext): RolloutTokens {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail('TYPE', place, 'an object with length or sequences, and turns', show(value))
  const fields = value as Fields
  const isPlain = Object.keys(fields).every((name) => name === 'turns' || name === 'length')
  if (isPlain && 'turns' in fields && 'length' in fields) return value as RolloutTokens // `readLengths` and `readSpans` say all there is to say
  const form = formOf(place, fields)
  if (form === 'turns') return spansOf(place, fields)
  if (form === 'turnIds') return turnIdsOf(place, fields, context)
  const messages = context.messages()
  if (form === 'steps') return agreeing(place, fields, readSteps(`${place}.steps`, fields.steps, messages))
  if (messages === undefined)
    return fail('MISSING', place, `messages in the record, which ${form} speaks of`, 'none')
  if (form === 'messageIds')
    return agreeing(
      place,
      fields,
      readMessageIds(place, fields.messageIds, fields.logprobs ?? undefined, messages),
    )
  return {
    ...sequenceOf(place, fields, lengthOf(fields.mask)),
    turns: readMask(place, fields.mask, fields.messages, messages),
  }
}
