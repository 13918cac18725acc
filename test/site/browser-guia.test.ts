import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { follow, noBrowser, onPage, screens, visit } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'

describe('the guide in a browser', { skip: noBrowser }, () => {
  let house: House
  before(async () => {
    house = await start()
    // Who asks first has the guide drawn, and a browser on a busy machine does not wait for that.
    await house.ask('/docs/', { key: null })
  })
  after(() => house.close())

  const mostrados = (page: Page): Promise<string[]> =>
    page
      .locator('.exemplo > .codigo:visible')
      .evaluateAll((all) => all.map((one) => one.className.replace('codigo ', '')))
  const escolher = (page: Page, lingua: string): Promise<void> =>
    page.locator('.exemplo .abas').first().getByLabel(lingua).check()

  test('without JavaScript each example has its own choice of a language', () =>
    onPage({ ...screens.desktop, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${house.address}/docs/erros/`)
      assert.deepEqual(await mostrados(page), ['sh', 'json', 'sh', 'json'])
      await escolher(page, 'Python')
      // What its program shows too.
      assert.deepEqual(await mostrados(page), ['py', 'json', 'text', 'sh', 'json'])
    }))

  test('with JavaScript all examples follow, also on the pages that are opened later', () =>
    onPage(screens.desktop, async (page) => {
      await page.goto(`${house.address}/docs/erros/`)
      await escolher(page, 'TypeScript')
      assert.deepEqual(await mostrados(page), ['ts', 'json', 'text', 'ts', 'json', 'text'])
      await page.goto(`${house.address}/docs/`)
      assert.deepEqual(await mostrados(page), ['console', 'ts', 'json', 'text'])
      // This page has none in Python, nor a choice.
      await escolher(page, 'Python')
      await page.goto(`${house.address}/docs/cliente-typescript/`)
      assert.ok((await mostrados(page)).includes('ts'))
    }))

  test('a block is copied as it is written, and the button says so', async () => {
    await using visitor = await visit({
      ...screens.desktop,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await visitor.newPage()
    await page.goto(`${house.address}/docs/`)
    await page.locator('.codigo.sh').hover()
    await page.locator('.codigo.sh .copiar').click()
    await page.locator('.codigo.sh .copiado[data-rotulo="Copiado"]').waitFor()
    await page.getByRole('status').filter({ hasText: 'Copiado' }).waitFor({ state: 'attached' })
    const copied = await page.evaluate('navigator.clipboard.readText()')
    assert.equal(
      copied,
      `curl -s -H "X-API-Key: $CHAVE" '${house.address}/api/consultar?uf=RS&cnpj=99034721000180'`,
    )
  })

  test('a link to the reference opens the call that it names', () =>
    onPage(screens.desktop, async (page) => {
      await page.goto(`${house.address}/docs/consultar-cnd/`)
      await follow(page, () => page.getByRole('link', { name: 'referência', exact: true }).click())
      const title = page.getByRole('heading', { name: 'Certidão estadual', exact: true })
      await page.waitForFunction('window.scrollY > 500')
      const box = await title.boundingBox()
      assert.ok(box && box.y >= 0 && box.y < 200, JSON.stringify(box))
    }))
})
