/**
 * A tokenizer and its chat template, from the files that a model is published with.
 *
 * Needs the optional packages `@huggingface/tokenizers` and `@huggingface/jinja`; they are loaded here and nowhere else.
 */

import { fail, show } from '../errors.js'
import { addedTokens, checkByteLevel, specialTexts, tokenBytes } from './byte-lengths.js'
import { type Fields, isFields } from './fields.js'
import { installedPeers, loadPeer, type Peers } from './peers.js'

export interface TokenizerFiles {
  /** `tokenizer.json`, parsed. */
  readonly tokenizer: unknown
  /** `tokenizer_config.json`, parsed: names of special tokens and often the template. */
  readonly config?: unknown
  /** Text of the chat template. Default: that of `config`. */
  readonly chatTemplate?: string | undefined
}

/** What the template is given besides the messages. */
export interface RenderOptions {
  readonly tools?: readonly unknown[] | undefined
  /** Whether the header of the assistant's next message stands at the end. */
  readonly generationPrompt: boolean
  /** Variables of the template: `{ enable_thinking: false }`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

/** Text to token ids and back, and a conversation to text. */
export interface ChatTokenizer {
  /** The ids of a text; special tokens that stand in it count as such, none is added. */
  encode(text: string): number[]
  /** The text of ids: their bytes, read as UTF-8. */
  decode(ids: readonly number[]): string
  /** The bytes of a token; shared, not to be changed. */
  bytesOf(id: number): Uint8Array
  /** Text of an added token, such as `<|im_end|>`; undefined for any other. */
  addedToken(id: number): string | undefined
  /** Texts of the special tokens: where they stand in a text they are encoded as such. */
  readonly specialTexts: readonly string[]
  /** The text of a conversation as the chat template writes it.
   * @param messages - as the template takes them: content is text, arguments are objects
   * @throws TaraError `MISMATCH` where the template refuses them
   */
  render(messages: readonly unknown[], options: RenderOptions): string
}

/** Templates by name, where a config has several: the one for tools if there are any. */
function templateText(place: string, template: unknown, hasTools: boolean): string {
  if (typeof template === 'string') return template
  if (Array.isArray(template)) {
    const named = (name: string): unknown =>
      template.find((one) => isFields(one) && one.name === name)?.template
    const text = (hasTools ? named('tool_use') : undefined) ?? named('default')
    if (typeof text === 'string') return text
  }
  return fail('MISSING', place, 'the text of a chat template', show(template))
}

/** Names of special tokens with their text: `eos_token` is `<|im_end|>`. */
function specialTokens(config: Fields): Record<string, string> {
  const tokens: Record<string, string> = {}
  for (const [name, value] of Object.entries(config)) {
    if (!name.endsWith('_token')) continue
    const text = isFields(value) ? value.content : value
    if (typeof text === 'string') tokens[name] = text
  }
  return tokens
}

/** Loads a tokenizer with its chat template.
 * @param files - parsed; where they come from is the caller's business
 * @param peers - loads the two packages; default: those that are installed
 * @throws TaraError `MISSING` for a package that is not installed (with the command), or no template; `TYPE` for a
 *   tokenizer that is no byte-level BPE; `MISMATCH` for files that the packages refuse
 */
export async function loadTokenizer(
  files: TokenizerFiles,
  peers: Peers = installedPeers,
): Promise<ChatTokenizer> {
  const { tokenizer, config = {} } = files
  if (!isFields(tokenizer)) return fail('TYPE', 'loadTokenizer: tokenizer', 'an object', show(tokenizer))
  if (!isFields(config)) return fail('TYPE', 'loadTokenizer: config', 'an object', show(config))
  checkByteLevel('loadTokenizer: tokenizer', tokenizer)
  const template = files.chatTemplate ?? config.chat_template
  templateText('loadTokenizer: chatTemplate', template, false)
  const { Tokenizer } = await loadPeer('loadTokenizer', '@huggingface/tokenizers', peers.tokenizers)
  const { Template } = await loadPeer('loadTokenizer', '@huggingface/jinja', peers.jinja)

  function made<Made>(place: string, make: () => Made): Made {
    try {
      return make()
    } catch (error) {
      return fail('MISMATCH', `loadTokenizer: ${place}`, 'one that can be read', messageOf(error))
    }
  }
  const model = made('tokenizer', () => new Tokenizer(tokenizer, config))
  const templates = [false, true].map((hasTools) =>
    made('chatTemplate', () => new Template(templateText('loadTokenizer: chatTemplate', template, hasTools))),
  )
  const added = addedTokens(tokenizer)
  const bytesOf = tokenBytes(added, (id) => model.id_to_token(id))
  const special = specialTokens(config)

  return {
    encode: (text) => (text === '' ? [] : model.encode(text, { add_special_tokens: false }).ids),
    decode(ids) {
      const parts = ids.map(bytesOf)
      const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
      let at = 0
      for (const part of parts) {
        bytes.set(part, at)
        at += part.length
      }
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    },
    bytesOf,
    addedToken: (id) => added.get(id),
    specialTexts: specialTexts(tokenizer),
    render(messages, { tools, generationPrompt, variables }) {
      const hasTools = tools !== undefined && tools.length > 0
      try {
        return templates[hasTools ? 1 : 0]!.render({
          ...special,
          ...variables,
          messages,
          ...(hasTools && { tools }),
          add_generation_prompt: generationPrompt,
        })
      } catch (error) {
        return fail('MISMATCH', 'chat template', 'messages that it renders', messageOf(error))
      }
    },
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.split('\n')[0]! : String(error)
