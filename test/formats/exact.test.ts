/**
 * Integers of any size, repeated keys and other text that a plain `JSON.parse` would change.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLog, refusal, rewardsOf } from './records.js'

const BIG = '9007199254740993'
const ROUNDED = '9007199254740992'

/** A line with one golden call and one made call; both arguments are JSON text of the line. */
function line(golden: string, made: string, rollout = 0): string {
  const messages = `[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":${made}}}]}]`
  return `{"group":"g","rollout":${rollout},"messages":${messages},"golden":[[{"name":"f","arguments":${golden}}]]}`
}

const rewardOf = (golden: string, made: string): number => rewardsOf(readLog([line(golden, made)]))[0]![0]!

const asText = (json: string): string => JSON.stringify(json)

describe('integers beyond 2^53', () => {
  for (const [golden, madeIs] of [
    [`{"n":${BIG}}`, 'an object'],
    [asText(`{"n":${BIG}}`), 'text'],
  ] as const)
    it(`count to the last digit where the golden trace is ${madeIs}`, () => {
      for (const made of [
        `{"n":${BIG}}`,
        asText(`{"n":${BIG}}`),
        `{"n":${BIG}.0}`,
        `{"n":900719925474099.3e1}`,
      ])
        expect(rewardOf(golden, made), made).toBe(1)
      for (const made of [`{"n":${ROUNDED}}`, asText(`{"n":${ROUNDED}}`), `{"n":"${BIG}"}`])
        expect(rewardOf(golden, made), made).toBe(0)
    })

  it('count where the golden trace is the rounded one', () => {
    expect(rewardOf(`{"n":${ROUNDED}}`, `{"n":${BIG}}`)).toBe(0)
    expect(rewardOf(`{"n":${ROUNDED}}`, asText(`{"n":${BIG}}`))).toBe(0)
  })

  it('make two golden traces differ', () => {
    expect(refusal([line(`{"n":${BIG}}`, '{}'), line(`{"n":${ROUNDED}}`, '{}', 1)])).toBe(
      "in:2: golden: expected the golden trace of the group's first record at in:1, got another",
    )
    expect(refusal([line(`{"n":${BIG}}`, '{}'), line(`{ "n": ${BIG}.0 }`, '{}', 1)])).toBe('read')
  })
})

describe('numbers that no float64 holds', () => {
  it('are exact up to a million digits', () => {
    expect(rewardOf('{"n":1e400}', '{"n":1e400}')).toBe(1)
    expect(rewardOf('{"n":1e400}', '{"n":10e399}')).toBe(1)
    expect(rewardOf('{"n":1e400}', '{"n":1e401}')).toBe(0)
  })

  it('beyond that make the call a miss and change nothing else in the line', () => {
    const huge = '1e1000001'
    expect(rewardOf('{"n":1}', `{"n":${huge}}`)).toBe(0)
    expect(rewardOf('{"n":1}', `{"n":1,"m":[-${huge}]}`)).toBe(0)
    expect(rewardOf('{"n":1}', asText(`{"n":${huge}}`))).toBe(0)
    // Elsewhere in the line: the other call is still read exactly.
    const two = (made: string): string =>
      `{"group":"g","rollout":0,"messages":[{"role":"user"},{"role":"assistant","tool_calls":[{"name":"f","arguments":{"x":${huge}}},{"name":"f","arguments":${made}}]}],"golden":[[{"name":"f","arguments":{"n":${BIG},"m":0}}]]}`
    expect(rewardsOf(readLog([two(`{"n":${BIG},"m":0}`)]))).toEqual([[1]])
    expect(rewardsOf(readLog([two(`{"n":${ROUNDED},"m":0}`)]))).toEqual([[0]])
    expect(rewardsOf(readLog([two(`{"n":${BIG},"m":1,"m":0}`)]))).toEqual([[0]])
    expect(rewardsOf(readLog([two(`{"n":${BIG},"m":0e5}`)]))).toEqual([[1]])
    expect(rewardsOf(readLog([two(`{"n":${BIG},"m":1e-1}`)]))).toEqual([[0]])
  })

  it('are refused in a golden trace', () => {
    expect(refusal([line('{"n":1e1000001}', '{}')])).toMatch(
      /^in:1: golden: expected at most .* digits written out, got 1e1000001$/,
    )
  })
})

describe('a repeated key', () => {
  it('in arguments of a model is a miss, whichever value stands last', () => {
    for (const made of [
      '{"a":1,"a":2}',
      '{"a":2,"a":1}',
      '{"a":1,"\\u0061":1}',
      '{"a":1,"b":{"c":1,"c":1}}',
    ]) {
      expect(rewardOf('{"a":1}', made), made).toBe(0)
      expect(rewardOf('{"a":1}', asText(made)), made).toBe(0)
    }
    expect(readLog([line('{"a":1}', '{"a":1,"a":1}')]).counts.malformedCalls).toBe(1)
  })

  it('in a golden trace is refused', () => {
    expect(refusal([line('{"a":1,"a":1}', '{}')])).toMatch(
      /^in:1: golden: expected each key once, got "a" again/,
    )
    expect(refusal([line(asText('{"a":1,"a":1}'), '{}')])).toMatch(
      /^in:1: golden\[0\]\[0\]\.arguments: expected JSON text/,
    )
    expect(refusal([line('{"a":1}', '{}'), line('{"a":2,"a":1}', '{}', 1)])).toMatch(
      /^in:2: golden: expected each key once/,
    )
  })

  it('"golden" itself is refused', () => {
    const twice = line('{"a":1}', '{"a":1}').replace(/\}$/, ',"golden":[[]]}')
    const escaped = line('{"a":1}', '{"a":1}').replace(/\}$/, ',"g\\u006flden":[[]]}')
    expect(refusal([twice])).toBe('in:1: expected each field once, got one again')
    expect(refusal([escaped])).toBe('in:1: expected each field once, got one again')
    expect(refusal([line('{"a":1}', '{}', 1), twice])).toBe('in:2: expected each field once, got one again')
    expect(refusal([line('{"a":1}', '{}', 1), escaped])).toBe('in:2: expected each field once, got one again')
  })
})

describe('keys that JavaScript treats in its own way', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '0', ''])(
    '%j is a key like any other',
    (key) => {
      const name = JSON.stringify(key)
      expect(rewardOf(`{${name}:{"a":1}}`, `{${name}:{"a":1}}`)).toBe(1)
      expect(rewardOf(`{${name}:{"a":1}}`, asText(`{${name}:{"a":1}}`))).toBe(1)
      expect(rewardOf(`{${name}:{"a":1}}`, '{}')).toBe(0)
      expect(rewardOf('{}', `{${name}:{}}`)).toBe(0)
    },
  )

  it('may be the names of reward columns', () => {
    const log = readLog(['{"group":"g","rollout":0,"rewards":{"__proto__":[1],"constructor":[0]}}'])
    expect(Object.keys(log.batch.columns ?? {})).toEqual(['__proto__', 'constructor'])
    expect(rewardsOf(log)).toEqual([[1]])
  })
})

describe('the same golden trace again', () => {
  const golden = '[[{"name":"f","arguments":{"a":1}}]]'
  const other = '[[{"name":"f","arguments":{"a":2}}]]'
  const messages = '"messages":[{"role":"user"}]'
  const opening = `{"group":"g","rollout":0,${messages},"golden":${golden}}`
  const mismatch = "in:2: golden: expected the golden trace of the group's first record at in:1, got another"

  it.each([
    [
      'its text stands in a message',
      `{"group":"g","rollout":1,"messages":[{"role":"user","content":${asText(`"golden":${golden}`)}}],"golden":${other}}`,
    ],
    [
      'its text stands under a nested key',
      `{"group":"g","rollout":1,"messages":[{"role":"user","golden":${golden}}],"golden":${other}}`,
    ],
    [
      'its text comes after',
      `{"group":"g","rollout":1,"golden":${other},"messages":[{"role":"user","golden":${golden}}]}`,
    ],
    [
      'the key is written with escapes',
      `{"group":"g","rollout":1,"messages":[{"role":"user","golden":${golden}}],"\\u0067olden":${other}}`,
    ],
    [
      'the key is written with upper-case escapes',
      `{"group":"g","rollout":1,"messages":[{"role":"user","golden":${golden}}],"go\\u006Cden":${other}}`,
    ],
    [
      'it goes on where the first ends',
      `{"group":"g","rollout":1,${messages},"golden":${golden.slice(0, -1)},[]]}`,
    ],
  ])('is not taken for it where %s', (_name, text) => {
    expect(JSON.parse(text)).toHaveProperty('golden')
    expect(refusal([opening, text])).toBe(mismatch)
  })

  it.each([
    [
      'keys are in another order',
      `{"golden":[[{"arguments":{"a":1},"name":"f"}]],${messages},"rollout":1,"group":"g"}`,
    ],
    [
      'white space differs',
      `{"group":"g", "rollout":1,${messages},\t"golden" \t: [ [ {"name":"f","arguments":{"a": 1} } ] ] }`,
    ],
    ['the key is written with escapes', `{"group":"g","rollout":1,${messages},"\\u0067olden":${golden}}`],
    [
      'a message has a field of the name',
      `{"group":"g","rollout":1,"messages":[{"role":"user","golden":7}],"golden":${golden}}`,
    ],
  ])('is known where %s', (_name, text) => {
    expect(refusal([opening, text])).toBe('read')
    expect(refusal([text, opening])).toBe('read')
  })

  it('is refused where it is no list, whatever is around it', () => {
    for (const value of ['{"a":1}', '"x"', '7', 'true'])
      expect(refusal([`{"group":"g","rollout":1,"golden":${value},${messages}}`]), value).toMatch(
        /^in:1: golden: expected a list/,
      )
  })
})

describe('golden traces of two records', () => {
  /** The same value with its keys turned around and white space everywhere. */
  const spaced = (value: unknown): string =>
    Array.isArray(value)
      ? `[ ${value.map(spaced).join(' , ')} ]`
      : typeof value === 'object' && value !== null
        ? `{ ${Object.entries(value)
            .reverse()
            .map(([key, member]) => `${JSON.stringify(key)} : ${spaced(member)}`)
            .join(' ,')} }`
        : JSON.stringify(value)

  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)

  it('are the same however they are written, and another where one value is another', () => {
    fc.assert(
      fc.property(json, json, (value, other) => {
        const plain = line(JSON.stringify({ a: value, b: 0 }), '{}')
        expect(refusal([plain, line(spaced({ a: value, b: 0 }), '{}', 1)])).toBe('read')
        expect(refusal([plain, line(JSON.stringify({ a: [value, other], b: 0 }), '{}', 1)])).toMatch(
          /^in:2: golden: /,
        )
        expect(refusal([plain, line(JSON.stringify({ a: value, b: 0, c: other }), '{}', 1)])).toMatch(
          /^in:2: golden: /,
        )
      }),
    )
  })

  it('score the same whether the second record repeats the text or writes it anew', () => {
    fc.assert(
      fc.property(json, json, (value, made) => {
        const of = (golden: string): number[][] =>
          rewardsOf(
            readLog([
              line(JSON.stringify({ a: value }), JSON.stringify({ a: value })),
              line(golden, JSON.stringify({ a: made }), 1),
              line(golden, JSON.stringify({ a: value }), 2),
            ]),
          )
        const rewards = of(JSON.stringify({ a: value }))
        expect(rewards).toEqual(of(spaced({ a: value })))
        expect([rewards[0], rewards[2]]).toEqual([[1], [1]])
      }),
    )
  })
})

describe('a line that is no JSON', () => {
  it.each([
    ['{"group":"g"', 'cut off'],
    ["{'group':'g'}", 'in single quotes'],
    ['{"group":"g","rollout":0,"rewards":[1,]}', 'with a trailing comma'],
    ['{"group":"g","rollout":0,"rewards":[1]} {}', 'two in one'],
    ['{"group":"g","rollout":0,"rewards":[01]}', 'with a leading zero'],
    ['\u00a0{"group":"g","rollout":0,"rewards":[1]}', 'with a space that JSON does not have'],
  ])('%s is refused with its line (%s)', (text) => {
    expect(refusal(['{"group":"g","rollout":9,"rewards":[1]}', text])).toMatch(
      /^in:2: expected JSON \(character \d+\): .+, got .+/,
    )
  })

  it.each([
    '"rewards":[1],"outcome":NaN',
    '"rewards":[1],"tokens":{"length":NaN,"turns":[[]]}',
    '"rewards":[1],"more":[{"x":-Infinity}]',
    '"rewards":{"a":[Infinity]}',
    '"messages":[{"role":"user","x":NaN}],"golden":[[]]',
  ])('names the literal wherever it stands: %s', (fields) => {
    expect(refusal([`{"group":"g","rollout":0,${fields}}`])).toMatch(
      /^in:1: expected JSON .*, got -?(NaN|Infinity)/,
    )
  })

  it.each(['NaN', 'Infinity', '-Infinity'])('%s is named', (word) => {
    const text = `{"group":"g","rollout":0,"rewards":[${word}]}`
    expect(refusal([text])).toContain(word)
    expect(readLog([text], { allowInvalid: true }).status).toEqual(['aborted'])
  })

  it('is not made one by allowInvalid, and NaN in a golden trace stays a fault', () => {
    const allowed = { allowInvalid: true }
    expect(refusal(['{"group":"g","rollout":0,"rewards":[NaN}'], allowed)).toMatch(/^in:1: expected JSON/)
    expect(refusal(['{"group":"g","rollout":0,"rewards":[Nan]}'], allowed)).toMatch(/^in:1: expected JSON/)
    expect(refusal([line('{"n":NaN}', '{"n":null}')], allowed)).toMatch(/^in:1: golden: expected .*NaN/)
    expect(rewardsOf(readLog([line('{"n":null}', '{"n":NaN}')], allowed))).toEqual([[0]])
    expect(
      rewardsOf(readLog([line('{"s":"NaN \\" Infinity"}', '{"s":"NaN \\" Infinity","x":NaN}')], allowed)),
    ).toEqual([[0]])
    expect(rewardsOf(readLog([line('{"s":"NaN"}', asText('{"s":"NaN"}'))], allowed))).toEqual([[1]])
  })

  it('never gets further than an error of the library, whatever is cut out of it', () => {
    const whole = line(`{"n":${BIG}}`, `{"n":${BIG}}`)
    fc.assert(
      fc.property(
        fc.nat(whole.length),
        fc.nat(12),
        fc.constantFrom('', '"', '{', ']', '\\', 'NaN', '\u0000'),
        (at, cut, put) => {
          // Throws what is not a TaraError.
          refusal([whole.slice(0, at) + put + whole.slice(at + cut)], { allowInvalid: true })
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('depth', () => {
  it('does no harm in arguments', () => {
    const deep = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`
    expect(rewardOf('{"a":1}', asText(deep))).toBe(0)
    expect(rewardOf(deep, asText(deep))).toBe(1)
    expect(rewardOf('{"a":1}', deep)).toBe(0)
  })
})
