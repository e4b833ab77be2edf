import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { tara } from '../../src/advantage/tara.js'
import { grpo } from '../../src/baselines/grpo.js'
import { turnBatch } from '../../src/batch/build.js'
import { turnBatchFromFlat } from '../../src/batch/flat.js'
import { numGroups, numRollouts, type TurnBatch } from '../../src/batch/layout.js'
import { ruleDefaults } from '../../src/diagnose/columns.js'
import { type Filtered, filterGroups, type GroupFilters } from '../../src/diagnose/filter.js'
import { filterMetrics } from '../../src/diagnose/metrics.js'
import { takeRollouts, takeTurns } from '../../src/diagnose/select.js'
import { anyBatch, anyRules, realBatch } from './anyBatch.js'

const flat = { rewards: [[1, 0], [1, 0]] } // biome-ignore format: a table
const mixed = { rewards: [[1, 0], [1, 1], [0, 0]] } // biome-ignore format: a table

const reasonsOf = ({ dropped }: Filtered): string[] =>
  dropped.map(({ group, rollout, reason }) => `${reason} ${group}${rollout === null ? '' : `.${rollout}`}`)

describe('filterGroups', () => {
  it('without filters keeps everything, in memory of its own', () => {
    const batch = turnBatch([flat, { rewards: [] }, mixed])
    const { batch: same, kept, keptGroups, dropped, counts } = filterGroups(batch, {})
    expect(same).toEqual(batch)
    expect(same.reward.buffer).not.toBe(batch.reward.buffer)
    expect([[...kept], [...keptGroups], dropped]).toEqual([[0, 1, 2, 3, 4], [0, 1, 2], []])
    expect(counts).toMatchObject({
      keptGroups: 3,
      keptRollouts: 5,
      dropped: { flat: { groups: 0, rollouts: 0 } },
    })
  })

  it('drops groups in which all voters have the same rewards', () => {
    const found = filterGroups(
      turnBatch([
        flat,
        mixed,
        { rewards: [[1]] },
        { rewards: [[1], [0]], valid: [true, false] },
        { rewards: [] },
        { rewards: [[1], [0]], masked: [true] },
      ]),
      { flat: 'drop' },
    )
    expect(reasonsOf(found)).toEqual(['flat 0', 'flat 2', 'flat 3', 'flat 4', 'flat 5'])
    expect([...found.kept]).toEqual([2, 3, 4])
    expect([...found.keptGroups]).toEqual([1])
    expect(found.counts).toEqual({
      keptGroups: 1,
      keptRollouts: 3,
      dropped: {
        truncated: { groups: 0, rollouts: 0 },
        minGroupSize: { groups: 0, rollouts: 0 },
        meanReward: { groups: 0, rollouts: 0 },
        flat: { groups: 5, rollouts: 7 },
      },
    })
  })

  it('tells a miss from a turn not reached only where unreached turns are excluded', () => {
    const batch = turnBatch([{ rewards: [[1, 0], [1]] }])
    expect(filterGroups(batch, { flat: 'drop' }, { unreached: 'zero' }).kept).toHaveLength(0)
    expect(filterGroups(batch, { flat: 'drop' }, { unreached: 'exclude' }).kept).toHaveLength(2)
    // GRPO's product runs over what was reached: 0 and 1, so the group is not silent there.
    expect([...grpo(batch, { unreached: 'exclude' })]).not.toEqual([0, 0, 0, 0])
  })

  it('does not call rollouts that reached different turns the same, whatever their rewards', () => {
    const batch = turnBatchFromFlat({
      groupPtr: [0, 2],
      turnPtr: [0, 2, 4],
      reward: Float64Array.of(1, 0, 0, 1),
      reached: Uint8Array.of(1, 0, 0, 1),
    })
    expect(filterGroups(batch, { flat: 'drop' }, { unreached: 'exclude' }).kept).toHaveLength(2)
    // Discounted, a reward at turn 1 is worth less than one at turn 0.
    expect(grpo(batch, { unreached: 'exclude', reward: 'discounted' })[0]).toBeGreaterThan(0)
  })

  it('keeps groups whose mean reward lies in the range, bounds included', () => {
    const ofTen = (right: number): { rewards: number[][] } => ({
      rewards: Array.from({ length: 10 }, (_, i) => [i < right ? 1 : 0]),
    })
    const batch = turnBatch([0, 1, 5, 9, 10].map(ofTen))
    const groupsIn = (min?: number, max?: number): number[] => [
      ...filterGroups(batch, { meanReward: { min, max } }).keptGroups,
    ]
    expect(groupsIn(0.1, 0.9)).toEqual([1, 2, 3])
    expect(groupsIn(0.11, undefined)).toEqual([2, 3, 4])
    expect(groupsIn(undefined, 0.89)).toEqual([0, 1, 2])
  })

  it('takes the mean over rollouts, each counted once however many turns it reached', () => {
    // Rollout means 1 and 0: the mean is 1/2, not the 1/4 of four cells.
    const batch = turnBatch([{ rewards: [[1], [0, 0, 0]] }])
    const keeps = (mean: number): boolean =>
      filterGroups(batch, { meanReward: { min: mean, max: mean } }).kept.length > 0
    expect(keeps(0.5)).toBe(true)
    expect(filterGroups(batch, { meanReward: { min: 0.2 } }, { unreached: 'zero' }).kept).toHaveLength(0) // 1/6
  })

  it('drops a group without a vote where a mean is asked for', () => {
    const batch = turnBatch([{ rewards: [[], []] }, { rewards: [[1]], valid: [false] }, { rewards: [] }])
    expect(reasonsOf(filterGroups(batch, { meanReward: { min: 0 } }))).toEqual([
      'meanReward 0',
      'meanReward 1',
      'meanReward 2',
    ])
  })

  it('counts as size of a group the rollouts that vote', () => {
    const batch = turnBatch([
      { rewards: [[1], [0], [1]], valid: [true, true, false] },
      { rewards: [[1], [0], [1]], truncated: [false, false, true] },
      { rewards: [[1], [0], [1]] },
    ])
    expect([...filterGroups(batch, { minGroupSize: 3 }).keptGroups]).toEqual([1, 2])
    expect([...filterGroups(batch, { minGroupSize: 3 }, { truncated: 'exclude' }).keptGroups]).toEqual([2])
  })

  it('drops single rollouts that were cut off, and a group that has no others', () => {
    const batch = turnBatch([
      { rewards: [[1], [0], [1]], truncated: [false, true, true], valid: [true, true, false] },
      { rewards: [[1], [0]], truncated: [true, true] },
      { rewards: [] },
    ])
    const found = filterGroups(batch, { truncated: 'drop' })
    expect(reasonsOf(found)).toEqual(['truncated 0.1', 'truncated 1.3', 'truncated 1.4'])
    expect([...found.kept]).toEqual([0, 2]) // the aborted one stays: it has no vote
    expect([...found.keptGroups]).toEqual([0, 2])
    expect(found.counts.dropped.truncated).toEqual({ groups: 1, rollouts: 3 })
  })

  it('runs truncated, minGroupSize, meanReward, flat in this order, each on what is left', () => {
    const cut = { rewards: [[1], [0], [1]], truncated: [false, true, false] }
    const one = { rewards: [[1], [0]], truncated: [false, true] }
    const low = { rewards: [[0], [0]] }
    const found = filterGroups(turnBatch([cut, one, low]), {
      flat: 'drop',
      meanReward: { min: 0.5 },
      minGroupSize: 2,
      truncated: 'drop',
    })
    // The first is mixed as it came, and flat without the one that was cut off.
    expect(reasonsOf(found)).toEqual([
      'truncated 0.1',
      'flat 0',
      'truncated 1.4',
      'minGroupSize 1',
      'meanReward 2',
    ])
    expect(found.counts.dropped).toEqual({
      truncated: { groups: 0, rollouts: 2 },
      minGroupSize: { groups: 1, rollouts: 1 },
      meanReward: { groups: 1, rollouts: 2 },
      flat: { groups: 1, rollouts: 2 },
    })
    expect([numRollouts(found.batch), numGroups(found.batch)]).toEqual([0, 0])
  })

  it('carries every field of the batch along', () => {
    const batch = turnBatch(
      [
        { columns: { a: [[1], [1]], b: [[0], [0]] }, outcome: [0, 1], truncated: [true, false] },
        {
          columns: { a: [[1, 2], [3]], b: [[0, 1], [1]] },
          numTurns: 3,
          masked: [false, true, false],
          outcome: [null, 0.5],
          valid: [true, true],
        },
      ],
      { realRewards: true },
    )
    const { batch: left } = filterGroups(batch, { flat: 'drop' })
    const { reward, reached, masked, columns, outcome, hasOutcome, truncated, hasGolden, realRewards } = left
    expect([...reward]).toEqual([1, 3, 0, 4, 0, 0])
    expect([...reached]).toEqual([1, 1, 0, 1, 0, 0])
    expect([...masked!]).toEqual([0, 1, 0, 0, 1, 0])
    expect([[...columns!.a!], [...columns!.b!]]).toEqual([
      [1, 2, 0, 3, 0, 0],
      [0, 1, 0, 1, 0, 0],
    ])
    expect([[...outcome!], [...hasOutcome!]]).toEqual([
      [0, 0.5],
      [0, 1],
    ])
    expect({ truncated, hasGolden: [...hasGolden], realRewards }).toEqual({
      truncated: undefined,
      hasGolden: [1],
      realRewards: true,
    })
  })

  it('refuses filters it does not have, and bounds that are none', () => {
    const batch = turnBatch([flat])
    const refused = (filters: object): string => {
      try {
        filterGroups(batch, filters)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(refused({ flat: true })).toContain('filterGroups: filters: options.flat: expected one of "drop"')
    expect(refused({ flats: 'drop' })).toContain('an unknown option')
    expect(refused({ minGroupSize: -1 })).toContain('expected a whole number, 0 or more, got -1')
    for (const meanReward of [{ min: 1, max: 0 }, { min: Number.NaN }, { low: 0 }, 0.5, null])
      expect(refused({ meanReward })).toContain('expected { min, max } with finite bounds')
    expect(() => filterGroups(batch, {}, { truncated: 'drop' as never })).toThrow('filterGroups: rules')
  })
})

const anyFilters: fc.Arbitrary<Partial<GroupFilters>> = fc.record(
  {
    truncated: fc.constant('drop' as const),
    minGroupSize: fc.nat({ max: 4 }),
    meanReward: fc
      .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))
      .map(([a, b]) => ({ min: Math.min(a, b) / 4, max: Math.max(a, b) / 4 })),
    flat: fc.constant('drop' as const),
  },
  { requiredKeys: [] },
)

/** Bit by bit, as Object.is. */
function same(found: Float64Array, wanted: Float64Array): void {
  expect([...found]).toEqual([...wanted])
}

const groupOf = (batch: TurnBatch, i: number): number =>
  batch.groupPtr.findIndex((_, g) => batch.groupPtr[g + 1]! > i)

describe('filtering', () => {
  test.prop([fc.oneof(anyBatch, realBatch), anyFilters, anyRules], { numRuns: 200 })(
    'accounts for every rollout and every group once',
    (batch, filters, rules) => {
      const { batch: left, kept, keptGroups, dropped, counts } = filterGroups(batch, filters, rules)
      const gone = dropped.flatMap(({ group, rollout }) =>
        rollout === null
          ? Array.from({ length: numRollouts(batch) }, (_, i) => i).filter(
              (i) => groupOf(batch, i) === group && !dropped.some((other) => other.rollout === i),
            )
          : [rollout],
      )
      expect([...kept, ...gone].sort((a, b) => a - b)).toEqual(
        Array.from({ length: numRollouts(batch) }, (_, i) => i),
      )
      const sums = Object.values(counts.dropped)
      expect(counts.keptGroups + sums.reduce((sum, { groups }) => sum + groups, 0)).toBe(numGroups(batch))
      expect(sums.reduce((sum, { rollouts }) => sum + rollouts, 0)).toBe(gone.length)
      expect([counts.keptRollouts, counts.keptGroups]).toEqual([numRollouts(left), numGroups(left)])
      expect(keptGroups).toHaveLength(counts.keptGroups)
      expect(Object.values(filterMetrics(counts)).every(Number.isInteger)).toBe(true)
    },
  )

  test.prop([anyBatch, anyFilters, anyRules], { numRuns: 200 })(
    'then estimating is estimating and then filtering, bit by bit',
    (batch, filters, rules) => {
      const { batch: left, kept } = filterGroups(batch, filters, rules)
      const cut = filters.truncated === 'drop' ? { ...rules, truncated: 'exclude' as const } : rules
      same(tara(left, rules), takeTurns(tara(batch, cut), batch, kept))
      same(grpo(left, rules), takeTurns(grpo(batch, cut), batch, kept))
    },
  )

  test.prop([anyBatch, anyFilters, anyRules])('twice is filtering once', (batch, filters, rules) => {
    const once = filterGroups(batch, filters, rules)
    expect(filterGroups(once.batch, filters, rules).batch).toEqual(once.batch)
  })

  test.prop([anyBatch, anyRules], { numRuns: 200 })(
    'drops as flat only what has no signal, and under zero all of it (C41)',
    (batch, rules) => {
      const { keptGroups } = filterGroups(batch, { flat: 'drop' }, rules)
      const isSilent = (advantage: Float64Array, g: number): boolean =>
        advantage
          .subarray(batch.turnPtr[batch.groupPtr[g]!]!, batch.turnPtr[batch.groupPtr[g + 1]!]!)
          .every((value) => value === 0)
      for (let g = 0; g < numGroups(batch); g++) {
        const isKept = keptGroups.includes(g)
        if (!isKept)
          expect([isSilent(tara(batch, rules), g), isSilent(grpo(batch, rules), g)]).toEqual([true, true])
        if (isKept && { ...ruleDefaults, ...rules }.unreached === 'zero')
          expect(isSilent(tara(batch, rules), g)).toBe(false)
      }
    },
  )
})

describe('takeRollouts and takeTurns', () => {
  it('carry along what belongs to the kept rollouts', () => {
    const batch = turnBatch([flat, mixed])
    const { kept } = filterGroups(batch, { flat: 'drop' })
    expect(takeRollouts(['a', 'b', 'c', 'd', 'e'], kept)).toEqual(['c', 'd', 'e'])
    expect([
      ...takeTurns(
        Float64Array.from({ length: 10 }, (_, j) => j),
        batch,
        kept,
      ),
    ]).toEqual([4, 5, 6, 7, 8, 9])
  })

  it('refuse indices that are not there or do not ascend, and another length', () => {
    const batch = turnBatch([flat])
    expect(() => takeRollouts(['a'], Int32Array.of(1))).toThrow(
      'takeRollouts: kept[0]: expected an index from 0 to 0',
    )
    expect(() => takeTurns(new Float64Array(4), batch, Int32Array.of(1, 1))).toThrow('takeTurns: kept[1]')
    expect(() => takeTurns(new Float64Array(3), batch, Int32Array.of(0))).toThrow(
      'expected 4 values, one a turn',
    )
  })
})
