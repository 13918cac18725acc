import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { createCodigo } from '../../src/contas/store-codigos.ts'
import { findContaByEmail } from '../../src/contas/store-contas.ts'
import { rowsOf } from '../kit/basics.ts'
import { axe, follow, noBrowser, type Screen, screens, takePicture, visit } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'
import { signUp } from '../kit/pages.ts'

describe('the doors', { skip: noBrowser }, () => {
  let house: House
  let email: string
  let codigo: string
  before(async () => {
    house = await start()
    email = (await signUp(house)).email
    const { db, now } = house.rooms.platform
    const conta = await findContaByEmail(db, email)
    assert.ok(conta)
    const novo = { tipo: 'redefinir', conta_id: conta.id, email, vidaMs: 3_600_000, now: now() } as const
    codigo = await createCodigo(db, novo)
  })
  after(() => house.close())

  for (const screen of rowsOf(['phone', 'dark'] as const satisfies Screen[]))
    test(`a form that is refused says why where the reader is, and takes the focus there: ${screen}`, async () => {
      await using someone = await visit(screens[screen])
      const page = await someone.newPage()
      const focused = () => page.evaluate('document.activeElement.id')
      await page.goto(`${house.address}/entrar/`)
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Senha').fill('não é essa senha')
      await follow(page, () => page.getByRole('button', { name: 'Entrar' }).click())
      await page.getByRole('alert').getByText('não confere').waitFor()
      assert.equal(await focused(), 'senha')
      assert.equal(await page.getByLabel('E-mail').inputValue(), email)
      await takePicture(page, `entrar-erro-${screen}`)
      assert.deepEqual(await axe(page), [])

      await page.goto(`${house.address}/criar-conta/`)
      await page.getByLabel('Nome').fill('Maria')
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Senha').fill('cavalo bateria grampo')
      await follow(page, () => page.getByRole('button', { name: 'Criar conta' }).click())
      await page.getByText('Já existe uma conta com este e-mail').waitFor()
      assert.equal(await focused(), 'email')
      assert.match(await page.title(), /^Erro: /)
      await takePicture(page, `criar-conta-erro-${screen}`)
      assert.deepEqual(await axe(page), [])
    })

  test('on plain HTTP a form of a door names its origin, and never the address with its code', async () => {
    await using someone = await visit()
    const page = await someone.newPage()
    const path = `/nova-senha/?codigo=${codigo}`
    const { text, headers } = await house.ask(path, { key: null })
    const sent: Record<string, string>[] = []
    await page.route('**', async (route) => {
      const request = route.request()
      if (request.method() === 'POST') sent.push(await request.allHeaders())
      const policy = { 'referrer-policy': headers.get('referrer-policy') ?? '', 'content-type': 'text/html' }
      await route.fulfill({ headers: policy, body: request.method() === 'POST' ? 'ok' : load(text).html() })
    })
    await page.goto(`http://fiscal.test${path}`)
    await page.locator('#senha').fill('cavalo bateria grampo')
    await page.getByRole('button', { name: 'Trocar a senha' }).click()
    await page.getByText('ok').waitFor()
    assert.equal(sent[0]?.origin, 'http://fiscal.test')
    assert.equal(sent[0]?.referer, 'http://fiscal.test/')
  })
})
