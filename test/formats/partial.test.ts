import { describe, expect, it } from 'vitest'
import { rolloutLog } from '../../src/formats/log.js'
import { fromOpenAI } from '../../src/formats/openai.js'
import { scoreGroups } from '../../src/reward/score.js'
import { assistant, call, user } from './records.js'

const golden = [
  [{ name: 'a', arguments: { x: 1, y: 2 } }, { name: 'b' }],
  [{ name: 'c', arguments: { z: 1 } }],
]

/** The first turn has one of two calls half right, the second turn is extra calls and the right one. */
const messages = [
  user(),
  assistant(call('a', '{"x":1,"y":3}')),
  user(),
  assistant(call('c', '{"z":1}'), call('d'), call('e')),
]
const allRight = [
  user(),
  assistant(call('a', '{"x":1,"y":2}'), call('b')),
  user(),
  assistant(call('c', '{"z":1}')),
]

describe('partial credit of a log', () => {
  it.each([
    ['share', false],
    ['share', true],
    ['f1', false],
    ['f1', true],
  ] as const)('by %s, equal calls only: %s, is that of scoreGroups', (partial, exactOnly) => {
    const log = rolloutLog('log', { partial, exactOnly })
    log.addRecord({ group: 'g', rollout: 0, messages, golden })
    log.addRecord({ group: 'g', rollout: 1, messages: allRight, golden })
    const { batch } = log.finish()
    const rollouts = [fromOpenAI(messages), fromOpenAI(allRight)]
    const scored = scoreGroups([{ golden, rollouts }], {}, { reward: partial, exactOnly })
    expect(batch.reward).toEqual(scored.batch.reward)
    expect(batch.realRewards).toBe(true)
  })

  it('is 1/4 of the first turn by share: half of one of two calls', () => {
    const log = rolloutLog('log', { partial: 'share' })
    log.addRecord({ group: 'g', rollout: 0, messages, golden })
    log.addRecord({ group: 'g', rollout: 1, messages: allRight, golden })
    expect([...log.finish().batch.reward]).toEqual([0.25, 1, 1, 1])
  })

  it('has no F1 where a golden turn is tested against the whole rollout', () => {
    const log = rolloutLog('log', { partial: 'f1' })
    expect(() => log.addRecord({ group: 'g', rollout: 0, messages, golden, scope: 'rollout' })).toThrow(
      'log:1: scope: expected "turn" for the F1 of a turn, got "rollout"',
    )
  })
})
