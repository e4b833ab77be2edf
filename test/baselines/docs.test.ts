/**
 * docs/estimators.md against the list of estimators.
 */
import { describe, expect, it } from 'vitest'
import { grpoDialectNames } from '../../src/baselines/dialects.js'
import { estimators } from '../../src/baselines/estimators.js'
import { textOf } from '../docs/blocks.js'

const page = textOf('docs/estimators.md')
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.split('\n')[0]!, text]),
)

describe('docs/estimators.md', () => {
  it.each(estimators.map((one) => [one.name, one] as const))(
    'has a row and a section for %s, with formula, function, source and needs',
    (name, { function: own, formula, source, needs }) => {
      const cells = page
        .split('\n')
        .find((line) => line.startsWith(`| ${name} `))!
        .split('|')
        .map((text) => text.trim())
      expect(cells.slice(2, 5)).toEqual([
        `\`${own}\``,
        `\`${formula}\``,
        needs.map((need) => `\`${need}\``).join(', '),
      ])
      const section = sections.get(name)!.replace(/\s+/g, ' ')
      expect(section).toContain(`\`${formula}\`. ${source}`)
      expect(section).toContain(`${own}(`)
      for (const need of needs) expect(section).toContain(need)
    },
  )

  it('has sections for the estimators in the order of the list', () => {
    const names = [...sections.keys()].filter((title) => estimators.some(({ name }) => name === title))
    expect(names).toEqual(estimators.map(({ name }) => name))
  })

  it('has a row for each dialect of GRPO', () => {
    for (const name of grpoDialectNames)
      expect(sections.get('grpo')).toMatch(new RegExp(`^\\| \`${name}\` `, 'm'))
  })

  it('ends with a place for the audit', () => {
    expect(page.trimEnd()).toMatch(/<!-- audit -->[\s\S]*<!-- \/audit -->$/)
  })
})
