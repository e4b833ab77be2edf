import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../src/reward/call.js'
import { jsonEqual } from '../../src/reward/equal.js'
import { parseJson } from '../../src/reward/json.js'
import type { JsonFault } from '../../src/reward/jsonToken.js'

function read(text: string): JsonValue {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error(`${text}: ${parsed.detail}`)
  return parsed.value
}

function fault(text: string): JsonFault {
  const parsed = parseJson(text)
  if (parsed.ok) throw new Error(`${text} was read`)
  return parsed
}

describe('parseJson', () => {
  it('reads every kind of value', () => {
    expect(read(' {"a":[1,-2.5,true,false,null,"x"],"b":{},"c":[]}\r\n\t')).toEqual({
      a: [1, -2.5, true, false, null, 'x'],
      b: {},
      c: [],
    })
  })

  it('keeps integers exact at any size, however they are written', () => {
    expect(read('9007199254740991')).toBe(9007199254740991)
    expect(read('9007199254740992')).toBe(9007199254740992n)
    expect(read('9007199254740993')).toBe(9007199254740993n)
    expect(read('-9007199254740993.0')).toBe(-9007199254740993n)
    expect(read('1e23')).toBe(10n ** 23n)
    expect(read('-12.5e22')).toBe(-125n * 10n ** 21n)
    expect(read('1e400')).toBe(read(`1${'0'.repeat(400)}`))
    expect(read('0.1e1')).toBe(1)
    expect(read('1000000000000000000e-18')).toBe(1)
    expect(read('100e-2')).toBe(1)
    expect(read('0e99999999999')).toBe(0)
  })

  it.each(['5', '5.0', '5e0', '50e-1', '0.5E+1', '5.000'])('reads %s as the integer 5', (text) => {
    expect(read(text)).toBe(5)
  })

  it.each(['-0', '-0.0', '-0e5', '-1e-400'])('reads %s as +0', (text) => {
    expect(read(text)).toBe(0)
  })

  it('takes other numbers as the nearest float64', () => {
    expect(read('0.1')).toBe(0.1)
    expect(read('1e-7')).toBe(1e-7)
    expect(read('9007199254740993.5')).toBe(9007199254740994)
    expect(read('5.00000000000000000000001')).toBe(5)
  })

  it('bounds what exponents write out, over the whole text', () => {
    expect(read('1e999999')).toBe(10n ** 999999n)
    expect(fault('1e1000000')).toMatchObject({ problem: 'number-too-large', position: 0 })
    expect(fault('-1e999999999999999999999')).toMatchObject({ problem: 'number-too-large' })
    expect(fault('[1e600000,1e600000]')).toMatchObject({ problem: 'number-too-large', position: 10 })
    expect(fault(`${'9'.repeat(400)}.5`)).toMatchObject({ problem: 'number-too-large' })
  })

  it('refuses a key given twice, at any depth and however it is escaped', () => {
    expect(fault('{"a":1,"a":2}')).toEqual({
      ok: false,
      problem: 'duplicate-key',
      position: 7,
      detail: 'expected each key once, got "a" again',
    })
    expect(fault('[{"x":{"a":1,"\\u0061":1}}]').problem).toBe('duplicate-key')
    expect(fault('{"__proto__":1,"__proto__":1}').problem).toBe('duplicate-key')
  })

  it('keeps prototype keys as members of their own', () => {
    const value = read('{"__proto__":{"x":1},"constructor":2,"toString":3,"hasOwnProperty":4}') as object
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    expect('x' in value).toBe(false)
    expect('valueOf' in value).toBe(false)
  })

  it('keeps lone surrogates as they are', () => {
    expect(read('"\\ud800"')).toBe('\ud800')
    expect(read('"\ud800"')).toBe('\ud800')
    expect(read('"\\ud83d\\ude00\\n\\/"')).toBe('😀\n/')
  })

  it.each([
    ['', 0, 'expected a value, got the end of the text', 'cut-off'],
    ['{"a":', 5, 'expected a value, got the end of the text', 'cut-off'],
    ['{"c":["a","b"', 13, 'expected "," or "]" after a list element, got the end of the text', 'cut-off'],
    ['"abc', 4, 'expected the closing quote, got the end of the text', 'cut-off'],
    ['{"p":1}{"p":2}', 7, 'expected the end of the text after one value, got "{"', 'concatenated-json'],
    ['{"a":1} thanks', 8, 'expected the end of the text after one value, got thanks', undefined],
    ['{"a":True}', 5, 'expected a value, got True', 'python-literal'],
    ["{'a':1}", 1, 'expected a key in double quotes, got "\'"', 'python-literal'],
    ['[tru', 4, 'expected all of true, got the end of the text', 'cut-off'],
    ['[tru]', 1, 'expected a value, got tru', undefined],
    ['[NaN]', 1, 'expected a value, got NaN, which JSON does not have', undefined],
    ['-Infinity', 0, 'expected a value, got -Infinity, which JSON does not have', undefined],
    ['[1,]', 3, 'expected a value, got "]"', undefined],
    ['{"a":1,}', 7, 'expected a key in double quotes, got "}"', undefined],
    ['{"a" 1}', 5, 'expected ":" after a key, got "1"', undefined],
    ['01', 1, 'expected no digit after a leading 0, got "1"', undefined],
    ['1.', 2, 'expected a digit after the decimal point, got the end of the text', 'cut-off'],
    ['1ex', 2, 'expected a digit of the exponent, got x', undefined],
    ['"\\x"', 2, 'expected an escape that JSON has, got x', undefined],
    ['"\\u12g4"', 5, 'expected four hexadecimal digits after \\u, got g', undefined],
    ['"a\nb"', 2, 'expected control characters as escapes, got "\\n"', undefined],
    ['\ufeff1', 0, 'expected a value, got "\ufeff"', undefined],
  ])('tells what is wrong with %j', (text, position, detail, hint) => {
    const found = fault(text)
    expect(found).toMatchObject({ problem: 'malformed-json', position, detail })
    expect(found.hint).toBe(hint)
  })

  it('tells where a top-level member lies', () => {
    const text = '{"a":{"golden":1}, "golden" : [1, {"golden":2}] ,"b":2}'
    const parsed = parseJson(text, { member: 'golden' })
    if (!parsed.ok) throw new Error(parsed.detail)
    expect(text.slice(parsed.memberStart, parsed.memberEnd)).toBe('[1, {"golden":2}]')
    for (const other of ['{"a":{"golden":1}}', '[{"golden":1}]', '[1]', '3'])
      expect(parseJson(other, { member: 'golden' })).toMatchObject({ memberStart: -1, memberEnd: -1 })
    expect(parseJson('[1]', { member: '' })).toMatchObject({ memberStart: -1 })
    expect(parseJson('{"":12}', { member: '' })).toMatchObject({ memberStart: 4, memberEnd: 6 })
  })

  it('reads a million levels', () => {
    const depth = 1_000_000
    expect(parseJson('['.repeat(depth) + ']'.repeat(depth)).ok).toBe(true)
    expect(parseJson(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`).ok).toBe(true)
    expect(fault('['.repeat(depth)).hint).toBe('cut-off')
  })
})

/** The value as float64 has it: what `JSON.parse` can know. */
function rounded(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(rounded)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, rounded(member)]))
}

const isDuplicate = (text: string): boolean => {
  const parsed = parseJson(text)
  return !parsed.ok && parsed.problem === 'duplicate-key'
}

describe('parseJson and JSON.parse', () => {
  const spaced = fc
    .tuple(fc.json({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'))
    .map(([text, gap]) => JSON.stringify(JSON.parse(text), null, gap))

  it('agree on every text that JSON.stringify writes', () => {
    fc.assert(
      fc.property(spaced, (text) => {
        expect(jsonEqual(rounded(read(text)), JSON.parse(text))).toBe(true)
      }),
    )
  })

  it('agree on which mutated texts are JSON, but for repeated keys', () => {
    const edit = fc.tuple(
      fc.nat(200),
      fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '\\', '0', '-', '.', 'e', ' ', 'u', '\n'),
      fc.nat(2),
    )
    fc.assert(
      fc.property(spaced, fc.array(edit, { maxLength: 3 }), (text, edits) => {
        for (const [at, put, cut] of edits) {
          const k = at % (text.length + 1)
          text = text.slice(0, k) + put + text.slice(k + cut)
        }
        let value: JsonValue | undefined
        try {
          value = JSON.parse(text)
        } catch {
          value = undefined
        }
        const parsed = parseJson(text)
        if (isDuplicate(text)) return
        if (!parsed.ok && parsed.problem === 'number-too-large') return
        expect(parsed.ok).toBe(value !== undefined)
        if (parsed.ok) expect(jsonEqual(rounded(parsed.value), value!)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('agree on numbers of every form', () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,20})$/)
    const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,12}$/))
    const exponent = fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,2}$/))
    fc.assert(
      fc.property(fc.constantFrom('', '-'), digits, fraction, exponent, (sign, whole, part, power) => {
        const text = sign + whole + part + power
        expect(Number(read(text)) + 0).toBe(Number(text) + 0)
      }),
      { numRuns: 500 },
    )
  })

  it('reads an integer the same with and without an exponent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(60), (integer, zeros) => {
        expect(read(`${integer}e${zeros}`)).toBe(read(`${integer * 10n ** BigInt(zeros)}`))
        if (integer !== 0n) expect(read(`${integer}${'0'.repeat(zeros)}e-${zeros}`)).toBe(read(`${integer}`))
      }),
    )
  })
})
