/**
 * The flags in docs/cli.md against the help of the built command line.
 */
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { taraDefaults } from '../../src/advantage/options.js'
import { kebab } from '../../src/cli/flag.js'
import { root, textOf } from './blocks.js'

const commands = ['advantages', 'explain', 'compare', 'report', 'estimators', 'demo'] as const

/** Those of `tara synth`. */
const synthCommands = ['tasks', 'rollouts', 'check'] as const

function helpOf(...words: string[]): string {
  const help = execFileSync(process.execPath, [`${root}dist/cli/main.js`, ...words, '--help'], {
    encoding: 'utf8',
  })
  return help.replace(/\n {20,}/g, ' ') // texts are wrapped
}

/** Flags by heading of a help text, each as `--gamma <number>` with its default. */
function flagsOfHelp(help: string): Map<string, Map<string, string>> {
  const groups = new Map<string, Map<string, string>>()
  let group = new Map<string, string>()
  for (const line of help.split('\n')) {
    const heading = /^([A-Z]\w+):$/.exec(line)?.[1]
    if (heading !== undefined) groups.set(heading, (group = new Map()))
    const flag = /^ {2}(?:-\w, )?(--[\w-]+(?: <[^>]+>)?) +(.*)$/.exec(line)
    if (flag !== null && flag[1] !== '--help') group.set(flag[1]!, defaultIn(flag[2]!))
  }
  return groups
}

const defaultIn = (text: string): string => /\(default: ([^)]*)\)/.exec(text)?.[1] ?? ''

/** Flags of the tables of the page by heading: `| `--gamma <number>` | 0.5 | … |`. */
function flagsOfPage(): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>()
  let section = new Map<string, string>()
  for (const line of textOf('docs/cli.md').split('\n')) {
    const heading = /^#+ (?:tara )?((?:synth )?\w+)/.exec(line)?.[1]
    if (heading !== undefined) sections.set(heading, (section = new Map()))
    const row = /^\| `(?:-\w, )?(--[^`]+)` *\| ([^|]*)\|/.exec(line)
    if (row !== null) section.set(row[1]!.replace('\\|', '|'), row[2]!.replaceAll('`', '').trim())
  }
  return sections
}

const sorted = (flags: Map<string, string> | undefined): string[][] =>
  [...(flags ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))

/** Whether a flag is one of TARA's: `tara explain` and `tara report` have no other estimator's. */
const isOfTara = ([flag]: readonly string[]): boolean =>
  Object.keys(taraDefaults).some((name) => flag!.split(' ')[0] === `--${kebab(name)}`)

describe('docs/cli.md', () => {
  const page = flagsOfPage()

  for (const command of [...commands, ...synthCommands.map((name) => `synth ${name}`)]) {
    const help = flagsOfHelp(helpOf(...command.split(' ')))

    it(`has the flags of tara ${command} and their defaults, and no others`, () => {
      expect(sorted(page.get(command))).toEqual(sorted(help.get('Options')))
    })

    for (const group of [
      'Estimator',
      'Filter',
      'Matching',
      'Reading',
      'Tokens',
      'Export',
      'Sampling',
      'Roles',
      'Endpoint',
    ].filter((name) => help.has(name)))
      it(`has the flags under ${group} of tara ${command}`, () => {
        const flags = sorted(page.get(group))
        const isAll = command !== 'explain' && command !== 'report'
        expect(isAll || group !== 'Estimator' ? flags : flags.filter(isOfTara)).toEqual(
          sorted(help.get(group)),
        )
      })
  }

  it('has every command', () => {
    const listedIn = (help: string): string[] =>
      [...help.replace(/^.*\nCommands:\n/s, '').matchAll(/^ {2}(\w+) (?:\[options\]|<|\[| )/gm)]
        .map(([, name]) => name!)
        .filter((name) => name !== 'help')
    expect(listedIn(helpOf())).toEqual([...commands, 'synth'])
    expect(listedIn(helpOf('synth'))).toEqual([...synthCommands])
  })
})
