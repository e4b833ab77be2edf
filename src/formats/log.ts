/**
 * A log of rollouts, record by record → one batch.
 *
 * Each record is scored when it comes and then let go: what stays is a row of rewards and reach marks, and the
 * spans if they are asked for. A golden trace is kept once a group. Groups may come interleaved.
 */
import { fail, show, TaraError, within } from '../errors.js'
import { resolveOptions } from '../options.js'
import { copyOf, sameBytes } from '../reward/bytes.js'
import type { CallRollout } from '../reward/call.js'
import {
  type CompiledGolden,
  isCountable,
  type RolloutScore,
  scoreRollout,
  scoreWritten,
} from '../reward/golden.js'
import { memberTape } from '../reward/memberTape.js'
import { resolveCoveragePolicy } from '../reward/policy.js'
import { builtRollout } from '../reward/written.js'
import { assemble } from './assemble.js'
import { callTally } from './call-totals.js'
import { formatChoice } from './detect.js'
import type { DocumentFormat } from './document.js'
import { exactCalls } from './exact.js'
import { unknownFields } from './fields.js'
import { groupTable, type LogGroup } from './groups.js'
import { parseLine } from './line.js'
import { decodeLine } from './lines.js'
import { type LogOptions, logChecks, logDefaults } from './log-options.js'
import type { KeptRollout, LogCounts, LogReader } from './log-types.js'
import { readDocument, rolloutCounter } from './read-document.js'
import { asRecord, type Fields, type RolloutRecord, readRecord, recordFields } from './record.js'
import { recordTokens } from './record-tokens.js'
import { checkColumns, isBroken, pushRewards } from './reward-row.js'
import { logRows, statusNames } from './rows.js'
import { recordScanner, type ScannedRecord, scannedTurns } from './scan-record.js'

/** Makes a reader of rollout records. Once it has refused a record it takes no more: every later call throws the same
 * error.
 * @param source - names the input in errors: `rollouts.jsonl`
 * @param options - see `logDefaults`
 * @throws TaraError `OPTION`; what its methods throw stands there
 */
export function rolloutLog(source: string, options?: Partial<LogOptions>): LogReader {
  const { policy, partial, exactOnly, turns, golden, realRewards, allowInvalid, allowSingletons, ...others } =
    resolveOptions('rolloutLog', options, logDefaults, logChecks)
  const { strict, tokens, tokenize, keep, shifted, from, functions } = others
  const scoring = { reward: partial ?? 'binary', exactOnly } as const
  const documentPlaces: string[] = []
  /** Lines count from 1; 0 is the whole input; what is negative counts the records of documents. */
  const placeOfLine = (line: number): string =>
    line < 0 ? documentPlaces[-line - 1]! : line === 0 ? source : `${source}:${line}`
  const nextRollout = rolloutCounter()
  let currentLine = 0
  let currentText: string | undefined // of the line, where the record is one
  const formats = formatChoice(from, source, () => placeOfLine(currentLine))
  const members = memberTape()
  const groups = groupTable(
    resolveCoveragePolicy('rolloutLog: options.policy', policy),
    golden,
    placeOfLine,
    members,
  )
  const rows = logRows()
  const scanner = recordScanner()
  const turnStart: number[] = []
  const kept: (Omit<KeptRollout, 'golden'> & { golden: CompiledGolden | undefined; group: LogGroup })[] = []
  const unknown = new Map<string, number>()
  let refusal: unknown
  const counts: LogCounts = { invalid: 0, surplusTurns: 0, earlyCalls: 0, extraCalls: 0, malformedCalls: 0 }

  const callsSeen = callTally(shifted)

  /** What the calls of a record earn. */
  function scoreOf(group: LogGroup, { calls, written, scored }: RolloutRecord): RolloutScore {
    if (scored !== undefined) {
      callsSeen.addScored(scored)
      return scored.score
    }
    const trace = groups.goldenOf(group)
    if (partial === 'f1' && group.scope === 'rollout')
      fail('MISMATCH', 'scope', '"turn" for the F1 of a turn', '"rollout"')
    const built = (): CallRollout => calls ?? builtRollout(written!)
    const isCounted =
      written !== undefined && written.status !== 'aborted' && isCountable(trace, group.scope, scoring)
    const score = isCounted
      ? scoreWritten(trace, written, members)
      : scoreRollout(trace, built(), group.scope, scoring)
    callsSeen.add(trace, built, group.scope, score)
    return score
  }

  function pushCalls(group: LogGroup, record: RolloutRecord): void {
    if (group.golden === undefined) return // aborted, and its group's golden trace is still to come
    const score = scoreOf(group, record)
    for (let t = 0; t < group.numTurns; t++) {
      rows.reward.push(score.reward[t]!)
      rows.reached.push(score.reached[t]!)
    }
    counts.surplusTurns += score.surplus
    counts.earlyCalls += score.early
    counts.extraCalls += score.extra
    counts.malformedCalls += score.malformed
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
    const spans = recordTokens(record, fields, currentText, tokens, tokenize)
    const start = rows.reward.length()
    let status = record.status
    if (record.rewards !== undefined) {
      const isOut = allowInvalid && isBroken(record.rewards)
      if (isOut && status !== 'aborted') counts.invalid++
      if (isOut) status = 'aborted'
      pushRewards(rows, group, record.rewards, status !== 'aborted', realRewards)
    } else {
      if (rows.columns.size > 0) checkColumns(rows, [])
      pushCalls(group, record)
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
    const golden = group.golden && groups.goldenOf(group)
    if (calls !== undefined && keep?.(key)) kept.push({ key, calls, scope, golden, group })
  }

  /** The record with the scope of its golden trace, where it names none. */
  function withScope(fields: Fields, record: RolloutRecord): RolloutRecord {
    const scope = fields.scope === undefined ? golden?.scopeOf?.(record.group, record.role) : undefined
    return scope === undefined ? record : { ...record, scope }
  }

  function addDocument(
    format: DocumentFormat,
    text: string | undefined,
    parsed: unknown,
    line: number,
  ): void {
    currentText = undefined // it is not that of one record
    readDocument(format, text, parsed, turns, { functions, nextRollout }, (fields, record, path) => {
      if (path !== '') documentPlaces.push(`${placeOfLine(line)}: ${path}`)
      add(fields, withScope(fields, record), undefined, path === '' ? line : -documentPlaces.length)
    })
  }

  /** Takes a record or a document. */
  function addValue(text: string | undefined, value: unknown, line: number): void {
    const document = formats.documentOf(value)
    if (document !== undefined) addDocument(document, text, value, line)
    else {
      const fields = asRecord(value)
      const read = withScope(fields, readRecord(fields, turns, formats.of))
      add(fields, text === undefined ? read : exactCalls(text, fields, read), text, line)
    }
  }

  const isBuilt = keep !== undefined || tokenize !== undefined

  /** Takes a line that was read where it stands, but for its golden trace. */
  function addRead(
    { fields, goldenStart, goldenEnd }: Pick<ScannedRecord, 'fields' | 'goldenStart' | 'goldenEnd'>,
    bytes: Uint8Array,
    line: number,
    readMessages: Parameters<typeof readRecord>[3],
  ): void {
    formats.readsOpenAI(true)
    currentText = undefined
    const own = withScope(fields, readRecord(fields, turns, formats.of, readMessages))
    const group = goldenEnd === 0 ? undefined : groups.find(own)
    const known = group?.golden?.written.bytes
    if (goldenEnd === 0) add(fields, own, undefined, line)
    else if (known !== undefined && sameBytes(bytes, goldenStart, goldenEnd, known))
      add(fields, own, undefined, line, group)
    else add(fields, { ...own, goldenBytes: copyOf(bytes, goldenStart, goldenEnd) }, undefined, line)
  }

  /** Takes a scanned line; its calls are counted where they stand. */
  function addScanned(scanned: ScannedRecord, bytes: Uint8Array, line: number): void {
    addRead(scanned, bytes, line, (unit, status) => {
      const written = scannedTurns(scanned.messages, unit as 'user' | 'step', status, turnStart)
      return { written, numTurns: written.numTurns }
    })
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
    currentLine = line
    try {
      work()
    } catch (error) {
      refusal = error instanceof TaraError ? within(placeOfLine(line), error) : error
      throw refusal
    }
  }

  function addLine(text: string, line: number): void {
    record(line, () => {
      currentText = text
      addValue(text, parseLine(text, allowInvalid).value, line)
    })
  }

  function addBytes(bytes: Uint8Array, start: number, end: number, line: number): void {
    if (refusal !== undefined) throw refusal
    currentLine = line
    const scanned =
      isBuilt || !formats.readsOpenAI(false)
        ? undefined
        : scanner.scan(bytes, start, end, groups.latest()?.golden?.written.bytes)
    if (scanned === undefined) addLine(decodeLine(source, line, bytes, start, end), line)
    else record(line, () => addScanned(scanned, bytes, line))
  }

  return {
    addLine,
    addBytes,
    addScored(bytes, start, end, line, scored) {
      if (scored === undefined || isBuilt || !formats.readsOpenAI(false))
        this.addBytes(bytes, start, end, line)
      else record(line, () => addRead(scored, bytes, line, () => ({ scored, numTurns: scored.numTurns })))
    },
    addRecord(value) {
      const line = rows.rollout.length + 1
      currentText = undefined
      record(line, () => addValue(undefined, value, line))
    },
    finish() {
      if (refusal !== undefined) throw refusal
      if (rows.rollout.length === 0) fail('EMPTY', source, 'at least one record', 'none')
      groups.end()
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
        ...formats.notes(),
        ...[...unknown].map(([name, line]) => `${placeOfLine(line)}: field ${show(name)} is not read`),
        ...emptyHanded(),
      ]
      const log = assemble(rows, groups.list, realRewards || partial !== undefined)
      return {
        ...log,
        kept: kept.map(({ group, golden, ...one }) => ({
          ...one,
          golden: golden ?? groups.goldenOf(group),
        })),
        counts,
        calls: callsSeen.totals(),
        warnings,
        placeOf: (rollout) => placeOfLine(log.line[rollout]!),
      }
    },
  }
}
