/**
 * The core: rewards or rollouts in, one advantage a turn or a token out. Runs anywhere; imports no package.
 */
export type { FutureOptions, Gate } from './advantage/future.js'
export { type TaraOptions, taraDefaults } from './advantage/options.js'
export { type TaraParts, tara, taraParts } from './advantage/tara.js'
export { gatedReturn, standardReturn } from './advantage/values.js'
export { type GrpoDialect, type GrpoDialectName, grpoDialects } from './baselines/dialects.js'
export { type DrGrpoOptions, drGrpo, drGrpoDefaults } from './baselines/drGrpo.js'
export { type EstimatorInfo, type EstimatorName, estimators } from './baselines/estimators.js'
export { type GdpoOptions, gdpo, gdpoDefaults } from './baselines/gdpo.js'
export { type GigpoOptions, gigpo, gigpoDefaults } from './baselines/gigpo.js'
export { type GrpoOptions, grpo, grpoDefaults } from './baselines/grpo.js'
export { type FlatLevels, type LevelBatch, levelBatch, stepTurns } from './baselines/levels.js'
export { type MaxRlOptions, maxRl, maxRlDefaults } from './baselines/maxRl.js'
export { type MtGrpoOptions, mtGrpo, mtGrpoDefaults } from './baselines/mtGrpo.js'
export { type MultilevelOptions, multilevelAdvantage, multilevelDefaults } from './baselines/multilevel.js'
export { type OpoOptions, opo, opoDefaults } from './baselines/opo.js'
export { type ProcessGrpoOptions, processGrpo, processGrpoDefaults } from './baselines/processGrpo.js'
export { type ReinforceOptions, reinforce, reinforceDefaults } from './baselines/reinforce.js'
export {
  type ReinforcePpBaselineOptions,
  type ReinforcePpOptions,
  reinforcePp,
  reinforcePpBaseline,
  reinforcePpBaselineDefaults,
  reinforcePpDefaults,
} from './baselines/reinforcePp.js'
export {
  type ReinforcePpTokensOptions,
  reinforcePpTokens,
  reinforcePpTokensDefaults,
} from './baselines/reinforcePpTokens.js'
export { rescale } from './baselines/rescale.js'
export { type ReturnToGoOptions, returnToGo, returnToGoDefaults } from './baselines/returnToGo.js'
export { type RlooOptions, rloo, rlooDefaults } from './baselines/rloo.js'
export { type TurnCreditOptions, turnCredit, turnCreditDefaults } from './baselines/turnCredit.js'
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
export type { VoteRules } from './diagnose/columns.js'
export {
  type Comparison,
  compareEstimators,
  type EstimatorFacts,
  type NamedAdvantage,
  type PairFacts,
  type SignCount,
} from './diagnose/compare.js'
export type { CallCounts } from './diagnose/counts.js'
export { type DiagnoseOptions, type Diagnosis, diagnose, diagnoseDefaults } from './diagnose/diagnose.js'
export { explainTurn, type TurnExplanation } from './diagnose/explain.js'
export {
  type Dropped,
  type DropReason,
  type FilterCounts,
  type Filtered,
  filterDefaults,
  filterGroups,
  type GroupFilters,
} from './diagnose/filter.js'
export { filterMetrics, metrics } from './diagnose/metrics.js'
export { takeRollouts, takeTurns } from './diagnose/select.js'
export { type Summary, summarize } from './diagnose/summary.js'
export type { OutcomeTable, Traces } from './diagnose/traces.js'
export type { Credit, Parts, Signs, TurnCounts, TurnDiagnosis } from './diagnose/turns.js'
export { TaraError, type TaraErrorCode } from './errors.js'
export type { CallRollout, GoldenTurn, JsonObject, JsonValue, Scope, ToolCall } from './reward/call.js'
export { type Coverage, coverage, type Miss } from './reward/cover.js'
export {
  type AnswerVerdicts,
  answerReward,
  type JudgeVerdict,
  type PhaseOptions,
  type PhaseScores,
  type PlanEmission,
  type PlanState,
  phaseDefaults,
  phaseReward,
  planReward,
  stepReward,
} from './reward/hierarchical.js'
export { type JsonParse, parseJson } from './reward/json.js'
export { jsonText } from './reward/jsonText.js'
export {
  type CreditPair,
  type PartialCoverage,
  type PartialOptions,
  partialCoverage,
  partialDefaults,
} from './reward/partial.js'
export { dependencyRecall, layeredPlan, type PlanEdge, retrievalGrounding } from './reward/plan.js'
export { type CoveragePolicy, coverageDefaults } from './reward/policy.js'
export {
  type GoldenGroup,
  type ScoredGroups,
  type ScoreOptions,
  scoreDefaults,
  scoreGroups,
} from './reward/score.js'
export { type CacheOptions, cachedScorer, type Scorer, type ScorerInput } from './reward/scorer.js'
export {
  type ScorerGroup,
  type ScorerRollout,
  type ScorerTurn,
  type ScoreWithOptions,
  scoreWith,
  scoreWithDefaults,
} from './reward/scoreWith.js'
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
export {
  type LossReduction,
  type LossWeightsOptions,
  lossWeights,
  lossWeightsDefaults,
} from './tokens/weights.js'
