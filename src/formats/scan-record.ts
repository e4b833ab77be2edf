/**
 * One line of a log as bytes → the fields of its record, where messages and golden trace are left as bytes.
 *
 * This is the way that nearly every line of a log of OpenAI messages takes. A line that it does not take is read as
 * text, by the readers that say what is wrong; for one that it does both give the same record.
 */
import type { Status } from '../batch/layout.js'
import { sameBytes, stringOf, textOf } from '../reward/bytes.js'
import {
  enter,
  skipColon,
  skipComma,
  skipPlainKey,
  skipSpace,
  skipValue,
  wordOf,
} from '../reward/jsonBytes.js'
import type { WrittenRollout } from '../reward/written.js'
import { recordFields } from './record.js'
import { ASSISTANT, type MessageTape, messageTape, scanMessages, USER } from './scan-messages.js'

const MESSAGES = wordOf('messages')
const GOLDEN = wordOf('golden')

export interface ScannedRecord {
  /** All but `messages` and `golden`; `tools` and what nobody reads without its value. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly messages: MessageTape
  /** The golden trace, with its brackets; 0 and 0 where there is none. */
  readonly goldenStart: number
  readonly goldenEnd: number
  /** Whether it is the one that was to be looked for, byte by byte. */
  readonly isKnownGolden: boolean
}

export interface RecordScanner {
  /** Reads a line. The record is good until the next is read; undefined where the line is not plain.
   * @param bytes - with a newline, or another control character, at `end`
   * @param known - the golden trace that most likely stands there; it is then not read again
   */
  scan(
    bytes: Uint8Array,
    start: number,
    end: number,
    known: Uint8Array | undefined,
  ): ScannedRecord | undefined
}

const fieldOf = (bytes: Uint8Array, start: number, end: number): unknown =>
  bytes[start] === 0x22 ? stringOf(bytes, start + 1, end - 1) : JSON.parse(textOf(bytes, start, end))

/** The fields of a record, none of them given. One literal, so that all records have one shape. */
const noFields = (): Record<string, unknown> => ({
  schema: undefined,
  group: undefined,
  rollout: undefined,
  role: undefined,
  turns: undefined,
  scope: undefined,
  rewards: undefined,
  outcome: undefined,
  status: undefined,
  tokens: undefined,
  tools: undefined,
})

/** Whether nothing but the calls is needed of the messages: some forms of tokens look at them, turn marks name them. */
function isPlain({ turns, tokens }: Readonly<Record<string, unknown>>): boolean {
  return !Array.isArray(turns) && (typeof tokens !== 'object' || tokens === null || 'turns' in tokens)
}

/** Makes a scanner. */
export function recordScanner(): RecordScanner {
  const messages = messageTape()
  let fields = noFields()
  let hasMessages = false
  let goldenStart = 0
  let goldenEnd = 0
  let isKnownGolden = false

  function scanGolden(bytes: Uint8Array, at: number, known: Uint8Array | undefined): number {
    if (goldenEnd > 0 || bytes[at] !== 0x5b) return -1
    isKnownGolden = known !== undefined && sameBytes(bytes, at, at + known.length, known)
    goldenStart = at
    goldenEnd = isKnownGolden ? at + known!.length : skipValue(bytes, at)
    return goldenEnd
  }

  function scanField(bytes: Uint8Array, key: number, keyEnd: number, at: number): number {
    const end = skipValue(bytes, at)
    if (end < 0) return -1
    const name = textOf(bytes, key, keyEnd)
    if (recordFields.has(name) ? fields[name] !== undefined : name in fields) return -1 // twice, or a name of Object's
    fields[name] = recordFields.has(name) && name !== 'tools' ? fieldOf(bytes, at, end) : null
    return end
  }

  function scanMember(bytes: Uint8Array, k: number, known: Uint8Array | undefined): number {
    const end = skipPlainKey(bytes, k)
    const at = skipColon(bytes, end)
    if (at < 0) return -1
    if (sameBytes(bytes, k + 1, end - 1, GOLDEN)) return scanGolden(bytes, at, known)
    if (!sameBytes(bytes, k + 1, end - 1, MESSAGES)) return scanField(bytes, k + 1, end - 1, at)
    if (hasMessages) return -1
    hasMessages = true
    return scanMessages(bytes, at, messages)
  }

  return {
    scan(bytes, start, end, known) {
      fields = noFields()
      hasMessages = isKnownGolden = false
      goldenStart = goldenEnd = 0
      let k = enter(bytes, skipSpace(bytes, start), 0x7b)
      while (k > 0 && bytes[k] !== 0x7d) k = skipComma(bytes, scanMember(bytes, k, known), 0x7d)
      // A line that is cut off may seem to go on in the next.
      if (k < 0 || k >= end || skipSpace(bytes, k + 1) < end) return undefined
      if (!hasMessages || messages.numCalls === 0 || !isPlain(fields)) return undefined
      return { fields, messages, goldenStart, goldenEnd, isKnownGolden }
    },
  }
}

/** Puts scanned messages into turns.
 * @param into - gets the turns; good until the next record is read
 */
export function scannedTurns(
  tape: MessageTape,
  unit: 'user' | 'step',
  status: Status,
  into: number[],
): WrittenRollout {
  const opens = unit === 'step' ? ASSISTANT : USER
  let numTurns = 0
  for (let m = 0; m < tape.numMessages; m++)
    if (tape.kind[m] === opens) into[numTurns++] = m === 0 ? 0 : tape.callEnd[m - 1]!
  return { calls: tape, status, numTurns, turnStart: into }
}
