import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../src/reward/call.js'
import { type GoldenGroup, sameGolden, scoreGroups } from '../../src/reward/score.js'

const a: ToolCall = { name: 'a', arguments: '{}' }
const b: ToolCall = { name: 'b', arguments: { x: 1 } }

describe('scoreGroups', () => {
  it('scores groups of any K and T in the order given', () => {
    const { batch, coverage } = scoreGroups([
      { golden: [[a], [b]], rollouts: [{ turns: [[a], [b]] }, { turns: [[a]] }, { turns: [[b], [b]] }] },
      { golden: [], rollouts: [{ turns: [[a]] }] },
      { golden: [[b]], scope: 'rollout', rollouts: [{ turns: [[], [b]] }] },
    ])
    expect([...batch.groupPtr]).toEqual([0, 3, 4, 5])
    expect([...batch.turnPtr]).toEqual([0, 2, 4, 6, 6, 7])
    expect([...batch.reward]).toEqual([1, 1, 1, 0, 0, 1, 1])
    expect([...batch.reached]).toEqual([1, 1, 1, 0, 1, 1, 1])
    expect([...batch.hasGolden]).toEqual([1, 1, 1])
    expect(batch).not.toHaveProperty('truncated')
    expect(batch).not.toHaveProperty('masked')
    expect(batch).not.toHaveProperty('outcome')
    expect(coverage[0]![1]![1]).toBe(null)
    expect(coverage[0]![2]![0]!.missed).toEqual([{ index: 0, name: 'a', reason: 'no-such-call' }])
    expect(coverage.map((group) => group.map((row) => row.length))).toEqual([[2, 2, 2], [0], [1]])
  })

  it('keeps status, outcome and masked turns', () => {
    const { batch } = scoreGroups(
      [
        {
          golden: [[], [a]],
          rollouts: [
            { turns: [[], [a]], status: 'aborted', outcome: 1 },
            { turns: [[], [a]], status: 'truncated' },
            { turns: [[], [a]], outcome: -0 },
          ],
        },
      ],
      { emptyGolden: 'mask' },
    )
    expect([...batch.valid]).toEqual([0, 1, 1])
    expect([...batch.truncated!]).toEqual([0, 1, 0])
    expect([...batch.masked!]).toEqual([1, 0, 1, 0, 1, 0])
    expect([...batch.reward]).toEqual([0, 0, 0, 1, 0, 1])
    expect([...batch.reached]).toEqual([0, 0, 1, 1, 1, 1])
    expect([...batch.outcome!]).toEqual([1, 0, 0])
    expect([...batch.hasOutcome!]).toEqual([1, 0, 1])
  })

  it.each([
    [[{ golden: 1, rollouts: [] }], 'scoreGroups: groups[0].golden: expected a list'],
    [[{ id: 'task-7', golden: [[{}]], rollouts: [] }], 'scoreGroups: groups[task-7].golden[0][0].name'],
    [[null], 'scoreGroups: groups[0]: expected a group'],
    [[{ golden: [] }], 'scoreGroups: groups[0].rollouts: expected a list of rollouts, got undefined'],
    [[{ golden: [], rollouts: [3] }], 'groups[0].rollouts[0]: expected a rollout'],
    [[{ golden: [], rollouts: [{}] }], 'groups[0].rollouts[0].turns: expected a list'],
    [[{ golden: [], rollouts: [{ turns: [a] }] }], 'rollouts[0].turns[0]: expected a list of calls, or null'],
    [[{ golden: [], rollouts: [{ turns: [], before: 1 }] }], 'rollouts[0].before: expected a list of calls'],
    [[{ golden: [], rollouts: [{ turns: [], status: 'ok' }] }], 'rollouts[0].status: expected complete'],
    [
      [{ golden: [], rollouts: [{ turns: [], outcome: Number.NaN }] }],
      'rollouts[0].outcome: expected a finite',
    ],
    [[{ golden: [], rollouts: [], scope: 'task' }], 'groups[0].scope: expected turn or rollout, got "task"'],
  ])('refuses what cannot be read, with its path: %#', (groups, message) => {
    expect(() => scoreGroups(groups as readonly unknown[] as readonly GoldenGroup[])).toThrow(message)
  })

  it('refuses maxExtraCalls where a group has scope rollout', () => {
    const groups: GoldenGroup[] = [{ golden: [], rollouts: [], scope: 'rollout' }]
    expect(() => scoreGroups(groups, { maxExtraCalls: 1 })).toThrow('scoreGroups: options.maxExtraCalls')
  })
})

describe('sameGolden', () => {
  const trace = [[a, b], { any_of: [[a], [b]] }]

  it('takes the same calls as the same, whether as text or as values', () => {
    const other = [
      [
        { id: 'c1', name: 'a' },
        { name: 'b', arguments: '{"x":1.0}', requestor: 'assistant' },
      ],
      { any_of: [[{ name: 'a', arguments: null }], [b]] },
    ]
    expect(sameGolden(trace, other)).toBe(true)
    expect(sameGolden(trace, structuredClone(trace))).toBe(true)
  })

  it.each([
    [[[a, b]]],
    [[[b, a], trace[1]]],
    [[[a, { name: 'b', arguments: { x: 2 } }], trace[1]]],
    [[[a, { ...b, requestor: 'user' }], trace[1]]],
    [[[a, b], { any_of: [[b], [a]] }]],
    [[[a, b], [a]]],
    [[[a, { name: 'b', arguments: '{"x":' }], trace[1]]],
    [null],
    [undefined],
  ])('tells others apart: %#', (other) => {
    expect(sameGolden(trace, other)).toBe(false)
    expect(sameGolden(other, trace)).toBe(false)
  })
})
