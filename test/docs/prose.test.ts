/**
 * What holds for every page: links lead somewhere, blocks have a known language, words stay plain.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { picture } from '../../docs/picture.js'
import { taraDefaults } from '../../src/advantage/options.js'
import { coverageDefaults } from '../../src/reward/policy.js'
import { blocks, pages, promised, root, textOf } from './blocks.js'

const languages = ['ts', 'sh', 'jsonc', 'jsonc tasks', 'python', 'text']

/** The name that a heading gets as a target of links. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!))
}

function brokenLinks(page: string): string[] {
  const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
  return links.filter((target) => {
    if (/^https?:/.test(target)) return false
    const [path, anchor] = target.split('#') as [string, string | undefined]
    const file = path === '' ? page : join(dirname(page), path)
    return !existsSync(`${root}${file}`) || (anchor !== undefined && !anchorsOf(file).includes(anchor))
  })
}

describe('pages', () => {
  it('have blocks in known languages only', () => {
    expect(
      blocks.filter(({ info }) => !languages.includes(info)).map(({ page, line }) => `${page}:${line}`),
    ).toEqual([])
  })

  for (const page of [...pages, 'CHANGELOG.md']) {
    it(`${page} has links that lead somewhere`, () => {
      expect(brokenLinks(page)).toEqual([])
    })

    it(`${page} uses no advertising words`, () => {
      const found = textOf(page).match(
        /\b(robust|seamless|powerful|blazing|cutting-edge|state-of-the-art|effortless)\w*/gi,
      )
      expect(found).toBeNull()
    })
  }

  it('docs/choices.md names every option of TARA and of coverage', () => {
    const page = textOf('docs/choices.md')
    const options = [...Object.keys(taraDefaults), ...Object.keys(coverageDefaults)]
    expect(options.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })

  it('docs/theory.md has the figures of the examples in its tables', () => {
    const figures = ['turn-count-bias', 'gate-bias'].flatMap((name) =>
      promised(textOf(`examples/${name}.ts`), '//'),
    )
    const rows = textOf('docs/theory.md').match(/^ *\|.*[0-9]\.[0-9]+ *\|$/gm) ?? []
    const shown = rows.map((row) =>
      row
        .replaceAll('−', '-')
        .match(/-?[0-9]+\.[0-9]{2,}/g)
        ?.join(' '),
    )
    expect(shown).toEqual(figures)
  })

  it('docs/advantages.svg is what docs/picture.ts draws', () => {
    expect(textOf('docs/advantages.svg')).toBe(picture())
  })
})
