import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'
import { enterPainel, type Member } from '../kit/pages.ts'

type Achado = { nome: string; dito: string; endereco: string }
type Achados = { texto: string; grupos: { titulo: string; achados: Achado[] }[] }

let house: House
let member: Member
before(async () => {
  house = await start()
  member = await enterPainel(house)
})
after(() => house.close())

async function procurar(q: string, cookie = ''): Promise<Achados> {
  const path = `/busca/achados.json?q=${encodeURIComponent(q)}`
  const { status, body } = await house.ask(path, { key: null, headers: cookie ? { cookie } : {} })
  assert.equal(status, 200, q)
  return body as unknown as Achados
}

const nomesDe = ({ grupos }: Achados, titulo: string): string[] =>
  grupos.find((one) => one.titulo === titulo)?.achados.map(({ nome }) => nome) ?? []

const enderecosDe = ({ grupos }: Achados): string[] =>
  grupos.flatMap(({ achados }) => achados.map(({ endereco }) => endereco))

/** A call of an account, by its number. */
async function consultar({ key }: Member): Promise<string> {
  const { headers } = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key })
  return headers.get('x-request-id') ?? assert.fail('no id')
}

test('pages, lookups, chapters, states and codes are found by their words, with and without accents', async () => {
  for (const [q, titulo, nome] of [
    ['cnd', 'Consultas', 'Certidão estadual'],
    ['CERTIDÃO federal', 'Consultas', 'Certidão federal'],
    ['/api/consultar-cnpj', 'Consultas', 'Empresa (CNPJ)'],
    ['inscri', 'Consultas', 'Inscrição estadual'],
    ['refer', 'Páginas', 'Referência'],
    ['sefaz grande sul', 'Páginas', 'SEFAZ Rio Grande do Sul'],
    ['limites', 'Guia', 'Limites'],
    ['site indisponivel', 'Códigos de erro', 'Fonte indisponível'],
    ['PARAMETRO_AUSENTE', 'Códigos de erro', 'Parâmetro obrigatório ausente'],
    ['duplicidade', 'Rejeições', 'Rejeição 539'],
    ['pagamento', 'Rejeições por assunto', 'Pagamento'],
  ] as const) {
    const achados = await procurar(q)
    assert.ok(nomesDe(achados, titulo).includes(nome), `${q}: ${JSON.stringify(achados.grupos)}`)
  }
  const [primeiro] = (await procurar('539')).grupos
  assert.deepEqual([primeiro?.titulo, primeiro?.achados[0]?.nome], ['Rejeições', 'Rejeição 539'])
})

test('a whole document leads to what can be asked of it, and to no code of a rejection', async () => {
  const chave = '35260811222333000181550010000000011123456787'
  for (const [q, nome, caminho] of [
    ['99.034.721/0001-80', '99.034.721/0001-80', '99034721000180'],
    ['99034721000180', '99.034.721/0001-80', '99034721000180'],
    ['529.982.247-25', '529.982.247-25', '52998224725'],
    [chave, chave.replace(/(.{4})(?=.)/g, '$1 '), chave],
  ] as const) {
    const { grupos } = await procurar(q, member.cookie)
    const [primeiro] = grupos[0]?.achados ?? []
    assert.deepEqual(
      [grupos.length, primeiro?.nome, primeiro?.endereco],
      [1, `Consultar ${nome}`, `/painel/consultar/?documento=${caminho}`],
    )
    for (const endereco of enderecosDe({ texto: '', grupos })) {
      const headers = { accept: 'text/html', cookie: member.cookie }
      assert.equal((await house.ask(endereco, { key: null, headers })).status, 200, endereco)
    }
  }
  assert.ok(
    !enderecosDe(await procurar('99034721000181', member.cookie)).some((one) => /documento=/.test(one)),
  )
})

test('every address that is found leads to a page', async () => {
  for (const [q, cookie] of [
    ['e', ''],
    ['a', member.cookie],
    ['consulta', member.cookie],
    ['sefaz', member.cookie],
    ['', member.cookie],
    ['', ''],
  ] as const)
    for (const endereco of enderecosDe(await procurar(q, cookie))) {
      const headers = { accept: 'text/html', ...(cookie && { cookie }) }
      const { status } = await house.ask(endereco.replace(/#.*/, ''), { key: null, headers })
      assert.equal(status, 200, `${q}: ${endereco}`)
    }
})

test('a visitor is shown no page that he could not open', async () => {
  for (const q of ['', 'uso', 'extrato', 'chamadas', 'consultar', 'cnpj'])
    assert.deepEqual(
      enderecosDe(await procurar(q)).filter((one) => one.startsWith('/painel/')),
      [],
      q,
    )
  assert.ok(enderecosDe(await procurar('extrato', member.cookie)).includes('/painel/extrato/'))
})

test('an account finds its calls by their number and by its end, and no call of another', async () => {
  const id = await consultar(member)
  const other = await enterPainel(house)
  for (const q of [id, id.toUpperCase(), id.slice(-8), id.slice(-4), ` ${id.slice(-12)} `]) {
    const { grupos } = await procurar(q, member.cookie)
    const [calls] = grupos
    assert.equal(calls?.titulo, 'Chamadas', q)
    assert.equal(calls?.achados[0]?.nome, 'Empresa (CNPJ)', q)
    assert.equal(calls?.achados[0]?.endereco, `/painel/registro/${id}/`, q)
    for (const cookie of [other.cookie, ''])
      assert.ok(!JSON.stringify((await procurar(q, cookie)).grupos).includes(id), q)
  }
  assert.deepEqual(nomesDe(await procurar(id.slice(-3), member.cookie), 'Chamadas'), [])
  assert.deepEqual(nomesDe(await procurar(`%${id.slice(-4)}`, member.cookie), 'Chamadas'), [])
})

test('what one account was told is told to nobody else, and kept by no cache', async () => {
  const id = await consultar(member)
  const path = `/busca/achados.json?q=${id.slice(-8)}`
  const own = await house.ask(path, { key: null, headers: { cookie: member.cookie } })
  assert.match(own.text, new RegExp(id))
  assert.equal(own.headers.get('cache-control'), 'private, no-store')
  assert.equal(own.headers.get('cross-origin-resource-policy'), 'same-origin')
  for (const accept of ['*/*', 'text/html']) {
    const headers = { cookie: member.cookie, accept }
    const page = await house.ask(`/busca?q=${id.slice(-8)}`, { key: null, headers })
    assert.match(page.text, new RegExp(id))
    assert.equal(page.headers.get('cache-control'), 'private, no-store', accept)
  }
  const visitor = await house.ask(`/busca?q=${id.slice(-8)}`, { key: null })
  assert.match(visitor.headers.get('cache-control') ?? '', /^public/)
  assert.doesNotMatch((await house.ask(path, { key: null })).text, new RegExp(id))
})

test('without JavaScript it is a page, whose form keeps what was asked and whose results are links', async () => {
  const { status, text, headers } = await house.ask('/busca?q=%22%3E%3Cimg%20src%3Dx%3E%20certid%C3%A3o', {
    key: null,
  })
  assert.equal(status, 200)
  assert.equal(headers.get('vary'), 'cookie')
  const $ = load(text)
  assert.equal($('main input[name="q"]').val(), '"><img src=x> certidão')
  assert.equal($('main img').length, 0)
  const found = load((await house.ask('/busca/?q=certid%C3%A3o', { key: null })).text)
  assert.ok(found('main section a').length > 3)
  assert.equal(found('main section h2').first().text(), 'Consultas')
  const none = load((await house.ask('/busca?q=xyzzyx', { key: null })).text)
  assert.match(none('main').text(), /Nada com “xyzzyx”/)
  assert.equal((await house.ask('/busca?q=a&q=b', { key: null })).status, 200)
})

test('a lookup is found once, by the words of its chapter too, and an account is led to both', async () => {
  const path = '/docs/consultar-cnpj/'
  assert.deepEqual(
    (await procurar('empresa cnae')).grupos.map(({ titulo }) => titulo).filter((one) => one !== 'Rejeições'),
    ['Consultas'],
  )
  const daqui = ['Empresa (CNPJ)', 'Base do CNPJ']
  assert.deepEqual(nomesDe(await procurar('empresa cnae'), 'Consultas'), daqui)
  const caixa = enderecosDe(await procurar('certidão', member.cookie))
  assert.deepEqual(
    caixa.filter((one) => one === '/docs/consultar-cnd/'),
    [],
  )
  const headers = { cookie: member.cookie }
  const $ = load((await house.ask('/busca?q=empresa%20cnae', { key: null, headers })).text)
  const leads = $('main section li').first().find('.ao-guia')
  assert.deepEqual(
    leads.get().map((one) => $(one).text()),
    ['Ver o guia: Empresa (CNPJ)'],
  )
  assert.match($('main section li > a').first().attr('href') ?? '', /^\/painel\/consultar\//)
  const names = $('main section[aria-label="Consultas"] li b')
  assert.deepEqual(
    names.get().map((one) => $(one).text()),
    daqui,
  )
  assert.equal($(`main section[aria-label="Guia"] a[href="${path}"]`).length, 0)
  assert.deepEqual(
    $('main section li')
      .first()
      .find('mark')
      .get()
      .map((one) => $(one).text()),
    ['Empresa', 'empresa'],
  )
})

test('an error code shows the sentence that has what was sought, and a plural is marked', async () => {
  const $ = load((await house.ask('/busca?q=certidao', { key: null })).text)
  const codigo = $('section[aria-label="Códigos de erro"] li:has(code:contains(PROVIDER_ERROR)) .suave')
  assert.equal(codigo.text(), 'A Receita Federal não concluiu a emissão da certidão agora.')
  assert.equal(codigo.find('mark').text(), 'certidão')
  const marked = $('main mark')
    .get()
    .map((one) => $(one).text())
  assert.ok(marked.includes('certidões'), marked.join())
})

test('a long question is cut, and one of many words is as quick as one of few', async () => {
  for (const q of ['a'.repeat(5_000), 'certidao '.repeat(500), '((((', '\u0000', '%', '_', '*'.repeat(80)])
    assert.ok((await procurar(q, member.cookie)).texto.length < 200)
})

test('no group has more than a few, and a page of ours says how to go on', async () => {
  for (const { achados } of (await procurar('a', member.cookie)).grupos) assert.ok(achados.length <= 6)
})
