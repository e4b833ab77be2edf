/**
 * A log for the interop test: groups and rows of different lengths, several sequences, names in many scripts, rollouts
 * that are cut off, aborted or do not reach the end. Seeded: always the same.
 */

type Span = readonly number[]

/** Whole numbers below `limit`, always the same ones. */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const groups = [
  'plain',
  'задача 3',
  '課題',
  '𝄞 \u{10ffff}',
  'a"b\\c',
  '\u00e9',
  'e\u0301',
  ' ',
  "it's",
  '🧑‍🚀/x',
  '-1',
  'ß',
]

/** Tokens of one rollout that reached some turns: gaps before and between spans, and sometimes none. */
function tokensOf(random: (limit: number) => number, reached: number, numSequences: number): object {
  const lengths: number[] = new Array(numSequences).fill(0)
  const turns = Array.from({ length: reached }, () =>
    Array.from({ length: random(3) }, (): Span => {
      const sequence = random(numSequences)
      const start = lengths[sequence]! + random(4)
      const end = start + 1 + random(5)
      lengths[sequence] = end
      return numSequences === 1 ? [start, end] : [sequence, start, end]
    }),
  )
  const sequences = lengths.map((end) => {
    const length = end + random(3)
    const ids = Array.from({ length }, () => random(152000))
    return { length, ids, logprobs: ids.map(() => -random(1000) / 7) }
  })
  return numSequences === 1 ? { ...sequences[0], turns } : { sequences, turns }
}

/** The lines of the log. */
export function interopLog(): string {
  const random = numbers(20)
  const lines = groups.flatMap((group, g) => {
    const T = 1 + random(4)
    return Array.from({ length: 2 + random(4) }, (_, rollout) => {
      const status = ['complete', 'complete', 'complete', 'truncated', 'aborted'][random(5)]!
      const reached = rollout === 0 ? T : 1 + random(T)
      return JSON.stringify({
        group,
        rollout,
        ...(g % 3 === 0 && { role: 'solver' }),
        status,
        rewards: Array.from({ length: reached }, () => random(2)),
        tokens: tokensOf(random, reached, 1 + random(3)),
      })
    })
  })
  return `${lines.join('\n')}\n`
}
