/**
 * Text from a log on its way to a terminal.
 */

/** Codes that a terminal may obey: controls, line separators, marks and changes of direction. */
function isControl(code: number): boolean {
  return (
    code < 0x20 ||
    (code >= 0x7f && code < 0xa0) ||
    code === 0x061c ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  )
}

/** The text with control characters written out, as JSON escapes them. JSON text stays JSON. */
export function printable(text: string): string {
  let shown = ''
  let copied = 0
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k)
    if (!isControl(code)) continue
    shown += `${text.slice(copied, k)}\\u${code.toString(16).padStart(4, '0')}`
    copied = k + 1
  }
  return shown + text.slice(copied)
}
