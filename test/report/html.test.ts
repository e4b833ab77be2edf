/**
 * The page as a text: what is escaped, what its policy allows, and how large it is.
 */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { embeddedJson } from '../../src/report/embed.js'
import { reportHtml } from '../../src/report/html.js'
import { sha256 } from '../../src/report/sha256.js'
import { escaped } from '../../src/report/text.js'
import { hostile, hostileRecords, modelOf, scoredRecords } from './records.js'

const hash = (text: string): string => createHash('sha256').update(text).digest('base64')

describe('sha256', () => {
  it('is that of Node for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(sha256(text)).toBe(hash(text))
      }),
    )
  })
})

describe('escaping', () => {
  it('leaves no character of markup in a text', () => {
    const unit = fc.constantFrom(...'<>"\'&\0\u202ea')
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(escaped(text)).not.toMatch(/[<>"'\0\u202e]/)
      }),
    )
  })

  it('gives JSON back and holds no markup', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        const json = embeddedJson({ value, text })
        expect(json).not.toMatch(/[<>]/)
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })))
      }),
    )
  })
})

describe('the page', () => {
  const page = reportHtml({ ...modelOf(hostileRecords()), source: hostile })

  it('has two scripts and one style, its own, whatever the log holds', () => {
    expect(page.match(/<script/gi)).toHaveLength(2)
    expect(page.match(/<\/script/gi)).toHaveLength(2)
    expect(page.match(/<style/gi)).toHaveLength(1)
    expect(/<img|<!--/i.test(page)).toBe(false)
  })

  it('allows the script and the style that it has, and nothing else', () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!
    const script = /<script>(.*)<\/script>/s.exec(page)![1]!
    const style = /<style>(.*)<\/style>/s.exec(page)![1]!
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'sha256-${hash(script)}'`,
      `style-src 'sha256-${hash(style)}'`,
      "base-uri 'none'",
      "form-action 'none'",
    ])
  })

  it('names no other address but that of SVG', () => {
    expect([...page.matchAll(/\b(?:https?:)?\/\/[\w.]+/g)].map(([address]) => address)).toEqual([
      'http://www.w3.org',
    ])
  })

  it('is the same for a model that was JSON', () => {
    const model = modelOf(hostileRecords())
    expect(reportHtml(JSON.parse(JSON.stringify(model)))).toBe(reportHtml(model))
  })

  it('stays below 5 MB for 10,000 groups, and says what it leaves out', () => {
    const large = reportHtml(modelOf(scoredRecords(10_000)))
    expect(Buffer.byteLength(large)).toBeLessThan(5e6)
    expect(large).toContain('Details are kept for the 50 most informative of 10,000 groups')
  })

  it('stays below 5 MB for long conversations in any script', () => {
    const text = '\u{1f600}<漢'.repeat(900)
    const records = Array.from({ length: 60 }, (_, g) =>
      [0, 1, 2, 3].map((rollout) => ({
        group: `${text.slice(0, 300)}${g}`,
        rollout,
        messages: Array.from({ length: 12 }, (_, m) => ({
          role: m % 2 ? 'assistant' : 'user',
          content: text,
        })),
        golden: [[{ name: 'a' }], []],
      })),
    ).flat()
    expect(Buffer.byteLength(reportHtml(modelOf(records)))).toBeLessThan(5e6)
  })
})
