/**
 * A conversation → token ids, and the spans that each turn of the assistant owns in them.
 *
 * The text of assistant message m is what the chat template adds between two renderings:
 *
 *     prompt[m] = render(messages[0 … m-1], with the header of the next message)
 *     render(messages[0 … m]) = prompt[m] + text[m]
 *
 * A prompt that goes on from all text so far goes on in the same sequence. Where the template wrote earlier messages
 * otherwise (Qwen3 leaves reasoning out), the prompt begins another sequence: as the sampler saw it. Each text of the
 * assistant is trained once, where it was generated.
 *
 * Prompts and texts of the assistant are encoded apart, as a sampler has them, so that no token crosses the border.
 */
import { fail, show } from '../errors.js'
import { type Check, oneOf, optional, resolveOptions } from '../options.js'
import type { MessageTurns } from '../tokens/message-turns.js'
import type { RolloutTokens } from '../tokens/read.js'
import { asTokenIds } from '../tokens/sequence-list.js'
import { firstDifference } from '../tokens/steps.js'
import type { ChatTokenizer } from './chat-tokenizer.js'
import { encodeTexts, type SequenceText } from './encode-texts.js'
import type { MessageFormat } from './message-format.js'
import { messageTurns } from './message-turns.js'
import { openai } from './openai.js'
import { renderer } from './rendering.js'
import type { TemplateMessage } from './template-messages.js'
import type { Turns } from './turns.js'
import { type WrittenText, writtenText } from './written-text.js'

/** A conversation whose tokens are wanted. */
export interface Conversation {
  /** OpenAI chat messages. */
  readonly messages: readonly unknown[]
  /** Tools as the template takes them: `[{ "type": "function", "function": { … } }]`. */
  readonly tools?: readonly unknown[] | undefined
  /** How the messages are read: `hermes` for calls in the text. Default: OpenAI chat messages. */
  readonly format?: MessageFormat | undefined
  /** What counts as a turn. Default `user`. */
  readonly turns?: Turns | undefined
  /** Whether a limit ended the rollout: the assistant's message at its end then has no end token. Default false. */
  readonly isTruncated?: boolean | undefined
  /** Ids as they were sampled, a list a sequence: the rendered ids must be these. */
  readonly sampled?: readonly (readonly number[])[] | undefined
}

export interface TokenizeOptions {
  /** Whether the token that ends a message of the assistant belongs to its span. */
  readonly endToken: 'include' | 'exclude'
  /** Whether the assistant's reasoning belongs to its span. A think block that the template puts in never does. */
  readonly reasoning: 'include' | 'exclude'
  /** `several`: a prompt that does not go on from the text so far begins another sequence; `one`: it is an error. */
  readonly sequences: 'several' | 'one'
  /** `pieces`: prompts and texts of the assistant are encoded apart; `whole`: the text of a sequence at once, as trainers
   * do that encode again. There a token may cross the start of a span: it belongs to what it starts in. */
  readonly encode: 'pieces' | 'whole'
  /** `exact`: the text of arguments must be rendered to the letter; `spacing`: white space between JSON tokens may
   * differ. */
  readonly argumentsText: 'exact' | 'spacing'
  /** Tags around reasoning. */
  readonly reasoningTags: readonly [open: string, close: string]
  /** Variables of the template: `{ enable_thinking: false }`. */
  readonly variables: Readonly<Record<string, unknown>> | undefined
}

export const tokenizeDefaults: Readonly<TokenizeOptions> = Object.freeze({
  endToken: 'include',
  reasoning: 'include',
  sequences: 'several',
  encode: 'pieces',
  argumentsText: 'exact',
  reasoningTags: Object.freeze(['<think>', '</think>'] as const),
  variables: undefined,
})

const twoTags: Check = (value) =>
  Array.isArray(value) && value.length === 2 && value.every((tag) => typeof tag === 'string' && tag !== '')
    ? undefined
    : 'an opening and a closing tag'

const anObject: Check = (value) => (typeof value === 'object' && value !== null ? undefined : 'an object')

export const tokenizeChecks: { readonly [Name in keyof TokenizeOptions]-?: Check } = {
  endToken: oneOf('include', 'exclude'),
  reasoning: oneOf('include', 'exclude'),
  sequences: oneOf('several', 'one'),
  encode: oneOf('pieces', 'whole'),
  argumentsText: oneOf('exact', 'spacing'),
  reasoningTags: twoTags,
  variables: optional(anObject),
}

/** Where two texts part. */
function parting(a: string, b: string): number {
  let k = 0
  while (k < a.length && k < b.length && a[k] === b[k]) k++
  return k
}

/** Tags of calls that stand in the text of the assistant. */
const callTags = ['<tool_call>', '</tool_call>'] as const

/** Refuses text of the assistant that holds the text of a special token: whether it sampled the token or its text,
 * only ids can tell. Tags of reasoning and of calls are special for some models, and meant.
 * @throws TaraError `MISMATCH` with the path of the field
 */
function refuseSpecial(
  { place, content, reasoning, calls }: TemplateMessage,
  specialTexts: readonly string[],
  reasoningTags: TokenizeOptions['reasoningTags'],
): void {
  const meant: readonly string[] = [...reasoningTags, ...callTags]
  const texts: [string, string][] = [
    [`${place}.content`, content],
    [`${place}.reasoning_content`, reasoning],
    ...calls.map((call): [string, string] => [call.place, `${call.name} ${call.shown}`]),
  ]
  for (const special of specialTexts)
    for (const [here, text] of texts)
      if (text.includes(special) && !meant.includes(special))
        fail(
          'MISMATCH',
          here,
          'text without special tokens (record the sampled ids, which tell whether it is the token)',
          show(special),
        )
}

/** A growing sequence of texts. */
interface Growing {
  text: string
  readonly parts: SequenceText
}

/** Puts the texts of a conversation into sequences. */
function sequencesOf(
  tokenizer: ChatTokenizer,
  conversation: Conversation,
  turns: MessageTurns,
  options: TokenizeOptions,
): SequenceText[] {
  const { messages, isTruncated = false } = conversation
  const rendered = renderer(tokenizer, conversation, options)
  const sequences: Growing[] = []
  turns.isWritten.forEach((isWritten, m) => {
    if (!isWritten) return
    const { prompt, added, message, tail } = rendered.message(m)
    const isCut = isTruncated && m === messages.length - 1
    const own: WrittenText = writtenText(prompt, added, message, tail, options, isCut)
    if (turns.turn[m]! >= 0 && conversation.sampled === undefined)
      refuseSpecial(message, tokenizer.specialTexts, options.reasoningTags)
    let latest = sequences.at(-1)
    if (latest === undefined || !prompt.startsWith(latest.text)) {
      if (latest !== undefined && options.sequences === 'one') {
        const at = parting(latest.text, prompt)
        fail(
          'MISMATCH',
          `messages[${m}]`,
          `a prompt that goes on from ${show(latest.text.slice(at, at + 50))} (option sequences: "several" begins another sequence)`,
          show(prompt.slice(at, at + 50)),
        )
      }
      latest = { text: '', parts: [] }
      sequences.push(latest)
    }
    const { end } = own
    const spanEnd = options.endToken === 'include' ? end : own.bodyEnd
    const spanStart = options.reasoning === 'include' ? own.start : own.reasoningEnd
    latest.parts.push(
      { text: prompt.slice(latest.text.length) + added.slice(0, own.start), isWritten: false },
      {
        text: added.slice(own.start, end),
        isWritten: true,
        message: m,
        turn: turns.turn[m]!,
        span: [spanStart - own.start, Math.max(spanStart, spanEnd) - own.start],
      },
    )
    latest.text = prompt + added.slice(0, end)
  })
  return sequences.map(({ parts }) => parts)
}

/** The sampled ids, checked against the rendered ones. What follows the last token of the assistant is as it was sampled.
 * @throws TaraError `MISMATCH` at the first id that differs, `LENGTH`
 */
function withSampled(rendered: RolloutTokens, sampled: readonly (readonly number[])[]): RolloutTokens {
  const sequences = 'sequences' in rendered ? rendered.sequences : [rendered]
  if (sampled.length !== sequences.length)
    fail('LENGTH', 'tokens', `${sequences.length} sequences, as the template renders`, `${sampled.length}`)
  const taken = sequences.map(({ ids = [] }, q) => {
    const place = 'sequences' in rendered ? `tokens.sequences[${q}].ids` : 'tokens.ids'
    const own = asTokenIds(place, sampled[q])
    const at = firstDifference(ids, own)
    if (at >= 0)
      fail(
        'MISMATCH',
        `${place}[${at}]`,
        `${ids[at]}, as the messages are rendered (give the spans of the sampled ids instead)`,
        at < own.length ? `${own[at]}` : 'the end',
      )
    return { length: own.length, ids: own }
  })
  return 'sequences' in rendered ? { ...rendered, sequences: taken } : { ...rendered, ...taken[0]! }
}

/** Renders a conversation, encodes it, and finds the spans of each turn.
 *
 * What the assistant wrote must be rendered to the letter, and its tokens must be the bytes of its text. A prompt is
 * encoded as the tokenizer has it, its normalizer included.
 * @param tokenizer - from `loadTokenizer`
 * @param options - see `tokenizeDefaults`
 * @returns ids and spans; one sequence, or several where a prompt did not go on from the text so far
 * @throws TaraError `MISMATCH` with the path where the template or the tokenizer changes what the assistant wrote, or
 *   sampled ids are others; `TYPE`, `LENGTH`, `OPTION`
 */
export function tokenize(
  tokenizer: ChatTokenizer,
  conversation: Conversation,
  options?: Partial<TokenizeOptions>,
): RolloutTokens {
  const resolved = resolveOptions('tokenize', options, tokenizeDefaults, tokenizeChecks)
  if (!Array.isArray(conversation.messages))
    fail('TYPE', 'messages', 'a list of messages', show(conversation.messages))
  const turns = messageTurns(conversation.format ?? openai, conversation.messages, conversation.turns)
  const texts = sequencesOf(tokenizer, conversation, turns, resolved)
  const rendered = encodeTexts(tokenizer, texts, turns.numTurns, resolved.encode)
  return conversation.sampled === undefined ? rendered : withSampled(rendered, conversation.sampled)
}
