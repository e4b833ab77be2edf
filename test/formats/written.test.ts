/**
 * Lines as bytes against the same lines as text: readers that must never disagree.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packBlock, unpackBlock } from '../../src/cli/block.js'
import { TaraError } from '../../src/errors.js'
import { lineScorer } from '../../src/formats/line-scorer.js'
import { asText, lineSplitter, MAX_LINE, type OnLine } from '../../src/formats/lines.js'
import { rolloutLog } from '../../src/formats/log.js'
import { type LogOptions, logDefaults } from '../../src/formats/log-options.js'
import type { LogReader } from '../../src/formats/log-types.js'
import { recordScanner } from '../../src/formats/scan-record.js'
import type { JsonObject, JsonValue } from '../../src/reward/call.js'
import { goldenBytes } from '../../src/reward/goldenBytes.js'
import { hasByte, skipString, skipValue } from '../../src/reward/jsonBytes.js'
import { memberTape } from '../../src/reward/memberTape.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

interface Told {
  readonly fault?: string
  readonly reward?: number[]
  readonly [fact: string]: unknown
}

type Way = 'bytes' | 'text' | 'blocks'

/** Scores a line as a worker does, and packs and unpacks it as between threads. */
function byBlocks(log: LogReader, options: Partial<LogOptions>): OnLine {
  const score = lineScorer({ ...logDefaults, ...options })
  return (bytes, start, end, line) => {
    const packed = packBlock(1, [{ start, end, line, scored: score(bytes, start, end) }])
    unpackBlock(packed, (one) => log.addScored(bytes, one.start, one.end, one.line, one.scored))
  }
}

/** Hands lines on in memory of Node's kind that is used again for the next: who keeps bytes has to copy them. */
function inUsedMemory(onLine: OnLine): OnLine {
  let memory = Buffer.alloc(64)
  return (bytes, start, end, line) => {
    const length = end - start
    if (length + 4 > memory.length) memory = Buffer.alloc(2 * length)
    memory.fill(0x20)
    memory.set(bytes.subarray(start, end), 3)
    memory[3 + length] = 0x0a
    onLine(memory, 3, 3 + length, line)
    memory.fill(0x7d)
  }
}

function told(lines: Uint8Array, way: Way, options: Partial<LogOptions>): Told {
  const log = rolloutLog('in', options)
  let onLine = asText('in', log.addLine)
  if (way === 'bytes') onLine = inUsedMemory(log.addBytes)
  if (way === 'blocks') onLine = inUsedMemory(byBlocks(log, options))
  const splitter = lineSplitter('in', MAX_LINE, onLine)
  try {
    splitter.push(lines)
    splitter.end()
    const { batch, keys, counts, calls, warnings, status } = log.finish()
    return {
      reward: [...batch.reward],
      reached: [...batch.reached],
      outcome: batch.outcome && [...batch.outcome],
      keys,
      counts: { ...counts },
      calls,
      warnings,
      status,
    }
  } catch (error) {
    if (error instanceof TaraError) return { fault: `${error.code} ${error.message}` }
    throw error
  }
}

function checkBoth(lines: Uint8Array, options: Partial<LogOptions> = {}): Told {
  const asBytes = told(lines, 'bytes', options)
  expect(asBytes).toEqual(told(lines, 'text', options))
  expect(told(lines, 'blocks', options)).toEqual(asBytes)
  return asBytes
}

/** Spells a JSON value in one of the many ways that mean the same, or nearly. */
const spelled = (value: unknown, choice: () => number, isWild: boolean): string => {
  const space = (): string => ['', '', '', ' ', '\t', '\r'][choice() % 6]!
  const text = (string: string): string =>
    choice() % 7 === 0
      ? `"${[...string].map((char) => (char.length === 1 && choice() % 3 === 0 ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : JSON.stringify(char).slice(1, -1))).join('')}"`
      : JSON.stringify(string)
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number' && isWild && choice() % 12 === 0) return '1e999'
  if (typeof value === 'number' && Number.isInteger(value) && choice() % 9 === 0) return `${value}.0`
  if (typeof value === 'number' && choice() % 9 === 0 && Math.abs(value) < 1e15) return value.toExponential()
  if (Array.isArray(value))
    return `[${space()}${value.map((item) => spelled(item, choice, isWild)).join(`${space()},${space()}`)}${space()}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, member]) => `${text(key)}${space()}:${space()}${spelled(member, choice, isWild)}`,
    )
    if (choice() % 2 === 0) members.reverse()
    const [first] = Object.keys(value)
    if (first !== undefined && isWild && choice() % 12 === 0)
      members.push(`${text(first)}:${['1', '"f"', 'null', '[]'][choice() % 4]}`)
    return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`
  }
  return JSON.stringify(value)
}

const leaf = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'é', '日本', '𝄞', 'a"b', 'c\\d', 'e\nf', '</x>', '{}', '1'),
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom(0.5, 1e21, 9007199254740992, -0, 123456789012345680000),
  fc.constantFrom(true, false, null),
)
const argument = fc.oneof(
  { weight: 4, arbitrary: leaf },
  fc.array(leaf, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('x', 'y', 'é'), leaf, { maxKeys: 2 }),
)
const args = fc.dictionary(fc.constantFrom('k', 'id', 'name', 'é', 'a b', '__proto__'), argument, {
  maxKeys: 4,
})
const call = fc.record({ name: fc.constantFrom('f', 'g', 'né', 'f"'), arguments: args })
const golden = fc.array(fc.array(call, { maxLength: 3 }), { minLength: 1, maxLength: 3 })

/** A log of a few rollouts of two tasks, most calls golden ones. */
const log = fc
  .record({
    goldens: fc.tuple(golden, golden),
    others: fc.array(call, { minLength: 1, maxLength: 4 }),
    numbers: fc.infiniteStream(fc.nat(1 << 20)),
    rollouts: fc.integer({ min: 2, max: 5 }),
  })
  .map(({ goldens, others, numbers, rollouts }) => {
    const choice = (): number => numbers.next().value as number
    const lines: string[] = []
    for (let i = 0; i < rollouts; i++) {
      const g = choice() % 5 === 0 ? 1 : 0
      const messages: unknown[] = choice() % 3 === 0 ? [{ role: 'system', content: 'be good' }] : []
      for (const turn of goldens[g]!) {
        messages.push({ role: 'user', content: 'do "it" \\ now\n é' })
        const made = [...turn]
        if (choice() % 3 === 0) made.push(others[choice() % others.length]!)
        if (choice() % 4 === 0) made.shift()
        if (choice() % 6 === 0 && made.length > 0)
          made[0] = { ...made[0]!, arguments: others[choice() % others.length]!.arguments }
        for (const { name, arguments: given } of made) {
          const how = choice() % 12
          const text = spelled(given, choice, choice() % 4 === 0)
          const body =
            how === 0
              ? { name, arguments: given }
              : how === 1
                ? { name, arguments: text.slice(0, choice() % (text.length + 1)) }
                : how === 2
                  ? { name }
                  : { name, arguments: text }
          const kind = choice() % 14
          const whole =
            kind === 0
              ? body
              : kind === 1
                ? { id: 'c', type: 'function', function: body, requestor: 'user' }
                : { id: 'c', type: 'function', function: body }
          messages.push({ role: 'assistant', content: null, tool_calls: [whole] })
          messages.push({ role: 'tool', tool_call_id: 'c', content: text })
        }
        messages.push({ role: choice() % 20 === 0 ? 'user' : 'assistant', content: 'done' })
      }
      const record: Record<string, unknown> = { group: `t${g}`, rollout: i, messages, golden: goldens[g] }
      if (choice() % 5 === 0) record.outcome = choice() % 3
      if (choice() % 9 === 0) record.status = choice() % 2 === 0 ? 'truncated' : 'aborted'
      if (choice() % 9 === 0) record.turns = choice() % 2 === 0 ? 'user' : 'step'
      if (choice() % 15 === 0) record.extra_field = { a: [1] }
      const how = choice() % 12
      lines.push(how < 4 ? JSON.stringify(record) : spelled(record, choice, how === 4))
    }
    return lines.join('\n')
  })

describe('lines as bytes', () => {
  it('give what the same lines give as text', () => {
    let rewards = 0
    let faults = 0
    fc.assert(
      fc.property(
        log,
        fc.constantFrom({}, { shifted: true }, { strict: true }, { allowSingletons: true }),
        (text, options) => {
          const { reward, fault } = checkBoth(bytesOf(text), options)
          rewards += reward?.includes(1) ? 1 : 0
          faults += fault === undefined ? 0 : 1
        },
      ),
      { numRuns: 600 },
    )
    expect(rewards).toBeGreaterThan(100)
    expect(faults).toBeGreaterThan(30)
  })

  it('do so under every policy', () => {
    const policies = [
      { matching: 'set' },
      { args: 'subset' },
      { maxExtraCalls: 0 },
      { emptyGolden: 'forbid-calls' },
      { emptyGolden: 'mask' },
      { normalizeName: (name: string) => name.toLowerCase() },
      { tolerance: 0.5 },
    ] as const
    const partials = [undefined, 'share', 'f1'] as const
    fc.assert(
      fc.property(
        log,
        fc.constantFrom(...policies),
        fc.constantFrom(...partials),
        (text, policy, partial) => {
          checkBoth(bytesOf(text), { policy, partial })
        },
      ),
      { numRuns: 200 },
    )
  })

  it('do so where bytes were broken', () => {
    fc.assert(
      fc.property(
        log,
        fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { minLength: 1, maxLength: 2 }),
        (text, breaks) => {
          let bytes = [...bytesOf(text)]
          for (const [where, byte, how] of breaks) {
            const at = where % bytes.length
            if (how === 0) bytes[at] = byte
            else if (how === 1) bytes.splice(at, 1)
            else bytes = bytes.slice(0, at)
          }
          checkBoth(Uint8Array.from(bytes))
        },
      ),
      { numRuns: 600 },
    )
  })

  /** Two rollouts with golden `f({"a":1,"b":"x"})`; the first makes one call with these arguments, as they stand here. */
  const made = (given: string, rest = ''): Uint8Array => {
    const golden = '"golden":[[{"name":"f","arguments":{"a":1,"b":"x"}}]]'
    const line = (rollout: number, args: string): string =>
      `{"group":1,"rollout":${rollout},"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":${args}}}]}],${golden}${rest}}`
    return bytesOf(`${line(0, given)}\n${line(1, '{"b":"x","a":1}')}`)
  }

  it.each([
    ['text, in another order and spaced', '"{ \\"b\\" : \\"x\\" ,\\n\\"a\\": 1 }"', 1, 0],
    ['another spelling of a number', '"{\\"a\\":1.0,\\"b\\":\\"x\\"}"', 1, 0],
    ['another spelling of a text', '"{\\"a\\":1,\\"b\\":\\"\\\\u0078\\"}"', 1, 0],
    ['another number', '"{\\"a\\":2,\\"b\\":\\"x\\"}"', 0, 0],
    ['another type', '"{\\"a\\":\\"1\\",\\"b\\":\\"x\\"}"', 0, 0],
    ['one more key', '"{\\"a\\":1,\\"b\\":\\"x\\",\\"c\\":null}"', 0, 0],
    ['one less', '"{\\"a\\":1}"', 0, 0],
    ['a key twice', '"{\\"a\\":1,\\"b\\":\\"x\\",\\"a\\":1}"', 0, 1],
    ['a key twice below', '"{\\"a\\":2,\\"b\\":{\\"c\\":1,\\"c\\":2}}"', 0, 1],
    ['a key twice in a list', '"{\\"a\\":2,\\"b\\":[{\\"c\\":1,\\"c\\":2}]}"', 0, 1],
    ['a key twice of an object', '{"a":1,"b":"x","a":1}', 0, 1],
    ['text that is cut off', '"{\\"a\\":1,\\"b\\":\\"x\\""', 0, 1],
    ['text with something behind', '"{\\"a\\":1,\\"b\\":\\"x\\"} ."', 0, 1],
    ['a control character in a text', '"{\\"a\\":1,\\"b\\":\\"x\\n\\"}"', 0, 1],
    ['a huge number, elsewhere', '"{\\"a\\":1e99999999,\\"c\\":\\"x\\"}"', 0, 1],
    ['a huge number of an object', '{"a":1e99999999,"b":"x"}', 0, 0],
    ['a list', '"[1]"', 0, 1],
    ['nothing', 'null', 0, 0],
    ['blank text', '" "', 0, 0],
    ['a number', '5', 0, 1],
  ])('judge arguments: %s', (_, given, reward, malformed) => {
    const { reward: rewards, counts } = checkBoth(made(given))
    expect(rewards).toEqual([reward, 1])
    expect(counts).toMatchObject({ malformedCalls: malformed, extraCalls: 1 - reward })
  })

  it('know a field that stands twice beside arguments that are an object', () => {
    const { fault } = checkBoth(made('{"a":1,"b":"x"}', ',"outcome":1,"outcome":2'))
    expect(fault).toBe('DUPLICATE in:1: expected each field once, got one again')
  })

  it.each([
    ['too large a rollout', '"rollout":1e999', 'rollout: expected text or a safe integer, got Infinity'],
    ['too large an outcome', '"rollout":0,"outcome":-1e999', 'outcome: expected a finite number of'],
    ['too large a token', '"rollout":0,"tokens":{"length":4,"turns":[[[0,1e999]]]}', 'got [0, Infinity]'],
  ])('say the same of fields that JSON does not carry on: %s', (_, fields, words) => {
    const line = `{"group":1,"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}],"golden":[[{"name":"f","arguments":{}}]],${fields}}`
    expect(checkBoth(bytesOf(line)).fault).toContain(words)
  })

  it('are taken without being built where they are plain', () => {
    const line = JSON.stringify({
      group: 1,
      rollout: 0,
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '{"a":"é"}' } }] },
      ],
      golden: [[{ name: 'f', arguments: { a: 'é' } }]],
    })
    const bytes = bytesOf(`${line}\n`)
    const scanned = recordScanner().scan(bytes, 0, bytes.length - 1, undefined)
    expect(scanned?.fields).toEqual({ group: 1, rollout: 0 })
    expect(scanned?.messages.numCalls).toBe(1)
  })
})

describe('goldenBytes', () => {
  const members = (value: JsonObject): number => goldenBytes('f', value, memberTape()).numMembers

  it('has no members where a number may stand for another one, or nesting is deep', () => {
    expect(members({ a: 1e25 + 2 ** 40 })).toBe(-1)
    expect(members({ a: [{ b: 2 ** 53 }] })).toBe(-1)
    expect(members({ a: 0.1, b: 12345678901234567890n })).toBe(2)
    const nested = (depth: number): JsonValue => (depth === 0 ? 1 : [nested(depth - 1)])
    expect(members({ a: nested(29) })).toBe(1)
    expect(members({ a: nested(4000) })).toBe(-1)
  })

  it('points at the name, and at each key and value', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.stringMatching(/^[a-z ]*$/), leaf), (name, value) => {
        const { bytes, nameEnd, numMembers, ptr } = goldenBytes(name, value, memberTape())
        const part = (start: number, end: number): string => new TextDecoder().decode(bytes.slice(start, end))
        expect(JSON.parse(`"${part(0, nameEnd)}"`)).toBe(name)
        const read: [string, unknown][] = []
        for (let m = 0; m < numMembers; m++)
          read.push([part(ptr[4 * m]!, ptr[4 * m + 1]!), JSON.parse(part(ptr[4 * m + 2]!, ptr[4 * m + 3]!))])
        const isLarge = Object.values(value).some((v) => typeof v === 'number' && Math.abs(v) >= 2 ** 53)
        expect(numMembers).toBe(isLarge ? -1 : Object.keys(value).length)
        if (!isLarge) expect(Object.fromEntries(read)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('skipValue', () => {
  const end = (text: string): number => skipValue(bytesOf(`${text}\n`), 0)

  it('ends behind any JSON value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        expect(end(text.trimStart())).toBe(bytesOf(text.trimStart()).length)
      }),
    )
  })

  it('takes nothing that JSON.parse refuses', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'u00e9',
      '\\u00e',
      'a',
      'é',
      '0',
      '1',
      '-',
      '.',
      'e',
      '+',
      'true',
      'nul',
      'null',
      ' ',
      '\t',
      '\u0001',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const bytes = bytesOf(text)
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        if (text.startsWith(' ') || text.startsWith('\t')) return
        const k = end(text)
        if (k >= 0 && /^[ \t]*$/.test(new TextDecoder().decode(bytes.subarray(k)))) expect(isJson).toBe(true)
        else expect(isJson).toBe(false)
      }),
      { numRuns: 5000 },
    )
  })

  it('knows UTF-8 as a decoder does', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0x80, 0x9f, 0xa0, 0xbf),
            fc.integer({ min: 0x80, max: 255 }),
          ),
          { maxLength: 5 },
        ),
        (inner) => {
          const bytes = Uint8Array.from([0x22, ...inner, 0x22, 10])
          let isText = true
          try {
            decoder.decode(bytes)
          } catch {
            isText = false
          }
          expect(skipValue(bytes, 0)).toBe(isText ? bytes.length - 1 : -1)
        },
      ),
      { numRuns: 5000 },
    )
  })
})

describe('bytes read four at once', () => {
  const letter = fc.constantFrom('a', 'ü', '日', '"', '\\', '\x1f', '\x7f', '!', '#', '[', ']', ' ', '𝄞')
  const text = fc.array(letter, { maxLength: 40 }).map((letters) => letters.join(''))

  it('end a string where reading them one by one does, at any place in their block', () => {
    fc.assert(
      fc.property(text, fc.nat(9), fc.nat(9), (content, before, behind) => {
        const bytes = bytesOf(`${' '.repeat(before)}"${content}"${' '.repeat(behind)}\n`)
        const from = before + 1
        let wanted = -1
        for (let end = from; end < bytes.length && wanted < 0; end++)
          if (bytes[end] === 0x22) {
            try {
              JSON.parse(new TextDecoder().decode(bytes.slice(from - 1, end + 1)))
              wanted = end + 1
            } catch {}
          }
        const found = skipString(bytes, from)
        // A control character ends it as a fault, whatever comes behind.
        const isFault = wanted < 0 || found < 0
        expect(found < 0).toBe(wanted < 0)
        if (!isFault) expect(found).toBe(wanted)
        for (const byte of [0x22, 0x5c, 0x61, 0x1f, 0x80, 0xe6])
          expect(hasByte(bytes, from, bytes.length - 1, byte)).toBe(
            bytes.subarray(from, bytes.length - 1).includes(byte),
          )
      }),
      { numRuns: 2000 },
    )
  })
})
