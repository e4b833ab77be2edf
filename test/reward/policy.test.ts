import { describe, expect, it } from 'vitest'
import { type CoveragePolicy, coverageDefaults, resolveCoveragePolicy } from '../../src/reward/policy.js'

const resolve = (policy: unknown) => resolveCoveragePolicy('coverage', policy as Partial<CoveragePolicy>)

describe('resolveCoveragePolicy', () => {
  it('fills in frozen defaults, under which equality is strict', () => {
    expect(Object.isFrozen(coverageDefaults)).toBe(true)
    expect(resolve(undefined)).toMatchObject({ ...coverageDefaults, isStrict: true, isEquivalence: true })
    expect(resolve({ tolerance: undefined }).tolerance).toBe(0)
  })

  it.each([
    [{ args: 'subset' }, false],
    [{ tolerance: 0.1 }, false],
    [{ equal: () => undefined }, false],
    [{ unordered: ['ids'] }, true],
    [{ defaults: { f: { a: 1 } } }, true],
    [{ unicode: 'nfc' }, true],
  ])('knows whether equality under %j is an equivalence: %s', (policy, isEquivalence) => {
    expect(resolve(policy)).toMatchObject({ isStrict: false, isEquivalence })
  })

  it.each([
    [{ matchings: 'set' }, 'coverage: options.matchings: expected one of'],
    [{ matching: 'bag' }, 'coverage: options.matching: expected one of "multiset", "set", got "bag"'],
    [{ tolerance: -1 }, 'coverage: options.tolerance: expected a finite number, 0 or more, got -1'],
    [{ tolerance: Number.POSITIVE_INFINITY }, 'coverage: options.tolerance'],
    [{ unordered: 'ids' }, 'coverage: options.unordered: expected a list of paths, or one a tool, got "ids"'],
    [
      { unordered: ['a..b'] },
      'options.unordered[0]: expected a path like "ids" or "passengers[].bags", got "a..b"',
    ],
    [{ unordered: ['a[0]'] }, 'options.unordered[0]: expected a path'],
    [{ unordered: [''] }, 'options.unordered[0]: expected a path'],
    [{ unordered: { f: 'ids' } }, 'options.unordered.f: expected a list of paths, got "ids"'],
    [{ defaults: { f: 1 } }, 'options.defaults.f: expected an object of arguments, got 1'],
    [{ defaults: { f: { a: [Number.NaN] } } }, 'options.defaults.f.a[0]: expected a JSON value, got NaN'],
    [{ unicode: 'nfd' }, 'options.unicode'],
    [{ emptyGolden: 'zero' }, 'options.emptyGolden'],
    [{ maxExtraCalls: -1 }, 'options.maxExtraCalls: expected a whole number, 0 or more, got -1'],
    [{ normalizeName: 'lower' }, 'options.normalizeName: expected a function'],
    [{ equal: true }, 'options.equal: expected a function'],
    [
      { defaults: { 'a.b': {}, a_b: {} }, normalizeName: (name: string) => name.replaceAll('.', '_') },
      'options.defaults.a_b: expected tools that stay apart under normalizeName',
    ],
  ])('refuses %j', (policy, message) => {
    expect(() => resolve(policy)).toThrow(message)
    expect(() => resolve(policy)).toThrow(expect.objectContaining({ code: 'OPTION' }))
  })

  it('finds what belongs to a tool under its normalized name', () => {
    const normalizeName = (name: string): string => name.replaceAll('.', '_')
    const policy = resolve({ normalizeName, defaults: { 'a.b': { n: 1 } }, unordered: { a_b: ['ids'] } })
    const looseness = policy.loosenessOf('a.b')
    expect(looseness.defaults).toEqual({ n: 1 })
    expect(looseness.unordered?.keys.get('ids')?.isUnordered).toBe(true)
    expect(policy.loosenessOf('c').defaults).toBeUndefined()
  })
})
