import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, onPage, screens } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'

/** Who wants less motion is shown each state when it answers, and not at a pace. */
const CALMO = { ...screens.desktop, reducedMotion: 'reduce' } as const

describe('the first page, with JavaScript', { skip: noBrowser }, () => {
  let house: House
  before(async () => {
    house = await start()
  })
  after(() => house.close())

  const paintedAs = (page: Page, cor: string) =>
    page.locator(`.pintado path.${cor}`).evaluateAll((all) => all.map((one) => one.dataset.uf).sort())

  test('a question fills the map where one stands, and says what it came to', () =>
    onPage(CALMO, async (page) => {
      await page.goto(`${house.address}/`)
      await page.getByRole('button', { name: 'um produtor rural' }).click()
      await page.getByText('Respondido agora, pelo simulador').waitFor()
      assert.equal(page.url(), `${house.address}/`)
      assert.deepEqual(await paintedAs(page, 'bom'), ['MT', 'RR'])
      assert.equal(await page.locator('#documento').inputValue(), '107.583.961-04')
      assert.match(
        await page.locator('#cores').innerText(),
        /^ativa 2\s+sem inscrição 1\d\s+não consultável \d$/,
      )
      assert.match(await page.locator('#achado').innerText(), /MT · Ativa[\s\S]*e mais 1 estado/)
      assert.match(await page.locator('#dito').innerText(), /RICARDO SENOLUX: 2 estados com inscrição ativa/)
      await page.getByText('O que cada estado respondeu').click()
      assert.match(await page.locator('#por-estado tr[data-uf="SC"]').innerText(), /Sem inscrição/)
    }))

  test('the map that comes fills in some seconds, and what is said of it counts with it', () =>
    onPage(screens.desktop, async (page) => {
      await page.clock.install({ time: 0 })
      await page.clock.pauseAt(1)
      await page.goto(`${house.address}/`)
      const [andamento, cores] = [page.locator('#andamento'), page.locator('#cores')]
      await page.clock.runFor(2_000)
      assert.equal(await andamento.innerText(), 'respondendo… 12 de 27')
      assert.match(await cores.innerText(), /esperando 15$/)
      assert.equal(await page.locator('.pintado path:not(.espera)').count(), 12)
      assert.equal(await page.locator('#resumo').isVisible(), false)
      await page.clock.runFor(3_000)
      assert.equal(await andamento.innerText(), '25 de 27 responderam')
      assert.equal(await cores.innerText(), 'ativa 3\nsem inscrição 22\nnão consultável 2')
      assert.deepEqual(await paintedAs(page, 'bom'), ['MG', 'PE', 'SP'])
      assert.equal(await page.locator('#resumo').isVisible(), true)
    }))

  test('a document takes its mask as it is typed, and Enter asks', () =>
    onPage(CALMO, async (page) => {
      await page.goto(`${house.address}/`)
      const field = page.getByLabel('CPF ou CNPJ')
      await field.fill('')
      await field.pressSequentially('99034721000180')
      assert.equal(await field.inputValue(), '99.034.721/0001-80')
      await field.press('Enter')
      await page.getByText('RS · Ativa').waitFor()
      assert.deepEqual(await paintedAs(page, 'bom'), ['RS'])
      await field.fill('')
      await field.pressSequentially('92186764237')
      assert.equal(await field.inputValue(), '921.867.642-37')
    }))
})
