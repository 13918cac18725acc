import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { axe } from './axe.ts'
import { visit } from './chromium.ts'
import { listen } from './complaints.ts'
import { listSideways } from './in-page.js'
import { tabOn, tabThrough } from './keyboard.ts'
import { type Bringing, onPage, pictureFile, screens, takePicture } from './screens.ts'
import { weigh } from './wire.ts'

/** The most that a page may take on the wire when it is first opened. */
const MOST_BYTES = 60_000

/** The narrowest screen of WCAG 2.2, 1.4.10: as of a phone whose text is enlarged. */
const NARROW = { width: 320, height: 640 }
const PAPER = { width: 794, height: 1123 }

/**
 * Declares the tests of what every page of ours holds. `name` is that of its pictures; `bringing` is what its
 * visitors have, such as a session.
 */
export function keepRules(name: string, address: () => string, bringing: Bringing = () => ({})): void {
  const look = async (page: Page, screen: string): Promise<void> => {
    await page.goto(address())
    await takePicture(page, `${name}-${screen}`)
    assert.deepEqual(await axe(page), [])
    assert.deepEqual(await page.evaluate(listSideways), [])
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
      visitor = await visit({ ...screens.desktop, ...bringing() })
      page = await visitor.newPage()
      page.setDefaultTimeout(20_000)
      complaints = listen(page)
    })
    afterEach(() => assert.deepEqual(complaints.splice(0), []))
    after(() => visitor.close())

    test(`the first visit takes at most ${MOST_BYTES / 1000} kB on the wire`, async () => {
      const { bytes, parts } = await weigh(page, address())
      assert.ok(bytes > 1_000)
      assert.ok(bytes <= MOST_BYTES, [...parts].join('\n'))
    })

    test('axe finds nothing, and nothing sticks out to the side: desktop', () => look(page, 'desktop'))

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
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const first = await tabOn(page)
      assert.equal(first?.inMain ?? true, true)
    })

    test('axe finds nothing, and nothing sticks out to the side: dark', async () => {
      await page.emulateMedia({ colorScheme: 'dark' })
      await look(page, 'dark')
      await page.emulateMedia({ colorScheme: 'light' })
    })

    test('a narrow screen has to be scrolled in one direction alone', async () => {
      await page.setViewportSize(NARROW)
      await page.goto(address())
      await takePicture(page, `${name}-estreito`)
      assert.deepEqual(await page.evaluate(listSideways), [])
    })

    test('it prints without its menu, and within the paper', async () => {
      await page.setViewportSize(PAPER)
      await page.goto(address())
      await page.pdf({ path: pictureFile(`${name}.pdf`), format: 'A4' })
      await page.emulateMedia({ media: 'print' })
      assert.equal(await page.locator('header nav').isVisible(), false)
      assert.deepEqual(await page.evaluate(listSideways), [])
    })
  })

  test('axe finds nothing, and nothing sticks out to the side: phone', () =>
    onPage({ ...screens.phone, ...bringing() }, (page) => look(page, 'phone')))
}
