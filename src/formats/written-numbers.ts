/**
 * Numbers as they were written: a template in JavaScript writes `1.0` as `1` and `12345678901234567890` rounded, and an
 * object in JavaScript puts the key `"2"` before the key `"10"`, whatever their order was.
 *
 * Such numbers and keys are parsed as marked texts, which the template carries through, and are put back after it. So a
 * number stands in the rendered text as it stood in the JSON.
 */
import { replaceBare } from './bare.js'

const MARK = '\u0000'
const escaped = '\\u0000'

/** Whether JavaScript writes a number otherwise than it was written. */
const isChanged = (token: string): boolean => /^-?[0-9]/.test(token) && String(Number(token)) !== token

/** Cheap: whether a text may hold a number or a key that would be changed. */
const mayChange = (text: string): boolean => /[0-9][.eE]|[0-9]{16}|-0|"[0-9]+"\s*:/.test(text)

/** The JSON text with marks, so that `JSON.parse` loses nothing; the same text where there is nothing to mark. */
export function markNumbers(text: string): string {
  if (!mayChange(text)) return text
  return replaceBare(text, (token) =>
    isChanged(token) ? `"${escaped}n${token}${escaped}"` : undefined,
  ).replace(/"([0-9]+)"(?=\s*:)/g, `"${escaped}k$1${escaped}"`)
}

/** A rendered text with the numbers and keys that were marked. */
export function unmarkNumbers(text: string): string {
  if (!text.includes(MARK) && !text.includes(escaped)) return text
  return text
    .replace(/"\\u0000n([-+.0-9eE]+)\\u0000"/g, '$1')
    .replace(/\\u0000k([0-9]+)\\u0000/g, '$1')
    .replaceAll(new RegExp(`${MARK}n([-+.0-9eE]+)${MARK}|${MARK}k([0-9]+)${MARK}`, 'g'), '$1$2')
}
