import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { testOnce } from '../kit/basics.ts'
import {
  axe,
  follow,
  noBrowser,
  onEachScreen,
  onPage,
  pictureFile,
  screens,
  takePicture,
} from '../kit/browser.ts'
import { MALDADE, nota, startCatalogo } from '../kit/catalogo.ts'
import type { House } from '../kit/house.ts'
import { dropFile, listSideways } from '../kit/in-page.js'

const INDICE = '/blog/rejeicoes/'
const ERRADA = nota
  .replace(/<vNF>[^<]*/, '<vNF>9999.99')
  .replace(/<NCM>[^<]*/, () => `<NCM>${MALDADE.replace(/&/g, '&amp;').replace(/</g, '&lt;')}`)

describe('the pages of the rejection catalogue in a browser', { skip: noBrowser }, () => {
  let house: House
  before(async () => {
    house = await startCatalogo()
  })
  after(() => house.close())

  const achadas = (page: Page) => page.locator('#resultados li b')
  const diagnosticar = (page: Page) =>
    follow(page, () => page.getByRole('button', { name: 'Diagnosticar' }).click())
  const digitar = async (page: Page, q: string, first: string): Promise<void> => {
    await page.locator('#q').pressSequentially(q)
    await achadas(page).first().getByText(first, { exact: true }).waitFor()
  }

  testOnce('what a search finds is shown while it is typed, and said to who does not see it', () =>
    onPage(screens.desktop, async (page) => {
      await page.goto(house.address + INDICE)
      await digitar(page, 'duplissidade chave', '539')
      await page.locator('#contagem', { hasText: /^1 rejeição\.$/ }).waitFor({ state: 'attached' })
      await takePicture(page, 'rejeicoes-instantaneo')
      assert.deepEqual(await axe(page), [])
      await page.locator('#q').fill('')
      await page.locator('#resultados:empty').waitFor({ state: 'attached' })
    }),
  )

  testOnce('a catalogue of hostile words is repainted as text', () =>
    onPage(screens.desktop, async (page) => {
      await page.goto(house.address + INDICE)
      await digitar(page, '777', '777')
      assert.ok((await page.locator('#resultados').innerText()).includes(MALDADE))
      assert.equal(await page.locator('main img, main script').count(), 0)
    }),
  )

  testOnce('the button asks by address, and the first result leads to its page', () =>
    onPage({ ...screens.phone, javaScriptEnabled: false }, async (page) => {
      await page.goto(house.address + INDICE)
      await page.locator('#q').fill('diferenca chave')
      await follow(page, () => page.getByRole('button', { name: 'Buscar' }).tap())
      await follow(page, () => page.locator('#resultados a').first().tap())
      assert.match(await page.locator('h1').innerText(), /^Rejeição 539:/)
    }),
  )

  onEachScreen(
    'a note that is pasted is diagnosed on a page of its own, beside the pair of the rejection',
    async (screen, page) => {
      await page.goto(`${house.address}${INDICE}610/`)
      await page.getByText('ou cole o texto do XML').click()
      await page.locator('#xml').fill(ERRADA)
      await diagnosticar(page)
      await page.locator('.suspeita').first().waitFor()
      await takePicture(page, `laudo-${screen}`)
      const [found, par] = [
        await page.locator('.suspeita').first().boundingBox(),
        await page.locator('.ao-lado').boundingBox(),
      ]
      assert.ok(found && par)
      if (screen === 'phone') assert.ok(par.y >= found.y + found.height, 'after it')
      else assert.ok(par.x >= found.x + found.width && par.y < found.y + found.height, 'beside it')
      assert.deepEqual(await axe(page), [])
      assert.deepEqual(await page.evaluate(listSideways), [])
      assert.equal(await page.locator('main img, main script').count(), 0)
      assert.match(await page.locator('main').innerText(), /9999\.99/)
    },
  )

  testOnce('a note that is chosen as a file is diagnosed without JavaScript', () =>
    onPage({ ...screens.desktop, javaScriptEnabled: false }, async (page) => {
      const arquivo = pictureFile('nota.xml')
      writeFileSync(arquivo, ERRADA)
      await page.goto(`${house.address}${INDICE}diagnostico/`)
      await page.locator('#arquivo').setInputFiles(arquivo)
      await diagnosticar(page)
      assert.match(await page.locator('main').innerText(), /9999\.99/)
    }),
  )

  testOnce('the corrected note is taken away without JavaScript, byte for byte, and the page stays', () =>
    onPage({ ...screens.phone, javaScriptEnabled: false }, async (page) => {
      const certa = nota.replaceAll('\n', '\r\n')
      const arquivo = pictureFile('nota-errada.xml')
      writeFileSync(arquivo, certa.replace(/<vNF>[^<]*/, '<vNF>9999.99'))
      await page.goto(`${house.address}${INDICE}diagnostico/`)
      await page.locator('#arquivo').setInputFiles(arquivo)
      await diagnosticar(page)
      const [baixado] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Baixar o XML corrigido' }).tap(),
      ])
      assert.match(baixado.suggestedFilename(), /^\d{44}-corrigido\.xml$/)
      assert.equal(readFileSync(await baixado.path(), 'utf8'), certa)
      assert.match(await page.locator('main').innerText(), /O que falta fazer/)
      await page.locator('#corrigido').scrollIntoViewIfNeeded()
      await takePicture(page, 'rejeicoes-corrigido')
    }),
  )

  const soltar = (page: Page): Promise<void> =>
    page.locator('form.diagnostico').evaluate(dropFile, { name: 'nota.xml', text: ERRADA })

  testOnce('a file that is dropped on the form or chosen in it is diagnosed, without a button', () =>
    onPage(screens.desktop, async (page) => {
      const arquivo = pictureFile('nota-escolhida.xml')
      writeFileSync(arquivo, ERRADA)
      for (const dar of [soltar, (on: Page) => on.locator('#arquivo').setInputFiles(arquivo)]) {
        await page.goto(`${house.address}${INDICE}diagnostico/`)
        await follow(page, () => dar(page))
        assert.match(await page.locator('main').innerText(), /9999\.99/)
      }
    }),
  )

  testOnce('the way back leads to the form on the page of the rejection', () =>
    onPage(screens.phone, async (page) => {
      await page.goto(`${house.address}${INDICE}610/`)
      await follow(page, () => soltar(page))
      await page.getByRole('link', { name: 'Ver o errado e o certo da 610' }).first().tap()
      assert.match(page.url(), /#par$/)
      await follow(page, () => page.getByRole('link', { name: 'Outro XML' }).click())
      assert.match(await page.locator('h1').innerText(), /^Rejeição 610:/)
      assert.match(page.url(), /#diagnostico$/)
    }),
  )
})
