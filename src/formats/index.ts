/**
 * Readers of rollout logs: `tara-rl/formats`. Runs anywhere; give it bytes or lines.
 */
export type { AssembledLog, RolloutKey } from './assemble.js'
export { type GoldenTable, goldenTable } from './golden-table.js'
export { type LineSplitter, lineSplitter, MAX_LINE, type OnLine } from './lines.js'
export {
  type LogCounts,
  type LogReader,
  type RolloutLog,
  rolloutLog,
} from './log.js'
export { type LogOptions, logDefaults } from './log-options.js'
export { fromOpenAI, type Turns } from './openai.js'
export type { Id, RolloutRecord } from './record.js'
