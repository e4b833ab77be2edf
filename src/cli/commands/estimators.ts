/**
 * `tara estimators`: what there is to compute advantages with, one line and the formula each.
 */
import { Command } from 'commander'
import { type EstimatorInfo, estimators as others } from '../../baselines/estimators.js'
import { estimators as offered } from '../estimators.js'
import type { Given } from '../flag.js'
import type { Io } from '../io.js'

interface Entry extends Omit<EstimatorInfo, 'name'> {
  readonly name: string
}

const tara: Entry = {
  name: 'tara',
  function: 'tara',
  formula: 'A[t] = (r[t] − μ[t]) / (σ[t] + ε) + λ·(V[t] − μ_V[t]) / (σ_V[t] + ε), V[t] = δ[t]·Σ γ^k·r[t+k+1]',
  source: 'turn-aware relative advantage, Eq. 2–5',
  needs: [],
  accumulatesNormalized: false,
}

export function estimatorsCommand(io: Io): Command {
  return new Command('estimators')
    .description('Lists the estimators: source, needs and formula of each.')
    .option('--json', 'write JSON')
    .addHelpText('after', '\nExample:\n  $ tara estimators')
    .action((given: Given) => list(given, io))
}

/** A line on the estimator, and its formula. */
function linesOf({ name, formula, source, needs, accumulatesNormalized }: Entry): string {
  const dialects = Object.keys(offered).filter((other) => other.startsWith(`${name}:`))
  const facts = [source]
  if (needs.length > 0) facts.push(`needs ${needs.join(', ')}`)
  if (accumulatesNormalized) facts.push('biased where the policy decides how many turns there are')
  if (dialects.length > 0) facts.push(`also as ${dialects.join(', ')}`)
  return `${name}: ${facts.join('; ')}\n  ${formula}\n`
}

async function list(given: Given, io: Io): Promise<void> {
  const all: readonly Entry[] = [tara, ...others]
  await io.out(given.json === true ? `${JSON.stringify(all)}\n` : all.map(linesOf).join(''))
}
