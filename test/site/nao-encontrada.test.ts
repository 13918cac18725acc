import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import { type House, start } from '../kit/house.ts'
import { enterPainel, signUp } from '../kit/pages.ts'

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

/** What Firefox and Chrome say that they want when somebody opens an address. */
const NAVEGADOR = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

const UNKNOWN = [
  '/nada',
  '/nada/mais/',
  '/api/nada',
  '/sefazz/',
  '/sefaz/zz/',
  '/docs/nada/',
  '/blog/',
  '/blog/rejeicoes/nada/',
  '/entrar/nada',
  '/painel/nada/',
  '/painel/uso/nada/mais/',
  '/documentacao/nada',
  // No router can decode it.
  '/docs/%zz',
]

test('an unknown address that a browser opens is a page in the frame of the others, with the way home', async () => {
  const { cookie } = await enterPainel(house)
  for (const path of UNKNOWN)
    for (const session of [{}, { cookie }]) {
      const headers = { accept: NAVEGADOR, ...session }
      const { status, text, headers: sent } = await house.ask(path, { key: null, headers })
      const told = `${path} ${Object.keys(session)}`
      assert.equal(status, 404, told)
      assert.match(sent.get('content-type') ?? '', /^text\/html/, told)
      assert.equal(sent.get('cache-control'), 'no-store', told)
      assert.match(sent.get('content-security-policy') ?? '', /default-src 'none'/, told)
      const $ = load(text)
      assert.equal($('h1').text(), 'Página não encontrada', told)
      assert.equal($('main .acoes a').attr('href'), '/', told)
      assert.equal($('main .botao').text(), 'Procurar', told)
      assert.ok($('nav.menu a[href="/docs/"]').length > 0, told)
      assert.equal($('nav.menu a[href="/painel/uso/"]').length, 'cookie' in session ? 1 : 0, told)
    }
})

test('behind the guard, what is there still sends a visitor without a session to the door', async () => {
  const { status } = await house.ask('/painel/uso/', { key: null, headers: { accept: NAVEGADOR } })
  assert.equal(status, 303)
})

test('a program is told in JSON, whatever it accepts but a page', async () => {
  for (const accept of ['application/json', '*/*', 'application/*, text/html;q=0.5', 'text/event-stream']) {
    const { status, body } = await house.ask('/api/nada', { headers: { accept } })
    assert.deepEqual([status, body.error_code], [404, 'ROTA_NAO_ENCONTRADA'], accept)
  }
})

test('an address that cannot be decoded has a page that says so, with the headers of every other', async () => {
  const [read, unread] = await Promise.all(
    ['/docs/nada/', '/docs/%zz'].map((path) =>
      house.ask(path, { key: null, headers: { accept: NAVEGADOR } }),
    ),
  )
  assert.ok(read && unread)
  assert.match(load(unread.text)('main .frase').text(), /não pôde ser lido: há nele um % fora do lugar/)
  const namesOf = ({ headers }: typeof read) =>
    [...headers.keys()].filter(
      (name) => !/^(?:content-(?:length|encoding)|transfer-encoding|vary)$/.test(name),
    )
  assert.deepEqual(namesOf(unread), namesOf(read))
})

test('an unknown address of the API names the nearest path, and none where none is near', async () => {
  for (const [path, near] of [
    ['/api/consulta', '/api/consultar'],
    ['/api/consultar-cnpj/', '/api/consultar-cnpj'],
    ['/API/CONSULTAR-CNPJ?cnpj=00000000000191', '/api/consultar-cnpj'],
    ['/consultar-cnpj', '/api/consultar-cnpj'],
    ['/api/v1/consultar-cnd', '/api/consultar-cnd'],
    ['/api/consultar-cnpj/00000000000191', '/api/consultar-cnpj'],
    ['/api/consultar-cnpj/00.000.000/0001-91', '/api/consultar-cnpj'],
    ['/api/base-cnpj', '/api/v1/base-cnpj'],
    ['/api/rejeicoes/204', '/api/v1/rejeicoes/{codigo}'],
    ['/api/v1/auth/logn', '/api/v1/auth/login'],
    ['/openapi.jsn', '/openapi.json'],
    ['/api', undefined],
    ['/wp-login.php', undefined],
    ['/..%2f..%2fetc/passwd', undefined],
    [`/api/consultar${'r'.repeat(9_000)}`, undefined],
  ] as const) {
    const { status, body } = await house.ask(path)
    assert.equal(status, 404, path)
    const [, named] = /O mais próximo é (\S+)\. /.exec(String(body.detail)) ?? []
    assert.equal(named, near, path)
    assert.match(String(body.detail), /A lista das rotas está em \/documentacao\.$/)
    assert.ok(!String(body.detail).includes('191'), 'the answer repeats no document')
  }
})

test('a browser that opens an address of the API with a mistake is shown the nearest path too', async () => {
  const { text } = await house.ask('/api/consultar-cnpjj', { key: null, headers: { accept: NAVEGADOR } })
  const $ = load(text)
  assert.match($('main p').text(), /O mais próximo é \/api\/consultar-cnpj\./)
  assert.equal($('main .frase a[href="/documentacao"]').text(), 'referência')
  assert.doesNotMatch($('main').text(), /documentacao/)
})

test('an unknown address offers to search for its words that find something, and never for a number in it', async () => {
  for (const [path, q] of [
    ['/docs/certidao-federal/', 'certidao federal'],
    ['/painel/extratos/', ''],
    ['/nao-ha/fontes/', 'fontes'],
    ['/api/consultar-cnpj/00000000000191', 'consultar cnpj'],
    ['/sefaz/zz/12ABC34501DE35', 'sefaz'],
  ] as const) {
    const $ = load((await house.ask(path, { key: null, headers: { accept: NAVEGADOR } })).text)
    const form = $('main form[role="search"]')
    assert.deepEqual([form.attr('action'), form.find('[name="q"]').attr('value')], ['/busca', q])
    assert.ok(!$('main').html()?.includes('191'))
  }
})

test('every failure that a person meets says what to do, and has a way on that is there', async () => {
  const { visitor } = await signUp(house)
  const old = await visitor.post(
    '/painel/configuracoes/chave/nova/',
    { _csrf: 'velho', carencia: '0' },
    {
      'sec-fetch-site': 'same-origin',
      referer: `${house.address}/painel/configuracoes/chave/nova/`,
    },
  )
  const other = await house.ask('/sefaz/', { key: null, method: 'DELETE', headers: { accept: NAVEGADOR } })
  const gone = await house.ask('/nada', { key: null, headers: { accept: NAVEGADOR } })
  for (const [{ status, text }, wanted, titulo] of [
    [old, 400, 'Este pedido não foi aceito'],
    [other, 405, 'Este endereço não se abre assim'],
    [gone, 404, 'Página não encontrada'],
  ] as const) {
    const $ = load(text)
    assert.deepEqual([status, $('h1').text()], [wanted, titulo])
    assert.match($('main').text(), /O que fazer: [a-zà-ú]/)
    const ways = $('main a')
      .get()
      .map((one) => $(one).attr('href') ?? '')
    assert.ok(ways.length >= 6, titulo)
    for (const way of ways) assert.ok((await visitor.get(way)).status < 400, way)
  }
  assert.equal(load(old.text)('main a.botao').attr('href'), '/painel/configuracoes/chave/nova/')
})

test('a failure of ours has the number that the operator finds it by, and the way to try again', async (t) => {
  const broken = await start()
  t.after(() => broken.close())
  const { visitor } = await signUp(broken)
  await broken.rooms.platform.db.kysely.schema.dropTable('chaves').execute()
  const { status, text, headers } = await visitor.get('/painel/configuracoes/')
  const $ = load(text)
  assert.deepEqual([status, $('h1').text()], [500, 'Algo deu errado do nosso lado'])
  assert.match($('main').text(), /Nada foi cobrado/)
  assert.equal($('main code').text(), headers.get('x-request-id'))
  assert.equal($('main a.botao').attr('href'), '/painel/configuracoes/')
})
