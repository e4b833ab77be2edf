import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GoldenTurn, ToolCall } from '../../src/reward/call.js'
import { type Coverage, coverage } from '../../src/reward/cover.js'
import type { CoveragePolicy } from '../../src/reward/policy.js'
import { scoreGroups } from '../../src/reward/score.js'

const file = new URL('../../../shared/cases/cases.jsonl', import.meta.url)
const isHere = existsSync(file)

interface NeutralCall {
  readonly name?: string
  readonly arguments?: ToolCall['arguments']
  readonly function?: ToolCall
}

interface Turn {
  readonly golden: readonly ToolCall[]
  readonly predicted: readonly NeutralCall[]
}

interface Case {
  readonly id: string
  readonly kind: string
  readonly area: string
  readonly input: Partial<Turn> & {
    readonly format?: string
    readonly turns?: readonly Turn[]
    readonly options?: { readonly argsMatch?: 'subset' }
    readonly generator?: string
    readonly depth?: number
  }
  readonly expected: {
    readonly covered?: boolean
    readonly matched?: number
    readonly golden?: number
    readonly score?: number
    readonly vacuous?: boolean
    readonly extra?: number
    readonly turnCovered?: readonly boolean[]
    readonly error?: string
    readonly goldenErrors?: readonly string[]
    readonly errors?: readonly string[]
    readonly withNameNormalizer?: { readonly matched: number }
  }
}

const cases: readonly Case[] = isHere
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  : []

const toCall = ({ name, arguments: args, function: made }: NeutralCall): ToolCall =>
  made ? { name: made.name, arguments: made.arguments } : { name: name!, arguments: args }

function checkCase({ input, expected }: Case): void {
  const policy: Partial<CoveragePolicy> = input.options?.argsMatch ? { args: 'subset' } : {}
  if (input.generator === 'nestedArray') {
    const nested = `{"v":${'['.repeat(input.depth!)}${']'.repeat(input.depth!)}}`
    const other = `{"v":${'['.repeat(input.depth!)}1${']'.repeat(input.depth!)}}`
    const golden = [{ name: 'f', arguments: nested }]
    const { covered, matched } = expected
    expect(coverage(golden, [{ name: 'f', arguments: ` ${nested}` }])).toMatchObject({ covered, matched })
    expect(coverage(golden, [{ name: 'f', arguments: other }]).covered).toBe(false)
    return
  }
  if (input.turns) {
    const rollouts = [{ turns: input.turns.map(({ predicted }) => predicted.map(toCall)) }]
    const { batch } = scoreGroups([{ golden: input.turns.map(({ golden }) => golden), rollouts }], policy)
    expect([...batch.reward].map((r) => r === 1)).toEqual(expected.turnCovered)
    return
  }
  const golden: GoldenTurn = input.golden!
  const calls = input.predicted!.map(toCall)
  if (expected.error) {
    expect(() => coverage(golden, calls, policy)).toThrow(expect.objectContaining({ code: 'GOLDEN' }))
    expect(() => coverage(golden, calls, policy)).toThrow(expected.goldenErrors![0])
    return
  }
  const told: Coverage = coverage(golden, calls, policy)
  expect(told).toMatchObject({
    covered: expected.covered,
    matched: expected.matched,
    golden: expected.golden,
  })
  if (expected.vacuous !== undefined) expect(told.vacuous).toBe(expected.vacuous)
  if (expected.extra !== undefined) expect(told.extra).toBe(expected.extra)
  if (expected.score !== undefined)
    expect(told.golden === 0 ? 1 : told.matched / told.golden).toBe(expected.score)
  if (expected.errors) expect(told.missed.map(({ problem }) => problem)).toContain(expected.errors[0])
  if (expected.withNameNormalizer) {
    const normalizeName = (name: string): string => name.replaceAll('.', '_')
    const { matched } = expected.withNameNormalizer
    expect(coverage(golden, calls, { ...policy, normalizeName }).matched).toBe(matched)
  }
}

const isOurs = ({ area, input }: Case): boolean => area === 'coverage' && input.format !== 'hermes'

describe.skipIf(!isHere)('cases of coverage (skipped without ../shared/cases)', () => {
  it('are all there', () => {
    expect(cases.filter(isOurs).length).toBeGreaterThanOrEqual(21)
  })
  for (const one of cases.filter(isOurs)) it(`${one.id}: ${one.kind}`, () => checkCase(one))
})

describe('the kinds behind the cases', () => {
  const call = (name: string, args: ToolCall['arguments']): ToolCall => ({ name, arguments: args })

  it('lists are ordered unless their path is named: every permutation', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { minLength: 2, maxLength: 6 }), fc.nat(), (ids, seed) => {
        const turned = [
          ...ids.slice((seed % (ids.length - 1)) + 1),
          ...ids.slice(0, (seed % (ids.length - 1)) + 1),
        ]
        const golden = [call('return_items', { ids })]
        const calls = [call('return_items', JSON.stringify({ ids: turned }))]
        expect(coverage(golden, calls).covered).toBe(false)
        expect(coverage(golden, calls, { unordered: ['ids'] }).matched).toBe(1)
      }),
    )
  })

  it('n golden copies need n made copies, and more than n never score above n', () => {
    fc.assert(
      fc.property(fc.nat(8), fc.nat(8), (wanted, made) => {
        const copies = (n: number): ToolCall[] => Array.from({ length: n }, () => call('roll', '{}'))
        const told = coverage(copies(wanted), copies(made))
        expect(told).toMatchObject({
          covered: made >= wanted,
          matched: Math.min(wanted, made),
          extra: Math.max(0, made - wanted),
        })
      }),
    )
  })

  it('a fault in any golden call throws, wherever it stands; in a made call it never does', () => {
    const faulty = fc.constantFrom('{"c":', '{"c":1,"c":2}', '[1]', '"{}"', 'prose', '{"c":NaN}', "{'c':1}")
    fc.assert(
      fc.property(faulty, fc.nat(3), (text, before) => {
        const good = Array.from({ length: before }, (_, k) => call('w', { k }))
        const golden = [...good, call('w', text)]
        expect(() => coverage(golden, [])).toThrow(`golden[${before}].arguments`)
        expect(coverage([call('w', { c: 1 }), ...good], golden)).toMatchObject({
          covered: false,
          malformed: 1,
        })
      }),
    )
  })

  it('keys that objects inherit elsewhere are keys like any other, once and twice', () => {
    for (const key of ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf']) {
      const text = `{"${key}":"x"}`
      expect(coverage([call(key, text)], [call(key, `${text} `)]).covered).toBe(true)
      expect(coverage([call('f', text)], [call('f', JSON.parse(text))]).covered).toBe(true)
      expect(coverage([call('f', '{}')], [call('f', text)]).covered).toBe(false)
      expect(coverage([call('f', text)], [call('f', '{}')]).covered).toBe(false)
      expect(coverage([call('f', text)], [call('f', `{"${key}":"x","${key}":"x"}`)]).malformed).toBe(1)
      expect(coverage([call(key, {})], []).missed[0]!.reason).toBe('no-such-call')
    }
  })
})
