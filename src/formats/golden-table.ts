/**
 * Golden traces by group, from a file of tasks: `{"group": …, "golden": […]}` a line, or documents that hold tasks.
 */
import { fail, show, TaraError, within } from '../errors.js'
import type { Scope } from '../reward/call.js'
import { parseJson } from '../reward/json.js'
import { sameGolden } from '../reward/sameGolden.js'
import { formatChoice } from './detect.js'
import type { FunctionDoc } from './document.js'
import { type Fields, unknownFields } from './fields.js'
import type { FormatName } from './formats.js'
import { goldenTurns, isConversation } from './golden-messages.js'
import { refuse } from './line.js'
import { asId, asRecord, type Id } from './record.js'

export interface GoldenTable {
  /** The golden trace of a group, unchecked; `undefined` where the table has none. One given for the role comes first. */
  find(group: Id, role: string | undefined): { readonly golden: unknown; readonly place: string } | undefined
  /** The scope of records that name none, where the trace says it. */
  scopeOf?(group: Id, role: string | undefined): Scope | undefined
}

/** How tasks are read; the options of the same name of the log. */
export interface GoldenOptions {
  readonly from?: FormatName | undefined
  readonly turns?: 'user' | 'step' | undefined
  readonly functions?: readonly FunctionDoc[] | undefined
}

interface Trace {
  readonly golden: unknown
  readonly place: string
  readonly scope: Scope | undefined
}

/** Fields of a task; what `tara synth tasks` writes beside the golden trace is for others. */
const taskFields: ReadonlySet<string> = new Set([
  'schema',
  'group',
  'role',
  'golden',
  'environment',
  'seed',
  'requests',
  'trace',
  'graph',
  'orderMatters',
  'attempts',
  'passed',
])

const keyOf = (group: Id, role: string | undefined): string =>
  `${typeof group} ${JSON.stringify([group, role ?? null])}`

/** Makes a table that is filled line by line. A line, or a text of several, may be a document that holds tasks.
 * @param onUnknown - told of every field that nobody reads
 * @param options - see `GoldenOptions`
 * @throws TaraError (from `addLine`) with the line's place
 */
export function goldenTable(
  onUnknown: (name: string, place: string) => void,
  { from, turns = 'user', functions }: GoldenOptions = {},
): GoldenTable & {
  addLine(text: string, place: string): void
} {
  const traces = new Map<string, Trace>()
  let hasScopes = false
  let current = ''
  const formats = formatChoice(from, '', () => current, 'tasks')

  /** @param mayRepeat - the line is a document, and each rollout of a task may tell the task's trace */
  function add(fields: Fields, place: string, mayRepeat = false): void {
    const group = asId('group', fields.group)
    const role = fields.role ?? undefined
    if (role !== undefined && typeof role !== 'string') fail('TYPE', 'role', 'text', show(role))
    const { golden } = fields
    if (golden === undefined) fail('MISSING', 'golden', 'a golden trace', 'undefined')
    const key = keyOf(group, role)
    const earlier = traces.get(key)
    if (mayRepeat && earlier !== undefined && sameGolden(earlier.golden, golden)) return
    if (earlier !== undefined)
      fail(
        'DUPLICATE',
        'group',
        'one golden trace a group',
        `${show(group)} again, first at ${earlier.place}`,
      )
    const scope = fields.scope as Scope | undefined
    if (scope !== undefined) hasScopes = true
    const trace = isConversation(golden)
      ? goldenTurns(golden, formats.of(golden.messages, 'golden.messages'), turns)
      : golden
    traces.set(key, { golden: trace, place, scope })
  }

  const find = (group: Id, role: string | undefined): Trace | undefined =>
    traces.get(keyOf(group, role)) ?? traces.get(keyOf(group, undefined))

  return {
    addLine(text, place) {
      current = place
      try {
        const parsed = parseJson(text)
        if (!parsed.ok) return refuse(parsed)
        const document = formats.documentOf(parsed.value)
        if (document?.tasksOf === undefined) {
          const fields = asRecord(parsed.value)
          unknownFields(fields, taskFields, (name) => onUnknown(name, place))
          return add(fields, place)
        }
        for (const { fields, path } of document.tasksOf(parsed.value, { functions }))
          add(fields, path === '' ? place : `${place}: ${path}`, true)
      } catch (error) {
        throw error instanceof TaraError ? within(place, error) : error
      }
    },
    find,
    scopeOf: (group, role) => (hasScopes ? find(group, role)?.scope : undefined),
  }
}
