/**
 * The groups of a log: what every record of a group must share, and the golden trace, kept once.
 */
import { fail, show } from '../errors.js'
import type { Scope } from '../reward/call.js'
import type { CompiledGolden } from '../reward/golden.js'
import type { MemberTape } from '../reward/memberTape.js'
import type { ResolvedPolicy } from '../reward/policy.js'
import { sameGolden } from '../reward/sameGolden.js'
import { type GoldenSource, goldenCache } from './golden-cache.js'
import type { GoldenTable } from './golden-table.js'
import type { Id, RolloutRecord, TurnUnit } from './record.js'
import { goldenOf, holdsGolden, kept, type WrittenGolden, writtenGolden } from './written-golden.js'

/** One (group, role). */
export interface LogGroup {
  readonly index: number
  readonly id: Id
  readonly role: string | undefined
  readonly firstPlace: string
  readonly kind: 'messages' | 'rewards'
  readonly scope: Scope
  readonly unit: TurnUnit
  /** The golden trace, where the group has one. It fixes T. A group of messages that has none yet has only aborted
   * rollouts so far. */
  golden: GoldenSource | undefined
  /** What gave the golden trace, for errors. */
  giver: string
  /** Whether the golden trace stands in the records of the group and nowhere else. */
  isWritten: boolean
  /** `[T]` 1 for a turn that is taken out before anything is computed; undefined where there is none. */
  masked: Uint8Array | undefined
  /** Ids of the rollouts so far. */
  readonly rollouts: Set<Id>
  /** T: the golden trace's, else the longest row so far. */
  numTurns: number
}

export interface GroupTable {
  readonly list: readonly LogGroup[]
  /** The compiled golden trace of a group that has one. */
  goldenOf(group: LogGroup): CompiledGolden
  /** The group of the record before. */
  latest(): LogGroup | undefined
  /** The group of this name so far. */
  find(record: Pick<RolloutRecord, 'group' | 'role'>): LogGroup | undefined
  /** The group of a record, made if it is the first.
   * @param text - the record's line, where it has one
   * @param known - the record's group, where its golden trace was found to be that group's
   * @throws TaraError `DUPLICATE`, `MISMATCH`, `MISSING`, `GOLDEN` with a path from the record's root
   */
  enter(record: RolloutRecord, text: string | undefined, line: number, known?: LogGroup): LogGroup
  /** Checks that every group which needs a golden trace has got one.
   * @throws TaraError `MISSING` with the place of the group's first record
   */
  end(): void
}

type Trace = Pick<LogGroup, 'golden' | 'giver' | 'isWritten' | 'masked' | 'numTurns'>

function failMissing(place: string): never {
  fail('MISSING', place, 'a golden trace, here or by group in a file of tasks', 'undefined')
}

const firstOf = (place: string): string => `the group's first record at ${place}`

const isAborted = ({ status }: RolloutRecord): boolean => status === 'aborted'

function checkSame(field: string, wanted: string, found: string, group: LogGroup): void {
  if (wanted !== found)
    fail('MISMATCH', field, `${wanted}, as in the group's first record at ${group.firstPlace}`, found)
}

/** Makes an empty table.
 * @param tasks - golden traces by group, for records that have none
 * @param placeOf - names a line of the log
 * @param tape - is written over
 */
export function groupTable(
  policy: ResolvedPolicy,
  tasks: GoldenTable | undefined,
  placeOf: (line: number) => string,
  tape: MemberTape,
): GroupTable {
  const byRole = new Map<string | undefined, Map<Id, LogGroup>>()
  const list: LogGroup[] = []
  const cache = goldenCache(policy, tape)
  let latest: LogGroup | undefined

  function ownGolden(record: RolloutRecord, text: string | undefined): WrittenGolden | undefined {
    if (record.goldenBytes !== undefined) return { bytes: record.goldenBytes }
    if (record.golden === undefined) return undefined
    const isMade = text === undefined || record.goldenFormat !== undefined
    return isMade ? { value: record.golden } : writtenGolden(text, record.golden)
  }

  /** The golden trace of a group whose records so far have none. An aborted rollout can wait for that of another. */
  function traceOf(record: RolloutRecord, text: string | undefined, ownGiver: string): Trace {
    const task = tasks?.find(record.group, record.role)
    const own = ownGolden(record, text)
    if (task !== undefined && own !== undefined && !sameGolden(task.golden, goldenOf(own)))
      fail('MISMATCH', 'golden', `the golden trace of ${task.place}`, 'another')
    if (own === undefined && task === undefined && record.rewards === undefined && !isAborted(record))
      failMissing('golden')
    const source = own
      ? { written: kept(own), place: 'golden' }
      : task && { written: { value: task.golden }, place: `${task.place}: golden` }
    // A scored record has a trace that was compiled without a fault, and its length; masked turns only that shows.
    const isKnown = record.scored !== undefined && policy.emptyGolden !== 'mask'
    const compiled = isKnown ? undefined : source && cache.of(source, own?.value)
    return {
      golden: source,
      giver: own === undefined && task !== undefined ? task.place : ownGiver,
      isWritten: own !== undefined && task === undefined,
      masked: compiled?.masked.includes(1) ? compiled.masked : undefined,
      numTurns: compiled?.numTurns ?? record.scored?.score.reward.length ?? 0,
    }
  }

  function create(record: RolloutRecord, text: string | undefined, line: number): LogGroup {
    const firstPlace = placeOf(line)
    const group: LogGroup = {
      index: list.length,
      id: record.group,
      role: record.role,
      firstPlace,
      kind: record.rewards === undefined ? 'messages' : 'rewards',
      scope: record.scope,
      unit: record.unit,
      ...traceOf(record, text, firstOf(firstPlace)),
      rollouts: new Set(),
    }
    list.push(group)
    let groups = byRole.get(record.role)
    if (groups === undefined) byRole.set(record.role, (groups = new Map()))
    groups.set(record.group, group)
    return group
  }

  function find(record: Pick<RolloutRecord, 'group' | 'role'>): LogGroup | undefined {
    return byRole.get(record.role)?.get(record.group)
  }

  function checkGolden(group: LogGroup, record: RolloutRecord, text: string | undefined, line: number): void {
    const wanted = group.golden?.written
    if (wanted === undefined && group.kind === 'messages') {
      Object.assign(group, traceOf(record, text, `the record at ${placeOf(line)}`))
    } else if (record.golden === undefined && record.goldenBytes === undefined) {
      if (group.isWritten && !isAborted(record))
        fail('MISSING', 'golden', `the golden trace, as in ${group.giver}`, 'undefined')
    } else if (wanted === undefined) {
      fail('MISMATCH', 'golden', `none, as in ${firstOf(group.firstPlace)}`, 'one')
    } else if (wanted.text === undefined || text === undefined || !holdsGolden(text, wanted.text)) {
      const own = ownGolden(record, text)
      if (!sameGolden(goldenOf(wanted), own && goldenOf(own)))
        fail('MISMATCH', 'golden', `the golden trace of ${group.giver}`, 'another')
    }
  }

  return {
    list,
    goldenOf: (group) => cache.of(group.golden!),
    latest: () => latest,
    find,
    enter(record, text, line, known) {
      const group = known ?? find(record) ?? create(record, text, line)
      latest = group
      if (group.rollouts.size > 0) {
        checkSame('messages', group.kind, record.rewards === undefined ? 'messages' : 'rewards', group)
        checkSame('scope', group.scope, record.scope, group)
        checkSame('turns', group.unit, record.unit, group)
        if (known === undefined) checkGolden(group, record, text, line)
      }
      if (group.rollouts.has(record.rollout))
        fail('DUPLICATE', 'rollout', 'each rollout of a group once', `${show(record.rollout)} again`)
      group.rollouts.add(record.rollout)
      return group
    },
    end() {
      for (const { kind, golden, firstPlace } of list)
        if (kind === 'messages' && golden === undefined) failMissing(`${firstPlace}: golden`)
    },
  }
}
