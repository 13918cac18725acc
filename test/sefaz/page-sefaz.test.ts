import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CheerioAPI, load } from 'cheerio'
import { ufs, unidades } from '../../src/documento/uf.ts'
import { fontesNfe } from '../../src/nfe/source.ts'
import { nomesDasClasses } from '../../src/sefaz/rules.ts'
import { NOW } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { fillMonitor, MALDADE } from '../kit/sefaz.ts'

const open = { key: null } as const

let house: House
let $: CheerioAPI
before(async () => {
  house = await start()
  await fillMonitor(house, NOW.getTime())
  for (const falha of [undefined, { tipo: 'http' as const, codigo: '503', em: NOW }])
    house.rooms.platform.leituras.note({
      fonte: fontesNfe.distribuicao.source.id,
      em: NOW,
      ms: 300,
      falha,
      vazia: false,
      incompleta: false,
      rotulos: [],
      circuito: { estado: 'fechado' },
    })
  $ = load((await house.ask('/sefaz/', open)).text)
})
after(() => house.close())

const textsOf = (selector: string): string[] =>
  $(selector)
    .map((_, one) => $(one).text().replace(/\s+/g, ' ').trim())
    .get()

describe('the public page, which needs neither a key nor JavaScript', () => {
  test('says when the last reading was, and when the next one will be', () => {
    assert.equal(
      $('#leitura').text(),
      'Última leitura em 14/11/2026 às 11:59:58 (Brasília); a próxima, às 12:01:55',
    )
    assert.equal($('#leitura time').attr('datetime'), '2026-11-14T14:59:58.000Z')
  })

  test('has a card for each document: how many states are normal, slow, out', () => {
    assert.deepEqual(textsOf('[data-cartao]'), [
      'NF-e22/27 estados normais2 lentos, 1 muito lento e 2 fora',
      'NFC-e26/27 estados normais1 fora',
      'CT-e27/27 estados normaistodos normais',
    ])
  })

  test('colours each of the 27 states of the map, and says its class in words and by its code', () => {
    const states = $('.mapa a')
      .map((_, one) => `${$(one).find('text').text()} ${$(one).find('title').text()}`)
      .get()
    assert.equal(states.length, 27)
    assert.ok(states.includes('AM Amazonas: Não respondeu'))
    assert.ok(states.includes('BA Bahia: Muito lento'))
    assert.equal($('.mapa a[data-uf="PE"] path').attr('class'), 'f4')
    // A failure is hatched, and nothing else is.
    const hatched = $('.mapa a').filter((_, one) => $(one).find('[fill="url(#trama)"]').length > 0)
    assert.deepEqual(hatched.map((_, one) => $(one).attr('data-uf')).get(), ['AM', 'PE'])
  })

  test('counts the states of each class in the legend, 27 in all', () => {
    const counts = $('.legenda [data-classe]')
      .map((_, one) => Number($(one).find('b').text()))
      .get()
    assert.deepEqual(counts, [22, 2, 1, 1, 1, 0])
    assert.deepEqual(
      textsOf('.legenda [data-classe] span').toSorted(),
      Object.values(nomesDasClasses).toSorted(),
    )
  })

  test('lists the 27 states with class, mean time, 90 days and availability', () => {
    const rows = textsOf('.estados tbody tr')
    assert.equal(rows.length, 27)
    assert.match(rows[4] ?? '', /^BA Bahia ?SEFAZ BA ?Muito lento ?7,31 s ?9\d,\d\d%$/)
    assert.match(rows[2] ?? '', /^AM Amazonas ?SEFAZ AM ?Não respondeu ?9\d,\d\d%$/)
    assert.match(
      $('tr[data-uf="AC"] svg').attr('aria-label') ?? '',
      /^Acre: 9\d,\d\d% em 90 dias, \d+ com falhas$/,
    )
  })

  test('says of an incident what fell, since when, and what to do', () => {
    const [pe = '', am = '', rs = ''] = textsOf('.incidentes > li')
    assert.match(pe, /^Em aberto SEFAZ PE desde 14\/11 às 11:54NF-e de PE: .*\(código 108\)\./)
    assert.match(pe, /NF-e em PEEmita pela SVC-RS, que este estado ativou\./)
    assert.match(pe, /Contingência do estado: SVC-RS · Ativação: Ativada$/)
    assert.match(am, /Ativação: Ainda não se sabeNFC-e em AMEmita em contingência offline/)
    assert.match(rs, /^Encerrado SVRS 14\/11, das 03:00 às 03:22 \(22 min\)(?!.*voltou em)/)
  })

  test('says how the authorities’ own word fared, where the figures come from, and who drew the map', () => {
    assert.match($('#palavra').closest('section').text(), /SEFAZ GO3\.568 ?8 ?0,22%/)
    assert.match($('#fonte').closest('section').text(), /certificado do operador/)
    assert.match($('#nacional').closest('section').text(), /XML de notas pela chaveFalha às vezes/)
    assert.match($('#nacional').closest('section').text(), /eventosSem consultas/)
    assert.match($('footer').text(), /Victor Cazanave e MapSVG \(CC BY 4\.0\)/)
    assert.ok($('a[href="/sefaz/api/v2/summary.json"]').length === 1)
  })

  test('is of another document where one is asked for, and of no unknown one', async () => {
    const cte = load((await house.ask('/sefaz/?doc=cte', open)).text)
    assert.equal(cte('.abas [aria-current="true"]').text(), 'CT-e')
    assert.equal(cte('tr[data-uf="AM"] .autorizador').text(), 'SVRS')
    for (const query of ['?doc=mdfe', '?doc=nfe&doc=cte']) {
      const { status, headers } = await house.ask(`/sefaz/${query}`, open)
      assert.deepEqual([status, headers.get('location')], [302, '/sefaz/'])
    }
  })
})

describe('the page of a state', () => {
  test('has the three documents, each with its authorizer, contingency, activation and advice', async () => {
    const pe = load((await house.ask('/sefaz/pe/', open)).text)
    assert.equal(pe('h1').text(), 'Pernambuco (PE)')
    const facts = pe('.fatos')
      .map((_, one) =>
        pe(one)
          .find('dd')
          .map((_, dd) => pe(dd).text())
          .get()
          .join(' | '),
      )
      .get()
    assert.match(facts[0] ?? '', /^– \| SEFAZ PE \| SVC-RS \| Ativada dita em 14\/11 às 11:59$/)
    assert.match(facts[1] ?? '', /^0,56 s \| SVRS também de .* \| Offline$/)
    assert.match(facts[2] ?? '', /^0,52 s \| SVSP também de AP, RR e SP \| SVC-RS$/)
    assert.equal(pe('.legenda-dos-dias').length, 1)
    assert.match(
      pe('.legenda-dos-dias').first().text(),
      /^Uma barra por dia, de \d\d\/\d\d a hoje\. Verde: no ar 99%/,
    )
    assert.match(pe('.conselho').first().text(), /^Emita pela SVC-RS/)
    assert.equal(pe('.grafico svg[role="img"]').length, 3)
    assert.equal(pe('details .numeros').first().find('tbody tr').length, 90)
    assert.match(pe('.incidentes').text(), /SEFAZ PE/)
    assert.doesNotMatch(pe('.incidentes').text(), /SEFAZ AM/)
    assert.deepEqual(
      pe('a[rel]')
        .map((_, one) => pe(one).attr('href'))
        .get(),
      ['/sefaz/pb/', '/sefaz/pi/'],
    )
  })

  test('is there for each of the 27, at one address of small letters', async () => {
    for (const uf of ufs) {
      const { status, text } = await house.ask(`/sefaz/${uf.toLowerCase()}/`, open)
      assert.equal(status, 200)
      assert.ok(text.includes(`${unidades[uf].nome} (${uf})`))
    }
    for (const path of ['/sefaz/SP/', '/sefaz/Sp', '/sefaz/sp', '/sefaz/sP/?a=b']) {
      const { status, headers } = await house.ask(path, open)
      assert.deepEqual([status, headers.get('location')], [301, '/sefaz/sp/'], path)
    }
    for (const [path, location] of [
      ['/sefaz', '/sefaz/'],
      ['/sefaz?doc=cte', '/sefaz/?doc=cte'],
      ['/sefaz?doc=nada', '/sefaz/'],
    ])
      assert.equal((await house.ask(String(path), open)).headers.get('location'), location)
  })

  test('of a state that does not exist is a page that says so', async () => {
    for (const path of ['/sefaz/xx/', '/sefaz/sp/nada', '/estatico/nada.css']) {
      const { status, headers, text } = await house.ask(path, open)
      assert.equal(status, 404, path)
      assert.match(headers.get('content-type') ?? '', /^text\/html/)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(load(text)('h1').text(), 'Página não encontrada')
    }
    const { status, headers } = await house.ask('/sefaz/', { method: 'POST', ...open })
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
  })
})

test('what an authority writes is text on every page', async () => {
  for (const path of ['/sefaz/', '/sefaz/?doc=nfce', '/sefaz/pe/']) {
    const { text } = await house.ask(path, open)
    const page = load(text)
    assert.equal(page('img, [onerror]').length, 0, path)
    assert.ok(page('.incidentes').text().includes(MALDADE), path)
  }
})
