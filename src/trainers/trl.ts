/**
 * TRL: what `GRPOTrainer` hands to its loss, `[B, T]` over the completion.
 *
 *     loss mask = completion_mask · tool_mask
 *
 * `completion_mask` is 1 for every token of the completion, tool results too, and 0 for padding; `tool_mask` is 1 for
 * the tokens that are trained. The loss takes advantages of shape `[B, T]` as they are.
 */
import { resolveOptions } from '../options.js'
import type { TrainerInput } from './input.js'
import { type PaddedOptions, paddedChecks, paddedDefaults } from './options.js'
import { paddedRows } from './padded.js'
import type { Column, Table } from './table.js'

/** Makes TRL's arrays, one row a sequence.
 *
 * Columns: `group`, `rollout`, `role` where there is one, `sequence`, `prompt_length` and `response_length` (tokens,
 * without padding), `advantages` (`[B, T]`, `dtype`), `completion_mask` and `tool_mask` (`[B, T]`, 0 and 1),
 * `loss_weights` where asked for, `sampling_per_token_logps` where the records have log-probabilities, `prompt_ids`,
 * `prompt_mask` (`[B, P]`, padded on the left) and `completion_ids` (`[B, T]`) where they have token ids. T is `width`,
 * P is `promptWidth`.
 *
 * @param options - see `paddedDefaults`
 * @throws TaraError `OPTION` for a width below the longest; `MISSING`, `LENGTH`, `RANGE`, `TYPE`, `TOO_LARGE`
 */
export function toTrl(input: TrainerInput, options?: Partial<PaddedOptions>): Table {
  const resolved = resolveOptions('toTrl', options, paddedDefaults, paddedChecks)
  const { rows, names, response, prompt, metadata, ...flat } = paddedRows('toTrl', 'trl', input, resolved)
  const ones = new Uint8Array(flat.mask.length).fill(1)
  const columns: [string, Column][] = [
    ...names,
    ['advantages', response(flat.advantage)],
    ['completion_mask', response(ones)],
    ['tool_mask', response(flat.mask)],
  ]
  if (flat.weight !== undefined) columns.push(['loss_weights', response(flat.weight)])
  if (flat.logprob !== undefined) columns.push(['sampling_per_token_logps', response(flat.logprob)])
  if (flat.ids !== undefined)
    columns.push(
      ['prompt_ids', prompt(flat.ids, resolved.padId)],
      ['prompt_mask', prompt(ones)],
      ['completion_ids', response(flat.ids, resolved.padId)],
    )
  return { numRows: rows.length, columns: new Map(columns), metadata }
}
