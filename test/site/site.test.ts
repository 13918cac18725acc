import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { load } from 'cheerio'
import Fastify from 'fastify'
import { openProntas } from '../../src/platform/pages/moldura.ts'
import { drawQuadro } from '../../src/sefaz/page-quadro.ts'
import type { Vista } from '../../src/sefaz/page-vista.ts'
import { NOW } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { EVERY_MS, fillMonitor, HOUR_MS, rodadaRuim } from '../kit/sefaz.ts'

const open = { key: null } as const
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

let house: House
const clock = { instant: NOW.getTime() }
before(async () => {
  house = await start({}, () => new Date(clock.instant))
  await fillMonitor(house, clock.instant)
})
after(() => house.close())

describe('every page', () => {
  for (const path of ['/sefaz/', '/sefaz/?doc=cte', '/sefaz/sp/', '/sefaz/nada/', '/erros'])
    test(`${path} has the strict policy, and loads nothing from elsewhere`, async () => {
      const { headers, text } = await house.ask(path, open)
      assert.equal(headers.get('content-security-policy'), POLICY)
      assert.equal(headers.get('x-ambiente'), 'simulador')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
      const page = load(text)
      assert.equal(page('style, [style], script:not([src])').length, 0)
      for (const one of page('[src], link[rel="stylesheet"], link[rel="icon"]').get())
        assert.match(
          page(one).attr('src') ?? page(one).attr('href') ?? '',
          /^\/estatico\/\w+\.[\w-]{10}\.(css|js|svg)$/,
        )
      assert.ok((page('title').text().length ?? 0) > 15)
      assert.ok((page('meta[name="description"]').attr('content') ?? '').length > 30)
      assert.equal(page('h1').length, 1)
    })

  test('weighs at most 60 kB with all that it loads, compressed', async () => {
    for (const path of ['/sefaz/', '/sefaz/sp/']) {
      const page = load((await house.ask(path, open)).text)
      const files = page('script[src], link[rel="stylesheet"], link[rel="icon"]')
        .map((_, one) => page(one).attr('src') ?? page(one).attr('href'))
        .get()
      const sizes = await Promise.all([path, ...files].map(compressedSize))
      const total = sizes.reduce((sum, size) => sum + size, 0)
      assert.ok(total < 60_000, `${path}: ${total} bytes`)
    }
  })

  test('is answered 304 to a copy that is still good, and only a shared cache may keep one unasked', async () => {
    const { headers } = await house.ask('/sefaz/', open)
    assert.equal(headers.get('cache-control'), 'public, max-age=0, s-maxage=15')
    const etag = headers.get('etag') ?? ''
    const again = await house.ask('/sefaz/', { ...open, headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text], [304, ''])
  })
})

/** The bytes of an answer as they travel. */
async function compressedSize(path: string): Promise<number> {
  const response = await fetch(house.address + path, { headers: { 'accept-encoding': 'gzip' } })
  assert.equal(response.headers.get('content-encoding'), 'gzip')
  return Number(response.headers.get('content-length'))
}

test('a file of the pages is kept for ever by its address', async () => {
  const page = load((await house.ask('/sefaz/', open)).text)
  const href = page('link[rel="stylesheet"]').attr('href') ?? ''
  const { headers, text } = await house.ask(href, open)
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.match(headers.get('content-type') ?? '', /^text\/css/)
  assert.match(text, /prefers-color-scheme: ?dark/)
  assert.match(text, /@media print/)
})

test('a page is made once a round: a flood of visitors asks the database nothing more', async (t) => {
  const dias = t.mock.method(house.rooms.sefaz.monitor, 'dias')
  clock.instant += EVERY_MS
  await house.rooms.sefaz.monitor.keep(rodadaRuim(clock.instant - 5_000))
  const all = await Promise.all(
    Array.from({ length: 200 }, (_, at) => house.ask(at % 2 ? '/sefaz/' : '/sefaz/sp/', open)),
  )
  for (const { status } of all) assert.equal(status, 200)
  assert.equal(dias.mock.callCount(), 1)
  clock.instant += 110_000
  await house.ask('/sefaz/?doc=cte', open)
  assert.equal(dias.mock.callCount(), 1)
  assert.equal(new Set(all.map(({ headers }) => headers.get('etag'))).size, 2)
})

test('with PUBLIC_URL every link has its prefix, and the page names its one address', async (t) => {
  const named = await start({ PUBLIC_URL: 'https://exemplo.com.br/fiscal/' })
  t.after(() => named.close())
  for (const path of ['/sefaz/', '/sefaz/sp/', '/sefaz/nada/']) {
    const page = load((await named.ask(path, open)).text)
    for (const one of page('[href], [src]').get()) {
      const to = page(one).attr('href') ?? page(one).attr('src') ?? ''
      assert.match(to, /^(#conteudo|(https:\/\/exemplo\.com\.br)?\/fiscal\/)/, to)
    }
    for (const eventos of page('[data-eventos]').get())
      assert.equal(page(eventos).attr('data-eventos'), '/fiscal/sefaz/eventos')
  }
  const page = load((await named.ask('/sefaz/?doc=cte', open)).text)
  const address = 'https://exemplo.com.br/fiscal/sefaz/?doc=cte'
  assert.equal(page('link[rel="canonical"]').attr('href'), address)
  assert.equal(page('meta[property="og:url"]').attr('content'), address)
  assert.equal((await named.ask('/sefaz/SP', open)).headers.get('location'), '/fiscal/sefaz/sp/')
})

describe('where there is nothing to show, the page says why', () => {
  const titleOf = async (where: House, path = '/sefaz/'): Promise<string> =>
    load((await where.ask(path, open)).text)('.faixa-aviso p')
      .first()
      .text()

  test('the monitor is off', async (t) => {
    const off = await start()
    t.after(() => off.close())
    assert.equal(await titleOf(off), 'O monitor está desligado neste serviço')
    assert.equal(await titleOf(off, '/sefaz/sp/'), 'O monitor está desligado neste serviço')
    const sp = load((await off.ask('/sefaz/sp/', open)).text)
    assert.match(sp('.fatos').first().text(), /ContingênciaSVC-ANAtivaçãoAinda não se sabe$/)
    const page = load((await off.ask('/sefaz/', open)).text)
    assert.equal(page('#leitura').text(), 'Ainda sem leitura')
    assert.equal(page('[data-cartao="nfe"] .numero span').text(), '–')
    assert.equal(page('.mapa .f0').length, 27)
    assert.equal(page('.estados tbody tr').length, 27)
    assert.equal(page('tr[data-uf="SP"] .parte').text(), '–')
  })

  test('the first round is not over', () => {
    const vista: Vista = {
      quadro: undefined,
      falta: 'sem-rodada',
      ultima: undefined,
      intervaloS: 120,
      calendario: [],
      dias: new Map(),
      incidentes: [],
      nacional: [],
    }
    const page = load(String(drawQuadro(vista, 'nfe', '')))
    assert.equal(page('.faixa-aviso p').first().text(), 'A primeira leitura está em curso')
    assert.equal(page('#abertos').text(), 'Sem leitura de agora.')
  })

  test('no reading for more than 10 minutes: the history stays, and no state has a class', async (t) => {
    const time = { instant: NOW.getTime() }
    const old = await start({}, () => new Date(time.instant))
    t.after(() => old.close())
    await fillMonitor(old, time.instant)
    time.instant += HOUR_MS
    assert.equal(await titleOf(old), 'Sem leitura há mais de 10 minutos')
    const page = load((await old.ask('/sefaz/', open)).text)
    assert.equal(page('.mapa .f0').length, 27)
    assert.match(page('#leitura').text(), /às 11:59:58 \(Brasília\)$/)
    assert.match(page('tr[data-uf="SP"] .parte').text(), /^9\d,\d\d%$/)
  })

  test('nobody answered, which may be our own network', async (t) => {
    const alone = await start()
    t.after(() => alone.close())
    const em = NOW.getTime() - 5_000
    const rodada = { em, fim: em + 3_000, fonte: 'servicos' as const, semRede: true }
    await alone.rooms.sefaz.monitor.keep({ ...rodadaRuim(em), rodada, ativacoes: [] })
    assert.equal(await titleOf(alone), 'Nenhum serviço respondeu na última leitura')
  })

  test('the figures come from the public pages, where the operator has no certificate', async (t) => {
    const bare = await start()
    t.after(() => bare.close())
    const em = NOW.getTime() - 5_000
    const rodada = { em, fim: em + 3_000, fonte: 'paginas' as const, semRede: false }
    await bare.rooms.sefaz.monitor.keep({ ...rodadaRuim(em), rodada })
    const { text } = await bare.ask('/sefaz/', open)
    assert.match(text, /Sem certificado do operador, lemos as páginas públicas/)
  })
})

test('a page is the same compressed', async () => {
  const plain = await fetch(`${house.address}/sefaz/`, { headers: { 'accept-encoding': 'identity' } })
  assert.equal(plain.headers.get('content-encoding'), null)
  const { text, headers } = await house.ask('/sefaz/', open)
  assert.equal(headers.get('vary'), 'accept-encoding, cookie')
  assert.equal(await plain.text(), text)
  assert.throws(() => gunzipSync(Buffer.from(text)))
})

test('what is kept is made once for each version, however many ask for it at once', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  const prontas = openProntas({ most: 64 })
  let made = 0
  let versao = 'a'
  const make = (): string => `${versao} ${++made}`
  app.get('/', (request, reply) =>
    prontas.send(request, reply, { nome: 'uma', versao, type: 'text/plain', headers: {}, make }),
  )
  const ask = async (): Promise<string> => (await app.inject('/')).body
  const all = await Promise.all(Array.from({ length: 50 }, ask))
  assert.deepEqual([...new Set(all)], ['a 1'])
  versao = 'b'
  assert.deepEqual([await ask(), await ask()], ['b 2', 'b 2'])
})

test('a shelf keeps so many pages: the one that nobody asked for longest is made anew', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  const prontas = openProntas({ most: 2 })
  let made = 0
  app.get<{ Params: { nome: string } }>('/:nome', (request, reply) => {
    const what = { nome: request.params.nome, versao: 'a', type: 'text/plain', headers: {} }
    return prontas.send(request, reply, { ...what, make: () => String(++made) })
  })
  const ask = async (nome: string): Promise<string> => (await app.inject(`/${nome}`)).body
  const asked = []
  for (const nome of ['a', 'b', 'a', 'c', 'a', 'b']) asked.push(await ask(nome))
  assert.deepEqual(asked, ['1', '2', '1', '3', '1', '4'])
})
