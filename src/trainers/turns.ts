/**
 * The plain table: one row a rollout with its rewards and advantages turn by turn, and with its tokens where asked for.
 */
import { asOffsets } from '../batch/check.js'
import { numRollouts, type Status } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import { aBoolean, type Check, resolveOptions } from '../options.js'
import { broadcast } from '../tokens/broadcast.js'
import { lossMask } from '../tokens/mask.js'
import type { SpanArrays } from '../tokens/spans.js'
import { checkConstant, lossWeights } from '../tokens/weights.js'
import { likeOf, nameColumns } from './columns.js'
import { metadataOf } from './export.js'
import { checkInput, type TrainerInput } from './input.js'
import { type ExportOptions, exportChecks, exportDefaults } from './options.js'
import type { Column, ListColumn, Numbers, Table } from './table.js'

export interface TurnsInput extends Omit<TrainerInput, 'spans' | 'tokens' | 'place'> {
  /** `[numTurns]` each; from `taraParts`. */
  readonly local?: Float64Array
  readonly future?: Float64Array
  /** `[numRollouts]` in batch order. */
  readonly status?: readonly Status[]
  /** From `tokenSpans` of the batch; only where `tokens` asks for them. */
  readonly spans?: SpanArrays | undefined
}

export interface TurnsOptions extends ExportOptions {
  /** Adds the columns of tokens. */
  readonly tokens: boolean
}

/** Unlike the trainers' exports, which are arrays for a loss, this one is float64. */
export const turnsDefaults: Readonly<TurnsOptions> = Object.freeze({
  ...exportDefaults,
  dtype: 'float64',
  tokens: false,
})

const turnsChecks: { readonly [Name in keyof TurnsOptions]-?: Check } = { ...exportChecks, tokens: aBoolean }

/** Rows `ptr[i] … ptr[i+1]-1` of a flat array, rollout after rollout. */
function rowsOf(rollouts: readonly number[], ptr: ArrayLike<number>, flat: Numbers): ListColumn {
  const offsets = new Int32Array(rollouts.length + 1)
  rollouts.forEach((i, n) => {
    offsets[n + 1] = offsets[n]! + ptr[i + 1]! - ptr[i]!
  })
  const values = likeOf(flat, offsets[rollouts.length]!)
  rollouts.forEach((i, n) => {
    values.set(flat.subarray(ptr[i]!, ptr[i + 1]!), offsets[n])
  })
  return { kind: 'list', values, ptr: asOffsets('toTurns', offsets) }
}

/** The same values in the type that holds them; no −0.
 * @throws TaraError `RANGE` for one that is not finite there
 */
function held(place: string, values: Float64Array, dtype: TurnsOptions['dtype']): Numbers {
  const out = dtype === 'float32' ? new Float32Array(values.length) : new Float64Array(values.length)
  for (let k = 0; k < values.length; k++) {
    out[k] = values[k]!
    if (!Number.isFinite(out[k]))
      fail('RANGE', `${place}[${k}]`, `a finite number that ${dtype} can hold`, show(values[k]))
    out[k]! += 0
  }
  return out
}

/** The columns of tokens, a list a rollout. */
function tokenColumns(
  { spans, turnAdvantage }: TurnsInput,
  rollouts: readonly number[],
  { dtype, lossWeights: reduction, constant }: TurnsOptions,
): [string, Column][] {
  if (spans === undefined) return fail('MISSING', 'toTurns: spans', 'token spans', 'undefined')
  checkConstant('toTurns: options.constant', reduction, constant)
  const { sequencePtr, tokenPtr } = spans
  const tokensOf = sequencePtr.map((s) => tokenPtr[s]!)
  const lengths = Int32Array.from({ length: tokenPtr.length - 1 }, (_, s) => tokenPtr[s + 1]! - tokenPtr[s]!)
  const perToken = (values: Numbers): ListColumn => rowsOf(rollouts, tokensOf, values)
  const columns: [string, Column][] = [
    ['token_advantages', perToken(broadcast(turnAdvantage, spans, { dtype }))],
    ['loss_mask', perToken(lossMask(spans))],
  ]
  if (reduction !== undefined)
    columns.push(['loss_weights', perToken(lossWeights(spans, { reduction, constant, dtype }))])
  return [...columns, ['sequence_lengths', rowsOf(rollouts, sequencePtr, lengths)]]
}

/** Makes the plain table, one row a rollout.
 *
 * Columns: `group`, `rollout`, `role` where there is one, `status` where it is given, and lists of length T: `rewards`,
 * `reached`, `local` and `future` where they are given, `advantages`. With `tokens` also lists of one value a token, the
 * sequences of a rollout one after the other: `token_advantages`, `loss_mask`, `loss_weights` where asked for, and
 * `sequence_lengths`, which tells the sequences apart.
 *
 * @param options - see `turnsDefaults`
 * @throws TaraError `MISSING` for `tokens` without spans; `OPTION`, `LENGTH`, `RANGE`
 */
export function toTurns(input: TurnsInput, options?: Partial<TurnsOptions>): Table {
  const resolved = resolveOptions('toTurns', options, turnsDefaults, turnsChecks)
  checkInput('toTurns', input)
  if (!resolved.tokens && (resolved.lossWeights !== undefined || resolved.constant !== undefined))
    fail('OPTION', 'toTurns: options.tokens', 'true, as loss weights are a column of tokens', 'false')
  const { batch, keys, status, local, future, order } = input
  const rollouts = Array.from({ length: numRollouts(batch) }, (_, n) => order?.[n] ?? n)
  const perTurn = (values: Numbers): ListColumn => rowsOf(rollouts, batch.turnPtr, values)
  const columns = nameColumns(keys, rollouts)
  if (status !== undefined)
    columns.push(['status', { kind: 'text', values: rollouts.map((i) => status[i]!) }])
  columns.push(['rewards', perTurn(batch.reward)], ['reached', perTurn(batch.reached)])
  for (const [name, values] of Object.entries({ local, future, advantages: input.turnAdvantage }))
    if (values !== undefined) columns.push([name, perTurn(held(`toTurns: ${name}`, values, resolved.dtype))])
  if (resolved.tokens) columns.push(...tokenColumns(input, rollouts, resolved))
  return {
    numRows: rollouts.length,
    columns: new Map(columns),
    metadata: metadataOf('turns', input.about, resolved),
  }
}
