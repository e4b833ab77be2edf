/**
 * Rules that every estimator keeps: who votes, what is exactly 0, what is written where.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { turnBatchFromFlat } from '../../src/batch/flat.js'
import { allZero, clean, near, rowsOf, same } from '../laws/support.js'
import { cell, type Entry, entries, type Group, groups, ofRewards, type Sample, sampleOf } from './samples.js'

const check = <T>(arbitrary: fc.Arbitrary<T>, holds: (sample: T) => void): void =>
  fc.assert(fc.property(arbitrary, holds), { numRuns: 60 })

const named = entries.map((one) => [one.name, one] as const)

describe.each(named)('%s', (name, { run, level, overBatch, defaults }: Entry) => {
  it('has frozen defaults, which change nothing when given', () => {
    expect(Object.isFrozen(defaults)).toBe(true)
    const sample = ofRewards([[1, 0], [1, 1], [0]])
    const given = Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined))
    if (name.startsWith('reinforcePp')) delete given.gamma // read by `discounted` only
    same(run(sample, given), run(sample))
  })

  it('gives one clean value a turn and leaves its inputs alone', () => {
    check(groups, (list) => {
      const sample = sampleOf(list)
      const before = structuredClone(sample)
      const found = run(sample)
      expect(found).toHaveLength(sample.batch.reward.length)
      clean(found)
      expect(sample).toEqual(before)
    })
  })

  it('takes an empty batch, an empty group and a group without turns', () => {
    expect(run(ofRewards())).toHaveLength(0)
    expect(run(ofRewards([], [[], []]))).toHaveLength(0)
  })

  it('is exactly +0 where all rollouts of the batch are alike, save plain REINFORCE', () => {
    const third = 0.1 + 0.2
    const alike = ofRewards(
      Array.from({ length: 3 }, () => [0.1, 0.1]),
      Array.from({ length: 7 }, () => [0.1, 0.1]),
    )
    const odd = ofRewards(Array.from({ length: 3 }, () => [third, third, third]))
    for (const sample of [alike, odd]) {
      const found = run(sample)
      if (name !== 'reinforce') allZero(found)
      else expect(found.every((value) => value > 0)).toBe(true)
    }
  })

  it('is exactly +0 in a flat group beside a lively one, where groups are on their own', () => {
    const sample = ofRewards([[1], [0.25]], [[0.1], [0.1], [0.1]])
    const flat = run(sample).subarray(2)
    if (name !== 'reinforce' && name !== 'reinforcePp') allZero(flat)
  })

  it('gives masked turns and invalid rollouts +0, and the others what they get without them', () => {
    const padding = fc.record({
      list: groups,
      noise: fc.array(cell, { minLength: 10, maxLength: 10 }),
      at: fc.nat(),
    })
    check(padding, ({ list, noise, at }) => {
      const wide = list.map(({ rollouts }): Group => {
        const T = Math.max(...rollouts.map(({ cells }) => cells.length))
        const place = at % (Math.min(...rollouts.map(({ cells }) => cells.length)) + 1)
        const stretched = rollouts.map((one, i) => ({
          ...one,
          cells: one.cells.toSpliced(place, 0, noise[i]!),
        }))
        const invalid = { cells: noise.slice(0, T + 1), outcome: 7, valid: false }
        return {
          rollouts: stretched.toSpliced(at % (rollouts.length + 1), 0, invalid),
          masked: Array.from({ length: T + 1 }, (_, t) => t === place),
        }
      })
      const padded = sampleOf(wide)
      const found = run(padded)
      const plain = sampleOf(list)
      const wished = run(plain)
      for (const [g, { rollouts, masked }] of wide.entries()) {
        const rows = rowsOf(padded.batch, found, g)
        const place = masked!.indexOf(true)
        allZero(rows[rollouts.findIndex(({ valid }) => valid === false)]!)
        allZero(rows.map((row) => row[place]!))
        const kept = rows.filter((_, i) => rollouts[i]!.valid !== false).map((row) => row.toSpliced(place, 1))
        same(kept.flat(), rowsOf(plain.batch, wished, g).flat())
      }
    })
  })

  it('takes a rollout that a limit ended as any other, or with exclude as an aborted one', () => {
    check(groups, (list) => {
      const end = (flag: object): Sample =>
        sampleOf(
          list.map((one) => ({
            ...one,
            rollouts: one.rollouts.map((r, i) => (i === 0 ? { ...r, ...flag } : r)),
          })),
        )
      const [cut, aborted, whole] = [end({ truncated: true }), end({ valid: false }), end({})]
      same(run(cut), run(whole))
      same(run(cut, { truncated: 'mask' }), run(whole))
      same(run(cut, { truncated: 'exclude' }), run(aborted))
    })
  })

  it('leaves turns that were not reached at +0, or counts them as rewards of 0', () => {
    check(groups, (list) => {
      const sample = sampleOf(list)
      const found = run(sample, { unreached: 'exclude' })
      same(found, run(sample))
      allZero(found.filter((_, j) => sample.batch.reached[j] === 0))

      // Filled by hand with what an unreached turn is: no reward, no tokens, no score, no state that another has.
      const due = list.map((one) => ({ ...one, numTurns: 4 }))
      const filled = due.map((one) => ({
        ...one,
        rollouts: one.rollouts.map((r, i) => ({
          ...r,
          cells: Array.from(
            { length: 4 },
            (_, t) =>
              r.cells[t] ?? { reward: 0, a: 0, b: 0, tokens: 0, state: `none ${i} ${t}`, score: Number.NaN },
          ),
        })),
      }))
      const attempt = (one: Sample): Float64Array | string => {
        try {
          return run(one)
        } catch (error) {
          return (error as Error).message // maxRl: a mean of 0 never happens here
        }
      }
      expect(attempt(sampleOf(due))).toEqual(attempt(sampleOf(filled)))
    })
  })

  it('has no vote for a rollout that reached nothing', () => {
    const sample = ofRewards([[1, 1], [], [0.5, 0.25]])
    const found = run(sample)
    allZero(found.subarray(2, 4))
    const without = run(
      ofRewards([
        [1, 1],
        [0.5, 0.25],
      ]),
    )
    if (name !== 'mtGrpo' && name !== 'turnCredit')
      same([...found.subarray(0, 2), ...found.subarray(4)], without)
  })

  if (level === 'rollout')
    it('gives all turns of a rollout one value', () => {
      check(groups, (list) => {
        const sample = sampleOf(list)
        const found = run(sample)
        const { turnPtr, reached } = sample.batch
        for (let i = 0; i + 1 < turnPtr.length; i++) {
          const values = [...found.subarray(turnPtr[i]!, turnPtr[i + 1]!)]
          const counted = values.filter((_, t) => reached[turnPtr[i]! + t] === 1)
          same(counted, new Array(counted.length).fill(counted[0]))
        }
      })
    })

  it(`computes ${overBatch ? 'over the whole batch' : 'each group on its own, bit by bit'}`, () => {
    let differs = false
    check(groups, (list) => {
      const both = [...run(sampleOf(list))]
      const apart = list.flatMap((one) => [...run(sampleOf([one]))])
      if (overBatch) differs ||= both.some((value, j) => value !== apart[j])
      else same(both, apart)
    })
    expect(differs).toBe(overBatch)
  })

  it('does not depend on the order of rollouts', () => {
    check(groups, (list) => {
      const turned = list.map((one) => ({ ...one, rollouts: one.rollouts.toReversed() }))
      const [a, b] = [sampleOf(list), sampleOf(turned)]
      const [there, back] = [run(a), run(b)]
      for (const g of list.keys()) {
        const rows = rowsOf(b.batch, back, g).toReversed().flat()
        for (const [j, value] of rowsOf(a.batch, there, g).flat().entries()) near(rows[j]!, value, 1e-9)
      }
    })
  })

  describe('out', () => {
    const sample = ofRewards([[1, 1], [1, 0], [0.25]], [[1], [0.5]])

    it('is written everywhere and returned, whatever it held', () => {
      const out = new Float64Array(sample.batch.reward.length).fill(Number.NaN)
      expect(run(sample, {}, out)).toBe(out)
      expect(out).toEqual(run(sample))
    })

    it('is not touched by an error', () => {
      const out = new Float64Array(sample.batch.reward.length).fill(7)
      const broken = { ...sample.batch, reward: sample.batch.reward.map((r) => r * 1e301) }
      expect(() => run({ ...sample, batch: broken }, {}, out)).toThrow(
        `${name}: batch.reward[0]: expected a finite number of at most 1e+300 in size, got 1e+301`,
      )
      expect(out.every((value) => value === 7)).toBe(true)
    })

    it('has one value a turn', () => {
      expect(() => run(sample, {}, new Float64Array(3))).toThrow(
        `${name}: out: expected ${sample.batch.reward.length} values, one a turn, got 3`,
      )
    })

    it('may not be the rewards, not even in part', () => {
      const memory = new Float64Array(3)
      const flat = turnBatchFromFlat({
        groupPtr: [0, 2],
        turnPtr: [0, 1, 2],
        reward: memory.subarray(0, 2),
        outcome: new Float64Array(2),
        columns: { a: new Float64Array(2) },
      })
      const shared = { ...ofRewards([[0], [0]]), batch: flat }
      expect(() => run(shared, {}, memory.subarray(1, 3))).toThrow(
        `${name}: out: expected memory of its own, got memory that batch.reward uses`,
      )
    })
  })

  it('refuses rewards other than 0 and 1 in a batch that did not allow them, unless told otherwise', () => {
    const sample = ofRewards([[0.5], [0.25]])
    const strict = { ...sample, batch: { ...sample.batch, realRewards: false } }
    expect(() => run(strict)).toThrow(
      `${name}: batch.reward[0]: expected 0 or 1, got 0.5 at turn 0 of rollout 0 of group 0`,
    )
    same(run(strict, { realRewards: true }), run(sample))
  })

  it('refuses an unknown option and a value that an option does not take', () => {
    const sample = ofRewards([[1], [0.5]])
    expect(() => run(sample, { lamda: 1 })).toThrow(
      new RegExp(`^${name}: options\\.lamda: expected one of .*realRewards.*, got an unknown option$`),
    )
    expect(() => run(sample, { unreached: 'skip' })).toThrow(`${name}: options.unreached: expected one of`)
    expect(() => run(sample, { truncated: 1 })).toThrow(`${name}: options.truncated: expected one of`)
    expect(() => run(sample, { gamma: 1.5 })).toThrow(`${name}: options.gamma: expected`)
  })
})
