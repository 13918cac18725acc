import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  axe,
  listen,
  noBrowser,
  screens,
  tabThrough,
  usableIn,
  visit,
  weigh,
  withSession,
} from '../kit/browser.ts'
import { listSideways } from '../kit/in-page.js'

const ADDRESS = 'http://plantada.test/'
const GOOD = '<h1>Página</h1><p><a href="/a">A</a> e <a href="/b">B</a></p>'

/** Opens a page that is written here, and runs `check` in it. */
async function plant<T>(main: string, check: (page: Page, complaints: string[]) => Promise<T>): Promise<T> {
  await using visitor = await visit(screens.phone)
  const page = await visitor.newPage()
  await page.route('**', (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/erro.js') return route.fulfill({ body: "throw new Error('plantado')" })
    return pathname === '/'
      ? route.fulfill({ headers: HEADERS, body: write(main) })
      : route.fulfill({ status: 404 })
  })
  const complaints = listen(page)
  await page.goto(ADDRESS)
  return await check(page, complaints)
}

const write = (main: string): string => `<!doctype html>
<html lang="pt-BR"><meta name="viewport" content="width=device-width"><title>Plantada</title><main>${main}</main></html>`

const HEADERS = {
  'content-type': 'text/html',
  'content-security-policy': "default-src 'self'; style-src 'unsafe-inline'",
}

/** A page with a mistake, what must be said of it, and who says it. */
const MISTAKES: [what: string, main: string, said: RegExp][] = [
  ['a script in the page', '<script>alert(1)</script>', /console: .*Content Security Policy/],
  ['an error of a script', '<script src="/erro.js"></script>', /script: plantado/],
  ['a picture of another host', '<img alt="" src="http://outra.test/a.png">', /leaves: http:\/\/outra/],
  ['a file that is missing', '<img alt="" src="/falta.png">', /is 404: .*falta\.png/],
]

describe('the harness of pages finds a mistake that is planted', { skip: noBrowser }, () => {
  for (const [what, main, said] of MISTAKES)
    test(what, async () => {
      const complaints = await plant(GOOD + main, async (_, complaints) => complaints)
      assert.match(complaints.join('\n'), said)
    })

  test('a good page has none', () =>
    plant(GOOD, async (page, complaints) => {
      assert.deepEqual(await axe(page), [])
      assert.deepEqual(await page.evaluate(listSideways), [])
      assert.deepEqual(complaints, [])
      const stops = await tabThrough(page)
      assert.deepEqual(
        stops.map(({ name, isSeen, isRinged }) => [name, isSeen, isRinged]),
        [
          ['A', true, true],
          ['B', true, true],
        ],
      )
    }))

  test('text that is too pale, and a field without a name', async () => {
    const found = await plant(`${GOOD}<p style="color:#bbb">pálido</p><input>`, axe)
    assert.match(found.join('\n'), /color-contrast[\s\S]*label/)
  })

  test('what sticks out to the side', async () => {
    const found = await plant(`${GOOD}<pre>${'x'.repeat(200)}</pre>`, (page) => page.evaluate(listSideways))
    assert.match(found.join('\n'), /pre/)
  })

  test('a focus that is not marked, one that is hidden, and one that is out of order', async () => {
    const [, , bare, hidden] = await plant(
      `${GOOD}<p><a href="/c" style="outline:0" class="c">C</a></p><p style="height:0;overflow:hidden"><a href="/d">D</a></p>`,
      tabThrough,
    )
    assert.deepEqual([bare?.isRinged, bare?.isSeen], [false, true])
    assert.equal(hidden?.isSeen, false)
    const stops = await plant(`${GOOD}<a href="/c" tabindex="1">C</a>`, tabThrough)
    assert.equal(stops[0]?.name, 'C')
  })

  test('a visitor brings a session to the host that it is of, and to no other', async () => {
    await using visitor = await visit(withSession(ADDRESS, { cookie: 'acesso=abc' }))
    const page = await visitor.newPage()
    const seen: unknown[] = []
    await page.route('**', async (route) => {
      seen.push((await route.request().allHeaders()).cookie)
      await route.fulfill({ headers: HEADERS, body: write(GOOD) })
    })
    await page.goto(ADDRESS)
    await page.goto('http://outra.test/')
    assert.deepEqual(seen, ['acesso=abc', undefined])
  })

  test('what a page weighs, and how long a slow line takes', () =>
    plant(`${GOOD}<p>${'x'.repeat(30_000)}</p>`, async (page) => {
      const { bytes, parts } = await weigh(page, ADDRESS)
      assert.ok(bytes >= 30_000, String(bytes))
      assert.deepEqual([...parts.keys()], ['/'])
      const { paintedMs, usableMs } = await usableIn(page, ADDRESS)
      assert.ok(paintedMs > 0 && usableMs >= paintedMs)
    }))
})
