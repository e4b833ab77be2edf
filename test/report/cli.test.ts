/**
 * `tara report` on inputs of every kind.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { demoRecords } from '../../src/cli/demo-data.js'
import type { ReportModel } from '../../src/report/model-types.js'
import { run, smallLog, workFolder } from '../cli/run.js'

const { path, write } = workFolder()

const lines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

async function modelOfRun(args: readonly string[], input = ''): Promise<ReportModel> {
  const { code, stderr } = await run(['report', ...args, '-o', path('model.json'), '-q'], input)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(readFileSync(path('model.json'), 'utf8')) as ReportModel
}

/** A τ-bench result: two trials of one task. */
const document = [0, 1].map((trial) => ({
  task_id: 3,
  trial,
  reward: trial,
  info: { task: { actions: [{ name: 'find', kwargs: { id: 'x' } }] } },
  traj: [
    { role: 'user', content: 'Where is x?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'find', arguments: `{"id":"${'yx'[trial]}"}` } },
      ],
    },
  ],
}))

describe('tara report', () => {
  it('makes the same of a file and of a pipe', async () => {
    const log = write('log.jsonl', lines(demoRecords()))
    const { source: _, ...fromFile } = await modelOfRun([log])
    const { source, ...fromPipe } = await modelOfRun(['-'], lines(demoRecords()))
    expect(fromPipe).toEqual(fromFile)
    expect(source).toBe('stdin')
    expect(fromPipe.read.tokens).toEqual({ trained: 76, all: 192 })
  })

  it('reads tokens only where every record tells them', async () => {
    const [first, ...others] = demoRecords() as Record<string, unknown>[]
    const { tokens: _, ...bare } = first!
    const model = await modelOfRun(['-'], lines([...others, bare]))
    expect(model.read.tokens).toBeUndefined()
    expect(model.details[0]!.rollouts[0]!.messages).toHaveLength(12)
  })

  it('joins golden traces from another file', async () => {
    const [{ golden }] = demoRecords() as [{ golden: object }]
    const records = demoRecords().map((record) => ({ ...record, golden: undefined }))
    const log = write('untold.jsonl', lines(records))
    const tasks = write('tasks.jsonl', lines([{ group: 'trip-to-oslo', golden }]))
    const { source: _, settings: _s, ...told } = await modelOfRun([write('told.jsonl', lines(demoRecords()))])
    const { source: _2, settings: _s2, ...joined } = await modelOfRun([log, '--golden', tasks])
    expect(joined).toEqual(told)
  })

  it.each([
    ['over many lines', JSON.stringify(document, null, 2)],
    ['on one line', JSON.stringify(document)],
  ])('shows the conversations of a document %s', async (_name, text) => {
    const log = write('document.json', text)
    const { code } = await run(['report', log, '-o', path('model.json'), '-q'])
    expect(code).toBe(0)
    const model = JSON.parse(readFileSync(path('model.json'), 'utf8')) as ReportModel
    const { rollouts } = model.details[0]!
    expect(rollouts.map(({ messages }) => messages!.map(({ role, text: said }) => [role, said])[0])).toEqual([
      ['user', 'Where is x?'],
      ['user', 'Where is x?'],
    ])
    expect(rollouts.map(({ calls }) => calls![0]!.mark)).toEqual(['extra', 'covered'])
  })

  it('shows details of as many groups as are asked for', async () => {
    const log = [0, 1, 2].map((g) => smallLog.replaceAll('"g"', `"g${g}"`)).join('')
    expect((await modelOfRun(['-', '--details', '2'], log)).details.map(({ group }) => group)).toEqual([
      'g0',
      'g1',
    ])
    expect((await modelOfRun(['-', '--details', '0'], log)).details).toEqual([])
  })

  it('writes a page to stdout, and only says on stderr what it read', async () => {
    const { code, stdout, stderr } = await run(['report', '-'], smallLog)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^<!doctype html>/)
    expect(stderr).toBe('1 group, 2 rollouts; details of 1 group\n')
  })

  it('refuses a wrong option before it reads, and to write over its input', async () => {
    const log = write('log.jsonl', smallLog)
    expect((await run(['report', log, '--lambda', '2'])).code).toBe(2)
    expect(await run(['report', log, '-o', log])).toMatchObject({ code: 2, stdout: '' })
    expect(readFileSync(log, 'utf8')).toBe(smallLog)
  })
})
