/**
 * What goes into an export: a batch with its tokens and advantages, and its sequences in the order of the rows.
 */
import { checkLength } from '../batch/check.js'
import { numRollouts, type TurnBatch } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import { asGenerated, type RolloutTokens, readSpans } from '../tokens/read.js'
import type { SpanArrays } from '../tokens/spans.js'

/** Names a rollout, as the log does. */
export interface RolloutName {
  readonly group: string | number
  readonly rollout: string | number
  readonly role?: string | undefined
}

/** A batch with its tokens and its advantages. */
export interface TrainerInput {
  readonly batch: TurnBatch
  /** From `tokenSpans` of the batch and `tokens`. */
  readonly spans: SpanArrays
  /** `[numRollouts]` in batch order; what `tokenSpans` took. Token ids and log-probabilities stand here. */
  readonly tokens: readonly (RolloutTokens | null)[]
  /** `[numRollouts]` in batch order. */
  readonly keys: readonly RolloutName[]
  /** `[numTurns]` as an estimator returns it. */
  readonly turnAdvantage: Float64Array
  /** `[numRollouts]` the rollouts in the order of the rows, as indices into the batch. Default: batch order. */
  readonly order?: ArrayLike<number>
  /** Names the tokens of rollout i in errors. Default: `toTinker: tokens[i]`. */
  readonly place?: (rollout: number) => string
  /** Goes into the metadata: which estimator, its options. */
  readonly about?: Readonly<Record<string, string>>
}

/** One sequence of a rollout. */
export interface SequenceRow {
  /** Index into the batch. */
  readonly rollout: number
  /** Counts within the rollout. */
  readonly sequence: number
  /** Where the sequence starts in the flat arrays. */
  readonly origin: number
  /** Tokens of the sequence. */
  readonly length: number
  /** Where the response starts: the first token that was generated in a turn, trained or not; `length` where there
   * is none. */
  readonly border: number
}

/** Checks that the parts of the input belong together. */
export function checkInput(
  place: string,
  { batch, keys, turnAdvantage, order }: Pick<TrainerInput, 'batch' | 'keys' | 'turnAdvantage' | 'order'>,
): void {
  const n = numRollouts(batch)
  checkLength(`${place}: keys`, keys, n, 'rollout')
  checkLength(`${place}: turnAdvantage`, turnAdvantage, batch.reward.length, 'turn')
  if (order === undefined) return
  const seen = new Uint8Array(n)
  checkLength(`${place}: order`, order, n, 'rollout')
  for (let k = 0; k < n; k++) {
    const i = order[k]!
    if (!(Number.isInteger(i) && i >= 0 && i < n) || seen[i] === 1)
      fail('RANGE', `${place}: order[${k}]`, `each rollout from 0 to ${n - 1} once`, show(i))
    seen[i] = 1
  }
}

/** Names the tokens of a rollout in errors. */
export function placeOf(place: string, { place: named }: TrainerInput, i: number): string {
  return named === undefined ? `${place}: tokens[${i}]` : named(i)
}

/** The sequences of a batch in the order of the rows. */
export function sequenceRows(place: string, input: TrainerInput): SequenceRow[] {
  const { batch, spans, tokens, order } = input
  const { sequencePtr, tokenPtr } = spans
  const rows: SequenceRow[] = []
  for (let n = 0; n < numRollouts(batch); n++) {
    const i = order?.[n] ?? n
    const first = sequencePtr[i]!
    const count = sequencePtr[i + 1]! - first
    const lengths = Array.from({ length: count }, (_, q) => tokenPtr[first + q + 1]! - tokenPtr[first + q]!)
    const border = lengths.slice()
    const given = tokens[i]
    if (given !== null && given !== undefined)
      readSpans(placeOf(place, input, i), asGenerated(given), lengths, (_turn, q, start) => {
        border[q] = Math.min(border[q]!, start)
      })
    for (let q = 0; q < count; q++)
      rows.push({
        rollout: i,
        sequence: q,
        origin: tokenPtr[first + q]!,
        length: lengths[q]!,
        border: border[q]!,
      })
  }
  return rows
}
