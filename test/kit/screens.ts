import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type BrowserContextOptions, devices, type Page } from 'playwright-core'
import { visit } from './chromium.ts'
import { listen } from './complaints.ts'
import { readSize } from './in-page.js'
import { rowsOf } from './longo.ts'

export type Screen = 'desktop' | 'phone' | 'dark'

const viewport = { width: 1360, height: 1000 }

export const screens: Record<Screen, BrowserContextOptions> = {
  desktop: { viewport },
  phone: { ...devices['iPhone 15'] },
  dark: { viewport, colorScheme: 'dark' },
}

/** What a visitor has besides his screen, such as a session. A test asks for it when it begins. */
export type Bringing = () => BrowserContextOptions

/**
 * A test on each screen, with a page of its own; `npm test` has the phone alone. It also fails for whatever
 * the browser complains of.
 */
export function onEachScreen(
  what: string,
  check: (screen: Screen, page: Page) => Promise<void>,
  bringing: Bringing = () => ({}),
): void {
  for (const screen of rowsOf(['phone', 'desktop', 'dark'] as const))
    test(`${what}: ${screen}`, () =>
      onPage({ ...screens[screen], ...bringing() }, (page) => check(screen, page)))
}

/** Lets a visitor bring the session of somebody who has entered the dashboard at an address. */
export function comSessao(address: string, { cookie }: { cookie: string }): BrowserContextOptions {
  const [name = '', value = ''] = cookie.split('=')
  const flags = { path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' } as const
  const one = { name, value, domain: new URL(address).hostname, ...flags }
  return { storageState: { cookies: [one], origins: [] } }
}

/** Opens a page for a visitor, and fails if the browser complained of anything until `check` ended. */
export async function onPage(
  options: BrowserContextOptions,
  check: (page: Page) => Promise<void>,
): Promise<void> {
  await using visitor = await visit(options)
  const page = await visitor.newPage()
  page.setDefaultTimeout(20_000)
  const complaints = listen(page)
  await check(page)
  assert.deepEqual(complaints, [])
}

/**
 * Does what leads to another page, and waits until all of that page is there. Chromium gives up what a page
 * still fetches when it is left early, and tells that as a failure.
 */
export async function follow(page: Page, lead: () => Promise<void>): Promise<void> {
  const loaded = page.waitForEvent('load')
  await lead()
  await loaded
}

/** Where pictures are kept for people to look at; nothing is compared with them. */
const IMAGENS = join(import.meta.dirname, 'imagens')

/** The file of a picture, or of a print. */
export function pictureFile(name: string): string {
  mkdirSync(IMAGENS, { recursive: true })
  return join(IMAGENS, name)
}

/** Chromium cannot always draw a picture of more than 16,384 dots, and a phone has three of them a pixel. */
const LONGEST = 5_000

/** Keeps a picture of the whole page, or of what comes first of a long one, where `IMAGENS` asks for it. */
export async function takePicture(page: Page, name: string): Promise<void> {
  // Pictures took a sixth of the time of these tests, and CI has nobody to look at them (2026-11-24).
  if (!process.env.IMAGENS) return
  const { width, height } = await page.evaluate(readSize)
  const clip = { x: 0, y: 0, width, height: Math.min(height, LONGEST) }
  await page.screenshot({ path: pictureFile(`${name}.png`), fullPage: true, clip, scale: 'css' })
}
