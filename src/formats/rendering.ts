/**
 * The texts of a conversation, message by message, as a chat template writes them.
 */

import { fail, show, TaraError } from '../errors.js'
import type { ChatTokenizer } from './chat-tokenizer.js'
import type { Fields } from './fields.js'
import { type TemplateMessage, templateMessage } from './template-messages.js'
import { unmarkNumbers } from './written-numbers.js'
import { type MessageTail, type WrittenRules, writtenText } from './written-text.js'

/** A message of the assistant as it is rendered. */
export interface RenderedMessage {
  /** All text before what it wrote, with its header. */
  readonly prompt: string
  /** What the template adds for it. */
  readonly added: string
  readonly message: TemplateMessage
  readonly tail: MessageTail
}

export interface Renderer {
  /** Renders message m, which the assistant wrote; messages are asked for in order.
   * @throws TaraError `MISMATCH` where the text does not go on from its prompt
   */
  message(m: number): RenderedMessage
}

/** A content that no template changes. */
const PROBE = 'q7Xw2'

/** Roles that every chat template renders. Others may be left out without a word, which is looked at. */
const usualRoles: ReadonlySet<string> = new Set(['system', 'user', 'assistant', 'tool'])

/** How the template ends a message of the assistant. */
function tailOf(tokenizer: ChatTokenizer, { variables, reasoningTags }: RendererOptions): MessageTail {
  const text = tokenizer.render(
    [
      { role: 'user', content: PROBE },
      { role: 'assistant', content: PROBE },
    ],
    { generationPrompt: false, variables },
  )
  const at = text.lastIndexOf(PROBE)
  if (at < 0)
    fail('MISMATCH', 'chat template', "one that writes the assistant's content", 'one that does not')
  const tail = text.slice(at + PROBE.length)
  const ids = tokenizer.encode(tail)
  const added = ids.findIndex((id) => tokenizer.addedToken(id) !== undefined)
  const before = text.slice(0, at)
  const trimmed = before.trimEnd()
  return {
    text: tail,
    end: added >= 0 ? tokenizer.decode(ids.slice(0, added + 1)).length : 0,
    separator: trimmed.endsWith(reasoningTags[1]) ? before.length - trimmed.length : undefined,
  }
}

export interface RendererOptions extends WrittenRules {
  readonly variables: Fields | undefined
}

/** Makes a renderer of one conversation. */
export function renderer(
  tokenizer: ChatTokenizer,
  {
    messages,
    tools,
  }: { readonly messages: readonly unknown[]; readonly tools?: readonly unknown[] | undefined },
  options: RendererOptions,
): Renderer {
  const { variables } = options
  const read = messages.map((one, m) => templateMessage(`messages[${m}]`, one))
  /** Each message as the template is given it: its arguments as objects, or as texts where only they come out right. */
  const given: Fields[] = read.map(({ parsed, verbatim }) => parsed ?? verbatim)
  let tail: MessageTail | undefined

  const render = (count: number, generationPrompt: boolean): string =>
    unmarkNumbers(tokenizer.render(given.slice(0, count), { tools, generationPrompt, variables }))

  function checkRole(m: number): void {
    const { place, role, content } = read[m]!
    if (!usualRoles.has(role) && content !== '' && render(m + 1, false) === render(m, false))
      fail('MISMATCH', `${place}.role`, 'a role that the chat template writes', show(role))
  }

  /** The text before what message m is in a conversation that ends with it. Some templates write the message before it
   * otherwise than in its prompt (Qwen3 gives only the last one a think block): then it is what stands before a content
   * that is known, up to the header that the prompt ends with.
   */
  function baseOf(m: number, prompt: string): string {
    const history = render(m, false)
    const probe = given.slice(0, m).concat({ role: 'assistant', content: PROBE })
    const text = unmarkNumbers(tokenizer.render(probe, { tools, generationPrompt: false, variables }))
    const before = text.slice(0, text.lastIndexOf(PROBE))
    const header = prompt.startsWith(history) ? prompt.slice(history.length) : ''
    const [open, close] = options.reasoningTags
    const end = header === '' ? -1 : before.lastIndexOf(header)
    const between = before.slice(end + header.length).trim()
    const isHeader =
      between === '' || (between.startsWith(open) && between.slice(open.length).trim() === close)
    return end >= 0 && isHeader ? before.slice(0, end + header.length) : prompt
  }

  /** What the template adds for message m behind its prompt. */
  function added(m: number, prompt: string): string {
    const text = render(m + 1, false)
    if (text.startsWith(prompt)) return text.slice(prompt.length)
    const base = baseOf(m, prompt)
    if (text.startsWith(base)) return text.slice(base.length)
    let at = 0
    while (at < text.length && text[at] === prompt[at]) at++
    return fail(
      'MISMATCH',
      `messages[${m}]`,
      `text that goes on from its prompt ${show(prompt.slice(Math.max(at - 10, 0), at + 40))}`,
      show(text.slice(Math.max(at - 10, 0), at + 40)),
    )
  }

  /** Whether arguments as objects are rendered as the log has them; else as texts, which may be. */
  function addedAsLogged(m: number, prompt: string, tail: MessageTail): string {
    const message = read[m]!
    const asObjects = added(m, prompt)
    if (message.parsed === undefined || message.calls.every(({ text }) => text === undefined))
      return asObjects
    try {
      writtenText(prompt, asObjects, message, tail, options)
      return asObjects
    } catch (error) {
      if (!(error instanceof TaraError)) throw error
    }
    given[m] = message.verbatim
    const asTexts = added(m, prompt)
    try {
      writtenText(prompt, asTexts, message, tail, options)
      return asTexts
    } catch (error) {
      if (!(error instanceof TaraError)) throw error
      given[m] = message.parsed
      return asObjects
    }
  }

  let checked = 0
  return {
    message(m) {
      tail ??= tailOf(tokenizer, options)
      for (; checked <= m; checked++) checkRole(checked)
      const prompt = render(m, true)
      return { prompt, added: addedAsLogged(m, prompt, tail), message: read[m]!, tail }
    },
  }
}
