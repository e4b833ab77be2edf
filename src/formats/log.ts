/**
 * A log of rollouts, record by record → one batch.
 *
 * Each record is scored when it comes and then let go: what stays is a row of rewards and reach marks, and the
 * spans if they are asked for. A golden trace is kept once a group. Groups may come interleaved.
 */
import { failReward, isReward } from '../batch/check.js'
import { fail, show, TaraError, within } from '../errors.js'
import { aBoolean, type Check, oneOf, optional, resolveOptions } from '../options.js'
import type { CallRollout, Scope } from '../reward/call.js'
import { type CompiledGolden, scoreRollout } from '../reward/golden.js'
import { type CoveragePolicy, resolveCoveragePolicy } from '../reward/policy.js'
import { type RolloutTokens, readLengths, readSpans } from '../tokens/read.js'
import { type AssembledLog, assemble, type RolloutKey } from './assemble.js'
import { unknownFields } from './fields.js'
import type { GoldenTable } from './golden-table.js'
import { groupTable, type LogGroup } from './groups.js'
import { exactCalls, parseLine } from './line.js'
import { float64Pool } from './pool.js'
import {
  asRecord,
  type Fields,
  type RewardRow,
  type RolloutRecord,
  readRecord,
  recordFields,
} from './record.js'
import { logRows, statusNames } from './rows.js'

export interface LogOptions {
  /** How golden calls are matched; see `coverageDefaults`. */
  readonly policy: Partial<CoveragePolicy>
  /** The unit of turns of records that name none. Default `user`. */
  readonly turns: 'user' | 'step'
  /** Golden traces by group, for records without. */
  readonly golden: GoldenTable | undefined
  /** Allows rewards other than 0 and 1. */
  readonly realRewards: boolean
  /** Takes a scored rollout with a reward of null, NaN or ±Infinity as aborted instead of refusing it. */
  readonly allowInvalid: boolean
  /** Allows two or more groups that all have one rollout. */
  readonly allowSingletons: boolean
  /** Refuses fields that nobody reads. */
  readonly strict: boolean
  /** Keeps token spans; every rollout that is not aborted must have them. */
  readonly tokens: boolean
  /** Chooses records whose calls are kept, with their golden trace: for explaining. */
  readonly keep: ((key: RolloutKey) => boolean) | undefined
}

export const logDefaults: Readonly<LogOptions> = Object.freeze({
  policy: Object.freeze({}),
  turns: 'user',
  golden: undefined,
  realRewards: false,
  allowInvalid: false,
  allowSingletons: false,
  strict: false,
  tokens: false,
  keep: undefined,
})

const anObject: Check = (value) => (typeof value === 'object' && value !== null ? undefined : 'an object')
const aFunction: Check = (value) => (typeof value === 'function' ? undefined : 'a function')

const logChecks: { readonly [Name in keyof LogOptions]-?: Check } = {
  policy: anObject,
  turns: oneOf('user', 'step'),
  golden: optional(anObject),
  realRewards: aBoolean,
  allowInvalid: aBoolean,
  allowSingletons: aBoolean,
  strict: aBoolean,
  tokens: aBoolean,
  keep: optional(aFunction),
}

/** What was counted while reading. */
export interface LogCounts {
  /** Scored rollouts taken as aborted because of a reward of null, NaN or ±Infinity. */
  invalid: number
  /** Turns beyond the golden trace. */
  surplusTurns: number
  /** Calls before the first turn: they belong to no turn. */
  earlyCalls: number
  /** Calls of a turn that matched no golden call. */
  extraCalls: number
  /** Calls whose arguments cannot be read. */
  malformedCalls: number
}

/** A record whose calls were kept. */
export interface KeptRollout {
  readonly key: RolloutKey
  readonly calls: CallRollout
  readonly scope: Scope
  readonly golden: CompiledGolden
}

export interface RolloutLog extends AssembledLog {
  readonly kept: readonly KeptRollout[]
  readonly counts: Readonly<LogCounts>
  /** What the user should be told, once each. */
  readonly warnings: readonly string[]
  /** Names rollout i of the batch in errors: `rollouts.jsonl:17`. */
  readonly placeOf: (rollout: number) => string
}

export interface LogReader {
  /** Takes one line of JSONL, the `line`-th of the input.
   * @throws TaraError with file, line and path
   */
  addLine(text: string, line: number): void
  /** Takes one record that is parsed already; integers beyond 2^53 are what they have become.
   * @throws TaraError with the record's number and path
   */
  addRecord(record: unknown): void
  /** Puts the batch together.
   * @throws TaraError `EMPTY` without records, `SINGLETONS` where every group has one rollout, `SPAN`, `LENGTH`
   */
  finish(): RolloutLog
}

/** Makes a reader of rollout records.
 * @param source - names the input in errors: `rollouts.jsonl`
 * @param options - see `logDefaults`
 */
export function rolloutLog(source: string, options?: Partial<LogOptions>): LogReader {
  const { policy, turns, golden, realRewards, allowInvalid, allowSingletons, strict, tokens, keep } =
    resolveOptions('rolloutLog', options, logDefaults, logChecks)
  const groups = groupTable(resolveCoveragePolicy('rolloutLog: options.policy', policy), golden)
  const rows = logRows()
  const kept: KeptRollout[] = []
  const unknown = new Map<string, number>()
  const counts: LogCounts = { invalid: 0, surplusTurns: 0, earlyCalls: 0, extraCalls: 0, malformedCalls: 0 }

  function pushCalls(group: LogGroup, calls: CallRollout): void {
    const score = scoreRollout(group.golden!, calls, group.scope)
    for (let t = 0; t < group.numTurns; t++) {
      rows.reward.push(score.reward[t]!)
      rows.reached.push(score.reached[t]!)
    }
    counts.surplusTurns += score.surplus
    counts.earlyCalls += group.scope === 'turn' ? score.early : 0
    counts.extraCalls += score.extra
    counts.malformedCalls += score.malformed
  }

  /** Pushes a scored row; returns whether it may vote. */
  function pushRewards(group: LogGroup, given: RewardRow, isAborted: boolean): boolean {
    const isPlain = Array.isArray(given)
    const columns: [string, readonly number[]][] = isPlain ? [] : Object.entries(given)
    checkColumns(columns.map(([name]) => name))
    const row = isPlain ? (given as readonly number[]) : columns[0]![1]
    if (group.golden === undefined) group.numTurns = Math.max(group.numTurns, row.length)
    else if (row.length > group.numTurns)
      fail(
        'LENGTH',
        'rewards',
        `at most ${group.numTurns} rewards, one a turn of the golden trace`,
        `${row.length}`,
      )
    const tables = isPlain ? [row] : columns.map(([, values]) => values)
    const isBroken = allowInvalid && tables.some((values) => values.some((value) => !Number.isFinite(value)))
    if (isBroken && !isAborted) counts.invalid++
    const votes = !isAborted && !isBroken
    for (let t = 0; t < row.length; t++) {
      let sum = 0
      for (const [name, values] of columns) {
        const part = values[t]!
        if (votes && !isReward(part, realRewards)) failReward(`rewards.${name}[${t}]`, part, realRewards)
        rows.columns.get(name)!.push(votes ? part + 0 : 0)
        sum += part
      }
      const reward = isPlain ? row[t]! : sum
      if (votes && !isReward(reward, realRewards))
        failReward(isPlain ? `rewards[${t}]` : `rewards[${t}] (sum of the named)`, reward, realRewards)
      rows.reward.push(votes ? reward + 0 : 0)
      rows.reached.push(votes ? 1 : 0)
    }
    return votes
  }

  function checkColumns(names: readonly string[]): void {
    if (rows.rollout.length === 0) for (const name of names) rows.columns.set(name, float64Pool())
    const wanted = [...rows.columns.keys()]
    if (names.length !== wanted.length || names.some((name) => !rows.columns.has(name)))
      fail(
        'MISMATCH',
        'rewards',
        `the named rewards of the first record (${wanted.join(', ') || 'none'})`,
        names.join(', ') || 'none',
      )
  }

  /** Checks the spans of a record by themselves, and that a log with messages has one list a logged turn. */
  function asTokens(record: RolloutRecord): RolloutTokens | null {
    if (record.tokens === undefined) {
      if (tokens && record.status !== 'aborted') fail('MISSING', 'tokens', 'token spans', 'undefined')
      return null
    }
    if (tokens && record.scope === 'rollout')
      fail('MISMATCH', 'scope', '"turn" for token output', '"rollout"')
    const given = record.tokens as RolloutTokens
    readSpans('tokens', given, readLengths('tokens', given), () => {})
    const logged = record.calls?.turns.length ?? given.turns.length
    if (record.scope === 'turn' && given.turns.length !== logged)
      fail('SPAN', 'tokens.turns', `${logged} lists, one a logged turn`, `${given.turns.length}`)
    return given
  }

  function add(fields: Fields, record: RolloutRecord, text: string | undefined, line: number): void {
    unknownFields(fields, recordFields, (name) => {
      if (strict) fail('UNKNOWN_FIELD', name, `one of ${recordFields.join(', ')}`, 'a field nobody reads')
      if (!unknown.has(name)) unknown.set(name, line)
    })
    const group = groups.enter(record, text, placeOfLine(line))
    const spans = asTokens(record)
    const start = rows.reward.length()
    let status = record.status
    if (record.rewards !== undefined) {
      if (!pushRewards(group, record.rewards, status === 'aborted')) status = 'aborted'
    } else {
      if (rows.columns.size > 0) checkColumns([])
      pushCalls(group, { ...record.calls!, status })
    }
    rows.rowPtr.push(start)
    rows.group.push(group.index)
    rows.line.push(line)
    rows.status.push(statusNames.indexOf(status))
    rows.outcome.push((record.outcome ?? 0) + 0)
    rows.hasOutcome.push(record.outcome === undefined ? 0 : 1)
    rows.rollout.push(record.rollout)
    if (tokens) rows.tokens.push(spans)
    const key = { group: record.group, rollout: record.rollout, role: record.role }
    if (keep?.(key) && record.calls !== undefined && group.golden !== undefined)
      kept.push({ key, calls: { ...record.calls, status }, scope: group.scope, golden: group.golden })
  }

  /** Says where every advantage is 0 because there is nobody to compare with. */
  function emptyHanded(): string[] {
    if (rows.status.view().every((status) => statusNames[status] === 'aborted'))
      return [`${source}: all rollouts are aborted; their advantages are 0`]
    const single = groups.list.filter((group) => group.rollouts.size === 1).length
    if (single === 0) return []
    return [`${source}: ${single} of ${groups.list.length} groups have one rollout; their advantages are 0`]
  }

  const placeOfLine = (line: number): string => `${source}:${line}`

  function located(line: number, work: () => void): void {
    try {
      work()
    } catch (error) {
      throw error instanceof TaraError ? within(placeOfLine(line), error) : error
    }
  }

  return {
    addLine(text, line) {
      located(line, () => {
        const parsed = parseLine(text, allowInvalid)
        const record = readRecord(parsed.fields, turns)
        add(parsed.fields, exactCalls(parsed.text, record), parsed.text, line)
      })
    },
    addRecord(value) {
      const line = rows.rollout.length + 1
      located(line, () => {
        const fields = asRecord(value)
        add(fields, readRecord(fields, turns), undefined, line)
      })
    },
    finish() {
      if (rows.rollout.length === 0) fail('EMPTY', source, 'at least one record', 'none')
      if (
        !allowSingletons &&
        groups.list.length > 1 &&
        groups.list.every((group) => group.rollouts.size === 1)
      )
        fail(
          'SINGLETONS',
          source,
          'groups of several rollouts (allowSingletons takes single ones)',
          `${groups.list.length} groups of one; is ${show('group')} the task?`,
        )
      const warnings = [
        ...[...unknown].map(([name, line]) => `${placeOfLine(line)}: field ${show(name)} is not read`),
        ...emptyHanded(),
      ]
      const log = assemble(rows, groups.list, realRewards)
      return { ...log, kept, counts, warnings, placeOf: (rollout) => placeOfLine(log.line[rollout]!) }
    },
  }
}
