/**
 * Part of the spans of a batch, for a micro-batch of a trainer or one rollout of a writer.
 */
import { asOffsets } from '../batch/check.js'
import type { Offsets } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import type { TokenCounts, TokenSpans } from './spans.js'

/** `ptr[first … end]`, counted from 0. */
function rebased(ptr: Offsets, first: number, end: number): Offsets {
  const part = ptr.slice(first, end + 1)
  for (let k = part.length - 1; k >= 0; k--) part[k]! -= part[0]!
  return asOffsets('sliceSpans', part)
}

/** The spans of a batch without the counts, which belong to the whole. */
export type SpansPart = Omit<TokenSpans, 'counts'> & { readonly counts?: TokenCounts }

/** Takes the spans of rollouts `first … end-1`. The turns they belong to stay those of the whole batch.
 * @param spans - from `tokenSpans`; the arrays of spans are shared, not copied
 * @returns spans that `broadcast` and `lossMask` take; token offsets start at 0
 * @throws TaraError `RANGE` unless 0 ≤ first ≤ end ≤ numRollouts
 */
export function sliceSpans(spans: SpansPart, first: number, end: number): SpansPart {
  const { sequencePtr, tokenPtr, spanPtr, spanStart, spanEnd, spanTurn, numTurns } = spans
  const rollouts = sequencePtr.length - 1
  if (!(Number.isInteger(first) && Number.isInteger(end) && 0 <= first && first <= end && end <= rollouts))
    fail('RANGE', 'sliceSpans', `0 <= first <= end <= ${rollouts}`, `${show(first)} and ${show(end)}`)
  const firstSequence = sequencePtr[first]!
  const endSequence = sequencePtr[end]!
  const firstSpan = spanPtr[firstSequence]!
  const endSpan = spanPtr[endSequence]!
  return {
    sequencePtr: rebased(sequencePtr, first, end),
    tokenPtr: rebased(tokenPtr, firstSequence, endSequence),
    spanPtr: rebased(spanPtr, firstSequence, endSequence),
    spanStart: spanStart.subarray(firstSpan, endSpan),
    spanEnd: spanEnd.subarray(firstSpan, endSpan),
    spanTurn: spanTurn.subarray(firstSpan, endSpan),
    numTurns,
  }
}
