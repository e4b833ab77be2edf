/**
 * Texts → token ids, and positions in a text → positions in its tokens, exactly.
 *
 * Token k starts at the byte where the bytes of the tokens before it end. A token belongs to a span if it starts in it.
 */
import { fail, show } from '../errors.js'
import type { RolloutTokens } from '../tokens/read.js'
import { sequenceList } from '../tokens/sequence-list.js'
import { tokenStarts, utf8 } from './byte-lengths.js'
import type { ChatTokenizer } from './chat-tokenizer.js'

/** Text around what the assistant wrote. */
interface GivenText {
  readonly text: string
  readonly isWritten: false
}

/** What the assistant wrote. */
interface OwnText {
  readonly text: string
  readonly isWritten: true
  /** The message that it is of. */
  readonly message: number
  /** The turn that owns the span; -1 for none. */
  readonly turn: number
  /** The characters that are trained. */
  readonly span: readonly [start: number, end: number]
}

/** The texts of one sequence, in order. */
export type SequenceText = (GivenText | OwnText)[]

const bytes = (text: string): number => utf8(text).length

/** The first token that starts at or after a byte. */
function tokenAt(starts: Float64Array, byte: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! < byte) low = middle + 1
    else high = middle
  }
  return low
}

/** Where the bytes of tokens are no longer those of the text: the text there. */
function whereChanged(tokenizer: ChatTokenizer, ids: readonly number[], text: string): string {
  const decoded = tokenizer.decode(ids)
  let k = 0
  while (k < text.length && text[k] === decoded[k]) k++
  const from = Math.max(0, k - 10)
  return `${show(text.slice(from, k + 20))}, which becomes ${show(decoded.slice(from, k + 20))}`
}

/** Encodes a text of which positions are wanted.
 * @throws TaraError `MISMATCH` where the tokens are not the bytes of the text
 */
function encodeExactly(
  tokenizer: ChatTokenizer,
  place: string,
  text: string,
): { readonly ids: number[]; readonly starts: Float64Array } {
  if (/\p{Surrogate}/u.test(text))
    fail('MISMATCH', place, 'text that UTF-8 can hold', 'a surrogate without its other half')
  const ids = tokenizer.encode(text)
  const starts = tokenStarts(ids, utf8(text), tokenizer.bytesOf)
  if (starts !== undefined) return { ids, starts }
  return fail(
    'MISMATCH',
    place,
    'text that the tokenizer does not change (others: record the sampled ids)',
    whereChanged(tokenizer, ids, text),
  )
}

/** Encodes each text by itself. */
function encodePieces(
  tokenizer: ChatTokenizer,
  sequences: readonly SequenceText[],
  numTurns: number,
): RolloutTokens {
  const list = sequenceList(false)
  sequences.forEach((parts, q) => {
    if (q > 0) list.begin()
    for (const part of parts) {
      if (!part.isWritten) {
        list.addGiven(tokenizer.encode(part.text))
        continue
      }
      const { ids, starts } = encodeExactly(tokenizer, `messages[${part.message}]`, part.text)
      const [start, end] = part.span.map((at) => tokenAt(starts, bytes(part.text.slice(0, at)))) as [
        number,
        number,
      ]
      list.addWritten(ids, part.turn, undefined, [start, end])
    }
  })
  return list.finish(numTurns)
}

/** Encodes the text of each sequence at once. */
function encodeWhole(
  tokenizer: ChatTokenizer,
  sequences: readonly SequenceText[],
  numTurns: number,
): RolloutTokens {
  const list = sequenceList(false)
  sequences.forEach((parts, q) => {
    if (q > 0) list.begin()
    const last = parts.findLast((part) => part.isWritten)
    const place = last?.isWritten ? `messages[0 to ${last.message}]` : 'messages'
    const { ids, starts } = encodeExactly(tokenizer, place, parts.map(({ text }) => text).join(''))
    let origin = 0 // of the part, in bytes
    let done = 0 // tokens that were added
    for (const part of parts) {
      if (part.isWritten) {
        const [from, start, end, to] = [0, ...part.span, part.text.length].map((at) =>
          tokenAt(starts, origin + bytes(part.text.slice(0, at))),
        ) as [number, number, number, number]
        list.addGiven(ids.slice(done, from))
        list.addWritten(ids.slice(from, to), part.turn, undefined, [start - from, end - from])
        done = to
      }
      origin += bytes(part.text)
    }
    list.addGiven(ids.slice(done))
  })
  return list.finish(numTurns)
}

/** Encodes the texts of a rollout.
 * @param sequences - texts that follow each other, a list a sequence
 * @param how - each text by itself, or the text of a sequence at once
 * @throws TaraError `MISMATCH` where the tokenizer changes a text of which positions are wanted
 */
export function encodeTexts(
  tokenizer: ChatTokenizer,
  sequences: readonly SequenceText[],
  numTurns: number,
  how: 'pieces' | 'whole',
): RolloutTokens {
  return how === 'pieces'
    ? encodePieces(tokenizer, sequences, numTurns)
    : encodeWhole(tokenizer, sequences, numTurns)
}
