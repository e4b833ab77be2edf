/**
 * The database as a list of values with names, so that an argument finds the values that could be it.
 */
import type { JsonObject, JsonValue } from '../reward/call.js'
import { isObject } from './copy.js'
import { type Found, singular, wordsOf } from './paths.js'

interface Entry extends Found {
  /** Words of the key the value stands under: `booking id`. */
  readonly name: string
  /** Words of the collection whose records this is the id of, in the singular. */
  readonly idOf: string | undefined
  /** The object that holds the value. */
  readonly record: number
}

export interface DatabaseIndex {
  readonly entries: readonly Entry[]
  /** The texts that each object holds, its own key included. */
  readonly texts: readonly ReadonlySet<string>[]
}

function key(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** Lists every value of a database below the top level, with the object that holds it. */
export function indexDatabase(database: JsonObject): DatabaseIndex {
  const entries: Entry[] = []
  const texts: Set<string>[] = []
  function record(object: JsonObject, path: string, collection: string): void {
    const at = texts.push(new Set()) - 1
    const mark = Math.max(path.lastIndexOf('.'), -1) + 1
    const own = path.slice(mark)
    const owner = singular(collection)
    if (collection !== '' && !own.endsWith(']')) {
      texts[at]!.add(own)
      entries.push({ path, value: own, name: '', idOf: owner, record: at })
    }
    for (const [name, value] of Object.entries(object)) {
      const words = wordsOf(name).join(' ')
      entries.push({
        path: key(path, name),
        value,
        name: words,
        idOf: words === 'id' && collection !== '' ? owner : undefined,
        record: at,
      })
      if (typeof value === 'string') texts[at]!.add(value)
      inside(value, key(path, name), words)
    }
  }
  function inside(value: JsonValue, path: string, name: string): void {
    if (isObject(value)) record(value, path, isCollection(value) ? '' : parentName(path))
    else if (Array.isArray(value))
      for (const [k, item] of value.entries())
        if (isObject(item)) record(item, `${path}[${k}]`, name)
        else if (!Array.isArray(item))
          entries.push({
            path: `${path}[${k}]`,
            value: item,
            name: singular(name),
            idOf: undefined,
            record: -1,
          })
  }
  record(database, '', '')
  return { entries, texts }
}

/** Whether an object holds records by id: all its values are objects. */
function isCollection(object: JsonObject): boolean {
  const values = Object.values(object)
  return values.length > 0 && values.every(isObject)
}

/** Words of the key above the last one: the collection that a record keyed by id stands in. */
function parentName(path: string): string {
  const keys = path.split('.')
  return wordsOf(keys.at(-2) ?? '').join(' ')
}

/** Values for an argument, the likelier names first. */
export interface NamedValues {
  /** Same name, or the id of the collection the argument is named for. */
  readonly exact: readonly Entry[]
  /** The name ends in that of the value: `new_phone`, `from_account_id`. */
  readonly loose: readonly Entry[]
}

/** Finds the values that an argument of some name could be.
 * @param fits - whether the schema of the argument takes a value
 */
export function namedValues(
  { entries }: DatabaseIndex,
  argument: string,
  fits: (value: JsonValue) => boolean,
): NamedValues {
  const words = wordsOf(argument)
  const name = words.join(' ')
  const stem = words.at(-1) === 'id' ? words.slice(0, -1).join(' ') : name
  const exact: Entry[] = []
  const loose: Entry[] = []
  for (const entry of entries) {
    const isExact = entry.name === name || (entry.idOf !== undefined && entry.idOf === stem)
    const isLoose =
      (entry.name !== '' && name.endsWith(` ${entry.name}`)) ||
      (entry.idOf !== undefined && entry.idOf !== '' && stem.endsWith(` ${entry.idOf}`))
    if ((isExact || isLoose) && fits(entry.value)) (isExact ? exact : loose).push(entry)
  }
  return { exact, loose }
}

/** Of the values those whose record holds one of the texts; all of them where none does.
 * @param hops - 1: the texts themselves; 2: also the texts of records that hold one of them
 */
export function related<Value extends { readonly record?: number }>(
  { texts }: DatabaseIndex,
  values: readonly Value[],
  chosen: ReadonlySet<string>,
  hops: 1 | 2,
): readonly Value[] {
  const holds = (record: number | undefined, wanted: ReadonlySet<string>): boolean => {
    for (const text of texts[record ?? -1] ?? []) if (wanted.has(text)) return true
    return false
  }
  const near = values.filter(({ record }) => holds(record, chosen))
  if (near.length > 0) return near
  if (hops === 1) return values
  const wider = new Set(chosen)
  for (const own of texts) {
    const isNear = [...own].some((text) => chosen.has(text))
    if (isNear) for (const text of own) wider.add(text)
  }
  const far = values.filter(({ record }) => holds(record, wider))
  return far.length > 0 ? far : values
}
