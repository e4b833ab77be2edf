/**
 * The handed cases of area `baselines`, through the public functions.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { drGrpo } from '../../src/baselines/drGrpo.js'
import { grpo } from '../../src/baselines/grpo.js'
import { maxRl } from '../../src/baselines/maxRl.js'
import { reinforce } from '../../src/baselines/reinforce.js'
import { reinforcePpTokens } from '../../src/baselines/reinforcePpTokens.js'
import { rloo } from '../../src/baselines/rloo.js'
import { turnBatch } from '../../src/batch/build.js'
import type { TurnBatch } from '../../src/batch/layout.js'
import { summarize } from '../../src/diagnose/summary.js'

interface Case {
  id: string
  area: string
  input: {
    estimators?: string[]
    rewards?: number[]
    gamma?: number
    tokenRewards?: number[]
    mask?: number[]
  }
  expected: { advantages?: Record<string, number[]>; returns?: number[]; error?: string }
}

const path = new URL('../../../shared/cases/cases.jsonl', import.meta.url)
const hasCases = existsSync(path)
const cases: Case[] = hasCases
  ? readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Case)
      .filter(({ area }) => area === 'baselines')
  : []
const caseOf = (id: string): Case => cases.find((one) => one.id === id)!

const ofScalars = (rewards: readonly number[]): TurnBatch =>
  turnBatch([{ rewards: rewards.map((value) => [value]) }], { realRewards: true })

const byName: Record<string, (batch: TurnBatch) => Float64Array> = { grpo, dr_grpo: drGrpo, rloo, reinforce }

describe.skipIf(!hasCases)(`cases of area baselines${hasCases ? '' : ' (skipped: no shared/cases)'}`, () => {
  it('are all here', () => {
    expect(cases.map(({ id }) => id).sort()).toEqual(['B009', 'B025', 'B046'])
  })

  it('B009: a group of one is 0 for all but plain REINFORCE, and counted', () => {
    const { input, expected } = caseOf('B009')
    const batch = ofScalars(input.rewards!)
    for (const name of input.estimators!) {
      const found = byName[name]!(batch)
      expect([...found], name).toEqual(expected.advantages![name])
      expect(summarize(batch, found).singletonGroups).toBe(1)
    }
  })

  it('B025: MaxRL refuses a mean that is not positive', () => {
    const { input } = caseOf('B025')
    expect(() => maxRl(ofScalars(input.rewards!))).toThrow(
      'maxRl: group 0: expected a mean above 0, or rewards that are all 0, got a mean of -0.5',
    )
    expect([...maxRl(ofScalars([0, 0]))]).toEqual([0, 0])
  })

  it('B046: a return passes masked tokens and does not start again there', () => {
    const { input, expected } = caseOf('B046')
    const returns = (gamma: number): number[] => [
      ...reinforcePpTokens(Float64Array.from(input.tokenRewards!), Uint8Array.from(input.mask!), {
        gamma,
        whiten: 'none',
      }),
    ]
    expect(returns(input.gamma!)).toEqual(expected.returns)
    expect(returns(0.5)).toEqual([0.25, 0.5, 0, 0, 1])
  })
})
