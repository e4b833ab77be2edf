/**
 * The token broadcast against filling the same bytes: the memory is the limit.
 *
 * Spans and the stretches between them are both 1 to 2m−1 tokens long, m on average.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { broadcast, type TokenSpans, tokenSpans, turnBatchFromFlat } from 'tara-rl'
import { check, compare } from './measure.js'
import { peakSource } from './peak.js'
import { random } from './random.js'
import { compared, milliseconds, type Result } from './result.js'

interface Tokens {
  readonly spans: TokenSpans
  readonly values: Float64Array
  readonly length: number
}

/** Rollouts of about 32 spans after the other, one span a turn, until there are `length` tokens. */
function randomTokens(length: number, mean: number, seed: number): Tokens {
  const next = random(seed)
  const stretch = (): number => 1 + Math.floor(next() * (2 * mean - 1))
  const rollouts: { length: number; turns: [number, number][][] }[] = []
  let left = length
  while (left > 0) {
    const turns: [number, number][][] = []
    let end = 0
    while (end < left && turns.length < 32) {
      const start = Math.min(end + stretch(), left)
      end = Math.min(start + stretch(), left)
      turns.push([[start, end]])
    }
    rollouts.push({ length: end, turns })
    left -= end
  }
  const turnPtr = [0]
  for (const { turns } of rollouts) turnPtr.push(turnPtr[turnPtr.length - 1]! + turns.length)
  const numTurns = turnPtr[turnPtr.length - 1]!
  const batch = turnBatchFromFlat({
    groupPtr: rollouts.map((_, i) => i).concat(rollouts.length), // each rollout a group: T may differ
    turnPtr,
    reward: new Float64Array(numTurns),
  })
  return {
    spans: tokenSpans(batch, rollouts),
    values: Float64Array.from({ length: numTurns }, () => next() - 0.5),
    length,
  }
}

function checkAnswer({ spans, values, length }: Tokens): void {
  const expected = new Float32Array(length)
  for (let s = 0; s + 1 < spans.tokenPtr.length; s++)
    for (let k = spans.spanPtr[s]!; k < spans.spanPtr[s + 1]!; k++)
      for (let token = spans.spanStart[k]!; token < spans.spanEnd[k]!; token++)
        expected[spans.tokenPtr[s]! + token] = values[spans.spanTurn[k]!]!
  const reused = broadcast(values, spans, {}, new Float32Array(length).fill(Number.NaN))
  const fresh = broadcast(values, spans)
  let isSame = true
  for (let token = 0; token < length; token++)
    if (reused[token] !== expected[token] || fresh[token] !== expected[token]) isSame = false
  check(isSame, 'broadcast against a loop over tokens')
}

const targets = [
  { mean: 2048, target: { must: 1.3, aim: 1.1 } },
  { mean: 256, target: { must: 3, aim: 1.5 } },
  { mean: 64, target: { must: 6, aim: 3 } },
]

export function tokenBroadcast(isQuick: boolean): Result[] {
  const results: Result[] = []
  for (const megabytes of isQuick ? [16] : [16, 200]) {
    const runs = isQuick ? 7 : megabytes === 16 ? 31 : 9
    const length = (megabytes * 1e6) / 4
    const out = new Float32Array(length)
    for (const { mean, target } of targets) {
      const tokens = randomTokens(length, mean, mean)
      const { spans, values } = tokens
      checkAnswer(tokens)
      const size = `${megabytes} MB, mean span ${mean}`
      const reused = compare(
        () => broadcast(values, spans, {}, out),
        () => out.fill(1.5),
        runs,
        20,
        false,
      )
      results.push(compared('broadcast, reused out', size, reused, 'fill(1.5)', target, milliseconds))
      const fresh = compare(
        () => broadcast(values, spans),
        () => new Float32Array(length).fill(1),
        runs,
        0, // one call a run: a second one would find memory of the first
      )
      results.push(
        compared(
          'broadcast, fresh out',
          size,
          fresh,
          'new and fill(1)',
          { must: 1.15, aim: 1 },
          milliseconds,
        ),
      )
    }
  }
  results.push(memoryGrowth())
  return results
}

/** What a process grows by at most while it makes 200 MB of tokens, against the 200 MB. */
function memoryGrowth(): Result {
  const library = fileURLToPath(new URL('../dist/index.js', import.meta.url))
  const length = 50_000_000
  const program = `
    import { broadcast, tokenSpans, turnBatchFromFlat } from ${JSON.stringify(library)}
    ${peakSource}
    const rollouts = 500, length = ${length} / rollouts, turns = 24
    const spansOf = () => Array.from({ length: turns }, (_, t) => [[t * 4096 + 2048, t * 4096 + 4096]])
    const turnPtr = Int32Array.from({ length: rollouts + 1 }, (_, i) => i * turns)
    const reward = new Float64Array(rollouts * turns)
    const batch = turnBatchFromFlat({ groupPtr: [0, rollouts], turnPtr, reward })
    const spans = tokenSpans(batch, Array.from({ length: rollouts }, () => ({ length, turns: spansOf() })))
    globalThis.gc()
    const before = process.memoryUsage.rss()
    const tokens = broadcast(reward.fill(1), spans, { fill: -1 }) // no page stays untouched
    const peak = peakOf()
    if (tokens.length !== ${length}) throw new Error('length')
    process.stdout.write(String((peak - before) / tokens.byteLength))`
  const child = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  check(child.status === 0, `memory of broadcast: ${child.stderr}`)
  const ratio = Number(child.stdout)
  return {
    path: 'broadcast, peak memory growth',
    size: '200 MB, mean span 2048',
    ours: `${(200 * ratio).toFixed(0)} MB`,
    limit: '200 MB of tokens',
    spread: undefined,
    ratio,
    target: { must: 1.1, aim: 1.03 },
  }
}
