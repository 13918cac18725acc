import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { NOW } from '../kit/basics.ts'
import {
  axe,
  follow,
  keepRules,
  noBrowser,
  onEachScreen,
  onPage,
  screens,
  withSession,
} from '../kit/browser.ts'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'
import { listSideways } from '../kit/in-page.js'
import { enterPainel, type Member } from '../kit/pages.ts'
import { fillMonitor } from '../kit/sefaz.ts'

describe('the frame of the pages', { skip: noBrowser }, () => {
  let house: House
  let member: Member
  before(async () => {
    house = await start()
    await fillMonitor(house, NOW.getTime())
    member = await enterPainel(house)
    const { key } = member
    await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key })
    await house.ask(`/api/consultar-ie-todos?cnpj=${BANCO_DO_BRASIL}`, { key })
  })
  after(() => house.close())
  const own = () => withSession(house.address, member)

  describe('the page of the search', () => keepRules('busca', () => `${house.address}/busca?q=certid%C3%A3o`))

  const escolhido = (page: Page): Promise<string> =>
    page.evaluate(`(() => {
      const id = document.activeElement.getAttribute('aria-activedescendant')
      return id ? document.getElementById(id).textContent : ''
    })()`)

  onEachScreen(
    'the box of the search opens by the keyboard, is walked by it, and leads on',
    async (_screen, page) => {
      await page.goto(`${house.address}/erros`)
      const caixa = page.getByRole('dialog', { name: 'Procurar' })
      for (const [open, close] of [
        ['/', 'Escape'],
        ['Control+k', 'Escape'],
        ['Meta+k', 'Escape'],
      ] as const) {
        await page.keyboard.press(open)
        await caixa.waitFor()
        await page.keyboard.press(close)
        await caixa.waitFor({ state: 'hidden' })
      }
      await page.keyboard.press('/')
      const campo = page.getByRole('combobox', { name: 'Procurar' })
      await page.keyboard.type('uso')
      const opcoes = page.getByRole('option')
      await caixa.getByText(/^\d+ resultados?$/).waitFor()
      assert.equal(await campo.getAttribute('aria-expanded'), 'true')
      assert.deepEqual(await axe(page), [])
      const first = await escolhido(page)
      assert.notEqual(first, '')
      await page.keyboard.press('ArrowDown')
      assert.notEqual(await escolhido(page), first)
      await page.keyboard.press('ArrowUp')
      assert.equal(await escolhido(page), first)
      await page.keyboard.press('ArrowUp')
      assert.equal(await escolhido(page), await opcoes.last().textContent())
      while (!/^Uso/.test(await escolhido(page))) await page.keyboard.press('ArrowDown')
      await follow(page, () => page.keyboard.press('Enter'))
      assert.equal(new URL(page.url()).pathname, '/painel/uso/')
      // What is typed in a field is no shortcut.
      await page.goto(`${house.address}/busca`)
      await page.getByRole('searchbox').first().fill('')
      await page.keyboard.type('a/b')
      assert.equal(await page.getByRole('searchbox').first().inputValue(), 'a/b')
    },
    own,
  )

  test('nothing that is chosen goes to the page of the search by Enter', () =>
    onPage(screens.desktop, async (page) => {
      await page.goto(`${house.address}/erros`)
      await page.getByRole('link', { name: 'Procurar' }).click()
      await page.keyboard.type('xyzzyx')
      await page.getByRole('dialog').getByText('Nada com “xyzzyx”').waitFor()
      await follow(page, () => page.keyboard.press('Enter'))
      assert.match(page.url(), /\/busca\?q=xyzzyx$/)
    }))

  test('on a phone the head has two rows, and a button opens the menu, also without JavaScript', async () => {
    for (const javaScriptEnabled of [true, false])
      for (const [who, links] of [
        [{}, 6],
        [own(), 13],
      ] as const)
        await onPage({ ...screens.phone, ...who, javaScriptEnabled }, async (page) => {
          await page.goto(`${house.address}/sefaz/`)
          const head = await page.locator('header').first().boundingBox()
          assert.ok(head && head.height < 110, JSON.stringify(head))
          const menu = page.getByRole('navigation', { name: 'Principal' })
          assert.equal(await menu.isVisible(), false)
          await page.getByText('Menu', { exact: true }).click()
          assert.equal(await menu.getByRole('link').count(), links)
          if (javaScriptEnabled) assert.deepEqual(await axe(page), [])
          await follow(page, () => menu.getByRole('link', { name: 'Códigos de erro' }).click())
          assert.equal(new URL(page.url()).pathname, '/erros')
        })
  })

  test('what is code, a number or a key has a button that copies it, and says so', () =>
    onPage(
      { ...screens.desktop, ...own(), permissions: ['clipboard-read', 'clipboard-write'] },
      async (page) => {
        const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()')
        await page.goto(`${house.address}/erros`)
        await page.getByRole('button', { name: 'Copiar' }).first().click()
        assert.match(await copied(), /^HTTP\/1\.1 503 Service Unavailable\n/)
        await page.goto(`${house.address}/painel/registro/`)
        const link = page.locator('.chamadas .pedido a').first()
        const id = (await link.getAttribute('title')) ?? ''
        await page.getByRole('button', { name: `Copiar ${id}` }).click()
        await page.getByRole('status').getByText('Copiado').waitFor({ state: 'attached' })
        assert.equal(await copied(), id)
        assert.deepEqual(await axe(page), [])
        await follow(page, () => link.click())
        await page.getByRole('button', { name: `Copiar ${id}` }).click()
        assert.equal(await copied(), id)
      },
    ))

  test('on a phone the calls come before their filters, and no number is broken', () =>
    onPage({ ...screens.phone, ...own() }, async (page) => {
      await page.goto(`${house.address}/painel/registro/`)
      const first = await page.locator('.chamadas tbody tr').first().boundingBox()
      assert.ok(first && first.y < 350, JSON.stringify(first))
      assert.equal(await page.getByLabel('Dia').isVisible(), false)
      await page.getByText('Filtrar', { exact: true }).first().click()
      assert.equal(await page.getByLabel('Dia').isVisible(), true)
      const pedido = page.locator('.chamadas .pedido a').first()
      assert.equal(await pedido.evaluate((one) => one.getClientRects().length), 1)
    }))

  test('on a phone the pages of the SEFAZ, with 90 days behind them, are no longer than 6,000 px', () =>
    onPage(screens.phone, async (page) => {
      for (const path of ['/sefaz/', '/sefaz/?doc=nfce', '/sefaz/?doc=cte', '/sefaz/rs/']) {
        await page.goto(house.address + path)
        const height = await page.evaluate<number>('document.documentElement.scrollHeight')
        assert.ok(height > 1_500 && height <= 6_000, `${path}: ${height}`)
      }
    }))

  const keepsWidth = (visitor: BrowserContextOptions, paths: readonly string[]): Promise<void> =>
    onPage(visitor, async (page) => {
      for (const path of paths)
        for (const width of [360, 720, 1_040, 1_120, 1_280, 1_366]) {
          await page.setViewportSize({ width, height: 800 })
          await page.goto(house.address + path)
          await page.evaluate("document.body.style.letterSpacing = '0.07em'")
          assert.deepEqual(await page.evaluate(listSideways), [], `${path} at ${width}`)
        }
    })

  test('at any width nothing sticks out to the side, also in a wider type face', async () => {
    await keepsWidth({}, ['/', '/sefaz/', '/erros', '/documentacao', '/criar-conta/'])
    await keepsWidth(own(), ['/painel/', '/painel/registro/', '/painel/extrato/', '/painel/fontes/'])
  })
})
