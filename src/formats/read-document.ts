/**
 * A document → its records, each read and with its place in the document.
 */
import { fail, show, TaraError, within } from '../errors.js'
import type { DocumentFormat, DocumentOptions } from './document.js'
import { checkGoldenKeys, exactValue, markRepeated } from './exact.js'
import type { Fields } from './fields.js'
import { type Id, type RolloutRecord, readRecord } from './record.js'

/** Counts the rollouts of each group, for documents that do not number them. */
export function rolloutCounter(): (group: Id) => number {
  const numbered = new Map<Id, number>()
  return (group) => {
    const next = numbered.get(group) ?? 0
    numbered.set(group, next + 1)
    return next
  }
}

/** Runs the work on one record of a document; its errors have the place. */
function inDocument(path: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw error instanceof TaraError && path !== '' ? within(path, error) : error
  }
}

/** Reads every record of a document and hands it on.
 * @param text - the document as it was written; undefined where it came parsed
 * @param turns - the unit of turns of records that name none
 * @param onRecord - its errors get the place in the document
 * @throws TaraError with the path inside the document
 */
export function readDocument(
  format: DocumentFormat,
  text: string | undefined,
  parsed: unknown,
  turns: 'user' | 'step',
  options: DocumentOptions,
  onRecord: (fields: Fields, record: RolloutRecord, path: string) => void,
): void {
  const { value, repeated } =
    text === undefined ? { value: parsed, repeated: new Set<object>() } : exactValue(text, parsed)
  let isEmpty = true
  for (const { fields, path, format: messages } of format.recordsOf(value, options)) {
    isEmpty = false
    inDocument(path, () => {
      const record = readRecord(fields, turns, () => messages)
      checkGoldenKeys(record.golden, repeated)
      onRecord(fields, { ...record, calls: record.calls && markRepeated(record.calls, repeated) }, path)
    })
  }
  if (isEmpty && !format.isOne(value)) fail('TYPE', '', format.title, show(value))
}
