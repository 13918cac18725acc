import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { readExemplos } from '../../src/platform/simulator.ts'
import { rowsOf } from '../kit/basics.ts'
import {
  axe,
  follow,
  noBrowser,
  onEachScreen,
  onPage,
  type Screen,
  screens,
  takePicture,
  withSession,
} from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

const CND_TODOS = '/painel/experimentar/consultar-cnd-todos/?cnpj=99001002000162'
const IE = '/painel/experimentar/consultar/?uf=SP&cnpj=99001002000162'
const NOTA = '/painel/experimentar/consultar-nfe-xml/'

describe('trying lookups in a browser', { skip: noBrowser }, () => {
  let house: House
  let visitor: Member
  before(async () => {
    house = await start()
    visitor = await enterPainel(house, 'enterprise')
  })
  after(() => house.close())

  const bringing = () => withSession(house.address, visitor)
  const open = (page: Page, path: string) => page.goto(house.address + path)
  const send = (page: Page) => page.getByRole('button', { name: 'Consultar' }).click()
  /** Without a script, and for lookups that are not live, the answer is a page of its own. */
  const sendWhole = (page: Page) => follow(page, () => send(page))
  const count = async () => Number(Object(await house.rooms.platform.ledger.saldo(visitor.conta)).cota)

  onEachScreen(
    'the states fill the map in as they answer, and the end says what it cost',
    async (screen: Screen, page: Page) => {
      const before = await count()
      let loads = 0
      await open(page, CND_TODOS)
      page.on('load', () => loads++)
      await send(page)
      await page.locator('.contagem b', { hasText: /^27$/ }).waitFor()
      await page.locator('#andamento', { hasText: 'Entregue' }).waitFor()
      assert.equal(loads, 0)
      assert.equal(await page.locator('.respostas .mapa a path.f0').count(), 0)
      assert.match(await page.locator('tr[data-uf="SP"] .selo').innerText(), /Negativa/)
      assert.match(await page.locator('.mapa a[data-uf="SP"] title').innerHTML(), /São Paulo: Negativa/)
      assert.match(await page.locator('#fala').innerText(), /créditos; restam/)
      assert.match(
        await page.locator('#pedido').getAttribute('href').then(String),
        /\/registro\/[0-9a-f-]{36}\/$/,
      )
      assert.match(await page.locator('#sh').innerText(), /consultar-cnd-todos\?cnpj=99001002000162/)
      const spent = before - (await count())
      assert.equal(
        await page
          .locator('#custo')
          .innerText()
          .then((text) => text.split(' ')[0]),
        String(spent),
      )
      assert.deepEqual(await axe(page), [])
      await takePicture(page, `experimentar-ao-vivo-${screen}`)
    },
    bringing,
  )

  test('without JavaScript the whole answer comes at once, on the same map', () =>
    onPage({ ...screens.desktop, ...bringing(), javaScriptEnabled: false }, async (page) => {
      await open(page, CND_TODOS)
      await sendWhole(page)
      assert.equal(await page.locator('.contagem b').innerText(), '27')
      assert.match(await page.locator('tr[data-uf="SP"] .selo').innerText(), /Negativa/)
      assert.match(await page.locator('.desfecho .dados').innerText(), /créditos; restam/)
    }))

  for (const javaScriptEnabled of rowsOf([true, false]))
    test(`a certificate opens as a PDF, and is not asked again: JavaScript ${javaScriptEnabled}`, () =>
      onPage({ ...screens.desktop, ...bringing(), javaScriptEnabled }, async (page) => {
        await open(page, CND_TODOS)
        await (javaScriptEnabled ? send(page) : sendWhole(page))
        await page.locator('tr[data-uf="SP"] form.papel').waitFor()
        await page.locator('.contagem b', { hasText: /^27$/ }).waitFor()
        if (javaScriptEnabled) await page.locator('#andamento', { hasText: 'Entregue' }).waitFor()
        const before = await count()
        const answered = page.context().waitForEvent('response', (one) => one.url().endsWith('/papel'))
        await page.locator('tr[data-uf="SP"] form.papel button').click()
        const response = await answered
        assert.equal(response.status(), 200)
        assert.equal(response.headers()['content-type'], 'application/pdf')
        assert.match(String(response.headers()['content-disposition']), /^inline; filename="certidao-sp/)
        assert.equal(await count(), before)
      }))

  onEachScreen(
    'a lookup in one state is answered with cards, its cost and its code',
    async (screen, page) => {
      await open(page, IE)
      await sendWhole(page)
      await page.locator('.desfecho').waitFor()
      assert.match(await page.locator('.desfecho').innerText(), /1 crédito; restam/)
      assert.deepEqual(await axe(page), [])
      await takePicture(page, `experimentar-resposta-${screen}`)
    },
    bringing,
  )

  test('a note comes with a certificate that was chosen as a file, and its XML downloads', async () => {
    const known = (await readExemplos(house.rooms.platform.simulador))['/api/consultar-nfe-xml']
    await onPage({ ...screens.phone, ...bringing() }, async (page) => {
      await open(page, NOTA)
      const [baixado] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Baixar o certificado de teste' }).click(),
      ])
      const file = join(house.pasta, 'teste.pfx')
      writeFileSync(file, readFileSync(await baixado.path()))
      await page.getByRole('link', { name: 'Preencher a chave' }).click()
      await page.getByLabel('Certificado A1').setInputFiles(file)
      await page.getByLabel('Senha do certificado').fill(String(known?.senha))
      assert.equal(await page.getByLabel('Registrar a manifestação').isChecked(), false)
      const chave = await page.getByLabel('Chave de acesso').inputValue()
      await sendWhole(page)
      await page.locator('.desfecho', { hasText: 'Entregue' }).waitFor()
      await takePicture(page, 'experimentar-nota')
      const [xml] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Baixar o XML' }).click(),
      ])
      assert.equal(xml.suggestedFilename(), `nfe-${chave}.xml`)
      assert.match(readFileSync(await xml.path(), 'utf8'), /<nfeProc.*<\/nfeProc>/s)
    })
  })

  test('two tabs ask at once, each its own', () =>
    onPage({ ...screens.desktop, ...bringing() }, async (page) => {
      const other = await page.context().newPage()
      await open(page, CND_TODOS)
      await open(other, '/painel/experimentar/consultar-ie-todos/?cnpj=99001002000162')
      await Promise.all([send(page), send(other)])
      for (const one of [page, other]) {
        await one.locator('#andamento', { hasText: 'Entregue' }).waitFor()
        assert.equal(await one.locator('.contagem b').innerText(), '27')
      }
      assert.match(await other.locator('tr[data-uf="SP"] .detalhe').innerText(), /^IE /)
    }))

  test('what is typed stays text, whatever it is', () =>
    onPage({ ...screens.desktop, ...bringing() }, async (page) => {
      const hostile = `"><img src=x onerror=alert(1)>'$(id)`
      await open(page, `/painel/experimentar/rejeicoes/?q=${encodeURIComponent(hostile)}`)
      await sendWhole(page)
      await page.locator('.desfecho').waitFor()
      assert.equal(await page.getByLabel('Palavras').inputValue(), hostile)
      assert.equal(await page.locator('main img').count(), 0)
    }))

  test('a refusal of a live lookup is told by the page, with what to do', () =>
    onPage({ ...screens.desktop, ...bringing() }, async (page) => {
      await open(page, '/painel/experimentar/consultar-ie-todos/?cnpj=99001002000163')
      await send(page)
      await page.locator('.desfecho', { hasText: 'DOCUMENTO_INVALIDO' }).waitFor()
      assert.match(await page.locator('.desfecho').innerText(), /Nada foi cobrado/)
      await takePicture(page, 'experimentar-recusa')
    }))
})
