/**
 * Golden turns, checked and made ready for matching. Faults in them are the user's and throw.
 */
import { below, fail, show } from '../errors.js'
import { readArguments } from './arguments.js'
import type { JsonObject, JsonValue } from './call.js'
import { checkJsonValue } from './checkValue.js'
import { firstDifference, jsonEqual } from './equal.js'
import type { GoldenBytes } from './goldenBytes.js'
import type { Looseness } from './looseness.js'
import type { MadeCall } from './made.js'
import type { ResolvedPolicy } from './policy.js'
import type { SeenBytes } from './seenBytes.js'

export interface GoldenCall {
  /** As the golden trace writes it. */
  readonly name: string
  /** As it is compared. */
  readonly key: string
  readonly side: string
  /** The arguments that count. */
  readonly value: JsonObject
  /** The keys of the arguments that count; `undefined`: all. */
  readonly compare: ReadonlySet<string> | undefined
  readonly looseness: Looseness
}

/** Golden calls that are equal, where equality is an equivalence. */
export interface GoldenClass {
  readonly id: number
  readonly first: GoldenCall
  /** Indices of the golden calls, ascending. */
  readonly members: number[]
  /** Argument texts that were found to be equal last: the same arguments, spaced or ordered in several ways. */
  texts: readonly string[]
  /** The golden call as bytes; undefined until it is asked for. */
  bytes: GoldenBytes | undefined
  /** Arguments as bytes that were found to be equal. */
  readonly seen: SeenBytes[]
}

/** The golden calls of a turn, or of one alternative of it. */
export interface GoldenSet {
  readonly calls: readonly GoldenCall[]
  /** Equality with these calls is transitive: any greedy matching is a maximum one. */
  readonly isEquivalence: boolean
  /** `[calls]` the class of each call; empty where equality is no equivalence. */
  readonly classes: readonly GoldenClass[]
  /** Each class once, by id. */
  readonly distinct: readonly GoldenClass[]
  /** The classes of each name, where there are many. */
  readonly byName: ReadonlyMap<string, readonly GoldenClass[]> | undefined
}

export interface CompiledTurn {
  /** One set, or one an alternative. */
  readonly sets: readonly GoldenSet[]
  readonly hasAlternatives: boolean
  /** True for `[]` alone. */
  readonly isEmpty: boolean
}

/** Golden names by the name they are compared under: two must not become one. */
export type GoldenNames = Map<string, string>

/** The members of an object that count. */
function picked(value: JsonObject, compare: ReadonlySet<string>): JsonObject {
  const counted: Record<string, JsonValue> = Object.create(null)
  for (const key of Object.keys(value)) if (compare.has(key)) counted[key] = value[key]!
  return counted
}

/** The made arguments that the golden call looks at. */
export function comparedArguments({ compare }: GoldenCall, value: JsonObject): JsonObject {
  return compare === undefined ? value : picked(value, compare)
}

/** Whether the arguments of a golden call and of a made one are equal; names and sides are not looked at. */
export function sameArguments(golden: GoldenCall, value: JsonObject, isStrict: boolean): boolean {
  const made = comparedArguments(golden, value)
  return isStrict
    ? jsonEqual(golden.value, made)
    : firstDifference(golden.value, made, golden.looseness) === null
}

/** Whether a made call is what the golden call asks for. */
export function sameCall(golden: GoldenCall, call: MadeCall, isStrict: boolean): boolean {
  return (
    golden.key === call.name &&
    golden.side === call.side &&
    call.arguments.ok &&
    sameArguments(golden, call.arguments.value, isStrict)
  )
}

function compileName(name: unknown, policy: ResolvedPolicy, names: GoldenNames): string {
  if (typeof name !== 'string' || name === '')
    return fail('GOLDEN', '.name', 'the name of a tool', show(name))
  const key = policy.nameOf(name)
  const known = names.get(key)
  if (known === undefined) names.set(key, name)
  else if (known !== name)
    fail(
      'GOLDEN',
      '.name',
      'names that stay apart under normalizeName',
      `${show(known)} and ${show(name)}, both ${show(key)}`,
    )
  return key
}

function compileArguments(given: unknown, policy: ResolvedPolicy): JsonObject {
  const read = readArguments(given, policy.memo)
  if (!read.ok) {
    if (typeof given !== 'string') return fail('GOLDEN', '.arguments', 'an object', show(given))
    const hint = read.hint === undefined ? '' : `, ${read.hint}`
    return fail('GOLDEN', '.arguments', 'JSON text of an object', `${read.problem}${hint}: ${read.detail}`)
  }
  if (typeof given !== 'string') checkJsonValue('GOLDEN', '.arguments', read.value)
  return read.value
}

function compileCompare(compare: unknown): ReadonlySet<string> | undefined {
  if (compare === undefined || compare === null) return undefined
  if (!Array.isArray(compare))
    return fail('GOLDEN', '.compare', 'a list of argument names or null', show(compare))
  for (let k = 0; k < compare.length; k++)
    if (typeof compare[k] !== 'string')
      fail('GOLDEN', `.compare[${k}]`, 'the name of an argument', show(compare[k]))
  return new Set(compare as readonly string[])
}

/** Errors have the path below the call. */
function compileCall(call: unknown, policy: ResolvedPolicy, names: GoldenNames): GoldenCall {
  if (typeof call !== 'object' || call === null || Array.isArray(call))
    fail('GOLDEN', '', 'a call with a name and arguments', show(call))
  const { name, arguments: given, requestor, compare } = call as Readonly<Record<string, unknown>>
  const key = compileName(name, policy, names)
  if (requestor !== undefined && requestor !== null && (typeof requestor !== 'string' || requestor === ''))
    fail('GOLDEN', '.requestor', 'the side that makes the call', show(requestor))
  const side = (requestor as string | null | undefined) ?? 'assistant'
  const all = compileArguments(given, policy)
  const counted = compileCompare(compare)
  const value = counted === undefined ? all : picked(all, counted)
  const looseness = policy.loosenessOf(name as string)
  return { name: name as string, key, side, value, compare: counted, looseness }
}

/** From this many classes on they are looked up by name; fewer are looked through. */
export const MANY_CLASSES = 12

const none: readonly GoldenClass[] = Object.freeze([])

const noTexts: readonly string[] = Object.freeze([])

/** The classes that a call of this name may belong to, and perhaps others. */
export function classesFor(set: GoldenSet, name: string): readonly GoldenClass[] {
  return set.byName === undefined ? set.distinct : (set.byName.get(name) ?? none)
}

/** A class without members. */
export const newClass = (id: number, first: GoldenCall, bytes: GoldenBytes | undefined): GoldenClass => ({
  id,
  first,
  members: [],
  texts: noTexts,
  bytes,
  seen: [],
})

/** Sorts equal golden calls together. */
function classify(calls: readonly GoldenCall[], policy: ResolvedPolicy): GoldenSet {
  const classes: GoldenClass[] = []
  const distinct: GoldenClass[] = []
  const isEquivalence = policy.isEquivalence && calls.every(({ compare }) => compare === undefined)
  if (!isEquivalence) return { calls, isEquivalence, classes, distinct, byName: undefined }
  const byName = calls.length < MANY_CLASSES ? undefined : new Map<string, GoldenClass[]>()
  for (let g = 0; g < calls.length; g++) {
    const call = calls[g]!
    const known = byName === undefined ? distinct : (byName.get(call.key) ?? [])
    let home = known.find(
      ({ first }) =>
        first.key === call.key &&
        first.side === call.side &&
        sameArguments(first, call.value, policy.isStrict),
    )
    if (home === undefined) {
      home = newClass(distinct.length, call, undefined)
      distinct.push(home)
      if (known !== distinct) {
        known.push(home)
        byName?.set(call.key, known)
      }
    }
    home.members.push(g)
    classes.push(home)
  }
  // Copies, as an array that was pushed to holds spare room and a log has many golden traces.
  const own = classes.slice()
  const each = distinct.length === own.length ? own : distinct.slice()
  return { calls: calls.slice(), isEquivalence, classes: own, distinct: each, byName }
}

function compileSet(place: string, calls: unknown, policy: ResolvedPolicy, names: GoldenNames): GoldenSet {
  if (!Array.isArray(calls)) return fail('GOLDEN', place, 'a list of calls', show(calls))
  const compiled: GoldenCall[] = []
  try {
    for (let g = 0; g < calls.length; g++) compiled.push(compileCall(calls[g], policy, names))
  } catch (error) {
    throw below(`${place}[${compiled.length}]`, error)
  }
  return classify(compiled, policy)
}

/** Checks a golden turn and makes it ready.
 * @param place - the path of the turn: `golden[2]`
 * @param names - the golden names seen so far, of all turns that belong together
 * @throws TaraError `GOLDEN` with the path of the fault
 */
export function compileTurn(
  place: string,
  turn: unknown,
  policy: ResolvedPolicy,
  names: GoldenNames,
): CompiledTurn {
  if (Array.isArray(turn))
    return {
      sets: [compileSet(place, turn, policy, names)],
      hasAlternatives: false,
      isEmpty: turn.length === 0,
    }
  const alternatives =
    typeof turn === 'object' && turn !== null ? (turn as { readonly any_of?: unknown }).any_of : undefined
  if (alternatives === undefined)
    return fail('GOLDEN', place, 'a list of calls or {"any_of": [calls, …]}', show(turn))
  if (!Array.isArray(alternatives) || alternatives.length === 0)
    return fail('GOLDEN', `${place}.any_of`, 'a list of at least one list of calls', show(alternatives))
  const sets = alternatives.map((calls, a) => compileSet(`${place}.any_of[${a}]`, calls, policy, names))
  return { sets, hasAlternatives: true, isEmpty: false }
}
