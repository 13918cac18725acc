import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type House, start } from '../kit/house.ts'
import { enterPainel } from '../kit/pages.ts'

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

test('a visitor without a session is sent to the page where he enters, and comes back', async () => {
  const { status, headers } = await house.ask('/painel/uso/?mes=2026-11', { key: null })
  assert.equal(status, 303)
  assert.equal(headers.get('location'), '/entrar/?para=%2Fpainel%2Fuso%2F%3Fmes%3D2026-11')
})

test('a session that nobody opened is none', async () => {
  for (const cookie of ['acesso=x', `acesso=${'a'.repeat(43)}`, `acesso=${'a'.repeat(9_000)}`]) {
    const { status } = await house.ask('/painel/', { key: null, headers: { cookie } })
    assert.equal(status, 303, cookie.slice(0, 20))
  }
})

test('behind the guard an unknown address is a page that says so', async () => {
  const visitor = await enterPainel(house)
  const { status, text } = await visitor.get('/painel/nada-disso/')
  assert.equal(status, 404)
  assert.match(text, /Página não encontrada/)
})

test('a form of another site is refused before it is read', async () => {
  const { cookie } = await enterPainel(house)
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://outro.test' }, {}]) {
    const { status } = await house.ask('/painel/', {
      key: null,
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: 'a=1',
    })
    assert.equal(status, 400, JSON.stringify(headers))
  }
})
