/**
 * Rows of one width, a prompt and a response each: what verl and TRL hold.
 *
 *     | padding · prompt | response · padding |
 *
 * The response of a sequence begins at its first generated token, trained or not, and holds the tool results and the
 * user messages that follow. A sequence without a generated token is all prompt.
 */
import { counts, paddedColumn, promptOf, responseOf, sequenceColumns, widthOf } from './columns.js'
import { type Prepared, prepare } from './export.js'
import type { TrainerInput } from './input.js'
import type { PaddedOptions } from './options.js'
import type { Column, DenseColumn, Numbers } from './table.js'

export interface PaddedRows extends Prepared {
  /** `group`, `rollout`, `role`, `sequence`, `prompt_length`, `response_length`. */
  readonly names: readonly [string, Column][]
  /** `[numRows, width]` of a flat array, over the response. */
  readonly response: (flat: Numbers, fill?: number) => DenseColumn
  /** `[numRows, promptWidth]` of a flat array, over the prompt, padded on the left. */
  readonly prompt: (flat: Numbers, fill?: number) => DenseColumn
}

/** Lays the sequences of a batch out as prompts and responses.
 * @throws TaraError `OPTION` for a width below the longest; what `prepare` throws
 */
export function paddedRows(
  place: string,
  trainer: string,
  input: TrainerInput,
  options: PaddedOptions,
): PaddedRows {
  const prepared = prepare(place, trainer, input, options)
  const { rows } = prepared
  const width = widthOf(`${place}: options.width`, rows, responseOf, options.width)
  const promptWidth = widthOf(`${place}: options.promptWidth`, rows, promptOf, options.promptWidth)
  const { side } = options
  return {
    ...prepared,
    names: [
      ...sequenceColumns(input.keys, rows),
      ['prompt_length', counts(rows, ({ border }) => border)],
      ['response_length', counts(rows, ({ border, length }) => length - border)],
    ],
    response: (flat, fill = 0) => paddedColumn(rows, flat, responseOf, { width, side, fill }),
    prompt: (flat, fill = 0) =>
      paddedColumn(rows, flat, promptOf, { width: promptWidth, side: 'left', fill }),
  }
}
