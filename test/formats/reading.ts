/**
 * Short ways for the tests of message formats.
 */
import { type MessageFormatName, messageFormats } from '../../src/formats/formats.js'
import { fromMessages, type Turns } from '../../src/formats/turns.js'
import { refusal } from './records.js'

/** The names of the calls of each turn, and of those before the first. */
export function namesOf(
  format: MessageFormatName,
  messages: readonly unknown[],
  turns: Turns = 'user',
): { readonly turns: (string[] | null)[]; readonly before: string[] } {
  const read = fromMessages(messageFormats[format], messages, turns)
  return {
    turns: read.turns.map((calls) => calls?.map(({ name }) => name) ?? null),
    before: read.before.map(({ name }) => name),
  }
}

/** The calls of all turns, one after the other. */
export const callsOf = (format: MessageFormatName, ...messages: readonly unknown[]): unknown[] =>
  fromMessages(messageFormats[format], messages, 'step').turns.flatMap((calls) => calls ?? [])

/** What a log says of messages that are the second record of a file. */
export const refused = (format: MessageFormatName, ...messages: readonly unknown[]): string =>
  refusal(
    [
      { group: 'g', rollout: 0, golden: [[]], messages: [] },
      { group: 'g', rollout: 1, golden: [[]], messages },
    ],
    { from: format },
  )
