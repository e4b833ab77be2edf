/**
 * Tests of environments: those of the library are fit, and each way to break one is found by name.
 */
import { describe, expect, it } from 'vitest'
import { checkEnvironment } from '../../src/synth/check.js'
import { type EnvironmentReport, reportText } from '../../src/synth/check-report.js'
import { environments } from '../../src/synth/environments/index.js'
import type { EnvironmentSource, Tool } from '../../src/synth/types.js'
import { broken, tiny } from './tiny.js'

const problemsOf = ({ tools }: EnvironmentReport): string[] =>
  tools.flatMap(({ name, problems }) => problems.map(({ test, message }) => `${name}, ${test}: ${message}`))

async function found(source: EnvironmentSource, options = {}): Promise<string[]> {
  const report = await checkEnvironment(source, options)
  expect(report.isFit).toBe(false)
  return problemsOf(report)
}

/** A copy with one tool of the input schema changed. */
function withInput(name: string, properties: object, required: readonly string[]): Partial<Tool> {
  const { inputSchema } = tiny.tools.find((tool) => tool.name === name)!
  return { inputSchema: { ...inputSchema, properties, required } }
}

describe('the environments of the library', () => {
  it('are at least six, with names of their own', () => {
    expect(new Set(environments.map(({ name }) => name)).size).toBe(environments.length)
    expect(environments.length).toBeGreaterThanOrEqual(6)
  })

  for (const source of environments) {
    it(`${source.name} is fit, whatever the seed`, async () => {
      for (const seed of [0, 1, 2]) {
        const report = await checkEnvironment(source, { seed, calls: 40 })
        expect(problemsOf(report)).toEqual([])
        expect(report.isFit).toBe(true)
        for (const { accepted, invalid } of report.tools) {
          expect(accepted).toBeGreaterThan(2)
          expect(invalid).toBeGreaterThan(4)
        }
      }
    })

    it(`${source.name} has exact output schemas and 3 to 8 records of each entity`, () => {
      for (const { name, description, outputSchema, inputSchema } of source.tools) {
        expect({ name, ...outputSchema }).toMatchObject({ name, additionalProperties: false })
        expect({ name, ...inputSchema }).toMatchObject({ name, additionalProperties: false })
        expect(description).toMatch(/^[A-Z].*\.$/)
      }
      const tables = Object.values(source.database) as unknown[][]
      expect(Math.min(...tables.map(({ length }) => length))).toBeGreaterThanOrEqual(3)
      expect(Math.max(...tables.map(({ length }) => length))).toBeLessThanOrEqual(8)
    })
  }
})

describe('checkEnvironment', () => {
  it('finds a small environment fit', async () => {
    const report = await checkEnvironment(tiny)
    expect(problemsOf(report)).toEqual([])
    expect(report.isFit).toBe(true)
  })

  it('gives the same report for the same seed', async () => {
    expect(await checkEnvironment(tiny, { seed: 4 })).toEqual(await checkEnvironment(tiny, { seed: 4 }))
  })

  it('leaves the database of the source as it is', async () => {
    const before = structuredClone(tiny.database)
    await checkEnvironment(tiny)
    expect(tiny.database).toEqual(before)
  })

  it('finds an update that changes nothing', async () => {
    const source = broken('rate_note', () => () => ({ before: 1 }))
    const problems = await found(source)
    expect(problems).toContain('rate_note, state: is an update, and no call of it changes the database')
    expect(problems.every((problem) => problem.startsWith('rate_note,'))).toBe(true)
  })

  it('finds a query that writes', async () => {
    const source = broken('read_note', (handler) => (database, args, context) => {
      const output = handler(database, args, context)
      database.lastRead = args.note_id!
      return output
    })
    expect(await found(source)).toEqual([
      expect.stringMatching(/^read_note, state: read_note\(.*\) is a query and changes the database$/),
    ])
  })

  it('finds an argument that does not matter, and takes it where it is declared inert', async () => {
    const { properties } = tiny.tools[1]!.inputSchema
    const input = withInput('read_note', { ...(properties as object), lang: { type: 'string' } }, ['note_id'])
    expect(await found(broken('read_note', input))).toEqual([
      'read_note, arguments: argument lang changes nothing: use it, or declare it inert',
    ])
    const report = await checkEnvironment(broken('read_note', { ...input, inert: ['lang'] }))
    expect(problemsOf(report)).toEqual([])
  })

  it('finds an argument that is declared inert and is not', async () => {
    expect(await found(broken('rate_note', { inert: ['stars'] }))).toEqual([
      expect.stringMatching(
        /^rate_note, arguments: argument stars is declared inert, but rate_note\(.*\) does something else$/,
      ),
    ])
  })

  it('finds an output of the wrong shape', async () => {
    const problems = await found(broken('list_notes', () => () => ({ notes: [{ id: 1 }] })))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(
      /^list_notes, valid calls: .* does not give what the output schema says: output/,
    )
  })

  it('finds a handler that breaks, and tells it from one that refuses', async () => {
    const source = broken('read_note', () => (database, { note_id }) => {
      const { notes } = database as { notes: { note_id: string; text: string }[] }
      return { text: notes.find((one) => one.note_id === note_id)!.text }
    })
    expect(await found(source)).toEqual([
      expect.stringMatching(/^read_note, valid calls: read_note\(.*\) breaks: TypeError: Cannot read/),
    ])
  })

  it.each([
    ['what is not an Error', 'text', 'throws what is not an Error: "text"'],
    ['an Error without a message', new Error(' '), 'throws an Error without a message'],
  ])('finds a handler that throws %s', async (_, thrown, message) => {
    const source = broken('delete_note', (handler) => (database, args, context) => {
      if (args.note_id === 'note-b') throw thrown
      return handler(database, args, context)
    })
    expect(await found(source)).toEqual([
      `delete_note, valid calls: delete_note({"note_id":"note-b"}) ${message}`,
    ])
  })

  it('finds a handler that always refuses', async () => {
    const source = broken('write_note', () => () => {
      throw new Error('The pen is empty.')
    })
    expect(await found(source)).toEqual([
      expect.stringMatching(
        /^write_note, valid calls: none of \d+ calls was accepted; the last was refused with: The pen is empty\.$/,
      ),
    ])
  })

  it('finds a handler that hangs', async () => {
    const source = broken('delete_note', () => () => new Promise(() => {}))
    expect(await found(source, { timeout: 20 })).toEqual([
      expect.stringMatching(
        /^delete_note, valid calls: delete_note\(.*\) hangs: delete_note gave no answer in 20 ms$/,
      ),
    ])
  })

  it('finds outputs that do not follow from state and seed', async () => {
    let count = 0
    const source = broken('write_note', (handler) => async (database, args, context) => ({
      ...(await handler(database, args, context)),
      note_id: `note-${count++}`,
    }))
    expect(await found(source)).toContainEqual(
      expect.stringMatching(/^write_note, state: write_note\(.*\) gives another output when it is repeated/),
    )
  })

  it('finds an argument that takes any value', async () => {
    const input = withInput('write_note', { text: {} }, [])
    const source = broken('write_note', input)
    expect(await found(source)).toContain(
      'write_note, invalid calls: argument text takes any value: declare its type',
    )
  })

  it('says where no arguments can be made', async () => {
    const input = withInput('read_note', { note_id: { type: 'string', pattern: '^Q[0-9]{7}$' } }, ['note_id'])
    expect(await found(broken('read_note', input))).toEqual([
      'read_note, valid calls: no arguments could be made that the input schema takes: give it examples',
    ])
  })

  it.each([
    [4, 'expected 5 to 20 tools, got 4'],
    [21, 'expected 5 to 20 tools, got 21'],
  ])('finds %i tools not fit', async (count, message) => {
    const query = tiny.tools[0]!
    const more = Array.from({ length: count - 4 }, (_, k) => ({ ...query, name: `list_${k}` }))
    const source = { ...tiny, tools: [...tiny.tools.slice(0, 4), ...more] }
    const report = await checkEnvironment(source, { calls: 10 })
    expect({ isFit: report.isFit, problems: report.problems }).toEqual({ isFit: false, problems: [message] })
    expect(problemsOf(report)).toEqual([])
  })

  it('refuses a source that cannot be opened and options that there are not', async () => {
    const twice = { ...tiny, tools: [...tiny.tools, tiny.tools[0]!] }
    await expect(checkEnvironment(twice)).rejects.toThrow('source.tools[5].name: expected a name of its own')
    await expect(checkEnvironment(tiny, { seed: -1 })).rejects.toThrow('checkEnvironment: options.seed')
  })
})

describe('reportText', () => {
  it('says which environment is fit, and what is wrong with each tool', async () => {
    const good = await checkEnvironment(tiny)
    expect(reportText(good)).toMatch(/^notes: fit, 5 tools, \d+ calls\n$/)
    const bad = await checkEnvironment({ ...broken('rate_note', () => () => ({ before: 1 })), name: 'rated' })
    expect(reportText(bad)).toMatch(
      /^rated: not fit, 5 tools, \d+ calls\n(.*\n)* {2}rate_note \(update\), state: is an update/,
    )
  })
})
