/**
 * GRPO: one scalar a rollout, compared inside the group, given to all of its turns.
 *
 *     A[i,t] = (R_i − μ) / (σ + ε),  0 where all R are equal
 *
 * σ is the population's, as for TARA, so that the two differ in the credit and in nothing else. Public
 * trainers differ in divisor, ε and groups of one; `dialects.ts` names them.
 */
import { type Normalization, normalize } from '../advantage/moments.js'
import { normalizationChecks } from '../advantage/options.js'
import type { TurnBatch } from '../batch/layout.js'
import { oneOf, optional, resolveOptions } from '../options.js'
import { checkDialect, dialectFormula, type GrpoDialectName, grpoDialectNames } from './dialects.js'
import { type OutcomeOptions, outcomeAdvantage, outcomeChecks, outcomeDefaults } from './outcome.js'

export interface GrpoOptions extends OutcomeOptions, Normalization {
  /** Takes the constants and the groups of one of a public trainer; other values of them are then refused. */
  readonly dialect: GrpoDialectName | undefined
}

export const grpoDefaults: Readonly<GrpoOptions> = Object.freeze({
  ...outcomeDefaults,
  epsilon: 1e-6,
  scale: 'std',
  correction: 0,
  baseline: 'mean',
  dialect: undefined,
})

/** Computes GRPO's advantage: (R − μ) / (σ + ε) of the rollout, at each of its turns.
 * @param batch - rewards 0 or 1 unless `realRewards` says otherwise
 * @param options - see `grpoDefaults`; `reward` picks R, `dialect` a trainer's constants from `grpoDialects`
 * @param out - `[numTurns]`, dimensionless; shares no memory with the rewards
 * @throws TaraError `OPTION`, `RANGE`, `LENGTH`, `TYPE`, `MISMATCH` (shared memory), `SINGLETONS` (dialect `openrlhf`)
 */
export function grpo(batch: TurnBatch, options?: Partial<GrpoOptions>, out?: Float64Array): Float64Array {
  const resolved = resolveOptions<GrpoOptions>('grpo', options, grpoDefaults, {
    ...outcomeChecks,
    ...normalizationChecks,
    dialect: optional(oneOf(...grpoDialectNames)),
  })
  const { dialect } = resolved
  if (dialect === undefined)
    return outcomeAdvantage('grpo', batch, resolved, (x, n) => normalize(x, n, resolved), out)
  checkDialect('grpo', dialect, options ?? {})
  return outcomeAdvantage('grpo', batch, resolved, dialectFormula('grpo', dialect), out)
}
