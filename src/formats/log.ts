/**
 * A log of rollouts, record by record → one batch.
 *
 * Each record is scored when it comes and then let go: what stays is a row of rewards and reach marks, and the
 * spans if they are asked for. A golden trace is kept once a group. Groups may come interleaved.
 */
import { fail, show, TaraError, within } from '../errors.js'
import { resolveOptions } from '../options.js'
import type { CallRollout, Scope } from '../reward/call.js'
import { type CompiledGolden, scoreRollout } from '../reward/golden.js'
import { resolveCoveragePolicy } from '../reward/policy.js'
import { type RolloutTokens, readLengths, readSpans } from '../tokens/read.js'
import { type AssembledLog, assemble, type RolloutKey } from './assemble.js'
import { type CallTotals, callTally } from './call-totals.js'
import { exactCalls } from './exact.js'
import { unknownFields } from './fields.js'
import { groupTable, type LogGroup } from './groups.js'
import { parse, parseLine } from './line.js'
import { type LogOptions, logChecks, logDefaults } from './log-options.js'
import { asRecord, type Fields, type RolloutRecord, readRecord, recordFields } from './record.js'
import { checkColumns, isBroken, pushRewards } from './reward-row.js'
import { logRows, statusNames } from './rows.js'
import { SAME, withoutGolden } from './written-golden.js'

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
  /** Calls of the records with messages. */
  readonly calls: CallTotals
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

/** Makes a reader of rollout records. Once it has refused a record it takes no more: every later call throws the same
 * error.
 * @param source - names the input in errors: `rollouts.jsonl`
 * @param options - see `logDefaults`
 * @throws TaraError `OPTION`; what its methods throw stands there
 */
export function rolloutLog(source: string, options?: Partial<LogOptions>): LogReader {
  const { policy, partial, exactOnly, turns, golden, realRewards, allowInvalid, allowSingletons, ...others } =
    resolveOptions('rolloutLog', options, logDefaults, logChecks)
  const { strict, tokens, keep, shifted } = others
  const scoring = { reward: partial ?? 'binary', exactOnly } as const
  const placeOfLine = (line: number): string => `${source}:${line}`
  const groups = groupTable(resolveCoveragePolicy('rolloutLog: options.policy', policy), golden, placeOfLine)
  const rows = logRows()
  const kept: KeptRollout[] = []
  const unknown = new Map<string, number>()
  let refusal: unknown
  const counts: LogCounts = { invalid: 0, surplusTurns: 0, earlyCalls: 0, extraCalls: 0, malformedCalls: 0 }

  const callsSeen = callTally(shifted)

  function pushCalls(group: LogGroup, calls: CallRollout): void {
    const trace = groups.goldenOf(group)
    if (partial === 'f1' && group.scope === 'rollout')
      fail('MISMATCH', 'scope', '"turn" for the F1 of a turn', '"rollout"')
    const score = scoreRollout(trace, calls, group.scope, scoring)
    callsSeen.add(trace, calls, group.scope, score.reward)
    for (let t = 0; t < group.numTurns; t++) {
      rows.reward.push(score.reward[t]!)
      rows.reached.push(score.reached[t]!)
    }
    counts.surplusTurns += score.surplus
    counts.earlyCalls += score.early
    counts.extraCalls += score.extra
    counts.malformedCalls += score.malformed
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

  function add(
    fields: Fields,
    record: RolloutRecord,
    text: string | undefined,
    line: number,
    known?: LogGroup,
  ): void {
    unknownFields(fields, recordFields, (name) => {
      if (strict)
        fail('UNKNOWN_FIELD', name, `one of ${[...recordFields].join(', ')}`, 'a field nobody reads')
      if (!unknown.has(name)) unknown.set(name, line)
    })
    const group = groups.enter(record, text, line, known)
    const spans = asTokens(record)
    const start = rows.reward.length()
    let status = record.status
    if (record.rewards !== undefined) {
      const isOut = allowInvalid && isBroken(record.rewards)
      if (isOut && status !== 'aborted') counts.invalid++
      if (isOut) status = 'aborted'
      pushRewards(rows, group, record.rewards, status !== 'aborted', realRewards)
    } else {
      if (rows.columns.size > 0) checkColumns(rows, [])
      pushCalls(group, record.calls!)
    }
    rows.rowPtr.push(start)
    rows.group.push(group.index)
    rows.line.push(line)
    rows.status.push(status === 'complete' ? 0 : statusNames.indexOf(status))
    rows.outcome.push((record.outcome ?? 0) + 0)
    rows.hasOutcome.push(record.outcome === undefined ? 0 : 1)
    rows.rollout.push(record.rollout)
    if (tokens) rows.tokens.push(spans)
    if (keep !== undefined) keepCalls(record, group)
  }

  function keepCalls({ rollout, calls }: RolloutRecord, group: LogGroup): void {
    const { id, role, scope } = group
    const key = { group: id, rollout, role }
    if (calls !== undefined && keep?.(key)) kept.push({ key, calls, scope, golden: groups.goldenOf(group) })
  }

  /** Takes a line whose golden trace is to the letter that of the record before, without parsing it again; false where it
   * is another, or another group's. */
  function addToLatest(text: string, line: number): boolean {
    const latest = groups.latest()
    const golden = latest?.isWritten ? latest.golden?.written.text : undefined
    const short = golden === undefined ? undefined : withoutGolden(text, golden)
    const fields = short === undefined ? undefined : parse(short)
    if (short === undefined || typeof fields !== 'object' || fields === null) return false
    const own = asRecord(fields)
    if (own.golden !== SAME || own.group !== latest?.id || (own.role ?? undefined) !== latest?.role)
      return false
    add(own, exactCalls(short, own, readRecord(own, turns)), undefined, line, latest)
    return true
  }

  /** Says where every advantage is 0 because there is nobody to compare with. */
  function emptyHanded(): string[] {
    if (rows.status.view().every((status) => statusNames[status] === 'aborted'))
      return [`${source}: all rollouts are aborted; their advantages are 0`]
    const single = groups.list.filter((group) => group.rollouts.size === 1).length
    if (single === 0) return []
    return [`${source}: ${single} of ${groups.list.length} groups have one rollout; their advantages are 0`]
  }

  /** Runs the work on one record. After a refusal half a record may be in the rows: then nothing more is taken. */
  function record(line: number, work: () => void): void {
    if (refusal !== undefined) throw refusal
    try {
      work()
    } catch (error) {
      refusal = error instanceof TaraError ? within(placeOfLine(line), error) : error
      throw refusal
    }
  }

  return {
    addLine(text, line) {
      record(line, () => {
        if (addToLatest(text, line)) return
        const { fields } = parseLine(text, allowInvalid)
        add(fields, exactCalls(text, fields, readRecord(fields, turns)), text, line)
      })
    },
    addRecord(value) {
      const line = rows.rollout.length + 1
      record(line, () => {
        const fields = asRecord(value)
        add(fields, readRecord(fields, turns), undefined, line)
      })
    },
    finish() {
      if (refusal !== undefined) throw refusal
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
      const log = assemble(rows, groups.list, realRewards || partial !== undefined)
      return {
        ...log,
        kept,
        counts,
        calls: callsSeen.totals(),
        warnings,
        placeOf: (rollout) => placeOfLine(log.line[rollout]!),
      }
    },
  }
}
