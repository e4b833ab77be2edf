/**
 * One-to-one matching of golden things with made things.
 *
 * Where equality is an equivalence, taking the first free partner is best already. Where it is not (subset,
 * tolerance, a rule of the user) a loose golden thing may take what a stricter one needs, so partners have to move:
 * augmenting paths, on a stack of our own.
 */

/** Gives every left thing, in order, the first equal right thing that is free. A maximum matching where equality is
 * an equivalence relation.
 * @returns `[numLeft]` the partner, or −1
 */
export function greedyMatching(
  numLeft: number,
  numRight: number,
  isEqual: (left: number, right: number) => boolean,
): number[] {
  const partner: number[] = new Array(numLeft).fill(-1)
  const taken = new Uint8Array(numRight)
  for (let l = 0; l < numLeft; l++)
    for (let r = 0; r < numRight; r++)
      if (taken[r] === 0 && isEqual(l, r)) {
        taken[r] = 1
        partner[l] = r
        break
      }
  return partner
}

/** Lists the first equal right things of each left thing, ascending: `[numLeft]`, at most `most` each. */
export function equalPartners(
  numLeft: number,
  numRight: number,
  isEqual: (left: number, right: number) => boolean,
  most: number,
): number[][] {
  const partners: number[][] = []
  for (let l = 0; l < numLeft; l++) {
    const equal: number[] = []
    for (let r = 0; r < numRight && equal.length < most; r++) if (isEqual(l, r)) equal.push(r)
    partners.push(equal)
  }
  return partners
}

/** Finds a maximum matching. Deterministic: lower indices are tried first.
 * @param partners - `[numLeft]` the equal right things of each left thing, ascending
 * @returns `[numLeft]` the partner, or −1
 */
export function maximumMatching(partners: readonly ArrayLike<number>[], numRight: number): number[] {
  const numLeft = partners.length
  const partner: number[] = new Array(numLeft).fill(-1)
  const owner = new Int32Array(numRight).fill(-1)
  const next = new Int32Array(numLeft)
  const seen = new Uint8Array(numRight)
  const path: number[] = []
  // What a failed search has seen leads nowhere until the matching changes, so `seen` lasts a whole round.
  for (let progress = true; progress; ) {
    progress = false
    seen.fill(0)
    next.fill(0)
    for (let l = 0; l < numLeft; l++)
      if (partner[l] === -1 && augment(l, partners, partner, owner, next, seen, path)) progress = true
  }
  return partner
}

/** Searches a path from `start` to a free right thing and moves every partner along it. */
function augment(
  start: number,
  partners: readonly ArrayLike<number>[],
  partner: number[],
  owner: Int32Array,
  next: Int32Array,
  seen: Uint8Array,
  path: number[],
): boolean {
  path.length = 0
  path.push(start)
  while (path.length > 0) {
    const l = path.at(-1)!
    const edges = partners[l]!
    if (next[l]! === edges.length) {
      path.pop()
      continue
    }
    const r = edges[next[l]!++]!
    if (seen[r] === 1) continue
    seen[r] = 1
    if (owner[r] !== -1) {
      path.push(owner[r]!)
      continue
    }
    // Free: every left thing of the path takes the right thing it was just looking at.
    for (const mover of path) {
      const taken = partners[mover]![next[mover]! - 1]!
      partner[mover] = taken
      owner[taken] = mover
    }
    return true
  }
  return false
}
