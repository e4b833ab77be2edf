/**
 * One turn of one rollout, taken apart: every number on the way from its rewards to its advantage.
 *
 * The numbers are those of `taraParts`: the future value and both normalized parts come out of the same
 * functions, applied to the same columns.
 */
import { futureRow, gateAt } from '../advantage/future.js'
import { moments, normalize } from '../advantage/moments.js'
import { resolveTara, type TaraOptions } from '../advantage/options.js'
import { numGroups, type TurnBatch } from '../batch/layout.js'
import { excludesUnreached, liveTurnsOf, votersOf } from '../batch/votes.js'
import { fail, show } from '../errors.js'

/** A later turn's share of the future: reward · weight = product. */
export interface FutureTerm {
  readonly turn: number
  readonly reward: number
  /** γ^k; the next turn has k = 0 (Eq. 3) or 1 (Eq. 7). */
  readonly weight: number
  readonly product: number
}

/** Statistics of one turn over its voters, and where this rollout stands among them. */
export interface ColumnStats {
  /** Mean over the voters, reward units; 0 where there are none. */
  readonly mean: number
  /** Standard deviation over the voters, reward units; exactly 0 where all are equal. */
  readonly std: number
  /** How many rollouts vote at the turn. */
  readonly voters: number
  /** The normalized value of this rollout; 0 where it does not vote. */
  readonly z: number
}

/** What `explainTurn` finds. All but `reward` is 0 or empty where the rollout does not vote at the turn. */
export interface TurnExplanation {
  /** False for a rollout or turn that is left out: then the advantage is 0. */
  readonly votes: boolean
  readonly reward: number
  /** δ, what the future is multiplied by. */
  readonly gate: number
  /** Later turns that count, in order. */
  readonly terms: readonly FutureTerm[]
  /** The future before the gate: the sum of the products, computed as Eq. 3's recursion. */
  readonly sum: number
  /** V = gate · sum. */
  readonly futureValue: number
  readonly local: ColumnStats
  readonly future: ColumnStats
  /** A = local.z + λ · future.z. */
  readonly advantage: number
}

/** Takes one turn apart.
 * @param g - group
 * @param i - rollout, counted over the whole batch: `groupPtr[g] ≤ i < groupPtr[g+1]`
 * @param t - turn, 0 … T−1
 * @param options - see `taraDefaults`
 * @throws TaraError `RANGE` for a turn that is not there; else as `tara`
 */
export function explainTurn(
  batch: TurnBatch,
  g: number,
  i: number,
  t: number,
  options?: Partial<TaraOptions>,
): TurnExplanation {
  const resolved = resolveTara('explainTurn', batch, options)
  within('explainTurn: g', g, 0, numGroups(batch))
  within('explainTurn: i', i, batch.groupPtr[g]!, batch.groupPtr[g + 1]!)
  within('explainTurn: t', t, 0, batch.turnPtr[i + 1]! - batch.turnPtr[i]!)

  const { reward, reached, turnPtr } = batch
  const live = liveTurnsOf(batch, g)
  const excludes = excludesUnreached(batch, g, resolved.unreached)
  const voters = live.includes(t)
    ? votersOf(batch, g, resolved.truncated).filter((m) => !excludes || reached[turnPtr[m]! + t] === 1)
    : []
  const k = voters.indexOf(i)
  const j = turnPtr[i]! + t
  const row = new Float64Array(turnPtr[i + 1]! - turnPtr[i]!)
  const futureOf = (m: number): number => {
    futureRow(reward, turnPtr[m]!, live, resolved, row, 0)
    return row[t]!
  }
  const local = column(
    Float64Array.from(voters, (m) => reward[turnPtr[m]! + t]!),
    k,
    resolved,
  )
  const values = Float64Array.from(voters, futureOf)
  const futureValue = values[k] ?? 0
  const future = column(values.slice(), k, resolved)
  const shared = { reward: reward[j]! + 0, local, future }
  if (k < 0) return { votes: false, ...shared, gate: 0, terms: [], sum: 0, futureValue: 0, advantage: 0 }
  futureRow(reward, turnPtr[i]!, live, { ...resolved, gate: 'none' }, row, 0)
  return {
    votes: true,
    ...shared,
    gate: gateAt(resolved.gate, reward, j),
    terms: termsAfter(batch, i, t, live, resolved),
    sum: row[t]!,
    futureValue,
    advantage: local.z + resolved.lambda * future.z,
  }
}

function within(place: string, value: number, low: number, end: number): void {
  if (!(Number.isInteger(value) && value >= low && value < end))
    fail('RANGE', place, `a whole number, ${low} or more and below ${end}`, show(value))
}

/** Statistics of `x`, which is used up, and the z of its element k. */
function column(x: Float64Array, k: number, options: TaraOptions): ColumnStats {
  const { mean, std } = moments(x, x.length, options.correction)
  normalize(x, x.length, options)
  return { mean, std, voters: x.length, z: x[k] ?? 0 }
}

function termsAfter(
  batch: TurnBatch,
  i: number,
  t: number,
  live: readonly number[],
  { gamma, futureIndex }: TaraOptions,
): FutureTerm[] {
  let weight = futureIndex === 'eq3' ? 1 : gamma
  const terms: FutureTerm[] = []
  for (const turn of live) {
    if (turn <= t) continue
    const reward = batch.reward[batch.turnPtr[i]! + turn]! + 0
    terms.push({ turn, reward, weight: weight + 0, product: reward * weight + 0 })
    weight *= gamma
  }
  return terms
}
