import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import { broadcast } from '../../src/tokens/broadcast.js'
import { resolveTokens } from '../../src/tokens/forms.js'
import { lossMask } from '../../src/tokens/mask.js'
import { type TokenSpans, tokenSpans } from '../../src/tokens/spans.js'

const file = new URL('../../../shared/cases/cases.jsonl', import.meta.url)
const isHere = existsSync(file)

interface Case {
  readonly id: string
  readonly kind: string
  readonly area: string
  readonly input: {
    readonly length: number
    readonly turns: readonly Turn[]
    readonly segments: readonly (Turn & { readonly role: string })[]
    readonly lengths: readonly number[]
    readonly tokenIds: readonly number[]
    readonly lossMask: readonly number[]
    readonly padded: readonly (readonly (number | string)[])[]
    readonly mask: readonly (readonly number[])[]
    readonly sampledSoFar: readonly number[]
    readonly nextPrompt: readonly number[]
  }
  readonly expected: {
    readonly tokenAdvantages: readonly number[]
    readonly lossMask: readonly number[]
    readonly trainableTokens: number
    readonly token: readonly number[]
    readonly nextTokenLabel: readonly number[]
    readonly at: number
  }
}

interface Turn {
  readonly start: number
  readonly end: number
  readonly advantage: number
}

const cases = new Map(
  (isHere ? readFileSync(file, 'utf8').trim().split('\n') : [])
    .map((line) => JSON.parse(line) as Case)
    .filter((one) => one.area === 'broadcast')
    .map((one) => [one.id, one]),
)

/** One rollout with one span a turn. */
function oneRollout(
  length: number,
  turns: readonly Turn[],
  flags: { truncated?: boolean } = {},
): { spans: TokenSpans; values: Float64Array } {
  const batch = turnBatch([{ rewards: [turns.map(() => 1)], truncated: [flags.truncated ?? false] }])
  return {
    spans: tokenSpans(batch, [{ length, turns: turns.map(({ start, end }) => [[start, end] as const]) }], {
      truncated: flags.truncated ? 'mask' : 'fail',
    }),
    values: Float64Array.from(turns, (turn) => turn.advantage),
  }
}

const tests: Record<string, (given: Case) => void> = {
  B032: ({ input, expected }) => {
    const { spans, values } = oneRollout(
      input.length,
      input.segments.filter((segment) => segment.role === 'assistant'),
    )
    expect([...broadcast(values, spans)]).toEqual(expected.tokenAdvantages)
    expect([...lossMask(spans)]).toEqual(expected.lossMask)
  },
  B034: ({ input, expected }) => {
    const { spans, values } = oneRollout(input.length, input.turns)
    expect([...broadcast(values, spans, { align: 'token' })]).toEqual(expected.token)
    expect([...broadcast(values, spans, { align: 'nextToken' })]).toEqual(expected.nextTokenLabel)
    expect([...lossMask(spans, { align: 'nextToken' })]).toEqual(expected.nextTokenLabel)
  },
  B035: ({ input }) => {
    const turns = input.lossMask.flatMap((bit, k) => (bit ? [{ start: k, end: k + 1, advantage: 1 }] : []))
    expect(() => oneRollout(input.length, turns)).toThrow(expect.objectContaining({ code: 'SPAN' }))
    const { spans, values } = oneRollout(input.length, turns.slice(0, -1))
    for (const run of [
      () => lossMask(spans, {}, new Uint8Array(input.lossMask.length)),
      () => broadcast(values, spans, {}, new Float32Array(input.lossMask.length)),
    ])
      expect(run).toThrow(expect.objectContaining({ code: 'LENGTH' }))
  },
  B036: ({ input, expected }) => {
    const steps = [
      { prompt: [], completion: input.sampledSoFar, turn: 0 },
      { prompt: input.nextPrompt, completion: [], turn: 0 },
    ]
    const read = (more: object): unknown =>
      resolveTokens(
        'tokens',
        { steps: [steps[0], { ...steps[1], ...more }] },
        { messages: () => undefined, numTurns: 1 },
      )
    expect(() => read({})).toThrow(
      expect.objectContaining({ code: 'MISMATCH', path: `tokens.steps[1].prompt[${expected.at}]` }),
    )
    expect(read({ newSequence: true })).toMatchObject({ sequences: [{ length: 3 }, { length: 4 }] })
  },
  B037: ({ input, expected }) => {
    const { spans, values } = oneRollout(input.length, input.turns)
    expect([...broadcast(values, spans)]).toEqual(expected.tokenAdvantages)
  },
  B038: ({ input, expected }) => {
    const { spans, values } = oneRollout(input.length, input.turns)
    expect([...broadcast(values, spans)]).toEqual(expected.tokenAdvantages)
    expect([...lossMask(spans)]).toEqual(expected.lossMask)
  },
  B039: ({ input, expected }) => {
    const { spans, values } = oneRollout(input.lengths[0]!, input.turns)
    const row = { layout: 'padded', width: input.tokenIds.length } as const
    expect([...broadcast(values, spans, row)]).toEqual(expected.tokenAdvantages)
    expect([...lossMask(spans, row)]).toEqual(expected.lossMask)
  },
  B040: ({ input, expected }) => {
    const { spans, values } = oneRollout(input.length, input.turns)
    expect([...broadcast(values, spans)]).toEqual(expected.tokenAdvantages)
  },
  B041: ({ input, expected }) => {
    const { spans, values } = oneRollout(input.length, input.turns)
    expect([...broadcast(values, spans)]).toEqual(expected.tokenAdvantages)
    expect([...lossMask(spans)]).toEqual(expected.lossMask)
    expect(spans.counts.trainedTokens).toBe(0)
  },
  B042: ({ input, expected }) => {
    const { spans, values } = oneRollout(input.length, input.turns, { truncated: true })
    expect([...broadcast(values, spans)]).toEqual(expected.tokenAdvantages)
    expect([...lossMask(spans)]).toEqual(expected.lossMask)
    expect(spans.counts.trainedTokens).toBe(expected.trainableTokens)
    expect([...lossMask(oneRollout(input.length, input.turns).spans)]).toEqual([1, 1, 1, 1])
  },
  B045: ({ input, expected }) => {
    // Each token is a turn of its own; the turns under the mask own tokens, but are taken out.
    const batch = turnBatch(
      input.mask.map((row) => ({ rewards: [row.map(() => 1)], masked: row.map((bit) => bit === 0) })),
    )
    const rollouts = input.padded.map((row) => ({
      length: row.length,
      turns: row.map((_, k) => [[k, k + 1] as const]),
    }))
    const values = Float64Array.from(input.padded.flat(), Number)
    const rows = { layout: 'padded' } as const
    const spans = tokenSpans(batch, rollouts)
    expect([...broadcast(values, spans, rows)]).toEqual(expected.tokenAdvantages.flat())
    expect([...lossMask(spans, rows)]).toEqual(input.mask.flat())
  },
}

describe.skipIf(!isHere)(`broadcast cases${isHere ? '' : ' (skipped: no shared cases here)'}`, () => {
  it('has a test for every case', () => {
    expect([...cases.keys()].sort()).toEqual(Object.keys(tests).sort())
  })

  for (const [id, run] of Object.entries(tests)) {
    const given = cases.get(id)
    it(`${id}: ${given?.kind}`, () => run(given!))
  }
})

describe('the kinds behind the cases', () => {
  it('a turn that owns the first token loses it where entries score the next one', () => {
    const { spans, values } = oneRollout(4, [
      { start: 0, end: 1, advantage: 5 },
      { start: 1, end: 2, advantage: 6 },
    ])
    expect([...broadcast(values, spans, { align: 'nextToken' })]).toEqual([6, 0, 0])
    expect([...lossMask(spans, { align: 'nextToken' })]).toEqual([1, 0, 0])
  })

  it('turns without tokens, first, between and last, leave every other turn its own value', () => {
    for (const empty of [0, 1, 2]) {
      const turns = [1, 2, 3].map((advantage, t) => ({ start: t, end: t === empty ? t : t + 1, advantage }))
      const { spans, values } = oneRollout(3, turns)
      expect([...broadcast(values, spans)]).toEqual([1, 2, 3].map((value, t) => (t === empty ? 0 : value)))
    }
  })

  it('a rollout without tokens writes nothing into its neighbors, whichever side the padding is', () => {
    const batch = turnBatch([{ rewards: [[1], [1], [1]] }])
    const spans = tokenSpans(batch, [
      { length: 2, turns: [[[0, 2]]] },
      { length: 0, turns: [[[0, 0]]] },
      { length: 1, turns: [[[0, 1]]] },
    ])
    const values = Float64Array.of(1, 10, 3)
    expect([...broadcast(values, spans, { layout: 'padded' })]).toEqual([1, 1, 0, 0, 3, 0])
    expect([...broadcast(values, spans, { layout: 'padded', side: 'left' })]).toEqual([1, 1, 0, 0, 0, 3])
  })

  it('truncated rollouts leave values, mask and count under the same rule', () => {
    const batch = turnBatch([{ rewards: [[1], [1]], truncated: [true, false] }])
    const rollouts = [0, 1].map(() => ({ length: 3, turns: [[[0, 2] as const]] }))
    for (const [truncated, trained] of [
      ['fail', 4],
      ['mask', 2],
      ['exclude', 2],
    ] as const) {
      const spans = tokenSpans(batch, rollouts, { truncated })
      const mask = lossMask(spans)
      expect(spans.counts.trainedTokens).toBe(trained)
      expect(mask.reduce((sum, bit) => sum + bit, 0)).toBe(trained)
      expect([...broadcast(Float64Array.of(1, 1), spans)]).toEqual([...mask])
    }
  })

  it('garbage of any sort under turns that are not trained reaches no token', () => {
    const batch = turnBatch([
      {
        rewards: [
          [1, 1],
          [1, 1],
          [1, 1],
        ],
        valid: [true, false, true],
        truncated: [false, false, true],
      },
    ])
    const rollouts = [0, 1, 2].map(() => ({
      length: 4,
      turns: [[[0, 1] as const], [[1, 3] as const], [[3, 4] as const]],
    }))
    const spans = tokenSpans(batch, rollouts, { truncated: 'exclude' })
    const { NaN: nan, POSITIVE_INFINITY: infinity } = Number
    const values = Float64Array.of(1, 2, nan, -infinity, infinity, nan)
    expect([...broadcast(values, spans)]).toEqual([1, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  })
})
