/**
 * The scripted agent, Pass@k and the template writer.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromOpenAI } from '../../src/formats/openai.js'
import type { Agent } from '../../src/synth/agent.js'
import { openEnvironment } from '../../src/synth/environment.js'
import { passAtK, traceRewards } from '../../src/synth/pass-at-k.js'
import { rollOut } from '../../src/synth/rollouts.js'
import { scriptedAgent } from '../../src/synth/scripted-agent.js'
import { templateWriter } from '../../src/synth/template-writer.js'
import type { Environment, GroundedCall, Task } from '../../src/synth/types.js'
import { desk, deskTask } from './desk.js'

const fresh = (): Environment => openEnvironment(desk, { seed: deskTask.seed })

/** Tasks of any golden calls of the desk's tools, also with turns that are alike or empty. */
const tasks: fc.Arbitrary<Task> = fc
  .array(
    fc.array(
      fc.oneof(
        fc.record({
          name: fc.constant('find_guest'),
          arguments: fc.record({ name: fc.constantFrom('Mina Okafor', 'A', '') }),
        }),
        fc.constant({ name: 'list_rooms', arguments: {} }),
        fc.record({
          name: fc.constant('checkIn'),
          arguments: fc.record({
            guest_id: fc.constantFrom('guest-7', 'x'),
            room: fc.constantFrom(101, 102),
            bed: fc.constantFrom('single', 'double'),
          }),
        }),
      ),
      { maxLength: 3 },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((golden) => ({ ...deskTask, golden, requests: golden.map((_, t) => `request ${t}`) }))

describe('scriptedAgent', () => {
  it('of skill 1 is right in every turn, of skill 0 in none that has calls', async () => {
    await fc.assert(
      fc.asyncProperty(tasks, fc.nat(), fc.nat({ max: 9 }), async (task, seed, attempt) => {
        const right = await scriptedAgent(1, seed).solve(task, fresh(), attempt)
        expect(traceRewards(task.golden, right)).toEqual(task.golden.map(() => 1))
        const wrong = await scriptedAgent(0, seed).solve(task, fresh(), attempt)
        expect(traceRewards(task.golden, wrong)).toEqual(
          task.golden.map((calls) => (calls.length === 0 ? 1 : 0)),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('of a skill between is right that often, and makes mistakes of every kind', async () => {
    const agent = scriptedAgent(0.7, 1)
    const counts = [0, 0]
    const kinds = new Set<string>()
    for (let attempt = 0; attempt < 400; attempt++) {
      const turns = await agent.solve(deskTask, fresh(), attempt)
      for (const [t, reward] of traceRewards(deskTask.golden, turns).entries()) {
        counts[reward] = counts[reward]! + 1
        if (reward === 0 && t === 0) kinds.add(turns[0]!.map(({ name }) => name).join(' '))
      }
    }
    expect(counts[1]! / 800).toBeGreaterThan(0.64)
    expect(counts[1]! / 800).toBeLessThan(0.76)
    // A wrong argument, a call left out (either), another tool, an extra call, the other turn's calls.
    for (const kind of [
      'find_guest list_rooms',
      'find_guest',
      'list_rooms',
      'find_guest checkIn',
      'find_guest list_rooms list_rooms',
      'checkIn',
    ])
      expect(kinds, kind).toContain(kind)
  })

  it('does the same for the same seed and attempt, and something else for others', async () => {
    const run = async (seed: number, attempt: number): Promise<string> =>
      JSON.stringify(await scriptedAgent(0.5, seed).solve(deskTask, fresh(), attempt))
    expect(await run(3, 1)).toBe(await run(3, 1))
    const many = await Promise.all(Array.from({ length: 12 }, (_, k) => run(k % 3, k)))
    expect(new Set(many).size).toBeGreaterThan(3)
  })

  it('refuses a skill that is no probability', () => {
    for (const skill of [-0.1, 1.1, Number.NaN])
      expect(() => scriptedAgent(skill)).toThrow('scriptedAgent: skill: expected a number in [0, 1]')
    expect(() => scriptedAgent(1, 0.5)).toThrow('scriptedAgent: seed: expected a whole number, got 0.5')
  })
})

describe('rollOut', () => {
  it('keeps the conversation: the calls in it are those that were made, with results', async () => {
    const { messages, tools } = await rollOut(deskTask, fresh(), scriptedAgent(1), 0)
    expect(fromOpenAI(messages).turns.map((calls) => (calls ?? []).map(({ name }) => name))).toEqual([
      ['find_guest', 'list_rooms'],
      ['checkIn'],
    ])
    expect(messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      '{"guest_id":"guest-7"}',
      '{"rooms":[101,102]}',
      expect.stringMatching(/^\{"key":"key-/),
    ])
    expect(tools.map(({ function: { name } }) => name)).toEqual(['find_guest', 'list_rooms', 'checkIn'])
  })

  it('writes requests and calls of an agent that tells nothing', async () => {
    const silent: Agent = { name: 'silent', solve: async (task) => task.golden }
    const { messages } = await rollOut(deskTask, fresh(), silent, 0)
    expect(traceRewards(deskTask.golden, fromOpenAI(messages).turns as never)).toEqual([1, 1])
  })
})

describe('passAtK', () => {
  /** Right at these attempts only. */
  const rightAt = (...attempts: readonly number[]): Agent => ({
    name: 'some',
    solve: async (task, _environment, attempt) => (attempts.includes(attempt) ? task.golden : [[], []]),
  })

  it('stops at the first pass, or counts all', async () => {
    expect(await passAtK(deskTask, fresh, rightAt(2, 5))).toEqual({ attempts: 3, passed: 1 })
    expect(await passAtK(deskTask, fresh, rightAt(2, 5), { stopEarly: false })).toEqual({
      attempts: 8,
      passed: 2,
    })
    expect(await passAtK(deskTask, fresh, rightAt())).toEqual({ attempts: 8, passed: 0 })
    expect(await passAtK(deskTask, fresh, rightAt(2), { k: 2 })).toEqual({ attempts: 2, passed: 0 })
  })

  it('gives each attempt a state of its own', async () => {
    const seen: string[] = []
    const agent: Agent = {
      name: 'looks',
      async solve(task, environment) {
        seen.push(JSON.stringify(environment.snapshot()))
        for (const { name, arguments: args } of task.golden.flat()) await environment.call(name, args)
        return [[], []]
      },
    }
    await passAtK(deskTask, fresh, agent, { k: 3 })
    expect(new Set(seen).size).toBe(1)
  })

  it('refuses an agent that returns no lists, and a k of none', async () => {
    const odd: Agent = { name: 'odd', solve: async () => [null] as never }
    await expect(passAtK(deskTask, fresh, odd)).rejects.toThrow(
      'passAtK: odd: expected one list of calls a turn',
    )
    await expect(passAtK(deskTask, fresh, odd, { k: 0 })).rejects.toThrow(
      'options.k: expected a whole number, 1 or more',
    )
  })
})

describe('templateWriter', () => {
  it('says what the user must give, and not what an earlier call returns', async () => {
    expect(await templateWriter.write(deskTask.trace, desk.tools)).toEqual([
      'Please find a guest by name: name "Mina Okafor". Also list free rooms.',
      'Finally check a guest in: the guest id from "find guest" before, room 102, bed "single".',
    ])
  })

  it('says which of several results is meant', async () => {
    const list = {
      name: 'list_stays',
      arguments: {},
      output: {
        stays: [
          { id: 'a', nights: [1] },
          { id: 'b', nights: [3, 4] },
        ],
      },
      provenance: {},
    }
    const take = (path: string): GroundedCall => ({
      name: 'take',
      arguments: { stay_id: 'b' },
      output: {},
      provenance: { stay_id: { from: 'edge', turn: 0, call: 0, path } },
    })
    expect(
      await templateWriter.write([[list], [take('stays[1].id')], [take('stays[1].nights[0]')]], []),
    ).toEqual([
      'Please list stays.',
      'Then take: the stay id number 2 from "list stays" before.',
      'Finally take: the stay id number 2.1 from "list stays" before.',
    ])
  })

  it('writes something for tools without a description and turns without calls', async () => {
    const call = { name: 'doThis_now', arguments: { a: [1, { b: null }] }, output: {}, provenance: {} }
    expect(await templateWriter.write([[call], []], [])).toEqual([
      'Please do this now: a [1,{"b":null}].',
      'That is all for now.',
    ])
  })
})
