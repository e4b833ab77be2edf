/**
 * A refusal or a fault: what a handler threw says which.
 *
 * Errors that the language throws by itself, and what is no `Error`, are faults of the handler. Every other `Error` is
 * how a handler refuses a call.
 */
import { show } from '../errors.js'

const byLanguage: readonly string[] = [
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'EvalError',
  'URIError',
  'AggregateError',
]

/** How a handler broke; undefined where it refused. */
export function breakOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return `throws what is not an Error: ${show(thrown)}`
  return byLanguage.includes(thrown.name) || thrown instanceof DOMException
    ? `breaks: ${thrown.name}: ${thrown.message}`
    : undefined
}
