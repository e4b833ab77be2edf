/**
 * A log read by workers gives what it gives on one thread, byte for byte.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { logLines } from '../../bench/make-log.js'
import { logDefaults } from '../../src/formats/log-options.js'
import { collect, mainFile, type Run, run, workFolder } from './run.js'

const { path, write } = workFolder()

/** Lines of a few megabytes: several blocks. */
const lines: string[] = []
for (const { text } of logLines(5)) {
  lines.push(text)
  if (lines.length === 480) break
}

/** The lines out of order, some in other forms, blank ones between them. */
const mixed = lines.map((text, n) => {
  if (n % 17 === 3) return `${JSON.stringify(JSON.parse(text), null, 1).replaceAll('\n', ' ')}\r\n`
  if (n % 23 === 5) return `\n  \t\n${text.replace('"golden"', '"gold\\u0065n"')}`
  if (n % 29 === 7) return text.replace('{"group"', '{"seen":[1,2],"group"')
  return text
})
for (let n = 0; n + 3 < mixed.length; n += 5) [mixed[n], mixed[n + 3]] = [mixed[n + 3]!, mixed[n]!]
const log = write('log.jsonl', mixed.join('').trimEnd())

const byWorkers = (count: number, file: string, ...flags: string[]): Promise<Run> =>
  run(['advantages', file, '--workers', `${count}`, ...flags])

async function same(file: string, ...flags: string[]): Promise<Run> {
  const alone = await byWorkers(1, file, ...flags)
  for (const count of [2, 3]) expect(await byWorkers(count, file, ...flags)).toEqual(alone)
  return alone
}

describe('workers', () => {
  it('give the same output and the same summary', async () => {
    const { code, stdout, stderr } = await same(log)
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(480)
    expect(stderr).toContain('field "seen" is not read')
  })

  it('do so under another policy, with partial credit and whole rollouts', async () => {
    await same(log, '-q', '--args', 'subset', '--unreached', 'exclude')
    await same(log, '-q', '--partial', 'share')
    await same(log, '-q', '--turns', 'step')
  })

  it('read golden traces of a file of tasks', async () => {
    const tasks = new Map<string, string>()
    const bare = lines.map((text) => {
      const { golden, ...rest } = JSON.parse(text) as { group: string; golden: unknown }
      tasks.set(rest.group, JSON.stringify({ group: rest.group, golden }))
      return JSON.stringify(rest)
    })
    const file = write('bare.jsonl', bare.join('\n'))
    const { code } = await same(file, '--golden', write('tasks.jsonl', [...tasks.values()].join('\n')))
    expect(code).toBe(0)
  })

  it('read lines longer than a piece of shared memory, also the last', async () => {
    const filled = lines
      .slice(0, 40)
      .map((text, n) =>
        n % 13 === 0
          ? text.replace('"role":"system"', `"pad":"${'é'.repeat(1_500_000)}","role":"system"`)
          : text,
      )
    const { code, stdout } = await same(write('filled.jsonl', filled.join('').trimEnd()), '-q')
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(40)
  })

  it('score groups that share golden traces where memory is used again many times', async () => {
    const pad = 'x'.repeat(800)
    const args = (a: number): string => JSON.stringify({ a })
    let text = ''
    for (let group = 0; group < 4000; group++)
      for (const a of [group % 5, group % 5, -1]) {
        const calls = [{ function: { name: 'f', arguments: args(a) } }]
        const messages = [
          { role: 'user', content: pad },
          { role: 'assistant', tool_calls: calls },
        ]
        const rollout = text.length
        text += `${JSON.stringify({ group, rollout, golden: [[{ name: 'f', arguments: { a: group % 5 } }]], messages })}\n`
      }
    const { stdout } = await same(write('groups.jsonl', text), '-q')
    const rewards = stdout
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row).rewards[0])
    expect(rewards).toEqual(new Array(4000).fill([1, 1, 0]).flat())
  })

  it('name the line of the first fault, whatever comes behind it', async () => {
    const faulty = [...lines]
    faulty[300] = faulty[300]!.slice(0, 400)
    faulty[301] = '{"group":1}'
    const { code, stderr } = await same(write('cut.jsonl', faulty.join('\n')), '-q')
    expect(code).toBe(1)
    expect(stderr).toMatch(/cut\.jsonl:601: /) // every line is followed by a blank one
    const twice = [...lines, lines[10]!]
    expect((await same(write('twice.jsonl', twice.join('')), '-q')).stderr).toMatch(
      /twice\.jsonl:481: rollout/,
    )
    const long = [...lines.slice(0, 400), `{"x":"${'y'.repeat(200_000)}"}\n`, ...lines.slice(400)]
    expect((await same(write('long.jsonl', long.join('')), '-q', '--max-line', '100000')).stderr).toMatch(
      /long\.jsonl:401: expected a line of at most 100000 bytes/,
    )
  })

  it('end with the run that is interrupted, and leave no file', async () => {
    const out = path('out.jsonl')
    const child = spawn(process.execPath, [mainFile, 'advantages', log, '--workers', '3', '-o', out])
    const done = collect(child)
    await wait(120)
    child.kill('SIGINT')
    const { code, signal } = await done
    expect(signal === null ? [0, 130] : ['SIGINT']).toContain(signal ?? code)
    expect(readdirSync(dirname(out)).filter((name) => name.startsWith('.out'))).toEqual([])
  })

  it('that die fail what they were asked', async () => {
    const { policy, partial, exactOnly, turns, shifted } = logDefaults
    const broken = { ...policy, matching: 'nothing' as 'set' }
    const options = { policy: broken, partial, exactOnly, turns, shifted }
    const built = new URL('../../dist/cli/workers.js', import.meta.url)
    const { startWorkers } = (await import(built.href)) as typeof import('../../src/cli/workers.js')
    const workers = startWorkers(2, { options, tasks: undefined, from: undefined, functions: undefined })
    const buffer = new SharedArrayBuffer(1)
    new Uint8Array(buffer)[0] = 0x0a
    await expect(workers.score({ buffer, length: 1 })).rejects.toThrow('matching')
    await workers.close()
  })
})
