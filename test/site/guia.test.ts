import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type CheerioAPI, load } from 'cheerio'
import { custoDoEndpoint, lookups } from '../../src/painel/chamadas.ts'
import { ORDEM } from '../../src/platform/pages/amostras.ts'
import { capituloDaConsulta, readCapitulos } from '../../src/site/guia-capitulos.ts'
import { openReader, readCurl } from '../../src/site/guia-worker.ts'
import { readAmostra } from '../kit/guide.ts'
import { type House, start } from '../kit/house.ts'

const open = { key: null } as const
const capitulos = readCapitulos()

let house: House
const pages = new Map<string, CheerioAPI>()
before(async () => {
  house = await start()
  for (const { caminho } of capitulos) pages.set(caminho, load((await house.ask(caminho, open)).text))
})
after(() => house.close())

test('each file of docs/guia is a chapter, and each chapter is a file', () => {
  const files = readdirSync(join(import.meta.dirname, '../../docs/guia'))
  assert.deepEqual(capitulos.map(({ slug }) => `${slug}.md`).toSorted(), files.toSorted())
})

describe('each chapter', () => {
  for (const { slug, titulo, caminho, descricao } of capitulos)
    test(`${slug} is a page with its title, its place among the others, and its examples in colours`, () => {
      const page = pages.get(caminho)
      assert.ok(page)
      assert.equal(page('h1').text(), titulo)
      assert.equal(page('title').text(), `${titulo} · Consulta Fiscal`)
      assert.equal(page('meta[name="description"]').attr('content'), descricao)
      assert.ok(descricao.length > 30 && descricao.length < 200, descricao)
      assert.equal(page('nav.capitulos a[aria-current="page"]').text(), titulo)
      assert.equal(page('nav.capitulos a').length, capitulos.length)
      const lit = caminho === '/docs/creditos/' ? 'Preços' : 'Guia'
      assert.equal(page('.menu a[aria-current="page"]').text(), lit)
      assert.equal(page('link[rel="canonical"]').attr('href'), caminho)
      assert.equal(page('[style], style').length, 0)
      for (const exemplo of page('.exemplo:has(.sh, .ts, .py)').get())
        assert.ok(page(exemplo).find('span[class]').length > 0)
    })

  test('links to the one before and the one after', () => {
    for (const [at, { caminho }] of capitulos.entries()) {
      const page = pages.get(caminho)
      assert.equal(page?.('a[rel="prev"]').attr('href'), capitulos[at - 1]?.caminho)
      assert.equal(page?.('a[rel="next"]').attr('href'), capitulos[at + 1]?.caminho)
    }
  })

  test('is Markdown too, by its suffix and by Accept, with whole addresses', async () => {
    for (const { slug, caminho, titulo } of capitulos) {
      const file = await house.ask(`/docs/${slug}.md`, open)
      assert.equal(file.headers.get('content-type'), 'text/markdown; charset=utf-8')
      assert.ok(file.text.startsWith(`# ${titulo}\n`))
      const accepted = await house.ask(caminho, { ...open, headers: { accept: 'text/markdown, */*;q=0.1' } })
      assert.equal(accepted.text, file.text)
      assert.equal(accepted.headers.get('vary'), 'accept, accept-encoding')
      for (const [, to = ''] of file.text.matchAll(/\]\(([^)]+)\)/g)) assert.match(to, /^(#|https?:\/\/)/, to)
    }
  })

  test('is answered 304 to a copy that is still good', async () => {
    const { headers } = await house.ask('/docs/', open)
    const again = await house.ask('/docs/', {
      ...open,
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    })
    assert.deepEqual([again.status, again.text], [304, ''])
  })
})

test('where the guide presents a lookup, it has its price and its place in the reference', async () => {
  const { body } = await house.ask('/openapi.json', open)
  const said = capitulos.flatMap(({ texto }) => [
    ...texto.matchAll(/^`(GET|POST) (\/api\S+)` · (.*) · (.*)$/gm),
  ])
  const presented = new Set(said.map(([, , path]) => path))
  for (const { declared } of lookups)
    assert.ok(declared.price === 'free' || presented.has(declared.url), declared.url)
  for (const [, method = '', path = '', custo = '', reference] of said) {
    const { operationId } = Object(Object(body.paths)[path])[method.toLowerCase()]
    assert.equal(reference, `[referência](/documentacao#${operationId})`)
    const whole = custoDoEndpoint(path).replace('Não custa créditos.', 'sem custo')
    const [first = ''] = custo.split(/^sem custo; |, até/).filter(Boolean)
    assert.ok(whole.toLowerCase().startsWith(first.toLowerCase()), `${path}: ${custo}`)
  }
})

test('the chapter of the prices has every lookup, with its chapter, its place in the reference and its price', async () => {
  const page = pages.get('/docs/consultas-e-precos/')
  assert.ok(page)
  const rows = page('article tbody tr')
    .get()
    .map((row) => ({
      cells: page(row)
        .find('td')
        .get()
        .map((cell) => page(cell).text()),
      links: page(row)
        .find('a')
        .get()
        .map((link) => page(link).attr('href')),
    }))
  const { body } = await house.ask('/openapi.json', open)
  assert.equal(rows.length, lookups.length)
  for (const { declared } of lookups) {
    const path = declared.url.replaceAll(/:(\w+)/g, '{$1}')
    const { cells, links } =
      rows.find((row) => row.cells.join(' ').split(' ').includes(path)) ?? assert.fail(path)
    const price = declared.words.custo?.replaceAll('`', '')
    const { nome } = declared.words
    assert.deepEqual(cells, price === undefined ? [nome, path] : [`${nome} ${path}`, price])
    const [operation] = Object.values<{ operationId: string }>(Object(Object(body.paths)[path]))
    assert.deepEqual(links, [
      capituloDaConsulta(operation?.operationId ?? ''),
      `/documentacao#${operation?.operationId}`,
    ])
  }
})

test('an example of one call is shown in every language, and each sends what its curl sends', () => {
  const variaveis = { CHAVE: 'fk_x', NOTA: '3526', SENHA: 'segredo' }
  const arquivos = { 'empresa.pfx': Buffer.from('pfx'), 'nota.xml': Buffer.from('<NFe/>') }
  let shown = 0
  for (const [, page] of pages)
    for (const exemplo of page('.exemplo:has(.sh)').get()) {
      const codigoEm = (lingua: string): string => page(exemplo).find(`.codigo.${lingua}`).text()
      const pedido = readCurl(codigoEm('sh'))
      const tabs = page(exemplo)
        .find('.abas input')
        .get()
        .map((one) => page(one).attr('value') ?? '')
      assert.deepEqual(
        [...ORDEM].filter((lingua) => tabs.includes(lingua)),
        tabs,
      )
      if (!pedido) continue
      shown++
      const all = ['ps1', 'cs', 'java', 'php', 'pas'].map((lingua) => {
        assert.ok(tabs.includes(lingua), codigoEm('sh'))
        return readAmostra(lingua, codigoEm(lingua), { variaveis, arquivos })
      })
      for (const one of all) assert.deepEqual(one, all[0])
      assert.equal(all[0]?.endereco, pedido.endereco)
      assert.equal(all[0]?.metodo, pedido.corpo ? 'POST' : 'GET')
    }
  assert.equal(shown, 28)
})

test('every link and anchor of the guide leads somewhere', async () => {
  const known = new Map<string, CheerioAPI>(pages)
  for (const [from, page] of pages)
    for (const link of page('main a').get()) {
      const to = new URL(page(link).attr('href') ?? '', house.address + from)
      if (to.origin !== house.address) continue
      const found = known.get(to.pathname) ?? (await fetched(to.pathname))
      known.set(to.pathname, found)
      const id = decodeURIComponent(to.hash.slice(1))
      if (id)
        assert.ok(
          found('[id]').filter((_, one) => found(one).attr('id') === id).length === 1,
          `${from}: ${to.href}`,
        )
    }
  async function fetched(path: string): Promise<CheerioAPI> {
    const { status, text } = await house.ask(path, open)
    assert.ok(status === 200 || status === 303, `${path}: ${status}`)
    return load(text)
  }
})

test('the page of the prices has every lookup that costs in one table, and the free ones in one sentence', () => {
  const page = pages.get('/docs/creditos/')
  const rowsOf = (one: CheerioAPI | undefined, id: string): string =>
    one?.html(one(id).nextAll('table').first().find('tbody')) ?? ''
  assert.ok(page && rowsOf(page, '#quanto-custa').length > 2000)
  assert.equal(
    rowsOf(page, '#quanto-custa'),
    rowsOf(pages.get('/docs/consultas-e-precos/'), '#as-que-custam-creditos'),
  )
  // The plans, and one list of what each call costs.
  assert.equal(page('table').length, 2)
  const sentence = page('#quanto-custa').nextAll('p').first()
  assert.match(sentence.text(), /^Não custam créditos: /)
  const free = lookups.filter(({ declared }) => declared.price === 'free')
  assert.ok(free.length > 5)
  assert.deepEqual(
    new Set(
      sentence
        .find('a')
        .get()
        .map((link) => page(link).attr('href')),
    ),
    new Set(
      free.map(({ declared: { url, words } }) => capituloDaConsulta(words.id ?? url.split('/').at(-1) ?? '')),
    ),
  )
})

test('the addresses of the examples are those of this service', async () => {
  const shown = [...pages.values()].flatMap((page) => [
    ...page('pre')
      .text()
      .matchAll(/https?:\/\/127[^/']*/g),
  ])
  assert.ok(shown.length > 20)
  assert.deepEqual(new Set(shown.map(([origin]) => origin)), new Set([house.address]))
})

test('old and short addresses lead to the one address of a chapter', async () => {
  for (const [path, to] of [
    ['/docs', '/docs/'],
    ['/docs/comece-aqui', '/docs/'],
    ['/docs/comece-aqui/', '/docs/'],
    ['/docs/creditos', '/docs/creditos/'],
  ] as const) {
    const { status, headers } = await house.ask(path, open)
    assert.deepEqual([status, headers.get('location')], [301, to])
  }
  for (const path of ['/docs/nada/', '/docs/nada.md', '/docs/../creditos.md'])
    assert.equal((await house.ask(path, open)).status, 404, path)
})

test('a search finds the section that a word is in, and says when there is none', async () => {
  const search = async (q: string) =>
    load((await house.ask(`/docs/busca/?q=${encodeURIComponent(q)}`, open)).text)
  const found = await search('RETRY-AFTER repetir')
  assert.ok(
    found('.achados-do-guia a')
      .get()
      .some((one) => found(one).attr('href') === '/docs/erros/#repetir-ou-nao'),
  )
  assert.equal(found('input[name="q"]').first().attr('value'), 'RETRY-AFTER repetir')
  assert.match((await search('xyzzyqwerty'))('article').text(), /Nada no guia fala de “xyzzyqwerty”/)
  assert.match((await search(''))('article').text(), /Escreva no campo/)
  assert.match((await search('<b>'))('article').html() ?? '', /&lt;b&gt;/)
})

describe('what a chapter must not have is refused', () => {
  const refused: readonly [what: string, markdown: string][] = [
    ['a script', '<script>alert(1)</script>'],
    ['HTML within a line', 'um <b>dois</b>'],
    ['a comment', '<!-- nada -->'],
    ['an image', '![um](dois.png)'],
    ['an entity', 'um&nbsp;dois'],
    ['a line across', 'um\n\n---\n\ndois'],
    ['two headings of one name', '## Um\n\n## um'],
    ['a heading of the fourth level', '#### Um'],
  ]
  for (const [what, markdown] of refused)
    test(what, async () => {
      const read = await openReader({ prefixo: '', enderecos: {} })
      assert.throws(() => read(markdown), /in the guide/)
    })
})

test('llms.txt names every chapter as Markdown, and llms-full.txt has them all with every endpoint', async () => {
  const { text, headers } = await house.ask('/llms.txt', open)
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.match(text, /^# Consulta Fiscal\n\n> /)
  const links = [...text.matchAll(/^- \[([^\]]+)\]\(([^)]+)\): .+$/gm)].map(([, , to = '']) => to)
  for (const { slug } of capitulos) assert.ok(links.includes(`${house.address}/docs/${slug}.md`), slug)
  for (const link of links) assert.equal((await fetch(link)).status, 200, link)
  const whole = (await house.ask('/llms-full.txt', open)).text
  for (const { titulo } of capitulos) assert.ok(whole.includes(`\n# ${titulo}\n`), titulo)
  const { body } = await house.ask('/openapi.json', open)
  for (const path of Object.keys(Object(body.paths))) assert.ok(whole.includes(` ${path}\``), path)
})

// `npm run test:longo` has the guide under a PUBLIC_URL.
