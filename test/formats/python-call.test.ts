/**
 * Call expressions of Python: what is read, what is refused, and that reading undoes printing.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PythonCall, parsePythonCalls } from '../../src/formats/python-call.js'
import type { JsonValue } from '../../src/reward/call.js'

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}n` : v)))

function calls(text: string): readonly PythonCall[] {
  const parsed = parsePythonCalls(text)
  if (!parsed.ok) throw new Error(`${parsed.detail} at ${parsed.position} of ${text.slice(0, 80)}`)
  return parsed.calls
}

/** The value of the one argument of a call. */
const value = (text: string): unknown => plain(calls(`f(${text})`)[0]!.positional[0])

function fault(text: string): string {
  const parsed = parsePythonCalls(text)
  return parsed.ok ? 'none' : `${parsed.position}: ${parsed.detail}`
}

describe('a call expression', () => {
  it('has a name, positional and keyword arguments', () => {
    expect(plain(calls("mv(source='a.txt', destination='temp')"))).toEqual([
      { name: 'mv', positional: [], keywords: { source: 'a.txt', destination: 'temp' } },
    ])
    expect(plain(calls("fs.sub.cd('x', 2, deep = True,)"))).toEqual([
      { name: 'fs.sub.cd', positional: ['x', 2], keywords: { deep: true } },
    ])
    expect(plain(calls(' pwd ( ) '))).toEqual([{ name: 'pwd', positional: [], keywords: {} }])
    expect(calls("f(__proto__=1, constructor='x')")[0]!.keywords).toEqual(
      Object.assign(Object.create(null), JSON.parse('{"__proto__":1,"constructor":"x"}')),
    )
  })

  it('stands alone, beside others, or in a list of them', () => {
    for (const text of ['[f(1), g(a=2)]', 'f(1), g(a=2)', ' [ f(1) ,\n g(a=2) , ] '])
      expect(calls(text).map(({ name }) => name)).toEqual(['f', 'g'])
    expect(calls('[]')).toEqual([])
  })
})

describe('values', () => {
  it('are numbers of any size, in every way Python writes them', () => {
    expect(value('-5')).toBe(-5)
    expect(value('+ 5')).toBe(5)
    expect(value('1_000')).toBe(1000)
    expect(value('0x_ff')).toBe(255)
    expect(value('-0b101')).toBe(-5)
    expect(value('0o17')).toBe(15)
    expect(value('00')).toBe(0)
    expect(value('.5')).toBe(0.5)
    expect(value('5.')).toBe(5)
    expect(value('012.5')).toBe(12.5)
    expect(value('1E-3')).toBe(0.001)
    expect(value('1_0.0_1e1_0')).toBe(10.01e10)
    expect(value('12345678901234567890')).toBe('12345678901234567890n')
    expect(value('-0xffffffffffffffffffff')).toBe('-1208925819614629174706175n')
    expect(Object.is(calls('f(-0.0)')[0]!.positional[0], 0)).toBe(true)
  })

  it('are strings with all their quotes, prefixes and escapes', () => {
    expect(value(String.raw`'it\'s'`)).toBe("it's")
    expect(value(`"""two\nlines "and" quotes"""`)).toBe('two\nlines "and" quotes')
    expect(value(`'''a'b''c'''`)).toBe("a'b''c")
    expect(value(`''''x'''`)).toBe("'x")
    expect(value(String.raw`r'\n\''`)).toBe(String.raw`\n\'`)
    expect(value(String.raw`u"\x41\u00e9\U0001F600\101\0"`)).toBe('Aé😀A\0')
    expect(value(String.raw`'\a\b\f\n\r\t\v\\\"'`)).toBe('\x07\b\f\n\r\t\v\\"')
    expect(value("'a\\\nb'")).toBe('ab')
    expect(value(String.raw`'\d\ '`)).toBe(String.raw`\d\ `)
    expect(value(`'a' "b"\n r'c'`)).toBe('abc')
    expect(value("'f(x), [1], {'")).toBe('f(x), [1], {')
    expect(value("''")).toBe('')
  })

  it('are constants, lists, tuples and dicts', () => {
    expect(value('[True, False, None]')).toEqual([true, false, null])
    expect(value('()')).toEqual([])
    expect(value('(1,)')).toEqual([1])
    expect(value('(1)')).toBe(1)
    expect(value("((1, 'a'), [[],],)")).toEqual([[1, 'a'], [[]]])
    expect(value("{'a': {'b': [1]}, \"c\": (2, 3),}")).toEqual({ a: { b: [1] }, c: [2, 3] })
    expect(value('{}')).toEqual({})
  })
})

describe('what is no plain call', () => {
  const refused: Record<string, string> = {
    '': '0: expected the name of a function, got the end of the text',
    'I cannot do that.': '2: expected "(" after I, got cannot',
    f: '1: expected "(" after f, got the end of the text',
    'f(': '2: expected a value, got the end of the text',
    'f(1': '3: expected "," or ")", got the end of the text',
    'f(1 2)': '4: expected "," or ")", got 2',
    'f(1) and more': '5: expected the end of the text after the calls, got and',
    'f(g(1))': '2: expected a value, got g',
    'f(a=g)': '4: expected a value, got g',
    'f(1+2)': '3: expected "," or ")", got "+"',
    'f(*a)': '2: expected a value, got "*"',
    'f(**a)': '2: expected a value, got "*"',
    'f(a=1, 2)': '7: expected name=value after a keyword argument, got 2',
    'f(a=1, a=2)': '7: expected each argument once, got a again',
    'f(a==1)': '2: expected a value, got a',
    "f({'a': 1, 'a': 2})": '11: expected each key once, got one again',
    'f({1: 2})': '3: expected a key in quotes, got 1',
    "f({'a', 'b'})": '6: expected ":" after a key, got ","',
    "f(b'x')": '2: expected a string, got one with the prefix b',
    "f(f'{x}')": '2: expected a string, got one with the prefix f',
    "f('x": '2: expected a string that ends, got one that does not',
    "f(r'x\\')": '2: expected a string that ends, got one that does not',
    "f('a\nb')": '4: expected a string on one line, got a line break',
    "f('\\xg1')": '3: expected 2 hexadecimal digits of a character after \\x, got "\\\\"',
    "f('\\U00110000')": '3: expected 8 hexadecimal digits of a character after \\U, got "\\\\"',
    "f('\\N{BULLET}')": '3: expected an escape by number, got a character by its name',
    'f(0123)': '2: expected a number, got 0123',
    'f(1__0)': '2: expected a number, got 1__0',
    'f(1j)': '2: expected a number, got 1j',
    'f(1e9999999)': '2: expected a number that can be written out, got 1e9999999',
    'f(-True)': '3: expected a number after a sign, got True',
    'f(true)': '2: expected a value, got true',
    'f(...)': '2: expected a value, got "."',
    'f(,)': '2: expected a value, got ","',
    'f.(1)': '2: expected the name of a function, got "("',
    '[f(1)': '5: expected "," or "]", got the end of the text',
    '[1, 2]': '1: expected the name of a function, got 1',
    '__import__("os").system("x")': '16: expected the end of the text after the calls, got "."',
    'f(x := 1)': '2: expected a value, got x',
    'f(a=1 if b else 2)': '6: expected "," or ")", got if',
    'f(1) # note': '5: expected the end of the text after the calls, got "#"',
  }
  for (const [text, wanted] of Object.entries(refused))
    it(`${JSON.stringify(text)} is refused with its place`, () => expect(fault(text)).toBe(wanted))

  it('too many open brackets are refused, however many there are', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['(', ')'],
      ["{'a':", '}'],
    ] as const) {
      const nested = (n: number): string => `f(${open.repeat(n)}1${close.repeat(n)})`
      expect(fault(nested(150))).toBe('none')
      expect(fault(nested(250))).toContain('at most 200 brackets open at once')
      expect(fault(nested(200_000))).toContain('at most 200 brackets open at once')
    }
  })

  it('any text is read or refused, never thrown at', () => {
    const scrap = fc.constantFrom(
      ...`f(a='")[]{},:=\\rb0x1_.e-+jTrueNone*#\n`,
      'f(',
      '"""',
      "'''",
      '\\U',
      '\\x',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(scrap).map((parts) => parts.join('')),
        ),
        (text) => {
          const parsed = parsePythonCalls(text)
          if (!parsed.ok) expect(parsed.position).toBeLessThanOrEqual(text.length)
        },
      ),
      { numRuns: 500 },
    )
  })
})

/** Python source of a string, in one of several ways. */
function printString(text: string, style: number): string {
  const quote = style % 2 === 0 ? "'" : '"'
  const quotes = style % 3 === 0 ? quote.repeat(3) : quote
  const isPlain = !/[\\\r\n'"]/.test(text)
  const body = text.replace(/[\\'"\r\n]|[^ -~]/gsu, (char) => {
    const code = char.codePointAt(0)!
    if (style % 5 === 1 && code > 127) return char
    if (code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`
    return code > 255
      ? `\\u${code.toString(16).padStart(4, '0')}`
      : `\\x${code.toString(16).padStart(2, '0')}`
  })
  return `${isPlain && style % 7 === 0 ? 'r' : ''}${quotes}${isPlain && style % 7 === 0 ? text : body}${quotes}`
}

function print(value: JsonValue, style: number): string {
  const next = (style * 31 + 7) % 1009
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return printString(value, style)
  if (typeof value === 'bigint' && style % 2 === 0)
    return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue, k) => print(item, next + k)).join(', ')
    if (style % 2 === 0) return `[${items}]`
    return value.length === 1 ? `(${items},)` : `(${items})`
  }
  const members = Object.entries(value).map(
    ([key, item], k) => `${printString(key, next + k)} : ${print(item, next + k)}`,
  )
  return `{${members.join(' ,\n')}}`
}

describe('reading', () => {
  const leaf = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.bigInt({ min: 2n ** 60n, max: 2n ** 90n }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0),
    fc.boolean(),
    fc.constant(null),
  )
  const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: false }),
    ),
  }))

  /** Numbers as the exact reader has them: whole ones as integers. */
  const exact = (value: JsonValue): unknown =>
    plain(
      JSON.parse(
        JSON.stringify(value, (_, v) => {
          if (typeof v === 'bigint') return `${v}n`
          return typeof v === 'number' && Number.isInteger(v) && !Number.isSafeInteger(v) ? `~${v}` : v
        }),
      ),
    )

  it('undoes printing', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 3 }), fc.nat(1000), (values, style) => {
        const positional = values.map((one, k) => print(one, style + k))
        const text = `f(${[...positional, ...positional.map((one, k) => `k${k}=${one}`)].join(', ')})`
        const [call] = calls(text)
        const back = (read: JsonValue, was: JsonValue): void => {
          if (typeof was === 'number' && Number.isInteger(was) && !Number.isSafeInteger(was)) {
            expect(Number(read)).toBe(was)
          } else if (typeof was === 'object' && was !== null) {
            expect(Object.keys(read as object)).toEqual(Object.keys(was))
            for (const key of Object.keys(was))
              back((read as Record<string, JsonValue>)[key]!, (was as Record<string, JsonValue>)[key]!)
          } else expect(exact(read)).toEqual(exact(was))
        }
        values.forEach((one, k) => {
          back(call!.positional[k]!, one)
          back(call!.keywords[`k${k}`]!, one)
        })
      }),
      { numRuns: 200 },
    )
  })
})
