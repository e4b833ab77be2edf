/**
 * What an export refuses, and what it says of itself.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { turnBatch } from '../../src/batch/build.js'
import type { RolloutTokens } from '../../src/tokens/read.js'
import { tokenSpans } from '../../src/tokens/spans.js'
import * as entry from '../../src/trainers/index.js'
import type { TrainerInput } from '../../src/trainers/input.js'
import { version } from '../../src/trainers/version.js'

const { toAtropos, toPrimeRl, toRllm, toTinker, toTrl, toTurns, toVerl, trainers } = entry

const batch = turnBatch([{ rewards: [[1], [0]] }])

/** Two rollouts of two tokens, with whatever else is given of the first and of the second. */
function input(first: object = {}, second: object = first, more: Partial<TrainerInput> = {}): TrainerInput {
  const tokens = [first, second].map((fields) => ({
    length: 2,
    turns: [[[0, 2]]],
    ...fields,
  })) as RolloutTokens[]
  return {
    batch,
    tokens,
    keys: [
      { group: 'a', rollout: 0 },
      { group: 'a', rollout: 1 },
    ],
    turnAdvantage: Float64Array.of(1, -1),
    spans: tokenSpans(batch, tokens),
    ...more,
  }
}

const ids = { ids: [3, 4] }

describe('exports', () => {
  it.each([
    ['toTinker', toTinker],
    ['toAtropos', toAtropos],
  ])('%s needs token ids', (name, make) => {
    expect(() => make(input())).toThrow(
      `${name}: tokens[0].ids: expected a list of token ids, which ${name} needs, got undefined`,
    )
    const place = (i: number): string => `log.jsonl:${i + 1}: tokens`
    expect(() => make(input(ids, {}, { place }))).toThrow(
      `log.jsonl:2: tokens.ids: expected a list of token ids, which ${name} needs, got undefined`,
    )
  })

  it('name the sequence whose ids are missing', () => {
    const tokens = [
      { sequences: [{ length: 1, ids: [1] }, { length: 1 }], turns: [[]] },
      { length: 0, turns: [[]] },
    ] as RolloutTokens[]
    expect(() => toTinker(input({}, {}, { tokens, spans: tokenSpans(batch, tokens) }))).toThrow(
      'toTinker: tokens[0].sequences[1].ids: expected a list of token ids',
    )
  })

  it.each<[string, object, object, string]>([
    ['ids of some only', ids, {}, 'tokens[1].ids: expected a list of token ids, as other sequences have one'],
    ['too few ids', ids, { ids: [3] }, 'tokens[1].ids: expected one a token, 2 in all, got 1'],
    [
      'ids that are none',
      ids,
      { ids: [3, -1] },
      'tokens[1].ids[1]: expected a token id, 0 to 2147483647, got -1',
    ],
    ['ids beyond 31 bits', ids, { ids: [2 ** 31, 1] }, 'tokens[1].ids[0]: expected a token id'],
    ['ids that are text', ids, { ids: '34' }, 'tokens[1].ids: expected a list of token ids, got "34"'],
    ['log-probabilities of some only', { logprobs: [0, 0] }, {}, 'tokens[1].logprobs: expected a list'],
    [
      'a trained token without one',
      { logprobs: [0, null] },
      { logprobs: [0, 0] },
      'tokens[0].logprobs[1]: expected a finite',
    ],
    [
      'one that float32 cannot hold',
      { logprobs: [0, -1e300] },
      { logprobs: [0, 0] },
      'tokens[0].logprobs[1]: expected a finite',
    ],
  ])('refuse %s', (_what, first, second, message) => {
    for (const make of [toVerl, toTrl, toPrimeRl, toRllm])
      expect(() => make(input(first, second))).toThrow(message)
  })

  it('do not ask for log-probabilities of tokens that are not trained', () => {
    const half = { turns: [[[1, 2]]], logprobs: [null, -0.5] }
    const table = toPrimeRl(input(half))
    expect(table.columns.get('logprobs')?.values).toEqual(Float32Array.of(0, -0.5, 0, -0.5))
  })

  it.each<[object, string]>([
    [{ width: 1 }, 'options.width: expected at least 2, the longest, got 1'],
    [{ width: -1 }, 'options.width: expected a whole number, 0 or more'],
    [{ width: 2 ** 31 }, 'options.width: expected at most 2147483647 entries, got 2 x 2147483648'],
    [{ side: 'both' }, 'options.side: expected one of "right", "left"'],
    [{ padId: 0.5 }, 'options.padId: expected a token id'],
    [{ lossWeights: 'turn' }, 'options.lossWeights: expected one of "token"'],
    [{ lossWeights: 'constant' }, 'options.constant: expected a number above 0'],
    [{ constant: 3 }, 'options.constant: expected nothing'],
    [{ dtype: 'float16' }, 'options.dtype: expected one of "float32", "float64"'],
    [{ pad: 1 }, 'options.pad: expected one of lossWeights,'],
  ])('refuse the options %o', (options, message) => {
    expect(() => toVerl(input(), options)).toThrow(`toVerl: ${message}`)
    expect(() => toTrl(input(), options)).toThrow(`toTrl: ${message}`)
  })

  it('refuse loss weights in a plain table without tokens, and tokens without spans', () => {
    const { batch, keys, turnAdvantage } = input()
    const plain = { batch, keys, turnAdvantage }
    expect(() => toTurns(plain, { lossWeights: 'token' })).toThrow('toTurns: options.tokens: expected true')
    expect(() => toTurns(plain, { tokens: true })).toThrow('toTurns: spans: expected token spans')
  })

  it.each<[Partial<TrainerInput>, string]>([
    [{ keys: [] }, 'keys: expected 2 values, one a rollout'],
    [{ turnAdvantage: new Float64Array(3) }, 'turnAdvantage: expected 2 values, one a turn'],
    [{ tokens: [] }, 'tokens: expected 2 values, one a rollout'],
    [{ order: [0, 0] }, 'order[1]: expected each rollout from 0 to 1 once, got 0'],
    [{ order: [0, 2] }, 'order[1]: expected each rollout from 0 to 1 once, got 2'],
    [{ order: [0] }, 'order: expected 2 values, one a rollout'],
  ])('refuse parts that do not belong together: %o', (more, message) => {
    expect(() => toPrimeRl(input({}, {}, more))).toThrow(`toPrimeRl: ${message}`)
  })

  it('refuse a value that float32 cannot hold', () => {
    const far = input({}, {}, { turnAdvantage: Float64Array.of(1e300, 0) })
    expect(() => toVerl(far)).toThrow('float32')
    expect(toVerl(far, { dtype: 'float64' }).numRows).toBe(2)
    expect(() => toTurns(far, { dtype: 'float32' })).toThrow(
      'toTurns: advantages[0]: expected a finite number',
    )
    const near = input({}, {}, { turnAdvantage: Float64Array.of(-1e-60, 0) })
    expect(toTurns(near, { dtype: 'float32' }).columns.get('advantages')?.values).toEqual(
      Float32Array.of(0, 0),
    )
  })
})

describe('the metadata of a table', () => {
  it('names the library, the trainer, the options, and what it is told', () => {
    const about = { estimator: 'tara', options: '{"gamma":0.5}' }
    expect(toVerl(input({}, {}, { about }), { lossWeights: 'turn-mean' }).metadata).toEqual({
      ...about,
      'tara-rl': version,
      trainer: 'verl',
      export: '{"lossWeights":"turn-mean","dtype":"float32","side":"right","padId":0}',
    })
  })

  it('has the version of the package', () => {
    const path = new URL('../../package.json', import.meta.url)
    expect(version).toBe((JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version)
  })
})

describe('trainers', () => {
  it('lists every export, and what it says of each is so', () => {
    const makes = new Map(
      Object.entries(entry).flatMap(([name, make]) => (typeof make === 'function' ? [[name, make]] : [])),
    )
    const nameOf = (name: string): string =>
      `to${name.replace(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase())}`
    expect(trainers.map(({ name }) => nameOf(name)).sort()).toEqual([...makes.keys()].sort())
    for (const { name, needsIds, isPadded } of trainers) {
      const make = makes.get(nameOf(name)) as (from: TrainerInput, options?: object) => entry.Table
      const attempt = (from: TrainerInput, options?: object): boolean => {
        try {
          return make(from, options).numRows > 0
        } catch {
          return false
        }
      }
      expect([name, attempt(input())]).toEqual([name, !needsIds])
      expect([name, attempt(input(ids), { side: 'left' })]).toEqual([name, isPadded])
    }
  })
})
