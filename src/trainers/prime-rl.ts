/**
 * prime-rl: one `TrainingSample` a sequence, lists over all of its tokens.
 *
 * Entry k stands for token k, prompt and tool results included; `mask` says which tokens are trained. prime-rl itself
 * shifts the logits. The weights have the name of its stream that scales the loss of a token.
 */
import { resolveOptions } from '../options.js'
import { listColumn, sequenceColumns, wholeSequence } from './columns.js'
import { prepare } from './export.js'
import type { TrainerInput } from './input.js'
import { type ExportOptions, exportChecks, exportDefaults } from './options.js'
import { scoresOf } from './scores.js'
import type { Column, Table } from './table.js'

/** Makes prime-rl's lists, one row a sequence.
 *
 * Columns: `group`, `rollout`, `role` where there is one, `sequence`, `reward` (the outcome, else the product of the
 * rollout's rewards), and lists of one value a token: `token_ids` where the records have them, `mask` (0 and 1),
 * `advantages` (`dtype`), `logprobs` where the records have them, `rl_weights` where loss weights are asked for.
 *
 * @param options - see `exportDefaults`
 * @throws TaraError `OPTION`, `MISSING`, `LENGTH`, `RANGE`, `TYPE`
 */
export function toPrimeRl(input: TrainerInput, options?: Partial<ExportOptions>): Table {
  const resolved = resolveOptions('toPrimeRl', options, exportDefaults, exportChecks)
  const flat = prepare('toPrimeRl', 'prime-rl', input, resolved)
  const { rows, metadata } = flat
  const score = scoresOf('toPrimeRl', input.batch)
  const columns: [string, Column][] = [
    ...sequenceColumns(input.keys, rows),
    ['reward', { kind: 'dense', values: Float64Array.from(rows, ({ rollout }) => score[rollout]!) }],
  ]
  if (flat.ids !== undefined) columns.push(['token_ids', listColumn(rows, flat.ids, wholeSequence)])
  columns.push(
    ['mask', listColumn(rows, flat.mask, wholeSequence)],
    ['advantages', listColumn(rows, flat.advantage, wholeSequence)],
  )
  if (flat.logprob !== undefined) columns.push(['logprobs', listColumn(rows, flat.logprob, wholeSequence)])
  if (flat.weight !== undefined) columns.push(['rl_weights', listColumn(rows, flat.weight, wholeSequence)])
  return { numRows: rows.length, columns: new Map(columns), metadata }
}
