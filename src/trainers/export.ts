/**
 * What every export starts from: the tokens of a batch, sequence by sequence, each with its advantage and mask.
 *
 * An export is a selection: which tokens of a sequence stand in a row, shifted or not, padded or not. The values come
 * from one flat array each, aligned with the tokens; an export for next-token targets leaves the first of them out.
 */
import { checkLength } from '../batch/check.js'
import { numRollouts } from '../batch/layout.js'
import { broadcast } from '../tokens/broadcast.js'
import { lossMask } from '../tokens/mask.js'
import type { SpanArrays } from '../tokens/spans.js'
import { checkConstant, type LossReduction, ownerWeights } from '../tokens/weights.js'
import { readIds, readLogprobs } from './ids.js'
import { checkInput, placeOf, type SequenceRow, sequenceRows, type TrainerInput } from './input.js'
import type { ExportOptions } from './options.js'
import { version } from './version.js'

/** The sequences of a batch in the order of the rows, and a value a token, flat, in batch order. */
export interface Prepared {
  readonly rows: readonly SequenceRow[]
  readonly advantage: Float32Array | Float64Array
  readonly mask: Uint8Array
  readonly weight: Float32Array | Float64Array | undefined
  readonly ids: Int32Array | undefined
  /** 0 where the token is not trained. */
  readonly logprob: Float32Array | Float64Array | undefined
  readonly metadata: Readonly<Record<string, string>>
}

/** What a file says about itself: the library's version, the trainer and the options of the export. */
export function metadataOf(
  trainer: string,
  about: TrainerInput['about'],
  options: object,
): Record<string, string> {
  return { ...about, 'tara-rl': version, trainer, export: JSON.stringify(options) }
}

type Alignment = 'token' | 'nextToken'

/** `[numTokens]` loss weights, aligned with the tokens. */
function weightsOf(
  spans: SpanArrays,
  reduction: LossReduction,
  { constant, dtype }: ExportOptions,
  align: Alignment,
): Float32Array | Float64Array {
  const owners = ownerWeights(spans, reduction, constant, align === 'nextToken' ? 1 : 0)
  return broadcast(owners.weight, owners.spans, { dtype })
}

/** Lays the values of all tokens out.
 * @param place - the export's name, for errors: `toTinker`
 * @param trainer - goes into the metadata
 * @param needs - `needsIds` refuses tokens without ids; with `align: 'nextToken'` the first token of a sequence, which is
 *   no target, has no share of a weight. The arrays are aligned with the tokens all the same
 * @throws TaraError `LENGTH`, `RANGE`; `MISSING` for tokens without ids where they are needed, or where only some
 *   have them
 */
export function prepare(
  place: string,
  trainer: string,
  input: TrainerInput,
  options: ExportOptions,
  { needsIds = false, align = 'token' }: { readonly needsIds?: boolean; readonly align?: Alignment } = {},
): Prepared {
  const { spans, tokens, batch } = input
  checkInput(place, input)
  checkLength(`${place}: tokens`, tokens, numRollouts(batch), 'rollout')
  checkLength(`${place}: spans.sequencePtr`, spans.sequencePtr, numRollouts(batch) + 1, 'rollout, and one')
  const { lossWeights: reduction, constant, dtype } = options
  checkConstant(`${place}: options.constant`, reduction, constant)
  const rows = sequenceRows(place, input)
  const mask = lossMask(spans)
  const placeOfSequence = ({ rollout, sequence }: SequenceRow): string => {
    const here = placeOf(place, input, rollout)
    const given = tokens[rollout]
    return given !== null && given !== undefined && 'sequences' in given
      ? `${here}.sequences[${sequence}]`
      : here
  }
  const reading = { rows, tokens, numTokens: mask.length, placeOf: placeOfSequence }
  return {
    rows,
    advantage: broadcast(input.turnAdvantage, spans, { dtype }),
    mask,
    weight: reduction && weightsOf(spans, reduction, options, align),
    ids: readIds(reading, needsIds ? place : undefined),
    logprob: readLogprobs(reading, mask, dtype),
    metadata: metadataOf(trainer, input.about, options),
  }
}
