/**
 * One group in full: its columns, and every rollout cell by cell, with calls, messages and tokens where they are known.
 */
import type { TaraOptions } from '../advantage/options.js'
import type { TurnBatch } from '../batch/layout.js'
import { explainTurn } from '../diagnose/explain.js'
import type { RolloutKey } from '../formats/assemble.js'
import type { KeptRollout, RolloutLog } from '../formats/log-types.js'
import type { TokenSpans } from '../tokens/spans.js'
import { goldenCalls, type MarkedRollout, markCalls } from './calls.js'
import type { Conversation } from './conversation.js'
import type { Cell, Column, GroupDetail, RolloutDetail, Strip } from './model-types.js'

/** Rollouts and turns of a group that are shown. */
const MAX_ROLLOUTS = 64
const MAX_TURNS = 64

/** Spans of a sequence that are shown. */
const MAX_SPANS = 400

/** What the details of a group are made of. */
export interface DetailSource {
  readonly log: Pick<RolloutLog, 'batch' | 'keys' | 'status'>
  readonly tara: Partial<TaraOptions>
  /** `[numTurns]` of the other estimator. */
  readonly other: Float64Array
  readonly spans: TokenSpans | undefined
  /** By `keyText`. */
  readonly kept: ReadonlyMap<string, KeptRollout>
  readonly conversations: ReadonlyMap<string, Conversation>
}

/** One text for a rollout, whatever its ids are. */
export const keyText = ({ group, rollout, role }: RolloutKey): string =>
  JSON.stringify([group, rollout, role ?? null])

/** The tokens of rollout i: its sequences, with the spans that are trained. */
function stripsOf(batch: TurnBatch, spans: TokenSpans, i: number): Strip[] {
  const { sequencePtr, tokenPtr, spanPtr, spanStart, spanEnd, spanTurn } = spans
  const strips: Strip[] = []
  for (let s = sequencePtr[i]!; s < sequencePtr[i + 1]!; s++) {
    const own: [number, number, number][] = []
    for (let k = spanPtr[s]!; k < Math.min(spanPtr[s + 1]!, spanPtr[s]! + MAX_SPANS); k++)
      own.push([spanStart[k]!, spanEnd[k]!, spanTurn[k]! - batch.turnPtr[i]!])
    strips.push({ length: tokenPtr[s + 1]! - tokenPtr[s]!, spans: own })
  }
  return strips
}

function columnOf(
  { log: { batch }, tara }: DetailSource,
  g: number,
  t: number,
  golden: KeptRollout['golden'] | undefined,
): Column {
  const first = batch.groupPtr[g]!
  const { local, future } = explainTurn(batch, g, first, t, tara)
  const without = ({ mean, std, voters }: typeof local): Column['local'] => ({ mean, std, voters })
  return {
    masked: batch.masked?.[batch.turnPtr[first]! + t] === 1,
    local: without(local),
    future: without(future),
    ...(golden && { golden: goldenCalls(golden, t) }),
  }
}

function cellOf(
  { log: { batch }, tara, other }: DetailSource,
  g: number,
  i: number,
  t: number,
  marked: MarkedRollout | undefined,
): Cell {
  const { votes, reward, gate, sum, futureValue, local, future, advantage } = explainTurn(
    batch,
    g,
    i,
    t,
    tara,
  )
  const j = batch.turnPtr[i]! + t
  return {
    reward,
    reached: batch.reached[j] === 1,
    votes,
    gate,
    sum,
    futureValue,
    local: local.z,
    future: future.z,
    advantage,
    other: other[j]! + 0,
    ...(marked && { coverage: marked.coverage[t] ?? null }),
  }
}

function rolloutOf(source: DetailSource, g: number, i: number, numTurns: number): RolloutDetail {
  const { log, kept: all, conversations, spans } = source
  const { batch, keys, status } = log
  const kept = all.get(keyText(keys[i]!))
  const marked = kept && markCalls(kept)
  const messages = conversations.get(keyText(keys[i]!))?.messages
  const cells: Cell[] = []
  for (let t = 0; t < numTurns; t++) cells.push(cellOf(source, g, i, t, marked))
  return {
    rollout: keys[i]!.rollout,
    status: status[i]!,
    ...(batch.hasOutcome?.[i] === 1 && { outcome: batch.outcome![i]! }),
    cells,
    ...(marked && { calls: marked.calls }),
    ...(messages && { messages }),
    ...(spans && { tokens: stripsOf(batch, spans, i) }),
  }
}

/** Takes group g apart. */
export function groupDetail(source: DetailSource, g: number): GroupDetail {
  const { batch, keys } = source.log
  const first = batch.groupPtr[g]!
  const end = batch.groupPtr[g + 1]!
  const T = batch.turnPtr[first + 1]! - batch.turnPtr[first]!
  const numTurns = Math.min(T, MAX_TURNS)
  const known = keys.slice(first, end).map((key) => source.kept.get(keyText(key)))
  const sample = known.find((kept) => kept !== undefined)
  const { group, role } = keys[first]!
  return {
    group,
    ...(role !== undefined && { role }),
    scope: sample?.scope ?? 'turn',
    K: end - first,
    T,
    columns: Array.from({ length: numTurns }, (_, t) => columnOf(source, g, t, sample?.golden)),
    rollouts: Array.from({ length: Math.min(end - first, MAX_ROLLOUTS) }, (_, k) =>
      rolloutOf(source, g, first + k, numTurns),
    ),
  }
}
