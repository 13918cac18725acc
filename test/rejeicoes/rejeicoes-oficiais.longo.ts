import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { load } from 'cheerio'
import { parseEntradas } from '../../src/rejeicoes/catalogo.ts'
import { lerTabela } from '../../tools/rejeicoes/tabelas.ts'
import { CATEGORIES, codesOf, list, official, PATH, PUBLIC, useOfficial } from '../kit/catalogo.ts'

useOfficial()

describe('the list of the catalogue that comes with the service', () => {
  test('has all 1,059 entries over its pages, by code, with the official reason untouched', async () => {
    const pages = await Promise.all(
      ['1', '2', '3', '4', '5', '6', '7'].map((page) => list({ page, page_size: '200' })),
    )
    assert.deepEqual(
      pages.map(({ results }) => results.length),
      [200, 200, 200, 200, 200, 59, 0],
    )
    assert.ok(pages.every(({ total }) => total === 1_059))
    const all = pages.flatMap(({ results }) => results)
    const codes = all.map(({ codigo }) => codigo)
    assert.deepEqual(
      codes,
      [...new Set(codes)].sort((a, b) => a - b),
    )
    const official = new Map(
      lerTabela('oficiais.csv', ['codigo', 'motivo', 'fontes', 'tipo']).map(({ codigo, motivo }) => [
        Number(codigo),
        motivo,
      ]),
    )
    for (const { codigo, motivo, slug, url_blog } of all) {
      assert.equal(motivo, official.get(codigo))
      assert.equal(url_blog, `/blog/rejeicoes/${slug}/`)
    }
    assert.deepEqual([codes[0], codes.at(-1)], [110, 9_498])
  })

  test('has the 17 categories of the specification, and each entry of one is found by it', async () => {
    const found: Record<string, number> = {}
    for (const categoria of Object.keys(CATEGORIES)) {
      const { total, results } = await list({ categoria, page_size: '200' })
      found[categoria] = total
      assert.ok(
        results.every((one) => one.categoria === categoria),
        categoria,
      )
    }
    assert.deepEqual(found, CATEGORIES)
    assert.equal(
      Object.values(found).reduce((sum, one) => sum + one, 0),
      1_059,
    )
  })

  for (const path of [PATH, PUBLIC])
    test(`q and categoria narrow ${path}, whatever the accents, the case and the order of the words`, async () => {
      assert.deepEqual(codesOf(await list({ q: '539' }, path)), [539])
      const some = codesOf(await list({ q: 'destinatario NAO cadastrada' }, path))
      assert.ok(some.includes(233) && !some.includes(234))
      assert.deepEqual(codesOf(await list({ q: 'CADASTRADA não Destinatário' }, path)), some)
      const both = { q: 'duplicidade', categoria: 'Duplicidade' }
      const { total, results } = await list({ ...both, page_size: '2' }, path)
      assert.deepEqual([results.length, results[0]?.codigo], [2, 204])
      assert.equal((await list({ ...both, page: String(total), page_size: '1' }, path)).results.length, 1)
      assert.deepEqual((await list({ ...both, page: String(total + 1), page_size: '1' }, path)).results, [])
      assert.equal((await list({ categoria: 'Duplicidad' }, path)).total, 0)
    })
})

describe('the public pages of the catalogue that comes with the service', () => {
  test('a category of more than one page has the codes of the list, page by page', async () => {
    const { results } = await list({ categoria: 'ICMS/Tributação', page_size: '200' })
    const path = '/blog/rejeicoes/categoria/icms-tributacao/'
    const codes: number[] = []
    for (const pagina of [1, 2, 3]) {
      const { text } = await official().house.ask(`${path}?pagina=${pagina}`, { key: null })
      const $ = load(text)
      codes.push(
        ...$('.rejeicoes b')
          .get()
          .map((one) => Number($(one).text())),
      )
    }
    assert.equal(codes.length, CATEGORIES['ICMS/Tributação'])
    assert.deepEqual(codes.slice(0, 200), codesOf({ total: 0, page: 1, page_size: 200, results }))
    assert.equal((await official().house.ask(`${path}?pagina=4`, { key: null })).status, 404)
  })

  test('each check is on the page of its rejection beside a pair, "errado" and "certo"', async () => {
    const all = parseEntradas(readFileSync('data/rejeicoes.json', 'utf8'))
    let pairs = 0
    for (const { url_blog, verificacoes_analiticas } of all.filter(
      (one) => one.verificacoes_analiticas.length,
    )) {
      const $ = load((await official().house.ask(url_blog, { key: null })).text)
      const pares = $('.par:not(.do-passo)')
      assert.equal(pares.length, verificacoes_analiticas.length, url_blog)
      for (const par of pares.get()) {
        const marked = ['.errado', '.certo'].map((side) => $(par).find(`${side} mark, ${side} .falta`).length)
        assert.ok(
          marked.some((one) => one > 0),
          url_blog,
        )
        assert.ok($(par).find('.errado').text() !== $(par).find('.certo').text(), url_blog)
        pairs++
      }
    }
    assert.ok(pairs >= 250, String(pairs))
  })
})
