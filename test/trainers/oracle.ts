/**
 * What an export must hold, worked out one token at a time from the spans as they were written down.
 */
import { fc } from '@fast-check/vitest'
import type { TruncatedRule } from '../../src/batch/votes.js'
import type { RolloutTokens } from '../../src/tokens/read.js'
import { tokenSpans } from '../../src/tokens/spans.js'
import type { TrainerInput } from '../../src/trainers/input.js'
import { isTrained, type Ragged, ragged, truncatedRule, valuesFor } from '../tokens/ragged.js'

export interface Token {
  readonly id: number
  /** 0 where not trained. */
  readonly logprob: number
  readonly isGenerated: boolean
  /** The turn in the log, where the token is generated. */
  readonly turn: number | undefined
  readonly isTrained: boolean
  /** 0 where not trained. */
  readonly advantage: number
}

export interface Sequence {
  readonly rollout: number
  readonly sequence: number
  readonly tokens: readonly Token[]
}

/** Every token of the batch has an id of its own, so that a shift by one cannot go unseen. */
const idOf = (rollout: number, sequence: number, k: number): number =>
  1 + rollout * 10_000 + sequence * 2_000 + k

const logprobOf = (id: number): number => -id / 8

const lengthsOf = (tokens: RolloutTokens): number[] =>
  'sequences' in tokens ? tokens.sequences.map(({ length }) => length) : [tokens.length]

/** The same tokens with ids and log-probabilities, null where the policy did not sample. */
export function withIds(rollouts: Ragged['rollouts']): Ragged['rollouts'] {
  return rollouts.map((tokens, i) => {
    if (tokens === null) return null
    const more = lengthsOf(tokens).map((length, q) => {
      const ids = Array.from({ length }, (_, k) => idOf(i, q, k))
      const logprobs = ids.map((id, k) => (ownerOf(tokens, q, k) === undefined ? null : logprobOf(id)))
      return { length, ids, logprobs }
    })
    return 'sequences' in tokens ? { ...tokens, sequences: more } : { ...tokens, ...more[0]! }
  }) as Ragged['rollouts']
}

/** The turn whose span covers a token. */
function ownerOf(tokens: RolloutTokens, q: number, k: number): number | undefined {
  for (let t = 0; t < tokens.turns.length; t++)
    for (const span of tokens.turns[t]!) {
      const [sequence, start, end] = span.length === 3 ? span : ([0, ...span] as const)
      if (sequence === q && start <= k && k < end) return t
    }
  return undefined
}

/** All sequences of a batch, token by token. */
export function sequencesOf(
  given: Ragged,
  truncated: TruncatedRule,
  turnAdvantage: ArrayLike<number>,
): Sequence[] {
  return given.rollouts.flatMap((tokens, rollout) =>
    tokens === null
      ? []
      : lengthsOf(tokens).map((length, sequence) => ({
          rollout,
          sequence,
          tokens: Array.from({ length }, (_, k): Token => {
            const id = idOf(rollout, sequence, k)
            const turn = ownerOf(tokens, sequence, k)
            const trained = turn !== undefined && isTrained(given, rollout, turn, truncated)
            return {
              id,
              turn,
              isGenerated: turn !== undefined,
              isTrained: trained,
              logprob: trained ? logprobOf(id) : 0,
              advantage: trained ? turnAdvantage[given.batch.turnPtr[rollout]! + turn]! : 0,
            }
          }),
        })),
  )
}

export interface Case {
  readonly given: Ragged
  readonly truncated: TruncatedRule
  readonly input: TrainerInput
  readonly sequences: readonly Sequence[]
}

/** Random batches, with what their tokens must get. */
export const cases: fc.Arbitrary<Case> = fc
  .record({
    given: ragged,
    truncated: truncatedRule,
    draw: fc.array(fc.integer({ min: -800, max: 800 }), { minLength: 7, maxLength: 7 }),
  })
  .map(({ given, truncated, draw }) => {
    const { batch } = given
    const turnAdvantage = valuesFor(
      given,
      truncated,
      draw.map((n) => n / 8),
    )
    const tokens = withIds(given.rollouts)
    const keys = given.rollouts.map((_, i) => ({ group: `g${groupOf(given, i)}`, rollout: i }))
    return {
      given,
      truncated,
      input: { batch, tokens, keys, turnAdvantage, spans: tokenSpans(batch, tokens, { truncated }) },
      sequences: sequencesOf(given, truncated, turnAdvantage),
    }
  })

const groupOf = ({ batch }: Ragged, i: number): number => {
  let g = 0
  while (batch.groupPtr[g + 1]! <= i) g++
  return g
}

/** Where the response starts. */
export function borderOf({ tokens }: Sequence): number {
  const first = tokens.findIndex(({ isGenerated }) => isGenerated)
  return first < 0 ? tokens.length : first
}

/** The weight of every token of every sequence, by counting who shares with it. */
export function weightsOf(
  sequences: readonly Sequence[],
  reduction: 'token' | 'turn-mean' | 'sequence-mean',
  firstToken = 0,
): number[][] {
  const all = sequences.flatMap(({ rollout, tokens }, s) =>
    tokens.map((token, k) => ({ rollout, s, turn: token.turn, counts: token.isTrained && k >= firstToken })),
  )
  return sequences.map(({ rollout, tokens }, s) =>
    tokens.map((token, k) => {
      if (!token.isTrained || k < firstToken) return 0
      if (reduction === 'token') return 1
      const sharing = all.filter(
        (one) =>
          one.counts &&
          (reduction === 'turn-mean' ? one.rollout === rollout && one.turn === token.turn : one.s === s),
      )
      return 1 / sharing.length
    }),
  )
}
