/**
 * `tara synth tasks` and `tara synth rollouts`, on the built command line.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Task } from '../../src/synth/types.js'
import { rowsOf, run, workFolder } from '../cli/run.js'
import { chatServer, says } from './chatServer.js'

const { path, write } = workFolder()

const small = ['--graphs', '1', '--tasks-per-graph', '2', '-q']

const tasksIn = (text: string): Task[] => rowsOf(text) as object[] as Task[]

const { stdout: tasksText } = await run(['synth', 'tasks', ...small])
const tasksFile = write('tasks.jsonl', tasksText)

describe('tara synth tasks', () => {
  it('gives the same bytes for the same seed, other tasks for another', async () => {
    const file = path('same.jsonl')
    expect(await run(['synth', 'tasks', ...small, '-o', file])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    })
    expect(readFileSync(file, 'utf8')).toBe(tasksText)
    const other = await run(['synth', 'tasks', ...small, '--seed', '1'])
    const traces = new Set(tasksIn(tasksText).map(({ golden }) => JSON.stringify(golden)))
    expect(tasksIn(other.stdout).every(({ golden }) => !traces.has(JSON.stringify(golden)))).toBe(true)
  })

  it('makes tasks of the six environments, each with a request a turn, tried by the agent', () => {
    const tasks = tasksIn(tasksText)
    expect(tasks).toHaveLength(12)
    expect(new Set(tasks.map(({ environment }) => environment)).size).toBe(6)
    for (const { requests, golden, attempts, passed } of tasks) {
      expect(requests).toHaveLength(golden.length)
      expect({ attempts, passed }).toEqual({ attempts: 1, passed: 1 })
    }
  })

  it('never gives a dependent text away that the user has not said before', () => {
    for (const { trace, requests } of tasksIn(tasksText)) {
      const given: unknown[] = []
      for (const [t, calls] of trace.entries()) {
        for (const { arguments: args, provenance } of calls)
          for (const [name, value] of Object.entries(args))
            if (provenance[name]?.from !== 'edge') given.push(value)
        for (const { arguments: args, provenance } of calls)
          for (const [name, value] of Object.entries(args))
            if (provenance[name]?.from === 'edge' && typeof value === 'string' && !given.includes(value))
              expect(requests[t]).not.toContain(`"${value}"`)
      }
    }
  })

  it('says how many, and with --stats of what kind', async () => {
    const { stderr } = await run(['synth', 'tasks', ...small.slice(0, -1), '--stats', '-o', '/dev/null'])
    expect(stderr).toMatch(/^12 tasks from 6 environments, 69 tools: [\d.]+ turns and [\d.]+ calls a task\n/)
    for (const title of [
      'tools of an environment',
      'turns of a task',
      'nodes of a graph',
      'edges of a graph',
      'longest path of a graph',
      'pass rate of a task',
    ])
      expect(stderr).toMatch(new RegExp(`\\n${title}[^\\n]*: mean [\\d.]+\\n *\\d[\\d.]* {2}#+ \\d+\\n`))
  })

  it('cuts tasks to --max-stages turns of --stage-size calls', async () => {
    const { stdout } = await run(['synth', 'tasks', ...small, '--max-stages', '2', '--stage-size', '1'])
    for (const { golden } of tasksIn(stdout)) {
      expect(golden.length).toBeLessThanOrEqual(2)
      for (const calls of golden) expect(calls).toHaveLength(1)
    }
  })

  it('leaves out what the agent never solves, and writes nothing where that is all', async () => {
    const file = path('none.jsonl')
    const { code, stderr } = await run([
      'synth',
      'tasks',
      ...small,
      '--agent',
      'scripted:0',
      '-k',
      '2',
      '-o',
      file,
    ])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^tara: synth tasks: expected a task, got none: not-solved 12 \(.*no attempt of 2 had trace score 1\)\n$/,
    )
    expect(existsSync(file)).toBe(false)
  })

  it('says where an endpoint fails, and leaves no part of an output behind', async () => {
    const server = await chatServer(says('rubbish'))
    mkdirSync(path('here'))
    const { code, stderr } = await run([
      ...['synth', 'tasks', ...small, '--writer', 'chat', '--retries', '1', '-o', path('here/out.jsonl')],
      ...['--base-url', server.baseUrl, '--model', 'm', '--cache', path('cache')],
    ])
    expect(code).toBe(1)
    expect(stderr).toBe(
      `tara: ${server.baseUrl}/chat/completions: expected a reply of the form asked for, got one in which the text is not JSON in 2 attempts\n`,
    )
    expect(readdirSync(path('here'))).toEqual([])
    expect(server.asked).toHaveLength(2)
  })

  it.each<[string, readonly string[], string]>([
    [
      'an agent that is none',
      ['--agent', 'me'],
      'expected scripted:SKILL with a skill from 0 to 1, chat or none',
    ],
    ['a skill over 1', ['--agent', 'scripted:1.5'], 'expected scripted:SKILL'],
    [
      'a model without an address',
      ['--judge', 'chat', '--model', 'm'],
      '--base-url: expected an address, here or in TARA_CHAT_URL, got none',
    ],
    ['no tasks to keep', ['--keep', '0'], 'expected a whole number, 1 to 999999999'],
    ['a folder that is not there', [path('nowhere')], 'nowhere: no such file or folder (ENOENT)'],
  ])('refuses %s with 2', async (_name, words, message) => {
    const { code, stderr } = await run(['synth', 'tasks', ...words])
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('tara synth rollouts', () => {
  it('of an agent that is always right is right in every turn of every task', async () => {
    const file = path('right.jsonl')
    const made = await run(['synth', 'rollouts', tasksFile, '-k', '2', '--agent', 'scripted:1', '-o', file])
    expect(made).toMatchObject({ code: 0, stdout: '' })
    expect(made.stderr).toMatch(
      /^12 tasks, 24 rollouts by scripted:1\nrollouts right in every turn: 24 of 24 \(100.0%\)/,
    )
    const { stdout, code } = await run(['advantages', file, '--golden', tasksFile, '-q'])
    expect(code).toBe(0)
    const rows = rowsOf(stdout)
    expect(rows).toHaveLength(24)
    for (const { rewards } of rows) expect((rewards as number[]).every((reward) => reward === 1)).toBe(true)
  })

  it('gives the same bytes for the same seed, and is read by tara advantages', async () => {
    const words = ['synth', 'rollouts', tasksFile, '-k', '3', '--agent', 'scripted:0.5', '-q']
    const first = await run(words)
    expect((await run(words)).stdout).toBe(first.stdout)
    expect((await run([...words, '--seed', '1'])).stdout).not.toBe(first.stdout)
    const read = await run(['advantages', '-', '--golden', tasksFile, '-q'], first.stdout)
    expect(read.code).toBe(0)
    const rewards = rowsOf(read.stdout).flatMap((row) => row.rewards as number[])
    expect(new Set(rewards)).toEqual(new Set([0, 1]))
  })

  it.each<[string, string, RegExp]>([
    ['no JSON', '{', /tasks:1: expected a task as JSON, got /],
    [
      'no task',
      '{"group":"g"}',
      /tasks:1: expected a task of tara synth tasks, got one in which the whole must have required property 'environment'/,
    ],
    [
      'a call without arguments',
      '{"group":"g","environment":"retail-bank","seed":1,"requests":["a"],"golden":[[{"name":"x"}]]}',
      /golden\[0\]\[0\] must have required property 'arguments'/,
    ],
    [
      'a turn without a request',
      '{"group":"g","environment":"retail-bank","seed":1,"requests":[],"golden":[[]]}',
      /tasks:1: requests: expected 1 of them, as golden has turns, got 0/,
    ],
    [
      'an unknown environment',
      '{"group":"g","environment":"moon","seed":1,"requests":["a"],"golden":[[]]}',
      /tasks:1: environment: expected one of .*, got "moon"/,
    ],
    [
      'a task without turns',
      '{"group":"g","environment":"retail-bank","seed":1,"requests":[],"golden":[]}',
      /tasks:1: golden: expected one turn or more, got an empty list/,
    ],
    [
      'a golden call whose arguments the tool does not take',
      '{"group":"g","environment":"retail-bank","seed":1,"requests":["a"],"golden":[[{"name":"balance_get","arguments":{}}]]}',
      /tasks:1: golden\[0\]\[0\] balance_get: expected a call that works, got invalid-arguments: .*account_id/,
    ],
    [
      'a golden call that is refused',
      '{"group":"g","environment":"retail-bank","seed":1,"requests":["a"],"golden":[[{"name":"balance_get","arguments":{"account_id":"ACC-0"}}]]}',
      /tasks:1: golden\[0\]\[0\] balance_get: expected a call that works, got refused: /,
    ],
    ['nothing', '\n', /tasks: expected tasks, got none/],
    [
      'a group twice',
      `${tasksText.split('\n')[0]}\n${tasksText.split('\n')[0]}`,
      /tasks:2: group: expected one task a group, got ".*" again, first at .*tasks:1/,
    ],
  ])('refuses %s with its place, and writes nothing', async (_name, text, message) => {
    writeFileSync(path('tasks'), text)
    const { code, stderr } = await run([
      'synth',
      'rollouts',
      path('tasks'),
      '-k',
      '1',
      '-o',
      path('bad.jsonl'),
    ])
    expect(code).toBe(1)
    expect(stderr).toMatch(message)
    expect(existsSync(path('bad.jsonl'))).toBe(false)
  })

  it('does not write over its input', async () => {
    const { code, stderr } = await run(['synth', 'rollouts', tasksFile, '-o', tasksFile])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `tara: cannot write ${tasksFile}: it is the input ${tasksFile}\n`,
    })
    expect(readFileSync(tasksFile, 'utf8')).toBe(tasksText)
  })
})
