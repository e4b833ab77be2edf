/**
 * rLLM: one row a `Step`, lists over the tokens that were sampled in it.
 *
 * A step is a span of generated tokens, trained or not, in the order of the turns: `advantage` is what `Step.advantage` takes as a list, entry k
 * for `response_ids[k]`. Steps that are not trained have a row too (advantage 0, mask 0), so that counting is enough to
 * find a step again. The prompt of a step is not repeated: `start` says where its response begins in the sequence.
 */
import { resolveOptions } from '../options.js'
import { asGenerated, readSpans } from '../tokens/read.js'
import { counts, listColumn, type Range, sequenceColumns } from './columns.js'
import { prepare } from './export.js'
import { placeOf, type SequenceRow, type TrainerInput } from './input.js'
import { type ExportOptions, exportChecks, exportDefaults } from './options.js'
import type { Column, Table } from './table.js'

interface StepRow extends SequenceRow {
  /** Counts within the rollout. */
  readonly step: number
  /** The turn in the log; T and beyond for a surplus turn. */
  readonly turn: number
  readonly start: number
  readonly end: number
}

/** What was generated in every rollout, span by span, each as a row of its sequence. */
function stepsOf(input: TrainerInput, rows: readonly SequenceRow[]): StepRow[] {
  const steps: StepRow[] = []
  for (let n = 0; n < rows.length; ) {
    const { rollout } = rows[n]!
    let next = n
    while (next < rows.length && rows[next]!.rollout === rollout) next++
    const own = rows.slice(n, next)
    let step = 0
    readSpans(
      placeOf('toRllm', input, rollout),
      asGenerated(input.tokens[rollout]!),
      own.map(({ length }) => length),
      (turn, sequence, start, end) => steps.push({ ...own[sequence]!, step: step++, turn, start, end }),
    )
    n = next
  }
  return steps
}

/** Makes rLLM's lists, one row a step.
 *
 * Columns: `group`, `rollout`, `role` where there is one, `sequence`, `step` (counts the rollout's spans with tokens),
 * `turn`, `start` (tokens of the sequence before the response), and lists of one value a sampled token: `response_ids`
 * where the records have token ids, `advantage` (`dtype`), `mask` (1 where trained), `logprobs` where the records have
 * them, `loss_weights` where asked for.
 *
 * @param options - see `exportDefaults`
 * @throws TaraError `OPTION`, `MISSING`, `LENGTH`, `RANGE`, `TYPE`
 */
export function toRllm(input: TrainerInput, options?: Partial<ExportOptions>): Table {
  const resolved = resolveOptions('toRllm', options, exportDefaults, exportChecks)
  const flat = prepare('toRllm', 'rllm', input, resolved)
  const steps = stepsOf(input, flat.rows)
  const sampled: Range = (row) => [(row as StepRow).start, (row as StepRow).end]
  const columns: [string, Column][] = [
    ...sequenceColumns(input.keys, steps),
    ['step', counts(steps, ({ step }) => step)],
    ['turn', counts(steps, ({ turn }) => turn)],
    ['start', counts(steps, ({ start }) => start)],
  ]
  if (flat.ids !== undefined) columns.push(['response_ids', listColumn(steps, flat.ids, sampled)])
  columns.push(
    ['advantage', listColumn(steps, flat.advantage, sampled)],
    ['mask', listColumn(steps, flat.mask, sampled)],
  )
  if (flat.logprob !== undefined) columns.push(['logprobs', listColumn(steps, flat.logprob, sampled)])
  if (flat.weight !== undefined) columns.push(['loss_weights', listColumn(steps, flat.weight, sampled)])
  return { numRows: steps.length, columns: new Map(columns), metadata: flat.metadata }
}
