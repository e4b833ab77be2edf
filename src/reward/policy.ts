/**
 * The coverage policy: which golden calls count as made. Resolved once, then ready for the comparison.
 */
import { fail, show } from '../errors.js'
import { aCount, aFunction, aNonNegative, type Check, oneOf, optional, resolveOptions } from '../options.js'
import { type ArgumentMemo, argumentMemo } from './arguments.js'
import type { JsonObject } from './call.js'
import { checkJsonValue } from './checkValue.js'
import {
  addUnordered,
  type EqualRule,
  type Looseness,
  strict,
  type UnorderedPaths,
  unorderedPaths,
} from './looseness.js'

export interface CoveragePolicy {
  /** `multiset`: each golden call needs its own call. `set`: one call may stand for several. Default `multiset`. */
  readonly matching: 'multiset' | 'set'
  /** `equal`; `subset`: golden top-level keys must match, extra generated ones are allowed. Default `equal`. */
  readonly args: 'equal' | 'subset'
  /** Per tool, top-level arguments that may be left out, with what they then are. Default none. */
  readonly defaults: Readonly<Record<string, JsonObject>> | undefined
  /** Largest absolute difference of two equal numbers. Default 0. */
  readonly tolerance: number
  /** Paths of lists whose order is free (`ids`, `passengers[].bags`), for all tools or per tool. Default none. */
  readonly unordered: readonly string[] | Readonly<Record<string, readonly string[]>>
  /** An own equality, asked at every pair of values first. Default none. */
  readonly equal: EqualRule | undefined
  /** Applied to the names of both sides. Two golden names must not become one. Default none. */
  readonly normalizeName: ((name: string) => string) | undefined
  /** `nfc`: strings are compared in Unicode normalization form C. Default none: by code unit. */
  readonly unicode: 'nfc' | undefined
  /** `vacuous`: an empty golden turn is 1. `forbid-calls`: 1 only without calls. `mask`: the turn is taken out before
   * anything is computed. Default `vacuous`. */
  readonly emptyGolden: 'vacuous' | 'forbid-calls' | 'mask'
  /** More extra calls than this make the turn 0. Default none. */
  readonly maxExtraCalls: number | undefined
}

export const coverageDefaults: Readonly<CoveragePolicy> = Object.freeze({
  matching: 'multiset',
  args: 'equal',
  defaults: undefined,
  tolerance: 0,
  unordered: Object.freeze([]),
  equal: undefined,
  normalizeName: undefined,
  unicode: undefined,
  emptyGolden: 'vacuous',
  maxExtraCalls: undefined,
})

/** A checked policy. */
export interface ResolvedPolicy extends CoveragePolicy {
  /** No looseness anywhere: arguments are compared as JSON values. */
  readonly isStrict: boolean
  /** Equality of calls is transitive: any greedy matching is a maximum one. */
  readonly isEquivalence: boolean
  /** Argument text that was parsed under this policy; bounded, so it may serve any number of groups. */
  readonly memo: ArgumentMemo
  /** The name under which a call is compared. */
  nameOf(name: string): string
  /** What loosens the equality for one golden tool. */
  loosenessOf(tool: string): Looseness
}

const anObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : 'an object, one entry a tool'

const aList: Check = (value) => (Array.isArray(value) ? undefined : 'a list')

/** Entries per tool under the names they are compared by. */
function perTool<Value, Ready>(
  place: string,
  table: Readonly<Record<string, Value>>,
  nameOf: (name: string) => string,
  read: (place: string, value: Value) => Ready,
): Map<string, Ready> {
  const ready = new Map<string, Ready>()
  for (const tool of Object.keys(table)) {
    const name = nameOf(tool)
    if (ready.has(name))
      fail('OPTION', `${place}.${tool}`, 'tools that stay apart under normalizeName', `${show(name)} twice`)
    ready.set(name, read(`${place}.${tool}`, table[tool]!))
  }
  return ready
}

function readDefaults(place: string, value: JsonObject): JsonObject {
  if (anObject(value) !== undefined) fail('OPTION', place, 'an object of arguments', show(value))
  checkJsonValue('OPTION', place, value)
  return value
}

function readPaths(place: string, paths: readonly string[]): UnorderedPaths {
  if (!Array.isArray(paths)) fail('OPTION', place, 'a list of paths', show(paths))
  const tree = unorderedPaths()
  for (let k = 0; k < paths.length; k++)
    if (typeof paths[k] !== 'string' || !addUnordered(tree, paths[k]))
      fail('OPTION', `${place}[${k}]`, 'a path like "ids" or "passengers[].bags"', show(paths[k]))
  return tree
}

/** Fills in the defaults of a policy and checks it.
 * @param place - the caller's name, for errors: `coverage`
 * @throws TaraError `OPTION` for an unknown name, a value out of range, or an unordered path that cannot be read
 */
export function resolveCoveragePolicy(place: string, policy?: Partial<CoveragePolicy>): ResolvedPolicy {
  const options = resolveOptions<CoveragePolicy>(place, policy, coverageDefaults, {
    matching: oneOf('multiset', 'set'),
    args: oneOf('equal', 'subset'),
    defaults: optional(anObject),
    tolerance: aNonNegative,
    unordered: (value) => (aList(value) && anObject(value) ? 'a list of paths, or one a tool' : undefined),
    equal: optional(aFunction),
    normalizeName: optional(aFunction),
    unicode: optional(oneOf('nfc')),
    emptyGolden: oneOf('vacuous', 'forbid-calls', 'mask'),
    maxExtraCalls: optional(aCount),
  })
  const { normalizeName, equal, tolerance } = options
  const nameOf = (name: string): string => {
    if (normalizeName === undefined) return name
    const normalized: unknown = normalizeName(name)
    if (typeof normalized !== 'string')
      return fail('OPTION', `${place}: options.normalizeName`, 'a string from the function', show(normalized))
    return normalized
  }
  const { unordered } = options
  const isShared = (value: CoveragePolicy['unordered']): value is readonly string[] => Array.isArray(value)
  const paths = `${place}: options.unordered`
  const shared = isShared(unordered) && unordered.length > 0 ? readPaths(paths, unordered) : undefined
  const pathsOf = isShared(unordered)
    ? new Map<string, UnorderedPaths>()
    : perTool(paths, unordered, nameOf, readPaths)
  const defaultsOf = perTool(`${place}: options.defaults`, options.defaults ?? {}, nameOf, readDefaults)
  const subset = options.args === 'subset'
  const nfc = options.unicode === 'nfc'
  const looseness = new Map<string, Looseness>() // as many as there are golden tools
  const isEquivalence = !subset && tolerance === 0 && equal === undefined
  const isStrict =
    isEquivalence && !nfc && shared === undefined && pathsOf.size === 0 && defaultsOf.size === 0
  return {
    ...options,
    isStrict,
    isEquivalence,
    memo: argumentMemo(),
    nameOf,
    loosenessOf: (tool) => {
      if (isStrict) return strict
      const known = looseness.get(tool)
      if (known !== undefined) return known
      const name = nameOf(tool)
      const defaults = defaultsOf.get(name)
      const own = { tool, subset, defaults, tolerance, unordered: shared ?? pathsOf.get(name), nfc, equal }
      looseness.set(tool, own)
      return own
    },
  }
}
