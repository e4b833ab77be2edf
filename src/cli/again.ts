/**
 * Inputs that are read more than once: a file is opened again, what came through a pipe is kept.
 */

import { parse } from '../formats/line.js'
import { asText, decodeLine, lineSplitter } from '../formats/lines.js'
import { linesOrDocument } from './gather.js'
import { type Input, openInput, textChunks } from './input.js'
import type { Io } from './io.js'

/** Gives an input anew, from its beginning. The one before must not be read on. */
export type Again = () => Promise<Input>

/** Makes an input that can be read again.
 * @param path - as the input was opened
 * @param first - the opened input
 */
export function again(path: string, first: Input, io: Io): Again {
  if (first.size !== undefined) {
    let opened: Input | undefined = first
    return async () => {
      const input = opened ?? (await openInput(path, io))
      opened = undefined
      return input
    }
  }
  const held: Uint8Array[] = []
  const rest = first.chunks[Symbol.asyncIterator]()
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let k = 0; ; k++) {
      if (k === held.length) {
        const next = await rest.next()
        if (next.done) return
        held.push(next.value.slice())
      }
      yield held[k]!
    }
  }
  return async () => ({ ...first, chunks: chunks(), close: async () => {} })
}

/** Passes on some lines of a log of records, and all of a log of documents, to a reader of bytes and to one of texts.
 * @param isWanted - chooses a line by its number
 * @param onText - takes the lines that are passed on, or the document as a whole
 */
export function someLines(
  input: Input,
  maxLine: number,
  isWanted: (line: number) => boolean,
  onText: (text: string) => void,
): Input {
  let isRecords: boolean | undefined
  let found: Uint8Array[] = []
  const texts = linesOrDocument(input.name, maxLine, {
    addBytes: asText(input.name, onText),
    addLine: onText,
  })
  const lines = lineSplitter(input.name, maxLine, (bytes, start, end, line) => {
    isRecords ??= hasGroup(parse(decodeLine(input.name, line, bytes, start, end)))
    if (isRecords && !isWanted(line)) return
    texts.addLine(bytes, start, end, line)
    const own = new Uint8Array(end - start + 1)
    own.set(bytes.subarray(start, end))
    own[end - start] = 0x0a
    found.push(own)
  })
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of textChunks(input, () => {})) {
      lines.push(chunk)
      yield* found
      found = []
    }
    lines.end()
    yield* found
    texts.end()
  }
  return { ...input, size: undefined, chunks: chunks() }
}

const hasGroup = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'group' in value && value.group !== undefined
