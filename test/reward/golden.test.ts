import { describe, expect, it } from 'vitest'
import {
  argumentMemo,
  MEMO_ENTRIES,
  MEMO_SHORTEST,
  MEMO_SIZE,
  readArguments,
} from '../../src/reward/arguments.js'
import type { CallRollout, Scope, ToolCall } from '../../src/reward/call.js'
import { compileGolden, type RolloutScore, scoreRollout } from '../../src/reward/golden.js'
import { type CoveragePolicy, resolveCoveragePolicy } from '../../src/reward/policy.js'

const a: ToolCall = { name: 'a', arguments: '{}' }
const b: ToolCall = { name: 'b', arguments: {} }
const broken: ToolCall = { name: 'a', arguments: '{' }

function score(
  golden: unknown,
  rollout: CallRollout,
  scope: Scope = 'turn',
  policy: Partial<CoveragePolicy> = {},
): RolloutScore {
  const compiled = compileGolden('golden', golden, resolveCoveragePolicy('test', policy))
  const explained = scoreRollout(compiled, rollout, scope, { explain: true })
  expect(scoreRollout(compiled, rollout, scope)).toEqual({ ...explained, coverage: [] })
  return explained
}

describe('compileGolden', () => {
  it('holds T and the masked turns', () => {
    const masks = resolveCoveragePolicy('test', { emptyGolden: 'mask' })
    expect(compileGolden('golden', [[a], [], { any_of: [[]] }], masks)).toMatchObject({
      numTurns: 3,
      masked: Uint8Array.of(0, 1, 0),
    })
    const plain = compileGolden('golden', [[a], []], resolveCoveragePolicy('test'))
    expect(plain.masked).toEqual(Uint8Array.of(0, 0))
  })

  it.each([
    [undefined, 'golden: expected a list with one list of calls a turn, got undefined'],
    [[[a], a], 'golden[1]: expected a list of calls'],
    [
      [[a], [{ name: 'f', arguments: [1, 2] }]],
      'golden[1][0].arguments: expected an object, got a list of 2',
    ],
  ])('tells where a trace cannot be read: %#', (golden, message) => {
    expect(() => score(golden, { turns: [] })).toThrow(message)
  })

  it('refuses names of different turns that become one', () => {
    const policy = { normalizeName: (name: string) => name.toLowerCase() }
    expect(() => score([[a], [{ name: 'A' }]], { turns: [] }, 'turn', policy)).toThrow('golden[1][0].name')
  })
})

describe('scoreRollout under scope turn', () => {
  it('tests each turn against its own calls', () => {
    expect(score([[a], [b]], { turns: [[b], [a]] })).toMatchObject({
      reward: [0, 0],
      reached: [1, 1],
      extra: 2,
    })
    expect(score([[a], [b]], { turns: [[a, b, broken], [b]] })).toMatchObject({
      reward: [1, 1],
      extra: 2,
      malformed: 1,
    })
  })

  it('gives an unreached turn 0, also if its golden turn is empty', () => {
    expect(score([[a], [], []], { turns: [[a], null] })).toMatchObject({
      reward: [1, 0, 0],
      reached: [1, 0, 0],
      coverage: [{ covered: true }, null, null],
    })
    expect(score([[a], []], { turns: [null, []] })).toMatchObject({ reward: [0, 1], reached: [0, 1] })
  })

  it('counts surplus turns and early calls and ignores them', () => {
    expect(score([[a]], { before: [a, broken], turns: [[], [a, b], null, []] })).toMatchObject({
      reward: [0],
      surplus: 3,
      surplusCalls: 2,
      early: 2,
      extra: 0,
      malformed: 0,
    })
  })

  it('scores an aborted rollout 0 and unreached, a truncated one as usual', () => {
    expect(score([[a], []], { turns: [[a], [b]], status: 'aborted' })).toEqual({
      reward: [0, 0],
      reached: [0, 0],
      coverage: [null, null],
      surplus: 0,
      surplusCalls: 0,
      early: 0,
      extra: 0,
      tested: 0,
      malformed: 0,
    })
    expect(score([[a], [b]], { turns: [[a]], status: 'truncated' })).toMatchObject({ reward: [1, 0] })
  })

  it('gives a masked turn 0 and keeps it reached', () => {
    const masked = score([[a], []], { turns: [[a], []] }, 'turn', { emptyGolden: 'mask' })
    expect(masked).toMatchObject({ reward: [1, 0], reached: [1, 1] })
  })
})

describe('scoreRollout under scope rollout', () => {
  it('tests every golden turn against all calls, those before the first turn too', () => {
    const rollout = { before: [a], turns: [[b], null, [b, broken]] }
    expect(score([[b], [a], [a, b], [b, b, b]], rollout, 'rollout')).toMatchObject({
      reward: [1, 1, 1, 0],
      reached: [1, 1, 1, 1],
      early: 0,
      surplus: 0,
      extra: 1,
      malformed: 1,
    })
  })

  it('counts as extra the calls that are for no golden turn', () => {
    expect(score([[a], [a]], { turns: [[a, a, b]] }, 'rollout')).toMatchObject({ reward: [1, 1], extra: 2 })
    expect(score([], { turns: [[a]] }, 'rollout')).toMatchObject({ reward: [], extra: 1 })
  })

  it('takes an empty golden turn as 1, under forbid-calls only if no call was made at all', () => {
    const forbids = { emptyGolden: 'forbid-calls' } as const
    expect(score([[], [a]], { turns: [[a]] }, 'rollout').reward).toEqual([1, 1])
    expect(score([[], [a]], { turns: [[a]] }, 'rollout', forbids).reward).toEqual([0, 1])
    expect(score([[]], { turns: [[]], before: [a] }, 'rollout', forbids).reward).toEqual([0])
    expect(score([[]], { turns: [] }, 'rollout', forbids).reward).toEqual([1])
  })

  it('has no maxExtraCalls', () => {
    expect(() => score([[a]], { turns: [] }, 'rollout', { maxExtraCalls: 0 })).toThrow(
      expect.objectContaining({ code: 'OPTION' }),
    )
  })

  it('is 0 and unreached for an aborted rollout', () => {
    const aborted = score([[], [a]], { turns: [[a]], status: 'aborted' }, 'rollout')
    expect(aborted).toMatchObject({ reward: [0, 0], reached: [0, 0] })
  })
})

describe('the memo of argument texts', () => {
  const long = (k: number): string => `{"a":${k},"b":"${'x'.repeat(MEMO_SHORTEST)}"}`

  it('parses the same long text once, and does not keep short ones', () => {
    const memo = argumentMemo()
    expect(readArguments(long(1), memo)).toBe(readArguments(long(1), memo))
    expect(readArguments('{"a":1}', memo)).toEqual(readArguments('{"a":1}', memo))
    expect(memo.parsed.size).toBe(1)
  })

  it('stays within its bounds', () => {
    const memo = argumentMemo()
    for (let k = 0; k < MEMO_ENTRIES + 10; k++) readArguments(long(k), memo)
    expect(memo.parsed.size).toBeGreaterThan(0)
    expect(memo.parsed.size).toBeLessThanOrEqual(MEMO_ENTRIES)
    const text = (k: number): string => `{"a":"${'x'.repeat(MEMO_SIZE / 3)}${k}"}`
    for (let k = 0; k < 10; k++) {
      expect(readArguments(text(k), memo).ok).toBe(true)
      expect(memo.size).toBeLessThanOrEqual(MEMO_SIZE)
    }
    expect(readArguments(`{"a":"${'x'.repeat(MEMO_SIZE)}"}`, memo).ok).toBe(true)
    expect(memo.size).toBeLessThanOrEqual(MEMO_SIZE)
  })
})
