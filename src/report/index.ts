/**
 * Reports: `tara-rl/report`. A log and its advantages as plain data, and that as one page. Runs anywhere.
 */
export {
  type Conversation,
  type ConversationOptions,
  type ConversationReader,
  conversationReader,
} from './conversation.js'
export { reportHtml } from './html.js'
export {
  informativeRollouts,
  type ReportInput,
  type ReportOptions,
  reportDefaults,
  reportModel,
} from './model.js'
export type {
  CallMark,
  Cell,
  Column,
  Distribution,
  GroupDetail,
  GroupRow,
  MadeCall,
  ReportModel,
  RolloutDetail,
  ShownCall,
  ShownCoverage,
  ShownMessage,
  ShownMiss,
  Strip,
} from './model-types.js'
