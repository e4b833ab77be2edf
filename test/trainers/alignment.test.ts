/**
 * Which advantage each token got, recomputed token by token, for every export.
 */
import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { toAtropos } from '../../src/trainers/atropos.js'
import type { TrainerInput } from '../../src/trainers/input.js'
import type { ExportOptions } from '../../src/trainers/options.js'
import { toPrimeRl } from '../../src/trainers/prime-rl.js'
import { toRllm } from '../../src/trainers/rllm.js'
import type { Table } from '../../src/trainers/table.js'
import { toTinker } from '../../src/trainers/tinker.js'
import { toTrl } from '../../src/trainers/trl.js'
import { toTurns } from '../../src/trainers/turns.js'
import { toVerl } from '../../src/trainers/verl.js'
import { borderOf, cases, type Sequence, type Token, weightsOf } from './oracle.js'
import { type Row, rowsOf } from './tables.js'

const runs = { numRuns: 60 }
const float64: Partial<ExportOptions> = { dtype: 'float64', lossWeights: 'turn-mean' }

const bit = (is: boolean): number => (is ? 1 : 0)
const named = (input: TrainerInput, { rollout, sequence }: Sequence): Row => ({
  group: input.keys[rollout]!.group,
  rollout: input.keys[rollout]!.rollout,
  sequence,
})

/** The rows without what is not about tokens. */
const tokenRows = (table: Table, ...left: readonly string[]): Row[] =>
  rowsOf(table).map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name))))

describe('toTinker', () => {
  test.prop([cases], runs)(
    'gives every target the advantage of the target itself',
    ({ input, sequences }) => {
      const weights = weightsOf(sequences, 'turn-mean', 1)
      expect(rowsOf(toTinker(input, float64))).toEqual(
        sequences.map((sequence, s) => {
          const targets: Token[] = []
          const seen: Token[] = []
          for (let k = 0; k + 1 < sequence.tokens.length; k++) {
            seen.push(sequence.tokens[k]!)
            targets.push(sequence.tokens[k + 1]!)
          }
          return {
            ...named(input, sequence),
            model_input: seen.map(({ id }) => id),
            target_tokens: targets.map(({ id }) => id),
            advantages: targets.map(({ advantage }) => advantage),
            mask: targets.map(({ isTrained }) => bit(isTrained)),
            logprobs: targets.map(({ logprob }) => logprob),
            loss_weights: targets.map((_, k) => weights[s]![k + 1]),
          }
        }),
      )
    },
  )
})

/** A response of `width`, and padding on one side. */
function padded(values: readonly number[], width: number, side: 'left' | 'right', fill = 0): number[] {
  const row = [...values]
  while (row.length < width) side === 'right' ? row.push(fill) : row.unshift(fill)
  return row
}

const paddings = fc.record({
  side: fc.constantFrom('left', 'right'),
  extra: fc.option(fc.nat(3), { nil: undefined }),
  padId: fc.constantFrom(0, 99_999),
})

/** What verl and TRL have in common, under verl's names. */
function paddedRowsOf(
  input: TrainerInput,
  sequences: readonly Sequence[],
  { side, extra, padId }: { side: 'left' | 'right'; extra: number | undefined; padId: number },
) {
  const prompts = sequences.map(({ tokens }, s) => tokens.slice(0, borderOf(sequences[s]!)))
  const responses = sequences.map(({ tokens }, s) => tokens.slice(borderOf(sequences[s]!)))
  const width = Math.max(0, ...responses.map(({ length }) => length)) + (extra ?? 0)
  const promptWidth = Math.max(0, ...prompts.map(({ length }) => length)) + (extra ?? 0)
  const weights = weightsOf(sequences, 'turn-mean')
  const rows = sequences.map((sequence, s) => {
    const response = responses[s]!
    const over = (of: (token: Token) => number, fill = 0): number[] =>
      padded(response.map(of), width, side, fill)
    return {
      names: {
        ...named(input, sequence),
        prompt_length: prompts[s]!.length,
        response_length: response.length,
      },
      advantages: over(({ advantage }) => advantage),
      mask: over(({ isTrained }) => bit(isTrained)),
      ones: over(() => 1),
      weights: padded(weights[s]!.slice(borderOf(sequence)), width, side),
      logprobs: over(({ logprob }) => logprob),
      responses: over(({ id }) => id, padId),
      prompts: padded(
        prompts[s]!.map(({ id }) => id),
        promptWidth,
        'left',
        padId,
      ),
      promptMask: padded(
        prompts[s]!.map(() => 1),
        promptWidth,
        'left',
      ),
    }
  })
  const widths = extra === undefined ? {} : { width, promptWidth }
  return { rows, options: { ...float64, side, padId, ...widths } }
}

describe('toVerl', () => {
  test.prop([cases, paddings], runs)(
    'gives response token k the advantage at k, whatever the padding',
    ({ input, sequences }, padding) => {
      const { rows, options } = paddedRowsOf(input, sequences, padding)
      expect(rowsOf(toVerl(input, options))).toEqual(
        rows.map((row) => ({
          ...row.names,
          advantages: row.advantages,
          returns: row.advantages,
          response_mask: row.mask,
          loss_weights: row.weights,
          rollout_log_probs: row.logprobs,
          prompts: row.prompts,
          responses: row.responses,
        })),
      )
    },
  )
})

describe('toTrl', () => {
  test.prop([cases, paddings], runs)(
    'gives completion token k the advantage at k, and splits the loss mask in two',
    ({ input, sequences }, padding) => {
      const { rows, options } = paddedRowsOf(input, sequences, padding)
      expect(rowsOf(toTrl(input, options))).toEqual(
        rows.map((row) => ({
          ...row.names,
          advantages: row.advantages,
          completion_mask: row.ones,
          tool_mask: row.mask,
          loss_weights: row.weights,
          sampling_per_token_logps: row.logprobs,
          prompt_ids: row.prompts,
          prompt_mask: row.promptMask,
          completion_ids: row.responses,
        })),
      )
    },
  )
})

describe('toPrimeRl', () => {
  test.prop([cases], runs)('gives every token its own advantage', ({ input, sequences }) => {
    const weights = weightsOf(sequences, 'turn-mean')
    expect(tokenRows(toPrimeRl(input, float64), 'reward')).toEqual(
      sequences.map((sequence, s) => ({
        ...named(input, sequence),
        token_ids: sequence.tokens.map(({ id }) => id),
        mask: sequence.tokens.map(({ isTrained }) => bit(isTrained)),
        advantages: sequence.tokens.map(({ advantage }) => advantage),
        logprobs: sequence.tokens.map(({ logprob }) => logprob),
        rl_weights: weights[s],
      })),
    )
  })
})

describe('toRllm', () => {
  test.prop([cases], runs)('gives each step the tokens between its span', ({ given, input, sequences }) => {
    const weights = weightsOf(sequences, 'turn-mean')
    const expected: Row[] = []
    given.rollouts.forEach((tokens, rollout) => {
      let step = 0
      tokens?.turns.forEach((spans, turn) => {
        for (const span of spans) {
          const [sequence, start, end] = span.length === 3 ? span : ([0, ...span] as const)
          if (start === end) continue
          const s = sequences.findIndex((one) => one.rollout === rollout && one.sequence === sequence)
          const own = sequences[s]!.tokens.filter((_, k) => k >= start && k < end)
          expected.push({
            ...named(input, sequences[s]!),
            step: step++,
            turn,
            start,
            response_ids: own.map(({ id }) => id),
            advantage: own.map(({ advantage }) => advantage),
            mask: own.map(({ isTrained }) => bit(isTrained)),
            logprobs: own.map(({ logprob }) => logprob),
            loss_weights: weights[s]!.slice(start, end),
          })
        }
      })
    })
    expect(rowsOf(toRllm(input, float64))).toEqual(expected)
  })
})

describe('toAtropos', () => {
  test.prop([cases], runs)('labels the trained tokens only', ({ input, sequences }) => {
    const weights = weightsOf(sequences, 'turn-mean')
    expect(tokenRows(toAtropos(input, float64), 'scores')).toEqual(
      sequences.map((sequence, s) => ({
        ...named(input, sequence),
        tokens: sequence.tokens.map(({ id }) => id),
        masks: sequence.tokens.map(({ id, isTrained }) => (isTrained ? id : -100)),
        advantages: sequence.tokens.map(({ advantage }) => advantage),
        inference_logprobs: sequence.tokens.map(({ isTrained, logprob }) => (isTrained ? logprob : 1)),
        loss_weights: weights[s],
      })),
    )
  })
})

describe('toTurns', () => {
  test.prop([cases], runs)('puts the sequences of a rollout one after the other', ({ input, sequences }) => {
    const { tokens: _tokens, ...turnsInput } = input
    const turnAdvantage = input.turnAdvantage.map((value) => (Number.isNaN(value) ? 0 : value))
    const table = toTurns({ ...turnsInput, turnAdvantage }, { ...float64, tokens: true })
    const weights = weightsOf(sequences, 'turn-mean')
    expect(tokenRows(table, 'rewards', 'reached', 'advantages')).toEqual(
      input.keys.map(({ group, rollout }, i) => {
        const own = sequences.flatMap((sequence, s) => (sequence.rollout === i ? [{ sequence, s }] : []))
        const all = own.flatMap(({ sequence }) => sequence.tokens)
        return {
          group,
          rollout,
          token_advantages: all.map(({ advantage }) => advantage),
          loss_mask: all.map(({ isTrained }) => bit(isTrained)),
          loss_weights: own.flatMap(({ s }) => weights[s]!),
          sequence_lengths: own.map(({ sequence }) => sequence.tokens.length),
        }
      }),
    )
  })
})

describe('rows', () => {
  test.prop([cases, fc.infiniteStream(fc.nat())], runs)(
    'follow the order that is asked for, sequences of a rollout together',
    ({ input }, numbers) => {
      const order = input.keys
        .map((_, i) => ({ i, at: numbers.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ i }) => i)
      for (const make of [toTinker, toVerl, toTrl, toPrimeRl, toRllm, toAtropos]) {
        const inOrder = rowsOf(make(input, { dtype: 'float64' }))
        expect(rowsOf(make({ ...input, order }, { dtype: 'float64' }))).toEqual(
          order.flatMap((i) => inOrder.filter(({ rollout }) => rollout === i)),
        )
      }
    },
  )
})
