/**
 * A real browser for the tests of pages: Chromium, where there is one.
 */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The browser's file; undefined where there is none. */
export const chromiumPath: string | undefined = places.find(
  (place) => place !== undefined && place !== '' && existsSync(place),
)

/** What stands behind a test's name where it is skipped. */
export const whySkipped: string =
  chromiumPath === undefined ? ' (skipped: no Chromium here; apt-get install chromium)' : ''

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox'] })
}
