import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { readExemplos } from '../../src/platform/simulator.ts'
import { testOnce } from '../kit/basics.ts'
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

const CONSULTAR = '/painel/consultar/'
const EMPRESA = `${CONSULTAR}?documento=99001002000162`
const NOTA = `${CONSULTAR}nota/`

describe('asking in a browser', { skip: noBrowser }, () => {
  let house: House
  let visitor: Member
  let novo: Member
  before(async () => {
    house = await start({ CND_SECONDS: '15' })
    visitor = await enterPainel(house, 'enterprise')
    novo = await enterPainel(house)
  })
  after(() => house.close())

  const bringing = () => withSession(house.address, visitor)
  const open = (page: Page, path: string) => page.goto(house.address + path)
  const ask = (page: Page, pergunta: string) => page.locator(`button[value="${pergunta}"]`).first().click()
  const count = async () => Number(Object(await house.rooms.platform.ledger.saldo(visitor.conta)).cota)

  onEachScreen(
    'the states fill the map in as they answer, and the end is an answer with its own address',
    async (screen: Screen, page: Page) => {
      const before = await count()
      await open(page, EMPRESA)
      // What is kept comes at once; and the first may be there for a moment alone: the wait begins before.
      await page.locator('.opcoes summary').click()
      await page.locator('.opcoes input').first().check()
      const first = page.locator('#ao-vivo .contagem b', { hasText: /^[1-9]/ }).waitFor()
      await Promise.all([first, ask(page, 'cnd-todos')])
      await page.waitForURL(/\/painel\/consultas\/[0-9a-f-]{36}\/$/)
      assert.equal(await page.locator('.resposta .mapa a').count(), 27)
      assert.match(await page.locator('#estado-SP').innerText(), /Negativa/)
      assert.match(await page.locator('.mapa a[data-uf="SP"] title').innerHTML(), /São Paulo: Negativa/)
      const spent = before - (await count())
      assert.match(
        await page.locator('.fatos-do-veredito').innerText(),
        new RegExp(`${spent} créditos\\nsaldo agora`),
      )
      assert.deepEqual(await axe(page), [])
      await takePicture(page, `consultar-todos-${screen}`)
      await page.reload()
      assert.equal(before - (await count()), spent)
    },
    bringing,
  )

  testOnce('without JavaScript the whole answer comes at once, with the same map and files', () =>
    onPage({ ...screens.desktop, ...bringing(), javaScriptEnabled: false }, async (page) => {
      await open(page, EMPRESA)
      await follow(page, () => ask(page, 'cnd-todos'))
      assert.match(page.url(), /\/painel\/consultas\//)
      assert.match(await page.locator('#estado-SP').innerText(), /Negativa/)
      const before = await count()
      const [baixado] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('#estado-SP a[href$=".pdf"]').click(),
      ])
      assert.match(baixado.suggestedFilename(), /^certidao.*\.pdf$/)
      assert.match(readFileSync(await baixado.path(), 'latin1'), /^%PDF-/)
      assert.equal(await count(), before)
    }),
  )

  onEachScreen(
    'what is typed is read at once, and the certificate is in sight with its price and its file',
    async (screen, page) => {
      await open(page, CONSULTAR)
      const campo = page.getByLabel('CPF, CNPJ')
      await campo.pressSequentially('99001002000163')
      await page.locator('#dito.ruim', { hasText: 'o dígito verificador não confere' }).waitFor()
      await campo.fill('')
      await campo.pressSequentially('99001002000162')
      await page.locator('#dito.bom', { hasText: 'CNPJ válido' }).waitFor()
      assert.equal(await campo.inputValue(), '99.001.002/0001-62')
      assert.equal(await page.locator('button[value="nota"]').isVisible(), false)
      // Enter asks nothing: it goes on to the questions.
      await campo.press('Enter')
      assert.equal(new URL(page.url()).pathname, CONSULTAR)
      // A reading that the answer's page cuts off is a complaint of the browser.
      const lido = page.waitForResponse(/consultar\/documento$/)
      await page.getByLabel('Estado').selectOption('SP')
      await (await lido).finished()
      await follow(page, () => ask(page, 'cnd'))
      const pdf = page.getByRole('link', { name: 'Baixar o PDF' }).first()
      const box = await pdf.boundingBox()
      const { height = 0 } = page.viewportSize() ?? {}
      assert.ok(box && box.y + box.height <= height, `the PDF is ${box?.y} down`)
      const dita = await page.locator('.veredito').innerText()
      const isVelha = dita.includes('Resposta reaproveitada')
      assert.match(
        dita,
        isVelha ? /1 crédito\na reaproveitada custa o mesmo · saldo agora/ : /1 crédito\nsaldo agora/,
      )
      assert.deepEqual(await axe(page), [])
      await takePicture(page, `consultar-resposta-${screen}`)
      await page.goBack()
      await page.goForward()
      assert.equal(await page.locator('#veredito').innerText(), 'Negativa')
    },
    bringing,
  )

  for (const javaScriptEnabled of [true, false])
    testOnce(`an answer leads to all questions ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () =>
      onPage({ ...screens.phone, ...bringing(), javaScriptEnabled }, async (page) => {
        await open(page, `${EMPRESA}&uf=SP`)
        await follow(page, () => ask(page, 'ie'))
        await follow(page, () => page.getByRole('button', { name: 'Ver perguntas' }).click())
        assert.equal(new URL(page.url()).pathname, CONSULTAR)
        const box = await page.locator('#ofertas').boundingBox()
        assert.ok(box && box.y >= 0 && box.y < 100, `the questions are ${box?.y} down`)
        assert.equal(await page.locator('#ofertas:focus').count(), 1)
        assert.equal(await page.locator('.oferta button:visible').count(), 11)
      }),
    )

  testOnce('with a state chosen the first question is that of one state', () =>
    onPage({ ...screens.desktop, ...bringing() }, async (page) => {
      const colour = (id: string) =>
        page.evaluate(`getComputedStyle(document.querySelector('[value="${id}"]')).backgroundColor`)
      await open(page, CONSULTAR)
      assert.equal(await page.locator('#documento:focus').count(), 1)
      await open(page, EMPRESA)
      const [first, other] = [await colour('ie-todos'), await colour('ie')]
      assert.notEqual(first, other)
      await page.getByLabel('Estado').selectOption('SP')
      assert.deepEqual([await colour('ie-todos'), await colour('ie')], [other, first])
    }),
  )

  testOnce('on a phone the first certificate of all states is in sight, below what failed', () =>
    onPage({ ...screens.phone, viewport: { width: 390, height: 844 }, ...bringing() }, async (page) => {
      const fields = { documento: '98765057000186', pergunta: 'cnd-todos' }
      const { headers } = await visitor.post(CONSULTAR, fields)
      await open(page, headers.get('location') ?? '')
      assert.equal(await page.locator('.quem-falhou').count(), 1)
      const pdf = await page.locator('.achados a[href$=".pdf"]').first().boundingBox()
      assert.ok(pdf && pdf.y + pdf.height <= 844, `the PDF is ${pdf?.y} down`)
    }),
  )

  testOnce('on a phone a question is a row, and the first is in sight when the page opens', () =>
    onPage({ ...screens.phone, ...withSession(house.address, novo) }, async (page) => {
      for (const path of [CONSULTAR, EMPRESA]) {
        await open(page, path)
        const { height = 0 } = page.viewportSize() ?? {}
        const first = await page.locator('.oferta button').first().boundingBox()
        assert.ok(first && first.y + first.height <= height, `${path}: the first is ${first?.y} down`)
        // The keyboard would cover the questions.
        assert.equal(await page.locator('#documento:focus').count(), 0)
        const tall = Number(await page.evaluate('document.documentElement.scrollHeight'))
        assert.ok(tall <= 1_600, `${path}: ${tall}`)
        assert.equal(await page.locator('.verbo').first().isHidden(), false)
      }
      assert.deepEqual(await axe(page), [])
    }),
  )

  testOnce('a wrong check digit can be asked nothing about, and a key needs no state', () =>
    onPage({ ...screens.desktop, ...bringing() }, async (page) => {
      const enabled = () => page.locator('.oferta button:enabled').count()
      await open(page, `${CONSULTAR}?documento=99001002000163`)
      const campo = page.getByLabel('CPF, CNPJ')
      assert.equal(await campo.inputValue(), '99.001.002/0001-63')
      assert.equal(await enabled(), 0)
      assert.deepEqual(await axe(page), [])
      await campo.fill('99001002000162')
      await page.locator('.oferta button:enabled').first().waitFor()
      assert.equal(await page.getByLabel('Estado').isVisible(), true)
      await campo.fill('35261198763001000192550010000000021191112343')
      await page.locator('#dito.bom', { hasText: 'Chave de acesso válida' }).waitFor()
      assert.equal(await page.getByLabel('Estado').isVisible(), false)
      assert.equal(await campo.evaluate((one) => one.scrollWidth <= one.clientWidth), true)
      await campo.fill('99001002000163')
      await page.locator('#dito.ruim').waitFor()
      assert.equal(await enabled(), 0)
    }),
  )

  testOnce('a registration is written as its state does, and without a state it asks for one', () =>
    onPage({ ...screens.desktop, ...bringing() }, async (page) => {
      const enabled = () => page.locator('.oferta:not([hidden]) button:enabled').allInnerTexts()
      await open(page, CONSULTAR)
      const campo = page.getByLabel('CPF, CNPJ')
      const dito = (tom: string, hasText: string) => page.locator(`#dito${tom}`, { hasText }).waitFor()
      await campo.pressSequentially('110042490115')
      await dito(':not(.ruim)', 'escolha também o estado')
      assert.equal((await enabled()).length, 1)
      await page.getByRole('button', { name: /^Consultar · 1 crédito : Inscrição estadual/ }).waitFor()
      assert.equal(await page.evaluate('getComputedStyle(document.getElementById("uf")).outlineWidth'), '3px')
      assert.deepEqual(await axe(page), [])
      await page.locator('.oferta button:enabled').click()
      assert.equal(await page.evaluate('document.activeElement.id'), 'uf')
      await page.getByLabel('Estado').selectOption('SP')
      await dito('.ruim', 'o dígito verificador não confere com a regra de SP')
      assert.equal(await campo.inputValue(), '110.042.490.115')
      assert.deepEqual(await enabled(), [])
      await campo.fill('')
      await campo.pressSequentially('110042490114')
      await dito('.bom', 'válida em São Paulo')
      assert.equal(await campo.inputValue(), '110.042.490.114')
      assert.equal((await enabled()).length, 1)
      await campo.fill('')
      await campo.pressSequentially('3526119876300100019255001000')
      await dito(':not(.ruim)', 'Chave de acesso')
      assert.equal(await campo.inputValue(), '3526 1198 7630 0100 0192 5500 1000')
    }),
  )

  testOnce('a note comes with a certificate that was chosen as a file, and its XML downloads', async () => {
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
      const grupos = await page.getByLabel('Chave de acesso').inputValue()
      const chave = grupos.replaceAll(' ', '')
      await follow(page, () => page.getByRole('button', { name: 'Pedir o XML' }).click())
      await takePicture(page, 'consultar-nota')
      const [xml] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Baixar o XML' }).click(),
      ])
      assert.equal(xml.suggestedFilename(), `nfe-${chave}.xml`)
      assert.match(readFileSync(await xml.path(), 'utf8'), /<nfeProc.*<\/nfeProc>/s)
    })
  })

  testOnce('on paper an answer has its instant and its facts, and neither code nor what a page does', () =>
    onPage({ ...screens.desktop, ...bringing() }, async (page) => {
      const { headers } = await visitor.post(CONSULTAR, { documento: '99034721000180', pergunta: 'ie-todos' })
      await open(page, headers.get('location') ?? '')
      const fold = page.locator('.achados details .dados').first()
      assert.equal(await fold.isVisible(), false)
      await page.emulateMedia({ media: 'print' })
      assert.equal(await fold.isVisible(), true)
      assert.equal(await page.locator('.achados summary:visible').count(), 0)
      for (const gone of ['.programadores', '#guarda'])
        assert.equal(await page.locator(gone).isVisible(), false)
      const instante = await page.evaluate(
        "getComputedStyle(document.querySelector('.veredito time'), '::after').content",
      )
      assert.match(String(instante), /attr\(title\)|\d{2}\/\d{2}\/\d{4}/)
    }),
  )

  testOnce('two tabs ask at once, each its own', () =>
    onPage({ ...screens.desktop, ...bringing() }, async (page) => {
      const other = await page.context().newPage()
      await open(page, EMPRESA)
      await open(other, EMPRESA)
      await Promise.all([ask(page, 'cnd-todos'), ask(other, 'ie-todos')])
      for (const one of [page, other]) await one.waitForURL(/\/painel\/consultas\//)
      assert.match(await page.locator('.assunto').innerText(), /Certidão em todos os estados/)
      assert.match(await other.locator('.assunto').innerText(), /Inscrição em todos os estados/)
    }),
  )

  testOnce('a state that is missing is asked for before the form is sent', () =>
    onPage({ ...screens.desktop, ...bringing() }, async (page) => {
      await open(page, EMPRESA)
      await ask(page, 'cnd')
      assert.equal(new URL(page.url()).pathname, CONSULTAR)
      assert.equal(await page.evaluate('document.activeElement.id'), 'uf')
    }),
  )

  testOnce('a question that is pressed twice is sent once', () =>
    onPage({ ...screens.desktop, ...bringing() }, async (page) => {
      await open(page, EMPRESA)
      const sent: string[] = []
      page.on('request', (one) => {
        if (one.method() === 'POST' && new URL(one.url()).pathname === CONSULTAR) sent.push(one.url())
      })
      await page.locator('button[value="ie-todos"]').first().dblclick()
      await page.waitForURL(/\/painel\/consultas\/[0-9a-f-]{36}\/$/)
      assert.equal(sent.length, 1)
    }),
  )
})
