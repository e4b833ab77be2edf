/**
 * The part of reading a log that needs no other line: a line as bytes → its fields and what its calls earn.
 *
 * A log's reader takes such lines as if it had scored them itself. So they may be scored elsewhere, in any order.
 */
import type { Status } from '../batch/layout.js'
import { TaraError } from '../errors.js'
import { copyOf, sameBytes, textOf } from '../reward/bytes.js'
import type { Scope } from '../reward/call.js'
import { compileWritten } from '../reward/compileWritten.js'
import {
  type CompiledGolden,
  compileGolden,
  isCountable,
  scoreRollout,
  scoreWritten,
} from '../reward/golden.js'
import { memberTape } from '../reward/memberTape.js'
import { resolveCoveragePolicy } from '../reward/policy.js'
import { countShifted, type ShiftCounts } from '../reward/shifted.js'
import { builtRollout } from '../reward/written.js'
import type { LogOptions } from './log-options.js'
import type { Id } from './record.js'
import { recordScanner, type ScannedRecord, scannedTurns } from './scan-record.js'
import type { ScoredCalls } from './scored-calls.js'
import { goldenIn } from './written-golden.js'

export interface ScoredLine extends ScoredCalls {
  /** The fields of the record but `messages` and `golden`. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The golden trace in the bytes; 0 and 0 where the line has none. */
  readonly goldenStart: number
  readonly goldenEnd: number
  /** Logged turns. */
  readonly numTurns: number
}

/** Options of the log's reader that say what calls earn. */
export type ScorerOptions = Pick<
  LogOptions,
  'policy' | 'partial' | 'exactOnly' | 'turns' | 'golden' | 'shifted'
>

/** Golden traces that are kept compiled. */
const MAX_COMPILED = 64

/** A value that is one of these, or the first of them where it is not given; undefined for another. */
function oneOfThese<Name extends string>(value: unknown, ...names: Name[]): Name | undefined {
  return value === undefined || value === null ? names[0] : names.find((name) => name === value)
}

/** Makes a function that scores one line; undefined where the line needs the log's reader, whether it is at fault or
 * only written in another way.
 * @param options - those of the log's reader
 */
export function lineScorer({
  policy: given,
  partial,
  exactOnly,
  turns,
  golden: tasks,
  shifted,
}: ScorerOptions): (bytes: Uint8Array, start: number, end: number) => ScoredLine | undefined {
  const policy = resolveCoveragePolicy('lineScorer: options.policy', given)
  const scoring = { reward: partial ?? 'binary', exactOnly } as const
  const scanner = recordScanner()
  const members = memberTape()
  const turnStart: number[] = []
  const compiled = new Map<string, CompiledGolden>()
  let latest: { readonly bytes: Uint8Array; readonly golden: CompiledGolden } | undefined

  function compile(key: string, make: () => CompiledGolden): CompiledGolden {
    let golden = compiled.get(key)
    if (golden === undefined) {
      golden = make()
      if (compiled.size === MAX_COMPILED) compiled.clear()
      compiled.set(key, golden)
    }
    return golden
  }

  function goldenOf(
    { fields, goldenStart, goldenEnd }: ScannedRecord,
    bytes: Uint8Array,
  ): CompiledGolden | undefined {
    if (goldenEnd === 0) {
      const role = fields.role ?? undefined
      const task = tasks?.find(fields.group as Id, role as string | undefined)
      return task && compile(task.place, () => compileGolden('golden', task.golden, policy))
    }
    if (latest !== undefined && sameBytes(bytes, goldenStart, goldenEnd, latest.bytes)) return latest.golden
    const own = copyOf(bytes, goldenStart, goldenEnd)
    const golden = compile(
      textOf(own, 0, own.length),
      () => compileWritten(own, policy, members) ?? compileGolden('golden', goldenIn(own), policy),
    )
    latest = { bytes: own, golden }
    return golden
  }

  function scored(record: ScannedRecord, bytes: Uint8Array): ScoredLine | undefined {
    const { fields, messages, goldenStart, goldenEnd } = record
    const status = oneOfThese<Status>(fields.status, 'complete', 'truncated', 'aborted')
    const unit = fields.turns === undefined ? turns : oneOfThese(fields.turns, turns, 'user', 'step')
    const scopeOfTask = tasks?.scopeOf?.(fields.group as Id, fields.role as string | undefined)
    const scope =
      fields.scope === undefined
        ? (scopeOfTask ?? 'turn')
        : oneOfThese<Scope>(fields.scope, 'turn', 'rollout')
    const golden = goldenOf(record, bytes)
    if (golden === undefined || status === undefined || unit === undefined || scope === undefined)
      return undefined
    const written = scannedTurns(messages, unit, status, turnStart)
    const score =
      status !== 'aborted' && isCountable(golden, scope, scoring)
        ? scoreWritten(golden, written, members)
        : scoreRollout(golden, builtRollout(written), scope, scoring)
    const shifts: ShiftCounts = { missedTurns: 0, oneTurnEarly: 0, oneTurnLate: 0 }
    if (shifted && scope === 'turn' && score.reward.includes(0) && score.reached.includes(1))
      countShifted(golden, builtRollout(written), score.reward, shifts)
    return { fields, goldenStart, goldenEnd, numTurns: written.numTurns, score, shifts }
  }

  return (bytes, start, end) => {
    const record = scanner.scan(bytes, start, end, latest?.bytes)
    if (record === undefined) return undefined
    try {
      return scored(record, bytes)
    } catch (error) {
      if (error instanceof TaraError) return undefined // the log's reader says it in its place
      throw error
    }
  }
}
