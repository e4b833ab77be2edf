/**
 * What each estimator climbs, against the gradient of the expected return, by exact enumeration.
 */
import { describe, expect, it } from 'vitest'
import { tara } from '../../src/advantage/tara.js'
import { grpoDialectNames } from '../../src/baselines/dialects.js'
import { estimators } from '../../src/baselines/estimators.js'
import { centeredSubjects } from './centered.js'
import { dividedSubjects } from './divided.js'
import { type Estimator, estimateOf, truthOf } from './enumerate.js'
import {
  costs,
  type Game,
  gamble,
  games,
  missEnds,
  padded,
  ragged,
  recoverable,
  stopOrGo,
  twoCalls,
} from './games.js'
import { titleOf } from './subject.js'
import { subject, subjects } from './subjects.js'
import { dependsOnTurnCount, verdictOf } from './verdict.js'

const kind = (game: Game, title: string): string => verdictOf(game, subject(title)).kind
const push = (game: Game, title: string): string => verdictOf(game, subject(title)).push
const estimate = (game: Game, title: string): readonly number[] => verdictOf(game, subject(title)).estimate!

function expectClose(actual: readonly number[], wanted: readonly number[]): void {
  expect(actual).toHaveLength(wanted.length)
  for (const [m, value] of actual.entries()) expect(value).toBeCloseTo(wanted[m]!, 12)
}

describe('stopping for 1 or going on for 0 and 1.5', () => {
  it('has a true gradient of 0.12', () => expectClose(truthOf(stopOrGo), [0.12]))

  it.each([
    ['reinforce', 0.12],
    ['rloo', 0.12],
    ['tara (gate none, scale none, leave-one-out)', 0.12],
    ['return-to-go (scale none, leave-one-out)', 0.12],
    ['dr-grpo', 0.1],
    ['tara (gate none, scale none)', 0.1],
    ['return-to-go (scale none)', 0.1],
    ['process-grpo (scale none, unreached zero)', 0.1],
    ['mt-grpo (λ = 0, scale none)', -0.2],
    ['not offered (r − mean of those who reached the turn, then added up)', -0.2],
    ['not offered (r − mean with 0 for those who did not, own turns added up)', -0.02],
  ])('%s expects %f', (title, wanted) => expectClose(estimate(stopOrGo, title), [wanted]))

  it('process-grpo has the wrong sign, -0.07 without σ', () => {
    expect(estimate(stopOrGo, 'process-grpo (scale none)')[0]).toBeCloseTo(-0.07, 2)
    for (const title of ['process-grpo (scale none)', 'process-grpo'])
      expect([kind(stopOrGo, title), push(stopOrGo, title)]).toEqual(['biased', 'wrong'])
  })

  it('adding up centered rewards is off by -p(1 − p)·1.5, less the own share', () => {
    const [summed] = estimate(stopOrGo, 'not offered (r − mean of those who reached the turn, then added up)')
    expect(summed! - estimate(stopOrGo, 'return-to-go (scale none)')[0]!).toBeCloseTo((-0.36 * 5) / 6, 12)
  })

  it('parts that are each brought to one size cancel: r and V of tara with an open gate, r and R of mt-grpo', () => {
    for (const title of ['tara (gate none)', 'mt-grpo']) expect(push(stopOrGo, title)).toBe('none')
  })
})

describe('the gate', () => {
  const half = (gate: 'reward' | 'none', unreached?: 'exclude'): Estimator => {
    const options = { gate, scale: 'none', baseline: 'leave-one-out' } as const
    return ({ batch }) => tara(batch, unreached === undefined ? options : { ...options, unreached })
  }
  const first = (one: Game, estimator: Estimator, K?: number): number => estimateOf(one, estimator, K)[0]!
  const misleading = twoCalls('misleading', '', { second: 0.9, right: 2 / 9, wrong: 1 })
  const missStays = twoCalls('miss stays', '', { second: 0.6, right: 1, wrong: 0 })

  it.each([
    ['with 0.6 after a right and 0.5 after a wrong turn', recoverable, 0.312, 0.252],
    ['with 0.2 and 0.9', misleading, 0.264, 0.156],
    ['with 0.6 and 0', missStays, 0.312, 0.312],
    ['with 0.6 and a miss that ends the rollout', missEnds, 0.312, 0.312],
  ])('shows these gradients at γ = λ = 0.5, closed and open: %s', (_, one, closed, open) => {
    for (const K of [2, 6]) {
      expect(first(one, half('reward'), K)).toBeCloseTo(closed, 12)
      expect(first(one, half('none'), K)).toBeCloseTo(open, 12)
    }
  })

  it('at λ = 1 climbs r + r·F in place of r + F', () => {
    expectClose(truthOf(recoverable), [0.264, 0.216])
    expectClose(estimate(recoverable, 'tara (gate none, scale none)'), [0.22, 0.18])
    expectClose(estimate(recoverable, 'tara (scale none)'), [(0.24 * 1.6 * 5) / 6, 0.18])
    expect(kind(recoverable, 'tara (scale none)')).toBe('objective')
  })

  it('changes nothing where a miss ends what could be earned', () => {
    expect(kind(missEnds, 'tara (scale none)')).toBe('(K−1)/K')
  })

  it('pushes the wrong way where a turn that earns nothing opens the way', () => {
    for (const one of [stopOrGo, gamble]) expect(push(one, 'tara (scale none)')).toBe('wrong')
  })

  it('has the same gradient at a miss that ends the rollout whether the rest votes as 0 or not at all', () => {
    expect(first(missEnds, half('reward', 'exclude'))).toBeCloseTo(0.312, 12)
  })
})

describe('centering only', () => {
  it.each(games.map((one) => [one.name, one] as const))(
    'adding up first is right in the game %s, up to the own share',
    (_, one) => {
      for (const title of ['reinforce', 'rloo']) expect(kind(one, title)).toBe('unbiased')
      expect(kind(one, 'dr-grpo')).toBe('(K−1)/K')
      for (const title of ['return-to-go', 'tara']) {
        const open = title === 'tara' ? 'gate none, ' : ''
        expect(['(K−1)/K', '(n−1)/n']).toContain(kind(one, `${title} (${open}scale none)`))
        expect(['unbiased', 'n ≥ 2']).toContain(kind(one, `${title} (${open}scale none, leave-one-out)`))
      }
    },
  )

  it('loses 1/n of a turn that n rollouts reached, and all of one that one rollout alone reached', () => {
    expect(kind(costs, 'return-to-go (scale none)')).toBe('(n−1)/n')
    expect(kind(costs, 'return-to-go (scale none, leave-one-out)')).toBe('n ≥ 2')
  })

  it('process-grpo drives up the number of turns where turns cost something', () => {
    expect(truthOf(costs).every((value) => value < 0)).toBe(true)
    expect(estimate(costs, 'process-grpo (scale none)').every((value) => value > 0)).toBe(true)
  })

  it('the length-weighted mean of opo is off by a term that goes away with K, and by none where lengths are fixed', () => {
    for (const one of [stopOrGo, costs, gamble, missEnds]) expect(kind(one, 'opo')).toBe('O(1/K)')
    for (const one of [recoverable, padded(stopOrGo)]) expect(kind(one, 'opo')).toBe('(K−1)/K')
  })

  it.each([
    ['opo', stopOrGo.name, stopOrGo],
    ['opo', costs.name, costs],
    ['process-grpo (scale none, unreached zero)', costs.name, costs],
  ] as const)(
    '%s, off in the game %s, is off by a sixth of that or less in groups of 48',
    (title, _, one) => {
      const gap = (K: number): number =>
        Math.hypot(
          ...estimateOf(one, subject(title).estimator, K).map((value, m) => value - truthOf(one)[m]!),
        )
      expect(gap(48)).toBeLessThan(gap(6) / 6)
      expect(gap(48)).toBeGreaterThan(1e-6)
    },
  )

  it('a discount over turns can turn the sign around', () => {
    const title = 'return-to-go (γ = 0.5, the default, scale none)'
    expect([kind(stopOrGo, title), push(stopOrGo, title)]).toEqual(['objective', 'wrong'])
  })

  it('gigpo counts the return 1 + ω times', () => {
    for (const one of games) expect(kind(one, 'gigpo (γ = 1)')).toBe('scaled')
    expectClose(estimate(stopOrGo, 'gigpo (γ = 1)'), [0.2])
  })

  it('leaves no bias that a row does not account for, except by accumulation', () => {
    const biased = centeredSubjects.filter((one) => games.some((g) => verdictOf(g, one).kind === 'biased'))
    expect(biased.map(({ name }) => name)).toEqual(['process-grpo', 'not offered', 'not offered'])
  })
})

describe('dividing', () => {
  const byGroup = [
    'grpo (paper)',
    'grpo (verl)',
    'grpo (trl)',
    'grpo (openrlhf)',
    'reinforce-pp',
    'gdpo (one column)',
  ]

  const rightBefore = dividedSubjects.filter(
    ({ name, settings, undivided }) =>
      !(name === 'grpo' && settings === 'nemo') && verdictOf(gamble, undivided!).push === 'right',
  )

  it('turns no fewer than fifteen rows around in the gamble', () =>
    expect(rightBefore.length).toBeGreaterThanOrEqual(15))

  it.each(rightBefore.map((one) => [titleOf(one)]))(
    '%s has the wrong sign in the gamble, though it is right without its divisor',
    (title) => expect(push(gamble, title)).toBe('wrong'),
  )

  it('keeps the direction in all games only by σ of the others', () => {
    const kept = dividedSubjects.filter((one) =>
      games.every((g) => {
        const verdict = verdictOf(g, one)
        return verdict.kind === 'scaled' && verdict.push === 'right'
      }),
    )
    expect(kept.map(titleOf)).toEqual(['grpo (nemo)'])
  })

  it.each(byGroup)('%s multiplies two logits by two numbers', (title) => {
    for (const one of [costs, recoverable, missEnds]) expect(kind(one, title)).toBe('tilted')
  })

  it('maxrl refuses rewards below 0', () => expect(kind(costs, 'maxrl')).toBe('refused'))

  it.each([
    ['grpo (art)', 'grpo (paper)'],
    ['grpo (skyrl)', 'grpo (verl)'],
    ['reinforce-pp (rllm)', 'grpo (paper)'],
    ['reinforce-pp-baseline (rllm)', 'grpo (paper)'],
    ['reinforce-pp-baseline', 'reinforce-pp'],
  ])('%s is %s on batches of one group', (a, b) => {
    for (const one of games) expectClose(estimate(one, a), estimate(one, b))
  })
})

describe('the list of estimators', () => {
  it('has a row of the audit for each, and one for each dialect of grpo', () => {
    const names = new Set(subjects.map(({ name }) => name))
    expect(estimators.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([])
    const dialects = dividedSubjects.filter(({ name }) => name === 'grpo').map(({ settings }) => settings)
    expect(dialects).toEqual(grpoDialectNames)
  })

  it.each(estimators.map(({ name, accumulatesNormalized }) => [name, accumulatesNormalized] as const))(
    'says of %s whether the number of turns biases it: %s',
    (name, accumulatesNormalized) => {
      const rows = subjects.filter((one) => one.name === name).map((one) => one.undivided ?? one)
      const found = rows.some((one) => ragged.some((g) => dependsOnTurnCount(g, one)))
      expect(found).toBe(accumulatesNormalized)
    },
  )

  it('leaves tara out of that, whatever its gate', () => {
    for (const one of subjects.filter(({ name }) => name === 'tara'))
      for (const g of ragged) expect(dependsOnTurnCount(g, one.undivided ?? one)).toBe(false)
  })
})
