/**
 * Options: one readonly object, resolved once against a frozen table of defaults and checked there.
 */
import { fail, show } from './errors.js'

/** Says what is wished where a value will not do; `undefined` where it will. */
export type Check = (value: unknown) => string | undefined

/** A number in `[low, high]`. */
export function between(low: number, high: number): Check {
  return (value) =>
    typeof value === 'number' && value >= low && value <= high ? undefined : `a number in [${low}, ${high}]`
}

/** One of the named values. */
export function oneOf(...names: readonly (string | number)[]): Check {
  return (value) =>
    names.includes(value as string | number)
      ? undefined
      : `one of ${names.map((name) => show(name)).join(', ')}`
}

export const aBoolean: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false')

export const aNonNegative: Check = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? undefined : 'a finite number, 0 or more'

export const aCount: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'a whole number, 0 or more'

/** The check, or nothing at all. */
/** A check for a function. */
export const aFunction: Check = (value) => (typeof value === 'function' ? undefined : 'a function')

export function optional(check: Check): Check {
  return (value) => (value === undefined ? undefined : check(value))
}

/** Fills in defaults and checks every value.
 * @param place - the caller's name, for errors: `tara`
 * @param options - what the user gave; `undefined` stands for an option that was not given
 * @param defaults - every option with its default
 * @param checks - a check for every option
 * @throws TaraError `OPTION` for an unknown name or a value out of range
 */
export function resolveOptions<Options extends object>(
  place: string,
  options: Partial<Options> | undefined,
  defaults: Readonly<Options>,
  checks: { readonly [Name in keyof Options]-?: Check },
): Options {
  if (options !== undefined && (typeof options !== 'object' || options === null || Array.isArray(options)))
    fail('OPTION', `${place}: options`, 'an object', show(options))
  const resolved: Options = { ...defaults }
  for (const name of Object.keys(options ?? {}) as (keyof Options & string)[]) {
    if (!Object.hasOwn(checks, name))
      fail(
        'OPTION',
        `${place}: options.${name}`,
        `one of ${Object.keys(checks).join(', ')}`,
        'an unknown option',
      )
    const value = options?.[name]
    if (value !== undefined) resolved[name] = value as Options[typeof name]
  }
  for (const name of Object.keys(checks) as (keyof Options & string)[]) {
    const wish = checks[name](resolved[name])
    if (wish !== undefined) fail('OPTION', `${place}: options.${name}`, wish, show(resolved[name]))
  }
  return resolved
}
