/**
 * The core: rewards or rollouts in, one advantage a turn or a token out. Runs anywhere; imports no package.
 */
export type { FutureOptions, Gate } from './advantage/future.js'
export { type TaraOptions, taraDefaults } from './advantage/options.js'
export { type TaraParts, tara, taraParts } from './advantage/tara.js'
export { gatedReturn, standardReturn } from './advantage/values.js'
export { type GrpoOptions, grpo, grpoDefaults } from './baselines/grpo.js'
export { type TurnBatchOptions, turnBatch, turnBatchDefaults } from './batch/build.js'
export { type FlatBatch, turnBatchFromFlat } from './batch/flat.js'
export {
  numGroups,
  numRollouts,
  numTurns,
  type Offsets,
  type Status,
  type TurnBatch,
} from './batch/layout.js'
export type { RewardGroup } from './batch/shape.js'
export { explainTurn, type TurnExplanation } from './diagnose/explain.js'
export { type Summary, summarize } from './diagnose/summary.js'
export { TaraError, type TaraErrorCode } from './errors.js'
export type { CallRollout, GoldenTurn, JsonObject, JsonValue, Scope, ToolCall } from './reward/call.js'
export { type Coverage, coverage, type Miss } from './reward/cover.js'
export { type JsonParse, parseJson } from './reward/json.js'
export { jsonText } from './reward/jsonText.js'
export { type CoveragePolicy, coverageDefaults } from './reward/policy.js'
export { type GoldenGroup, type ScoredGroups, scoreGroups } from './reward/score.js'
export {
  type BroadcastOptions,
  broadcastDefaults,
  type TokenArrayOptions,
  tokenArrayDefaults,
  tokenArraySize,
} from './tokens/array.js'
export { broadcast } from './tokens/broadcast.js'
export { lossMask } from './tokens/mask.js'
export type { RolloutTokens } from './tokens/read.js'
export { sliceSpans } from './tokens/slice.js'
export { rolloutSequences, type TokenSpans, tokenSpans } from './tokens/spans.js'
