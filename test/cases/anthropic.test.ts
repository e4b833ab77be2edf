import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { messageFormats } from '../../src/formats/formats.js'
import { fromMessages } from '../../src/formats/turns.js'
import type { ToolCall } from '../../src/reward/call.js'
import { coverage } from '../../src/reward/cover.js'

const file = new URL('../../../shared/cases/cases.jsonl', import.meta.url)
const isHere = existsSync(file)

interface Case {
  readonly id: string
  readonly kind: string
  readonly area: string
  readonly input: {
    readonly format?: string
    readonly golden: readonly ToolCall[]
    readonly predicted: readonly object[]
  }
  readonly expected: { readonly covered: boolean; readonly matched: number; readonly golden: number }
}

const all: readonly Case[] = isHere
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Case => JSON.parse(line))
  : []

describe.skipIf(!isHere)('cases of Anthropic messages (skipped without ../shared/cases)', () => {
  const cases = all.filter(({ input }) => input.format === 'anthropic')

  it('are all there, and no case has a format without tests', () => {
    expect(cases.map(({ id }) => id)).toContain('B082')
    const formats = all.filter(({ area }) => area === 'parse').map(({ input }) => input.format)
    expect(['anthropic', 'hermes', 'openai']).toEqual(expect.arrayContaining(formats))
  })
  for (const { id, kind, input, expected } of cases)
    it(`${id}: ${kind}`, () => {
      const { turns } = fromMessages(messageFormats.anthropic, [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: input.predicted },
      ])
      expect(coverage(input.golden, turns[0]!)).toMatchObject(expected)
    })
})
