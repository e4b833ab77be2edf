/**
 * What loosens the equality of two calls, for one tool: the policy's rows, ready for the comparison.
 */
import type { JsonObject, JsonValue } from './call.js'

/** The user's own equality: `undefined` lets the built-in rule go on. */
export type EqualRule = (
  golden: JsonValue,
  call: JsonValue,
  where: { readonly path: string; readonly tool: string },
) => boolean | undefined

/** The lists whose order is free, as a tree of paths. */
export interface UnorderedPaths {
  isUnordered: boolean
  readonly keys: Map<string, UnorderedPaths>
  /** What lies below every element of a list. */
  items: UnorderedPaths | undefined
}

export interface Looseness {
  readonly tool: string
  /** Top-level keys that the golden arguments do not have are free. */
  readonly subset: boolean
  /** Top-level arguments that may be left out, with what they then are. */
  readonly defaults: JsonObject | undefined
  /** Largest absolute difference of two equal numbers. */
  readonly tolerance: number
  readonly unordered: UnorderedPaths | undefined
  /** Strings are compared in normalization form C. */
  readonly nfc: boolean
  readonly equal: EqualRule | undefined
}

/** No looseness: equality as JSON values. */
export const strict: Looseness = Object.freeze({
  tool: '',
  subset: false,
  defaults: undefined,
  tolerance: 0,
  unordered: undefined,
  nfc: false,
  equal: undefined,
})

/** A tree without any path. */
export function unorderedPaths(): UnorderedPaths {
  return { isUnordered: false, keys: new Map(), items: undefined }
}

/** The steps of `passengers[].bags`: a key, or `undefined` for every element of a list. */
function stepsOf(path: string): (string | undefined)[] | undefined {
  const steps: (string | undefined)[] = []
  let at = 0
  while (at < path.length) {
    if (path.startsWith('[]', at)) {
      steps.push(undefined)
      at += 2
    } else if (path.startsWith('["', at)) {
      const end = path.indexOf('"]', at + 2)
      if (end < 0) return undefined
      steps.push(path.slice(at + 2, end))
      at = end + 2
    } else {
      if (steps.length > 0) {
        if (path[at] !== '.') return undefined
        at++
      }
      let end = at
      while (end < path.length && path[end] !== '.' && path[end] !== '[') end++
      if (end === at) return undefined
      steps.push(path.slice(at, end))
      at = end
    }
  }
  return steps.length > 0 ? steps : undefined
}

/** Adds the list at `path` to the tree; false where the path cannot be read. */
export function addUnordered(tree: UnorderedPaths, path: string): boolean {
  const steps = stepsOf(path)
  if (steps === undefined) return false
  let node = tree
  for (const step of steps) {
    let next: UnorderedPaths
    if (step === undefined) next = node.items ??= unorderedPaths()
    else {
      next = node.keys.get(step) ?? unorderedPaths()
      node.keys.set(step, next)
    }
    node = next
  }
  node.isUnordered = true
  return true
}
