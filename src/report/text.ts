/**
 * Text and numbers on their way into a page.
 */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Codes that change what stands around them, or cannot be seen: controls, and marks of direction. */
const unseen = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** Escapes a text for HTML, in an element or in a quoted attribute; what cannot be seen is written out, as `\u202e`. */
export function escaped(text: string): string {
  return text
    .replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"']/g, (character) => entities[character]!)
}

export const percent = (part: number, whole: number): string =>
  whole === 0 ? '\u2013' : `${((100 * part) / whole).toFixed(1)}%`

/** Thousands apart: `12,345`. */
export function count(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',')
}
