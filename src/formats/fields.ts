/**
 * Fields of a record that nobody reads: ignored, but never without a word.
 */

/** An object of a log, unchecked. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object, and no list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Calls `onUnknown` with every field of `fields` that is not `known`. */
export function unknownFields(
  fields: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  onUnknown: (name: string) => void,
): void {
  for (const name of Object.keys(fields)) if (!known.has(name)) onUnknown(name)
}
