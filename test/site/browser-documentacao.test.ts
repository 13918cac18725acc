import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { listen, noBrowser, onPage, screens, visit } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'

describe('the reference page in a browser', { skip: noBrowser }, () => {
  let house: House
  before(async () => {
    house = await start()
    // Who asks first has the guide drawn, and a browser on a busy machine does not wait for that.
    await house.ask('/docs/', { key: null })
  })
  after(() => house.close())

  const shown = (page: Page, call: string): Promise<string[]> =>
    page
      .locator(`[id="${call}"] .exemplo > .codigo:not(.json):visible`)
      .evaluateAll((all) => all.map((one) => one.className.replace('codigo ', '')))
  const choose = (page: Page, call: string, lingua: string): Promise<void> =>
    page.locator(`[id="${call}"] .abas`).getByLabel(lingua, { exact: true }).check()

  test('without JavaScript every language is reached, and every answer unfolds', () =>
    onPage({ ...screens.desktop, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${house.address}/documentacao#consultar-cnd`)
      assert.deepEqual(await shown(page, 'consultar-cnd'), ['sh'])
      for (const [nome, lingua] of [
        ['C#', 'cs'],
        ['Delphi', 'pas'],
        ['Java', 'java'],
      ] as const) {
        await choose(page, 'consultar-cnd', nome)
        assert.deepEqual(await shown(page, 'consultar-cnd'), [lingua])
      }
      assert.deepEqual(await shown(page, 'consultar'), ['sh'])
      const members = page.locator('[id="modelo-RespostaConsultarCnd"]')
      assert.equal(await members.isVisible(), false)
      await page.locator('[id="consultar-cnd"]').getByText('Campos da resposta').click()
      assert.equal(await members.isVisible(), true)
    }))

  test('with JavaScript one choice is that of all examples, also in the guide and at the next visit', async () => {
    await using visitor = await visit(screens.desktop)
    const page = await visitor.newPage()
    const complaints = listen(page)
    await page.goto(`${house.address}/documentacao`)
    await choose(page, 'consultar', 'PHP')
    assert.deepEqual(await shown(page, 'consultar-sigef'), ['php'])
    await page.goto(`${house.address}/docs/`)
    assert.equal(await page.locator('.exemplo .codigo.php').first().isVisible(), true)
    await page.goto(`${house.address}/documentacao`)
    assert.deepEqual(await shown(page, 'consultar-nfe-xml'), ['php'])
    assert.deepEqual(complaints, [])
  })

  test('the list beside the calls leads to each, and marks the one that is read', () =>
    onPage(screens.desktop, async (page) => {
      await page.goto(`${house.address}/documentacao`)
      const list = page.locator('.chamadas-da-api')
      await list.getByRole('link', { name: 'XML da NF-e' }).click()
      await page.locator('.chamadas-da-api a[aria-current]').getByText('XML da NF-e').waitFor()
      const box = await page.locator('[id="consultar-nfe-xml"] h3').boundingBox()
      assert.ok(box && box.y >= 0 && box.y < 200, JSON.stringify(box))
    }))

  test('a link from before, and one to a model that is folded, show what they name', () =>
    onPage(screens.desktop, async (page) => {
      await page.goto(`${house.address}/documentacao#tag/nf-e/POST/api/consultar-nfe-xml`)
      const box = await page.locator('[id="consultar-nfe-xml"] h3').boundingBox()
      assert.ok(box && box.y >= 0 && box.y < 200, JSON.stringify(box))
      await page.goto(`${house.address}/documentacao#modelo-Certidao`)
      await page.locator('[id="modelo-Certidao"]').waitFor({ state: 'visible' })
    }))
})
