/**
 * One line of JSON a rollout. Numbers are written so that they read back to the same float64.
 */
import { fail, show } from '../errors.js'
import type { RolloutLog } from '../formats/log-types.js'
import { broadcast } from '../tokens/broadcast.js'
import { lossMask } from '../tokens/mask.js'
import { sliceSpans } from '../tokens/slice.js'
import { rolloutSequences, type TokenSpans } from '../tokens/spans.js'

/** Most tokens of a rollout in a line: 24 characters each fit into one string. */
const MAX_ROW_TOKENS = 2 ** 24

/** Characters that are put together before they are written. */
const BLOCK = 1 << 20

/** Advantages of a log: from TARA with its parts, from other estimators without. */
export interface TurnNumbers {
  readonly advantage: Float64Array
  readonly local?: Float64Array
  readonly future?: Float64Array
}

type Numbers = Float64Array | Uint8Array

const list = (values: Numbers, start: number, end: number): string =>
  `[${values.subarray(start, end).join(',')}]`

/** The line of rollout i without the newline, with `more` before its closing brace. */
function rolloutRow(log: RolloutLog, numbers: TurnNumbers, i: number, more: string): string {
  const { turnPtr, reward, reached } = log.batch
  const { group, rollout, role } = log.keys[i]!
  const start = turnPtr[i]!
  const end = turnPtr[i + 1]!
  const row = (name: string, values: Numbers | undefined): string =>
    values === undefined ? '' : `,"${name}":${list(values, start, end)}`
  return (
    `{"group":${JSON.stringify(group)},"rollout":${JSON.stringify(rollout)}` +
    `${role === undefined ? '' : `,"role":${JSON.stringify(role)}`},"status":"${log.status[i]}"` +
    row('rewards', reward) +
    row('reached', reached) +
    row('local', numbers.local) +
    row('future', numbers.future) +
    row('advantages', numbers.advantage) +
    `${more}}`
  )
}

/** `,"token_advantages":…,"loss_mask":…` of rollout i; a list of lists where the record names sequences. */
function tokenFields(log: RolloutLog, advantage: Float64Array, spans: TokenSpans, i: number): string {
  const own = sliceSpans(spans, i, i + 1)
  const several = log.tokens?.[i] !== null && 'sequences' in log.tokens![i]!
  const json = (flat: Float64Array | Uint8Array): string => {
    const lists = rolloutSequences(flat, own, 0).map((values) => `[${values.join(',')}]`)
    return several ? `[${lists.join(',')}]` : (lists[0] ?? '[]')
  }
  return `,"token_advantages":${json(broadcast(advantage, own, { dtype: 'float64' }))},"loss_mask":${json(lossMask(own))}`
}

function checkRowLengths({ keys }: RolloutLog, { sequencePtr, tokenPtr }: TokenSpans): void {
  keys.forEach(({ group, rollout }, i) => {
    const numTokens = tokenPtr[sequencePtr[i + 1]!]! - tokenPtr[sequencePtr[i]!]!
    if (numTokens <= MAX_ROW_TOKENS) return
    const place = `rollout ${show(rollout)} of group ${show(group)}: tokens`
    fail('TOO_LARGE', place, `at most ${MAX_ROW_TOKENS} for a line of JSON`, `${numTokens}`)
  })
}

/** Writes one line a rollout, in input order. Token fields where there are spans.
 * @throws TaraError `TOO_LARGE` for a rollout with too many tokens, before anything is written
 */
export async function writeRows(
  log: RolloutLog,
  numbers: TurnNumbers,
  spans: TokenSpans | undefined,
  write: (data: string) => Promise<void>,
): Promise<void> {
  if (spans !== undefined) checkRowLengths(log, spans)
  let block = ''
  for (const i of log.inputOrder) {
    block += `${rolloutRow(log, numbers, i, spans === undefined ? '' : tokenFields(log, numbers.advantage, spans, i))}\n`
    if (block.length < BLOCK) continue
    await write(block)
    block = ''
  }
  await write(block)
}
