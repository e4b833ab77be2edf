/**
 * Rewards that come from elsewhere: a judge, the state of an environment, a model. One number a turn, at once or later.
 *
 * A scorer sees the content of a turn and nothing else, neither its group nor its place, so equal content may share a
 * score. A cached scorer asks for it once, also while the score is still to come; a group whose turns are alike is
 * then flat, even under a judge that wavers. The key is the content as canonical text, not a hash of it. The cache is
 * bounded in entries and in text; what was asked for longest ago goes first.
 */
import { isReward } from '../batch/check.js'
import { fail, show } from '../errors.js'
import { aCount, type Check, resolveOptions } from '../options.js'
import type { ToolCall } from './call.js'
import { canonicalText } from './canonical.js'

/** What a scorer sees of a turn: JSON values. */
export interface ScorerInput {
  /** What the group's rollouts were asked to do, as the group has it; absent where it has none. */
  readonly task?: unknown
  readonly calls: readonly ToolCall[]
  readonly messages: readonly unknown[]
}

/** Scores a turn. */
export type Scorer = (input: ScorerInput) => number | PromiseLike<number>

export interface CacheOptions {
  /** The most scores that are kept; 0 keeps none. Default 10000. */
  readonly maxEntries: number
  /** The most text that is kept, in UTF-16 code units. Default 2^26. */
  readonly maxText: number
}

export const cacheDefaults: Readonly<CacheOptions> = Object.freeze({ maxEntries: 10_000, maxText: 2 ** 26 })

export const cacheChecks: { readonly [Name in keyof CacheOptions]-?: Check } = {
  maxEntries: aCount,
  maxText: aCount,
}

/** Makes a scorer of one that is dear: the same content is asked for once.
 *
 * Content is equal if its JSON is: key order is free, and members that are `undefined` are not there. A failure, and a
 * score that is not a finite number of at most 1e300 in size, are not kept.
 * @param scorer - called with the first of equal inputs
 * @param options - see `cacheDefaults`
 * @throws TaraError `TYPE` where the input of a call is not JSON; what the scorer throws passes through
 */
export function cachedScorer(scorer: Scorer, options?: Partial<CacheOptions>): Scorer {
  const { maxEntries, maxText } = resolveOptions('cachedScorer', options, cacheDefaults, cacheChecks)
  if (typeof scorer !== 'function') fail('TYPE', 'cachedScorer: scorer', 'a function', show(scorer))
  if (maxEntries === 0) return scorer
  const scores = new Map<string, number | Promise<number>>() // in the order they were last asked for
  let text = 0

  function drop(key: string): void {
    if (scores.delete(key)) text -= key.length
  }

  function keep(key: string, score: number | Promise<number>): void {
    drop(key)
    scores.set(key, score)
    text += key.length
    for (const oldest of scores.keys()) {
      if (scores.size <= maxEntries && text <= maxText) break
      drop(oldest)
    }
  }

  /** Keeps the promise while it is open, then its score. */
  async function settle(key: string, promise: PromiseLike<number>): Promise<number> {
    const pending = Promise.resolve(promise)
    keep(key, pending)
    let score: unknown
    try {
      score = await pending
      return score as number
    } finally {
      if (scores.get(key) === pending) {
        if (isReward(score, true)) scores.set(key, score)
        else drop(key)
      }
    }
  }

  return (input) => {
    const key = canonicalText('cachedScorer: input', input)
    const known = scores.get(key)
    if (known !== undefined) {
      keep(key, known)
      return known
    }
    const score = scorer(input)
    if (typeof score !== 'number') return settle(key, score)
    if (isReward(score, true)) keep(key, score)
    return score
  }
}
