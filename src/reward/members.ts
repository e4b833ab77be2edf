/**
 * Whether `JSON.parse` has kept everything of a text.
 *
 * It rounds integers beyond 2^53 and lets the last of two equal keys win. Both show: a text has as many colons outside
 * strings as its value has members, and no number of the value is large.
 */

/** Members of all objects in the text of a list or object that starts at `start`, and its end. The text is known to
 * be JSON, but for `NaN` and `±Infinity`; with one of these the count is −2. */
export function textMembers(text: string, start: number): { readonly members: number; readonly end: number } {
  let depth = 0
  let members = 0
  let isJson = true
  let k = start
  for (; k < text.length; k++) {
    const code = text.charCodeAt(k)
    if (code === 34) k = endOfString(text, k)
    else if (code === 58) members++
    else if (code === 91 || code === 123) depth++
    else if ((code === 93 || code === 125) && --depth === 0) break
    else if (code === 78 || code === 73) isJson = false // N, I
  }
  return { members: isJson ? members : -2, end: k + 1 }
}

/** The closing quote of the string that opens at `at`. */
function endOfString(text: string, at: number): number {
  for (let k = at + 1; k < text.length; k++) {
    const code = text.charCodeAt(k)
    if (code === 34) return k
    if (code === 92) k++
  }
  return text.length
}

/** Members of all objects in a value; −1 where one of its numbers may have been rounded from an integer. */
export function valueMembers(value: unknown): number {
  const open: object[] = typeof value === 'object' && value !== null ? [value] : []
  let members = 0
  while (open.length > 0) {
    const next = open.pop()!
    const children: unknown[] = Array.isArray(next) ? next : Object.values(next)
    if (children !== next) members += children.length
    for (let k = 0; k < children.length; k++) {
      const child = children[k]
      if (typeof child === 'object') {
        if (child !== null) open.push(child)
      } else if (typeof child === 'number' && !(Math.abs(child) <= Number.MAX_SAFE_INTEGER)) return -1
    }
  }
  return members
}

/** Whether the value that `JSON.parse` made of `text[start…]`, a list or an object, is exact. */
export function isExact(text: string, start: number, value: unknown): boolean {
  return textMembers(text, start).members === valueMembers(value)
}
