/**
 * JSON equality of golden and made arguments, without recursion over the values.
 *
 * Key order is free, list order is kept, integers are exact at any size, other numbers are float64, −0 is 0, strings
 * are compared by code unit, no type equals another. A key whose value is `undefined` is not there. Values may come
 * from `parseJson` or from `JSON.parse`; a number beyond 2^53 counts as exactly the integer it is.
 */
import { fail, show } from '../errors.js'
import type { JsonObject, JsonValue } from './call.js'
import { type EqualRule, type Looseness, strict, type UnorderedPaths } from './looseness.js'
import { equalPartners, greedyMatching, maximumMatching } from './matching.js'

/** Where two values part. `expected` is absent where the golden side has nothing, `got` where the call has nothing. */
export interface Difference {
  /** `passengers[0].dob`; empty for the whole value. */
  readonly path: string
  readonly expected?: JsonValue
  readonly got?: JsonValue
}

type List = readonly JsonValue[]

const isList = (value: JsonValue): value is List => Array.isArray(value)

const isContainer = (value: JsonValue): value is List | JsonObject =>
  typeof value === 'object' && value !== null

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function isNumeric(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Whether two values that are not both containers are equal. */
function sameScalar(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true
  if (typeof a === 'bigint') return typeof b === 'number' && Number.isInteger(b) && BigInt(b) === a
  return typeof b === 'bigint' && typeof a === 'number' && Number.isInteger(a) && BigInt(a) === b
}

/** Whether two numbers differ by at most `tolerance`: exactly for integers, in float64 otherwise. */
function isWithin(a: number | bigint, b: number | bigint, tolerance: number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= tolerance
  if ((typeof a === 'number' && !Number.isInteger(a)) || (typeof b === 'number' && !Number.isInteger(b)))
    return Math.abs(Number(a) - Number(b)) <= tolerance
  const difference = BigInt(a) - BigInt(b)
  return (difference < 0n ? -difference : difference) <= tolerance
}

function sameLeaf(golden: JsonValue, call: JsonValue, { tolerance, nfc }: Looseness): boolean {
  if (sameScalar(golden, call)) return true
  if (tolerance > 0 && isNumeric(golden) && isNumeric(call)) return isWithin(golden, call, tolerance)
  if (nfc && typeof golden === 'string' && typeof call === 'string')
    return golden.normalize('NFC') === call.normalize('NFC')
  return false
}

/** Whether two JSON values are equal. */
export function jsonEqual(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true
  if (!isContainer(a) || !isContainer(b)) return sameScalar(a, b)
  const pairs: (List | JsonObject)[] = [a, b]
  while (pairs.length > 0) {
    const right = pairs.pop()!
    const left = pairs.pop()!
    if (left === right) continue
    if (isList(left) !== isList(right)) return false
    const keys = isList(left) ? undefined : Object.keys(left)
    const length = keys === undefined ? (left as List).length : keys.length
    if (keys === undefined && (right as List).length !== length) return false
    let defined = 0
    for (let k = 0; k < length; k++) {
      const x = keys === undefined ? (left as List)[k]! : (left as JsonObject)[keys[k]!]!
      const y = keys === undefined ? (right as List)[k]! : own(right as JsonObject, keys[k]!)!
      if (x !== undefined) defined++
      if (x === y) continue
      if (isContainer(x) && isContainer(y)) pairs.push(x, y)
      else if (!sameScalar(x, y)) return false
    }
    if (keys !== undefined && !hasDefined(right as JsonObject, defined)) return false
  }
  return true
}

/** Whether an object that has `count` defined members has no others. */
function hasDefined(object: JsonObject, count: number): boolean {
  const keys = Object.keys(object)
  if (keys.length === count) return true
  let defined = 0
  for (const key of keys) if (object[key] !== undefined) defined++
  return defined === count
}

/** A pair of containers that is being compared. */
interface Frame {
  readonly golden: List | JsonObject
  readonly call: List | JsonObject
  /** The keys of both sides; `undefined` for lists. */
  readonly keys: readonly string[] | undefined
  readonly defaults: JsonObject | undefined
  readonly paths: UnorderedPaths | undefined
  index: number
}

/** Keys of the golden side, then those only the call has. */
function keysOf(golden: JsonObject, call: JsonObject, subset: boolean): string[] {
  const keys = Object.keys(golden)
  if (!subset) for (const key of Object.keys(call)) if (!Object.hasOwn(golden, key)) keys.push(key)
  return keys
}

/** The way down to the pair that is being compared, as text. */
function pathText(prefix: string, frames: readonly Frame[]): string {
  let path = prefix
  for (const { keys, index } of frames) {
    const key = keys?.[index - 1]
    if (key === undefined) path += `[${index - 1}]`
    else if (!/^[A-Za-z_$][\w$-]*$/.test(key)) path += `[${JSON.stringify(key)}]`
    else path += path === '' ? key : `.${key}`
  }
  return path
}

/** What the user's own rule says. The path is built only if the rule reads it. */
function ask(
  rule: EqualRule,
  golden: JsonValue,
  call: JsonValue,
  tool: string,
  prefix: string,
  frames: readonly Frame[],
): boolean | undefined {
  const verdict: unknown = rule(golden, call, {
    tool,
    get path() {
      return pathText(prefix, frames)
    },
  })
  if (verdict !== undefined && typeof verdict !== 'boolean')
    fail('OPTION', 'coverage: options.equal', 'true, false or undefined from the rule', show(verdict))
  return verdict
}

/** Matches the elements of two lists of one length in any order; the first golden element without a partner. */
function unmatchedItem(
  golden: List,
  call: List,
  looseness: Looseness,
  paths: UnorderedPaths | undefined,
  path: string,
): number {
  const same = (l: number, r: number): boolean =>
    differ(golden[l]!, call[r]!, looseness, paths, false, `${path}[${l}]`) === undefined
  const { length } = golden
  if (looseness.tolerance === 0 && looseness.equal === undefined)
    return greedyMatching(length, length, same).indexOf(-1)
  return maximumMatching(equalPartners(length, length, same, length), length).indexOf(-1)
}

/** The first difference of two values at `prefix`. Recursive only over nested unordered paths of the policy. */
function differ(
  golden: JsonValue,
  call: JsonValue,
  looseness: Looseness,
  root: UnorderedPaths | undefined,
  isTop: boolean,
  prefix: string,
): Difference | undefined {
  const frames: Frame[] = []
  let expected = golden
  let got = call
  let paths = root
  for (;;) {
    const verdict = looseness.equal && ask(looseness.equal, expected, got, looseness.tool, prefix, frames)
    if (verdict === false) return { path: pathText(prefix, frames), expected, got }
    if (verdict === undefined) {
      if (isContainer(expected) && isContainer(got) && isList(expected) === isList(got)) {
        if (paths?.isUnordered && isList(expected) && isList(got)) {
          const path = pathText(prefix, frames)
          if (expected.length !== got.length) return { path, expected, got }
          const item = unmatchedItem(expected, got, looseness, paths.items, path)
          if (item >= 0) return { path: `${path}[${item}]`, expected: expected[item]! }
        } else {
          const top = isTop && frames.length === 0
          const keys = isList(expected)
            ? undefined
            : keysOf(expected, got as JsonObject, top && looseness.subset)
          const defaults = top ? looseness.defaults : undefined
          frames.push({ golden: expected, call: got, keys, defaults, paths, index: 0 })
        }
      } else if (!sameLeaf(expected, got, looseness)) return { path: pathText(prefix, frames), expected, got }
    }
    // On to the next pair: the next child of the innermost pair that has one left.
    for (;;) {
      const frame = frames.at(-1)
      if (frame === undefined) return undefined
      const { keys, defaults } = frame
      const length = keys?.length ?? Math.max((frame.golden as List).length, (frame.call as List).length)
      if (frame.index === length) {
        frames.pop()
        continue
      }
      const index = frame.index++
      const key = keys?.[index]
      const left = key === undefined ? (frame.golden as List)[index] : own(frame.golden as JsonObject, key)
      const right = key === undefined ? (frame.call as List)[index] : own(frame.call as JsonObject, key)
      const fallback = key === undefined || defaults === undefined ? undefined : own(defaults, key)
      const nextExpected = left === undefined ? fallback : left
      const nextGot = right === undefined ? fallback : right
      if (nextExpected === undefined && nextGot === undefined) continue
      if (nextExpected === undefined) return { path: pathText(prefix, frames), got: nextGot! }
      if (nextGot === undefined) return { path: pathText(prefix, frames), expected: nextExpected }
      expected = nextExpected
      got = nextGot
      paths = key === undefined ? frame.paths?.items : frame.paths?.keys.get(key)
      break
    }
  }
}

/** Finds the first difference between golden and made arguments, in the order of the golden side.
 *
 * Loosened as the policy says for the tool: `subset` and `defaults` speak of the top level (a key left out on either
 * side stands for its default; under `subset` a key that only the call has is not looked at), the others of every
 * level.
 * @returns the difference with its path, or `null` where the two are equal
 */
export function firstDifference(
  golden: JsonValue,
  call: JsonValue,
  looseness: Looseness = strict,
): Difference | null {
  return differ(golden, call, looseness, looseness.unordered, true, '') ?? null
}
