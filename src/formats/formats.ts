/**
 * The formats that are read, by name.
 */
import { aiSdk } from './ai-sdk.js'
import { anthropic } from './anthropic.js'
import { atif } from './atif.js'
import { bfcl } from './bfcl.js'
import type { DocumentFormat } from './document.js'
import { hermes } from './hermes.js'
import { mcp } from './mcp.js'
import type { MessageFormat } from './message-format.js'
import { openai } from './openai.js'
import { responses } from './responses.js'
import { tauBench } from './tau-bench.js'
import { tau2Bench } from './tau2-bench.js'

/** A format of messages, as `from` and `--from` name it. */
export type MessageFormatName = 'openai' | 'responses' | 'anthropic' | 'hermes' | 'mcp' | 'ai-sdk'

/** A format of whole documents. */
export type DocumentFormatName = 'tau-bench' | 'tau2-bench' | 'atif' | 'bfcl'

export type FormatName = MessageFormatName | DocumentFormatName

/** Readers of messages. */
export const messageFormats: Readonly<Record<MessageFormatName, MessageFormat>> = Object.freeze({
  openai,
  responses,
  anthropic,
  hermes,
  mcp,
  'ai-sdk': aiSdk,
})

/** Readers of documents. */
export const documentFormats: readonly DocumentFormat[] = Object.freeze([tauBench, tau2Bench, atif, bfcl])

export const formatNames: readonly FormatName[] = Object.freeze([
  ...(Object.keys(messageFormats) as MessageFormatName[]),
  ...documentFormats.map(({ name }) => name as DocumentFormatName),
])

const messageTitles: Readonly<Record<MessageFormatName, string>> = {
  openai: 'OpenAI chat messages',
  responses: 'OpenAI Responses items',
  anthropic: 'Anthropic messages',
  hermes: 'Hermes text',
  mcp: 'MCP messages',
  'ai-sdk': 'AI SDK messages',
}

/** What a message to the user calls a format. */
export function titleOf(name: string): string {
  return (
    messageTitles[name as MessageFormatName] ??
    documentFormats.find((format) => format.name === name)?.title ??
    name
  )
}
