/**
 * verl: the arrays that `compute_advantage` leaves in a batch, `[B, L]` over the response.
 *
 *     advantages[b, k] = returns[b, k] = A of response token k     response_mask[b, k] = 1 where it is trained
 *
 * Entry k stands for response token k, not for the one after it: verl's log-probabilities of a response are aligned so.
 * `returns` are what a critic learns; without one they are the advantages, as in verl's group estimators.
 */
import { resolveOptions } from '../options.js'
import type { TrainerInput } from './input.js'
import { type PaddedOptions, paddedChecks, paddedDefaults } from './options.js'
import { paddedRows } from './padded.js'
import type { Column, Table } from './table.js'

/** Makes verl's arrays, one row a sequence.
 *
 * Columns: `group`, `rollout`, `role` where there is one, `sequence`, `prompt_length` and `response_length` (tokens,
 * without padding), `advantages`, `returns` (`[B, L]`, `dtype`), `response_mask` (`[B, L]`, 0 and 1), `loss_weights`
 * where asked for, `rollout_log_probs` where the records have log-probabilities, `prompts` (`[B, P]`, padded on the
 * left) and `responses` (`[B, L]`) where they have token ids. L is `width`, P is `promptWidth`.
 *
 * @param options - see `paddedDefaults`
 * @throws TaraError `OPTION` for a width below the longest; `MISSING`, `LENGTH`, `RANGE`, `TYPE`, `TOO_LARGE`
 */
export function toVerl(input: TrainerInput, options?: Partial<PaddedOptions>): Table {
  const resolved = resolveOptions('toVerl', options, paddedDefaults, paddedChecks)
  const { rows, names, response, prompt, metadata, ...flat } = paddedRows('toVerl', 'verl', input, resolved)
  const columns: [string, Column][] = [
    ...names,
    ['advantages', response(flat.advantage)],
    ['returns', response(flat.advantage)],
    ['response_mask', response(flat.mask)],
  ]
  if (flat.weight !== undefined) columns.push(['loss_weights', response(flat.weight)])
  if (flat.logprob !== undefined) columns.push(['rollout_log_probs', response(flat.logprob)])
  if (flat.ids !== undefined)
    columns.push(
      ['prompts', prompt(flat.ids, resolved.padId)],
      ['responses', response(flat.ids, resolved.padId)],
    )
  return { numRows: rows.length, columns: new Map(columns), metadata }
}
