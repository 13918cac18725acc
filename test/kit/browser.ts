import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  ElementHandle,
  Page,
} from 'playwright-core'
import { ofLongo } from './basics.ts'
import {
  dropFocus,
  focusStart,
  listSideways,
  listSquashed,
  readFocus,
  readSize,
  readTiming,
  runAxe,
} from './in-page.js'

const pasta = mkdtempSync(join(tmpdir(), 'navegador-'))
let running: Promise<Browser> | undefined

after(async () => {
  await (await running)?.close()
  rmSync(pasta, { recursive: true, force: true })
})

/** Why this machine has no browser; false where it has one. */
export const noBrowser: string | false =
  process.platform === 'linux' && process.arch === 'x64'
    ? false
    : 'npm brings a Chromium for Linux on x64 only'

/**
 * A new visitor of Chromium's, as in Brazil. All tests of a process share one browser, which npm brings; it
 * starts with the first visitor and ends after the last test.
 */
export async function visit(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  running ??= launch()
  // Without a locale, Intl gets one that it refuses.
  return (await running).newContext({ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', ...options })
}

const UNPACK =
  "import('@sparticuz/chromium').then(async (it) => console.log(await it.default.executablePath()))"

/** The package's own file names a fixed folder. */
const FONTS = `<fontconfig>
<dir>/usr/share/fonts</dir><dir>${pasta}/fonts</dir><cachedir>${pasta}/fontes</cachedir>
</fontconfig>`

/**
 * The package unpacks to the system's temporary folder, and twice at once breaks it: each process has a
 * folder of its own. It gives the libraries of the browser only to a Lambda.
 */
async function launch(): Promise<Browser> {
  const lambda = { TMPDIR: pasta, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  const env = { ...process.env, ...lambda }
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', UNPACK], {
    env,
    cwd: import.meta.dirname,
  })
  const fonts = join(pasta, 'fontes.conf')
  writeFileSync(fonts, FONTS)
  // Most processes of the tests open no page.
  const { chromium } = await import('playwright-core')
  // The package's own arguments switch off what a browser protects a page with.
  return chromium.launch({
    executablePath: stdout.trim(),
    args: ['--no-sandbox', '--headless=shell'],
    env: { LD_LIBRARY_PATH: join(pasta, 'al2023/lib'), FONTCONFIG_FILE: fonts, HOME: pasta },
  })
}

/**
 * All that a browser complains of while it shows a page, from now on: what the console says, with breaches of
 * the page's policy, errors of scripts, requests that fail or leave the page's host.
 */
export function listen(page: Page): string[] {
  const complaints: string[] = []
  let host = ''
  page.on('console', (said) => {
    if (said.type() === 'error' || said.type() === 'warning') complaints.push(`console: ${said.text()}`)
  })
  page.on('pageerror', ({ message }) => complaints.push(`script: ${message}`))
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) host = asked.host
    else if (asked.protocol !== 'data:' && asked.host !== host) complaints.push(`leaves: ${request.url()}`)
  })
  // A form that is answered with a file to save is told as a failure first.
  page.on('download', (file) => {
    const at = complaints.indexOf(`fails: ${file.url()} net::ERR_ABORTED`)
    if (at >= 0) complaints.splice(at, 1)
  })
  page.on('requestfailed', (request) => {
    const error = request.failure()?.errorText ?? ''
    // The page that is left behind gives up its stream; Chromium also tells the end of a long one so.
    const isStream = request.headers().accept === 'text/event-stream'
    // What a page has asked while its visitor typed it gives up itself for what he typed next.
    const isGivenUp = request.resourceType() === 'fetch' && error === 'net::ERR_ABORTED'
    if (!isStream && !isGivenUp && request.resourceType() !== 'eventsource')
      complaints.push(`fails: ${request.url()} ${error}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`is ${response.status()}: ${response.url()}`)
  })
  return complaints
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']

/** What axe finds on a page by WCAG 2.2 A and AA and by good practice, a line an element. */
export async function axe(page: Page): Promise<string[]> {
  // The policy of a page lets no script in, but it does not bind the browser's own tools.
  // Most tests of pages do without it.
  const { default: axeCore } = await import('axe-core')
  await page.evaluate(axeCore.source)
  return page.evaluate(runAxe, TAGS)
}

export type Screen = 'desktop' | 'phone' | 'dark'

const viewport = { width: 1360, height: 1000 }

/** An iPhone 15 as the browser's library describes it, which most processes of the tests do not load. */
const PHONE: BrowserContextOptions = {
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/27.2 Mobile/15E148 Safari/604.1',
  viewport: { width: 393, height: 659 },
  screen: { width: 393, height: 852 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
}

export const screens: Record<Screen, BrowserContextOptions> = {
  desktop: { viewport },
  phone: PHONE,
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
  for (const screen of ['phone', ...ofLongo(['desktop', 'dark'] as const)] as const)
    test(`${what}: ${screen}`, () =>
      onPage({ ...screens[screen], ...bringing() }, (page) => check(screen, page)))
}

/** Lets a visitor bring the session of somebody who has entered the dashboard at an address. */
export function withSession(address: string, { cookie }: { cookie: string }): BrowserContextOptions {
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
  page.setDefaultTimeout(60_000)
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

/** The bytes that a page takes on the wire, headers included, in all and by path. */
export type Weight = { bytes: number; parts: ReadonlyMap<string, number> }

/** Opens an address with an empty cache, and weighs what came until it was loaded. */
export async function weigh(page: Page, address: string): Promise<Weight> {
  const session = await openSession(page)
  const paths = new Map<string, string>()
  const parts = new Map<string, number>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    paths.set(requestId, new URL(request.url).pathname),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const path = paths.get(requestId)
    if (path !== undefined) parts.set(path, encodedDataLength)
  })
  await page.goto(address)
  await session.detach()
  return { bytes: [...parts.values()].reduce((sum, bytes) => sum + bytes, 0), parts }
}

/** A slow line: 1.6 Mbit a second, 150 ms from each question to the first byte of its answer. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/**
 * Opens an address with an empty cache on a slow line. A page is usable once its largest part is painted and
 * its modules have run.
 */
export async function usableIn(
  page: Page,
  address: string,
): Promise<{ paintedMs: number; usableMs: number }> {
  const session = await openSession(page)
  await session.send('Network.emulateNetworkConditions', LINE)
  await page.goto(address)
  const { firstMs, largestMs, loadedMs } = await page.evaluate(readTiming)
  await session.detach()
  return { paintedMs: firstMs, usableMs: Math.max(largestMs, loadedMs) }
}

async function openSession(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  return session
}

/** Where the focus stops. `at` is its place in the document. */
type Stop = { name: string; inMain: boolean; isSeen: boolean; at: number; isRinged: boolean }

/** More stops than this are a page that holds the focus. */
const MOST = 500

/** Presses Tab once, and reads where the focus is. Null outside the page. */
export async function tabOn(page: Page): Promise<ReturnType<typeof readFocus>> {
  await page.keyboard.press('Tab')
  return page.evaluate(readFocus)
}

/** Presses Tab from the top of the page until it is left. */
export async function tabThrough(page: Page): Promise<Stop[]> {
  const stops: Stop[] = []
  const ringed = new Map<string, boolean>()
  while (stops.length < MOST) {
    const focus = await tabOn(page)
    if (!focus || focus.at === stops[0]?.at) return stops
    const { kind, ...stop } = focus
    const isRinged = ringed.get(kind) ?? (await looksOther(page))
    ringed.set(kind, isRinged)
    stops.push({ ...stop, isRinged })
  }
  throw new Error(`the focus stays in the page for ${MOST} stops`)
}

/** Pixels around an element that are looked at first. A ring further off is found on the whole screen. */
const AROUND = 24

/** Whether a person sees where the focus is: the screen is another without it. */
async function looksOther(page: Page): Promise<boolean> {
  const focused = (await page.evaluateHandle('document.activeElement')).asElement()
  const box = await focused?.boundingBox()
  const near = box && around(page, box)
  return (near && (await changesIn(page, focused, near))) || changesIn(page, focused)
}

type Rect = { x: number; y: number; width: number; height: number }

/** Whether a part of the screen, or all of it, is another without the focus. */
async function changesIn(page: Page, focused: ElementHandle | null, clip?: Rect): Promise<boolean> {
  const options = clip ? { clip } : {}
  const withFocus = await page.screenshot(options)
  await page.evaluate(dropFocus)
  const without = await page.screenshot(options)
  await focused?.focus()
  return !withFocus.equals(without)
}

/** The part of the screen around a box. Undefined where it is none of the screen. */
function around(page: Page, { x, y, width, height }: Rect): Rect | undefined {
  const screen = page.viewportSize() ?? { width: 0, height: 0 }
  const [left, top] = [Math.max(0, x - AROUND), Math.max(0, y - AROUND)]
  const right = Math.min(screen.width, x + width + AROUND)
  const bottom = Math.min(screen.height, y + height + AROUND)
  return right > left && bottom > top
    ? { x: left, y: top, width: right - left, height: bottom - top }
    : undefined
}

/** The most that a page may take on the wire when it is first opened. */
const MOST_BYTES = 60_000

/** The narrowest screen of WCAG 2.2, 1.4.10: as of a phone whose text is enlarged. */
const NARROW = { width: 320, height: 640 }
const PAPER = { width: 794, height: 1123 }

/**
 * Declares the tests of what every page of ours holds. `name` is that of its pictures; `bringing` is what its
 * visitors have, such as a session.
 */
export function keepRules(
  name: string,
  address: () => string,
  bringing: Bringing = () => ({}),
  mostBytes = MOST_BYTES,
): void {
  const look = async (page: Page, screen: string): Promise<void> => {
    await page.goto(address())
    await takePicture(page, `${name}-${screen}`)
    assert.deepEqual(await axe(page), [])
    assert.deepEqual(await page.evaluate(listSideways), [])
    assert.deepEqual(await page.evaluate(listSquashed), [])
  }
  const read = async (page: Page): Promise<string> => {
    await page.goto(address())
    return (await page.locator('main').innerText()).replace(/\s+/g, ' ')
  }

  describe('on a desktop', () => {
    let visitor: BrowserContext
    let page: Page
    let complaints: string[]
    before(async () => {
      // What fills by and by is there at once.
      visitor = await visit({ ...screens.desktop, reducedMotion: 'reduce', ...bringing() })
      page = await visitor.newPage()
      page.setDefaultTimeout(60_000)
      complaints = listen(page)
    })
    afterEach(() => assert.deepEqual(complaints.splice(0), []))
    after(() => visitor.close())

    test(`the first visit takes at most ${mostBytes / 1000} kB on the wire`, async () => {
      const { bytes, parts } = await weigh(page, address())
      assert.ok(bytes > 1_000)
      assert.ok(bytes <= mostBytes, [...parts].join('\n'))
    })

    test('without JavaScript the page says the same', async () => {
      let without = ''
      await onPage({ ...screens.desktop, ...bringing(), javaScriptEnabled: false }, async (plain) => {
        without = await read(plain)
      })
      assert.ok(without.length > 200)
      assert.equal(without, await read(page))
    })

    test('the keyboard skips the menu, and reaches everything in order, seen and marked', async () => {
      await page.goto(address())
      await page.evaluate(focusStart)
      const stops = await tabThrough(page)
      assert.match(stops[0]?.name ?? '', /^Ir para /)
      assert.deepEqual(
        stops.filter(({ isSeen, isRinged }) => !isSeen || !isRinged),
        [],
      )
      assert.deepEqual(
        stops,
        stops.toSorted((one, other) => one.at - other.at),
      )
      await page.goto(address())
      await page.evaluate(focusStart)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const first = await tabOn(page)
      assert.equal(first?.inMain ?? true, true)
    })

    for (const colors of ofLongo(['light', 'dark'] as const))
      test(`axe finds nothing, and nothing sticks out to the side: ${colors} desktop`, async () => {
        await page.emulateMedia({ colorScheme: colors })
        await look(page, colors === 'light' ? 'desktop' : 'dark')
        await page.emulateMedia({ colorScheme: 'light' })
      })

    test('a narrow screen has to be scrolled in one direction alone', async () => {
      await page.setViewportSize(NARROW)
      await page.goto(address())
      await takePicture(page, `${name}-estreito`)
      assert.deepEqual(await page.evaluate(listSideways), [])
      assert.deepEqual(await page.evaluate(listSquashed), [])
    })

    test('it prints without its menu, and within the paper', async () => {
      await page.setViewportSize(PAPER)
      await page.goto(address())
      if (process.env.IMAGENS) await page.pdf({ path: pictureFile(`${name}.pdf`), format: 'A4' })
      await page.emulateMedia({ media: 'print' })
      assert.equal(await page.locator('header nav').isVisible(), false)
      assert.deepEqual(await page.evaluate(listSideways), [])
    })
  })

  test('axe finds nothing, and nothing sticks out to the side: phone', () =>
    onPage({ ...screens.phone, ...bringing() }, (page) => look(page, 'phone')))
}
