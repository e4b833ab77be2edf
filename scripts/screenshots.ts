/**
 * Pictures of the report of `tara demo`: `npm run screenshots [FOLDER]`. Writes docs/report.png, or into the folder the
 * page in light and dark, wide and narrow.
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromiumPath, openBrowser } from '../test/report/browser.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = process.argv[2]
const work = mkdtempSync(join(tmpdir(), 'tara-screenshots-'))

if (chromiumPath === undefined) {
  console.error('screenshots: no Chromium here; apt-get install chromium, or name one in CHROMIUM')
  process.exit(1)
}
execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), 'demo', '-o', work])
const address = pathToFileURL(join(work, 'report.html')).href
const browser = await openBrowser()
try {
  const shots =
    folder === undefined
      ? [{ path: join(root, 'docs/report.png'), scheme: 'light', width: 900 } as const]
      : (['light', 'dark'] as const).flatMap((scheme) =>
          [360, 1440].map((width) => ({ path: join(folder, `${scheme}-${width}.png`), scheme, width })),
        )
  if (folder !== undefined) mkdirSync(folder, { recursive: true })
  for (const { path, scheme, width } of shots) {
    const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height: 900 } })
    await page.goto(address)
    const cell = page.locator('[data-cell="1,1"]')
    if (folder === undefined) {
      await cell.focus()
      await page.locator('#group').screenshot({ path })
    } else {
      await cell.click()
      await page.screenshot({ path, fullPage: true })
    }
    console.log(path)
    await page.close()
  }
} finally {
  await browser.close()
  rmSync(work, { recursive: true, force: true })
}
