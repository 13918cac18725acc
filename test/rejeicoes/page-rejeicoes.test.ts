import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type CheerioAPI, load } from 'cheerio'
import { testOnce, vezes } from '../kit/basics.ts'
import { MALDADE, rejeicoesDeTeste, startCatalogo } from '../kit/catalogo.ts'
import { type House, start } from '../kit/house.ts'

const open = { key: null } as const
const INDICE = '/blog/rejeicoes/'

let house: House
before(async () => {
  house = await startCatalogo()
})
after(() => house.close())

const pageOf = async (path: string, where = house): Promise<CheerioAPI> => {
  const { status, text } = await where.ask(path, open)
  assert.equal(status, 200, path)
  return load(text)
}
const textsOf = ($: CheerioAPI, selector: string): string[] =>
  $(selector)
    .map((_, one) => $(one).text().replace(/\s+/g, ' ').trim())
    .get()
const addressOf = (codigo: number): string =>
  rejeicoesDeTeste.find((one) => one.codigo === codigo)?.url_blog ?? ''

describe('the page of a rejection', () => {
  let $: CheerioAPI
  before(async () => {
    $ = await pageOf(addressOf(610))
  })

  testOnce('has the official reason untouched, causes, steps, rules, documents and fields', async () => {
    const rejeicao = rejeicoesDeTeste.find(({ codigo }) => codigo === 610)
    assert.ok(rejeicao)
    assert.equal($('h1').text(), `Rejeição 610: ${rejeicao.titulo}`)
    // Word for word the title: it is not told twice.
    assert.equal(rejeicao.motivo, `Rejeição: ${rejeicao.titulo}`)
    assert.equal($('blockquote').length, 0)
    assert.equal($('.topo a[href="#diagnostico"]').text(), 'Achar o erro no meu XML')
    assert.deepEqual(textsOf($, '#causas ~ ul li, section:has(#causas) ul li'), rejeicao.causas)
    assert.deepEqual(textsOf($, 'section:has(#passos) ol li'), rejeicao.solucao_passos)
    assert.deepEqual(textsOf($, '.regras tbody tr'), ['I11-1055 e 65MOC 7.0 Anexo I'])
    assert.deepEqual(textsOf($, '.campos li code'), rejeicao.campos)
    assert.equal(textsOf($, '.campos li')[0], 'total/ICMSTot/vNF Valor total da nota')
    assert.match(
      $('section:has(#regras)').text(),
      /O motivo está em MOC 7\.0 Anexo I\. Com outra redação, em NT 2013\.005 v1\.22\.$/,
    )
    assert.deepEqual(textsOf($, '.pontos code'), ['total/ICMSTot/vNF', 'vICMSDeson', 'total/ICMSTot'])
  })

  testOnce('shows each check with its pair side by side, and marks the field that differs', () => {
    const pairs = $('.par').get()
    assert.equal(pairs.length, 2)
    assert.deepEqual(textsOf($, '.par .errado mark'), ['<vNF>9999.99</vNF>'])
    assert.deepEqual(textsOf($, '.par .certo mark'), ['<vNF>3822.00</vNF>', '<vTroco>10.00</vTroco>'])
    assert.deepEqual(textsOf($, '.par .errado .falta'), ['falta vTroco'])
    const lines = $(pairs[0])
      .find('.errado .l')
      .map((_, one) => $(one).text())
      .get()
    assert.deepEqual(lines, [
      '…\n',
      '<total>\n',
      '  <ICMSTot>\n',
      '    …\n',
      '    <vProd>3818.00</vProd>\n',
      '    …\n',
      '    <vNF>9999.99</vNF>\n',
      '  </ICMSTot>\n',
      '  …\n',
      '</total>\n',
    ])
  })

  testOnce(
    'says for which documents and since when a check holds, and what it needs besides the note',
    () => {
      const [first = '', second = ''] = textsOf($, '.da-regra')
      assert.match(first, /^Vale paraNF-e e NFC-e, desde 03\/11\/2026Precisa desó o XML da nota/)
      assert.match(second, /^Vale paraNFC-ePrecisa deo XML e uma tabela oficial \(ie ativas\)/)
    },
  )

  testOnce('leads to its neighbours, its category, and those that share its fields', async () => {
    assert.deepEqual(
      $('a[rel]')
        .map((_, one) => $(one).attr('href'))
        .get(),
      [addressOf(539), addressOf(777)],
    )
    assert.equal($('.trilha a').last().attr('href'), `${INDICE}categoria/totalizacao-valores/`)
    const of = await pageOf(addressOf(1000))
    assert.equal(of('section:has(#mesmos-campos) li').length, 6)
    assert.equal(of('section:has(#mesma-categoria) li').length, 6)
    assert.ok(!textsOf(of, 'section:has(#mesma-categoria) li b').includes('1000'))
  })

  testOnce('says that a code has two official reasons, is no refusal, or has no published rule', async () => {
    const two = await pageOf(addressOf(234))
    assert.deepEqual(textsOf(two, 'blockquote'), [
      'Rejeição: Código com dois motivos',
      'Rejeição: O outro motivo',
    ])
    assert.match((await pageOf(addressOf(205)))('h1').text(), /^Denegação 205:/)
    const bare = await pageOf(addressOf(206))
    assert.match(bare('section:has(#regras)').text(), /Não há regra de validação publicada/)
    assert.equal(bare('#causas, #passos, .campos').length, 0)
  })

  testOnce('has a title, a description, one address, and data that a search machine reads', async () => {
    const named = await startCatalogo({ PUBLIC_URL: 'https://exemplo.com.br/fiscal' })
    try {
      const page = await pageOf(addressOf(610), named)
      const base = 'https://exemplo.com.br/fiscal'
      assert.match(page('title').text(), /^Rejeição 610: Total da NF .* · Consulta Fiscal$/)
      const description = page('meta[name="description"]').attr('content') ?? ''
      assert.ok(description.length > 60 && description.length <= 158, description)
      assert.equal(page('link[rel="canonical"]').attr('href'), base + addressOf(610))
      const graph = dataOf(page)
      assert.deepEqual(
        graph.map((one) => one['@type']),
        ['FAQPage', 'HowTo', 'BreadcrumbList'],
      )
      const [faq, howTo, trail] = graph
      assert.equal(faq?.url, base + addressOf(610))
      assert.equal(Object(howTo).step.length, 3)
      assert.deepEqual(
        Object(trail).itemListElement.map(({ item }: { item: string }) => item),
        [base + INDICE, `${base}${INDICE}categoria/totalizacao-valores/`, base + addressOf(610)],
      )
    } finally {
      await named.close()
    }
  })
})

const dataOf = ($: CheerioAPI): Record<string, unknown>[] => {
  const data = JSON.parse($('script[type="application/ld+json"]').text())
  assert.equal(data['@context'], 'https://schema.org')
  return data['@graph']
}

describe('the one address of a rejection', () => {
  const moved: [what: string, path: string, codigo: number][] = [
    ['the code alone', '610/', 610],
    ['the code without a stroke at the end', '610', 610],
    ['the code with zeros before it', '0610/', 610],
    ['a slug that it once had', 'rejeicao-610-outro-nome/', 610],
    ['its slug without a stroke at the end', addressOf(539).slice(INDICE.length, -1), 539],
    ['its slug in capitals', addressOf(539).slice(INDICE.length).toUpperCase(), 539],
    ['its prefix and code', 'rejeicao-1001/', 1001],
  ]
  for (const [what, path, codigo] of moved)
    testOnce(`${what} is answered 301`, async () => {
      const { status, headers } = await house.ask(INDICE + path, open)
      assert.deepEqual([status, headers.get('location')], [301, addressOf(codigo)])
    })

  testOnce('what is none is a page that says so', async () => {
    for (const path of [
      '999/',
      'rejeicao-999-nada/',
      'nada/',
      '61/',
      '6100/',
      'rejeicao-610x/',
      'a/b/',
      '%00/',
    ]) {
      const { status, headers, text } = await house.ask(INDICE + path, open)
      assert.equal(status, 404, path)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(load(text)('h1').text(), 'Página não encontrada')
    }
    const { status, headers } = await house.ask(addressOf(610), { method: 'POST', ...open })
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
  })

  testOnce('what a link adds behind a question mark leads nowhere else', async () => {
    const { status } = await house.ask(`${addressOf(610)}?utm_source=carta`, open)
    assert.equal(status, 200)
    const { headers } = await house.ask(`${INDICE}610?utm_source=carta/`, open)
    assert.equal(headers.get('location'), addressOf(610))
  })

  testOnce('a copy that is still good is answered 304', async () => {
    const { headers } = await house.ask(addressOf(610), open)
    assert.equal(headers.get('cache-control'), 'public, max-age=0, s-maxage=300')
    const etag = headers.get('etag') ?? ''
    const again = await house.ask(addressOf(610), { ...open, headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text], [304, ''])
  })
})

describe('the list of all codes', () => {
  testOnce('has every code once, over its pages, and counts each category', async () => {
    const codes: string[] = []
    for (const pagina of [1, 2, 3]) {
      const $ = await pageOf(pagina === 1 ? INDICE : `${INDICE}?pagina=${pagina}`)
      codes.push(...textsOf($, 'section:has(#todos) .rejeicoes b'))
      assert.equal($('.paginas [aria-current="page"]').text(), `Página ${pagina}`)
      assert.equal($('.paginas a:not([rel])').length, 3)
      assert.equal(
        $('.paginas [rel="next"]').attr('href'),
        pagina < 3 ? `${INDICE}?pagina=${pagina + 1}` : undefined,
      )
    }
    assert.deepEqual(
      codes,
      rejeicoesDeTeste.map(({ codigo }) => String(codigo)).sort((a, b) => Number(a) - Number(b)),
    )
    const $ = await pageOf(INDICE)
    const counts = textsOf($, '.categorias b').map(Number)
    assert.equal(
      counts.reduce((sum, one) => sum + one, 0),
      rejeicoesDeTeste.length,
    )
    const named = textsOf($, '.categorias a').filter((nome) => nome !== 'Sem categoria')
    const inOrder = named.filter((nome) => nome !== 'Outros').sort((a, b) => a.localeCompare(b, 'pt'))
    assert.deepEqual(named, [...inOrder, ...named.filter((nome) => nome === 'Outros')])
  })

  testOnce('has no other pages', async () => {
    for (const pagina of ['0', '4', '-1', 'a', '1.5', '99999'])
      assert.equal((await house.ask(`${INDICE}?pagina=${pagina}`, open)).status, 404, pagina)
  })

  testOnce('each category has a page with all its codes', async () => {
    const $ = await pageOf(INDICE)
    for (const one of $('.categorias a').get()) {
      const page = await pageOf($(one).attr('href') ?? '')
      assert.equal(page('h1').text(), $(one).text())
      assert.equal(page('.rejeicoes li').length, Number($(one).parent().find('b').text()))
      assert.equal(dataOf(page)[0]?.['@type'], 'CollectionPage')
    }
    const without = await house.ask(`${INDICE}categoria/pagamento`, open)
    assert.deepEqual(
      [without.status, without.headers.get('location')],
      [301, `${INDICE}categoria/pagamento/`],
    )
    assert.equal((await house.ask(`${INDICE}categoria/nada/`, open)).status, 404)
  })
})

testOnce('what a catalogue holds is text on every page, and in the data of search machines', async () => {
  for (const path of [INDICE, addressOf(777), `${INDICE}?q=777`, addressOf(610)]) {
    const $ = await pageOf(path)
    assert.equal($('img, [onerror], main script').length, 0, path)
  }
  const $ = await pageOf(addressOf(777))
  assert.ok($('h1').text().includes(MALDADE))
  assert.match(JSON.stringify(dataOf($)), /onerror/)
})

describe('a catalogue that cannot be read', () => {
  testOnce('is a page with 502, and the other pages stay', async (t) => {
    const none = await start({ REJEICOES_FILE: '/nada/rejeicoes.json' })
    t.after(() => none.close())
    for (const path of [INDICE, addressOf(610), `${INDICE}?q=a`, `${INDICE}categoria/pagamento/`]) {
      const { status, headers, text } = await none.ask(path, open)
      assert.equal(status, 502, path)
      assert.equal(load(text)('h1').text(), 'Catálogo de rejeições indisponível')
      assert.equal(headers.get('cache-control'), 'no-store')
    }
    assert.equal((await none.ask('/sefaz/', open)).status, 200)
    const { status, text } = await none.ask('/sitemap.xml', open)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /blog/)
  })
})

describe('the map of the site', () => {
  test('names every page once, each of which is there, by the address that the operator gave', async (t) => {
    const base = 'https://exemplo.com.br'
    const named = await startCatalogo({ PUBLIC_URL: `${base}/` })
    t.after(() => named.close())
    const { headers, text } = await named.ask('/sitemap.xml', open)
    assert.match(headers.get('content-type') ?? '', /^application\/xml/)
    const $ = load(text, { xml: true })
    const paths = textsOf($, 'urlset > url > loc').map((one) => one.slice(base.length))
    assert.equal(new Set(paths).size, paths.length)
    for (const { url_blog } of rejeicoesDeTeste) assert.ok(paths.includes(url_blog), url_blog)
    // Each state, document, category, chapter of the guide, and the pages that stand alone.
    const capitulos = readdirSync(join(import.meta.dirname, '../../docs/guia')).length
    assert.equal(paths.length, rejeicoesDeTeste.length + 27 + 3 + 18 + capitulos + 5)
    const shown = paths.filter((path) => !/-1[01]\d\d-|-12\d\d-/.test(path))
    // All of them in `npm run test:longo`.
    for (const path of shown.filter((_, at) => at % (shown.length / vezes(shown.length)) < 1)) {
      const page = await named.ask(path, open)
      assert.equal(page.status, 200, path)
      assert.equal(load(page.text)('link[rel="canonical"]').attr('href'), base + path)
    }
  })

  testOnce(
    'is named in robots.txt; without an address of the operator, by the one that the service listens on',
    async () => {
      const asked = { key: null, headers: { host: 'mal.example', 'x-forwarded-host': 'mal.example' } }
      const robots = await house.ask('/robots.txt', asked)
      assert.match(robots.headers.get('content-type') ?? '', /^text\/plain/)
      assert.match(robots.text, new RegExp(`^Sitemap: ${house.address}/sitemap\\.xml$`, 'm'))
      const mapa = await house.ask('/sitemap.xml', asked)
      assert.match(mapa.text, new RegExp(`<loc>${house.address}/sefaz/</loc>`))
      for (const { text, headers } of [robots, mapa]) {
        assert.doesNotMatch(text, /mal\.example/)
        assert.equal(headers.get('cache-control'), 'public, max-age=3600')
        const etag = headers.get('etag') ?? ''
        const path = text === mapa.text ? '/sitemap.xml' : '/robots.txt'
        const again = await house.ask(path, { key: null, headers: { 'if-none-match': etag } })
        assert.equal(again.status, 304, path)
      }
    },
  )
})
