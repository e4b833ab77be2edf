/**
 * The Python peers: an environment that is made once, outside the repository, and a process that answers line by line.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Comparison, check, timer, timingOf, type Work } from '../measure.js'

/** What PyPI has for the machine; torch comes with its CUDA libraries there, about 5 GB, of which nothing is used. */
const packages = ['numpy==2.4.6', 'torch==2.15.0']

/** OpenBLAS settings of some machines slow a current numpy down. */
function environment(): NodeJS.ProcessEnv {
  const { OPENBLAS_CORETYPE: _core, OPENBLAS_L2_SIZE: _size, ...rest } = process.env
  return rest
}

/** The interpreter that has numpy and torch: `TARA_PEERS_PYTHON`, or one in the user's cache. */
function interpreter(): string {
  const given = process.env.TARA_PEERS_PYTHON
  if (given) return given
  const root = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(root, 'tara-rl', `peers-${packages.join('-').replaceAll('==', '-')}`)
  const python = join(folder, 'bin/python')
  if (existsSync(join(folder, 'done'))) return python
  console.error(`peers: making ${folder} with ${packages.join(' and ')}: a few minutes, once`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  const run = (command: string, args: readonly string[]): void => {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 1_800_000 })
  }
  run('python3', ['-m', 'venv', folder])
  run(python, ['-m', 'pip', 'install', '--quiet', '--only-binary=:all:', ...packages])
  writeFileSync(join(folder, 'done'), '')
  return python
}

export interface Python {
  /** `numpy 2.4.6, torch 2.15.0` */
  readonly version: string
  /** Sends a request and waits for its answer. */
  readonly ask: (request: object) => Promise<Record<string, unknown>>
  readonly end: () => void
}

/** Starts the Python peers. Throws where they cannot be had. */
export async function startPython(): Promise<Python> {
  const script = fileURLToPath(new URL('peers.py', import.meta.url))
  const child: ChildProcess = spawn(interpreter(), ['-u', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: environment(),
  })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const next = async (): Promise<Record<string, unknown>> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('peers: python ended before it answered')
    return JSON.parse(value as string)
  }
  const versions = await next()
  return {
    version: `numpy ${versions.numpy}, torch ${versions.torch}`,
    ask: (request) => {
      child.stdin!.write(`${JSON.stringify(request)}\n`)
      return next()
    },
    end: () => child.stdin!.end(),
  }
}

export interface PeerOptions {
  readonly runs: number
  readonly threads?: number
  /** Ours makes its output afresh. */
  readonly isFresh?: boolean
}

/** Checks the answer of a Python peer, then times it and ours in turn. */
export async function against(
  python: Python,
  name: string,
  ours: Work,
  { runs, threads = 1, isFresh = false }: PeerOptions,
): Promise<Comparison> {
  const { error } = await python.ask({ check: name })
  check((error as number) < 1e-3, `${name} differs from ours by ${error}`)
  const time = timer(ours, isFresh)
  const own: number[] = []
  const other: number[] = []
  for (let k = 0; k < runs; k++) {
    own.push(time())
    const { ms } = await python.ask({ time: name, threads, warm: k === 0 ? 0.2 : 0 })
    other.push(ms as number)
  }
  const [first, second] = [timingOf(own), timingOf(other)]
  return { ours: first, theirs: second, ratio: first.median / second.median }
}

/** As `against`, with one thread and with all; the faster of the two. */
export async function againstBest(
  python: Python,
  name: string,
  ours: Work,
  options: PeerOptions,
): Promise<{ comparison: Comparison; threads: number }> {
  const counts = [...new Set([1, cpus().length])]
  let best: { comparison: Comparison; threads: number } | undefined
  for (const threads of counts) {
    const comparison = await against(python, name, ours, { ...options, threads })
    if (best === undefined || comparison.theirs.median < best.comparison.theirs.median)
      best = { comparison, threads }
  }
  return best!
}
