/**
 * Runs every bench against the built package, prints one table and writes it as JSON.
 *
 *     npm run bench                  all of it, a few minutes
 *     npm run bench -- --quick       small sizes, under a minute
 *     npm run bench -- --save        keeps the JSON in bench/results/ under its date and commit
 *     npm run bench -- broadcast     only paths whose name holds the word
 *     npm run bench -- --peers       numpy, torch and others on the same data too; `--peers peers` those alone
 *
 * Each bench has a process of its own, so that none runs in memory and with code that another has left behind.
 * A wrong answer ends it with code 1. A missed target does not: machines differ, and the table says it.
 */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { tokenBroadcast } from './broadcast.js'
import { trajectoryGrpo } from './grpo.js'
import { jsonl } from './jsonl.js'
import { memory } from './memory.js'
import { peers } from './peers/peers.js'
import { type Result, table, verdictOf } from './result.js'
import { turnCore } from './turn-core.js'
import { jsonlWorkers } from './workers.js'

const benches: [name: string, run: (isQuick: boolean) => Result[] | Promise<Result[]>][] = [
  ['turn core', turnCore],
  ['broadcast', tokenBroadcast],
  ['grpo', trajectoryGrpo],
  ['jsonl', jsonl],
  ['jsonl workers', jsonlWorkers],
  ['memory', memory],
]

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    /** The one bench that this process is for. */
    only: { type: 'string' },
  },
})
if (flags.peers) benches.push(['peers', peers])

function git(...args: string[]): string {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

const commit = git('rev-parse', '--short', 'HEAD') || 'unknown'
const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGB: Math.round(totalmem() / 1e9),
  node: process.version,
  v8: process.versions.v8,
  commit: git('status', '--porcelain') === '' ? commit : `${commit}, with changes`,
  date: new Date().toISOString(),
}

if (globalThis.gc === undefined)
  throw new Error('bench: start node with --expose-gc, as `npm run bench` does')
if (!import.meta.resolve('tara-rl').endsWith('/dist/index.js'))
  throw new Error('bench: tara-rl is not the built package; start it with `npm run bench`')

/** Runs a bench in a process of its own. */
async function runApart(name: string): Promise<Result[]> {
  const child = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), '--only', name])
  let results: Result[] | undefined
  child.on('message', (message) => {
    results = message as Result[]
  })
  const [code] = await once(child, 'exit')
  if (code !== 0 || results === undefined) process.exit(1) // it has said why
  return results
}

async function runAll(): Promise<void> {
  console.log(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, commit ${machine.commit}`)
  const results: Result[] = []
  for (const [name] of benches) {
    if (positionals.length > 0 && !positionals.some((word) => name.includes(word))) continue
    const start = performance.now()
    results.push(...(await runApart(name)))
    console.error(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
  console.log(table(results))

  const folder = fileURLToPath(new URL('results/', import.meta.url))
  const file = flags.save
    ? `${machine.date.slice(0, 10)}-${commit}${flags.quick ? '-quick' : ''}.json`
    : 'latest.json'
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    `${folder}${file}`,
    `${JSON.stringify({ machine, quick: flags.quick, results: results.map((one) => ({ ...one, verdict: verdictOf(one) })) }, null, 2)}\n`,
  )
  console.log(`bench/results/${file}`)
}

const only = benches.find(([name]) => name === flags.only)
if (only === undefined) await runAll()
else {
  const [, run] = only
  process.send!(await run(flags.quick), () => process.exit())
}
