/**
 * Token spans: which tokens of which sequence each turn of a batch owns.
 *
 * A span `[start, end)` counts the tokens of one sequence; it covers tokens the policy generated. What lies
 * outside every span (prompts, tool results, padding) belongs to no turn. Only spans that are trained are
 * kept: those of aborted and of untrained truncated rollouts, of masked turns and of turns beyond T are
 * checked, counted and dropped, so that their tokens look like any other token outside a span.
 */
import { asOffsets, checkLength } from '../batch/check.js'
import { numRollouts, numTurns, type Offsets, type TurnBatch } from '../batch/layout.js'
import type { TruncatedRule } from '../batch/votes.js'
import { fail, show } from '../errors.js'
import { aFunction, oneOf, optional, resolveOptions } from '../options.js'
import { type RolloutTokens, readLengths, readSpans } from './read.js'

export interface TokenCounts {
  /** Tokens in spans that are trained. */
  readonly trainedTokens: number
  /** Tokens in spans of turns within T that are not: aborted, truncated where that is not trained, masked. */
  readonly untrainedTokens: number
  /** Turns beyond T. */
  readonly surplusTurns: number
  /** Tokens in spans of turns beyond T. */
  readonly surplusTokens: number
}

/** Trained spans, flat: rollouts → sequences → spans. */
export interface SpanArrays {
  /** `[numRollouts+1]` sequences of rollout i; none where its tokens are `null`. */
  readonly sequencePtr: Offsets
  /** `[numSequences+1]` tokens of each sequence, all sequences put one after the other. */
  readonly tokenPtr: Offsets
  /** `[numSequences+1]` trained spans of each sequence. */
  readonly spanPtr: Offsets
  /** `[numSpans]` first token, counted within the sequence; ascends within a sequence. No span is empty. */
  readonly spanStart: Int32Array
  /** `[numSpans]` the token after the last, counted within the sequence. */
  readonly spanEnd: Int32Array
  /** `[numSpans]` the turn that owns the span, as an index into `batch.reward`. */
  readonly spanTurn: Int32Array
  /** Turns of the batch: the length of the values that `broadcast` reads. */
  readonly numTurns: number
}

/** The trained spans of a batch. Earned from `tokenSpans`. */
export interface TokenSpans extends SpanArrays {
  readonly counts: TokenCounts
}

export interface TokenSpansOptions {
  /** What a rollout that a limit ended counts as. `fail`: trained like any other; `mask`, `exclude`: not trained. */
  readonly truncated: TruncatedRule
  /** Names rollout i in errors. Default: `tokenSpans: rollouts[i]`. */
  readonly place: ((rollout: number) => string) | undefined
}

export const tokenSpansDefaults: Readonly<TokenSpansOptions> = Object.freeze({
  truncated: 'fail',
  place: undefined,
})

/** Largest offset that Int32 holds. */
const MAX_TOKENS = 0x7fffffff

/** Trained spans in the order of their turns. */
interface SpanList {
  /** Counted over the batch. */
  readonly sequence: number[]
  readonly start: number[]
  readonly end: number[]
  readonly turn: number[]
}

/** Puts the spans of each sequence together. A stable counting sort: within a sequence they ascend already. */
function bySequence(
  spans: SpanList,
  numSequences: number,
): Pick<SpanArrays, 'spanPtr' | 'spanStart' | 'spanEnd' | 'spanTurn'> {
  const spanPtr = new Int32Array(numSequences + 1)
  for (const sequence of spans.sequence) spanPtr[sequence + 1]!++
  for (let s = 0; s < numSequences; s++) spanPtr[s + 1]! += spanPtr[s]!
  const next = spanPtr.slice()
  const numSpans = spans.sequence.length
  const spanStart = new Int32Array(numSpans)
  const spanEnd = new Int32Array(numSpans)
  const spanTurn = new Int32Array(numSpans)
  for (let k = 0; k < numSpans; k++) {
    const at = next[spans.sequence[k]!]!++
    spanStart[at] = spans.start[k]!
    spanEnd[at] = spans.end[k]!
    spanTurn[at] = spans.turn[k]!
  }
  return { spanPtr: asOffsets('tokenSpans: spans', spanPtr), spanStart, spanEnd, spanTurn }
}

/** Every reached turn of rollout i has a list of spans. */
function checkReached(place: string, batch: TurnBatch, i: number, numLists: number): void {
  const first = batch.turnPtr[i]!
  for (let turn = first + numLists; turn < batch.turnPtr[i + 1]!; turn++)
    if (batch.reached[turn] === 1)
      fail(
        'LENGTH',
        `${place}.turns`,
        `a list of spans for turn ${turn - first}, which is reached`,
        `${numLists} lists`,
      )
}

/** Checks the tokens of every rollout and lays the trained spans out flat.
 *
 * Within a sequence no token is claimed twice and spans ascend, turn by turn; touching spans are fine. An empty
 * span claims nothing and is legal anywhere in its sequence. Spans that are not trained are held to the same.
 * A turn that the batch calls unreached has no tokens; of an aborted rollout nothing is asked.
 *
 * @param batch - the turns that the spans belong to; not changed
 * @param rollouts - `[numRollouts]` in batch order; `null`, which has no sequence, only for an aborted rollout
 * @param options - see `tokenSpansDefaults`; `truncated` as for the advantages
 * @throws TaraError `SPAN` for a span that overlaps, is reversed, out of range or of a turn not reached;
 *   `LENGTH` for a reached turn without a list; `TOO_LARGE` from 2^31 tokens in all; `TYPE`, `RANGE`, `MISSING`
 */
export function tokenSpans(
  batch: TurnBatch,
  rollouts: readonly (RolloutTokens | null)[],
  options?: Partial<TokenSpansOptions>,
): TokenSpans {
  const { truncated, place } = resolveOptions('tokenSpans', options, tokenSpansDefaults, {
    truncated: oneOf('fail', 'exclude', 'mask'),
    place: optional(aFunction),
  })
  if (!Array.isArray(rollouts))
    fail('TYPE', 'tokenSpans: rollouts', 'a list, one entry a rollout', show(rollouts))
  checkLength('tokenSpans: rollouts', rollouts, numRollouts(batch), 'rollout')

  const sequencePtr = [0]
  const tokenPtr = [0]
  const found: SpanList = { sequence: [], start: [], end: [], turn: [] }
  const counts = { trainedTokens: 0, untrainedTokens: 0, surplusTurns: 0, surplusTokens: 0 }
  let numTokens = 0

  function readRollout(here: string, tokens: RolloutTokens, i: number): void {
    const isValid = batch.valid[i] === 1
    const isTrained = isValid && !(truncated !== 'fail' && batch.truncated?.[i] === 1)
    const firstTurn = batch.turnPtr[i]!
    const T = batch.turnPtr[i + 1]! - firstTurn
    const firstSequence = tokenPtr.length - 1
    const lengths = readLengths(here, tokens)
    for (const length of lengths) {
      numTokens += length
      if (numTokens > MAX_TOKENS)
        fail('TOO_LARGE', here, `at most ${MAX_TOKENS} tokens in all`, `${numTokens}`)
      tokenPtr.push(numTokens)
    }
    readSpans(here, tokens, lengths, (t, sequence, start, end) => {
      const turn = firstTurn + t
      if (t >= T) {
        counts.surplusTokens += end - start
        return
      }
      if (isValid && batch.reached[turn] !== 1)
        fail('SPAN', `${here}.turns[${t}]`, 'no tokens, as the turn is not reached', `[${start}, ${end}]`)
      if (!isTrained || batch.masked?.[turn] === 1) {
        counts.untrainedTokens += end - start
        return
      }
      counts.trainedTokens += end - start
      found.sequence.push(firstSequence + sequence)
      found.start.push(start)
      found.end.push(end)
      found.turn.push(turn)
    })
    if (isValid) checkReached(here, batch, i, tokens.turns.length)
    counts.surplusTurns += Math.max(tokens.turns.length - T, 0)
  }

  for (let i = 0; i < rollouts.length; i++) {
    const tokens = rollouts[i]
    const here = place === undefined ? `tokenSpans: rollouts[${i}]` : place(i)
    if (tokens !== null) readRollout(here, tokens, i)
    else if (batch.valid[i] === 1)
      fail('MISSING', here, 'tokens (only an aborted rollout may have none)', 'null')
    sequencePtr.push(tokenPtr.length - 1)
  }
  return {
    sequencePtr: asOffsets('tokenSpans: sequences', sequencePtr),
    tokenPtr: asOffsets('tokenSpans: tokens', tokenPtr),
    ...bySequence(found, tokenPtr.length - 1),
    numTurns: numTurns(batch),
    counts,
  }
}

/** Returns the tokens of one rollout: a view of each of its sequences, in order.
 * @param flat - `[numTokens]` from `broadcast` or `lossMask` with layout `flat` and align `token`
 * @param rollout - index into the batch
 * @returns views that share memory with `flat`; none for a rollout without tokens
 * @throws TaraError `LENGTH` for an array of another layout, `RANGE` for a rollout that does not exist
 */
export function rolloutSequences<Tokens extends Float32Array | Float64Array | Uint8Array>(
  flat: Tokens,
  spans: SpanArrays,
  rollout: number,
): Tokens[] {
  const { sequencePtr, tokenPtr } = spans
  checkLength('rolloutSequences: flat', flat, tokenPtr[tokenPtr.length - 1]!, 'token')
  const first = sequencePtr[rollout]
  const end = sequencePtr[rollout + 1]
  if (first === undefined || end === undefined)
    return fail(
      'RANGE',
      'rolloutSequences: rollout',
      `an index below ${sequencePtr.length - 1}`,
      show(rollout),
    )
  const views: Tokens[] = []
  for (let s = first; s < end; s++) views.push(flat.subarray(tokenPtr[s]!, tokenPtr[s + 1]!) as Tokens)
  return views
}
