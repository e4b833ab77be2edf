/**
 * Calls of a rollout beside the golden trace: which are covered, missed, extra or malformed, and where two differ.
 *
 * The verdicts are those that gave the rewards: the same matching, run again with its reasons.
 */
import type { KeptRollout } from '../formats/log-types.js'
import { type ArgumentMemo, readArguments } from '../reward/arguments.js'
import type { JsonValue, ToolCall } from '../reward/call.js'
import { type Coverage, coverTurn, explainVerdict, type Miss } from '../reward/cover.js'
import type { CompiledGolden } from '../reward/golden.js'
import { jsonText } from '../reward/jsonText.js'
import { readCalls } from '../reward/made.js'
import type { CallMark, MadeCall, ShownCall, ShownCoverage, ShownMiss } from './model-types.js'

/** Characters of a value or of a text that are shown. */
const MAX_VALUE = 600

/** Arguments of a call that are shown. */
const MAX_ARGUMENTS = 60

const cut = (text: string): string => (text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text)

const valueText = (value: JsonValue): string => cut(jsonText(value))

function shownCall({ name, arguments: given, requestor, problem }: ToolCall, memo: ArgumentMemo): ShownCall {
  const side = requestor === undefined || requestor === 'assistant' ? {} : { side: cut(requestor) }
  const read = readArguments(given, memo)
  const label = { name: cut(String(name)), ...side }
  if (!read.ok || problem !== undefined) {
    const text = given === undefined ? '' : typeof given === 'string' ? given : jsonText(given)
    const fault = problem ?? (read.ok ? '' : read.problem)
    const hint = read.ok || read.hint === undefined ? '' : `, ${read.hint}`
    return { ...label, text: cut(text), problem: `${fault}${hint}` }
  }
  const keys = Object.keys(read.value)
  const args = keys.slice(0, MAX_ARGUMENTS).map((key) => [cut(key), valueText(read.value[key]!)] as const)
  if (keys.length > args.length) args.push(['…', `${keys.length - args.length} more`])
  return { ...label, args }
}

/** The golden calls of turn t: one list, or one an alternative. */
export function goldenCalls(golden: CompiledGolden, t: number): ShownCall[][] {
  return golden.turns[t]!.sets.map((set) =>
    set.calls.map(({ name, side, value }) =>
      shownCall({ name, arguments: value, requestor: side }, golden.policy.memo),
    ),
  )
}

/** Every call of a rollout in order, those before the first turn in front, and where each turn begins. */
export interface FlatCalls {
  readonly calls: readonly ToolCall[]
  /** `[calls]` turn of the log; −1 before the first. */
  readonly turn: readonly number[]
  /** `[logged turns + 1]` */
  readonly turnPtr: readonly number[]
}

export function flatCalls({ calls }: Pick<KeptRollout, 'calls'>): FlatCalls {
  const all: ToolCall[] = [...(calls.before ?? [])]
  const turn = all.map(() => -1)
  const turnPtr = [all.length]
  calls.turns.forEach((made, t) => {
    for (const call of made ?? []) {
      all.push(call)
      turn.push(t)
    }
    turnPtr.push(all.length)
  })
  return { calls: all, turn, turnPtr }
}

/** The argument in which a path begins: `a` of `a.b[0]`, `b c` of `["b c"].d`. */
function argumentOf(path: string): string | undefined {
  const [start, quoted] = /^(?:[A-Za-z_$][\w$-]*|\[("(?:[^"\\]|\\.)*")\])/.exec(path) ?? []
  return quoted === undefined ? start : cut(JSON.parse(quoted) as string)
}

const reasons: Readonly<Record<Miss['reason'], string>> = {
  'wrong-arguments': 'wrong arguments',
  'malformed-arguments': 'malformed arguments',
  'used-by-another': 'made once too few',
  'other-side': 'made by the other side',
  'no-such-call': 'not made',
}

function shownMiss(miss: Miss, start: number): ShownMiss {
  const { index, reason, call, path, expected, got, problem, hint, detail } = miss
  const argument = path === undefined ? undefined : argumentOf(path)
  const fault = problem === undefined ? undefined : `${problem}${hint === undefined ? '' : `, ${hint}`}`
  return {
    index,
    reason: reasons[reason],
    ...(call !== undefined && { call: start + call }),
    ...(argument !== undefined && { argument }),
    ...(path !== undefined && { path: cut(path) }),
    ...(expected !== undefined && { expected: valueText(expected) }),
    ...(got !== undefined && { got: valueText(got) }),
    ...(fault !== undefined && { detail: cut(`${fault}: ${detail ?? ''}`) }),
  }
}

function shownCoverage(
  { covered, matched, golden, extra, malformed, missed, alternative = 0 }: Coverage,
  start: number,
): ShownCoverage {
  const misses = missed.map((miss) => shownMiss(miss, start))
  return { covered, alternative, matched, golden, extra, malformed, missed: misses }
}

export interface MarkedRollout {
  readonly calls: readonly MadeCall[]
  /** `[T]` null where the turn was not tested. */
  readonly coverage: readonly (ShownCoverage | null)[]
}

/** Tests the calls of a rollout against its golden trace once more, and says what became of each. */
export function markCalls(kept: KeptRollout): MarkedRollout {
  const { golden, scope } = kept
  const { calls, turn, turnPtr } = flatCalls(kept)
  const read = readCalls(calls, golden.policy)
  const isTested = new Uint8Array(calls.length)
  const isUsed = new Uint8Array(calls.length)
  const isOut = kept.calls.status === 'aborted'

  /** The calls that golden turn t is tested against; undefined where it is not. */
  function testedBy(t: number): readonly [start: number, end: number] | undefined {
    if (isOut) return undefined
    if (scope === 'rollout') return [0, calls.length]
    return t < kept.calls.turns.length && kept.calls.turns[t] !== null
      ? [turnPtr[t]!, turnPtr[t + 1]!]
      : undefined
  }

  const found = golden.turns.map((goldenTurn, t) => {
    const range = testedBy(t)
    if (range === undefined) return undefined
    const made = read.slice(...range)
    const verdict = coverTurn(goldenTurn, made, golden.policy)
    isTested.fill(1, ...range)
    verdict.match.goldenOf.forEach((g, j) => {
      if (g !== -1) isUsed[range[0] + j] = 1
    })
    return { start: range[0], coverage: explainVerdict(goldenTurn, verdict, made, golden.policy) }
  })
  const markOf = (j: number): CallMark =>
    isTested[j] === 0
      ? 'untested'
      : !read[j]!.arguments.ok
        ? 'malformed'
        : isUsed[j] === 1
          ? 'covered'
          : 'extra'
  const made = calls.map(
    (call, j): MadeCall => ({
      ...shownCall(call, golden.policy.memo),
      turn: turn[j]!,
      mark: markOf(j),
    }),
  )
  return {
    calls: made,
    coverage: found.map((one) => (one === undefined ? null : shownCoverage(one.coverage, one.start))),
  }
}
