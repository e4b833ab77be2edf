/**
 * Atropos: the members of a scored group, one row a sequence.
 *
 *     masks[k] = tokens[k] where the token is trained, else -100
 *
 * All lists are aligned with `tokens`; Atropos trainers shift them. Rows of one `group` and `role` make a
 * `ScoredDataGroup`; a rollout of several sequences has several members.
 */
import { resolveOptions } from '../options.js'
import { listColumn, sequenceColumns, wholeSequence } from './columns.js'
import { prepare } from './export.js'
import type { TrainerInput } from './input.js'
import { type ExportOptions, exportChecks, exportDefaults } from './options.js'
import { scoresOf } from './scores.js'
import type { Column, Table } from './table.js'

/** The label that losses ignore. */
const IGNORED = -100

/** What stands for the log-probability of a token that is not trained. */
const NO_LOGPROB = 1

/** `[numTokens]` of `of` where the mask is 1, `otherwise` elsewhere. */
function selected<Values extends Int32Array | Float32Array | Float64Array>(
  of: Values,
  mask: Uint8Array,
  otherwise: number,
): Values {
  const out = of.slice() as Values
  for (let k = 0; k < mask.length; k++) if (mask[k] === 0) out[k] = otherwise
  return out
}

/** Makes the members of Atropos' scored groups, one row a sequence.
 *
 * Columns: `group`, `rollout`, `role` where there is one, `sequence`, `scores` (one a row: the outcome, else the product
 * of the rollout's rewards), and lists of one value a token: `tokens`, `masks` (the token's id, or -100), `advantages`
 * (`dtype`), `inference_logprobs` where the records have log-probabilities (1 where not trained), `loss_weights` where
 * asked for.
 *
 * @param input - every sequence must have token ids
 * @param options - see `exportDefaults`
 * @throws TaraError `MISSING` for a sequence without ids; `OPTION`, `LENGTH`, `RANGE`, `TYPE`
 */
export function toAtropos(input: TrainerInput, options?: Partial<ExportOptions>): Table {
  const resolved = resolveOptions('toAtropos', options, exportDefaults, exportChecks)
  const { rows, ids, advantage, mask, logprob, weight, metadata } = prepare(
    'toAtropos',
    'atropos',
    input,
    resolved,
    { needsIds: true },
  )
  const score = scoresOf('toAtropos', input.batch)
  const columns: [string, Column][] = [
    ...sequenceColumns(input.keys, rows),
    ['scores', { kind: 'dense', values: Float64Array.from(rows, ({ rollout }) => score[rollout]!) }],
    ['tokens', listColumn(rows, ids!, wholeSequence)],
    ['masks', listColumn(rows, selected(ids!, mask, IGNORED), wholeSequence)],
    ['advantages', listColumn(rows, advantage, wholeSequence)],
  ]
  if (logprob !== undefined)
    columns.push(['inference_logprobs', listColumn(rows, selected(logprob, mask, NO_LOGPROB), wholeSequence)])
  if (weight !== undefined) columns.push(['loss_weights', listColumn(rows, weight, wholeSequence)])
  return { numRows: rows.length, columns: new Map(columns), metadata }
}
