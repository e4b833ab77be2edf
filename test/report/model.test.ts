/**
 * The model of a report against the command line's other outputs, and what is kept of a large log.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { embeddedSize } from '../../src/report/embed.js'
import type { ReportModel } from '../../src/report/model-types.js'
import { type Row, rowsOf, run, workFolder } from '../cli/run.js'
import { hostileRecords, modelOf, scoredRecords } from './records.js'

const { path, write } = workFolder()
const example = fileURLToPath(new URL('../../examples/rollouts.jsonl', import.meta.url))
const shared = fileURLToPath(new URL('../../../shared/data/', import.meta.url))

/** The cells of every rollout with details, by group and rollout. */
function cellsOf(model: ReportModel): Map<string, Row[]> {
  const cells = new Map<string, Row[]>()
  for (const { group, rollouts } of model.details)
    for (const { rollout, cells: own } of rollouts)
      cells.set(JSON.stringify([group, rollout]), own as unknown as Row[])
  return cells
}

async function expectSameNumbers(log: string, ...flags: string[]): Promise<ReportModel> {
  const modelPath = path('model.json')
  const metricsPath = path('metrics.json')
  const reported = await run(['report', log, '-o', modelPath, '--details', '1000', '-q', ...flags])
  expect(reported.code, reported.stderr).toBe(0)
  const { stdout } = await run(['advantages', log, '-q', '--metrics', metricsPath, ...flags])
  const model = JSON.parse(readFileSync(modelPath, 'utf8')) as ReportModel
  expect(model.metrics).toEqual(JSON.parse(readFileSync(metricsPath, 'utf8')))
  const cells = cellsOf(model)
  const rows = rowsOf(stdout)
  const told = rows.filter(({ group, rollout }) => cells.has(JSON.stringify([group, rollout])))
  expect(told.length).toBeGreaterThan(0)
  for (const row of told) {
    const own = cells.get(JSON.stringify([row.group, row.rollout]))!
    expect(own.map(({ advantage }) => advantage)).toEqual(row.advantages)
    expect(own.map(({ reward }) => reward)).toEqual(row.rewards)
    expect(own.map(({ reached }) => Number(reached))).toEqual(row.reached)
    expect(own.map(({ local }) => local)).toEqual(row.local)
    expect(own.map(({ future }) => future)).toEqual(row.future)
  }
  const compared = await run(['compare', log, '--json', '-q', ...flags])
  expect(model.comparison).toEqual(JSON.parse(compared.stdout))
  return model
}

describe('the numbers of a report', () => {
  it('are those of advantages, metrics and compare', async () => {
    await expectSameNumbers(example)
    await expectSameNumbers(example, '--lambda', '0.3', '--gate', 'none', '--unreached', 'exclude')
  })

  it('are those of tara explain', async () => {
    const log = write(
      'hostile.jsonl',
      hostileRecords('g')
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    const { details } = await expectSameNumbers(log)
    const { stdout } = await run([
      'explain',
      log,
      '--group',
      'g',
      '--rollout',
      'wrong',
      '--turn',
      '0',
      '--json',
    ])
    const told = JSON.parse(stdout) as { numbers: Record<string, unknown>; coverage: { missed: Row[] } }
    const cell = details[0]!.rollouts[1]!.cells[0]!
    expect({ sum: cell.sum, gate: cell.gate, advantage: cell.advantage }).toEqual({
      sum: told.numbers.sum,
      gate: told.numbers.gate,
      advantage: told.numbers.advantage,
    })
    expect(cell.coverage!.missed[0]!.index).toBe(told.coverage.missed[0]!.index)
  })

  for (const name of ['bfcl_sample', 'tau_airline'])
    it.skipIf(!existsSync(`${shared}${name}.jsonl`))(
      `of ${name} are those of advantages, metrics and compare${existsSync(shared) ? '' : ' (skipped: no ../shared)'}`,
      async () => {
        await expectSameNumbers(`${shared}${name}.jsonl`)
      },
    )
})

describe('calls in a report', () => {
  const [detail] = modelOf(hostileRecords('g')).details
  const rollouts = detail!.rollouts

  it('are marked covered, extra or malformed', () => {
    expect(rollouts.map(({ calls }) => calls!.map(({ mark }) => mark))).toEqual([
      ['covered', 'covered', 'extra'],
      ['extra', 'covered', 'extra'],
      ['malformed', 'covered', 'extra'],
      ['covered'],
    ])
  })

  it('name the argument that differs, whatever its name holds', () => {
    const [, wrong, broken] = rollouts
    const miss = wrong!.cells[0]!.coverage!.missed[0]!
    expect(miss).toMatchObject({ reason: 'wrong arguments', call: 0, got: '"x"' })
    expect(wrong!.calls![0]!.args!.map(([name]) => name)).toContain(miss.argument)
    expect(broken!.cells[0]!.coverage!.missed[0]!.reason).toBe('malformed arguments')
  })

  it('stand at the message that made them', () => {
    expect(rollouts[1]!.messages!.map(({ turn, calls }) => [turn, calls])).toEqual([
      [0, []],
      [0, [0]],
      [0, []],
      [1, []],
      [1, [1, 2]],
    ])
  })
})

describe('messages in a report', () => {
  const made = (...names: string[]): object => ({
    role: 'assistant',
    content: null,
    tool_calls: names.map((name) => ({ id: 'c', type: 'function', function: { name, arguments: '{}' } })),
  })

  it('name their own calls, also where turns are marked and go back and forth', () => {
    const messages = [made('early'), made('a'), made('c', 'd'), made('b'), made('e')]
    const golden = [[{ name: 'a', arguments: {} }], [{ name: 'c', arguments: {} }]]
    const turns = [null, 0, 1, 0, 2]
    const records = [0, 1].map((rollout) => ({ group: 'g', rollout, turns, messages, golden }))
    const { calls, messages: shown } = modelOf(records).details[0]!.rollouts[0]!
    expect(shown!.map((message) => message.calls.map((c) => calls![c]!.name))).toEqual([
      ['early'],
      ['a'],
      ['c', 'd'],
      ['b'],
      ['e'],
    ])
    expect(calls!.map(({ turn, mark }) => [turn, mark])).toEqual([
      [-1, 'untested'],
      [0, 'covered'],
      [0, 'extra'],
      [1, 'covered'],
      [1, 'extra'],
      [2, 'untested'],
    ])
  })
})

describe('a large log', () => {
  it('has all groups in the overview and the list, and details of the most informative', () => {
    const model = modelOf(scoredRecords(300), { details: 7 })
    expect(model.read.groups).toBe(300)
    expect(model.groups).toHaveLength(300)
    expect(model.details.map(({ group }) => group)).toEqual(
      model.groups.slice(0, 7).map(({ group }) => group),
    )
    const sigmas = model.groups.map(({ sigma }) => sigma)
    expect(sigmas).toEqual([...sigmas].sort((a, b) => b - a))
  })

  it('loses conversations first and then details where the page would grow too large', () => {
    const records = Array.from({ length: 20 }, (_, g) => hostileRecords(`g${g}`)).flat()
    const whole = modelOf(records)
    expect(whole.left).toEqual({ groups: 0, conversations: 0 })
    const small = modelOf(records, { maxBytes: Math.floor(embeddedSize(whole) / 2) })
    expect(small.left.conversations).toBeGreaterThan(0)
    expect(small.left.groups + small.details.length).toBe(20)
    expect(embeddedSize(small)).toBeLessThan(embeddedSize(whole) * 0.6)
    expect(small.metrics).toEqual(whole.metrics)
    // No group is lost while there is a conversation that could make room.
    const isBare = ({ rollouts }: { rollouts: readonly { messages?: unknown }[] }): boolean =>
      rollouts.every(({ messages }) => messages === undefined)
    if (small.left.groups > 0) expect(small.details.every(isBare)).toBe(true)
    const half = modelOf(records, { maxBytes: Math.floor(embeddedSize(whole) * 0.8) })
    expect(half.left.groups).toBe(0)
    expect(half.left.conversations).toBeGreaterThan(0)
  })
})
