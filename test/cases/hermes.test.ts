import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hermes } from '../../src/formats/hermes.js'
import { fromMessages } from '../../src/formats/turns.js'
import type { ToolCall } from '../../src/reward/call.js'
import { coverage } from '../../src/reward/cover.js'

const file = new URL('../../../shared/cases/cases.jsonl', import.meta.url)
const isHere = existsSync(file)

interface Case {
  readonly id: string
  readonly kind: string
  readonly input: {
    readonly format?: string
    readonly messages?: readonly object[]
    readonly golden: readonly ToolCall[]
    readonly predicted: string
  }
  readonly expected: {
    readonly covered: boolean
    readonly matched: number
    readonly golden: number
    readonly calls?: number
  }
}

const cases: readonly Case[] = isHere
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Case => JSON.parse(line))
      .filter(({ input }) => input.format === 'hermes')
  : []

describe.skipIf(!isHere)('cases of Hermes text (skipped without ../shared/cases)', () => {
  it('are all there', () => {
    expect(cases.map(({ id }) => id)).toEqual(expect.arrayContaining(['B078', 'B085', 'B088', 'B089']))
  })
  for (const { id, kind, input, expected } of cases)
    it(`${id}: ${kind}`, () => {
      const said = input.messages ?? [{ role: 'assistant', content: input.predicted }]
      const { turns } = fromMessages(hermes, [{ role: 'user', content: 'go' }, ...said])
      const { covered, matched, golden, calls } = expected
      expect(turns.length).toBe(1)
      expect(coverage(input.golden, turns[0]!)).toMatchObject({ covered, matched, golden })
      if (calls !== undefined) expect(turns[0]).toHaveLength(calls)
    })
})
