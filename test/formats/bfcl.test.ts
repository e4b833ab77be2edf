/**
 * Multi-turn result and answer files of BFCL.
 */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bfcl } from '../../src/formats/bfcl.js'
import type { FunctionDoc } from '../../src/formats/document.js'
import type { ToolCall } from '../../src/reward/call.js'
import { coverage } from '../../src/reward/cover.js'
import { callsOf, recordsOf, refusal, rewardsOf } from './document.js'

type Fields = Record<string, unknown>

const id = 'multi_turn_base_0'

const functions: readonly FunctionDoc[] = [
  {
    name: 'cd',
    parameters: { type: 'dict', properties: { folder: { type: 'string' } }, required: ['folder'] },
  },
  { name: 'mv', parameters: { type: 'dict', properties: { source: {}, destination: {} } } },
  { name: 'pwd', parameters: { type: 'dict', properties: {} } },
]

const answer = {
  id,
  ground_truth: [
    ["cd(folder='document')", "mkdir(dir_name='temp')"],
    [],
    ["mv('a.txt', destination='temp')", 'book(price=5.0, ids=[1, 12345678901234567890])'],
  ],
}

const golden = [...bfcl.tasksOf!(answer, { functions })][0]!.fields.golden

/** The calls of each turn of a result. */
const turnsOf = (result: unknown): readonly (readonly ToolCall[] | null)[] =>
  callsOf(recordsOf(bfcl, { id, result }, { functions })[0]!).turns

const brief = (result: unknown): unknown =>
  turnsOf(result).map((calls) => calls?.map(({ name, problem }) => problem ?? name))

describe('an answer of BFCL', () => {
  it('is a golden trace, one turn of calls a user turn', () => {
    expect(JSON.parse(JSON.stringify(golden, (_, v) => (typeof v === 'bigint' ? `${v}n` : v)))).toEqual([
      [
        { name: 'cd', arguments: { folder: 'document' } },
        { name: 'mkdir', arguments: { dir_name: 'temp' } },
      ],
      [],
      [
        { name: 'mv', arguments: { source: 'a.txt', destination: 'temp' } },
        { name: 'book', arguments: { price: 5, ids: [1, '12345678901234567890n'] } },
      ],
    ])
    expect(recordsOf(bfcl, answer, { functions })).toEqual([])
  })

  it('that cannot be read is refused with its place', () => {
    const wrong: readonly (readonly [unknown, string])[] = [
      ['x', 'ground_truth: expected a list with one list of calls a turn, got "x"'],
      [['f()'], 'ground_truth[0]: expected a list of calls, got "f()"'],
      [[[{ f: {} }]], 'ground_truth[0][0]: expected a Python call as text, got an object'],
      [[[], ['f(a=g())']], 'ground_truth[1][0]: expected a value, got g at character 4 of "f(a=g())"'],
      [
        [['f(1)']],
        'ground_truth[0][0]: expected arguments with names, got a positional argument of f, whose function docs are not given',
      ],
      [
        [['pwd(1)']],
        'ground_truth[0][0]: expected arguments with names, got 1 positional arguments of pwd, which has 0',
      ],
      [
        [["mv('a', source='b')"]],
        'ground_truth[0][0]: expected arguments with names, got source of mv by position and by name',
      ],
    ]
    for (const [truth, message] of wrong)
      expect(refusal(bfcl, { id, ground_truth: truth }, { functions })).toBe(message)
    expect(refusal(bfcl, [answer, { id, ground_truth: 5 }], { functions })).toBe(
      '[1].ground_truth: expected a list with one list of calls a turn, got 5',
    )
  })
})

describe('a result of BFCL', () => {
  it('has calls as expressions, as objects of function-calling models, or in text', () => {
    const asText = [
      [["cd('document')", "mkdir(dir_name='temp')"], 'Done.'],
      ['nothing to do'],
      ["[mv(source='a.txt', destination='temp'), book(price=5, ids=(1, 12345678901234567890))]", []],
    ]
    const asObjects = [
      [[{ cd: '{"folder": "document"}' }], [{ mkdir: { dir_name: 'temp' } }], 'Done.'],
      [],
      [
        [
          { mv: '{"source":"a.txt","destination":"temp"}' },
          { book: '{"price":5,"ids":[1,12345678901234567890]}' },
        ],
        'ok',
      ],
    ]
    for (const result of [asText, asObjects]) {
      const records = recordsOf(bfcl, { id, result, inference_log: [], latency: [[1]] }, { functions })
      expect(rewardsOf(records, golden)).toEqual([[1, 1, 1]])
      expect(callsOf(records[0]!, 'step').turns.length).toBe(result.flat().length)
    }
    expect(turnsOf([[{ a: '{}', b: null }]])).toEqual([
      [
        { name: 'a', arguments: '{}' },
        { name: 'b', arguments: null },
      ],
    ])
  })

  it('is text without calls where a step is no list of calls', () => {
    for (const text of ['I am done.', '', 'cd(folder=', "cd('x') is what I would do", '[1, 2]', '{"a":1}'])
      expect(turnsOf([[text]])).toEqual([[]])
    for (const text of ["cd('x')", "[cd('x')]", "`cd('x')`", "```\n[cd(folder='x')]\n```"])
      expect(brief([[text]])).toEqual([['cd']])
    expect(brief([["cd('x'), pwd()"]])).toEqual([['cd', 'pwd']])
  })

  it('has a malformed call where an entry of a list of calls cannot be read', () => {
    const entries = [
      'cd(folder=',
      '',
      '{}',
      'null',
      'cd(1, 2)',
      "cd('x', folder='y')",
      'unknown(1)',
      'cd({"a": 1})',
    ]
    const [calls] = turnsOf([[entries]])
    expect(calls!.length).toBe(entries.length)
    expect(coverage([], calls!)).toMatchObject({ malformed: entries.length - 1, extra: entries.length })
    expect(coverage([{ name: 'cd', arguments: { folder: { a: 1 } } }], calls!).covered).toBe(true)
  })

  it('with fewer turns has not reached the rest', () => {
    expect(
      rewardsOf(recordsOf(bfcl, { id, result: [[["cd('document')", "mkdir('temp')"]]] }), golden),
    ).toEqual([[0, 0, 0]])
    expect(turnsOf([])).toEqual([])
  })

  it('of a failed server is aborted', () => {
    const [record] = recordsOf(bfcl, { id, result: 'Error during inference: 503', traceback: '…' })
    expect(record!.fields).toMatchObject({ status: 'aborted', messages: [], group: id })
  })

  it('may hold its answer and its number', () => {
    const line = { ...answer, result: [[['pwd()']]], rollout: 7 }
    const records = recordsOf(bfcl, [line, { ...line, rollout: undefined }], {
      functions,
      nextRollout: () => 9,
    })
    expect(records.map(({ path, fields }) => [path, fields.rollout, fields.golden])).toEqual([
      ['[0]', 7, golden],
      ['[1]', 9, golden],
    ])
    expect(recordsOf(bfcl, { ...line, rollout: null }, { functions })[0]!.fields.rollout).toBe(0)
  })

  it('that is built wrongly is refused with its path', () => {
    const wrong: readonly (readonly [Fields, string])[] = [
      [{ result: 'text' }, 'result: expected a list of turns (single-turn results are not read), got "text"'],
      [{ result: ['x'] }, 'result[0]: expected a list of steps, got "x"'],
      [{ result: [[], [5]] }, 'result[1][0]: expected text or a list of calls, got 5'],
      [{ result: [[[5]]] }, 'result[0][0][0]: expected a call as text, or an object with its name, got 5'],
      [{ id: null, result: [] }, 'id: expected text or a safe integer, got null'],
      [{ rollout: [], result: [] }, 'rollout: expected text or a safe integer, got an empty list'],
    ]
    for (const [more, message] of wrong) expect(refusal(bfcl, { id, ...more })).toBe(message)
    expect(refusal(bfcl, 5)).toBe('expected an entry with id and result or ground_truth, got 5')
    const docs = (one: unknown): string =>
      refusal(bfcl, { id, result: [] }, { functions: [functions[0]!, one as FunctionDoc] })
    expect(docs(5)).toBe('functions[1]: expected a function with name and parameters, got 5')
    expect(docs({})).toBe('functions[1].name: expected a string, got undefined')
    expect(docs({ name: 'f', parameters: 5 })).toBe('functions[1].parameters: expected an object, got 5')
    expect(docs({ name: 'f', parameters: { properties: [] } })).toBe(
      'functions[1].parameters.properties: expected an object, got an empty list',
    )
  })

  it('is known by its fields', () => {
    for (const one of [answer, [answer], { id, result: [] }, { id, result: 'Error during inference' }])
      expect(bfcl.isOne(one)).toBe(true)
    for (const other of [
      { id },
      { id: 'x', result: 'y' },
      { result: [] },
      [],
      null,
      { group: 1, messages: [] },
    ])
      expect(bfcl.isOne(other)).toBe(false)
  })
})

const sample = new URL('../../../shared/data/bfcl_sample.jsonl', import.meta.url)

describe.skipIf(!existsSync(sample))('the sample of BFCL (skipped without ../shared/data)', () => {
  const lines = existsSync(sample) ? readFileSync(sample, 'utf8').trimEnd().split('\n').slice(0, 40) : []

  /** Python source of a JSON value. */
  const print = (value: unknown): string => {
    if (value === null) return 'None'
    if (typeof value === 'boolean') return value ? 'True' : 'False'
    if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`
    if (typeof value !== 'object') return JSON.stringify(value)
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}: ${print(item)}`)
      .join(', ')}}`
  }

  it('has the same golden traces when written as answers', () => {
    expect(lines.length).toBe(40)
    for (const line of lines) {
      const { group, golden: wanted } = JSON.parse(line) as { group: string; golden: ToolCall[][] }
      const truth = wanted.map((turn) =>
        turn.map(({ name, arguments: given }) => {
          const args = typeof given === 'string' ? JSON.parse(given) : (given ?? {})
          const named = Object.entries(args).map(([key, value]) => `${key}=${print(value)}`)
          return `${name}(${named.join(', ')})`
        }),
      )
      const [task] = bfcl.tasksOf!({ id: group, ground_truth: truth })
      ;(task!.fields.golden as ToolCall[][]).forEach((turn, t) => {
        expect(coverage(wanted[t]!, turn)).toMatchObject({ covered: true, extra: 0 })
      })
    }
  })
})
