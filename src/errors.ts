/**
 * The one error of the library: `place: expected wish, got fact`.
 *
 * It is thrown for what the user wrote (options, batches, golden traces, spans, files). What a model
 * wrote is data and never throws.
 */

/** What kind of fault it is; branch on this, not on the text. */
export type TaraErrorCode =
  | 'TYPE' // a value of another type than asked for
  | 'RANGE' // a number outside its range, or not finite
  | 'LENGTH' // an array of the wrong length
  | 'OPTION' // an option that does not exist, or with a value it does not take
  | 'MISSING' // something that is needed is not there
  | 'DUPLICATE' // the same thing given twice
  | 'MISMATCH' // two things that must agree do not
  | 'GOLDEN' // a golden trace that cannot be read
  | 'SPAN' // a token span that overlaps, is reversed or out of range
  | 'SINGLETONS' // every group has one rollout
  | 'JSON' // text that is not JSON
  | 'ENCODING' // bytes that are not UTF-8
  | 'TOO_LARGE' // more than an index, a line or a buffer can hold
  | 'WORKER' // a thread that died
  | 'EMPTY' // no records
  | 'UNKNOWN_FIELD' // a field nobody reads, under `strict`

export class TaraError extends Error {
  override readonly name = 'TaraError'
  readonly code: TaraErrorCode
  /** Where the fault is: a path into the value, preceded by file and line where there is one. */
  readonly path: string
  /** What was wanted and found, without the place. */
  readonly detail: string

  constructor(code: TaraErrorCode, path: string, detail: string) {
    super(path === '' ? detail : `${path}: ${detail}`)
    this.code = code
    this.path = path
    this.detail = detail
  }
}

/** Throws a `TaraError` that reads `place: expected wish, got fact`. */
export function fail(code: TaraErrorCode, place: string, wish: string, fact: string): never {
  throw new TaraError(code, place, `expected ${wish}, got ${fact}`)
}

/** The same error seen from further out: `outer: inner.path: …`. */
export function within(outer: string, error: TaraError): TaraError {
  const path = error.path === '' ? outer : `${outer}: ${error.path}`
  return new TaraError(error.code, path, error.detail)
}

/** The same error with the way to it put before its path: `golden[1]` and `[0].name` are `golden[1][0].name`. */
export function below(place: string, error: unknown): unknown {
  return error instanceof TaraError ? new TaraError(error.code, place + error.path, error.detail) : error
}

/** A value in an error message: short, on one line, safe for any depth. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value)
  if (typeof value === 'bigint') return value.toString().length > 60 ? 'a long integer' : `${value}`
  if (Object.is(value, -0)) return '-0'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  if (ArrayBuffer.isView(value)) return `a ${value.constructor.name} of ${(value as Uint8Array).length}`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}
