/**
 * Golden calls ↔ calls made, by credit: the pairs whose credits add up to the most.
 *
 * Credits are fractions; in a common unit they are whole numbers, whose sums are exact. The largest sum is then one
 * number in whatever order the calls come.
 */
import { maximumAssignment } from './assignment.js'
import type { GoldenSet } from './compile.js'
import { creditOf } from './credit.js'
import type { MadeCall } from './made.js'
import type { ResolvedPolicy } from './policy.js'

/** A golden call and the call that it is given to. */
export interface CreditPair {
  /** Of the golden call in its turn or alternative. */
  readonly golden: number
  /** Index into the calls. */
  readonly call: number
  /** Above 0, at most 1; 1 where the two are equal. */
  readonly credit: number
}

/** A possible pair, with its credit as a fraction. */
export interface Candidate {
  readonly golden: number
  readonly call: number
  readonly right: number
  readonly of: number
}

/** Credits as whole numbers of a unit. */
export interface Chosen {
  readonly pairs: readonly CreditPair[]
  /** Credit of all golden calls, and of all calls; they differ only where one call may stand for several. */
  readonly goldenCredit: number
  readonly callCredit: number
  /** What a credit of 1 is. */
  readonly unit: number
  /** Calls that are for no golden call. */
  readonly extra: number
}

/** All pairs with credit, by name: calls of different names have nothing to do with one another. */
export function candidatesOf(
  set: GoldenSet,
  calls: readonly MadeCall[],
  { isStrict }: ResolvedPolicy,
  exactOnly: boolean,
): Candidate[][] {
  const callsOf = new Map<string, number[]>()
  for (let j = 0; j < calls.length; j++) {
    const named = callsOf.get(calls[j]!.name)
    if (named === undefined) callsOf.set(calls[j]!.name, [j])
    else named.push(j)
  }
  const blocks = new Map<string, Candidate[]>()
  for (let g = 0; g < set.calls.length; g++) {
    const golden = set.calls[g]!
    const block = blocks.get(golden.key) ?? []
    blocks.set(golden.key, block)
    for (const j of callsOf.get(golden.key) ?? []) {
      const { right, of } = creditOf(golden, calls[j]!, isStrict)
      if (exactOnly ? right === of : right > 0) block.push({ golden: g, call: j, right, of })
    }
  }
  return [...blocks.values()]
}

function gcd(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b]
  return a
}

/** The unit in which all credits are whole: the least common denominator, or where that is too large a power of two. */
function unitOf(blocks: readonly (readonly Candidate[])[], most: number): number {
  let unit = 1
  for (const block of blocks)
    for (const { of } of block) {
      unit *= of / gcd(unit, of)
      if (unit > most) return 2 ** Math.floor(Math.log2(most))
    }
  return unit
}

const inUnits = ({ right, of }: Candidate, unit: number): number =>
  unit % of === 0 ? right * (unit / of) : Math.floor((right * unit) / of)

/** The indices that occur, each once and in order, with their places. */
function placesOf(indices: readonly number[]): Map<number, number> {
  return new Map([...new Set(indices)].sort((a, b) => a - b).map((index, place) => [index, place]))
}

/** The best one-to-one pairs of a block: the most credit, and of equal sums the one with most pairs. */
function assign(block: readonly Candidate[], unit: number, numPairs: number): Candidate[] {
  const rows = placesOf(block.map(({ golden }) => golden))
  const columns = placesOf(block.map(({ call }) => call))
  const weight = new Float64Array(rows.size * columns.size)
  const at = ({ golden, call }: Candidate): number => rows.get(golden)! * columns.size + columns.get(call)!
  for (const pair of block) weight[at(pair)] = inUnits(pair, unit) * (numPairs + 1) + 1
  const column = maximumAssignment(weight, rows.size, columns.size)
  return block.filter(({ golden, call }) => column[rows.get(golden)!] === columns.get(call))
}

function pairsOf(chosen: readonly Candidate[]): CreditPair[] {
  return chosen
    .map(({ golden, call, right, of }) => ({ golden, call, credit: right / of }))
    .sort((a, b) => a.golden - b.golden)
}

/** `multiset`: every golden call has a call of its own. */
export function chooseOneToOne(
  blocks: readonly (readonly Candidate[])[],
  numGolden: number,
  numCalls: number,
): Chosen {
  const n = Math.max(1, Math.min(numGolden, numCalls))
  const unit = unitOf(blocks, 2 ** 51 / (n * (n + 1)) - 1) // 4·n·(unit·(n + 1) + 1) ≤ 2^53
  const chosen = blocks.flatMap((block) => assign(block, unit, n))
  const credit = chosen.reduce((sum, pair) => sum + inUnits(pair, unit), 0)
  return {
    pairs: pairsOf(chosen),
    goldenCredit: credit,
    callCredit: credit,
    unit,
    extra: numCalls - chosen.length,
  }
}

/** `set`: every golden call has its best call, which others may have too. Extra are calls that equal no golden call. */
export function chooseFreely(
  blocks: readonly (readonly Candidate[])[],
  numGolden: number,
  numCalls: number,
): Chosen {
  const unit = unitOf(blocks, 2 ** 52 / Math.max(1, numGolden, numCalls))
  const bestOf: (Candidate | undefined)[] = new Array(numGolden).fill(undefined)
  const ofCall = new Float64Array(numCalls)
  for (const pair of blocks.flat()) {
    const credit = inUnits(pair, unit)
    const best = bestOf[pair.golden]
    if (best === undefined || credit > inUnits(best, unit)) bestOf[pair.golden] = pair
    ofCall[pair.call] = Math.max(ofCall[pair.call]!, credit)
  }
  const chosen = bestOf.filter((pair) => pair !== undefined)
  return {
    pairs: pairsOf(chosen),
    goldenCredit: chosen.reduce((sum, pair) => sum + inUnits(pair, unit), 0),
    callCredit: ofCall.reduce((sum, credit) => sum + credit, 0),
    unit,
    extra: ofCall.reduce((count, credit) => (credit === unit ? count : count + 1), 0),
  }
}
