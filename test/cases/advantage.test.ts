/**
 * The handed cases of area `advantage` (and B115), through the public functions.
 *
 * A case is a list of rows `{ group, role?, rollout, reward, valid?, status?, segment? }`, one reward a rollout, or a
 * list of rollouts with rewards turn by turn. Groups are keyed by group and role.
 */
import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tara, taraParts } from '../../src/advantage/tara.js'
import { grpo } from '../../src/baselines/grpo.js'
import { turnBatch } from '../../src/batch/build.js'
import { turnBatchFromFlat } from '../../src/batch/flat.js'

interface Row {
  group: string
  role?: string
  rollout: string
  reward: number | null
  valid?: boolean
  status?: string
  segment?: number
}

interface Case {
  id: string
  kind: string
  area: string
  input: {
    rows?: Row[]
    rollouts?: { group: string; rollout: string; turnRewards: number[] }[]
    goldenTurns?: number
    arbitrary?: string
  }
  expected: {
    advantages?: number[]
    local?: number[][]
    alternative_present_only?: number[][]
    exact?: boolean
    atol?: number
    mustBeExactlyZero?: number[]
  }
}

const path = new URL('../../../shared/cases/cases.jsonl', import.meta.url)
const hasCases = existsSync(path)
const cases: Case[] = hasCases
  ? readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Case)
      .filter(({ area, id }) => area === 'advantage' || id === 'B115')
  : []
const caseOf = (id: string): Case => cases.find((one) => one.id === id)!

/** Rollouts by (group, role), each once, in the order they first appear. */
function groupsOf(rows: Row[]): Row[][] {
  const groups = new Map<string, Map<string, Row>>()
  for (const row of rows) {
    const key = JSON.stringify([row.group, row.role])
    const group = groups.get(key) ?? new Map<string, Row>()
    groups.set(key, group)
    if (!group.has(row.rollout)) group.set(row.rollout, row)
  }
  return [...groups.values()].map((group) => [...group.values()])
}

/** One turn a rollout, back in the order of the rows. */
function advantagesOf(rows: Row[], estimate: typeof tara | typeof grpo): number[] {
  const groups = groupsOf(rows)
  const batch = turnBatch(
    groups.map((group) => ({
      rewards: group.map(({ reward }) => [reward]),
      valid: group.map(({ valid, status }) => valid !== false && status !== 'aborted'),
    })),
    { realRewards: true, allowInvalid: true },
  )
  const found = estimate === tara ? tara(batch, { gate: 'none' }) : grpo(batch)
  const place = new Map(
    groups.flat().map((row, i) => [JSON.stringify([row.group, row.role, row.rollout]), i]),
  )
  return rows.map((row) => found[place.get(JSON.stringify([row.group, row.role, row.rollout]))!]!)
}

function near(found: ArrayLike<number>, wished: readonly number[], atol: number): void {
  expect(found).toHaveLength(wished.length)
  for (const [i, value] of wished.entries())
    if (atol === 0) expect(found[i], `value ${i}`).toBe(value)
    else
      expect(Math.abs(found[i]! - value), `value ${i}: ${found[i]}, not ${value}`).toBeLessThanOrEqual(atol)
}

describe.skipIf(!hasCases)(`cases of area advantage${hasCases ? '' : ' (skipped: no shared/cases)'}`, () => {
  it('are all here', () => {
    expect(cases.length).toBeGreaterThan(15)
  })

  const rowCases = cases.filter(({ input, expected }) => input.rows && expected.advantages)
  it.each(rowCases.map((one) => [one.id, one.kind, one] as const))(
    '%s: %s',
    (_id, _kind, { input, expected }) => {
      for (const estimate of [tara, grpo]) {
        const found = advantagesOf(input.rows!, estimate)
        near(found, expected.advantages!, expected.exact ? 0 : (expected.atol ?? 1e-9))
        for (const i of expected.mustBeExactlyZero ?? []) expect(found[i]).toBe(0)
        for (const [i, value] of found.entries()) if (value === 0) expect(found[i]).toBe(0)
      }
    },
  )

  it('B004: the sample σ is there by option only', () => {
    const batch = turnBatch([{ rewards: [[1], [0]] }])
    near(tara(batch, { correction: 1 }), [0.707105781188, -0.707105781188], 1e-9)
  })

  it('B010: a flat batch of unequal groups gives the same values', () => {
    const { input, expected } = caseOf('B010')
    const rows = input.rows!
    const batch = turnBatchFromFlat({
      groupPtr: [0, 4, 7, 11],
      turnPtr: rows.map((_, i) => i).concat(rows.length),
      reward: Float64Array.from(rows, ({ reward }) => reward!),
      realRewards: true,
    })
    near(tara(batch, { gate: 'none' }), expected.advantages!, 1e-9)
  })

  it('B019: a rollout of three sequences votes once', () => {
    const { input, expected } = caseOf('B019')
    expect(groupsOf(input.rows!)[0]).toHaveLength(2)
    near(advantagesOf(input.rows!, grpo), expected.advantages!, 1e-9)
  })

  it.each(['B021', 'B022'])('%s: turns are compared across rollouts', (id) => {
    const { input, expected } = caseOf(id)
    const rewards = input.rollouts!.map(({ turnRewards }) => turnRewards)
    const { goldenTurns } = input
    const due = turnBatch([{ rewards, ...(goldenTurns !== undefined && { numTurns: goldenTurns }) }])
    const T = due.turnPtr[1]!
    const local = (batch: typeof due): number[][] => {
      const found = taraParts(batch).local
      return rewards.map((row, i) => [...found.subarray(i * T, i * T + row.length)])
    }
    near(local(due).flat(), expected.local!.flat(), 1e-9)
    if (expected.alternative_present_only)
      near(local(turnBatch([{ rewards }])).flat(), expected.alternative_present_only.flat(), 1e-9)
  })

  it('B115: bounded floats are never NaN if told so, and values that are not finite are refused', () => {
    const reward = fc.float({ min: 0, max: 1, noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(fc.array(reward, { minLength: 1, maxLength: 20 }), (values) => {
        const batch = turnBatch([{ rewards: values.map((r) => [r]) }], { realRewards: true })
        expect(tara(batch).every(Number.isFinite)).toBe(true)
      }),
      { numRuns: 50 },
    )
    const broken = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)
    fc.assert(
      fc.property(broken, (value) => {
        const rewards = [[1], [value], [0]]
        expect(() => turnBatch([{ rewards }], { realRewards: true })).toThrow(
          'turnBatch: groups[0].rewards[1][0]',
        )
        const found = tara(turnBatch([{ rewards }], { allowInvalid: true }))
        near(found, [0.999998000004, 0, -0.999998000004], 1e-9)
      }),
      { numRuns: 10 },
    )
  })
})
