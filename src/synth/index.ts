/**
 * Tasks with golden traces from tools: environments, graphs, unlocking, grounding, replay. Judges, writers and agents
 * are interfaces; those built in run without a language model and stand in for one.
 */
export type { Agent } from './agent.js'
export { type ChatAgentOptions, chatAgent, chatAgentDefaults } from './chat-agent.js'
export { type ChatEndpoint, type ChatRequest, chatEndpoint, type Reading } from './chat-endpoint.js'
export { chatJudge } from './chat-judge.js'
export type { ChatMessage, ChatTool, ChatToolCall } from './chat-message.js'
export { type ChatOptions, chatDefaults, type ReplyCache } from './chat-options.js'
export { chatWriter } from './chat-writer.js'
export { type CheckOptions, checkDefaults, checkEnvironment } from './check.js'
export {
  type CheckedFor,
  type CheckProblem,
  type EnvironmentReport,
  reportText,
  type ToolReport,
} from './check-report.js'
export {
  type CommuteOptions,
  commutation,
  commuteDefaults,
  type OrderConflict,
  type TurnOrders,
} from './commute.js'
export { coverStages } from './cover.js'
export { diskCache } from './disk-cache.js'
export { toDot, toMermaid } from './draw-graph.js'
export { type EnvironmentOptions, environmentDefaults, openEnvironment } from './environment.js'
export { environments } from './environments/index.js'
export { loadEnvironments } from './folder.js'
export { type GenerateEvent, type GenerateOptions, generateDefaults, generateTasks } from './generate.js'
export { findCycles, longestPath, topologicalOrder, type Unlocked, unlockedTools } from './graph.js'
export { type Grounding, type GroundOptions, groundDefaults, groundTrace } from './ground.js'
export { type EdgeJudge, type SchemaJudgeOptions, schemaJudge, schemaJudgeDefaults } from './judge.js'
export {
  connectMcp,
  connectMcpProgram,
  type McpOptions,
  type McpProgram,
  type McpTools,
  mcpDefaults,
} from './mcp-client.js'
export { mcpServer, serveInMemory, serveStdio } from './mcp-server.js'
export { type PassAtKOptions, type PassCount, passAtK, passAtKDefaults } from './pass-at-k.js'
export { type Replay, type ReplayedCall, type ReplayFailure, type ReplayOptions, replay } from './replay.js'
export { type RolloutRecord, rollOut } from './rollouts.js'
export {
  type RemovalReason,
  type RemovedEdge,
  type SanitizedGraph,
  type SanitizeOptions,
  sanitizeDefaults,
  sanitizeGraph,
} from './sanitize.js'
export { scriptedAgent } from './scripted-agent.js'
export { type HashOptions, stateHash } from './state-hash.js'
export {
  type Histogram,
  histogramLines,
  histogramMean,
  type StatsCounter,
  stats,
  statsCounter,
  type TaskStats,
} from './stats.js'
export { templateWriter } from './template-writer.js'
export type {
  CallError,
  CallResult,
  Environment,
  EnvironmentSource,
  GroundedCall,
  Handler,
  JsonSchema,
  Provenance,
  Snapshot,
  Task,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolEdge,
  ToolGraph,
} from './types.js'
export { type UnlockOptions, unlockDefaults, unlockStages } from './unlock.js'
export type { RequestWriter } from './writer.js'
