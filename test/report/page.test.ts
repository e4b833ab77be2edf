/**
 * The page in a real browser, opened from disk.
 */
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoRecords } from '../../src/cli/demo-data.js'
import { explainTurn } from '../../src/diagnose/explain.js'
import { rolloutLog } from '../../src/formats/log.js'
import { reportHtml } from '../../src/report/html.js'
import { workFolder } from '../cli/run.js'
import { chromiumPath, openBrowser, whySkipped } from './browser.js'
import { hostile, hostileRecords, modelOf, scoredRecords } from './records.js'

const { write } = workFolder()

const addressOf = (name: string, records: readonly object[]): string =>
  pathToFileURL(write(name, reportHtml(modelOf(records)))).href

let browser: Browser
const faults: string[] = []

/** Opens a page and notes whatever it complains of or asks for. */
async function open(address: string, width = 1440, scheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    bypassCSP: false,
  })
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('dialog', (dialog) => {
    faults.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (request.url() !== address) faults.push(request.url())
  })
  await page.goto(address)
  return page
}

const focused = (page: Page): Promise<string | null> =>
  page.evaluate('document.activeElement.dataset.cell ?? document.activeElement.id')

const firstIds = (page: Page): Promise<string[]> =>
  page
    .locator('#rows tbody tr td:first-child')
    .evaluateAll((cells) => cells.slice(0, 3).map((cell) => cell.textContent ?? ''))

/** Groups and rollouts whose names are a number and its text. */
const alikeRecords = [5, '5', ''].flatMap((group) =>
  [0, '0'].map((rollout, k) => ({ group, rollout, rewards: [k, 1] })),
)

describe.skipIf(chromiumPath === undefined)(`the page in Chromium${whySkipped}`, () => {
  const demo = chromiumPath === undefined ? '' : addressOf('demo.html', demoRecords())
  const many = chromiumPath === undefined ? '' : addressOf('many.html', scoredRecords(10_000))
  const alike = chromiumPath === undefined ? '' : addressOf('alike.html', alikeRecords)
  const evil = chromiumPath === undefined ? '' : addressOf('evil.html', hostileRecords())

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  it('loads from disk without a complaint or a request', async () => {
    for (const address of [demo, many, evil]) await (await open(address)).close()
    expect(faults).toEqual([])
  })

  it('shows a hostile log as text', async () => {
    const page = await open(evil)
    await page.locator('[data-cell="1,0"]').click()
    const text = (await page.locator('main').textContent())!
    expect(text).toContain('<script>alert(1)</script>\'"`&amp;<!--</style>')
    expect(text).toContain('\\u202e')
    expect(text).not.toContain('\u202e')
    expect(await page.locator('main script, main img, main style').count()).toBe(0)
    expect(await page.locator('#rollout .call.missed mark').textContent()).toBe(
      await page.locator('#cell .call.missed mark').textContent(),
    )
    expect(await page.locator('#rollout .call.extra mark').first().textContent()).toBe('"x"')
    expect(hostile).toContain('alert')
    expect(faults).toEqual([])
    await page.close()
  })

  it('runs no script but its own', async () => {
    const page = await open(demo)
    await page.evaluate(`{
      const script = document.createElement('script')
      script.textContent = 'document.title = "taken over"'
      document.body.append(script)
    }`)
    expect(await page.title()).toBe('TARA report: log.jsonl')
    expect(faults.splice(0).join()).toContain('Content Security Policy')
    await page.close()
  })

  it('shows in each cell the number that is explained', async () => {
    const log = rolloutLog('demo')
    for (const record of demoRecords()) log.addRecord(record)
    const { batch } = log.finish()
    const page = await open(demo)
    for (const [r, t] of [
      [0, 0],
      [1, 1],
      [2, 0],
      [3, 2],
    ] as const) {
      const { advantage } = explainTurn(batch, 0, r, t)
      const text = `${advantage < 0 ? '\u2212' : '+'}${Math.abs(advantage).toFixed(3)}`
      await page.locator(`[data-cell="${r},${t}"]`).hover()
      expect(await page.locator(`[data-cell="${r},${t}"]`).textContent()).toContain(text)
      expect(await page.locator('#cell').textContent()).toContain(
        `= ${String(Number(advantage.toPrecision(12))).replace('-', '\u2212')}`,
      )
    }
    await page.close()
  })

  it('is sorted and filtered, also with 10,000 groups', async () => {
    const page = await open(many)
    expect(await page.locator('#count').textContent()).toBe('10000 of 10000 groups, first 100 shown')
    await page.locator('#sort-group').click()
    expect(await firstIds(page)).toEqual(
      ['task-0', 'task-1', 'task-2'].map((id) => expect.stringContaining(id)),
    )
    await page.keyboard.press('Enter')
    expect(await firstIds(page)).toEqual(
      ['task-9999', 'task-9998', 'task-9997'].map((id) => expect.stringContaining(id)),
    )
    expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending')
    await page.locator('#filter').fill('TASK-77')
    expect(await page.locator('#count').textContent()).toBe('111 of 10000 groups, first 100 shown')
    await page.locator('#more').click()
    expect(await page.locator('#rows tbody tr').count()).toBe(111)
    await page.locator('#filter').fill('')
    await page.locator('#kind').selectOption('details')
    expect(await page.locator('#rows tbody tr').count()).toBe(50)
    expect(faults).toEqual([])
    await page.close()
  })

  it('is walked through with the keyboard', async () => {
    const page = await open(demo)
    await page.locator('#rows button', { hasText: 'trip-to-oslo' }).focus()
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('group-title')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('0,0')
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft'])
      await page.keyboard.press(key)
    expect(await focused(page)).toBe('1,1')
    expect(await page.locator('#cell h4').first().textContent()).toBe('Rollout 1, turn 1: \u2717 reward 0')
    expect(await page.locator('.heat [tabindex="0"]').count()).toBe(1)
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Turn 1: \u2717 reward 0')
    expect(await page.locator('#rollout .call.missed').textContent()).toContain('bags should be 2, is 1')
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('1,1')
    await page.close()
  })

  it('draws the tokens of a rollout, and those that are not trained', async () => {
    const page = await open(demo)
    await page.locator('[data-cell="1,1"]').click()
    expect(await page.locator('.strip').getAttribute('aria-label')).toBe('19 of 48 tokens are trained')
    expect(await page.locator('.strip rect').count()).toBe(7)
    expect(await page.locator('.strip rect.masked').count()).toBe(1)
    await page.close()
  })

  for (const scheme of ['light', 'dark'] as const)
    for (const width of [360, 1440])
      it(`has no serious fault of accessibility, and no sideways scroll, in ${scheme} at ${width} px`, async () => {
        for (const address of [demo, evil, many]) {
          const page = await open(address, width, scheme)
          await page.locator('[data-cell="1,1"]').click()
          await page.locator('summary').click()
          const wide = await page.evaluate('document.documentElement.scrollWidth')
          expect(wide).toBeLessThanOrEqual(width)
          await page.evaluate(axe.source)
          const { violations } = (await page.evaluate('axe.run()')) as {
            violations: { id: string; impact: string; nodes: { html: string }[] }[]
          }
          const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
          expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)).toEqual([])
          await page.close()
        }
        expect(faults).toEqual([])
      })

  it('tells a name from the number that it looks like', async () => {
    const page = await open(alike)
    expect((await firstIds(page)).map((text) => text.trim()).sort()).toEqual(['""', '"5"', '5'])
    await page.getByRole('button', { name: '"5"', exact: true }).click()
    expect(await page.locator('#group-title').textContent()).toContain('group "5": 2 rollouts')
    await page.close()
  })
})
