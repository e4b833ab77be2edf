import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/reward/call.js'
import { openEnvironment } from '../../src/synth/environment.js'
import { replay } from '../../src/synth/replay.js'
import { stateHash } from '../../src/synth/state-hash.js'
import type { EnvironmentSource, Tool } from '../../src/synth/types.js'
import { counter } from '../synth/counter.js'

const file = new URL('../../../shared/cases/cases.jsonl', import.meta.url)
const isHere = existsSync(file)

interface Call {
  readonly name: string
  readonly arguments: JsonObject
}

interface Case {
  readonly id: string
  readonly kind: string
  readonly area: string
  readonly input: {
    readonly initial?: JsonObject
    readonly replay?: readonly Call[]
    readonly seed?: number
    readonly calls?: readonly Call[]
    readonly repeat?: number
    readonly rollouts?: readonly (readonly Call[])[]
    readonly agent?: readonly Call[]
    readonly golden?: readonly Call[]
    readonly stateA?: JsonObject
    readonly stateB?: JsonObject
  }
  readonly expected: {
    readonly state?: JsonObject
    readonly results?: readonly ({ readonly ok: true } | { readonly error: string })[]
    readonly states?: readonly JsonObject[]
    readonly agentState?: JsonObject
    readonly equal?: boolean
    readonly equalWithUnordered?: readonly string[]
  }
}

const cases: readonly Case[] = isHere
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Case => JSON.parse(line))
      .filter(({ area }) => area === 'env')
  : []

const tool = (name: string): Tool => counter.tools.find((one) => one.name === name)!

/** `inc` of a number, `add` to a list, `create` of a thing with id, time and random number. */
const open = (database: JsonObject = { items: [] }): EnvironmentSource => ({
  name: 'case',
  description: '',
  database,
  tools: ['inc', 'add', 'create'].map(tool),
})

const checks: Readonly<Record<string, (one: Case) => Promise<void>>> = {
  B107: async ({ input, expected }) => {
    const { results, after, failures } = await replay(open(input.initial), [input.replay!])
    expect(after.database).toEqual(expected.state)
    expect(results[0]!.map((result) => (result.ok ? { ok: true } : { error: result.error.code }))).toEqual(
      expected.results,
    )
    expect(failures).toMatchObject([{ turn: 0, call: 0, name: 'nope' }])
  },
  B109: async ({ input }) => {
    const run = async (noise: boolean): Promise<unknown[]> => {
      const environment = openEnvironment(open(), { seed: input.seed! })
      const other = openEnvironment(open(), { seed: input.seed! })
      const transcript: unknown[] = []
      for (const call of input.calls!) {
        if (noise) await other.call(call.name, call.arguments)
        transcript.push(await environment.call(call.name, call.arguments))
      }
      return transcript
    }
    const runs = await Promise.all(Array.from({ length: input.repeat! }, (_, k) => run(k > 0)))
    expect(new Set(runs.map((run) => JSON.stringify(run))).size).toBe(1)
    expect(runs[0]).toMatchObject([{ ok: true }])
  },
  B110: async ({ input, expected }) => {
    const source = open(input.initial)
    const before = structuredClone(input.initial)
    const states = await Promise.all(
      input.rollouts!.map(async (calls) => {
        const environment = openEnvironment(source)
        await Promise.all(calls.map((call) => environment.call(call.name, call.arguments)))
        return environment.snapshot().database
      }),
    )
    expect(states).toEqual(expected.states)
    expect(source.database).toEqual(before)
  },
  B111: async ({ input, expected }) => {
    const source = open(input.initial)
    const environment = openEnvironment(source)
    for (const call of input.agent!) await environment.call(call.name, call.arguments)
    expect((await replay(source, [input.golden!])).after.database).toEqual({ n: 2 })
    expect((await replay(source, [input.golden!], { from: environment.snapshot() })).after.database).toEqual({
      n: 3,
    })
    expect(environment.snapshot().database).toEqual(expected.agentState)
  },
  B112: async ({ input, expected }) => {
    const isEqual = (unordered: readonly string[]): boolean =>
      stateHash(input.stateA!, { unordered }) === stateHash(input.stateB!, { unordered })
    expect(isEqual([])).toBe(expected.equal)
    expect(isEqual(expected.equalWithUnordered!)).toBe(true)
  },
}

describe.skipIf(!isHere)('cases of environments (skipped without ../shared/cases)', () => {
  it('are all there, each with a check', () => {
    expect(cases.map(({ id }) => id).sort()).toEqual(Object.keys(checks).sort())
  })
  for (const one of cases) it(`${one.id}: ${one.kind}`, async () => checks[one.id]?.(one))
})
