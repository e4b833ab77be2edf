/**
 * What `tara explain` has found, as text for a person and as JSON.
 */
import type { Status } from '../batch/layout.js'
import type { ColumnStats, TurnExplanation } from '../diagnose/explain.js'
import type { RolloutKey } from '../formats/assemble.js'
import type { KeptRollout } from '../formats/log-types.js'
import type { JsonValue, ToolCall } from '../reward/call.js'
import type { Coverage, Miss } from '../reward/cover.js'
import { scoreRollout } from '../reward/golden.js'
import { jsonText } from '../reward/jsonText.js'
import { printable } from './printable.js'
import { table } from './table.js'

/** Golden calls of a turn, the calls that were tested against them, and what came of it. */
export interface TurnCalls {
  /** One list, or one an alternative. */
  readonly golden: readonly (readonly ToolCall[])[]
  readonly made: readonly ToolCall[]
  /** Null where the turn was not reached. */
  readonly coverage: Coverage | null
}

export interface Explanation {
  readonly key: RolloutKey
  readonly status: Status
  readonly turn: number
  readonly reached: boolean
  readonly masked: boolean
  readonly lambda: number
  /** Absent where the record was scored already. */
  readonly calls: TurnCalls | undefined
  readonly numbers: TurnExplanation
}

/** Scores a kept rollout once more, this time with reasons, and takes one turn of it. */
export function turnCalls(kept: KeptRollout, t: number): TurnCalls {
  const { golden, calls, scope } = kept
  const coverage = scoreRollout(golden, calls, scope, { explain: true }).coverage[t] ?? null
  const made =
    scope === 'rollout'
      ? [...(calls.before ?? []), ...calls.turns.flatMap((turn) => turn ?? [])]
      : (calls.turns[t] ?? [])
  const sets = golden.turns[t]!.sets.map((set) =>
    set.calls.map(({ name, side, value }) =>
      side === 'assistant' ? { name, arguments: value } : { name, arguments: value, requestor: side },
    ),
  )
  return { golden: sets, made, coverage }
}

const place = ({ group, rollout, role }: RolloutKey): string =>
  printable(`group ${group}, rollout ${rollout}${role === undefined ? '' : `, role ${role}`}`)

/** Characters of arguments that are shown. */
const MAX_SHOWN = 2000

/** A model's text, cut to a length. */
const shown = (text: string): string =>
  printable(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

function callText({ name, arguments: given, requestor }: ToolCall): string {
  const side = requestor === undefined || requestor === 'assistant' ? '' : ` (by ${shown(requestor)})`
  const text = given === undefined ? '' : typeof given === 'string' ? given : jsonText(given)
  return `${shown(name)}(${shown(text)})${side}`
}

const valueText = (value: JsonValue | undefined): string =>
  value === undefined ? 'nothing' : shown(jsonText(value))

function missText(miss: Miss): string {
  const call = miss.call === undefined ? '' : ` (call ${miss.call})`
  const where = miss.path === undefined || miss.path === '' ? 'the arguments' : shown(miss.path)
  switch (miss.reason) {
    case 'wrong-arguments':
      return `wrong arguments${call}: ${where} should be ${valueText(miss.expected)}, is ${valueText(miss.got)}`
    case 'malformed-arguments':
      return `malformed arguments${call}: ${miss.problem}${miss.hint === undefined ? '' : `, ${miss.hint}`}: ${shown(miss.detail ?? '')}`
    case 'used-by-another':
      return `made once too few${call}: the call that is equal is taken by another golden call`
    case 'other-side':
      return `made by the other side${call}`
    case 'no-such-call':
      return 'not made'
  }
}

function callLines({ golden, made, coverage }: TurnCalls): string[] {
  const lines: string[] = []
  golden.forEach((calls, a) => {
    lines.push(golden.length > 1 ? `golden calls, alternative ${a}:` : 'golden calls:')
    if (calls.length === 0) lines.push('  none')
    calls.forEach((call, g) => {
      const isShown = coverage !== null && a === (coverage.alternative ?? 0)
      const miss = coverage?.missed.find(({ index }) => index === g)
      const verdict = !isShown ? '' : miss === undefined ? 'covered: ' : `missed, ${missText(miss)}: `
      lines.push(`  ${g}  ${verdict}${callText(call)}`)
    })
  })
  lines.push('calls made:')
  if (made.length === 0) lines.push('  none')
  made.forEach((call, c) => {
    lines.push(`  ${c}  ${callText(call)}`)
  })
  if (coverage !== null)
    lines.push(
      `matched ${coverage.matched} of ${coverage.golden}; extra calls ${coverage.extra}, malformed ${coverage.malformed}`,
    )
  return lines
}

const digits = (value: number): string => `${Number(value.toPrecision(12))}`

function columnRow(name: string, value: number, { mean, std, voters, z }: ColumnStats): string[] {
  return [name, digits(value), digits(mean), digits(std), String(voters), digits(z)]
}

/** The explanation for a person, every number to 12 digits. */
export function explanationText({
  key,
  status,
  turn,
  reached,
  masked,
  lambda,
  calls,
  numbers,
}: Explanation): string {
  const { reward, gate, terms, sum, futureValue, local, future, advantage, votes } = numbers
  const lines = [`${place(key)}, turn ${turn} (${status}, ${reached ? 'reached' : 'not reached'})`, '']
  if (calls !== undefined) lines.push(...callLines(calls), '')
  lines.push(`reward r = ${digits(reward)}`)
  if (masked) lines.push('the turn is taken out before anything is computed: its advantage is 0')
  else if (!votes) lines.push('the rollout does not vote at this turn: its advantage is 0')
  if (!votes) return `${lines.join('\n')}\n`
  const summed = terms.map((term) => `${digits(term.weight)}·${digits(term.reward)}`).join(' + ')
  lines.push(
    `future sum  = ${terms.length === 0 ? '0 (last turn)' : `${summed} = ${digits(sum)}`}`,
    `gate δ = ${digits(gate)}, future value V = δ · sum = ${digits(futureValue)}`,
    '',
    table([
      ['', 'value', 'mean μ', 'std σ', 'voters', 'z'],
      columnRow('local, r', reward, local),
      columnRow('future, V', futureValue, future),
    ]).trimEnd(),
    '',
    `advantage = ${digits(local.z)} + ${lambda} · ${digits(future.z)} = ${digits(advantage)}`,
  )
  return `${lines.join('\n')}\n`
}

/** The explanation as one line of JSON; integers of any size are written in full, control characters escaped. */
export function explanationJson({ key, calls, ...rest }: Explanation): string {
  const plain = { ...key, ...rest, ...calls }
  return `${printable(jsonText(withoutUndefined(plain) as JsonValue))}\n`
}

/** Leaves out members that are undefined, at the levels this file builds. */
function withoutUndefined(value: unknown, depth = 0): unknown {
  if (depth > 4 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withoutUndefined(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, withoutUndefined(member, depth + 1)]),
  )
}
