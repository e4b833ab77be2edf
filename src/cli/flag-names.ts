/**
 * Faults of options in the words of the command line: the library's `tara: options.gamma` is `--gamma` there.
 */
import type { Command } from 'commander'
import { TaraError } from '../errors.js'

/** The end of a path that names an option, with the functions and options that it came through and a path inside the option's value. */
const OPTION_PATH = /(?:(?<=^|: )[\w.]+: )*(?<=^|: )options\.(\w+)([.[].*)?$/

/** The same error, naming the flag where the command has one for the option. */
export function inFlags(error: TaraError, command: Pick<Command, 'options'>): TaraError {
  const path = error.path.replace(OPTION_PATH, (whole, name: string, inside = '') => {
    const flag = command.options.find((option) => option.attributeName() === name)?.long
    return flag ? flag + inside : whole
  })
  return path === error.path ? error : new TaraError(error.code, path, error.detail)
}
