import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CheerioAPI, load } from 'cheerio'
import { lista } from '../../src/painel/consultar/respondida.ts'
import { NOW } from '../kit/basics.ts'
import { noBrowser, onPage, screens } from '../kit/browser.ts'
import { type House, start } from '../kit/house.ts'
import { signUp, type Visitor } from '../kit/pages.ts'

const PAGINA = '/painel/comecar/'

let house: House
let now = NOW
before(async () => {
  house = await start({ CND_SECONDS: '6' }, () => now)
})
after(() => house.close())

const abrir = async (visitor: Visitor): Promise<CheerioAPI> => load((await visitor.get(PAGINA)).text)

/** Does what a command of the page says. */
const run = (comando: string): Promise<Response> => {
  const [, key = '', address = ''] = /X-API-Key: (\w+)['"] ['"]([^'"]+)['"]$/.exec(comando) ?? []
  return fetch(address, { headers: { 'X-API-Key': key } })
}

test('after the sign-up the key is shown once, with commands that work as they stand', async () => {
  const { visitor, answer } = await signUp(house)
  assert.equal(answer.headers.get('location'), PAGINA)
  const first = await visitor.get(PAGINA)
  assert.equal(first.headers.get('cache-control'), 'no-store')
  const page = load(first.text)
  const key = page('#chave').text()
  assert.match(key, /^fk_[0-9A-Za-z]{38}$/)
  const comandos = page('pre.trecho-de-codigo')
    .get()
    .map((one) => page(one).text())
  assert.equal(comandos.length, 2)
  assert.match(comandos[0] ?? '', /^curl -s -H 'X-API-Key: fk_/)
  assert.match(comandos[1] ?? '', /^curl\.exe -s -H "X-API-Key: fk_/)
  for (const comando of comandos) assert.equal((await run(comando)).status, 200)
  const again = await visitor.get(PAGINA)
  assert.ok(!again.text.includes(key))
  assert.equal(load((await visitor.submit(`${PAGINA}mostrar/`, {}, PAGINA)).text)('#chave').text(), key)
})

test('the light turns on with the first call, whatever came of it, and leads to it', async () => {
  const { visitor } = await signUp(house)
  const page = await abrir(visitor)
  assert.match(page('#sinal').text(), /Esperando a primeira chamada/)
  assert.equal(page('.topo a[href="/painel/consultar/"]').text(), 'Sem terminal, consulte no navegador')
  assert.equal(page('.aceso').length, 0)
  const sinal = page('#sinal').attr('data-sinal') ?? ''
  assert.equal((await visitor.get(sinal)).body.aceso, false)
  const key = page('#chave').text()
  const call = await house.ask('/api/consultar-cnpj?cnpj=00000000000191', { key })
  const told = (await visitor.get(sinal)).body
  assert.equal(told.aceso, true)
  assert.match(String(told.texto), /^Chegou às \d\d:\d\d:\d\d: .*CNPJ.*entregue em .* ms, 1 crédito$/)
  assert.equal(told.endereco, `/painel/registro/${call.headers.get('x-request-id')}/`)
  assert.equal((await visitor.get(String(told.endereco))).status, 200)
  const after = await abrir(visitor)
  assert.equal(after('.aceso:not(.falhou)').text(), told.texto)
  assert.ok(after('pre').text().includes('COLE_AQUI_A_SUA_CHAVE'))
  const scripts = after('script[type="module"]').map((_, one) => after(one).attr('src'))
  assert.ok(!scripts.get().some((one) => one.includes('comecar')))
  assert.equal(told.saldo, after('.saldo').text())
  now = new Date(now.getTime() + 1_000)
  await house.ask('/api/consultar-cnpj?cnpj=1', { key })
  assert.match((await abrir(visitor))('.aceso.falhou').text(), /^A última chegou às .*recusada/)
  const other = (await signUp(house)).visitor
  await house.ask('/api/consultar-cnpj?cnpj=1', { key: (await abrir(other))('#chave').text() })
  assert.match((await abrir(other))('.aceso').text(), /recusada \(Documento inválido\), 0 créditos/)
  assert.equal(after('.lado [aria-current="page"]').length, 0)
})

test('an answer that came without some of its sources came in part', async () => {
  const { visitor } = await signUp(house)
  const key = (await abrir(visitor))('#chave').text()
  const call = await house.ask('/api/consultar-cnd-todos?cnpj=98765057000186', { key })
  const failed = lista(call.body.results).filter(
    // The others cannot be asked, and nobody says of them that they did not answer.
    (one) => Object(Object(one).source_status).retryable === true,
  )
  assert.ok(failed.length > 1)
  const told = new RegExp(
    `entregue em parte \\(${failed.length} fontes não responderam\\) em .*, \\d+ créditos$`,
  )
  assert.match((await abrir(visitor))('.aceso').text(), told)
})

test('nobody else is told of the call, nor of the key', async () => {
  const { visitor } = await signUp(house)
  await abrir(visitor)
  const other = await signUp(house)
  assert.equal((await other.visitor.get(`${PAGINA}sinal`)).body.aceso, false)
  const stranger = await house.ask(`${PAGINA}sinal`, { key: null })
  assert.equal(stranger.status, 303)
  const forged = await house.ask(PAGINA, { key: null, headers: { cookie: 'boas-vindas=1' } })
  assert.equal(forged.status, 303)
})

test('the light of an open page turns on by itself', { skip: noBrowser }, () =>
  onPage(screens.phone, async (page) => {
    await page.goto(`${house.address}/criar-conta/`)
    await page.getByLabel('Nome').fill('Cerealista Boa Safra')
    await page.getByLabel('E-mail').fill('luz@exemplo.test')
    await page.getByLabel('Senha').fill('cavalo bateria grampo')
    await page.getByRole('button', { name: 'Criar conta' }).click()
    const key = await page.locator('#chave').innerText()
    assert.equal(await page.locator('.saldo').innerText(), '100 créditos')
    await house.ask('/api/consultar-cnpj?cnpj=00000000000191', { key })
    await page.locator('.sinal.aceso').getByText('Chegou às').waitFor()
    assert.equal(await page.locator('.saldo').innerText(), '99 créditos')
    assert.match((await page.locator('#a-chamada').getAttribute('href')) ?? '', /registro\/0/)
  }),
)
