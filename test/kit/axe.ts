import axeCore from 'axe-core'
import type { Page } from 'playwright-core'
import { runAxe } from './in-page.js'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']

/** What axe finds on a page by WCAG 2.2 A and AA and by good practice, a line an element. */
export async function axe(page: Page): Promise<string[]> {
  // The policy of a page lets no script in, but it does not bind the browser's own tools.
  await page.evaluate(axeCore.source)
  return page.evaluate(runAxe, TAGS)
}
