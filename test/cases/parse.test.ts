import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../src/reward/call.js'
import { coverage } from '../../src/reward/cover.js'

const file = new URL('../../../shared/cases/cases.jsonl', import.meta.url)
const isHere = existsSync(file)

interface Case {
  readonly id: string
  readonly kind: string
  readonly area: string
  readonly input: {
    readonly format: string
    readonly golden: readonly ToolCall[]
    readonly predicted: readonly { readonly function: ToolCall }[]
  }
  readonly expected: {
    readonly covered: boolean
    readonly matched: number
    readonly golden: number
    readonly errors?: readonly string[]
    readonly policy: string
  }
}

const cases: readonly Case[] = isHere
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Case => JSON.parse(line))
      .filter(({ area, input }) => area === 'parse' && input.format === 'openai')
  : []

describe.skipIf(!isHere)('cases of parsing OpenAI calls (skipped without ../shared/cases)', () => {
  it('are all there', () => {
    expect(cases.map(({ id }) => id)).toEqual(expect.arrayContaining(['B080', 'B081', 'B090', 'B091']))
  })
  for (const { id, kind, input, expected } of cases)
    it(`${id}: ${kind}`, () => {
      const calls = input.predicted.map(({ function: { name, arguments: args } }) => ({
        name,
        arguments: args,
      }))
      const told = coverage(input.golden, calls)
      const { covered, matched, golden, errors } = expected
      expect(told).toMatchObject({ covered, matched, golden })
      for (const miss of told.missed) expect(miss.problem).toBe(errors?.[0])
      if (expected.policy.includes('concatenated-json'))
        expect(told.missed[0]).toMatchObject({ hint: 'concatenated-json', call: 0 })
    })
})

describe('the kinds behind the cases', () => {
  it('no proper beginning of a text of arguments is ever repaired', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1, maxKeys: 3 }), (args) => {
        const text = JSON.stringify(args)
        for (let end = 1; end < text.length; end++)
          expect(
            coverage([{ name: 'run' }], [{ name: 'run', arguments: text.slice(0, end) }]).missed,
          ).toMatchObject([{ reason: 'malformed-arguments', hint: 'cut-off' }])
      }),
      { numRuns: 50 },
    )
  })

  it('two objects in one text are never split, whatever stands between them', () => {
    for (const gap of ['', ' ', '\n', '\t\r\n'])
      expect(
        coverage([{ name: 'r' }], [{ name: 'r', arguments: `{"p":"a"}${gap}{"p":"b"}` }]).missed,
      ).toMatchObject([{ problem: 'malformed-json', hint: 'concatenated-json' }])
  })

  it('arguments under another field name are not guessed', () => {
    const made = { name: 'f', parameters: { a: 1 } } as ToolCall
    expect(coverage([{ name: 'f', arguments: { a: 1 } }], [made]).covered).toBe(false)
    expect(coverage([{ name: 'f' }], [made]).covered).toBe(true)
  })
})
