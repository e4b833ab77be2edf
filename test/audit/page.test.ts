/**
 * The audit in docs/estimators.md. `UPDATE_AUDIT=1 npx vitest run test/audit` writes it anew.
 */
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { root, textOf } from '../docs/blocks.js'
import { auditSection } from './table.js'

const path = 'docs/estimators.md'
const [start, end] = ['<!-- audit -->\n', '\n<!-- /audit -->']

/** Without the padding that lines up the cells of a table: it may be there or not. */
const plain = (text: string): string =>
  text.replace(/^\|.*$/gm, (line) => line.replace(/ *\| */g, '|').replace(/-{3,}/g, '---'))

describe('docs/estimators.md', () => {
  it('shows the audit as it is computed (UPDATE_AUDIT=1 npx vitest run test/audit writes it)', () => {
    const section = `\n${auditSection()}\n`
    const page = textOf(path)
    const from = page.indexOf(start) + start.length
    const to = page.indexOf(end)
    expect(to, 'the marks of the audit').toBeGreaterThanOrEqual(from)
    if (process.env.UPDATE_AUDIT === '1')
      writeFileSync(`${root}${path}`, page.slice(0, from) + section + page.slice(to))
    else expect(plain(page.slice(from, to))).toBe(plain(section))
  })
})
