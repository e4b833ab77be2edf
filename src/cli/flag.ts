/**
 * What a flag of the command line is: data, from which commander's options and the library's options are made.
 *
 * A flag is the kebab-case of its option's name. Defaults stand in the library's tables and are only shown here.
 */
import { type Command, Option } from 'commander'

export interface Flag {
  /** The option's name in the library. */
  readonly name: string
  /** What stands after the flag: `<number>`; nothing for a switch. */
  readonly value?: string
  readonly text: string
  /** Shown as the default. */
  readonly shown?: unknown
  readonly choices?: readonly string[]
  readonly parse?: (raw: string) => unknown
}

export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Adds flags to a command, under a heading of its help. */
export function addFlags(command: Command, heading: string, flags: readonly Flag[]): void {
  command.optionsGroup(`${heading}:`)
  for (const { name, value, text, shown, choices, parse } of flags) {
    const note = shown === undefined ? '' : ` (default: ${String(shown)})`
    const option = new Option(`--${kebab(name)}${value === undefined ? '' : ` ${value}`}`, text + note)
    if (choices !== undefined) option.choices(choices)
    else if (parse !== undefined) option.argParser(parse)
    command.addOption(option)
  }
}

export type Given = Readonly<Record<string, unknown>>

/** Those of the given options that stand in a table of flags. */
export function pick(given: Given, flags: readonly Flag[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const { name } of flags) if (given[name] !== undefined) picked[name] = given[name]
  return picked
}
