/**
 * Runs estimators of the command line on a log: with the tokens, states and scores that some of them ask for.
 */
import { rescale } from '../baselines/rescale.js'
import { turnBatch } from '../batch/build.js'
import type { TurnBatch } from '../batch/layout.js'
import type { TruncatedRule } from '../batch/votes.js'
import { TaraError, within } from '../errors.js'
import { asText } from '../formats/lines.js'
import type { RolloutLog } from '../formats/log-types.js'
import { type TokenSpans, tokenSpans } from '../tokens/spans.js'
import { estimators, needsTokens, readsStates, type TurnData, theEstimators } from './estimators.js'
import { UsageError } from './failure.js'
import type { Given } from './flag.js'
import { openInput } from './input.js'
import type { Io } from './io.js'
import { eachLine, readLog } from './read.js'
import { type TurnDataReader, turnData } from './turn-data.js'

/** Reads the log, with tokens where an estimator needs them; a record that has none is then that estimator's error. */
export async function readFor(
  wanted: Iterable<readonly [name: string, given: Given]>,
  ...[inputs, options, io]: Parameters<typeof readLog>
): Promise<RolloutLog> {
  const needing = [...wanted].find(([name, given]) => needsTokens(name, given))?.[0]
  if (needing === undefined || options.tokens === true) return readLog(inputs, options, io)
  try {
    return await readLog(inputs, { ...options, tokens: true }, io)
  } catch (error) {
    const isAboutTokens = error instanceof TaraError && / (tokens|scope)$/.test(error.path)
    throw isAboutTokens ? within(`estimator ${needing} needs token spans`, error) : error
  }
}

/** Checks that the states which are given have a reader.
 * @throws UsageError
 */
export function checkStates(names: readonly string[], given: Given): void {
  if (given.states !== undefined && !names.some(readsStates))
    throw new UsageError(`--states is not an option of ${theEstimators(names)}`)
}

/** Reads the file of `--states`, where it is given. */
export async function readStates(given: Given, maxLine: number, io: Io): Promise<TurnDataReader | undefined> {
  if (given.states === undefined) return undefined
  const input = await openInput(given.states as string, io)
  const reader = turnData()
  const onLine = asText(input.name, (text, line) => reader.addLine(text, `${input.name}:${line}`))
  await eachLine(input, maxLine, io, onLine)
  return reader
}

/** The token spans of a log that has them. */
export function spansOf(log: RolloutLog, given: Given): TokenSpans | undefined {
  const truncated = (given.truncated ?? 'fail') as TruncatedRule
  const place = (i: number): string => `${log.placeOf(i)}: tokens`
  return log.tokens && tokenSpans(log.batch, log.tokens, { truncated, place })
}

/** Runs an estimator, and brings it to one scale where that is asked for; its errors say which it is. */
export function estimate(name: string, given: Given, batch: TurnBatch, data: TurnData): Float64Array {
  try {
    const advantage = estimators[name]!(given)(batch, data)
    return given.rescale === 'rms' ? rescale(batch, advantage, 'rms', advantage) : advantage
  } catch (error) {
    throw error instanceof TaraError ? within(`estimator ${name}`, error) : error
  }
}

/** A batch without rollouts, to check options on before a long read; it has the columns that the options name. */
export function emptyBatch(given: Given): TurnBatch {
  const names = Object.keys((given.weights as object | undefined) ?? {})
  return names.length === 0
    ? turnBatch([])
    : turnBatch([{ columns: Object.fromEntries(names.map((name) => [name, []])) }])
}
