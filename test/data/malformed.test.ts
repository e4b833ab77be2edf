/**
 * Whatever a model writes as arguments: the log is read, and only the turn it stands in may change.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reachedOf, readLog, rewardsOf } from '../formats/records.js'
import { hasData, logLines, logNames } from './logs.js'

interface Call {
  readonly function: { arguments: unknown }
}
interface Logged {
  readonly messages: readonly { readonly tool_calls?: readonly Call[] | null }[]
  readonly golden: readonly unknown[]
}

const junk = [
  '"',
  '{',
  '}',
  '\\',
  ',',
  '\u0000',
  '\u2028',
  '\ud800',
  '9'.repeat(400),
  '1e999999',
  '"a":1,"a":2',
  'NaN',
  '[[[[',
  '{"__proto__":1}',
  '<|call|>',
]

/** A text in which something is cut, put in, doubled or turned around. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(30),
  put: fc.oneof(fc.constantFrom(...junk), fc.string({ maxLength: 8 })),
  twice: fc.boolean(),
})

const values = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, 3, -0, '', ' ', [], [1], {}, 'null', '"{}"'),
  fc.jsonValue(),
)

describe.skipIf(!hasData)('malformed arguments in the shared logs (skipped where they are missing)', () => {
  for (const name of logNames)
    it(`never stop the reading of ${name}`, () => {
      const lines = logLines(name).filter((line) => line.includes('"arguments"'))
      fc.assert(
        fc.property(
          fc.nat(lines.length - 1),
          fc.nat(),
          fc.option(mutation),
          values,
          (index, pick, change, value) => {
            const record = JSON.parse(lines[index]!) as Logged
            const calls = record.messages.flatMap((message) => message.tool_calls ?? [])
            if (calls.length === 0) return
            const { function: body } = calls[pick % calls.length]!
            const text = typeof body.arguments === 'string' ? body.arguments : JSON.stringify(body.arguments)
            if (change === null) body.arguments = value
            else {
              const at = Math.floor(change.at * text.length)
              const mutated = text.slice(0, at) + change.put + text.slice(at + change.cut)
              body.arguments = change.twice ? mutated + mutated : mutated
            }
            const log = readLog([JSON.stringify(record)])
            const before = readLog([lines[index]!])
            expect(reachedOf(log)).toEqual(reachedOf(before))
            expect(rewardsOf(log)[0]!.every((reward) => reward === 0 || reward === 1)).toBe(true)
            if ('scope' in record) return
            const changed = rewardsOf(log)[0]!.filter((reward, t) => reward !== rewardsOf(before)[0]![t])
            expect(changed.length).toBeLessThanOrEqual(1)
          },
        ),
        { numRuns: 300 },
      )
    })
})
