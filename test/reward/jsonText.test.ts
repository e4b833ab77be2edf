import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/reward/json.js'
import { jsonText } from '../../src/reward/jsonText.js'

describe('jsonText', () => {
  it('writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value)
        expect(jsonText(JSON.parse(json))).toBe(JSON.stringify(JSON.parse(json)))
      }),
    )
  })

  it('writes integers of any size as digits, −0 as 0 and lone surrogates escaped', () => {
    expect(jsonText([9007199254740993n, -0, '\ud800', { a: null }])).toBe(
      '[9007199254740993,0,"\\ud800",{"a":null}]',
    )
  })

  it('writes a million levels', () => {
    const text = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    const parsed = parseJson(text)
    expect(parsed.ok && jsonText(parsed.value) === text).toBe(true)
  })
})
