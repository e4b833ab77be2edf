/**
 * What a tokenizer is loaded from: files that will not do, and packages that are not there.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { TaraError } from '../../src/errors.js'
import { loadTokenizer, type TokenizerFiles } from '../../src/formats/chat-tokenizer.js'
import { installedPeers, type Peers } from '../../src/formats/peers.js'
import { tokenize } from '../../src/formats/tokenize.js'
import { markNumbers, unmarkNumbers } from '../../src/formats/written-numbers.js'
import { filesOf, textsOf } from './qwen.js'

async function fault(files: TokenizerFiles, peers?: Peers): Promise<string> {
  try {
    await loadTokenizer(files, peers)
  } catch (error) {
    if (error instanceof TaraError) return `${error.code} ${error.message}`
    throw error
  }
  return 'none'
}

/** A byte-level BPE of single bytes and a few added tokens, small enough to read. */
function smallTokenizer(more: object = {}, added: readonly object[] = []): object {
  const vocab: Record<string, number> = {}
  let next = 256
  for (let byte = 0; byte < 256; byte++) {
    const isItself = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
    vocab[String.fromCharCode(isItself ? byte : next++)] = byte
  }
  const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }
  return {
    version: '1.0',
    added_tokens: [{ id: 300, content: '<end>', ...plain }, ...added.map((one) => ({ ...plain, ...one }))],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: false },
    post_processor: null,
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab, merges: [] },
    ...more,
  }
}

const template =
  "{% for m in messages %}{{ '<' + m.role + '>' + m.content + '<end>' }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
const talk = {
  messages: [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'bé' },
  ],
}

async function small(chatTemplate: string, ...args: Parameters<typeof smallTokenizer>): Promise<string[][]> {
  const tokenizer = await loadTokenizer({ tokenizer: smallTokenizer(...args), chatTemplate })
  return textsOf(tokenizer, tokenize(tokenizer, talk))
}

async function smallFault(...args: Parameters<typeof small>): Promise<string> {
  try {
    await small(...args)
  } catch (error) {
    if (error instanceof TaraError) return `${error.code} ${error.message}`
    throw error
  }
  return 'none'
}

describe('a tokenizer', () => {
  it('is refused where it is no byte-level BPE', async () => {
    for (const tokenizer of [
      {},
      { model: { type: 'Unigram' }, decoder: { type: 'ByteLevel' } },
      { model: { type: 'BPE' }, decoder: { type: 'Sequence', decoders: [{ type: 'ByteFallback' }] } },
    ])
      expect(await fault({ tokenizer, chatTemplate: '' })).toMatch(
        /^TYPE loadTokenizer: tokenizer: expected a byte-level BPE/,
      )
    expect(await fault({ tokenizer: 'x', chatTemplate: '' })).toMatch(
      /^TYPE loadTokenizer: tokenizer: expected an object/,
    )
    expect(await fault({ tokenizer: smallTokenizer(), config: [], chatTemplate: '' })).toMatch(
      /^TYPE loadTokenizer: config: /,
    )
    const { model: _model, ...rest } = smallTokenizer() as { model: object }
    expect(await fault({ tokenizer: { ...rest, model: { type: 'BPE' } }, chatTemplate: '' })).toMatch(
      /^MISMATCH loadTokenizer: tokenizer: expected one that can be read, got /,
    )
  })

  it('needs a chat template, which can be read', async () => {
    expect(await fault({ tokenizer: smallTokenizer() })).toMatch(
      /^MISSING loadTokenizer: chatTemplate: expected the text of a chat template, got undefined$/,
    )
    expect(await fault({ tokenizer: smallTokenizer(), chatTemplate: '{% if %}' })).toMatch(
      /^MISMATCH loadTokenizer: chatTemplate: /,
    )
    expect(await fault({ tokenizer: smallTokenizer(), config: { chat_template: template } })).toBe('none')
  })

  it('names the package that is missing, and the command that installs it', async () => {
    const missing = async (): Promise<never> => {
      throw new Error("Cannot find package 'x'")
    }
    const files = { tokenizer: smallTokenizer(), chatTemplate: template }
    expect(await fault(files, { ...installedPeers, tokenizers: missing })).toBe(
      "MISSING loadTokenizer: expected the package @huggingface/tokenizers (npm install @huggingface/tokenizers), got Cannot find package 'x'",
    )
    expect(await fault(files, { ...installedPeers, jinja: missing })).toMatch(
      /npm install @huggingface\/jinja/,
    )
  })

  it('is loaded with the template for tools where there are tools', async () => {
    const tokenizer = await loadTokenizer({
      tokenizer: smallTokenizer(),
      config: {
        chat_template: [
          { name: 'default', template: 'plain' },
          { name: 'tool_use', template: 'tools' },
        ],
      },
    })
    expect(tokenizer.render([], { generationPrompt: false })).toBe('plain')
    expect(tokenizer.render([], { generationPrompt: false, tools: [] })).toBe('plain')
    expect(tokenizer.render([], { generationPrompt: false, tools: [{}] })).toBe('tools')
  })
})

describe('a template', () => {
  it('ends messages as it likes: the first added token belongs to the message', async () => {
    expect(await small(template)).toEqual([['bé<end>']])
    expect(await small(template.replace("'<end>' }}", "'<end>' + '\\n\\n' }}"))).toEqual([['bé<end>']])
    expect(await small(template.replace("'<end>'", "'\\n'"))).toEqual([['bé']])
  })

  it('is refused where it changes what the assistant wrote, leaves it out, or adds to it', async () => {
    const put = (content: string): string => template.replace('m.content', content)
    expect(await smallFault(put('m.content | upper'))).toMatch(
      /^MISMATCH (chat template|messages\[1\]\.content): /,
    )
    expect(await smallFault(put("'x'"))).toBe(
      "MISMATCH chat template: expected one that writes the assistant's content, got one that does not",
    )
    expect(await smallFault(put("m.content + ('!' if m.content == 'bé' else '')"))).toMatch(
      /^MISMATCH messages\[1\]\.content: /,
    )
    expect(
      await smallFault(put('m.content').replace('>assistant>', '>').replace('<assistant>', '<model>')),
    ).toMatch(/^MISMATCH messages\[1\]: expected text that goes on from its prompt /)
    expect(await smallFault("{{ raise_exception('no such role') }}")).toBe(
      'MISMATCH chat template: expected messages that it renders, got no such role',
    )
  })
})

describe('the tokens', () => {
  it('are refused where a normalizer, a space in front or an added token that eats space changes the text', async () => {
    const pre = { type: 'ByteLevel', add_prefix_space: true, use_regex: false }
    for (const [tokenizer, added] of [
      [{ normalizer: { type: 'Lowercase' } }, []],
      [{ pre_tokenizer: pre }, []],
      [{}, [{ id: 301, content: 'é', lstrip: true, special: false }]],
    ] as const) {
      const messages = [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'B é' },
      ]
      const loaded = await loadTokenizer({
        tokenizer: smallTokenizer(tokenizer, added),
        chatTemplate: template,
      })
      expect(() => tokenize(loaded, { messages })).toThrow(
        /^messages\[1\]: expected text that the tokenizer does not change/,
      )
    }
  })

  it('belong to a span if they start in it, where one token covers its border', async () => {
    const merged = [{ id: 301, content: '>b', special: false }]
    const loaded = await loadTokenizer({ tokenizer: smallTokenizer({}, merged), chatTemplate: template })
    expect(textsOf(loaded, tokenize(loaded, talk, { encode: 'whole' }))).toEqual([['é<end>']])
    expect(textsOf(loaded, tokenize(loaded, talk))).toEqual([['bé<end>']])
  })
})

describe('numbers as they were written', () => {
  it('survive parsing, a template and integer keys', () => {
    const text = '{"10":1.0,"2":[-0,1e400,0.10,12345678901234567890],"s":"1.0 \\"2\\": é","n":1.5}'
    expect(unmarkNumbers(JSON.stringify(JSON.parse(markNumbers(text))))).toBe(text)
    expect(markNumbers('{"a":1,"b":2.5}')).toBe('{"a":1,"b":2.5}')
  })
})

describe('the files of Qwen', () => {
  let files: TokenizerFiles

  beforeAll(() => {
    files = filesOf('qwen2_5')
  })

  it('decode ids to their bytes, a character in several tokens too', async () => {
    const tokenizer = await loadTokenizer(files)
    const text = '\ufeff👩‍👩‍👧 <|im_end|>'
    const ids = tokenizer.encode(text)
    expect(tokenizer.decode(ids)).toBe(text)
    expect(ids.length).toBeGreaterThan(4)
    expect(tokenizer.encode('')).toEqual([])
    expect(() => tokenizer.bytesOf(-1)).toThrow('token id: expected one of the vocabulary, got -1')
  })
})
