import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TaraError } from '../../src/errors.js'
import { asText, lineSplitter } from '../../src/formats/lines.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function split(chunks: readonly Uint8Array[], maxLine = 1000): [string, number][] {
  const seen: [string, number][] = []
  const lines = lineSplitter(
    'in',
    maxLine,
    asText('in', (text, line) => seen.push([text, line])),
  )
  for (const chunk of chunks) lines.push(chunk)
  lines.end()
  return seen
}

function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof TaraError) return `${error.code} ${error.message}`
    throw error
  }
  return 'nothing'
}

describe('lineSplitter', () => {
  it('splits at 0x0A only, and counts blank lines', () => {
    expect(split([bytes('a\u2028b\n\n  \t\nc\u2029\u0085d')])).toEqual([
      ['a\u2028b', 1],
      ['c\u2029\u0085d', 4],
    ])
  })

  it('takes a byte-order mark, CRLF and a missing final newline', () => {
    expect(split([bytes('\ufeff{}\r\n\r\n[]')])).toEqual([
      ['{}\r', 1],
      ['[]', 3],
    ])
  })

  it('keeps a byte-order mark that does not lead', () => {
    expect(split([bytes('a\n\ufeffb\n')])[1]).toEqual(['\ufeffb', 2])
  })

  it('gives the same lines however the bytes are cut', () => {
    const text = fc
      .array(fc.constantFrom('a', 'é', '𝄞', '\n', '\r', ' ', '\u2028'), { maxLength: 60 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.array(fc.nat(20), { maxLength: 30 }), (whole, cuts) => {
        const all = bytes(whole)
        const chunks: Uint8Array[] = []
        let at = 0
        for (const cut of cuts) {
          chunks.push(all.slice(at, at + cut))
          at += cut
        }
        chunks.push(all.slice(at))
        expect(split(chunks)).toEqual(split([all]))
      }),
    )
  })

  it('may be given a buffer that is used again', () => {
    const buffer = bytes('{"a"')
    const seen: string[] = []
    const lines = lineSplitter(
      'in',
      100,
      asText('in', (text) => seen.push(text)),
    )
    lines.push(buffer)
    buffer.set(bytes(':1}\n'))
    lines.push(buffer)
    expect(seen).toEqual(['{"a":1}'])
  })

  it('refuses a line over the cap, wherever it is cut', () => {
    const message = 'TOO_LARGE in:2: expected a line of at most 5 bytes, got a longer one'
    expect(faultOf(() => split([bytes('12345\n123456\n')], 5))).toBe(message)
    expect(faultOf(() => split([bytes('12345\n123'), bytes('456\n')], 5))).toBe(message)
    expect(faultOf(() => split([bytes('12345\n1234567')], 5))).toBe(message)
    expect(split([bytes('12345\n')], 5)).toHaveLength(1)
  })

  it.each([
    ['a stray byte', [0x7b, 0xff, 0x7d]],
    ['a cut sequence', [0x61, 0xc3]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('refuses %s', (_name, line) => {
    expect(faultOf(() => split([bytes('ok\n'), Uint8Array.from(line)]))).toBe(
      'ENCODING in:2: expected UTF-8, got bytes that are not',
    )
  })
})
