/**
 * One record of a rollout log (`tara.rollout/1`), from a parsed line to checked fields.
 *
 * The schema is `schema/rollout.schema.json`; `docs/formats.md` explains it. Errors carry the path inside the record.
 */
import { failReward, MAX_REWARD } from '../batch/check.js'
import type { Status } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import type { CallRollout, Scope } from '../reward/call.js'
import type { WrittenRollout } from '../reward/written.js'
import type { Fields } from './fields.js'
import { goldenTurns, isConversation } from './golden-messages.js'
import type { MessageFormat } from './message-format.js'
import type { ScoredCalls } from './scored-calls.js'
import { fromMessages } from './turns.js'

/** A name for a group or a rollout: text or an integer. `5` and `"5"` are two names. */
export type Id = string | number

/** Where the turns of a group come from; one a group. */
export type TurnUnit = 'user' | 'step' | 'explicit'

/** What is known of messages that were not built. */
interface MessagesElsewhere {
  /** Logged turns. */
  readonly numTurns: number
  /** What the rollout did as it stands in the line. */
  readonly written?: WrittenRollout | undefined
  /** What its calls earned, where that was found out before. */
  readonly scored?: ScoredCalls | undefined
}

export interface RolloutRecord extends Omit<MessagesElsewhere, 'numTurns'> {
  readonly group: Id
  readonly rollout: Id
  readonly role: string | undefined
  readonly status: Status
  readonly scope: Scope
  readonly unit: TurnUnit
  readonly outcome: number | undefined
  /** The golden trace as it stands in the record, or the turns of the conversation that stands there; unchecked. */
  readonly golden: unknown
  /** The golden trace, a list, where the record was read as bytes; unchecked. `golden` is then undefined. */
  readonly goldenBytes?: Uint8Array | undefined
  /** The format of the golden trace where that is a conversation. */
  readonly goldenFormat: MessageFormat | undefined
  /** What the rollout did, where the record has messages and they were built. */
  readonly calls: CallRollout | undefined
  /** Logged turns, where the record has messages. */
  readonly numTurns: number | undefined
  /** The format of its messages. */
  readonly format: MessageFormat | undefined
  /** Rewards of the turns, where the record is scored already: one row, or one named row a component. */
  readonly rewards: RewardRow | undefined
  /** Token spans, unchecked. */
  readonly tokens: unknown
}

/** `[≤T]` a row; null, NaN and infinite entries are kept for the reader to judge. */
export type RewardRow = readonly number[] | Readonly<Record<string, readonly number[]>>

export const recordFields: ReadonlySet<string> = new Set([
  'schema',
  'group',
  'rollout',
  'role',
  'messages',
  'tools',
  'golden',
  'turns',
  'scope',
  'rewards',
  'outcome',
  'status',
  'tokens',
])

const SCHEMA = 'tara.rollout/1'

export type { Fields }

/** Checks that a line holds an object. */
export function asRecord(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    fail('TYPE', '', 'an object', show(value))
  return value as Fields
}

export function asId(place: string, value: unknown): Id {
  if (typeof value === 'string' || Number.isSafeInteger(value)) return value as Id
  if (value === undefined) fail('MISSING', place, 'text or a safe integer', 'undefined')
  return fail('TYPE', place, 'text or a safe integer', show(value))
}

function oneOfThese<Name extends string>(place: string, value: unknown, names: readonly Name[]): Name {
  if (!names.includes(value as Name))
    fail('RANGE', place, names.map((name) => `"${name}"`).join(' or '), show(value))
  return value as Name
}

function asRow(place: string, value: unknown): readonly number[] {
  if (!Array.isArray(value)) fail('TYPE', place, 'a list of rewards, one a turn', show(value))
  for (let t = 0; t < value.length; t++)
    if (typeof value[t] !== 'number' && value[t] !== null) failReward(`${place}[${t}]`, value[t], true)
  return value
}

function asRewards(value: unknown): RewardRow {
  if (typeof value !== 'object' || value === null)
    fail('TYPE', 'rewards', 'a list of rewards, one a turn, or named lists', show(value))
  if (Array.isArray(value)) return asRow('rewards', value)
  const columns: Record<string, readonly number[]> = Object.create(null)
  let length: number | undefined
  for (const [name, row] of Object.entries(value)) {
    columns[name] = asRow(`rewards.${name}`, row)
    length ??= columns[name].length
    if (columns[name].length !== length)
      fail('LENGTH', `rewards.${name}`, `${length} values, as in the first list`, `${columns[name].length}`)
  }
  if (length === undefined) fail('MISSING', 'rewards', 'at least one named list', 'none')
  return columns
}

function asOutcome(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !(Math.abs(value) <= MAX_REWARD))
    fail('TYPE', 'outcome', `a finite number of at most ${MAX_REWARD} in size`, show(value))
  return value
}

/** What the record says about turns: a unit, or one mark a message. */
export function unitOf(turns: unknown, otherwise: 'user' | 'step'): TurnUnit {
  if (turns === undefined || turns === null) return otherwise
  if (Array.isArray(turns)) return 'explicit'
  if (turns === 'user' || turns === 'step') return turns
  return fail('RANGE', 'turns', '"user", "step" or one turn index a message', show(turns))
}

/** Reads the messages of a record whose other fields are known.
 * @throws TaraError with a path from the record's root
 */
export function callsOf(fields: Fields, format: MessageFormat, unit: TurnUnit, status: Status): CallRollout {
  const marks = unit === 'explicit' ? (fields.turns as (number | null)[]) : unit
  const { turns, before } = fromMessages(format, fields.messages as readonly unknown[], marks)
  return { turns, before, status }
}

/** Checks the fields of one record.
 * @param otherwise - the unit of turns for records that name none
 * @param formatOf - the format of a list of messages, and where it stands
 * @param readMessages - reads the messages where they are not among these fields
 * @throws TaraError with a path from the record's root: `rewards[2]: expected a number, got "1"`
 */
export function readRecord(
  fields: Fields,
  otherwise: 'user' | 'step',
  formatOf: (messages: unknown, field?: string) => MessageFormat,
  readMessages?: (unit: TurnUnit, status: Status) => MessagesElsewhere,
): RolloutRecord {
  if (fields.schema !== undefined) oneOfThese('schema', fields.schema, [SCHEMA])
  const group = asId('group', fields.group)
  const rollout = asId('rollout', fields.rollout)
  const role = fields.role ?? undefined
  if (role !== undefined && typeof role !== 'string') fail('TYPE', 'role', 'text', show(role))
  const status = oneOfThese<Status>('status', fields.status ?? 'complete', [
    'complete',
    'truncated',
    'aborted',
  ])
  const scope = oneOfThese<Scope>('scope', fields.scope ?? 'turn', ['turn', 'rollout'])
  const isBuilt = fields.messages !== undefined && fields.messages !== null
  const hasMessages = isBuilt || readMessages !== undefined
  const hasRewards = fields.rewards !== undefined && fields.rewards !== null
  if (hasMessages && hasRewards) fail('MISMATCH', 'rewards', 'messages or rewards', 'both')
  if (!hasMessages && !hasRewards) fail('MISSING', 'messages', 'messages or rewards', 'neither')
  const unit = unitOf(fields.turns, otherwise)
  if (hasRewards && unit === 'explicit') fail('MISMATCH', 'turns', 'messages with turn marks', 'rewards')
  const outcome = asOutcome(fields.outcome)
  const format = isBuilt ? formatOf(fields.messages) : undefined
  const golden = fields.golden ?? undefined
  const goldenFormat = isConversation(golden) ? formatOf(golden.messages, 'golden.messages') : undefined
  const calls = format && callsOf(fields, format, unit, status)
  const elsewhere = readMessages?.(unit, status)
  return {
    group,
    rollout,
    role,
    status,
    scope,
    unit,
    outcome,
    golden: goldenFormat === undefined ? golden : goldenTurns(golden as Fields, goldenFormat, unit),
    goldenFormat,
    calls,
    numTurns: elsewhere?.numTurns ?? calls?.turns.length,
    written: elsewhere?.written,
    scored: elsewhere?.scored,
    format,
    rewards: hasRewards ? asRewards(fields.rewards) : undefined,
    tokens: fields.tokens ?? undefined,
  }
}
