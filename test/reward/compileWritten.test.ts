/**
 * Golden traces made ready as bytes against the same made ready as values.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { goldenIn } from '../../src/formats/written-golden.js'
import type { JsonValue } from '../../src/reward/call.js'
import { compileWritten } from '../../src/reward/compileWritten.js'
import { type CompiledGolden, compileGolden } from '../../src/reward/golden.js'
import { jsonText } from '../../src/reward/jsonText.js'
import { memberTape } from '../../src/reward/memberTape.js'
import { type CoveragePolicy, coverageDefaults, resolveCoveragePolicy } from '../../src/reward/policy.js'

const policyOf = (changes: Partial<CoveragePolicy> = {}) =>
  resolveCoveragePolicy('test', { ...coverageDefaults, ...changes })

const written = (text: string, changes?: Partial<CoveragePolicy>): CompiledGolden | undefined =>
  compileWritten(new TextEncoder().encode(text), policyOf(changes), memberTape())

/** What both must agree on. */
const told = ({ turns, numTurns, masked }: CompiledGolden): unknown => ({
  numTurns,
  masked: [...masked],
  turns: turns.map(({ sets, hasAlternatives, isEmpty }) => ({
    hasAlternatives,
    isEmpty,
    sets: sets.map(({ calls, classes, distinct, isEquivalence }) => ({
      isEquivalence,
      calls: calls.map(({ name, key, side, value, compare }) => [name, key, side, jsonText(value), compare]),
      classes: classes.map(({ id }) => id),
      distinct: distinct.map(({ id, members, first }) => [id, members, first.name]),
    })),
  })),
})

/** Text with a little white space. */
const spaced = fc.constantFrom('', '', ' ', '\n\t')

const piece = fc.oneof(
  fc.constantFrom('1', '1.0', '-0', '0', '1e3', '1E2', '1e999', '9007199254740993', '12345678901234567890'),
  fc.constantFrom('"a"', '"\\u0061"', '"é"', '"a\\"b"', '""', 'true', 'null', '[]', '{}', '["a", 1]'),
  fc.constantFrom('{"x":1}', '{"x":1,"x":2}', '[{"y":[1]}]', '[1,1.0]', '"e5"', '"{"', '[1.5e0]'),
)
const member = fc
  .tuple(fc.constantFrom('"k"', '"id"', '"a b"', '"é"', '"\\u006b"'), spaced, piece, spaced)
  .map(([key, a, value, b]) => `${key}${a}:${b}${value}`)
const args = fc
  .tuple(fc.array(member, { maxLength: 3 }), spaced)
  .map(([members, space]) => `{${space}${members.join(`${space},`)}${space}}`)
const call = fc
  .record({
    name: fc.constantFrom('"f"', '"f"', '"f"', '"g"', '"né"', '"\\u0066"', '""', 'null'),
    given: fc.oneof({ weight: 9, arbitrary: args }, fc.constantFrom('null', '"{}"', '[]', '3')),
    more: fc.constantFrom(
      '',
      '',
      '',
      '',
      '',
      ',"requestor":"user"',
      ',"compare":[]',
      ',"id":1',
      ',"name":"h"',
    ),
    isFirst: fc.boolean(),
    space: spaced,
  })
  .map(({ name, given, more, isFirst, space }) => {
    const parts = [`"name":${space}${name}`, `"arguments"${space}:${given}`]
    return `{${space}${(isFirst ? parts : parts.reverse()).join(`${space},`)}${more}}`
  })
const golden = fc
  .array(fc.tuple(fc.array(call, { maxLength: 4 }), spaced), { maxLength: 3 })
  .map(
    (turns) => `[${turns.map(([calls, space]) => `[${space}${calls.join(`,${space}`)}${space}]`).join(',')}]`,
  )

describe('compileWritten', () => {
  it('gives what compileGolden gives, and takes nothing that it refuses', () => {
    let taken = 0
    fc.assert(
      fc.property(golden, fc.constantFrom('mask', 'vacuous'), (text, emptyGolden) => {
        const policy = policyOf({ emptyGolden } as Partial<CoveragePolicy>)
        const found = compileWritten(new TextEncoder().encode(text), policy, memberTape())
        if (found === undefined) return
        taken++
        const value = goldenIn(new TextEncoder().encode(text)) as JsonValue
        expect(told(found)).toEqual(told(compileGolden('golden', value, policy)))
      }),
      { numRuns: 3000 },
    )
    expect(taken).toBeGreaterThan(300)
  })

  it('takes the plain form whatever its spaces and the order of its keys', () => {
    const plain = '[[{"name": "f", "arguments": {"a": [1, "b"], "c": "d"}}, {"arguments":{},"name":"g"}], []]'
    expect(written(plain)?.numTurns).toBe(2)
    expect(written('[]')?.numTurns).toBe(0)
  })

  it('leaves to compileGolden what is not plain, and what a policy does not compare exactly', () => {
    const one = (arguments_: string, more = ''): string => `[[{"name":"f","arguments":${arguments_}${more}}]]`
    expect(written(one('{"a":1}'))).toBeDefined()
    for (const text of [
      one('{"a":1e999}'),
      one('{"a":{"b":1,"b":2}}'),
      one('{"a":1,"a":2}'),
      one('{"a":1}', ',"compare":["a"]'),
      one('{"a":1}', ',"requestor":"user"'),
      one('"{}"'),
      '[[{"name":"","arguments":{}}]]',
      '[[{"name":"f"}]]',
      '[[{"arguments":{}}]]',
      '[{"any_of":[[]]}]',
      '[[{"name":"f","arguments":{"a":1}},{"name":"f","arguments":{"a":1.0}}]]',
      '[null]',
      '{}',
      `[[${Array.from({ length: 20 }, () => '{"name":"f","arguments":{}}').join(',')}]]`,
    ])
      expect([text, written(text)]).toEqual([text, undefined])
    expect(written(one('{"a":1}'), { args: 'subset' })).toBeUndefined()
    expect(written(one('{"a":1}'), { normalizeName: (name) => name.toLowerCase() })).toBeUndefined()
  })
})
