/**
 * Random batches of every ragged kind, and the obvious reading of their tokens: one token at a time.
 */
import { fc } from '@fast-check/vitest'
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'
import type { TruncatedRule } from '../../src/batch/votes.js'
import type { BroadcastOptions } from '../../src/tokens/array.js'
import type { RolloutTokens, SequenceSpan } from '../../src/tokens/read.js'

export interface Ragged {
  readonly batch: TurnBatch
  readonly rollouts: (RolloutTokens | null)[]
}

/** Runs around every length at which the writer changes its way. */
const runLength = fc.oneof(fc.nat(12), fc.constantFrom(47, 48, 49, 127, 128, 129, 200))

const sequence = fc.record({
  runs: fc.array(fc.record({ gap: runLength, length: runLength, turn: fc.nat(20) }), { maxLength: 5 }),
  tail: fc.nat(9),
})

const rollout = fc.record({
  sequences: fc.array(sequence, { maxLength: 3 }),
  numReached: fc.nat(4),
  valid: fc.nat(4).map((n) => n > 0),
  truncated: fc.nat(3).map((n) => n === 0),
})

const group = fc.record({
  T: fc.nat(4),
  rollouts: fc.array(rollout, { maxLength: 3 }),
  masked: fc.array(
    fc.nat(4).map((n) => n === 0),
    { minLength: 4, maxLength: 4 },
  ),
})

type Shape<T> = T extends fc.Arbitrary<infer Value> ? Value : never

/** A turn that may own tokens: one that was reached, or one beyond T. */
function turnOf(n: number, numReached: number, T: number): number {
  const pick = n % (numReached + 2)
  return pick < numReached ? pick : T + pick - numReached
}

function tokensOf(given: Shape<typeof rollout>, T: number): RolloutTokens | null {
  if (!given.valid && given.sequences.length === 0) return null
  const numReached = Math.min(given.numReached, T)
  const turns: SequenceSpan[][] = Array.from({ length: numReached }, () => [])
  const sequences = given.sequences.map(({ runs, tail }, q) => {
    const owners = runs.map((run) => turnOf(run.turn, numReached, T)).sort((a, b) => a - b)
    let length = 0
    runs.forEach((run, k) => {
      while (turns.length <= owners[k]!) turns.push([])
      const start = length + run.gap
      length = start + run.length
      turns[owners[k]!]!.push([q, start, length])
    })
    return { length: length + tail }
  })
  if (sequences.length !== 1) return { sequences, turns }
  return {
    length: sequences[0]!.length,
    turns: turns.map((spans) => spans.map(([, start, end]) => [start, end] as const)),
  }
}

export const ragged: fc.Arbitrary<Ragged> = fc.array(group, { maxLength: 3 }).map((groups) => ({
  batch: turnBatch(
    groups.map(({ T, rollouts, masked }) => ({
      numTurns: T,
      rewards: rollouts.map((one) => new Array(Math.min(one.numReached, T)).fill(1)),
      valid: rollouts.map((one) => one.valid),
      truncated: rollouts.map((one) => one.truncated),
      masked: masked.slice(0, T),
    })),
  ),
  rollouts: groups.flatMap(({ T, rollouts }) => rollouts.map((one) => tokensOf(one, T))),
}))

export const truncatedRule: fc.Arbitrary<TruncatedRule> = fc.constantFrom('fail', 'exclude', 'mask')

export const layouts: fc.Arbitrary<Pick<BroadcastOptions, 'layout' | 'side' | 'align'>> = fc.record({
  layout: fc.constantFrom('flat', 'padded'),
  side: fc.constantFrom('left', 'right'),
  align: fc.constantFrom('token', 'nextToken'),
})

/** Whether turn t of rollout i is trained, read off the rules one by one. */
export function isTrained({ batch }: Ragged, i: number, t: number, truncated: TruncatedRule): boolean {
  const turn = batch.turnPtr[i]! + t
  if (turn >= batch.turnPtr[i + 1]!) return false // beyond T
  if (batch.valid[i] === 0) return false
  if (truncated !== 'fail' && batch.truncated?.[i] === 1) return false
  return batch.masked?.[turn] !== 1
}

/** One value a turn; NaN, which nobody may read, where the turn is not trained. */
export function valuesFor(given: Ragged, truncated: TruncatedRule, draw: readonly number[]): Float64Array {
  const { turnPtr, reward } = given.batch
  const values = new Float64Array(reward.length)
  for (let i = 0; i + 1 < turnPtr.length; i++)
    for (let j = turnPtr[i]!; j < turnPtr[i + 1]!; j++)
      values[j] = isTrained(given, i, j - turnPtr[i]!, truncated) ? draw[j % draw.length]! : Number.NaN
  return values
}

/** The turn that owns each token: `[numSequences][length]`, `undefined` where none that is trained does. */
function ownersOf(given: Ragged, truncated: TruncatedRule): (number | undefined)[][] {
  return given.rollouts.flatMap((tokens, i) => {
    if (tokens === null) return []
    const lengths = 'sequences' in tokens ? tokens.sequences.map((one) => one.length) : [tokens.length]
    return lengths.map((length, q) =>
      Array.from({ length }, (_, token) => {
        const t = tokens.turns.findIndex((spans) =>
          spans.some((span) => {
            const [sequence, start, end] = span.length === 3 ? span : ([0, ...span] as const)
            return sequence === q && start <= token && token < end
          }),
        )
        return t >= 0 && isTrained(given, i, t, truncated) ? given.batch.turnPtr[i]! + t : undefined
      }),
    )
  })
}

/** What the array must hold, token by token: `trained(turn)` or `fill`. */
export function tokenArray(
  given: Ragged,
  truncated: TruncatedRule,
  { layout, side, align }: Pick<BroadcastOptions, 'layout' | 'side' | 'align'>,
  fill: number,
  trained: (turn: number) => number,
): number[] {
  const rows = ownersOf(given, truncated).map((owners) =>
    owners.slice(align === 'token' ? 0 : 1).map((turn) => (turn === undefined ? fill : trained(turn))),
  )
  if (layout === 'flat') return rows.flat()
  const width = Math.max(0, ...rows.map((row) => row.length))
  return rows.flatMap((row) => {
    const padding = new Array<number>(width - row.length).fill(fill)
    return side === 'right' ? [...row, ...padding] : [...padding, ...row]
  })
}
