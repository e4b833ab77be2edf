/**
 * The estimators against slow and plain versions of their formulas, on random ragged groups.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GrpoDialectName, grpoDialectNames } from '../../src/baselines/dialects.js'
import { near } from '../laws/support.js'
import * as slow from '../reference/baselines.js'
import { type Entry, entries, groups, type Sample, sampleOf } from './samples.js'

const estimate = (name: string): Entry['run'] => entries.find((one) => one.name === name)!.run

/** Compares turn by turn, on the turns that were reached. */
function agrees(
  name: string,
  options: Record<string, unknown> | ((sample: Sample) => Record<string, unknown>),
  reference: (tasks: slow.Task[]) => number[][][],
  tolerance = 1e-9,
): void {
  fc.assert(
    fc.property(groups, (list) => {
      const sample = sampleOf(list)
      const tasks = list.map(({ rollouts }) => rollouts)
      const found = estimate(name)(sample, typeof options === 'function' ? options(sample) : options).filter(
        (_, j) => sample.batch.reached[j] === 1,
      )
      const wished = reference(tasks).flat(2)
      expect(found).toHaveLength(wished.length)
      for (const [j, value] of wished.entries())
        near(found[j]!, value, tolerance * (1 + Math.abs(value)), `${name}[${j}]`)
    }),
    { numRuns: 100 },
  )
}

describe('against a plain reference', () => {
  it.each(grpoDialectNames.filter((name) => name !== 'openrlhf'))('grpo, dialect %s', (dialect) => {
    agrees('grpo', { dialect }, (tasks) => slow.byGroup(tasks, slow.groupRules[dialect]!))
  })

  it('grpo, dialect openrlhf, which takes no group of one', () => {
    fc.assert(
      fc.property(groups, (list) => {
        const sample = sampleOf(list.filter(({ rollouts }) => rollouts.length > 1))
        const tasks = list.map(({ rollouts }) => rollouts).filter((task) => task.length > 1)
        const found = estimate('grpo')(sample, { dialect: 'openrlhf' satisfies GrpoDialectName })
        const wished = slow.byGroup(tasks, slow.groupRules.openrlhf!).flat(2)
        for (const [j, value] of found.filter((_, j) => sample.batch.reached[j] === 1).entries())
          near(value, wished[j]!, 1e-9)
      }),
    )
  })

  it.each([
    ['drGrpo', 'dr'],
    ['rloo', 'rloo'],
    ['maxRl', 'max'],
    ['reinforce', 'raw'],
  ])('%s', (name, rule) => {
    agrees(name, {}, (tasks) => slow.byGroup(tasks, slow.groupRules[rule]!))
  })

  it('opo', () => agrees('opo', {}, slow.opo))

  it.each(['verl', 'openrlhf', 'rllm'])('reinforcePp and its baseline form, last step of %s', (whiten) => {
    agrees('reinforcePp', { whiten }, (tasks) => slow.reinforcePp(tasks, whiten, false))
    agrees('reinforcePpBaseline', { whiten }, (tasks) => slow.reinforcePp(tasks, whiten, true), 1e-7)
  })

  it.each(['trl', 'verl', 'nemo'] as const)('gdpo, dialect %s', (dialect) => {
    const weights = { a: 1, b: 0.5 }
    agrees(
      'gdpo',
      ({ turnTokens }) => ({ dialect, weights, turnTokens }),
      (tasks) => slow.gdpo(tasks, dialect, weights),
      1e-7,
    )
  })

  it('mtGrpo', () => agrees('mtGrpo', { lambda: 0.5 }, (tasks) => slow.mtGrpo(tasks, 0.5)))

  it.each([0, 0.5, 1])('returnToGo and processGrpo, γ = %s', (gamma) => {
    agrees('returnToGo', { gamma }, (tasks) => slow.returnToGo(tasks, gamma))
    agrees('processGrpo', { gamma }, (tasks) => slow.processGrpo(tasks, gamma))
  })

  it('gigpo', () => agrees('gigpo', { omega: 0.5 }, (tasks) => slow.gigpo(tasks, 0.5)))

  it('turnCredit', () => {
    agrees('turnCredit', { gamma: 0.9, beta: 0.5 }, (tasks) => slow.turnCredit(tasks, 0.9, 0.5))
  })
})
