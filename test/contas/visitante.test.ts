import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import { startCatalogo } from '../kit/catalogo.ts'
import { BANCO_DO_BRASIL, type House } from '../kit/house.ts'
import { enterPainel, type Member, signUp } from '../kit/pages.ts'

/** A page of each room of the site, prepared or not. */
const PAGES = [
  '/',
  '/sefaz/',
  '/sefaz/rs/',
  '/blog/rejeicoes/',
  '/blog/rejeicoes/?q=duplicidade',
  '/blog/rejeicoes/diagnostico/',
  '/blog/rejeicoes/categoria/pagamento/',
  '/docs/',
  '/docs/creditos/',
  '/docs/busca/?q=certificado',
  '/documentacao',
  '/erros',
  '/busca?q=certificado',
  '/nao-existe',
  '/sefaz/xx/',
]

let house: House
let member: Member
before(async () => {
  house = await startCatalogo()
  member = await enterPainel(house)
  await rename(member, NOME)
})
after(() => house.close())

const NOME = 'Contábil Silva'

const rename = ({ conta: { id } }: Member, nome: string) =>
  house.rooms.platform.db.kysely.updateTable('contas').set({ nome }).where('id', '=', id).execute()

const PAGE = 'text/html,application/xhtml+xml,*/*;q=0.8'

const open = (path: string, cookie = '', headers: Record<string, string> = {}) =>
  house.ask(path, { key: null, headers: { accept: PAGE, ...(cookie && { cookie }), ...headers } })

const menuOf = (text: string): string[] =>
  load(text)('nav[aria-label="Principal"] :is(a, p)')
    .map((_, one) => load(one).text())
    .get()

const DO_PAINEL = [
  'Consultar',
  'Visão geral',
  'Uso',
  'Chamadas',
  'Extrato',
  'Acompanhar',
  'SEFAZ agora',
  'Rejeições',
  'Fontes',
  'Aprender',
  'Guia',
  'Referência',
  'Códigos de erro',
  'Preços',
  'Conta',
  'Configurações',
]

test('with a session every page has the menu of the account, its name, its credits and the badge', async () => {
  await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key: member.key })
  for (const path of [...PAGES, '/painel/', '/painel/registro/', '/painel/extrato/', '/sair/']) {
    const { text } = await open(path, member.cookie)
    assert.deepEqual(menuOf(text), DO_PAINEL, path)
    const $ = load(text)
    assert.equal($('.lado .quem strong').text(), NOME, path)
    assert.match($('.lado .saldo').text(), /^[\d.]+ créditos$/, path)
    assert.equal($('.lado .selo').text(), 'Simulador', path)
    assert.equal($('header').filter('.lado, .alto').length, 1, path)
    assert.ok($('nav[aria-label="Principal"] [aria-current="page"]').length <= 1, path)
  }
  const { text } = await open('/sefaz/', member.cookie)
  assert.equal(load(text)('[aria-current="page"]').text(), 'SEFAZ agora')
})

test('the bar shows the log-in as the place where one is only there', async () => {
  const litOf = async (path: string) => load((await open(path)).text)('.entrada [aria-current="page"]').text()
  assert.equal(await litOf('/entrar/'), 'Entrar')
  assert.equal(await litOf('/criar-conta/'), '')
})

test('what everybody reads is the same to the byte around a visit of an account', async () => {
  for (const path of PAGES) {
    const before = await open(path)
    const own = await open(path, member.cookie)
    const after = await open(path)
    assert.equal(own.status, before.status, path)
    // A page of an error has the number of its request in it.
    if (before.status === 200) assert.equal(after.text, before.text, path)
    assert.equal(after.headers.get('etag'), before.headers.get('etag'), path)
    assert.equal(after.headers.get('cache-control'), before.headers.get('cache-control'), path)
    for (const { text } of [before, after]) {
      assert.ok(!text.includes(NOME), path)
      assert.equal(load(text)('header.alto a[href="/painel/"]').text(), 'Entrar', path)
    }
    // What a page says is the same for both.
    assert.equal(load(own.text)('main h1').text(), load(before.text)('main h1').text(), path)
  }
})

test('no cache keeps the page of an account, and none gives it that of everybody', async () => {
  for (const path of PAGES.slice(0, 13)) {
    const everybody = await open(path)
    assert.match(everybody.headers.get('vary') ?? '', /\bcookie\b/, path)
    const tag = everybody.headers.get('etag') ?? '"x"'
    const own = await open(path, member.cookie, { 'if-none-match': tag })
    assert.equal(own.status, 200, path)
    assert.equal(own.headers.get('etag'), null, path)
    assert.equal(own.headers.get('cache-control'), 'private, no-store', path)
    assert.match(own.headers.get('vary') ?? '', /\bcookie\b/, path)
    assert.match(own.headers.get('content-security-policy') ?? '', /default-src/, path)
  }
})

test('it comes as gzip to who takes it, and says the same', async () => {
  const zipped = await open('/erros', member.cookie, { 'accept-encoding': 'gzip' })
  const plain = await open('/erros', member.cookie, { 'accept-encoding': 'identity' })
  assert.equal(zipped.headers.get('content-encoding'), 'gzip')
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(zipped.text, plain.text)
  const head = await house.ask('/erros', {
    method: 'HEAD',
    key: null,
    headers: { accept: PAGE, cookie: member.cookie },
  })
  assert.deepEqual(
    [head.status, head.text, head.headers.get('cache-control')],
    [200, '', 'private, no-store'],
  )
})

test('each account reads its own name, however many ask at once', async () => {
  const others = await Promise.all([1, 2, 3].map(() => enterPainel(house)))
  for (const [at, one] of others.entries()) await rename(one, `Conta <b>${at}</b> & filhos`)
  const asked = await Promise.all(
    Array.from({ length: 24 }, (_, at) => open('/sefaz/', others[at % 3]?.cookie)),
  )
  for (const [at, { text }] of asked.entries()) {
    assert.equal(load(text)('.quem strong').text(), `Conta <b>${at % 3}</b> & filhos`)
    assert.equal(load(text)('.quem b').length, 0)
  }
})

test('a session that is over, or none that we know, is a visitor’s', async () => {
  const gone = await enterPainel(house)
  assert.equal((await gone.post('/sair')).status, 303)
  for (const cookie of [gone.cookie, 'acesso=x', 'acesso=', 'outro=1', `acesso=${'x'.repeat(5_000)}`]) {
    const { status, text, headers } = await open('/erros', cookie)
    assert.equal(status, 200)
    assert.equal(load(text)('header.alto').length, 1)
    assert.ok(headers.get('etag'))
  }
})

test('what a page loads is no page: styles and data are those of everybody', async () => {
  const { text } = await open('/', member.cookie)
  const style = load(text)('link[rel="stylesheet"]').attr('href') ?? ''
  for (const path of [style, '/sefaz/api/v2/summary.json', '/openapi.json']) {
    const { headers } = await house.ask(path, {
      key: null,
      headers: { cookie: member.cookie, accept: '*/*' },
    })
    assert.ok(headers.get('etag'), path)
    assert.doesNotMatch(headers.get('cache-control') ?? '', /no-store/, path)
  }
})

test('the way out of a page of everybody is a page with one button', async () => {
  const { visitor } = await signUp(house)
  const docs = await visitor.get('/docs/', { accept: PAGE })
  assert.equal(load(docs.text)('.conta a[href="/sair/"]').text(), 'Sair')
  const { text } = await visitor.get('/sair/')
  assert.equal(load(text)('main form button').text(), 'Sair')
  assert.equal((await visitor.submit('/sair/')).headers.get('location'), '/entrar/?aviso=saiu')
  assert.equal((await visitor.get('/sair/')).status, 303)
})

test('a database that fails takes the account off the page, not the page', async () => {
  const { kysely } = house.rooms.platform.db
  await kysely.schema.alterTable('acessos').renameTo('longe').execute()
  const { status, text } = await open('/sefaz/', member.cookie)
  await kysely.schema.alterTable('longe').renameTo('acessos').execute()
  assert.equal(status, 200)
  assert.equal(load(text)('header.alto').length, 1)
})
