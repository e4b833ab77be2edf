/**
 * Token ids of a byte-level BPE → the bytes they stand for.
 *
 * Each character of a token in the vocabulary stands for one byte (the table of GPT-2), so the bytes of the tokens put
 * one after the other are the text, exactly. An added token stands for its own text. Where the bytes are not those of the
 * text, something changed it on the way (a normalizer, a space put in front), and no offset would be true: refused.
 */
import { fail, show } from '../errors.js'
import { type Fields, isFields } from './fields.js'

/** The bytes of a text. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The byte that each character of the vocabulary stands for. */
function byteOfChar(): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>()
  let next = 256
  for (let byte = 0; byte < 256; byte++) {
    const isItself = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
    bytes.set(String.fromCharCode(isItself ? byte : next++), byte)
  }
  return bytes
}

/** Whether a part of a tokenizer, or a part of its sequence, is of a type. */
function hasType(part: unknown, type: string): boolean {
  if (!isFields(part)) return false
  const inner = part.pretokenizers ?? part.decoders
  return part.type === type || (Array.isArray(inner) && inner.some((one) => hasType(one, type)))
}

/** Checks that a `tokenizer.json` is a byte-level BPE.
 * @throws TaraError `TYPE`
 */
export function checkByteLevel(place: string, tokenizer: Fields): void {
  const model = isFields(tokenizer.model) ? tokenizer.model.type : undefined
  if (model !== 'BPE' || !hasType(tokenizer.decoder, 'ByteLevel'))
    fail(
      'TYPE',
      place,
      'a byte-level BPE, whose tokens stand for bytes (others: record the sampled ids)',
      `a ${show(model)} model without a ByteLevel decoder`.replace(
        ' without a ByteLevel decoder',
        hasType(tokenizer.decoder, 'ByteLevel') ? '' : ' without a ByteLevel decoder',
      ),
    )
}

/** Texts of the added tokens by id. */
export function addedTokens(tokenizer: Fields): ReadonlyMap<number, string> {
  const added = Array.isArray(tokenizer.added_tokens) ? (tokenizer.added_tokens as unknown[]) : []
  return new Map(
    added.flatMap((one): [number, string][] =>
      isFields(one) && typeof one.id === 'number' && typeof one.content === 'string'
        ? [[one.id, one.content]]
        : [],
    ),
  )
}

/** Texts of the added tokens that steer a model, such as `<|im_end|>`; `<tool_call>` is text for most. */
export function specialTexts(tokenizer: Fields): readonly string[] {
  const added = Array.isArray(tokenizer.added_tokens) ? (tokenizer.added_tokens as unknown[]) : []
  return added.flatMap((one) =>
    isFields(one) && one.special === true && typeof one.content === 'string' && one.content !== ''
      ? [one.content]
      : [],
  )
}

/** Makes a function from a token id to its bytes. What it returns is shared: not to be changed.
 * @param tokenOf - the token of an id as it stands in the vocabulary
 */
export function tokenBytes(
  added: ReadonlyMap<number, string>,
  tokenOf: (id: number) => string | undefined,
): (id: number) => Uint8Array {
  const byteOf = byteOfChar()
  const known = new Map<number, Uint8Array>()

  function read(id: number): Uint8Array {
    const text = added.get(id)
    if (text !== undefined) return utf8(text)
    const token = tokenOf(id)
    if (token === undefined) return fail('RANGE', 'token id', 'one of the vocabulary', show(id))
    return Uint8Array.from(token, (char) => {
      const byte = byteOf.get(char)
      if (byte === undefined)
        return fail('TYPE', `token ${show(token)}`, 'characters that stand for bytes', show(char))
      return byte
    })
  }

  return (id) => {
    let bytes = known.get(id)
    if (bytes === undefined) known.set(id, (bytes = read(id)))
    return bytes
  }
}

/** Where each token starts, in bytes of the text, with the end of the last one behind.
 * @returns `[numTokens+1]`; undefined where the tokens are not the bytes of the text
 */
export function tokenStarts(
  ids: readonly number[],
  text: Uint8Array,
  bytesOf: (id: number) => Uint8Array,
): Float64Array | undefined {
  const starts = new Float64Array(ids.length + 1)
  let at = 0
  for (let k = 0; k < ids.length; k++) {
    for (const byte of bytesOf(ids[k]!)) if (text[at++] !== byte) return undefined
    starts[k + 1] = at
  }
  return at === text.length ? starts : undefined
}
