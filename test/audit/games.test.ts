/**
 * The games and their enumeration, against other ways to the same numbers.
 */
import { describe, expect, it } from 'vitest'
import { estimateOf, returnOf, sampleOf, truthOf } from './enumerate.js'
import { games, play, stopOrGo } from './games.js'
import { subject } from './subjects.js'

describe('the games', () => {
  it.each(games.map((one) => [one.name, one] as const))('%s has probabilities that add up to 1', (_, one) => {
    expect(one.trajectories.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 14)
  })

  it.each(games.map((one) => [one.name, one] as const))(
    '%s has the gradient that its expected return shows when a logit is moved a little',
    (_, one) => {
      const { rules, logits } = one
      const expectedReturn = (logit: string, step: number): number => {
        const p = rules.yes[logit]!
        const moved = 1 / (1 + Math.exp(-(Math.log(p / (1 - p)) + step)))
        const other = play({ ...rules, yes: { ...rules.yes, [logit]: moved } })
        return other.trajectories.reduce((sum, path) => sum + path.probability * returnOf(path), 0)
      }
      const slopes = logits.map(
        (logit) => (expectedReturn(logit, 1e-4) - expectedReturn(logit, -1e-4)) / 2e-4,
      )
      for (const [m, value] of truthOf(one).entries()) expect(value).toBeCloseTo(slopes[m]!, 8)
    },
  )

  it('have the same expectation when all ordered groups are enumerated', () => {
    const [p, n] = [0.4, 4]
    for (const title of ['opo', 'grpo (nemo)', 'tara', 'process-grpo']) {
      let expected = 0
      for (let bits = 0; bits < 2 ** n; bits++) {
        const goes = Array.from({ length: n }, (_, i) => (bits >> i) & 1)
        const sample = sampleOf(goes.map((go) => stopOrGo.trajectories[go]!))
        const A = subject(title).estimator(sample)
        const weight = goes.reduce<number>((product, go) => product * (go === 1 ? p : 1 - p), 1)
        const slope = goes.reduce(
          (sum, go, i) => sum + (A[sample.batch.turnPtr[i]!]! * (go === 1 ? 1 - p : -p)) / n,
          0,
        )
        expected += weight * slope
      }
      expect(estimateOf(stopOrGo, subject(title).estimator, n)[0]).toBeCloseTo(expected, 12)
    }
  })
})
