/**
 * The handed cases of area `advantage` that speak of the kernel, on tensors: all but those about reading records.
 */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import { taraOnTensors } from '../../src/tfjs/batch.js'
import { onEveryBackend } from './backends.js'

interface Case {
  readonly id: string
  readonly kind: string
  readonly area: string
  readonly input: {
    readonly rows?: {
      group: string
      role?: string
      rollout: string
      reward: number | null
      valid?: boolean
      status?: string
      segment?: number
    }[]
  }
  readonly expected: { readonly advantages?: number[]; readonly exact?: boolean }
}

const path = new URL('../../../shared/cases/cases.jsonl', import.meta.url)
const hasCases = existsSync(path)
const cases: Case[] = hasCases
  ? readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Case)
      .filter(({ area, input, expected }) => area === 'advantage' && input.rows && expected.advantages)
      .filter(({ input }) => input.rows!.every(({ segment }) => segment === undefined))
  : []

onEveryBackend(`cases of area advantage${hasCases ? '' : ' (skipped: no shared/cases)'}`, (tf) => {
  it.skipIf(!hasCases)('are all here', () => {
    expect(cases.length).toBeGreaterThan(10)
  })

  it.each(cases.map((one) => [one.id, one.kind, one] as const))(
    '%s: %s',
    async (_id, _kind, { input, expected }) => {
      const rows = input.rows!
      const keys = rows.map(({ group, role }) => JSON.stringify([group, role]))
      const groups = [...new Set(keys)].map((key) =>
        rows.flatMap((row, k) => (keys[k] === key ? [{ row, k }] : [])),
      )
      const batch = turnBatch(
        groups.map((group) => ({
          rewards: group.map(({ row }) => [row.reward as number]),
          valid: group.map(({ row }) => row.valid !== false && row.status !== 'aborted'),
        })),
        { realRewards: true, allowInvalid: true },
      )
      const { advantage } = await taraOnTensors(tf(), batch, { gate: 'none' })
      groups.flat().forEach(({ k }, at) => {
        const wished = expected.advantages![k]!
        if (wished === 0) expect(advantage[at], `row ${k}`).toBe(0)
        else expect(Math.abs(advantage[at]! - wished), `row ${k}`).toBeLessThan(1e-5)
      })
    },
  )
})
