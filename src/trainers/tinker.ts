/**
 * Tinker: one `Datum` a sequence.
 *
 *     model_input = ids[0 … n-2]      target_tokens[k] = ids[k+1]
 *     advantages[k], mask[k], logprobs[k], loss_weights[k] are those of token k+1
 *
 * Everything but `model_input` is aligned with the target, so the first token of a sequence has no entry: a model
 * that generated it had nothing to predict it from.
 */
import { resolveOptions } from '../options.js'
import { inputs, listColumn, sequenceColumns, targets } from './columns.js'
import { prepare } from './export.js'
import type { TrainerInput } from './input.js'
import { type ExportOptions, exportChecks, exportDefaults } from './options.js'
import type { Column, Table } from './table.js'

/** Makes Tinker's arrays, one row a sequence.
 *
 * Columns: `group`, `rollout`, `role` where there is one, `sequence`, and lists of one length a row: `model_input` and
 * `target_tokens` (int32), `advantages` (`dtype`), `mask` (1 where the target is trained), `logprobs` where the records
 * have them (0 where the target is not trained), `loss_weights` where asked for.
 *
 * @param input - every sequence must have token ids
 * @param options - see `exportDefaults`
 * @throws TaraError `MISSING` for a sequence without ids; `OPTION`, `LENGTH`, `RANGE`, `TYPE`
 */
export function toTinker(input: TrainerInput, options?: Partial<ExportOptions>): Table {
  const resolved = resolveOptions('toTinker', options, exportDefaults, exportChecks)
  const { rows, ids, advantage, mask, logprob, weight, metadata } = prepare(
    'toTinker',
    'tinker',
    input,
    resolved,
    { needsIds: true, align: 'nextToken' },
  )
  const columns: [string, Column][] = [
    ...sequenceColumns(input.keys, rows),
    ['model_input', listColumn(rows, ids!, inputs)],
    ['target_tokens', listColumn(rows, ids!, targets)],
    ['advantages', listColumn(rows, advantage, targets)],
    ['mask', listColumn(rows, mask, targets)],
  ]
  if (logprob !== undefined) columns.push(['logprobs', listColumn(rows, logprob, targets)])
  if (weight !== undefined) columns.push(['loss_weights', listColumn(rows, weight, targets)])
  return { numRows: rows.length, columns: new Map(columns), metadata }
}
