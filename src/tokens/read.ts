/**
 * One rollout's tokens, checked: how long its sequences are, and its spans in the order of its turns.
 *
 * Within a sequence the spans ascend and touch at most. An empty span claims no token: it need only lie
 * within its sequence. What the spans mean for a batch is in `spans.ts`.
 */
import { fail, show } from '../errors.js'

/** `[start, end)`: tokens of the rollout's one sequence. */
export type TokenSpan = readonly [start: number, end: number]

/** `[sequence, start, end)`: tokens of one of the rollout's sequences. */
export type SequenceSpan = readonly [sequence: number, start: number, end: number]

/** What may be known of the tokens of a sequence besides their number: what some trainers ask for. */
export interface TokenValues {
  /** The token ids, one a token. */
  readonly ids?: readonly number[]
  /** Log-probabilities of the sampler, one a token; null where the policy wrote nothing. */
  readonly logprobs?: readonly (number | null)[]
}

/** A rollout whose tokens lie in one sequence. */
export interface OneSequence extends TokenValues {
  /** Tokens of the sequence, all of them: prompts and tool results too. */
  readonly length: number
  /** `turns[t]` spans of turn t, in order. Fewer lists than T: the rest is unreached; more: surplus turns. */
  readonly turns: readonly (readonly TokenSpan[])[]
  /** `generated[t]` what the policy generated in turn t, where that is more than its spans: each of these holds spans of
   * `turns[t]`, and reasoning or end tokens that are not trained. Exports let responses begin there. */
  readonly generated?: readonly (readonly TokenSpan[])[]
}

/** A rollout whose tokens lie in several sequences (a compacted context, stripped reasoning, sub-agents). */
export interface SeveralSequences {
  readonly sequences: readonly ({ readonly length: number } & TokenValues)[]
  /** As in `OneSequence`; each span names its sequence. */
  readonly turns: readonly (readonly SequenceSpan[])[]
  /** As in `OneSequence`; each span names its sequence. */
  readonly generated?: readonly (readonly SequenceSpan[])[]
}

export type RolloutTokens = OneSequence | SeveralSequences

/** The tokens with what was generated, trained or not, in place of the spans. */
export function asGenerated(tokens: RolloutTokens): RolloutTokens {
  if (tokens.generated === undefined) return tokens
  return 'sequences' in tokens
    ? { ...tokens, turns: tokens.generated ?? tokens.turns }
    : { ...tokens, turns: tokens.generated ?? tokens.turns }
}

/** Receives a span that holds tokens; `sequence` counts within the rollout. */
export type SpanReader = (turn: number, sequence: number, start: number, end: number) => void

/** A span in an error message: its numbers where it is short. */
function showSpan(span: unknown): string {
  return Array.isArray(span) && span.length > 0 && span.length <= 4
    ? `[${span.map(show).join(', ')}]`
    : show(span)
}

/** Checks a number of tokens. */
export function asTokenCount(place: string, value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    fail(typeof value === 'number' ? 'RANGE' : 'TYPE', place, 'a number of tokens, 0 or more', show(value))
  return value as number
}

/** Reads how many tokens each sequence of a rollout has.
 * @param place - names the rollout in errors
 * @throws TaraError `TYPE`, `RANGE`, `MISMATCH`
 */
export function readLengths(place: string, tokens: RolloutTokens): number[] {
  if (typeof tokens !== 'object' || tokens === null || Array.isArray(tokens))
    fail('TYPE', place, 'an object with length or sequences, and turns', show(tokens))
  if (!('sequences' in tokens)) return [asTokenCount(`${place}.length`, tokens.length)]
  if ('length' in tokens) fail('MISMATCH', place, 'either length or sequences', 'both')
  if (!Array.isArray(tokens.sequences))
    fail('TYPE', `${place}.sequences`, 'a list with one entry a sequence', show(tokens.sequences))
  return tokens.sequences.map((sequence, q) => {
    const here = `${place}.sequences[${q}]`
    if (typeof sequence !== 'object' || sequence === null || Array.isArray(sequence))
      fail('TYPE', here, 'an object with a length', show(sequence))
    return asTokenCount(`${here}.length`, sequence.length)
  })
}

/** Reads the spans of a rollout, turn by turn, and passes on those that hold tokens.
 * @param place - names the rollout in errors
 * @param lengths - tokens of each sequence, from `readLengths`
 * @throws TaraError `TYPE`; `SPAN` for one that overlaps, is reversed, out of order or out of range
 */
export function readSpans(
  place: string,
  tokens: RolloutTokens,
  lengths: readonly number[],
  onSpan: SpanReader,
): void {
  if (!Array.isArray(tokens.turns))
    fail('TYPE', `${place}.turns`, 'a list with one list of spans a turn', show(tokens.turns))
  const turns: readonly (readonly (readonly number[])[])[] = tokens.turns
  const first = 'sequences' in tokens ? 1 : 0 // where the start stands in a span
  const claimed = lengths.map(() => 0) // end of the last span in each sequence
  for (let t = 0; t < turns.length; t++) {
    const spans = turns[t]!
    if (!Array.isArray(spans)) fail('TYPE', `${place}.turns[${t}]`, 'a list of spans', show(spans))
    for (let k = 0; k < spans.length; k++) {
      const span: readonly number[] = spans[k]
      const fault = faultOf(span, first, lengths, claimed)
      if (fault !== undefined) fail('SPAN', `${place}.turns[${t}][${k}]`, fault, showSpan(span))
      const sequence = first === 0 ? 0 : span[0]!
      const start = span[first]!
      const end = span[first + 1]!
      if (start === end) continue
      claimed[sequence] = end
      onSpan(t, sequence, start, end)
    }
  }
}

/** What a span should have been; `undefined` where it will do. */
function faultOf(
  span: readonly number[],
  first: number,
  lengths: readonly number[],
  claimed: readonly number[],
): string | undefined {
  if (!Array.isArray(span) || span.length !== first + 2)
    return first === 0 ? 'a span [start, end]' : 'a span [sequence, start, end]'
  const sequence: unknown = first === 0 ? 0 : span[0]
  const start: unknown = span[first]
  const end: unknown = span[first + 1]
  const length = Number.isInteger(sequence) ? lengths[sequence as number] : undefined
  if (length === undefined)
    return lengths.length === 0
      ? 'an empty list of spans, as there is no sequence'
      : `a sequence from 0 to ${lengths.length - 1}`
  if (
    typeof start !== 'number' ||
    typeof end !== 'number' ||
    !Number.isInteger(start) ||
    !Number.isInteger(end)
  )
    return 'whole numbers'
  if (!(0 <= start && start <= end && end <= length))
    return `0 <= start <= end <= ${length}, the sequence's length`
  if (start < end && start < claimed[sequence as number]!)
    return `a start at or after ${claimed[sequence as number]}, the end of the span before`
  return undefined
}
