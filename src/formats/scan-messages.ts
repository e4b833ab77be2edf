/**
 * OpenAI chat messages as bytes → where their calls stand, without building what nobody reads.
 *
 * It takes the plain form only, in which nothing shows another format: roles and contents that are text or null, calls with a name and arguments that are
 * text, an object or nothing. Whatever else a message may hold goes to the reader of `openai.ts`.
 */
import {
  enter,
  fourAt,
  fourOf,
  hasByte,
  holdsAt,
  skipColon,
  skipComma,
  skipNull,
  skipPlainKey,
  skipString,
  skipValue,
  wordOf,
} from '../reward/jsonBytes.js'

import { NO_ARGUMENTS, OBJECT, TEXT, type WrittenCalls } from '../reward/written.js'

const QUOTE = 0x22
const S = 0x73
const ROLE = fourOf('role', 0)
const CONT = fourOf('content"', 0)
const ENT = fourOf('content"', 4)
const TOOL = fourOf('tool', 0)
const FUNC = fourOf('function', 0)
const TION = fourOf('function', 4)
const NAME = fourOf('name', 0)
const TYPE = fourOf('type', 0)
const ARGU = fourOf('arguments', 0)
const MENT = fourOf('arguments', 4)
const TOOL_CALLS = wordOf('"tool_calls"')
const FUNCTION_CALL = wordOf('"function_call"')
const REQUESTOR = wordOf('"requestor"')
const PARTS = wordOf('"parts"')
const TOOL_INVOCATIONS = wordOf('"toolInvocations"')
const CUSTOM = wordOf('"custom"')
const USER_ROLE = wordOf('"user"')
const ASSISTANT_ROLE = wordOf('"assistant"')
const TAG = wordOf('<tool_call>')

/** What a message is to the turns of a log. */
export const OTHER = 0
export const USER = 1
export const ASSISTANT = 2
/** A user who makes calls: opens no turn. */
export const USER_CALLS = 3

/** The messages of one record. Made once and written again for every record. */
export interface MessageTape extends WrittenCalls {
  numMessages: number
  /** `[numMessages]` one of the kinds above. */
  readonly kind: number[]
  /** `[numMessages]` number of calls up to the end of the message. */
  readonly callEnd: number[]
  /** Members of the message, the call and the call's function that were seen: one bit each. */
  seen: number
  role: number
  /** The content of the message, where it is text. */
  contentStart: number
  contentEnd: number
  /** Whether the call has a function, or a name of its own. */
  hasFunction: boolean
  hasName: boolean
}

export function messageTape(): MessageTape {
  return {
    bytes: new Uint8Array(0),
    numMessages: 0,
    kind: [],
    callEnd: [],
    numCalls: 0,
    nameStart: [],
    nameEnd: [],
    argumentsKind: [],
    argumentsStart: [],
    argumentsEnd: [],
    sideStart: [],
    sideEnd: [],
    isUsers: [],
    seen: 0,
    role: OTHER,
    contentStart: 0,
    contentEnd: 0,
    hasFunction: false,
    hasName: false,
  }
}

/** Notes a member; false where it was there before. */
function isFirst(tape: MessageTape, bit: number): boolean {
  const was = tape.seen & bit
  tape.seen |= bit
  return was === 0
}

/** Index behind a member that nobody reads. */
const skipMember = (bytes: Uint8Array, k: number): number => {
  const at = skipColon(bytes, skipPlainKey(bytes, k))
  return at < 0 ? -1 : skipValue(bytes, at)
}

function scanName(tape: MessageTape, bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x22) return -1
  const end = skipString(bytes, at + 1)
  tape.nameStart[tape.numCalls] = at + 1
  tape.nameEnd[tape.numCalls] = end - 1
  return end
}

/** Whether an object has a number with an exponent: these may be too large for a reader of text. */
function hasExponent(bytes: Uint8Array, start: number, end: number): boolean {
  for (let k = start; k < end; k++) {
    const c = bytes[k]!
    if (c === 0x22) k = skipString(bytes, k + 1) - 1
    else if ((c | 0x20) === 0x65 && bytes[k - 1]! <= 0x39) return true
  }
  return false
}

function scanArguments(tape: MessageTape, bytes: Uint8Array, at: number): number {
  const c = bytes[at]
  const isText = c === 0x22
  if (!isText && c !== 0x7b) return skipNull(bytes, at)
  const end = isText ? skipString(bytes, at + 1) : skipValue(bytes, at)
  if (end < 0 || (!isText && hasExponent(bytes, at, end))) return -1
  tape.argumentsKind[tape.numCalls] = isText ? TEXT : OBJECT
  tape.argumentsStart[tape.numCalls] = isText ? at + 1 : at
  tape.argumentsEnd[tape.numCalls] = isText ? end - 1 : end
  return end
}

function functionMember(tape: MessageTape, bytes: Uint8Array, k: number): number {
  if (bytes[k] !== QUOTE) return -1
  const four = fourAt(bytes, k + 1)
  if (four === NAME && bytes[k + 5] === QUOTE)
    return isFirst(tape, 16) ? scanName(tape, bytes, skipColon(bytes, k + 6)) : -1
  if (four === ARGU && fourAt(bytes, k + 5) === MENT && bytes[k + 9] === S && bytes[k + 10] === QUOTE)
    return isFirst(tape, 32) ? scanArguments(tape, bytes, skipColon(bytes, k + 11)) : -1
  return skipMember(bytes, k)
}

function scanSide(tape: MessageTape, bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x22) return skipNull(bytes, at)
  const end = skipString(bytes, at + 1)
  tape.sideStart[tape.numCalls] = at + 1
  tape.sideEnd[tape.numCalls] = end - 1
  return end
}

function callMember(tape: MessageTape, bytes: Uint8Array, k: number): number {
  if (bytes[k] !== QUOTE) return -1
  const four = fourAt(bytes, k + 1)
  if (four === FUNC && fourAt(bytes, k + 5) === TION && bytes[k + 9] === QUOTE) {
    tape.hasFunction = true
    return isFirst(tape, 64) ? scanFunction(tape, bytes, skipColon(bytes, k + 10)) : -1
  }
  if (four === TYPE && bytes[k + 5] === QUOTE) {
    const at = skipColon(bytes, k + 6)
    return isFirst(tape, 128) && !holdsAt(bytes, at, CUSTOM) ? skipValue(bytes, at) : -1
  }
  if (holdsAt(bytes, k, REQUESTOR))
    return isFirst(tape, 256) ? scanSide(tape, bytes, skipColon(bytes, k + 11)) : -1
  const before = tape.seen
  const end = functionMember(tape, bytes, k)
  if (tape.seen !== before) tape.hasName = true
  return end
}

function scanFunction(tape: MessageTape, bytes: Uint8Array, at: number): number {
  let k = enter(bytes, at, 0x7b)
  while (k > 0 && bytes[k] !== 0x7d) {
    k = skipComma(bytes, functionMember(tape, bytes, k), 0x7d)
  }
  return k < 0 ? -1 : k + 1
}

function scanCall(tape: MessageTape, bytes: Uint8Array, at: number): number {
  const n = tape.numCalls
  tape.seen &= 15
  tape.hasFunction = tape.hasName = false
  tape.argumentsKind[n] = NO_ARGUMENTS
  tape.argumentsStart[n] = tape.argumentsEnd[n] = tape.sideStart[n] = tape.sideEnd[n] = 0
  let k = enter(bytes, at, 0x7b)
  while (k > 0 && bytes[k] !== 0x7d) {
    k = skipComma(bytes, callMember(tape, bytes, k), 0x7d)
  }
  // With a function and a name beside it the one would be taken for the other.
  if (tape.hasFunction === tape.hasName || (tape.seen & 16) === 0) return -1
  tape.numCalls++
  return k < 0 ? -1 : k + 1
}

function scanCalls(tape: MessageTape, bytes: Uint8Array, at: number): number {
  let k = enter(bytes, at, 0x5b)
  while (k > 0 && bytes[k] !== 0x5d) k = skipComma(bytes, scanCall(tape, bytes, k), 0x5d)
  return k < 0 ? -1 : k + 1
}

function scanRole(tape: MessageTape, bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x22) return -1
  if (holdsAt(bytes, at, USER_ROLE)) tape.role = USER
  else if (holdsAt(bytes, at, ASSISTANT_ROLE)) tape.role = ASSISTANT
  return skipPlainKey(bytes, at)
}

function scanContent(tape: MessageTape, bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return skipNull(bytes, at)
  tape.contentStart = at + 1
  return (tape.contentEnd = skipString(bytes, at + 1))
}

function messageMember(tape: MessageTape, bytes: Uint8Array, k: number): number {
  if (bytes[k] !== QUOTE) return -1
  const four = fourAt(bytes, k + 1)
  if (four === ROLE && bytes[k + 5] === QUOTE)
    return isFirst(tape, 1) ? scanRole(tape, bytes, skipColon(bytes, k + 6)) : -1
  if (four === CONT && fourAt(bytes, k + 5) === ENT)
    return isFirst(tape, 2) ? scanContent(tape, bytes, skipColon(bytes, k + 9)) : -1
  if (four === TOOL && bytes[k + 10] === S && holdsAt(bytes, k, TOOL_CALLS)) {
    const at = skipColon(bytes, k + 12)
    if (!isFirst(tape, 4)) return -1
    return bytes[at] === 0x5b ? scanCalls(tape, bytes, at) : skipNull(bytes, at)
  }
  if (four === FUNC && holdsAt(bytes, k, FUNCTION_CALL))
    return isFirst(tape, 8) ? skipNull(bytes, skipColon(bytes, k + 15)) : -1
  if (holdsAt(bytes, k, PARTS) || holdsAt(bytes, k, TOOL_INVOCATIONS)) return -1
  return skipMember(bytes, k)
}

/** Whether text of the assistant holds what Hermes models write for a call: that is worth a note. */
function hasTag({ role, contentStart, contentEnd }: MessageTape, bytes: Uint8Array): boolean {
  if (role !== ASSISTANT || !hasByte(bytes, contentStart, contentEnd, TAG[0]!)) return false
  for (let k = contentStart; k < contentEnd; k++)
    if (bytes[k] === TAG[0] && holdsAt(bytes, k, TAG)) return true
  return false
}

function scanMessage(tape: MessageTape, bytes: Uint8Array, at: number): number {
  const firstCall = tape.numCalls
  tape.seen = 0
  tape.role = OTHER
  tape.contentStart = tape.contentEnd = 0
  let k = enter(bytes, at, 0x7b)
  while (k > 0 && bytes[k] !== 0x7d) {
    k = skipComma(bytes, messageMember(tape, bytes, k), 0x7d)
  }
  if ((tape.seen & 1) === 0 || (tape.numCalls === firstCall && hasTag(tape, bytes))) return -1
  const m = tape.numMessages++
  if (tape.role === OTHER) tape.numCalls = firstCall
  tape.kind[m] = tape.role === USER && tape.numCalls > firstCall ? USER_CALLS : tape.role
  tape.callEnd[m] = tape.numCalls
  const isUsers = tape.role === USER ? 1 : 0
  for (let c = firstCall; c < tape.numCalls; c++) tape.isUsers[c] = isUsers
  return k < 0 ? -1 : k + 1
}

/** Writes the messages of the list at `k` onto the tape; the index behind it, −1 where they are not plain. */
export function scanMessages(bytes: Uint8Array, k: number, tape: MessageTape): number {
  tape.bytes = bytes
  tape.numMessages = tape.numCalls = 0
  k = enter(bytes, k, 0x5b)
  while (k > 0 && bytes[k] !== 0x5d) k = skipComma(bytes, scanMessage(tape, bytes, k), 0x5d)
  return k < 0 ? -1 : k + 1
}
