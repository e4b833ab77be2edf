/**
 * One conversation in every message format: the same turns, calls and rewards.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LogOptions } from '../../src/formats/log-options.js'
import type { CallRollout, JsonValue, ToolCall } from '../../src/reward/call.js'
import { parseJson } from '../../src/reward/json.js'
import {
  type Conversation,
  documentWriters,
  jsonOf,
  type NeutralCall,
  type Step,
  write,
  writers,
} from './conversations.js'
import { readLog, rewardsOf } from './records.js'
import { schemaFault } from './schema.js'

/** A value as text that shows every digit, and no order of keys. */
function canonical(value: JsonValue | undefined): string {
  if (typeof value === 'bigint') return `${value}`
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value as Record<string, JsonValue>).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join()}}`
}

const exact = (text: string): JsonValue => {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error(parsed.detail)
  return parsed.value
}

const shown = ({ name, arguments: given }: ToolCall): string =>
  `${name} ${canonical(typeof given === 'string' ? exact(given) : (given as JsonValue))}`

const wanted = ({ name, args }: NeutralCall): string => `${name} ${canonical(exact(args))}`

type Calls = readonly (readonly string[])[]

const turnsOf = ({ turns }: CallRollout): Calls => turns.map((calls) => (calls ?? []).map(shown))
const stepCalls = (steps: readonly Step[]): Calls => steps.map(({ calls }) => calls.map(wanted))

/** A record with one rollout of a conversation. */
function line(
  writer: (typeof writers)[number],
  conversation: Conversation,
  golden: string,
  more: Record<string, unknown> = {},
): string {
  const { messages, turn } = write(writer, conversation)
  const turns = more.turns === 'explicit' ? turn : more.turns
  const fields = jsonOf({ group: 'g', rollout: 0, messages, ...more, turns })
  return `${fields.slice(0, -1)},"golden":${golden}}`
}

const goldenText = (turns: readonly (readonly NeutralCall[])[]): string =>
  `[${turns
    .map(
      (calls) => `[${calls.map(({ name, args }) => `{"name":${JSON.stringify(name)},"arguments":${args}}`)}]`,
    )
    .join()}]`

/** What is read of a line with the calls kept. */
function read(text: string, options?: Partial<LogOptions>): { calls: CallRollout; rewards: number[] } {
  const log = readLog([text], { ...options, keep: () => true })
  return { calls: log.kept[0]!.calls, rewards: rewardsOf(log)[0]! }
}

const step = (text: string, ...calls: NeutralCall[]): Step => ({ text, calls })
const call = (name: string, args: string): NeutralCall => ({ name, args })

const conversation: Conversation = {
  before: [step('Loading.', call('load', '{"profile":"default"}'))],
  turns: [
    {
      user: 'Transfer it, bitte – schnell! 🚀',
      steps: [
        step(
          'Two at once.',
          call('find', '{"iban":"DE\\u00e4","n":12345678901234567890}'),
          call('rates', '{}'),
        ),
        step('', call('transfer', '{"amount":1.50,"to":{"name":"Zoë 東京","tags":["a",null,true]}}')),
        step('Done.'),
      ],
    },
    { user: 'Thanks.', steps: [step('You are welcome.')] },
    { user: 'Again.', steps: [step('Once more.', call('rates', '{}')), step('Done: "ok" \\ \n.')] },
  ],
}

const calls = (t: number): NeutralCall[] => conversation.turns[t]!.steps.flatMap((one) => [...one.calls])
const allSteps = (one: Conversation): Step[] => [
  ...one.before,
  ...one.turns.flatMap(({ steps }) => [...steps]),
]

describe('one conversation', () => {
  for (const writer of writers) {
    const name = `in ${writer.name} (${writer.shape})`
    const golden = goldenText(conversation.turns.map((_, t) => calls(t)))

    it(`${name} has the same turns of users`, () => {
      const found = read(line(writer, conversation, golden))
      expect(turnsOf(found.calls)).toEqual(conversation.turns.map((_, t) => calls(t).map(wanted)))
      expect(found.calls.before!.map(shown)).toEqual(conversation.before[0]!.calls.map(wanted))
      expect(found.rewards).toEqual([1, 1, 1])
    })

    it(`${name} has the same steps`, () => {
      const steps = allSteps(conversation)
      const bySteps = goldenText(steps.map((one) => one.calls))
      for (const [options, more] of [[{ turns: 'step' }, {}] as const, [{}, { turns: 'step' }] as const]) {
        const found = read(line(writer, conversation, bySteps, more), options)
        expect(turnsOf(found.calls)).toEqual(stepCalls(steps))
        expect(found.rewards).toEqual(steps.map(() => 1))
      }
    })

    it(`${name} has the same turns by marks`, () => {
      const found = read(line(writer, conversation, golden, { turns: 'explicit' }))
      expect(turnsOf(found.calls)).toEqual(conversation.turns.map((_, t) => calls(t).map(wanted)))
      expect(found.rewards).toEqual([1, 1, 1])
    })

    it(`${name} tells integers apart to the last digit`, () => {
      const other = golden.replace('12345678901234567890', '12345678901234567891')
      expect(read(line(writer, conversation, other)).rewards).toEqual([0, 1, 1])
      const rounded = golden.replace('12345678901234567890', '12345678901234567000')
      expect(read(line(writer, conversation, rounded)).rewards).toEqual([0, 1, 1])
    })

    it(`${name} covers nothing with a call that repeats a key`, () => {
      const twice: Conversation = {
        before: [],
        turns: [{ user: 'x', steps: [step('', call('f', '{"a":1,"a":2}'))] }],
      }
      for (const args of ['{"a":1}', '{"a":2}'])
        expect(readLog([line(writer, twice, `[[{"name":"f","arguments":${args}}]]`)]).counts).toMatchObject({
          extraCalls: 1,
          malformedCalls: 1,
        })
    })

    it(`${name} gives the golden turns where the golden trace is such a conversation`, () => {
      const own: Conversation = { ...conversation, before: [] }
      const { messages } = write(writer, own)
      const other = jsonOf({ messages })
      expect(read(line(writer, own, other)).rewards).toEqual([1, 1, 1])
      expect(
        read(line(writer, own, other.replaceAll('12345678901234567890', '12345678901234567891'))).rewards,
      ).toEqual([0, 1, 1])
      expect(read(line(writer, own, other, { turns: 'step' })).rewards).toEqual(allSteps(own).map(() => 1))
      const bySteps = jsonOf({ messages, turns: 'step' })
      expect(read(line(writer, own, bySteps, { turns: 'step' })).rewards).toEqual(allSteps(own).map(() => 1))
    })

    it(`${name} validates`, () => {
      const { messages } = write(writer, conversation)
      const fields = JSON.parse(
        jsonOf({ group: 'g', rollout: 0, messages, golden: { messages, turns: 'user' } }),
      )
      expect(schemaFault(fields)).toBe('none')
    })

    it(`${name} is read with its name, and found without`, () => {
      const text = line(writer, conversation, golden)
      expect(read(text, { from: writer.name }).rewards).toEqual([1, 1, 1])
      expect(readLog([text], { from: writer.name }).warnings.join()).not.toContain('read as')
      const told = readLog([text]).warnings.filter((warning) => warning.includes('read as'))
      expect(told).toHaveLength(writer.name === 'openai' ? 0 : 1)
      if (told.length > 0) expect(told[0]).toContain(`--from ${writer.name}`)
    })
  }
})

describe('one conversation as a document', () => {
  for (const { name, hasBefore, write: writeDocument } of documentWriters) {
    const said: Conversation = hasBefore ? conversation : { ...conversation, before: [] }
    const isByTurn = name === 'atif' || name === 'bfcl'
    const big = '12345678901234567890'

    it(`of ${name} has the same turns and calls`, () => {
      const { calls: found, rewards } = read(jsonOf(writeDocument(said, 0)))
      expect(turnsOf(found)).toEqual(said.turns.map((_, t) => calls(t).map(wanted)))
      expect(found.before!.map(shown)).toEqual(stepCalls(said.before).flat())
      expect(rewards).toEqual(isByTurn ? [1, 1, 1] : [1, 1, 1, 1])
    })

    it(`of ${name} has the same steps`, () => {
      const document = writeDocument(said, 0) as { readonly record?: object }
      // Where the golden trace is by turns, it is not by steps; the calls are the same.
      const found = read(jsonOf(document), { turns: 'step' }).calls
      expect(turnsOf(found)).toEqual(stepCalls(allSteps(said)))
    })

    it(`of ${name} tells integers apart to the last digit`, () => {
      const text = jsonOf(writeDocument(said, 0))
      const at = text.indexOf(big)
      const other = `${text.slice(0, at)}${big.slice(0, -1)}1${text.slice(at + big.length)}`
      expect(read(other).rewards).toEqual(isByTurn ? [0, 1, 1] : [0, 1, 1, 1])
    })
  }
})

const anArgs = fc.oneof(
  fc.constant('{}'),
  fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
    .map((args) => JSON.stringify(args)),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map((n) => `{"n":[${n}]}`),
)
const aName = fc.stringMatching(/^[a-z][a-zA-Z0-9_.-]{0,6}$/)
const aText = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('<', ''))
const aCall: fc.Arbitrary<NeutralCall> = fc.record({ name: aName, args: anArgs })
const aCallStep: fc.Arbitrary<Step> = fc.record({
  text: aText,
  calls: fc.array(aCall, { minLength: 1, maxLength: 3 }),
})
const aTextStep: fc.Arbitrary<Step> = fc.record({ text: aText, calls: fc.constant([]) })
/** Text without calls ends a turn: formats differ in whether two such steps in a row are one. */
const someSteps: fc.Arbitrary<Step[]> = fc
  .tuple(fc.array(aCallStep, { maxLength: 3 }), fc.array(aTextStep, { maxLength: 1 }))
  .map(([first, last]) => [...first, ...last])
const aConversation: fc.Arbitrary<Conversation> = fc.record({
  before: fc.array(aCallStep, { maxLength: 1 }),
  turns: fc.array(fc.record({ user: aText, steps: someSteps }), { minLength: 1, maxLength: 4 }),
})

describe('any conversation', () => {
  for (const writer of writers)
    it(`has the same turns and steps in ${writer.name} (${writer.shape})`, () => {
      fc.assert(
        fc.property(aConversation, (one) => {
          const turns = one.turns.map(({ steps }) => steps.flatMap((each) => [...each.calls]))
          const byUser = read(line(writer, one, goldenText(turns)), { from: writer.name })
          expect(turnsOf(byUser.calls)).toEqual(turns.map((made) => made.map(wanted)))
          expect(byUser.calls.before!.map(shown)).toEqual(stepCalls(one.before).flat())
          expect(byUser.rewards).toEqual(turns.map(() => 1))
          const steps = allSteps(one)
          const byStep = read(
            line(writer, one, goldenText(steps.map((each) => each.calls)), { turns: 'step' }),
          )
          expect(turnsOf(byStep.calls)).toEqual(stepCalls(steps))
        }),
        { numRuns: 60 },
      )
    })
})
