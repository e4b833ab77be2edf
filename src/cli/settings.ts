/**
 * From the flags of a call to the library's options.
 */
import { readFileSync } from 'node:fs'
import type { TaraOptions } from '../advantage/options.js'
import { asMaxLine, MAX_LINE } from '../formats/lines.js'
import { parseJson } from '../reward/json.js'
import type { CoveragePolicy } from '../reward/policy.js'
import { optionsOf } from './estimators.js'
import { fileError, UsageError } from './failure.js'
import { type Given, pick } from './flag.js'
import { creditFlags, policyFlags, readFlags } from './flags.js'
import type { ReadOptions } from './read.js'

/** TARA's options from the flags of a call.
 * @throws UsageError for a flag that TARA does not take
 */
export function taraSettings(given: Given): Partial<TaraOptions> {
  return optionsOf('tara', given) as Partial<TaraOptions>
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw fileError('read', path, error)
  }
}

/** Function docs: one JSON list, or one function a line. */
function readFunctions(path: string): unknown[] {
  const text = readText(path)
  const whole = parseJson(text)
  if (whole.ok && Array.isArray(whole.value)) return whole.value
  return text.split('\n').flatMap((line, k) => {
    if (line.trim() === '') return []
    const parsed = parseJson(line)
    if (parsed.ok) return [parsed.value]
    throw new UsageError(`${path}:${k + 1}: ${parsed.detail} at character ${parsed.position}`)
  })
}

function readDefaults(path: string): unknown {
  const parsed = parseJson(readText(path))
  if (!parsed.ok) throw new UsageError(`${path}: ${parsed.detail} at character ${parsed.position}`)
  return parsed.value
}

function policySettings(given: Given): Partial<CoveragePolicy> {
  const policy = pick(given, policyFlags)
  if (typeof policy.defaults === 'string') policy.defaults = readDefaults(policy.defaults)
  return policy as Partial<CoveragePolicy>
}

function asWorkers(workers: unknown): number | undefined {
  if (workers === undefined || ((workers as number) >= 1 && (workers as number) <= 256))
    return workers as number
  throw new UsageError(`--workers: expected 1 to 256 threads, got ${workers}`)
}

/** Options of the reader; `golden` is a path and stays with the command. */
export function readSettings(given: Given): ReadOptions {
  const { golden: _path, maxLine, workers, ...options } = pick(given, readFlags)
  if (typeof options.functions === 'string') options.functions = readFunctions(options.functions)
  return {
    ...(options as Partial<ReadOptions>),
    ...(pick(given, creditFlags) as Partial<ReadOptions>),
    workers: asWorkers(workers),
    maxLine: maxLine === undefined ? MAX_LINE : asMaxLine('options.maxLine', maxLine),
    policy: policySettings(given),
    realRewards: given.realRewards === true,
  }
}
