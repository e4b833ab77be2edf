/**
 * The records in the docs, read by the reader that reads files.
 */
import { goldenTable, rolloutLog } from 'tara-rl/formats'
import { describe, expect, it } from 'vitest'
import { recordFields } from '../../src/formats/record.js'
import { type Block, blocks, promised, textOf } from './blocks.js'

/** A paragraph of records without its comments, a line a record: a record ends where a line closes it. */
function recordsOf(paragraph: string): string[] {
  const lines = paragraph.split('\n').map((line) => line.replace(/(^|\s)\/\/.*$/, ''))
  return lines
    .join('\n')
    .split(/(?<=\})\n(?=\{)/)
    .map((record) => record.replaceAll('\n', ' ').trim())
    .filter((record) => record !== '')
}

/** What reading says: `ok` with the rewards, or the error. */
function read(paragraph: string, tasks: boolean): string {
  const name = tasks ? 'tasks.jsonl' : 'rollouts.jsonl'
  const refuse = (field: string): never => {
    throw new Error(`${field} is not read`)
  }
  const records = recordsOf(paragraph)
  try {
    if (tasks) {
      const table = goldenTable(refuse)
      records.forEach((text, k) => {
        table.addLine(text, `${name}:${k + 1}`)
      })
      return 'ok'
    }
    const log = rolloutLog(name, {
      strict: true,
      realRewards: /[0-9]\.[0-9]/.test(paragraph.match(/"rewards".*/)?.[0] ?? ''),
      tokens: records.every((text) => text.includes('"tokens"')),
    })
    records.forEach((text, k) => {
      log.addLine(text, k + 1)
    })
    return `ok, ${log.finish().batch.reward.join(' ')}`
  } catch (error) {
    return (error as Error).message
  }
}

const paragraphs = (block: Block): string[] => block.text.split(/\n\s*\n/)

describe('records in the docs', () => {
  for (const block of blocks.filter(({ info }) => info.startsWith('jsonc')))
    paragraphs(block).forEach((paragraph, k) => {
      const said = promised(paragraph, '//')[0]
      const isRefused = said !== undefined && !said.startsWith('rewards ')
      it(`${block.page}:${block.line}, number ${k + 1}, is ${isRefused ? 'refused' : 'read'} as it says`, () => {
        expect(recordsOf(paragraph).length).toBeGreaterThan(0)
        const found = read(paragraph, block.info === 'jsonc tasks')
        if (said === undefined) expect(found).toMatch(/^ok/)
        else expect(found).toBe(isRefused ? said : said.replace(/^rewards/, 'ok,'))
      })
    })

  it('show every field of a record', () => {
    const page = textOf('docs/formats.md')
    expect([...recordFields].filter((field) => !page.includes(`\`${field}\``))).toEqual([])
  })

  it('have the fields of the JSON Schema', () => {
    const { properties } = JSON.parse(textOf('schema/rollout.schema.json')) as { properties: object }
    expect(Object.keys(properties).sort()).toEqual([...recordFields].sort())
  })
})
