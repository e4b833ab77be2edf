/**
 * Readers of rollout logs: `tara-rl/formats`. Runs anywhere; give it bytes or lines.
 */
export type { AssembledLog, RolloutKey } from './assemble.js'
export {
  type ChatTokenizer,
  loadTokenizer,
  type RenderOptions,
  type TokenizerFiles,
} from './chat-tokenizer.js'
export type {
  DocumentFormat,
  DocumentOptions,
  DocumentRecord,
  DocumentTask,
  FunctionDoc,
} from './document.js'
export {
  type DocumentFormatName,
  documentFormats,
  type FormatName,
  type MessageFormatName,
  messageFormats,
} from './formats.js'
export { type GoldenOptions, type GoldenTable, goldenTable } from './golden-table.js'
export { asText, type LineSplitter, lineSplitter, MAX_LINE, type OnLine } from './lines.js'
export { rolloutLog } from './log.js'
export { type LogOptions, logDefaults } from './log-options.js'
export type { LogCounts, LogReader, RolloutLog } from './log-types.js'
export type { MessageFormat, MessageKind } from './message-format.js'
export { fromOpenAI } from './openai.js'
export type { Peers, TemplateModule, TokenizerModule } from './peers.js'
export type { Id, RolloutRecord } from './record.js'
export type { Tokenize } from './record-tokens.js'
export { type Conversation, type TokenizeOptions, tokenize, tokenizeDefaults } from './tokenize.js'
export { fromMessages, type Turns } from './turns.js'
