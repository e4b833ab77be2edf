/**
 * Peak memory of the real program on a log that does not fit: JSONL → advantages a turn.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tara, turnBatch } from 'tara-rl'
import { GROUP_SIZE, writeLog } from './make-log.js'
import { check } from './measure.js'
import { peakSource } from './peak.js'
import type { Result } from './result.js'

const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

/** Runs first in the child: says at its end, on a pipe of its own, how much memory it held at most. */
const sayPeak =
  'data:text/javascript,' +
  encodeURIComponent(
    `${peakSource}; import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, String(peakOf())))`,
  )

interface Run {
  readonly peakMegabytes: number
  readonly milliseconds: number
}

function run(args: readonly string[]): Promise<Run> {
  return new Promise((done, refuse) => {
    const start = performance.now()
    const child = spawn(process.execPath, ['--import', sayPeak, program, ...args], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    })
    let peak = ''
    let errors = ''
    child.stdio[3]?.on('data', (data: Buffer) => {
      peak += data
    })
    child.stderr?.on('data', (data: Buffer) => {
      errors += data
    })
    child.on('error', refuse)
    child.on('close', (code) => {
      if (code !== 0) refuse(new Error(`bench: tara ended with ${code}: ${errors}`))
      else done({ peakMegabytes: Number(peak) / 1e6, milliseconds: performance.now() - start })
    })
  })
}

/** Every row has the rewards that the log was made for, and their advantages to the last bit. */
function checkAnswer(path: string, rewards: readonly (readonly number[])[]): void {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  check(lines.length === rewards.length, 'one row a rollout')
  for (let first = 0; first < lines.length; first += GROUP_SIZE) {
    const group = rewards.slice(first, first + GROUP_SIZE)
    const numTurns = group[0]!.length
    const advantage = tara(turnBatch([{ rewards: group, numTurns }]))
    for (let k = 0; k < GROUP_SIZE; k++) {
      const row = JSON.parse(lines[first + k]!) as { rewards: number[]; advantages: number[] }
      check(row.rewards.join() === group[k]!.join(), `rewards of row ${first + k}`)
      const expected = advantage.subarray(k * numTurns, (k + 1) * numTurns)
      check(row.advantages.join() === expected.join(), `advantages of row ${first + k}`)
    }
  }
}

export async function memory(isQuick: boolean): Promise<Result[]> {
  const megabytes = isQuick ? 50 : 1000
  const folder = mkdtempSync(join(tmpdir(), 'tara-bench-'))
  try {
    const log = join(folder, 'log.jsonl')
    const out = join(folder, 'advantages.jsonl')
    const rewards = writeLog(log, megabytes * 1e6, 12)
    const { peakMegabytes, milliseconds } = await run(['advantages', log, '-o', out, '--quiet'])
    checkAnswer(out, rewards)
    return [
      {
        path: 'peak memory, JSONL to advantages a turn',
        size: `${megabytes} MB, ${rewards.length} rollouts`,
        ours: `${peakMegabytes.toFixed(0)} MB`,
        limit: `whole program, ${(megabytes / (milliseconds / 1000)).toFixed(0)} MB/s`,
        spread: undefined,
        ratio: peakMegabytes,
        target: { must: 400, aim: 250 },
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
