/**
 * Batches of every kind, for laws: short rows, aborted and cut-off rollouts, masked turns, outcomes, empty groups.
 */
import fc from 'fast-check'
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'
import type { RewardGroup } from '../../src/batch/shape.js'
import type { VoteRules } from '../../src/diagnose/columns.js'

const bit = fc.constantFrom(0, 1)

const anyGroup = (reward: fc.Arbitrary<number>): fc.Arbitrary<RewardGroup> =>
  fc
    .record({ T: fc.nat({ max: 4 }), K: fc.nat({ max: 5 }), isGolden: fc.boolean() })
    .chain(({ T, K, isGolden }) => {
      const flags = fc.array(fc.boolean(), { minLength: K, maxLength: K })
      return fc.record({
        rewards: fc.array(fc.array(reward, { maxLength: T }), { minLength: K, maxLength: K }),
        valid: fc.array(
          fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
          { minLength: K, maxLength: K },
        ),
        truncated: flags,
        outcome: fc.array(fc.option(bit), { minLength: K, maxLength: K }),
        ...(isGolden && {
          numTurns: fc.constant(T),
          masked: fc.array(
            fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
            { minLength: T, maxLength: T },
          ),
        }),
      })
    })

export const anyBatch: fc.Arbitrary<TurnBatch> = fc
  .array(anyGroup(bit), { maxLength: 5 })
  .map((groups) => turnBatch(groups))

export const realBatch: fc.Arbitrary<TurnBatch> = fc
  .array(anyGroup(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 4 })
  .map((groups) => turnBatch(groups, { realRewards: true }))

export const anyRules: fc.Arbitrary<Partial<VoteRules>> = fc.record(
  {
    unreached: fc.constantFrom('zero' as const, 'exclude' as const),
    truncated: fc.constantFrom('fail' as const, 'exclude' as const, 'mask' as const),
  },
  { requiredKeys: [] },
)
