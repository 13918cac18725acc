import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { NOW } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'

const FROM_HERE = { 'sec-fetch-site': 'same-origin' }

describe('the first page', () => {
  let house: House
  let agora = NOW.getTime()
  before(async () => {
    house = await start({}, () => new Date(agora))
  })
  after(() => house.close())

  const open = async () => load((await house.ask('/', { key: null })).text)
  const tryIt = (caso: string, headers: Record<string, string> = FROM_HERE) =>
    house.ask('/', { key: null, method: 'POST', headers, body: new URLSearchParams({ caso }) })
  const minuteLater = () => {
    agora += 60_000
  }

  test('it says what the service is, what each lookup costs, and where to begin', async () => {
    const { status, headers, text } = await house.ask('/', { key: null })
    assert.equal(status, 200)
    assert.match(headers.get('cache-control') ?? '', /public/)
    const $ = load(text)
    assert.equal($('h1').text(), 'Consulta Fiscal')
    assert.equal($('.mapa a').length, 27)
    assert.match($('.precos').text(), /Inscrição estadual \(IE\) em um estado1 crédito/)
    assert.equal($('.precos tbody tr').length, $('.precos a[href^="/docs/"]').length)
    assert.doesNotMatch($('.precos').text(), /login/)
    // What is shown is the answer to the question that stands chosen.
    assert.equal($('.resposta-da-prova code').first().text(), `GET ${$('option[selected]').attr('value')}`)
    assert.match($('.comecar').text(), /npm ci\s+npm start/)
    assert.equal($('link[rel="canonical"]').attr('href'), '/')
    const links = $('main a')
      .get()
      .flatMap((one) => $(one).attr('href') ?? [])
    for (const link of new Set(links.filter((one) => !one.startsWith('#')))) {
      const { status: found } = await house.ask(link, { key: null })
      assert.ok(found < 400, `${link}: ${found}`)
    }
    const again = await house.ask('/', { key: null, headers: { 'if-none-match': headers.get('etag') ?? '' } })
    assert.equal(again.status, 304)
  })

  test('a document of the list is answered without an account, a credit or a session', async () => {
    minuteLater()
    const $ = await open()
    for (const tema of ['Cadastro', 'Inscrição']) {
      const caso = $(`optgroup[label^="${tema}"] option`).first().attr('value') ?? ''
      const { status, text, headers } = await tryIt(caso)
      assert.equal(status, 200)
      const answer = load(text)
      assert.match(answer('.resposta-da-prova').text(), /Respondido agora/)
      assert.ok(answer('.dados dd').length > 5)
      assert.equal(answer('option[selected]').attr('value'), caso)
      assert.equal(headers.get('set-cookie'), null)
      assert.equal(headers.get('cache-control'), 'no-store')
    }
    const rows = await house.rooms.platform.db.kysely.selectFrom('lancamentos').selectAll().execute()
    assert.deepEqual(
      rows.filter(({ endpoint }) => endpoint !== null && endpoint !== ''),
      [],
    )
  })

  test('what is not on the list is not asked, nor what another page sends', async () => {
    minuteLater()
    for (const caso of ['', '/api/consultar-cnpj?cnpj=11222333000181', '/api/consultar?uf=SP&cnpj=x'])
      assert.equal((await tryIt(caso)).status, 400, caso)
    const caso = (await open())('option').first().attr('value') ?? ''
    assert.equal((await tryIt(caso, { 'sec-fetch-site': 'cross-site' })).status, 400)
    assert.equal((await tryIt(caso, {})).status, 400)
    const large = await house.ask('/', {
      key: null,
      method: 'POST',
      headers: FROM_HERE,
      body: new URLSearchParams({ caso: 'x'.repeat(2_000) }),
    })
    assert.equal(large.status, 413)
  })

  test('an address may ask a little a minute', async () => {
    minuteLater()
    const caso = (await open())('option').first().attr('value') ?? ''
    const statuses: number[] = []
    for (let at = 0; at < 12; at++) statuses.push((await tryIt(caso)).status)
    assert.deepEqual(statuses, [...Array<number>(10).fill(200), 429, 429])
    const { headers, text } = await tryIt(caso)
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.match(text, /perguntas por minuto/)
    minuteLater()
    assert.equal((await tryIt(caso)).status, 200)
  })

  test('another method is refused with those that it has', async () => {
    const { status, headers } = await house.ask('/', { key: null, method: 'DELETE', headers: FROM_HERE })
    assert.equal(status, 405)
    assert.match(headers.get('allow') ?? '', /GET.*POST/)
  })
})

test('live, an answer that was recorded says so, and nothing can be tried', async (t) => {
  const house = await start({ AUTHORITIES: 'live' })
  t.after(() => house.close())
  const { text } = await house.ask('/', { key: null })
  const $ = load(text)
  assert.equal($('form.prova').length, 0)
  assert.match($('.resposta-da-prova').text(), /Resposta gravada em 14\/11\/2026, do simulador/)
  const { status } = await house.ask('/', {
    key: null,
    method: 'POST',
    headers: FROM_HERE,
    body: new URLSearchParams({ caso: '/api/consultar-cnpj?cnpj=00000000000191' }),
  })
  assert.equal(status, 400)
})
