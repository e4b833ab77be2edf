/**
 * The log of `jsonl.ts` with two worker threads that score its lines. They have started and are warm.
 */
import { tara } from 'tara-rl'
import { logDefaults, MAX_LINE, rolloutLog } from 'tara-rl/formats'
import { logInMemory, parseOnly } from './jsonl.js'
import { check, timingOf } from './measure.js'
import { compared, type Result } from './result.js'

const CHUNK = 1 << 20

type Built = typeof import('../src/cli/workers.js') & typeof import('../src/cli/block-reader.js')

/** The command line's own parts, from the built package. */
async function built(): Promise<Built> {
  const from = (name: string): Promise<Built> =>
    import(new URL(`../dist/cli/${name}.js`, import.meta.url).href)
  return { ...(await from('workers')), ...(await from('block-reader')) }
}

/** Times one run; milliseconds. */
async function time(work: () => unknown): Promise<number> {
  globalThis.gc?.()
  const start = performance.now()
  await work()
  return performance.now() - start
}

export async function jsonlWorkers(isQuick: boolean): Promise<Result[]> {
  const { megabytes, bytes, numRollouts, expected } = logInMemory(isQuick)
  const { startWorkers, blockReader } = await built()
  const { policy, partial, exactOnly, turns, shifted } = logDefaults
  const options = { policy, partial, exactOnly, turns, shifted }
  const workers = startWorkers(2, { options, tasks: undefined, from: undefined, functions: undefined })

  async function read(): Promise<Float64Array> {
    const log = rolloutLog('bench.jsonl')
    const reader = blockReader(log, 'bench.jsonl', 0, MAX_LINE, workers)
    for (let start = 0; start < bytes.length; start += CHUNK)
      await reader.push(bytes.subarray(start, start + CHUNK))
    await reader.end()
    const { batch } = log.finish()
    check(
      expected.every((reward, j) => reward === batch.reward[j]),
      'rewards of the log read by workers',
    )
    return tara(batch)
  }

  const ours: number[] = []
  const theirs: number[] = []
  for (let run = -3; run < (isQuick ? 5 : 7); run++) {
    const [one, other] = [await time(read), await time(() => parseOnly(bytes))]
    if (run < 0) continue // warms up
    ours.push(one)
    theirs.push(other)
  }
  await workers.close()
  const timing = { ours: timingOf(ours), theirs: timingOf(theirs) }
  const ratio = timing.ours.median / timing.theirs.median
  const speed = (milliseconds: number): string => `${(bytes.length / 1e3 / milliseconds).toFixed(0)} MB/s`
  return [
    compared(
      'JSONL with matching, two workers',
      `${megabytes} MB, ${numRollouts} rollouts`,
      { ...timing, ratio },
      'JSON.parse(utf8Slice)',
      { must: 0.8, aim: 0.6 },
      speed,
    ),
  ]
}
