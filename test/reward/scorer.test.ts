import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tara } from '../../src/advantage/tara.js'
import { TaraError } from '../../src/errors.js'
import type { JsonValue, ToolCall } from '../../src/reward/call.js'
import { canonicalText } from '../../src/reward/canonical.js'
import { jsonEqual } from '../../src/reward/equal.js'
import { cachedScorer, type Scorer, type ScorerInput } from '../../src/reward/scorer.js'
import { type ScorerGroup, scoreWith } from '../../src/reward/scoreWith.js'

const call = (name: string): ToolCall => ({ name, arguments: '{}' })
const input = (name: string): ScorerInput => ({ calls: [call(name)], messages: [] })

/** A scorer whose promises are settled by hand, and the inputs it was asked for. */
function byHand(): {
  scorer: Scorer
  asked: string[]
  settle: (name: string, score: number | Error) => void
} {
  const open = new Map<string, { resolve: (score: number) => void; reject: (error: Error) => void }>()
  const asked: string[] = []
  return {
    asked,
    scorer: ({ calls }) =>
      new Promise((resolve, reject) => {
        asked.push(calls[0]!.name)
        open.set(calls[0]!.name, { resolve, reject })
      }),
    settle: (name, score) => {
      if (typeof score === 'number') open.get(name)!.resolve(score)
      else open.get(name)!.reject(score)
    },
  }
}

/** Lets everything that can go on go on. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

async function refusal(promise: Promise<unknown>): Promise<TaraError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(TaraError)
  return error as TaraError
}

describe('canonicalText', () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>

  it('is the same for two values iff they are equal as JSON', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(canonicalText('x', a) === canonicalText('x', b)).toBe(jsonEqual(a, b))
        expect(jsonEqual(JSON.parse(canonicalText('x', a)) as JsonValue, a)).toBe(true)
      }),
    )
  })

  it('sorts keys, leaves undefined members out and writes numbers in one way', () => {
    expect(canonicalText('x', { b: [1, { d: -0, c: null }], a: undefined, 10: '', 9: 12n })).toBe(
      '{"10":"","9":12,"b":[1,{"c":null,"d":0}]}',
    )
    expect(canonicalText('x', [2 ** 60, 1e21])).toBe(canonicalText('x', [2n ** 60n, 10n ** 21n]))
    expect(canonicalText('x', 2 ** 60)).not.toBe(canonicalText('x', 1152921504606847000n))
  })

  it('takes any depth', () => {
    let deep: JsonValue = 1
    for (let k = 0; k < 100_000; k++) deep = [deep]
    expect(canonicalText('x', deep)).toHaveLength(200_001)
  })

  it.each([
    [{ a: [0, Number.NaN] }, 'x.a[1]: expected a JSON value, got NaN'],
    [[undefined], 'x[0]: expected a JSON value, got undefined'],
    [{ a: new Map() }, 'x.a: expected a JSON value, got an object'],
    [() => 0, 'x: expected a JSON value, got a function'],
  ])('refuses what is not JSON, with its path: %#', (value, message) => {
    expect(() => canonicalText('x', value)).toThrow(message)
  })

  it('refuses an object that contains itself, and takes one that is there twice', () => {
    const loop: Record<string, unknown> = {}
    loop.a = [loop]
    expect(() => canonicalText('x', loop)).toThrow(
      'x.a[0]: expected a JSON value, got an object that contains itself',
    )
    const twice = { a: 1 }
    expect(canonicalText('x', [twice, twice])).toBe('[{"a":1},{"a":1}]')
  })
})

describe('cachedScorer', () => {
  it('asks once for equal content, whatever the order of its keys', () => {
    let asked = 0
    const scorer = cachedScorer(() => ++asked)
    expect(scorer({ calls: [], messages: [{ role: 'user', content: 'a' }] })).toBe(1)
    expect(scorer({ messages: [{ content: 'a', role: 'user', name: undefined }], calls: [] })).toBe(1)
    expect(scorer({ calls: [], messages: [{ role: 'user', content: 'b' }] })).toBe(2)
    expect(scorer({ task: 'other', calls: [], messages: [{ role: 'user', content: 'a' }] })).toBe(3)
  })

  it('asks once while the score is still to come', async () => {
    const { scorer, asked, settle } = byHand()
    const cached = cachedScorer(scorer)
    const scores = Promise.all([cached(input('a')), cached(input('a')), cached(input('b'))])
    settle('a', 0.5)
    settle('b', 1)
    expect(await scores).toEqual([0.5, 0.5, 1])
    expect(await cached(input('a'))).toBe(0.5)
    expect(asked).toEqual(['a', 'b'])
  })

  it('keeps no failure and no score that is no number', async () => {
    const { scorer, asked, settle } = byHand()
    const cached = cachedScorer(scorer)
    const both = Promise.allSettled([cached(input('a')), cached(input('a'))])
    settle('a', new Error('busy'))
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const again = cached(input('a'))
    settle('a', Number.NaN)
    expect(await again).toBeNaN()
    const third = cached(input('a'))
    settle('a', 1)
    expect(await third).toBe(1)
    expect(asked).toEqual(['a', 'a', 'a'])
    let count = 0
    const sync = cachedScorer(() => (++count === 1 ? Number.NaN : count))
    expect([sync(input('a')), sync(input('a')), sync(input('a'))]).toEqual([Number.NaN, 2, 2])
  })

  it('forgets what was asked for longest ago, by entries or by text', () => {
    const asked: string[] = []
    const scorer: Scorer = ({ calls }) => asked.push(calls[0]!.name)
    const ask = (cached: Scorer, names: string): string => {
      asked.length = 0
      for (const name of names) cached(input(name))
      return asked.join('')
    }
    expect(ask(cachedScorer(scorer, { maxEntries: 2 }), 'abacab')).toBe('abcb')
    expect(ask(cachedScorer(scorer, { maxEntries: 0 }), 'aab')).toBe('aab')
    const size = canonicalText('x', input('a')).length
    expect(ask(cachedScorer(scorer, { maxText: 2 * size }), 'abacab')).toBe('abcb')
    expect(ask(cachedScorer(scorer, { maxText: size - 1 }), 'aab')).toBe('aab')
  })

  it('refuses what is no scorer and no option', () => {
    expect(() => cachedScorer(1 as never)).toThrow('cachedScorer: scorer: expected a function, got 1')
    expect(() => cachedScorer(() => 1, { maxEntries: -1 })).toThrow('cachedScorer: options.maxEntries')
  })
})

describe('scoreWith', () => {
  const groups: ScorerGroup[] = [
    {
      id: 'task-7',
      task: 'book',
      numTurns: 3,
      rollouts: [
        {
          turns: [[call('a')], null, { calls: [call('b')], messages: ['hi'] }, [call('surplus')]],
          outcome: -0,
        },
        { turns: [[call('a')], {}], status: 'truncated' },
        { turns: [[call('lost')]], status: 'aborted' },
      ],
    },
    { rollouts: [{ turns: [[call('b')]] }, { turns: [] }] },
    { rollouts: [] },
  ]

  it('lays the scores of all turns out as a batch, scored at once or later', async () => {
    for (const isAsync of [false, true]) {
      const seen: ScorerInput[] = []
      const scorer: Scorer = (turn) => {
        seen.push(turn)
        const score = turn.calls.length + turn.messages.length / 2
        return isAsync ? settled().then(() => score) : score
      }
      const batch = await scoreWith(scorer, groups, { realRewards: true })
      expect([...batch.groupPtr]).toEqual([0, 3, 5, 5])
      expect([...batch.turnPtr]).toEqual([0, 3, 6, 9, 10, 11])
      expect([...batch.reward]).toEqual([1, 0, 1.5, 1, 0, 0, 0, 0, 0, 1, 0])
      expect([...batch.reached]).toEqual([1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0])
      expect([...batch.valid]).toEqual([1, 1, 0, 1, 1])
      expect([...batch.truncated!]).toEqual([0, 1, 0, 0, 0])
      expect([...batch.hasGolden]).toEqual([1, 0, 0])
      expect([...batch.outcome!].map((value) => Object.is(value, 0))).toEqual(Array(5).fill(true))
      expect([...batch.hasOutcome!]).toEqual([1, 0, 0, 0, 0])
      expect(batch.realRewards).toBe(true)
      expect(seen).toEqual([
        { task: 'book', calls: [call('a')], messages: [] },
        { task: 'book', calls: [call('b')], messages: ['hi'] },
        { task: 'book', calls: [], messages: [] },
        { calls: [call('b')], messages: [] },
      ])
    }
  })

  it('makes a group flat whose turns are alike, also under a judge that wavers', async () => {
    let waver = 0
    const alike: ScorerGroup[] = [{ rollouts: [{ turns: [[call('a')]] }, { turns: [[call('a')]] }] }]
    const batch = await scoreWith(() => (waver += 0.25), alike, { realRewards: true })
    expect([...tara(batch)]).toEqual([0, 0])
    const asked = await scoreWith(() => (waver += 0.25), alike, { realRewards: true, maxEntries: 0 })
    expect(tara(asked)[1]!).toBeGreaterThan(0.9)
  })

  it('scores at most so many turns at a time, in order', async () => {
    const { scorer, asked, settle } = byHand()
    const five: ScorerGroup[] = [{ rollouts: [...'abcde'].map((name) => ({ turns: [[call(name)]] })) }]
    const batch = scoreWith(scorer, five, { concurrency: 2 })
    await settled()
    expect(asked.join('')).toBe('ab')
    settle('b', 1)
    await settled()
    expect(asked.join('')).toBe('abc')
    settle('a', 0)
    settle('c', 0)
    await settled()
    expect(asked.join('')).toBe('abcde')
    settle('e', 1)
    settle('d', 0)
    expect([...(await batch).reward]).toEqual([0, 1, 0, 0, 1])
  })

  it('says which turn of which rollout of which group a scorer failed at, the earliest', async () => {
    const { scorer, asked, settle } = byHand()
    const names = ['a', 'b', 'c', 'd']
    const four: ScorerGroup[] = [{ id: 'x', rollouts: [{ turns: names.map((name) => [call(name)]) }] }]
    const failed = refusal(scoreWith(scorer, four, { concurrency: 3 }))
    await settled()
    settle('c', new Error('third'))
    await settled()
    const cause = new RangeError('second')
    settle('b', cause)
    settle('a', 1)
    const error = await failed
    expect(error.message).toBe(
      'scoreWith: groups[x].rollouts[0].turns[1]: expected a score, got RangeError: second',
    )
    expect(error).toMatchObject({ code: 'MISSING', cause })
    expect(asked).toEqual(['a', 'b', 'c'])
  })

  it('says so where a scorer throws at once, or throws no error', async () => {
    const one: ScorerGroup[] = [{ rollouts: [{ turns: [[]] }] }]
    const place = 'scoreWith: groups[0].rollouts[0].turns[0]: '
    const throwing = (reason: unknown): Scorer => {
      return () => {
        throw reason
      }
    }
    expect((await refusal(scoreWith(throwing('no'), one))).message).toBe(`${place}expected a score, got "no"`)
    const inner = new TaraError('JSON', 'verdict', 'expected JSON, got a poem')
    const error = await refusal(scoreWith(throwing(inner), one))
    expect(error.message).toBe(`${place}verdict: expected JSON, got a poem`)
    expect(error.code).toBe('JSON')
  })

  it.each<[unknown, boolean, string]>([
    [0.5, false, 'expected 0 or 1, got 0.5 (realRewards allows others)'],
    [Number.NaN, true, 'expected a finite number of at most 1e+300 in size, got NaN'],
    [Number.POSITIVE_INFINITY, true, 'got Infinity'],
    ['1', true, 'expected a number, got "1"'],
    [undefined, false, 'expected a number, got undefined'],
  ])('refuses the score %s', async (score, realRewards, message) => {
    for (const given of [score, Promise.resolve(score)]) {
      const error = await refusal(
        scoreWith(() => given as number, [{ rollouts: [{ turns: [[]] }] }], { realRewards }),
      )
      expect(error.message).toContain('scoreWith: groups[0].rollouts[0].turns[0]: ')
      expect(error.message).toContain(message)
    }
  })

  it.each<[unknown, string]>([
    [1, 'scoreWith: groups: expected a list of groups, got 1'],
    [[null], 'groups[0]: expected a group with rollouts, got null'],
    [[{}], 'groups[0].rollouts: expected a list of rollouts'],
    [[{ rollouts: [], numTurns: -1 }], 'groups[0].numTurns: expected a whole number'],
    [[{ rollouts: [{}] }], 'rollouts[0].turns: expected a list of turns'],
    [[{ rollouts: [{ turns: [1] }] }], 'turns[0]: expected a turn, a list of calls, or null, got 1'],
    [[{ rollouts: [{ turns: [{ calls: 1 }] }] }], 'turns[0].calls: expected a list of calls'],
    [[{ rollouts: [{ turns: [{ messages: {} }] }] }], 'turns[0].messages: expected a list of messages'],
    [[{ rollouts: [{ turns: [], status: 'ok' }] }], 'rollouts[0].status: expected complete'],
    [[{ rollouts: [{ turns: [], outcome: Number.NaN }] }], 'rollouts[0].outcome: expected a finite'],
    [
      [{ rollouts: [{ turns: [{ messages: [Number.NaN] }] }] }],
      'turns[0]: cachedScorer: input.messages[0]: expected a JSON value, got NaN',
    ],
  ])('refuses groups that cannot be read, with the path: %#', async (given, message) => {
    expect((await refusal(scoreWith(() => 1, given as ScorerGroup[]))).message).toContain(message)
  })

  it('refuses what is no scorer and no option', async () => {
    expect((await refusal(scoreWith(1 as never, []))).message).toContain(
      'scoreWith: scorer: expected a function',
    )
    expect((await refusal(scoreWith(() => 1, [], { concurrency: 0 }))).message).toContain(
      'options.concurrency',
    )
    expect((await refusal(scoreWith(() => 1, [], { retries: 1 } as never))).message).toContain(
      'options.retries',
    )
  })
})
