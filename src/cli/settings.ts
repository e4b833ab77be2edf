/**
 * From the flags of a call to the library's options.
 */
import { readFileSync } from 'node:fs'
import { type TaraOptions, taraDefaults } from '../advantage/options.js'
import { tara } from '../advantage/tara.js'
import { type GrpoOptions, grpo, grpoDefaults } from '../baselines/grpo.js'
import type { TurnBatch } from '../batch/layout.js'
import { asMaxLine, MAX_LINE } from '../formats/lines.js'
import { parseJson } from '../reward/json.js'
import type { CoveragePolicy } from '../reward/policy.js'
import { fileError, UsageError } from './failure.js'
import { estimatorFlags, type Given, kebab, pick, policyFlags, readFlags } from './flags.js'
import type { ReadOptions } from './read.js'

export type EstimatorName = 'tara' | 'grpo'

export type Estimator = (batch: TurnBatch) => Float64Array

/** Options of an estimator, from those flags of the call that it takes.
 * @throws UsageError for a flag that the estimator does not take
 */
function optionsOf(name: EstimatorName, given: Given, taken: object): Record<string, unknown> {
  const options = pick(given, estimatorFlags)
  for (const option of Object.keys(options))
    if (!Object.hasOwn(taken, option))
      throw new UsageError(`--${kebab(option)} is not an option of the estimator ${name}`)
  return options
}

export function taraSettings(given: Given): Partial<TaraOptions> {
  return optionsOf('tara', given, taraDefaults) as Partial<TaraOptions>
}

export function grpoSettings(given: Given): Partial<GrpoOptions> {
  return optionsOf('grpo', given, grpoDefaults) as Partial<GrpoOptions>
}

export const estimators: Readonly<Record<EstimatorName, (given: Given) => Estimator>> = {
  tara: (given) => (batch) => tara(batch, taraSettings(given)),
  grpo: (given) => (batch) => grpo(batch, grpoSettings(given)),
}

function readDefaults(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw fileError('read', path, error)
  }
  const parsed = parseJson(text)
  if (!parsed.ok) throw new UsageError(`${path}: ${parsed.detail} at character ${parsed.position}`)
  return parsed.value
}

function policySettings(given: Given): Partial<CoveragePolicy> {
  const policy = pick(given, policyFlags)
  if (typeof policy.defaults === 'string') policy.defaults = readDefaults(policy.defaults)
  return policy as Partial<CoveragePolicy>
}

/** Options of the reader; `golden` is a path and stays with the command. */
export function readSettings(given: Given): ReadOptions {
  const { golden: _path, maxLine, ...options } = pick(given, readFlags)
  return {
    ...(options as Partial<ReadOptions>),
    maxLine: maxLine === undefined ? MAX_LINE : asMaxLine('options.maxLine', maxLine),
    policy: policySettings(given),
    realRewards: given.realRewards === true,
  }
}
