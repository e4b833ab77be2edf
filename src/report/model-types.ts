/**
 * What a report shows, as plain data: it survives JSON, and the page is made of nothing else.
 */
import type { Status } from '../batch/layout.js'
import type { Comparison } from '../diagnose/compare.js'
import type { ColumnStats } from '../diagnose/explain.js'
import type { Extent, Summary } from '../diagnose/summary.js'
import type { Traces } from '../diagnose/traces.js'
import type { TurnCounts, TurnDiagnosis } from '../diagnose/turns.js'
import type { LogCounts } from '../formats/log-types.js'
import type { Id } from '../formats/record.js'

/** A call as it is shown. */
export interface ShownCall {
  readonly name: string
  /** The side that makes the call, where it is not the assistant. */
  readonly side?: string
  /** Arguments by name, each value as JSON text; absent where they cannot be read. */
  readonly args?: readonly (readonly [name: string, value: string])[]
  /** Arguments as they were written, where they cannot be read. */
  readonly text?: string
  /** `malformed: cut-off` */
  readonly problem?: string
}

/** What became of a call. `untested`: it stands in no golden turn. */
export type CallMark = 'covered' | 'extra' | 'malformed' | 'untested'

export interface MadeCall extends ShownCall {
  /** Turn of the log; −1 before the first. */
  readonly turn: number
  readonly mark: CallMark
}

/** A golden call without a call, and why. */
export interface ShownMiss {
  /** Of the golden call in its turn or alternative. */
  readonly index: number
  readonly reason: string
  /** The call that was probably meant, an index into the rollout's calls. */
  readonly call?: number
  /** The argument that differs first. */
  readonly argument?: string
  /** `passengers[0].dob`, what the golden call has there, and what the call has. */
  readonly path?: string
  readonly expected?: string
  readonly got?: string
  /** What is wrong with arguments that cannot be read. */
  readonly detail?: string
}

/** A golden turn tested against calls. */
export interface ShownCoverage {
  readonly covered: boolean
  /** The alternative told of. */
  readonly alternative: number
  readonly matched: number
  readonly golden: number
  readonly extra: number
  readonly malformed: number
  readonly missed: readonly ShownMiss[]
}

/** One turn of one rollout. All but `reward` is 0 where it does not vote. */
export interface Cell {
  readonly reward: number
  readonly reached: boolean
  readonly votes: boolean
  readonly gate: number
  /** The future before the gate. */
  readonly sum: number
  /** V = gate · sum. */
  readonly futureValue: number
  /** z-scores of r and V. */
  readonly local: number
  readonly future: number
  readonly advantage: number
  /** The advantage of the other estimator. */
  readonly other: number
  /** Absent where the log has no calls; null where none were tested. */
  readonly coverage?: ShownCoverage | null
}

/** One turn of a group, over its voters. */
export interface Column {
  readonly masked: boolean
  readonly local: Omit<ColumnStats, 'z'>
  readonly future: Omit<ColumnStats, 'z'>
  /** One list of calls, or one an alternative. */
  readonly golden?: readonly (readonly ShownCall[])[]
}

export interface ShownMessage {
  readonly role: string
  /** Turn of the log; −1 before the first. */
  readonly turn: number
  readonly text: string
  /** Characters that were left out at the end. */
  readonly cut?: number
  /** Indices into the rollout's calls. */
  readonly calls: readonly number[]
}

/** One sequence of tokens. What lies outside the spans is not trained. */
export interface Strip {
  readonly length: number
  readonly spans: readonly (readonly [start: number, end: number, turn: number])[]
}

export interface RolloutDetail {
  readonly rollout: Id
  readonly status: Status
  readonly outcome?: number
  readonly cells: readonly Cell[]
  readonly calls?: readonly MadeCall[]
  readonly messages?: readonly ShownMessage[]
  readonly tokens?: readonly Strip[]
}

export interface GroupDetail {
  readonly group: Id
  readonly role?: string
  /** `rollout`: golden turns are tested against all calls, so turns of the log are not those of the golden trace. */
  readonly scope: 'turn' | 'rollout'
  /** Rollouts and turns of the group; the lists below may hold fewer. */
  readonly K: number
  readonly T: number
  readonly columns: readonly Column[]
  readonly rollouts: readonly RolloutDetail[]
}

/** A line of the list of groups. */
export interface GroupRow {
  readonly group: Id
  readonly role?: string
  readonly K: number
  readonly T: number
  /** Mean reward of the cells that vote; 0 where there are none. */
  readonly reward: number
  /** Mean over the turns of σ of the rewards: how much there is to compare. */
  readonly sigma: number
  /** Mean size of the advantage over the cells that vote. */
  readonly size: number
  /** Cells that vote in which the two estimators differ in sign. */
  readonly disagree: number
  /** Every advantage is 0. */
  readonly silent: boolean
}

/** How the advantages of the cells that vote are spread. */
export interface Distribution {
  /** The greatest size; the bins of both sides go up to it. */
  readonly limit: number
  /** Bins of one side. */
  readonly bins: number
  /** `[largest T][2·bins + 1]` cells: negative ones from −limit up, exact zeros, positive ones up to limit. */
  readonly turns: readonly (readonly number[])[]
}

export interface ReportModel {
  readonly schema: 'tara.report/1'
  /** Names the log. */
  readonly source: string
  readonly settings: readonly { readonly name: string; readonly value: string }[]
  readonly lambda: number
  readonly read: {
    readonly groups: number
    readonly rollouts: number
    readonly K: Extent
    readonly T: Extent
    readonly aborted: number
    readonly truncated: number
    /** Where the log tells tokens. */
    readonly tokens?: { readonly trained: number; readonly all: number }
  }
  /** The keys and numbers of `metrics`. */
  readonly metrics: Readonly<Record<string, number>>
  readonly summary: Summary
  readonly turns: readonly TurnDiagnosis[]
  readonly total: TurnCounts
  readonly traces: Traces
  readonly counts: Readonly<LogCounts>
  /** TARA first, then the other. */
  readonly comparison: Comparison
  readonly distribution: Distribution
  /** Most informative first. */
  readonly groups: readonly GroupRow[]
  /** Groups that are not in the list. */
  readonly unlisted: number
  /** Of the first groups of the list. */
  readonly details: readonly GroupDetail[]
  /** What was left out of the details. */
  readonly left: {
    /** Groups that were asked for and have no details. */
    readonly groups: number
    /** Groups whose conversations were left out. */
    readonly conversations: number
  }
}
