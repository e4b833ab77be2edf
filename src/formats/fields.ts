/**
 * Fields of a record that nobody reads: ignored, but never without a word.
 */

/** An object of a log, unchecked. */
export type Fields = Readonly<Record<string, unknown>>

/** Calls `onUnknown` with every field of `fields` that is not `known`. */
export function unknownFields(
  fields: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  onUnknown: (name: string) => void,
): void {
  for (const name of Object.keys(fields)) if (!known.has(name)) onUnknown(name)
}
