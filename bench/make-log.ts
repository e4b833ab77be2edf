/**
 * Makes a log of tool-calling rollouts, seeded: groups of 8, 3 to 6 turns of 1 to 3 golden calls.
 *
 *     node --import ./bench/typescript.mjs bench/make-log.ts out.jsonl 1e9 [seed]
 *
 * A call is wrong in one argument now and then, half of the right ones have their keys in another order, and there
 * are extra calls; so a call is found by its value, not by its text. What the rewards must be is known beforehand.
 */
import { closeSync, openSync, realpathSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { random } from './random.js'

type Arguments = Record<string, string | number | boolean | (string | number)[]>

interface Call {
  readonly name: string
  readonly arguments: Arguments
}

export interface LogLine {
  /** The record, with its newline. ASCII. */
  readonly text: string
  /** `[T]` what coverage must find. */
  readonly rewards: readonly number[]
}

/** Rollouts of a group. */
export const GROUP_SIZE = 8

const words =
  'account address amount balance booking cancel change city confirm customer date delivery flight hotel invoice item order payment refund seat status ticket total transfer user weather zone'.split(
    ' ',
  )

interface Draw {
  /** A whole number below n. */
  readonly below: (n: number) => number
  readonly word: () => string
  /** About n words. */
  readonly text: (n: number) => string
}

function drawFrom(seed: number): Draw {
  const next = random(seed)
  const below = (n: number): number => Math.floor(next() * n)
  const word = (): string => words[below(words.length)]!
  return { below, word, text: (n) => Array.from({ length: n / 2 + below(n) }, word).join(' ') }
}

function goldenCall({ below, word, text }: Draw): Call {
  const args: Arguments = { id: `${word()}_${below(1e9)}` }
  for (let k = 1 + below(4); k > 0; k--) {
    const key = `${word()}_${k}`
    const kind = below(5)
    if (kind === 0) args[key] = below(10_000) / 100
    else if (kind === 1) args[key] = below(2) === 0
    else if (kind === 2) args[key] = [word(), below(100), word()]
    else args[key] = text(3)
  }
  return { name: `${word()}_${word()}`, arguments: args }
}

function goldenTrace(draw: Draw): Call[][] {
  return Array.from({ length: 3 + draw.below(4) }, () =>
    Array.from({ length: 1 + draw.below(3) }, () => goldenCall(draw)),
  )
}

/** What the model makes of a golden turn: its calls, in a random order of keys; one is wrong with probability 1/4. */
function attempt(golden: readonly Call[], { below, text }: Draw): { calls: Call[]; isRight: boolean } {
  const wrong = below(4) === 0 ? below(golden.length) : -1
  const calls = golden.map((call, k) => {
    const entries = Object.entries(call.arguments)
    if (below(2) === 0) entries.reverse()
    const args: Arguments = Object.fromEntries(entries)
    if (k === wrong) args.id = `${args.id}0`
    return { name: call.name, arguments: args }
  })
  if (below(4) === 0) calls.push({ name: 'search', arguments: { query: text(4) } })
  return { calls, isRight: wrong < 0 }
}

function logLine(golden: readonly Call[][], group: string, rollout: number, draw: Draw): LogLine {
  const messages: unknown[] = [{ role: 'system', content: draw.text(40) }]
  const rewards = golden.map((goldenTurn, t) => {
    const { calls, isRight } = attempt(goldenTurn, draw)
    messages.push({ role: 'user', content: draw.text(20) })
    calls.forEach((call, k) => {
      const id = `call_${t}_${k}`
      const asked = { name: call.name, arguments: JSON.stringify(call.arguments) }
      messages.push({
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: asked }],
      })
      messages.push({
        role: 'tool',
        tool_call_id: id,
        content: JSON.stringify({ ok: true, note: draw.text(30) }),
      })
    })
    messages.push({ role: 'assistant', content: draw.text(30) })
    return isRight ? 1 : 0
  })
  return { text: `${JSON.stringify({ group, rollout, messages, golden })}\n`, rewards }
}

/** Yields rollouts without end, group after group. */
export function* logLines(seed: number): Generator<LogLine, never> {
  const draw = drawFrom(seed)
  for (let g = 0; ; g++) {
    const golden = goldenTrace(draw)
    for (let k = 0; k < GROUP_SIZE; k++) yield logLine(golden, `task-${g}`, k, draw)
  }
}

/** Takes whole groups until there are `bytes` bytes, and passes them on in blocks of about a megabyte.
 * @returns the rewards that each line must get
 */
export function makeLog(bytes: number, seed: number, write: (block: string) => void): (readonly number[])[] {
  const rewards: (readonly number[])[] = []
  let written = 0
  let block = ''
  for (const line of logLines(seed)) {
    rewards.push(line.rewards)
    block += line.text
    const isDone = written + block.length >= bytes && rewards.length % GROUP_SIZE === 0
    if (block.length < 1 << 20 && !isDone) continue
    write(block)
    written += block.length
    block = ''
    if (isDone) break
  }
  return rewards
}

/** Writes a log file. Only the current block is in memory. */
export function writeLog(path: string, bytes: number, seed: number): (readonly number[])[] {
  const file = openSync(path, 'w')
  try {
    return makeLog(bytes, seed, (block) => writeSync(file, block))
  } finally {
    closeSync(file)
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [, , path, bytes, seed = '1'] = process.argv
  if (path === undefined || !(Number(bytes) > 0)) {
    console.error('usage: make-log.ts out.jsonl bytes [seed]')
    process.exit(2)
  }
  console.log(`${writeLog(path, Number(bytes), Number(seed)).length} rollouts`)
}
