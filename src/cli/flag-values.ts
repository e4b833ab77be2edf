/**
 * Values of flags: from the text of the command line to what the library takes.
 */
import { InvalidArgumentError } from 'commander'

export function aNumber(raw: string): number {
  const value = Number(raw)
  if (raw.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('expected a number')
  return value
}

export function aWholeNumber(raw: string): number {
  if (!/^[0-9]{1,9}$/.test(raw)) throw new InvalidArgumentError('expected a whole number, 0 to 999999999')
  return Number(raw)
}

/** `0.1..0.9`; a bound that is left out is open. */
export function aRange(raw: string): { min?: number; max?: number } {
  const [low, high, ...more] = raw.split('..')
  if (high === undefined || more.length > 0 || (low === '' && high === ''))
    throw new InvalidArgumentError('expected MIN..MAX, as in 0.1..0.9')
  const range = { ...(low !== '' && { min: aNumber(low!) }), ...(high !== '' && { max: aNumber(high) }) }
  if (range.min! > range.max!) throw new InvalidArgumentError('expected MIN at most MAX')
  return range
}

/** `a, b` is a and b. */
export function aList(raw: string): string[] {
  return raw.split(',').map((part) => part.trim())
}

export function aGate(raw: string): unknown {
  if (raw === 'reward' || raw === 'none') return raw
  if (raw.startsWith('threshold:')) return { threshold: aNumber(raw.slice('threshold:'.length)) }
  throw new InvalidArgumentError('expected reward, none or threshold:NUMBER')
}

/** `format=1,calls=2` */
export function aWeighting(raw: string): Record<string, number> {
  const weights: Record<string, number> = Object.create(null)
  for (const part of aList(raw)) {
    const at = part.lastIndexOf('=')
    if (at < 1) throw new InvalidArgumentError('expected NAME=NUMBER, as in format=1,calls=2')
    const name = part.slice(0, at)
    if (Object.hasOwn(weights, name))
      throw new InvalidArgumentError(`expected each name once, got ${name} again`)
    weights[name] = aNumber(part.slice(at + 1))
  }
  return weights
}

export function aSwitch(raw: string): boolean {
  if (raw !== 'on' && raw !== 'off') throw new InvalidArgumentError('expected on or off')
  return raw === 'on'
}

/** `.=_` puts `_` for every `.` in a tool's name. */
export function aReplacement(raw: string): (name: string) => string {
  const at = raw.indexOf('=', 1)
  if (at < 0) throw new InvalidArgumentError('expected FROM=TO, as in .=_')
  const from = raw.slice(0, at)
  const to = raw.slice(at + 1)
  return (name) => name.replaceAll(from, to)
}
