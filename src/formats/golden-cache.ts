/**
 * Golden traces compiled for the groups that come now. A log may have any number of groups; compiled traces are several
 * times their text, so only some are kept, and one that is needed again is compiled again.
 */
import { compileWritten } from '../reward/compileWritten.js'
import { type CompiledGolden, compileGolden } from '../reward/golden.js'
import type { MemberTape } from '../reward/memberTape.js'
import type { ResolvedPolicy } from '../reward/policy.js'
import { goldenOf, type WrittenGolden } from './written-golden.js'

/** Characters of golden text that are kept compiled. */
const MAX_SIZE = 1 << 18

/** What a trace without text counts as. */
const UNKNOWN_SIZE = 1024

/** A golden trace that is compiled, or can be. */
export interface GoldenSource {
  readonly written: WrittenGolden
  /** The path of the trace, for errors. */
  readonly place: string
}

export interface GoldenCache {
  /** The compiled trace of a source.
   * @param value - the trace, where it is at hand
   * @throws TaraError `GOLDEN`, only the first time
   */
  of(source: GoldenSource, value?: unknown): CompiledGolden
}

/** Makes an empty cache.
 * @param tape - is written over
 */
export function goldenCache(policy: ResolvedPolicy, tape: MemberTape): GoldenCache {
  const compiled = new Map<GoldenSource, CompiledGolden>() // oldest first
  let size = 0
  const sizeOf = ({ written }: GoldenSource): number =>
    written.bytes?.length ?? written.text?.length ?? UNKNOWN_SIZE

  return {
    of(source, value) {
      const known = compiled.get(source)
      if (known !== undefined) return known
      const { place, written } = source
      const made =
        (written.bytes && compileWritten(written.bytes, policy, tape)) ??
        compileGolden(place, value ?? goldenOf(written), policy)
      compiled.set(source, made)
      size += sizeOf(source)
      for (const oldest of compiled.keys()) {
        if (size <= MAX_SIZE || oldest === source) break
        compiled.delete(oldest)
        size -= sizeOf(oldest)
      }
      return made
    },
  }
}
