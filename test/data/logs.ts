/**
 * The shared logs of real and made rollouts, and what an independent reference says of them.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../../../shared/data/', import.meta.url)

export const hasData: boolean = existsSync(folder)

export const logNames = ['bfcl_sample', 'tau_airline'] as const

export const logFile = (name: string): string => fileURLToPath(new URL(`${name}.jsonl`, folder))

export const logLines = (name: string): string[] => readFileSync(logFile(name), 'utf8').trimEnd().split('\n')

/** What the reference says of one rollout. */
export interface Expected {
  readonly rewards: readonly number[]
  readonly local: readonly number[]
  readonly future: readonly number[]
  readonly advantages: readonly number[]
  readonly token_sum: number | undefined
}

interface ExpectedGroup {
  readonly group: string
  readonly rollouts: readonly number[]
  readonly rewards: readonly number[][]
  readonly local: readonly number[][]
  readonly future: readonly number[][]
  readonly advantages: readonly number[][]
  readonly token_sum?: readonly number[]
}

/** The reference by `group rollout`. */
export function expectedOf(name: string): Map<string, Expected> {
  const expected = new Map<string, Expected>()
  for (const line of readFileSync(new URL(`${name}.expected.jsonl`, folder), 'utf8')
    .trimEnd()
    .split('\n')) {
    const { group, rollouts, ...fields } = JSON.parse(line) as ExpectedGroup
    rollouts.forEach((rollout, k) => {
      expected.set(`${group} ${rollout}`, {
        rewards: fields.rewards[k]!,
        local: fields.local[k]!,
        future: fields.future[k]!,
        advantages: fields.advantages[k]!,
        token_sum: fields.token_sum?.[k],
      })
    })
  }
  return expected
}

/** Whole numbers from 0 to n − 1 in an order that the seed decides (a linear congruential generator). */
export function shuffled(n: number, seed: number): number[] {
  const order = Array.from({ length: n }, (_, k) => k)
  let state = seed
  for (let k = n - 1; k > 0; k--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const other = state % (k + 1)
    const kept = order[k]!
    order[k] = order[other]!
    order[other] = kept
  }
  return order
}
