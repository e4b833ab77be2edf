/**
 * Small games that are known completely: every trajectory, its probability and the score of each of its turns.
 *
 * The policy is one Bernoulli choice for each logit θ: yes with probability p = σ(θ), so that ∂ log π / ∂θ is 1 − p after
 * yes and −p after no. What no logit decides is the world's chance.
 */

export interface Turn {
  /** The state that the turn started from. */
  readonly state: string
  readonly reward: number
  /** ∂ log π of the turn's action, one number a logit. */
  readonly score: readonly number[]
}

export interface Trajectory {
  readonly probability: number
  readonly turns: readonly Turn[]
}

export interface Game {
  readonly name: string
  readonly about: string
  /** Names of the logits. */
  readonly logits: readonly string[]
  /** Rollouts of a group. */
  readonly K: number
  /** T, where a golden trace fixes it. */
  readonly numTurns?: number
  readonly trajectories: readonly Trajectory[]
  /** What it was made of. */
  readonly rules: Rules
}

/** A turn as it is written down: state, reward, and what the policy chose, if it had a choice. */
type Step = readonly [state: string, reward: number, choice?: Readonly<Record<string, 'yes' | 'no'>>]

interface Path {
  /** Probability of what the world does. */
  readonly chance?: number
  readonly steps: readonly Step[]
}

export interface Rules {
  readonly name: string
  readonly about: string
  readonly numTurns?: number
  /** p of each logit. */
  readonly yes: Readonly<Record<string, number>>
  readonly paths: readonly Path[]
}

/** Plays all paths out, in groups of 6. */
export function play(rules: Rules): Game {
  const { yes, paths, ...rest } = rules
  const logits = Object.keys(yes)
  const trajectories = paths.map(({ chance = 1, steps }) => {
    let probability = chance
    const turns = steps.map(([state, reward, choice = {}]) => ({
      state,
      reward,
      score: logits.map((logit) => {
        const p = yes[logit]!
        const chosen = choice[logit]
        if (chosen === undefined) return 0
        probability *= chosen === 'yes' ? p : 1 - p
        return chosen === 'yes' ? 1 - p : -p
      }),
    }))
    return { probability, turns }
  })
  return { ...rest, logits, K: 6, trajectories, rules }
}

export const stopOrGo: Game = play({
  name: 'stop or go',
  about: 'stopping pays 1; going on pays 0 and then 1.5; goes on with 0.4',
  yes: { go: 0.4 },
  paths: [
    { steps: [['start', 1, { go: 'no' }]] },
    {
      steps: [
        ['start', 0, { go: 'yes' }],
        ['gone on', 1.5],
      ],
    },
  ],
})

export const costs: Game = play({
  name: 'costs',
  about:
    'each turn costs something, 0.4, then 0.3, then 0.2, and going on gains nothing; goes on with 0.6, then 0.5',
  yes: { first: 0.6, second: 0.5 },
  paths: [
    { steps: [['start', -0.4, { first: 'no' }]] },
    {
      steps: [
        ['start', -0.4, { first: 'yes' }],
        ['once more', -0.3, { second: 'no' }],
      ],
    },
    {
      steps: [
        ['start', -0.4, { first: 'yes' }],
        ['once more', -0.3, { second: 'yes' }],
        ['and again', -0.2],
      ],
    },
  ],
})

export const gamble: Game = play({
  name: 'gamble',
  about:
    'one score at the end: stopping pays 0.25; going on pays 0 and then 1 with probability 0.3, else 0; goes on with 0.4',
  yes: { go: 0.4 },
  paths: [
    { steps: [['start', 0.25, { go: 'no' }]] },
    {
      chance: 0.3,
      steps: [
        ['start', 0, { go: 'yes' }],
        ['gone on', 1],
      ],
    },
    {
      chance: 0.7,
      steps: [
        ['start', 0, { go: 'yes' }],
        ['gone on', 0],
      ],
    },
  ],
})

interface TwoCalls {
  /** p of the second call. */
  readonly second: number
  /** How often a right second call counts, after a right and after a wrong first call. */
  readonly right: number
  readonly wrong: number
}

/** T = 2, all turns played. The first call is right with 0.4. */
export function twoCalls(name: string, about: string, { second: p, right, wrong }: TwoCalls): Game {
  const ends = (first: 'yes' | 'no', counts: number): Path[] => {
    const path = (second: 'yes' | 'no', reward: number, chance: number): Path => ({
      chance,
      steps: [
        ['start', first === 'yes' ? 1 : 0, { first }],
        [first === 'yes' ? 'after right' : 'after wrong', reward, { second }],
      ],
    })
    return [path('yes', 1, counts), path('yes', 0, 1 - counts), path('no', 0, 1)].filter(
      ({ chance }) => chance! > 0,
    )
  }
  const paths = [...ends('yes', right), ...ends('no', wrong)]
  return play({ name, about, numTurns: 2, yes: { first: 0.4, second: p }, paths })
}

export const recoverable: Game = twoCalls(
  'recoverable',
  'T = 2; the first call is right with 0.4, the second with 0.6; after a wrong first call one right second call in six is spoiled',
  { second: 0.6, right: 1, wrong: 5 / 6 },
)

export const missEnds: Game = play({
  name: 'miss ends',
  about: 'the same calls, but a wrong first call ends the rollout, and its second turn counts as a miss',
  numTurns: 2,
  yes: { first: 0.4, second: 0.6 },
  paths: [
    ...(['yes', 'no'] as const).map(
      (second): Path => ({
        steps: [
          ['start', 1, { first: 'yes' }],
          ['after right', second === 'yes' ? 1 : 0, { second }],
        ],
      }),
    ),
    { steps: [['start', 0, { first: 'no' }]] },
  ],
})

/** The policy decides how many turns there are. */
export const ragged: readonly Game[] = [stopOrGo, costs, gamble]

/** The games of the table; in the last two T is fixed. */
export const games: readonly Game[] = [...ragged, recoverable, missEnds]

/** The same game with a fixed T: whoever stopped early sits through the remaining turns, without a choice and for 0. */
export function padded(game: Game): Game {
  const { paths } = game.rules
  const T = Math.max(...paths.map(({ steps }) => steps.length))
  const rest: Step[] = Array.from({ length: T }, () => ['over', 0])
  return play({
    ...game.rules,
    paths: paths.map((path) => ({ ...path, steps: [...path.steps, ...rest.slice(path.steps.length)] })),
  })
}
