/**
 * Tokens of JSON text outside its strings that need care: numbers with an exponent, and what some writers put for
 * numbers that JSON does not have.
 */

/** What Python and others write where JSON has no number. */
const NOT_NUMBERS = ['NaN', '-Infinity', 'Infinity']

const isNumberCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46 || code === 69 || code === 101

/** Index after the number-like token at `start`. */
function tokenEnd(text: string, start: number): number {
  const word = NOT_NUMBERS.find((name) => text.startsWith(name, start))
  if (word !== undefined) return start + word.length
  let end = start
  while (isNumberCode(text.charCodeAt(end))) end++
  return end
}

/** Puts something else for number-like tokens outside strings.
 * @param standIn - the text for a token; `undefined` keeps it
 */
export function replaceBare(text: string, standIn: (token: string) => string | undefined): string {
  let replaced = ''
  let copied = 0
  let inString = false
  for (let k = 0; k < text.length; k++) {
    const char = text[k]!
    if (char === '"') inString = !inString
    else if (inString && char === '\\') k++
    else if (!inString && ((char >= '0' && char <= '9') || char === '-' || char === 'N' || char === 'I')) {
      const end = tokenEnd(text, k)
      const other = end === k ? undefined : standIn(text.slice(k, end))
      if (other !== undefined) {
        replaced += text.slice(copied, k) + other
        copied = end
      }
      k = Math.max(k, end - 1)
    }
  }
  return replaced + text.slice(copied)
}

/** Whether a token is `NaN`, `Infinity` or `-Infinity`. */
export const isNotANumber = (token: string): boolean => NOT_NUMBERS.includes(token)
