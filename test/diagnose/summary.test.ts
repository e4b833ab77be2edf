import { existsSync, readFileSync } from 'node:fs'
import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { tara } from '../../src/advantage/tara.js'
import { turnBatch } from '../../src/batch/build.js'
import { turnBatchFromFlat } from '../../src/batch/flat.js'
import type { RewardGroup } from '../../src/batch/shape.js'
import { type Summary, type SummaryOptions, summarize } from '../../src/diagnose/summary.js'

function summaryOf(groups: RewardGroup[], options: Partial<SummaryOptions> = {}): Summary {
  const batch = turnBatch(groups, { realRewards: true })
  return summarize(batch, tara(batch, { ...options, gate: 'none' }), options)
}

describe('summarize', () => {
  it('counts groups, rollouts, turns and what they taught', () => {
    expect(
      summaryOf([
        {
          rewards: [
            [1, 0],
            [1, 1],
            [1, 1],
          ],
        },
        {
          rewards: [
            [0, 0, 1],
            [0, 0, 1],
          ],
          numTurns: 3,
        },
        { rewards: [[1]] },
      ]),
    ).toEqual({
      groups: 3,
      rollouts: 6,
      aborted: 0,
      truncated: 0,
      K: { min: 1, max: 3 },
      T: { min: 1, max: 3 },
      turns: 6,
      flatTurns: 5,
      flatAllRight: 3,
      flatAllWrong: 2,
      singletonGroups: 1,
      zeroVarianceGroups: 2,
      failedTurns: 5,
      correctNegative: 1,
      unreached: 0,
    })
  })

  it('counts correct turns with a negative advantage (C20)', () => {
    // At turn 0 all pass; the rollout that fails later is below the mean of the future there.
    expect(
      summaryOf([
        {
          rewards: [
            [1, 0],
            [1, 1],
            [1, 1],
            [1, 1],
          ],
        },
      ]).correctNegative,
    ).toBe(1)
  })

  it('counts a flat turn of other rewards as neither right nor wrong', () => {
    const { flatTurns, flatAllRight, flatAllWrong, failedTurns } = summaryOf([
      {
        rewards: [
          [0.5, 1, 0, 2],
          [0.5, 1, 0, 3],
        ],
      },
    ])
    expect({ flatTurns, flatAllRight, flatAllWrong, failedTurns }).toEqual({
      flatTurns: 3,
      flatAllRight: 1,
      flatAllWrong: 1,
      failedTurns: 2,
    })
  })

  it('leaves aborted rollouts out of every count but their own', () => {
    const summary = summaryOf([
      { rewards: [[1, 1], [], [0, 1]], valid: [true, false, true], outcome: [1, 1, 0] },
    ])
    expect(summary).toMatchObject({
      rollouts: 3,
      aborted: 1,
      K: { min: 3, max: 3 },
      flatTurns: 1,
      flatAllRight: 1,
      failedTurns: 1,
      unreached: 0,
      outcome: { rollouts: 2, agree: 2 },
    })
  })

  it('counts truncated rollouts, which vote unless they are excluded', () => {
    const groups = [{ rewards: [[1], [1], [0]], truncated: [false, false, true] }]
    expect(summaryOf(groups)).toMatchObject({ truncated: 1, flatTurns: 0, failedTurns: 1 })
    expect(summaryOf(groups, { truncated: 'mask' })).toMatchObject({
      truncated: 1,
      flatTurns: 0,
      failedTurns: 1,
    })
    expect(summaryOf(groups, { truncated: 'exclude' })).toMatchObject({
      truncated: 1,
      flatTurns: 1,
      flatAllRight: 1,
      failedTurns: 0,
      zeroVarianceGroups: 1,
    })
  })

  it('counts an aborted rollout as aborted only', () => {
    const groups = [{ rewards: [[1], [1]], valid: [true, false], truncated: [true, true] }]
    expect(summaryOf(groups)).toMatchObject({ aborted: 1, truncated: 1 })
  })

  it('lets an unreached turn vote 0 or not at all, and never calls it failed', () => {
    const groups = [{ rewards: [[1, 1], [1]] }]
    expect(summaryOf(groups, { unreached: 'zero' })).toMatchObject({
      flatTurns: 1,
      failedTurns: 0,
      unreached: 1,
    })
    expect(summaryOf(groups, { unreached: 'exclude' })).toMatchObject({
      flatTurns: 2,
      flatAllRight: 2,
      unreached: 1,
    })
    expect(summaryOf(groups)).toMatchObject({ flatTurns: 2 })
    expect(summaryOf([{ ...groups[0]!, numTurns: 2 }])).toMatchObject({ flatTurns: 1 })
  })

  it('calls a turn that nobody reached flat, and neither right nor wrong where it has no votes', () => {
    const groups = [{ rewards: [[1], [1]], numTurns: 2 }]
    expect(summaryOf(groups, { unreached: 'exclude' })).toMatchObject({
      flatTurns: 2,
      flatAllRight: 1,
      flatAllWrong: 0,
    })
    expect(summaryOf(groups, { unreached: 'zero' })).toMatchObject({
      flatTurns: 2,
      flatAllRight: 1,
      flatAllWrong: 1,
    })
  })

  it('leaves masked columns out of the turns, and shows them in T', () => {
    expect(
      summaryOf([
        {
          rewards: [
            [0, 1],
            [1, 1],
          ],
          masked: [true, false],
          outcome: [1, 1],
        },
      ]),
    ).toMatchObject({
      T: { min: 2, max: 2 },
      turns: 1,
      flatTurns: 1,
      failedTurns: 0,
      zeroVarianceGroups: 1,
      outcome: { rollouts: 2, agree: 2 },
    })
  })

  it('compares rewards with the outcome of those that have one', () => {
    const rewards = [
      [1, 1],
      [1, 0],
      [1, 1],
      [0, 0],
      [1, 1],
    ]
    const { outcome } = summaryOf([{ rewards, outcome: [1, 0.4, 0.5, 0.9, null] }])
    expect(outcome).toEqual({ rollouts: 4, agree: 3 })
    expect(summaryOf([{ rewards }]).outcome).toBeUndefined()
  })

  it('takes a turn that was due and not reached for a failure when it looks at the outcome', () => {
    const group = { rewards: [[1]], outcome: [1] }
    expect(summaryOf([{ ...group, numTurns: 2 }]).outcome).toEqual({ rollouts: 1, agree: 0 })
    expect(summaryOf([{ ...group, numTurns: 2 }], { unreached: 'exclude' }).outcome).toEqual({
      rollouts: 1,
      agree: 1,
    })
  })

  it('takes an empty batch and empty groups', () => {
    expect(summaryOf([])).toMatchObject({ groups: 0, K: { min: 0, max: 0 }, T: { min: 0, max: 0 } })
    const batch = turnBatchFromFlat({
      groupPtr: [0, 0, 2, 2],
      turnPtr: [0, 3, 6],
      reward: new Float64Array(6),
    })
    expect(summarize(batch, tara(batch))).toMatchObject({ K: { min: 0, max: 2 }, T: { min: 3, max: 3 } })
  })

  it('refuses advantages of another length or type and options it does not take', () => {
    const batch = turnBatch([{ rewards: [[1]] }])
    expect(() => summarize(batch, new Float64Array(2))).toThrow('summarize: advantage: expected 1 values')
    expect(() => summarize(batch, [0] as never)).toThrow('summarize: advantage: expected a Float64Array')
    expect(() => summarize(batch, tara(batch), { unreached: 'skip' as never })).toThrow(
      'summarize: options.unreached',
    )
    expect(() => summarize(batch, tara(batch), { gamma: 1 } as never)).toThrow('an unknown option')
  })

  test.prop([
    fc.array(
      fc.integer({ min: 1, max: 4 }).chain((T) =>
        fc.array(fc.array(fc.constantFrom(0, 1), { minLength: T, maxLength: T }), {
          minLength: 1,
          maxLength: 4,
        }),
      ),
      { maxLength: 4 },
    ),
  ])('finds the groups silent in which all reward rows are the same, and no others (C41)', (groups) => {
    const batch = turnBatch(groups.map((rewards) => ({ rewards })))
    const summary = summarize(batch, tara(batch))
    expect(summary.zeroVarianceGroups).toBe(
      groups.filter((rows) => rows.every((row) => row.join() === rows[0]!.join())).length,
    )
    expect(summary.flatTurns).toBeGreaterThanOrEqual(summary.flatAllRight + summary.flatAllWrong)
  })
})

const file = new URL('../../../shared/cases/cases.jsonl', import.meta.url)
const isHere = existsSync(file)

interface Case {
  readonly id: string
  readonly kind: string
  readonly input: { readonly rows: readonly { readonly group: string; readonly reward: number }[] }
  readonly expected: {
    readonly advantages: readonly number[]
    readonly diagnostics: { readonly groups: number; readonly zeroVarianceGroups: number }
  }
}

describe.skipIf(!isHere)(`summary cases${isHere ? '' : ' (skipped: no shared cases here)'}`, () => {
  const lines = isHere ? readFileSync(file, 'utf8').trim().split('\n') : []
  const cases = lines.map((line) => JSON.parse(line) as Case)
  it.each(
    cases.filter(({ id }) => id === 'B027' || id === 'B028').map((one) => [one.id, one.kind, one] as const),
  )('%s: %s', (_, __, { input, expected }) => {
    const byGroup = new Map<string, number[][]>()
    for (const { group, reward } of input.rows) byGroup.set(group, [...(byGroup.get(group) ?? []), [reward]])
    const batch = turnBatch(
      [...byGroup].map(([id, rewards]) => ({ id, rewards })),
      { realRewards: true },
    )
    const advantage = tara(batch)
    advantage.forEach((value, j) => {
      expect(Math.abs(value - expected.advantages[j]!)).toBeLessThan(1e-9)
    })
    expect(summarize(batch, advantage)).toMatchObject(expected.diagnostics)
  })
})
