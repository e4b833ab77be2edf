/**
 * Which groups a kernel computes, and which kernel; all others take the plain path.
 *
 * A group is complete when all its rollouts vote at all its turns. Groups of one size that follow each other are
 * one call of a kernel.
 */
import { numGroups, type TurnBatch } from '../../batch/layout.js'
import { excludesUnreached, type UnreachedRule } from '../../batch/votes.js'
import type { Gate } from '../future.js'
import { ONE_PASS } from '../moments.js'
import type { TaraOptions } from '../options.js'
import { type PlainScratch, plainGroup, plainScratch } from '../plain.js'
import { countTable, type Job, type Kernel } from './job.js'
import { binaryKernels, realKernels } from './narrow.js'
import { wideKernel } from './wide.js'
import { wideRealKernel } from './wideReal.js'

/** Writes A of every turn: Eq. 2–5.
 * @param isBinary - whether every reward is 0 or 1
 */
export function runKernels(
  batch: TurnBatch,
  options: TaraOptions,
  isBinary: boolean,
  advantage: Float64Array,
): void {
  const { groupPtr } = batch
  const gate = gateOf(options.gate, isBinary)
  const isComplete = completeGroups(batch, options)
  const jobs: (Job | undefined)[] = []
  const out = { advantage }
  let scratch: PlainScratch | undefined
  for (let g = 0; g < numGroups(batch); ) {
    const K = groupPtr[g + 1]! - groupPtr[g]!
    const kernel = gate && kernelOf(K, options, isBinary, gate)
    let end = g
    let done = g
    if (kernel && gate) {
      while (end < numGroups(batch) && groupPtr[end + 1]! - groupPtr[end]! === K && isComplete(end)) end++
      jobs[K] ??= jobOf(batch, options, K, gate, advantage)
      done = kernel(jobs[K], K, g, end)
    }
    if (done === end && end > g) {
      g = end
      continue
    }
    scratch ??= plainScratch(batch)
    plainGroup(batch, done, options, out, scratch)
    g = done + 1
  }
}

/** δ as slope·r + level, where that is what it is. */
function gateOf(gate: Gate, isBinary: boolean): Job['gate'] | undefined {
  if (gate === 'reward') return { slope: 1, level: 0 }
  if (gate === 'none') return { slope: 0, level: 1 }
  if (gate instanceof Float64Array || !isBinary) return undefined
  if (gate.threshold <= 0) return { slope: 0, level: 1 }
  return { slope: gate.threshold <= 1 ? 1 : 0, level: 0 }
}

function kernelOf(
  K: number,
  { scale, baseline, futureIndex }: TaraOptions,
  isBinary: boolean,
  { slope }: Job['gate'],
): Kernel | undefined {
  if (scale !== 'std' || baseline !== 'mean' || K === 0 || K > ONE_PASS) return undefined
  if (!isBinary) return (futureIndex === 'eq3' ? realKernels[K] : undefined) ?? wideRealKernel
  return (slope === 1 && futureIndex === 'eq3' ? binaryKernels[K] : undefined) ?? wideKernel
}

function jobOf(
  { reward, groupPtr, turnPtr }: TurnBatch,
  options: TaraOptions,
  K: number,
  gate: Job['gate'],
  out: Float64Array,
): Job {
  const { gamma, lambda, epsilon, correction, futureIndex } = options
  return {
    reward,
    groupPtr,
    turnPtr,
    gamma,
    lambda,
    epsilon,
    correction,
    out,
    gate,
    nextWeight: futureIndex === 'eq3' ? 1 : gamma,
    table: countTable(K, options),
    column: { S: new Float64Array(K), R: new Float64Array(K), V: new Float64Array(K) },
  }
}

/** `indexOf` is twice as fast as `includes`. */
function holdsAny(flags: Uint8Array | undefined, flag: 0 | 1): boolean {
  return flags !== undefined && flags.indexOf(flag) !== -1
}

/** Says of a group whether all its rollouts vote at all its turns; looked up once where that is so for the whole batch. */
function completeGroups(batch: TurnBatch, options: TaraOptions): (g: number) => boolean {
  const { groupPtr, turnPtr, valid, truncated, masked, reached } = batch
  const lacksRollouts = holdsAny(valid, 0)
  const cutsRollouts = options.truncated === 'exclude' && holdsAny(truncated, 1)
  const lacksTurns = holdsAny(masked, 1)
  const skipsTurns = mayExclude(batch, options.unreached) && holdsAny(reached, 0)
  if (!lacksRollouts && !cutsRollouts && !lacksTurns && !skipsTurns) return () => true

  const holds = (flags: Uint8Array | undefined, flag: number, first: number, end: number): boolean => {
    for (let i = first; i < end; i++) if (flags![i] === flag) return true
    return false
  }
  return (g) => {
    const first = groupPtr[g]!
    const end = groupPtr[g + 1]!
    if (lacksRollouts && holds(valid, 0, first, end)) return false
    if (cutsRollouts && holds(truncated, 1, first, end)) return false
    if (lacksTurns && holds(masked, 1, turnPtr[first]!, turnPtr[end]!)) return false
    const skips = skipsTurns && excludesUnreached(batch, g, options.unreached)
    return !(skips && holds(reached, 0, turnPtr[first]!, turnPtr[end]!))
  }
}

function mayExclude({ hasGolden }: TurnBatch, rule: UnreachedRule | undefined): boolean {
  return rule === undefined ? holdsAny(hasGolden, 0) : rule === 'exclude'
}
