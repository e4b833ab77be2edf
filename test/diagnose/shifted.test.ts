import { describe, expect, it } from 'vitest'
import type { CallTotals } from '../../src/formats/call-totals.js'
import { rolloutLog } from '../../src/formats/log.js'
import type { LogOptions } from '../../src/formats/log-options.js'

const made = (name: string, args = '{}'): object => ({ name, arguments: args })

/** A record whose turns make these calls; each word is a tool, `-` makes none. */
function totals(
  golden: unknown,
  turns: readonly string[],
  options: Partial<LogOptions> = {},
  more = {},
): CallTotals {
  const messages = turns.flatMap((words, t) => [
    ...(t === 0 && words.startsWith('<') ? [] : [{ role: 'user', content: 'next' }]),
    {
      role: 'assistant',
      tool_calls: words
        .replace('<', '')
        .split(' ')
        .filter((word) => word !== '-')
        .map((word) => made(word)),
    },
  ])
  const reader = rolloutLog('log', { shifted: true, ...options })
  reader.addRecord({ group: 'g', rollout: 0, messages, golden, ...more })
  return reader.finish().calls
}

const of = (...names: string[]): object[] => names.map((name) => made(name))

describe('shifted traces', () => {
  it('are missed golden turns whose calls stand one turn early or late', () => {
    expect(totals([of('a'), of('b'), of('c')], ['a b', '-', 'c'])).toEqual({
      testedCalls: 3,
      missedTurns: 1,
      oneTurnEarly: 1,
      oneTurnLate: 0,
    })
    expect(totals([of('a'), of('b'), of('c')], ['-', 'a', 'b'])).toMatchObject({
      missedTurns: 3,
      oneTurnEarly: 0,
      oneTurnLate: 2,
    })
  })

  it('count turns that were not reached, turns beyond the golden trace, and calls before the first turn', () => {
    expect(totals([of('a'), of('b')], ['a b'])).toMatchObject({ missedTurns: 1, oneTurnEarly: 1 })
    expect(totals([of('a'), of('b')], ['a', '-', 'b'])).toMatchObject({ missedTurns: 1, oneTurnLate: 1 })
    expect(totals([of('a')], ['<a', '-'])).toMatchObject({ missedTurns: 1, oneTurnEarly: 1 })
  })

  it('need all calls of the turn in one neighbor', () => {
    expect(totals([of('a'), of('b', 'c'), of('d')], ['a b', '-', 'c d'])).toMatchObject({
      missedTurns: 1,
      oneTurnEarly: 0,
      oneTurnLate: 0,
    })
    expect(totals([of('a'), of('b')], ['a', '-', '-', 'b'])).toMatchObject({ missedTurns: 1, oneTurnLate: 0 })
  })

  it('leave a call to the turn that needs it itself', () => {
    expect(totals([of('a'), of('a')], ['a', '-'])).toMatchObject({ missedTurns: 1, oneTurnEarly: 0 })
    expect(totals([of('a'), of('a')], ['a a', '-'])).toMatchObject({ missedTurns: 1, oneTurnEarly: 1 })
  })

  it('look at arguments, not at names alone', () => {
    const golden = [[], [made('f', '{"x":1}')]]
    const messages = [
      { role: 'user' },
      { role: 'assistant', tool_calls: [made('f', '{"x":2}')] },
      { role: 'user' },
    ]
    expect(totals(golden, [], {}, { messages })).toMatchObject({ missedTurns: 1, oneTurnEarly: 0 })
  })

  it('ask alternatives, and the names as they are compared', () => {
    const golden = [[], { any_of: [of('b.x', 'c'), of('d')] }]
    const options = { policy: { normalizeName: (name: string) => name.replace('.', '_') } }
    expect(totals(golden, ['d', '-'], options)).toMatchObject({ missedTurns: 1, oneTurnEarly: 1 })
    expect(totals(golden, ['c b_x', '-'], options)).toMatchObject({ missedTurns: 1, oneTurnEarly: 1 })
    expect(totals(golden, ['c', 'd'], options)).toMatchObject({ missedTurns: 0 })
  })

  it('do not take a turn that made its calls and too many more for a missed one', () => {
    const options = { policy: { maxExtraCalls: 0 } }
    expect(totals([of('a')], ['a b'], options)).toMatchObject({ missedTurns: 0 })
    expect(totals([of('a')], ['b b'], options)).toMatchObject({ missedTurns: 1 })
  })

  it('are not looked for where a rollout is aborted, its scope is the rollout, or nobody asks', () => {
    const golden = [of('a'), of('b')]
    const nothing = { missedTurns: 0, oneTurnEarly: 0, oneTurnLate: 0 }
    expect(totals(golden, ['a b'], {}, { status: 'aborted' })).toEqual({ testedCalls: 0, ...nothing })
    expect(totals(golden, ['a c'], {}, { scope: 'rollout' })).toEqual({ testedCalls: 2, ...nothing })
    expect(totals(golden, ['a b'], { shifted: false })).toEqual({ testedCalls: 2 })
  })
})

describe('tested calls', () => {
  it('are those of golden turns; under scope rollout all', () => {
    const turns = ['<x', 'a b', 'c']
    expect(totals([of('a')], turns)).toMatchObject({ testedCalls: 2 })
    expect(totals([of('a')], turns, {}, { scope: 'rollout' })).toMatchObject({ testedCalls: 4 })
  })
})
