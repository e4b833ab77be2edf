/**
 * Which format a log is in: as the user says, or by the first record that shows it. All else must then be in that
 * format or plain text.
 */
import { below, fail } from '../errors.js'
import type { DocumentFormat } from './document.js'
import { formatOfFields, formatOfPart, hasTaggedCall, tell, tellingPart } from './evidence.js'
import type { Fields } from './fields.js'
import {
  documentFormats,
  type FormatName,
  type MessageFormatName,
  messageFormats,
  titleOf,
} from './formats.js'
import type { MessageFormat } from './message-format.js'

export interface FormatChoice {
  /** The format of a list of messages.
   * @param field - where the list stands: `messages`
   * @throws TaraError `MISMATCH` where they show another format than the log's
   */
  of(messages: unknown, field?: string): MessageFormat
  /** The format of a document; undefined for what is to be read as a record.
   * @throws TaraError `MISMATCH` for a document of another format than the log's
   */
  documentOf(value: unknown): DocumentFormat | undefined
  /** Whether a record of the log may hold OpenAI messages; `settle` says that one with calls does. */
  readsOpenAI(settle: boolean): boolean
  /** The guess, where there was one that should be told, and text that another format would read. */
  notes(): string[]
}

const isMessageFormat = (name: string | undefined): name is MessageFormatName =>
  name !== undefined && Object.hasOwn(messageFormats, name)

/** Whether a value looks like a record: documents have no `group`. */
const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as Fields).group !== undefined

const shownBy = (value: unknown): DocumentFormat | undefined =>
  documentFormats.find((format) => format.isOne(value))

/** Follows the format of one log.
 * @param from - the format; undefined to find out
 * @param source - names the log
 * @param here - names the record that is being read
 * @param what - what is read: the documents of `from` need not be those of the tasks
 */
export function formatChoice(
  from: FormatName | undefined,
  source: string,
  here: () => string,
  what: 'rollouts' | 'tasks' = 'rollouts',
): FormatChoice {
  let kind: 'record' | DocumentFormat | undefined
  if (what === 'rollouts')
    kind = isMessageFormat(from) ? 'record' : documentFormats.find(({ name }) => name === from)
  let name: MessageFormatName | undefined = isMessageFormat(from) ? from : undefined
  const isTold = from !== undefined
  let decidedAt = ''
  let tagged: string | undefined

  /** `Anthropic messages, as at in:1 (--from names another)`. */
  function wish(title: string): string {
    const why = from === undefined ? `as at ${decidedAt}; --from takes another guess` : `--from ${from}`
    return `${title} (${why})`
  }

  const wishOfRecord = (): string =>
    from === undefined ? 'a record with a group, as the ones before' : wish(titleOf(from))

  function refuse(path: string, fact: string, other: string): never {
    return fail('MISMATCH', path, wish(titleOf(name!)), `${fact}, of ${titleOf(other)}`)
  }

  /** Settles on a format, or checks that it is the one. */
  function meet(shown: MessageFormatName, message: Fields, m: number, part: number): void {
    if (shown === name) return
    if (name === undefined) {
      name = shown
      decidedAt = here()
      return
    }
    if (from === 'hermes' && shown === 'openai') return // it reads calls that were taken out of the text
    if (part < 0) {
      const { path, fact } = tell(message, m)
      refuse(path, fact, shown)
    }
    const { type } = (message.content as readonly Fields[])[part]!
    refuse(`messages[${m}].content[${part}].type`, JSON.stringify(type), shown)
  }

  function look(messages: readonly unknown[], field: string): void {
    let text = -1
    const looksForText = (name === undefined || (name === 'openai' && !isTold)) && tagged === undefined
    for (let m = 0; m < messages.length; m++) {
      const message = messages[m] as Fields
      if (typeof message !== 'object' || message === null) continue
      const own = formatOfFields(message)
      if (own !== undefined) meet(own, message, m, -1)
      const { content } = message
      if (typeof content === 'object' && Array.isArray(content)) {
        const part = tellingPart(content)
        if (part >= 0) meet(formatOfPart(content[part])!, message, m, part)
      }
      if (looksForText && text < 0 && own === undefined && hasTaggedCall(message)) text = m
    }
    if (text < 0) return
    if (name === undefined) {
      name = 'hermes'
      decidedAt = here()
    } else if (name === 'openai')
      tagged = `${here()}: ${field}[${text}].content: "<tool_call>" in text makes no call here (--from hermes reads it)`
  }

  return {
    of(messages, field = 'messages') {
      if (Array.isArray(messages))
        try {
          look(messages, field)
        } catch (error) {
          throw field === 'messages' ? error : below(field.slice(0, -'messages'.length), error)
        }
      return messageFormats[name ?? 'openai']
    },
    documentOf(value) {
      if (isRecord(value)) {
        if (kind === undefined) kind = 'record'
        if (kind === 'record') return undefined
        return fail('MISMATCH', '', wish(kind.title), 'a record with a group')
      }
      if (kind !== undefined && kind !== 'record' && kind.isOne(value)) return kind
      const shown = shownBy(value)
      if (shown === undefined) return kind === 'record' ? undefined : kind
      if (kind !== undefined)
        fail('MISMATCH', '', kind === 'record' ? wishOfRecord() : wish(kind.title), shown.title)
      kind = shown
      decidedAt = here()
      return shown
    },
    readsOpenAI(settle) {
      if ((kind ?? 'record') !== 'record' || (name ?? 'openai') !== 'openai') return false
      if (settle && name === undefined) {
        name = 'openai'
        decidedAt = here()
      }
      if (settle) kind = 'record'
      return true
    },
    notes() {
      const guess = kind === undefined || kind === 'record' ? name : kind.name
      const isSilent = from !== undefined || guess === undefined || guess === 'openai'
      return [
        ...(isSilent ? [] : [`${source}: read as ${titleOf(guess)} (--from ${guess})`]),
        ...(tagged === undefined ? [] : [tagged]),
      ]
    },
  }
}
