/**
 * A golden trace as bytes → made ready for matching where it stands: what nobody asks for is not built.
 *
 * It takes what `compileGolden` takes without a fault, and only the plain form; the two give the same.
 */
import { textOf } from './bytes.js'
import type { JsonObject } from './call.js'
import { type CompiledTurn, type GoldenCall, type GoldenClass, MANY_CLASSES, newClass } from './compile.js'
import { type CompiledGolden, compiledTurns } from './golden.js'
import { type GoldenBytes, isNameOf, membersOf } from './goldenBytes.js'
import { parseJson } from './json.js'
import { BACKSLASH, enter, hasByte, holdsAt, skipColon, skipComma, skipString, wordOf } from './jsonBytes.js'
import type { Looseness } from './looseness.js'
import { findMembers, type MemberTape } from './memberTape.js'
import type { ResolvedPolicy } from './policy.js'
import { compareWritten, EQUAL, isSimpleObject, UNSURE } from './writtenArguments.js'

const NAME = wordOf('"name"')
const ARGUMENTS = wordOf('"arguments"')

/** A golden call of the assistant that is parsed when it is asked for its arguments. */
class WrittenCall implements GoldenCall {
  readonly side = 'assistant'
  readonly compare = undefined
  readonly written: GoldenBytes
  readonly #start: number
  readonly #end: number
  readonly #policy: ResolvedPolicy
  #name: string | undefined
  #value: JsonObject | undefined

  /** @param start - of the arguments */
  constructor(written: GoldenBytes, start: number, end: number, policy: ResolvedPolicy) {
    this.written = written
    this.#start = start
    this.#end = end
    this.#policy = policy
  }

  get name(): string {
    this.#name ??= textOf(this.written.bytes, this.written.nameStart, this.written.nameEnd)
    return this.#name
  }

  get key(): string {
    return this.name
  }

  get looseness(): Looseness {
    return this.#policy.loosenessOf(this.name)
  }

  get value(): JsonObject {
    if (this.#value === undefined) {
      const read = parseJson(textOf(this.written.bytes, this.#start, this.#end))
      if (!read.ok) throw new Error('unreachable: the arguments were found to be JSON')
      this.#value = read.value as JsonObject
    }
    return this.#value
  }
}

/** The class that the call on the tape belongs to; `UNSURE` where that needs parsing, undefined for a new one. */
function homeOf(
  tape: MemberTape,
  { bytes, nameStart, nameEnd }: GoldenBytes,
  distinct: readonly GoldenClass[],
): GoldenClass | typeof UNSURE | undefined {
  for (const home of distinct) {
    if (!isNameOf(home.bytes!, bytes, nameStart, nameEnd)) continue
    const verdict = compareWritten(tape, home.bytes!)
    if (verdict === EQUAL) return home
    if (verdict === UNSURE) return UNSURE
  }
  return undefined
}

/** Reads the call at `k` and leaves its arguments on the tape; undefined where it is not plain. */
function readCall(
  bytes: Uint8Array,
  k: number,
  policy: ResolvedPolicy,
  tape: MemberTape,
): { readonly call: WrittenCall; readonly behind: number } | undefined {
  let nameStart = 0
  let nameEnd = 0
  let start = 0
  let end = 0
  let at = enter(bytes, k, 0x7b)
  while (at > 0 && bytes[at] !== 0x7d) {
    let behind = -1
    if (nameStart === 0 && holdsAt(bytes, at, NAME)) {
      nameStart = skipColon(bytes, at + NAME.length) + 1
      behind = bytes[nameStart - 1] === 0x22 ? skipString(bytes, nameStart) : -1
      nameEnd = behind - 1
    } else if (start === 0 && holdsAt(bytes, at, ARGUMENTS)) {
      start = skipColon(bytes, at + ARGUMENTS.length)
      end = behind = findMembers(tape, bytes, start)
    }
    at = skipComma(bytes, behind, 0x7d)
  }
  if (at < 0 || nameEnd <= nameStart || start === 0) return undefined
  if (hasByte(bytes, nameStart, nameEnd, BACKSLASH) || !isSimpleObject(tape)) return undefined
  const written = { bytes, nameStart, nameEnd, numMembers: tape.numMembers, ptr: membersOf(tape) }
  return { call: new WrittenCall(written, start, end, policy), behind: at + 1 }
}

/** Reads the turn at `k`; the index behind it, −1 where it is not plain. */
function readTurn(
  bytes: Uint8Array,
  k: number,
  policy: ResolvedPolicy,
  tape: MemberTape,
  turns: CompiledTurn[],
): number {
  const calls: GoldenCall[] = []
  const classes: GoldenClass[] = []
  const distinct: GoldenClass[] = []
  k = enter(bytes, k, 0x5b)
  while (k > 0 && bytes[k] !== 0x5d) {
    const read = readCall(bytes, k, policy, tape)
    let home = read && homeOf(tape, read.call.written, distinct)
    if (read === undefined || home === UNSURE) return -1
    if (home === undefined) {
      home = newClass(distinct.length, read.call, read.call.written)
      distinct.push(home)
    }
    home.members.push(calls.length)
    classes.push(home)
    calls.push(read.call)
    k = skipComma(bytes, read.behind, 0x5d)
  }
  if (k < 0 || calls.length >= MANY_CLASSES) return -1
  const set = { calls, isEquivalence: true, classes, distinct, byName: undefined }
  turns.push({ sets: [set], hasAlternatives: false, isEmpty: calls.length === 0 })
  return k + 1
}

/** Makes a golden trace ready that is known to be JSON; undefined where `compileGolden` must, or the policy compares
 * other than exactly.
 * @param bytes - of the trace alone; they stay in use
 * @param tape - is written over
 */
export function compileWritten(
  bytes: Uint8Array,
  policy: ResolvedPolicy,
  tape: MemberTape,
): CompiledGolden | undefined {
  if (!policy.isStrict || policy.normalizeName !== undefined) return undefined
  const turns: CompiledTurn[] = []
  let k = enter(bytes, 0, 0x5b)
  while (k > 0 && bytes[k] !== 0x5d) k = skipComma(bytes, readTurn(bytes, k, policy, tape, turns), 0x5d)
  return k < 0 ? undefined : compiledTurns(turns, policy)
}
