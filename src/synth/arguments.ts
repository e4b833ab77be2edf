/**
 * Arguments for one call: from earlier outputs along edges, else from the current database, else from the schema.
 */
import type { JsonObject, JsonValue } from '../reward/call.js'
import { isObject } from './copy.js'
import type { Draw } from './draw.js'
import { type DatabaseIndex, namedValues, related } from './index-database.js'
import { parentOf, singular } from './paths.js'
import { literalsOf, madeUp, seemsToFit } from './sample-value.js'
import { propertiesOf, requiredOf, resolved, typesOf } from './schema.js'
import type { JsonSchema, Provenance, ToolDefinition } from './types.js'

/** A value an argument could have. */
export interface Candidate {
  readonly value: JsonValue
  readonly provenance: Provenance
  /** The object of the database it was found in. */
  readonly record?: number
}

export interface Assignment {
  readonly arguments: JsonObject
  readonly provenance: Readonly<Record<string, Provenance>>
}

/** What one assignment is drawn from. */
interface Sources {
  readonly root: JsonSchema
  readonly index: DatabaseIndex
  readonly draw: Draw
  /** Counts up as assignments fail: the first look for values that belong together, later ones look further. */
  readonly attempt: number
  /** Texts that other arguments already have. */
  readonly chosen: Set<string>
}

const MAX_DEPTH = 5

function pickFrom<Value>(draw: Draw, values: readonly Value[]): Value | undefined {
  return values.length === 0 ? undefined : values[draw.below(values.length)]
}

/** Chooses among values of the database: of the records that belong to what is chosen, or any. */
function pickRelated(
  { index, draw, attempt, chosen }: Sources,
  values: readonly Candidate[],
): Candidate | undefined {
  if (chosen.size === 0 || attempt % 3 === 2) return pickFrom(draw, values)
  return pickFrom(draw, related(index, values, chosen, 2))
}

/** Lists of candidates, the better source first: database by name, schema, database by end of name. */
function candidateLists({ root, index }: Sources, schema: JsonSchema, name: string): Candidate[][] {
  const { exact, loose } = namedValues(index, name, (value) => seemsToFit(root, schema, value))
  const fromDatabase = (entries: typeof exact): Candidate[] =>
    entries.map(({ path, value, record }) => ({ value, record, provenance: { from: 'database', path } }))
  const literals = literalsOf(root, schema).map(
    (value): Candidate => ({ value, provenance: { from: 'default' } }),
  )
  return [fromDatabase(exact), literals, fromDatabase(loose)].filter((list) => list.length > 0)
}

function build(sources: Sources, of: unknown, name: string, depth: number): Candidate | undefined {
  const { root, draw, attempt } = sources
  const schema = resolved(root, of)
  const types = typesOf(root, schema)
  const lists = candidateLists(sources, schema, name)
  const looksElsewhere = attempt % 2 === 1 && lists.length > 1 && draw.below(2) === 1
  const found = pickRelated(sources, lists[looksElsewhere ? 1 : 0] ?? [])
  if (found !== undefined) {
    if (typeof found.value === 'string') sources.chosen.add(found.value)
    return found
  }
  if (types.has('array') && depth < MAX_DEPTH) return buildList(sources, schema, name, depth)
  if (types.has('object') && !types.has('string') && depth < MAX_DEPTH)
    return buildObject(sources, schema, depth)
  const value = madeUp(root, schema, name, draw)
  return value === undefined ? undefined : { value, provenance: { from: 'default' } }
}

function joined(parts: readonly Candidate[], value: JsonValue): Candidate {
  const told = parts.find(({ provenance }) => provenance.from === 'database')
  return { value, provenance: told?.provenance ?? { from: 'default' } }
}

function buildList(sources: Sources, schema: JsonSchema, name: string, depth: number): Candidate | undefined {
  const least = typeof schema.minItems === 'number' ? schema.minItems : 1
  const most = typeof schema.maxItems === 'number' ? schema.maxItems : least + 1
  const count = least + sources.draw.below(Math.max(1, Math.min(most - least, 2) + 1))
  const items: Candidate[] = []
  for (let k = 0; k < count; k++) {
    const item = build(sources, isObject(schema.items) ? schema.items : {}, singular(name), depth + 1)
    if (item === undefined) return undefined
    const isNew = !items.some(({ value }) => JSON.stringify(value) === JSON.stringify(item.value))
    if (isNew) items.push(item)
  }
  return joined(
    items,
    items.map(({ value }) => value),
  )
}

function buildObject(sources: Sources, schema: JsonSchema, depth: number): Candidate | undefined {
  const properties = propertiesOf(sources.root, schema)
  const parts: Candidate[] = []
  const value: Record<string, JsonValue> = {}
  for (const name of requiredOf(sources.root, schema)) {
    const part = build(sources, properties.get(name) ?? {}, name, depth + 1)
    if (part === undefined) return undefined
    parts.push(part)
    value[name] = part.value
  }
  return joined(parts, value)
}

/** Of the values that edges bring: those of the nearest provider, of the element another argument came from. */
function pickEdge(sources: Sources, values: readonly Candidate[], parents: ReadonlySet<string>): Candidate {
  const placeOf = ({ provenance }: Candidate): string =>
    provenance.from === 'edge' ? `${provenance.turn},${provenance.call}` : ''
  const nearest = placeOf(values[0]!)
  const near = sources.attempt % 4 === 3 ? values : values.filter((value) => placeOf(value) === nearest)
  const beside = near.filter(
    ({ provenance }) => 'path' in provenance && parents.has(parentOf(provenance.path)),
  )
  return pickFrom(sources.draw, beside.length > 0 ? beside : near)!
}

/** How likely an optional argument is, by attempt: sometimes, then never, then mostly. */
function optionalChance(attempt: number): number {
  return attempt % 3 === 1 ? 0 : attempt % 3 === 2 ? 0.7 : 0.25
}

/** Draws arguments for a call.
 * @param brought - what edges bring, by argument, the nearest provider first
 * @param attempt - from 0; later attempts look further afield
 * @returns `undefined` where a required argument finds no value
 */
export function drawArguments(
  tool: ToolDefinition,
  brought: ReadonlyMap<string, readonly Candidate[]>,
  index: DatabaseIndex,
  draw: Draw,
  attempt: number,
): Assignment | { readonly missing: string } {
  const root = tool.inputSchema
  const properties = propertiesOf(root, root)
  const required = new Set(requiredOf(root, root))
  const sources: Sources = { root, index, draw, attempt, chosen: new Set() }
  const found = new Map<string, Candidate>()
  const parents = new Set<string>()
  for (const [name, values] of brought) {
    const fitting = values.filter(({ value }) => seemsToFit(root, properties.get(name) ?? {}, value))
    if (fitting.length === 0) continue
    const candidate = pickEdge(sources, fitting, parents)
    found.set(name, candidate)
    if ('path' in candidate.provenance) parents.add(parentOf(candidate.provenance.path))
    if (typeof candidate.value === 'string') sources.chosen.add(candidate.value)
  }
  for (const [name, schema] of properties) {
    if (found.has(name)) continue
    if (!required.has(name)) {
      const isWanted = draw.unit() < optionalChance(attempt) && !tool.inert?.includes(name)
      if (!isWanted || candidateLists(sources, schema, name).length === 0) continue
    }
    const candidate = build(sources, schema, name, 0)
    if (candidate !== undefined) found.set(name, candidate)
    else if (required.has(name)) return { missing: name }
  }
  const order = [...properties.keys()].filter((name) => found.has(name))
  return {
    arguments: Object.fromEntries(order.map((name) => [name, found.get(name)!.value])),
    provenance: Object.fromEntries(order.map((name) => [name, found.get(name)!.provenance])),
  }
}
