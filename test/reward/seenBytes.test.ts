/**
 * Remembered arguments against a plain list of texts.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasSeen, type SeenBytes, see, seenStore } from '../../src/reward/seenBytes.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('seen bytes', () => {
  it('are known again to the letter, wherever they stand, and nothing else is', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'é'), { maxLength: 9 }).map((letters) => letters.join(''))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), text, fc.nat(5), (known, asked, before) => {
        const store = seenStore()
        const seen: SeenBytes[] = []
        for (const one of known) see(store, seen, bytesOf(`__${one}_`), 2, 2 + bytesOf(one).length)
        const line = bytesOf(`${'x'.repeat(before)}${asked}ab`)
        const end = before + bytesOf(asked).length
        expect(hasSeen(seen, line, before, end)).toBe(known.includes(asked))
      }),
      { numRuns: 2000 },
    )
  })

  it('go to a new block where one is full, and are left out where they are long', () => {
    const store = seenStore()
    const all: { seen: SeenBytes[]; text: string }[] = []
    for (let k = 0; k < 40; k++) {
      const text = `${k}:`.padEnd(4000, String.fromCharCode(97 + (k % 26)))
      const seen: SeenBytes[] = []
      see(store, seen, bytesOf(text), 0, 4000)
      all.push({ seen, text })
    }
    for (const { seen, text } of all) expect(hasSeen(seen, bytesOf(text), 0, 4000)).toBe(true)
    expect(new Set(all.map(({ seen }) => seen[0]!.block)).size).toBe(3)
    const long: SeenBytes[] = []
    see(store, long, bytesOf('x'.repeat(5000)), 0, 5000)
    expect(long).toEqual([])
  })
})
