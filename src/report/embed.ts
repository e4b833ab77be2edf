/**
 * Data in a page: JSON that no HTML parser can take for markup, and how large it is.
 */

/** JSON text for a script element: `<` and `>` are escaped, so that neither `</script>` nor `<!--` can stand in it. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Bytes of a value in a page, in UTF-8. */
export function embeddedSize(value: unknown): number {
  return new TextEncoder().encode(embeddedJson(value)).length
}
