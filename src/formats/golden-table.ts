/**
 * Golden traces by group, from a file of tasks: `{"group": …, "golden": […]}` a line.
 */
import { fail, show, TaraError, within } from '../errors.js'
import { parseJson } from '../reward/json.js'
import { unknownFields } from './fields.js'
import { refuse } from './line.js'
import { asId, asRecord, type Id } from './record.js'

export interface GoldenTable {
  /** The golden trace of a group, unchecked; `undefined` where the table has none. One given for the role comes first. */
  find(group: Id, role: string | undefined): { readonly golden: unknown; readonly place: string } | undefined
}

const taskFields: ReadonlySet<string> = new Set(['schema', 'group', 'role', 'golden'])

const keyOf = (group: Id, role: string | undefined): string =>
  `${typeof group} ${JSON.stringify([group, role ?? null])}`

/** Makes a table that is filled line by line.
 * @param onUnknown - told of every field that nobody reads
 * @throws TaraError (from `addLine`) with the line's place
 */
export function goldenTable(onUnknown: (name: string, place: string) => void): GoldenTable & {
  addLine(text: string, place: string): void
} {
  const traces = new Map<string, { golden: unknown; place: string }>()
  return {
    addLine(text, place) {
      try {
        const parsed = parseJson(text)
        if (!parsed.ok) return refuse(parsed)
        const fields = asRecord(parsed.value)
        unknownFields(fields, taskFields, (name) => onUnknown(name, place))
        const group = asId('group', fields.group)
        const role = fields.role ?? undefined
        if (role !== undefined && typeof role !== 'string') fail('TYPE', 'role', 'text', show(role))
        if (fields.golden === undefined) fail('MISSING', 'golden', 'a golden trace', 'undefined')
        const key = keyOf(group, role)
        const earlier = traces.get(key)
        if (earlier !== undefined)
          fail(
            'DUPLICATE',
            'group',
            'one golden trace a group',
            `${show(group)} again, first at ${earlier.place}`,
          )
        traces.set(key, { golden: fields.golden, place })
      } catch (error) {
        throw error instanceof TaraError ? within(place, error) : error
      }
    },
    find: (group, role) => traces.get(keyOf(group, role)) ?? traces.get(keyOf(group, undefined)),
  }
}
