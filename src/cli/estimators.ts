/**
 * The estimators of the command line by name, `NAME` or `NAME:DIALECT`, each with the flags that it takes.
 */
import { InvalidArgumentError } from 'commander'
import { taraDefaults } from '../advantage/options.js'
import { tara } from '../advantage/tara.js'
import { grpoDialectNames } from '../baselines/dialects.js'
import { drGrpo, drGrpoDefaults } from '../baselines/drGrpo.js'
import { estimators as facts } from '../baselines/estimators.js'
import { gdpo, gdpoDefaults, gdpoLastSteps } from '../baselines/gdpo.js'
import { gigpo, gigpoDefaults } from '../baselines/gigpo.js'
import { grpo, grpoDefaults } from '../baselines/grpo.js'
import { maxRl, maxRlDefaults } from '../baselines/maxRl.js'
import { mtGrpo, mtGrpoDefaults } from '../baselines/mtGrpo.js'
import { opo, opoDefaults } from '../baselines/opo.js'
import { processGrpo, processGrpoDefaults } from '../baselines/processGrpo.js'
import { reinforce, reinforceDefaults } from '../baselines/reinforce.js'
import {
  reinforcePp,
  reinforcePpBaseline,
  reinforcePpBaselineDefaults,
  reinforcePpDefaults,
} from '../baselines/reinforcePp.js'
import { returnToGo, returnToGoDefaults } from '../baselines/returnToGo.js'
import { rloo, rlooDefaults } from '../baselines/rloo.js'
import { turnCredit, turnCreditDefaults } from '../baselines/turnCredit.js'
import type { TurnBatch } from '../batch/layout.js'
import type { SpanArrays } from '../tokens/spans.js'
import { estimatorFlags } from './estimator-flags.js'
import { UsageError } from './failure.js'
import { type Given, kebab, pick } from './flag.js'

/** What some estimators need beside rewards, from elsewhere in the log. */
export interface TurnData {
  readonly turnTokens?: SpanArrays | undefined
  /** `[numTurns]` */
  readonly states?: readonly (string | number)[] | undefined
  /** `[numTurns]` */
  readonly stateScores?: Float64Array | undefined
}

/** An estimator with its flags resolved. */
export type Estimator = (batch: TurnBatch, data?: TurnData) => Float64Array

type Run = (batch: TurnBatch, options: Record<string, unknown>) => Float64Array

interface Entry {
  readonly run: Run
  /** Every option that it takes. */
  readonly defaults: object
  readonly dialects?: readonly string[]
}

const entries: Readonly<Record<string, Entry>> = {
  tara: { run: tara, defaults: taraDefaults },
  grpo: { run: grpo, defaults: grpoDefaults, dialects: grpoDialectNames },
  'dr-grpo': { run: drGrpo, defaults: drGrpoDefaults },
  rloo: { run: rloo, defaults: rlooDefaults },
  reinforce: { run: reinforce, defaults: reinforceDefaults },
  'reinforce-pp': { run: reinforcePp, defaults: reinforcePpDefaults },
  'reinforce-pp-baseline': { run: reinforcePpBaseline, defaults: reinforcePpBaselineDefaults },
  opo: { run: opo, defaults: opoDefaults },
  maxrl: { run: maxRl, defaults: maxRlDefaults },
  gdpo: { run: gdpo, defaults: gdpoDefaults, dialects: Object.keys(gdpoLastSteps) },
  'mt-grpo': { run: mtGrpo, defaults: mtGrpoDefaults },
  'return-to-go': { run: returnToGo, defaults: returnToGoDefaults },
  'process-grpo': { run: processGrpo, defaults: processGrpoDefaults },
  gigpo: { run: gigpo, defaults: gigpoDefaults },
  'turn-credit': { run: turnCredit, defaults: turnCreditDefaults },
}

/** Estimators as an error names them. */
export const theEstimators = (names: readonly string[]): string =>
  `the estimator${names.length === 1 ? '' : 's'} ${names.join(', ')}`

/** The options of an estimator from the flags of a call.
 * @throws UsageError for a flag that the estimator does not take
 */
export function optionsOf(name: string, given: Given): Record<string, unknown> {
  const options = pick(given, estimatorFlags)
  const { defaults } = entries[baseOf(name)]!
  for (const option of Object.keys(options))
    if (!Object.hasOwn(defaults, option))
      throw new UsageError(`--${kebab(option)} is not an option of ${theEstimators([name])}`)
  return options
}

/** The name without its dialect. */
export const baseOf = (name: string): string => name.split(':')[0]!

function estimatorOf(name: string, { run, defaults }: Entry, given: Given): Estimator {
  const dialect = name.split(':')[1]
  const options = { ...optionsOf(name, given), ...(dialect !== undefined && { dialect }) }
  return (batch, data = {}) => {
    const own = Object.entries(data).filter(
      ([option, value]) => value !== undefined && Object.hasOwn(defaults, option),
    )
    return run(batch, { ...options, ...Object.fromEntries(own) })
  }
}

function withDialects(name: string, { dialects = [] }: Entry): string[] {
  return [name, ...dialects.map((dialect) => `${name}:${dialect}`)]
}

/** Every estimator by name, given the flags of a call. */
export const estimators: Readonly<Record<string, (given: Given) => Estimator>> = Object.fromEntries(
  Object.entries(entries).flatMap(([base, entry]) =>
    withDialects(base, entry).map(
      (name) => [name, (given: Given) => estimatorOf(name, entry, given)] as const,
    ),
  ),
)

/** Parses a name for commander. */
export function anEstimator(raw: string): string {
  if (Object.hasOwn(estimators, raw)) return raw
  const known = Object.keys(entries).includes(baseOf(raw)) ? namesFrom(baseOf(raw)) : Object.keys(entries)
  throw new InvalidArgumentError(`expected one of ${known.join(', ')}`)
}

const namesFrom = (base: string): string[] => withDialects(base, entries[base]!)

/** Whether an estimator reads token counts under these flags, so that the log must have spans. */
export function needsTokens(name: string, given: Given): boolean {
  const base = baseOf(name)
  if (base === 'gdpo') return name === 'gdpo:verl' && given.lastStep !== false
  if (base.startsWith('reinforce-pp')) return given.whiten !== 'rllm'
  return facts.some((one) => one.name === base && one.needs.includes('turnTokens'))
}

/** Whether an estimator reads states or their scores. */
export function readsStates(name: string): boolean {
  const { defaults } = entries[baseOf(name)]!
  return Object.hasOwn(defaults, 'states') || Object.hasOwn(defaults, 'stateScores')
}

/** Whether an estimator adds up normalized turn rewards, which is biased where turn counts vary. */
export function accumulatesNormalized(name: string): boolean {
  return facts.some((one) => one.name === baseOf(name) && one.accumulatesNormalized)
}
