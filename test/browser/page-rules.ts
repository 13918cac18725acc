import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axe } from './axe.ts'
import { listSideways } from './in-page.js'
import { tabOn, tabThrough } from './keyboard.ts'
import { type Bringing, onEachScreen, onPage, pictureFile, screens, takePicture } from './screens.ts'
import { weigh } from './wire.ts'

/** The most that a page may take on the wire when it is first opened. */
const MOST_BYTES = 60_000

/** The narrowest screen of WCAG 2.2, 1.4.10: as of a phone whose text is enlarged. */
const NARROW = { viewport: { width: 320, height: 640 } }
const PAPER = { viewport: { width: 794, height: 1123 } }

/**
 * Declares the tests of what every page of ours holds. `name` is that of its pictures; `bringing` is what its
 * visitors have, such as a session.
 */
export function keepRules(name: string, address: () => string, bringing: Bringing = () => ({})): void {
  onEachScreen(
    'axe finds nothing, and nothing sticks out to the side',
    async (screen, page) => {
      await page.goto(address())
      await takePicture(page, `${name}-${screen}`)
      assert.deepEqual(await axe(page), [])
      assert.deepEqual(await page.evaluate(listSideways), [])
    },
    bringing,
  )

  test('a narrow screen has to be scrolled in one direction alone', () =>
    onPage({ ...NARROW, ...bringing() }, async (page) => {
      await page.goto(address())
      await takePicture(page, `${name}-estreito`)
      assert.deepEqual(await page.evaluate(listSideways), [])
    }))

  test('without JavaScript the page says the same', async () => {
    const read = async (javaScriptEnabled: boolean): Promise<string> => {
      let text = ''
      await onPage({ ...screens.desktop, ...bringing(), javaScriptEnabled }, async (page) => {
        await page.goto(address())
        text = (await page.locator('main').innerText()).replace(/\s+/g, ' ')
      })
      return text
    }
    const without = await read(false)
    assert.ok(without.length > 200)
    assert.equal(without, await read(true))
  })

  test(`the first visit takes at most ${MOST_BYTES / 1000} kB on the wire`, () =>
    onPage({ ...screens.desktop, ...bringing() }, async (page) => {
      const { bytes, parts } = await weigh(page, address())
      assert.ok(bytes > 1_000)
      assert.ok(bytes <= MOST_BYTES, [...parts].join('\n'))
    }))

  test('the keyboard skips the menu, and reaches everything in order, seen and marked', () =>
    onPage({ ...screens.desktop, ...bringing() }, async (page) => {
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
    }))

  test('it prints without its menu, and within the paper', () =>
    onPage({ ...PAPER, ...bringing() }, async (page) => {
      await page.goto(address())
      await page.pdf({ path: pictureFile(`${name}.pdf`), format: 'A4' })
      await page.emulateMedia({ media: 'print' })
      assert.equal(await page.locator('header nav').isVisible(), false)
      assert.deepEqual(await page.evaluate(listSideways), [])
    }))
}
