/**
 * Rewards of recorded rollouts against an independent float64 reference.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { taraParts } from '../../src/advantage/tara.js'
import { turnBatch } from '../../src/batch/build.js'

interface Expected {
  group: string
  rewards: number[][]
  future_value: number[][]
  local: number[][]
  future: number[][]
  advantages: number[][]
}

for (const name of ['bfcl_sample', 'tau_airline']) {
  const path = new URL(`../../../shared/data/${name}.expected.jsonl`, import.meta.url)
  const isThere = existsSync(path)
  describe.skipIf(!isThere)(`${name}${isThere ? '' : ' (skipped: no shared/data)'}`, () => {
    it('has the advantages of the reference within 1e-9', () => {
      const groups = readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Expected)
      expect(groups.length).toBeGreaterThan(40)
      const parts = taraParts(
        turnBatch(groups.map(({ group, rewards }) => ({ id: group, rewards, numTurns: rewards[0]!.length }))),
      )
      for (const [field, part] of [
        ['future_value', 'futureValue'],
        ['local', 'local'],
        ['future', 'future'],
        ['advantages', 'advantage'],
      ] as const) {
        const wished = groups.flatMap((group) => group[field].flat())
        const found = parts[part]
        expect(found).toHaveLength(wished.length)
        const worst = wished.reduce((most, value, j) => Math.max(most, Math.abs(value - found[j]!)), 0)
        expect(worst, field).toBeLessThanOrEqual(1e-9)
      }
    })
  })
}
