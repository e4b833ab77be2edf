/**
 * A run that is stopped at any moment leaves the old file or the whole new one.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { collect, mainFile, type Run, run, workFolder } from './run.js'

const { path, write } = workFolder()
const rows = Array.from(
  { length: 20000 },
  (_, k) => `{"group":${k >> 2},"rollout":${k & 3},"rewards":[${k & 1},1,${(k >> 1) & 1},${(k >> 2) & 1}]}\n`,
)
const log = write('log.jsonl', rows.join(''))
const OLD = 'the old file\n'
let whole: string
let duration: number

/** Starts a run over an old file and stops it. */
async function stopped(
  name: string,
  signal: NodeJS.Signals,
  after: number,
): Promise<{ done: Run; text: string; files: string[] }> {
  const folder = path(name)
  mkdirSync(folder, { recursive: true })
  const target = join(folder, 'out.jsonl')
  writeFileSync(target, OLD)
  const child = spawn(process.execPath, [mainFile, 'advantages', log, '-o', target])
  const done = collect(child)
  await wait(after)
  child.kill(signal)
  return { done: await done, text: readFileSync(target, 'utf8'), files: readdirSync(folder) }
}

beforeAll(async () => {
  const start = performance.now()
  const done = await run(['advantages', log, '-q'])
  duration = performance.now() - start
  whole = done.stdout
})

/** Moments that are spread over a run, most of them over its second half, where it writes. */
const moments = (count: number): number[] =>
  Array.from({ length: count }, (_, k) => duration * (0.3 + (0.8 * k) / count))

describe('a run that is stopped', () => {
  it('by SIGKILL leaves the old file or the whole new one', async () => {
    const seen = new Set<string>()
    for (const [k, after] of moments(8).entries()) {
      const { text, files } = await stopped(`kill-${k}`, 'SIGKILL', after)
      expect(text === OLD || text === whole).toBe(true)
      expect(files.filter((file) => file !== 'out.jsonl' && !/^\.out\.jsonl\.\d+\.tmp$/.test(file))).toEqual(
        [],
      )
      seen.add(text)
    }
    expect(seen.has(OLD)).toBe(true)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s does so too, leaves nothing beside it and ends with %i', async (signal, code) => {
    let interrupted = 0
    for (const [k, after] of [...moments(6), ...moments(12)].entries()) {
      if (k >= 6 && interrupted > 0) break // a busy machine may need more tries to hit the program at work
      const { done, text, files } = await stopped(`${signal}-${k}`, signal, after)
      expect(files).toEqual(['out.jsonl'])
      expect(text === OLD || text === whole).toBe(true)
      // Before the program has begun, the signal ends the process by itself.
      if (done.signal === null) expect([code, 0]).toContain(done.code)
      else expect(done.signal).toBe(signal)
      if (done.code === code) interrupted++
      if (done.code === 0) expect(text).toBe(whole)
    }
    expect(interrupted).toBeGreaterThan(0)
  })

  it('while it waits for the other end of a pipe ends at once', async () => {
    const pipe = path('pipe')
    await collect(spawn('mkfifo', [pipe]))
    for (const args of [
      ['advantages', log, '-o', pipe],
      ['advantages', pipe],
    ]) {
      const child = spawn(process.execPath, [mainFile, ...args])
      const done = collect(child)
      await wait(duration + 300)
      child.kill('SIGINT')
      const { code, signal } = await done
      expect(code === 130 || signal === 'SIGINT').toBe(true)
    }
  })
})
