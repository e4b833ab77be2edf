/**
 * Sequences of tokens that grow piece by piece, with the spans of the turns: what every reader of token forms fills.
 */
import { fail, show } from '../errors.js'
import type { RolloutTokens, SequenceSpan, TokenSpan, TokenValues } from './read.js'

/** Largest token id that Int32 holds. */
const MAX_ID = 0x7fffffff

/** Checks a list of token ids. An id may be anything that 31 bits hold.
 * @throws TaraError `TYPE`, `RANGE` with the place of the id
 */
export function asTokenIds(place: string, value: unknown): readonly number[] {
  if (!Array.isArray(value)) fail('TYPE', place, 'a list of token ids', show(value))
  for (let k = 0; k < value.length; k++) {
    const id: unknown = value[k]
    if (!(Number.isInteger(id) && (id as number) >= 0 && (id as number) <= MAX_ID))
      fail(
        typeof id === 'number' ? 'RANGE' : 'TYPE',
        `${place}[${k}]`,
        `a token id from 0 to ${MAX_ID}`,
        show(id),
      )
  }
  return value
}

/** Checks a list of log-probabilities.
 * @param length - tokens that they belong to
 * @throws TaraError `TYPE`, `RANGE`, `LENGTH`
 */
export function asLogprobs(place: string, value: unknown, length: number): readonly (number | null)[] {
  if (!Array.isArray(value)) fail('TYPE', place, 'a list of log-probabilities, one a token', show(value))
  if (value.length !== length) fail('LENGTH', place, `${length} values, one a token`, `${value.length}`)
  for (let k = 0; k < value.length; k++)
    if (value[k] !== null && !Number.isFinite(value[k]))
      fail(
        typeof value[k] === 'number' ? 'RANGE' : 'TYPE',
        `${place}[${k}]`,
        'a finite number or null',
        show(value[k]),
      )
  return value
}

/** One sequence while it grows. */
interface Sequence {
  length: number
  readonly ids: number[]
  readonly logprobs: (number | null)[]
}

/** The sequences of a rollout while they grow. */
export interface SequenceList {
  /** The ids of the latest sequence so far. */
  latest(): readonly number[]
  /** Begins another sequence: what is added from now on lies in it. */
  begin(): void
  /** Adds tokens that the policy did not write. */
  addGiven(ids: readonly number[]): void
  /** Adds tokens that the policy wrote.
   * @param turn - the turn that owns them; -1 for none
   * @param logprobs - one a token, where they are known
   * @param trained - the ids that are in a span of the turn; default: all
   */
  addWritten(
    ids: readonly number[],
    turn: number,
    logprobs?: readonly (number | null)[],
    trained?: readonly [start: number, end: number],
  ): void
  /** What has grown. One sequence stays one; several stay several, also where one of them is empty.
   * @param numTurns - turns of the rollout: as many lists of spans there are at least
   */
  finish(numTurns: number): RolloutTokens
}

/** Makes an empty list. Nothing is checked: ids and turns come from checked readers. */
export function sequenceList(hasLogprobs: boolean): SequenceList {
  const sequences: Sequence[] = []
  const turns: SequenceSpan[][] = []
  const generated: SequenceSpan[][] = []
  let isPartial = false // whether more was generated than is trained

  function begin(): Sequence {
    const sequence: Sequence = { length: 0, ids: [], logprobs: [] }
    sequences.push(sequence)
    return sequence
  }
  const latest = (): Sequence => sequences.at(-1) ?? begin()

  function add(ids: readonly number[], logprobs: readonly (number | null)[] | undefined): void {
    const sequence = latest()
    for (const id of ids) sequence.ids.push(id)
    if (hasLogprobs)
      for (let k = 0; k < ids.length; k++)
        sequence.logprobs.push(logprobs === undefined ? null : logprobs[k]!)
    sequence.length += ids.length
  }

  function valuesOf({ length, ids, logprobs }: Sequence): { length: number } & TokenValues {
    return { length, ids, ...(hasLogprobs && { logprobs }) }
  }

  function growTo(numTurns: number): void {
    for (const list of [turns, generated]) while (list.length < numTurns) list.push([])
  }
  const inOne = (spans: readonly SequenceSpan[]): TokenSpan[] => spans.map(([, start, end]) => [start, end])

  return {
    latest: () => latest().ids,
    begin() {
      begin()
    },
    addGiven: (ids) => add(ids, undefined),
    addWritten(ids, turn, logprobs, [from, to] = [0, ids.length]) {
      const start = latest().length
      add(ids, logprobs)
      if (turn < 0) return
      growTo(turn + 1)
      const q = sequences.length - 1
      if (to > from) turns[turn]!.push([q, start + from, start + to])
      if (ids.length > 0) generated[turn]!.push([q, start, start + ids.length])
      if (to - from < ids.length) isPartial = true
    },
    finish(numTurns) {
      growTo(numTurns)
      if (sequences.length > 1)
        return { sequences: sequences.map(valuesOf), turns, ...(isPartial && { generated }) }
      return {
        ...valuesOf(latest()),
        turns: turns.map(inOne),
        ...(isPartial && { generated: generated.map(inOne) }),
      }
    },
  }
}
